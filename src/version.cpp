#include "footfall/version.hpp"

#include <string>

#include <fmt/format.h>

#include "footfall/kernels.hpp"

#ifndef FOOTFALL_BUILD_TYPE
#define FOOTFALL_BUILD_TYPE "unknown build type"
#endif

namespace footfall {

std::string_view build_description() {
#if defined(__clang__)
  constexpr std::string_view compiler = "Clang " __clang_version__;
#else
  constexpr std::string_view compiler = "GCC " __VERSION__;
#endif
  static const std::string text = fmt::format("footfall {}, {}, {}, kernels {}", version, compiler,
                                              FOOTFALL_BUILD_TYPE, kernel_set());
  return text;
}

}  // namespace footfall
