#include "footfall/dem/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <numbers>

#include "input_error.hpp"
#include "io/recording_table.hpp"
#include "io/text_file.hpp"

namespace footfall {
namespace {

constexpr std::array kPathColumns = {"time_s", "x_m", "depth_m", "tilt_rad"};
constexpr std::array kWrenchColumns = {"force_x_N",   "force_y_N",   "force_z_N",
                                       "torque_x_Nm", "torque_y_Nm", "torque_z_Nm"};

// A table with its columns found by their names.
class NamedTable {
 public:
  explicit NamedTable(const std::filesystem::path& file)
      : file_(file.string()), table_(open_csv(file)) {
    for (const TableColumn& column : table_->columns()) names_.push_back(column.name);
  }

  bool has(const char* name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }

  std::vector<double> read(const char* name) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) {
      throw input_error("{}: columns {}, expected {}, too", file_, fmt::join(names_, ", "), name);
    }
    return std::move(table_->read({static_cast<int>(at - names_.begin())}).front());
  }

  [[noreturn]] void refuse(std::size_t row, const std::string& what) const {
    throw input_error("{}:{}: {}", file_, table_->rows()[row], what);
  }

  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::unique_ptr<RecordingTable> table_;
  std::vector<std::string> names_;
};

std::vector<FootPose> read_poses(NamedTable& table) {
  const std::vector<double> time = table.read("time_s"), depth = table.read("depth_m");
  const std::vector<double> none(time.size(), 0.0);
  const std::vector<double> x = table.has("x_m") ? table.read("x_m") : none;
  const std::vector<double> tilt = table.has("tilt_rad") ? table.read("tilt_rad") : none;
  std::vector<FootPose> path;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (i > 0 && !(time[i] > time[i - 1])) {
      table.refuse(i, fmt::format("time_s = {}, expected above the {} of the row before", time[i],
                                  time[i - 1]));
    }
    if (std::abs(tilt[i]) > std::numbers::pi / 2) {
      table.refuse(i, fmt::format("tilt_rad = {}, expected -π/2 to π/2", tilt[i]));
    }
    path.push_back({time[i], x[i], depth[i], tilt[i]});
  }
  if (path.size() < 2) {
    throw input_error("{}: {} rows of data, expected 2 or more", table.file(), path.size());
  }
  return path;
}

}  // namespace

std::vector<FootPose> read_foot_path(const std::filesystem::path& file) {
  NamedTable table(file);
  return read_poses(table);
}

std::vector<GrainSample> read_grain_samples(const std::filesystem::path& file) {
  NamedTable table(file);
  std::vector<GrainSample> samples;
  for (const FootPose& pose : read_poses(table)) samples.push_back({.pose = pose});
  for (std::size_t k = 0; k < kWrenchColumns.size(); ++k) {
    const std::vector<double> values = table.read(kWrenchColumns[k]);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      (k < 3 ? samples[i].force[k] : samples[i].torque[k - 3]) = values[i];
    }
  }
  return samples;
}

void write_grain_samples(const std::filesystem::path& file, const std::vector<GrainSample>& samples,
                         const std::vector<std::string>& comments) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (const std::string& comment : comments) fmt::format_to(out, "# {}\n", comment);
  fmt::format_to(out, "{},{}\n", fmt::join(kPathColumns, ","), fmt::join(kWrenchColumns, ","));
  for (const GrainSample& s : samples) {
    fmt::format_to(out, "{:.9g},{:.9g},{:.9g},{:.9g}", s.pose.time, s.pose.x, s.pose.depth,
                   s.pose.tilt);
    fmt::format_to(out, ",{:.7g},{:.7g},{:.7g},{:.7g},{:.7g},{:.7g}\n", s.force[0], s.force[1],
                   s.force[2], s.torque[0], s.torque[1], s.torque[2]);
  }
  write_text_file(file, {text.data(), text.size()});
}

}  // namespace footfall
