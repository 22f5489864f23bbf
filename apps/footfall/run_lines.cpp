#include "run_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace footfall {
namespace {

constexpr int kBlocks = 48;  // of a line
constexpr int kMostFeet = 8;

struct RunLine {
  std::string name, what, unit;
  std::vector<double> values;
  int digits;  // of the numbers beside it
};

// The largest value of each of kBlocks stretches of rows, or the last; of a shorter run its rows.
std::vector<double> stretch_values(const RunColumn& column, int component, int rows, double scale,
                                   bool largest) {
  const int count = std::min(rows, kBlocks);
  std::vector<double> out;
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<int>(static_cast<long>(rows) * i / count);
    const auto end = static_cast<int>(static_cast<long>(rows) * (i + 1) / count);
    double value = column.at(end - 1, component);
    for (int row = first; largest && row < end; ++row) {
      value = std::fmax(value, column.at(row, component));
    }
    out.push_back(scale * value);
  }
  return out;
}

// Some of the values, evenly, the last included.
std::vector<double> thinned_values(const std::vector<double>& values) {
  const std::size_t count = std::min<std::size_t>(values.size(), kBlocks);
  std::vector<double> out;
  for (std::size_t i = 1; i <= count; ++i) out.push_back(values[i * values.size() / count - 1]);
  return out;
}

}  // namespace

std::string sparkline(const std::vector<double>& values) {
  constexpr std::array kLevels = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::string line;
  if (values.empty()) return line;
  // less is round-off to the eye
  const double range = *high - *low < 1e-6 * std::fmax(std::fabs(*high), 1e-3) ? 0 : *high - *low;
  for (const double v : values) {
    const double share = range > 0 ? (v - *low) / range : 0;
    line += std::isfinite(share)
                ? kLevels[static_cast<std::size_t>(std::clamp(share * 8, 0.0, 7.0))]
                : " ";
  }
  return line;
}

std::vector<std::string> run_lines(const RunData& run, const std::vector<double>& base_heights) {
  std::vector<RunLine> lines;
  if (!base_heights.empty()) {
    lines.push_back({"base", "height", "m", thinned_values(base_heights), 4});
  }
  if (run.row_count == 0) return {};
  const std::vector<std::string>& feet = run.list("foot_names");
  for (int f = 0; f < std::min(static_cast<int>(feet.size()), kMostFeet); ++f) {
    const auto values = [&](const char* column, double scale) {
      return stretch_values(run.foot_column(f, column), 0, run.row_count, scale, true);
    };
    lines.push_back(
        {feet[static_cast<std::size_t>(f)], "force", "N", values("normal_force", 1), 1});
    std::vector<double> sinkage = values("sinkage", 1e3);
    for (double& s : sinkage) s = std::fmax(s, 0);  // above the ground is not sunk
    lines.push_back({"", "sinkage", "mm", std::move(sinkage), 2});
  }
  std::size_t width = 0;
  for (const RunLine& line : lines) width = std::max(width, line.name.size());
  std::vector<std::string> out;
  for (const RunLine& line : lines) {
    const auto [low, high] = std::minmax_element(line.values.begin(), line.values.end());
    out.push_back(fmt::format("{:<{}}  {:<7}  {}  {:>9.{}f} to {:>9.{}f} {}", line.name, width,
                              line.what, sparkline(line.values), *low, line.digits, *high,
                              line.digits, line.unit));
  }
  return out;
}

}  // namespace footfall
