// What a file of measurements holds, before anything is known about its meaning: named columns.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace footfall {

struct TableColumn {
  std::string name;  // as it stands in the file: "Fz [kN]", "test3/z"
  std::string unit;  // stated beside the name (an attribute of HDF5); empty: none
};

class RecordingTable {
 public:
  virtual ~RecordingTable() = default;
  virtual const std::vector<TableColumn>& columns() const = 0;
  // Numbers of these columns, all of one length and finite. Throws InputError with the place.
  virtual std::vector<std::vector<double>> read(const std::vector<int>& columns) = 0;
  // Line of the first row of a table without a header, whose columns are called "column 1", …; 0: it has one.
  virtual long unnamed_row() const { return 0; }
  // Of each sample, after read: the line of a text file, else its number from 1.
  virtual const std::vector<long>& rows() const = 0;
};

// By the file's content, not by its name.
std::unique_ptr<RecordingTable> open_table(const std::filesystem::path& file);

std::unique_ptr<RecordingTable> open_csv(const std::filesystem::path& file);
std::unique_ptr<RecordingTable> open_hdf5(const std::filesystem::path& file);
std::unique_ptr<RecordingTable> open_mat(const std::filesystem::path& file);

// Columns that are in memory as numbers already, as HDF5 and MATLAB files give them.
struct MemoryColumn {
  TableColumn column;
  std::vector<double> values;
};
std::unique_ptr<RecordingTable> make_table(const std::filesystem::path& file,
                                           std::vector<MemoryColumn> columns);

}  // namespace footfall
