#include "footfall/error.hpp"

#include <fmt/format.h>

namespace footfall {

void check_range(const char* name, double value, double lower, double upper, const char* expected) {
  if (!(value >= lower && value <= upper)) {
    throw InputError(fmt::format("{} = {}, expected {}", name, value, expected));
  }
}

}  // namespace footfall
