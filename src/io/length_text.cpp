#include "footfall/io/length_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace footfall {

std::string length_text(double metres) {
  const double size = std::fabs(metres);
  if (size >= 0.1) return fmt::format("{:.4g} m", metres);
  if (size >= 1e-4 || size == 0) return fmt::format("{:.4g} mm", 1e3 * metres);
  return fmt::format("{:.4g} µm", 1e6 * metres);
}

}  // namespace footfall
