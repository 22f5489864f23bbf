#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <system_error>

#include "footfall/io/new_file.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/record/run_file.hpp"
#include "input_error.hpp"
#include "io/hdf5.hpp"

namespace footfall {

namespace {

// "time", "qpos[0]", "front_left_foot.force.x", "solver.iterations".
std::string component_name(const RunColumn& column, int component) {
  std::string stem = column.name;
  for (const char* group : {"state/", "feet/"}) {
    if (stem.starts_with(group)) stem.erase(0, std::strlen(group));
  }
  for (char& c : stem) c = c == '/' ? '.' : c;
  if (column.shape.empty()) return stem;
  if (!column.name.starts_with("state/") && !column.names.empty()) {
    return stem + "." + column.names[component];
  }
  return fmt::format("{}[{}]", stem, component);
}

// In quotes where a comma or a quote would mislead a reader.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

struct Close {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
using FilePtr = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw OutputError(fmt::format("{}: cannot write: {}", file.string(), std::strerror(errno)));
}

// A run takes long to make: a slip of the hand must not replace it by its own table.
void refuse_run_files(const std::filesystem::path& run_file, const std::filesystem::path& target) {
  const hdf5::Session session;
  std::error_code error;
  if (std::filesystem::equivalent(run_file, target, error) ||
      (std::filesystem::is_regular_file(target, error) && H5Fis_hdf5(target.c_str()) > 0)) {
    throw input_error(
        "{}: is a run file and is not overwritten: choose another name for the CSV file",
        target.string());
  }
}

// Messages call the file by `name`.
void write_csv(const RunContents& run, const std::filesystem::path& file,
               const std::filesystem::path& name) {
  FilePtr out(std::fopen(file.c_str(), "w"));
  if (!out) fail(name);
  fmt::memory_buffer text;
  const auto end_line = [&] {
    text.data()[text.size() - 1] = '\n';  // in place of the last comma
    if (std::fwrite(text.data(), 1, text.size(), out.get()) != text.size()) fail(name);
    text.clear();
  };
  for (const RunColumn& c : run.columns) {
    for (int k = 0; k < c.width; ++k) {
      const std::string head = fmt::format("{} [{}]", component_name(c, k), c.units[k]);
      fmt::format_to(std::back_inserter(text), "{},", field(head));
    }
  }
  end_line();
  for (int row = 0; row < run.row_count; ++row) {
    for (const RunColumn& c : run.columns) {
      for (int k = 0; k < c.width; ++k) {
        fmt::format_to(std::back_inserter(text), "{:.17g},", c.at(row, k));
      }
    }
    end_line();
  }
  if (std::fclose(out.release()) != 0) fail(name);
}

}  // namespace

void export_csv(const std::filesystem::path& run_file, const std::filesystem::path& csv_file) {
  const RunContents run = open_run(run_file);
  refuse_run_files(run_file, csv_file);
  NewFile target(csv_file);
  write_csv(run, target.partial(), csv_file);
  target.keep();
}

}  // namespace footfall
