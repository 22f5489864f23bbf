#include "io/recording_table.hpp"

#include <cmath>
#include <fstream>
#include <string_view>

#include "footfall/io/new_file.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

class MemoryTable final : public RecordingTable {
 public:
  MemoryTable(std::string file, std::vector<MemoryColumn> columns)
      : file_(std::move(file)), data_(std::move(columns)) {
    for (const MemoryColumn& c : data_) columns_.push_back(c.column);
  }
  const std::vector<TableColumn>& columns() const override { return columns_; }
  const std::vector<long>& rows() const override { return rows_; }

  std::vector<std::vector<double>> read(const std::vector<int>& columns) override {
    std::vector<std::vector<double>> values;
    const MemoryColumn* first = nullptr;
    for (const int column : columns) {
      const MemoryColumn& c = data_[column];
      if (first == nullptr) first = &c;
      if (c.values.size() != first->values.size()) {
        throw input_error("{}: '{}' has {} samples and '{}' has {}, expected as many", file_,
                          first->column.name, first->values.size(), c.column.name, c.values.size());
      }
      for (std::size_t i = 0; i < c.values.size(); ++i) {
        if (!std::isfinite(c.values[i])) {
          throw input_error("{}: sample {} of '{}' is {}, expected a finite number", file_, i + 1,
                            c.column.name, c.values[i]);
        }
      }
      values.push_back(c.values);
    }
    rows_.resize(first == nullptr ? 0 : first->values.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = static_cast<long>(i) + 1;
    return values;
  }

 private:
  std::string file_;
  std::vector<MemoryColumn> data_;
  std::vector<TableColumn> columns_;
  std::vector<long> rows_;
};

}  // namespace

std::unique_ptr<RecordingTable> make_table(const std::filesystem::path& file,
                                           std::vector<MemoryColumn> columns) {
  return std::make_unique<MemoryTable>(file.string(), std::move(columns));
}

std::unique_ptr<RecordingTable> open_table(const std::filesystem::path& file) {
  note_input(file);
  std::error_code ignored;
  std::string start(128, '\0');
  if (!std::filesystem::is_directory(file, ignored)) {
    std::ifstream in(file, std::ios::binary);
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  }
  if (start.starts_with("\x89HDF\r\n\x1A\n")) return open_hdf5(file);
  if (start.starts_with("MATLAB 5.0 MAT-file") || start.starts_with("MATLAB 7.3 MAT-file")) {
    return open_mat(file);
  }
  return open_csv(file);  // says so if there is no such file
}

}  // namespace footfall
