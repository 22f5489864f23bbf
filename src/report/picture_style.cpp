#include "report/picture_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "footfall/error.hpp"

namespace footfall::picture {

Color series_color(int index) {
  constexpr Color colors[kColorCount] = {
      {0.000, 0.447, 0.698}, {0.835, 0.369, 0.000}, {0.000, 0.620, 0.451}, {0.800, 0.475, 0.655},
      {0.902, 0.624, 0.000}, {0.337, 0.706, 0.914}, {0.250, 0.250, 0.250}};
  return colors[index % kColorCount];
}

std::string short_number(double value) { return fmt::format("{:.3g}", value == 0 ? 0.0 : value); }

double tick_step(double range, int count, bool whole) {
  if (!(range > 0)) return 1;
  const double raw = range / count, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double k : {1.0, 2.0, 5.0, 10.0}) {
    if (k * power >= raw * 0.999) return whole ? std::max(1.0, k * power) : k * power;
  }
  return 10 * power;
}

std::string tick_label(double value, double step) {
  if (std::fabs(value) < 1e-9 * step) return "0";
  if (std::fabs(value) >= 1e5 || step < 1e-4) return short_number(value);
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, digits);
}

void write_svg(const std::filesystem::path& file, Svg& svg) {
  std::ofstream out(file, std::ios::binary);
  out << svg.finish();
  out.close();
  if (!out) {
    throw InputError(fmt::format("{}: cannot write: {}", file.string(), std::strerror(errno)));
  }
}

}  // namespace footfall::picture
