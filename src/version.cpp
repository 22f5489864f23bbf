#include "footfall/version.hpp"

#include <string>

#include <fmt/format.h>

#ifndef FOOTFALL_BUILD_TYPE
#define FOOTFALL_BUILD_TYPE "unknown build type"
#endif
#ifndef FOOTFALL_NATIVE
#define FOOTFALL_NATIVE 0
#endif

namespace footfall {

std::string_view build_description() {
#if defined(__clang__)
  constexpr std::string_view compiler = "Clang " __clang_version__;
#else
  constexpr std::string_view compiler = "GCC " __VERSION__;
#endif
  static const std::string text =
      fmt::format("footfall {}, {}, {}, {} processor", version, compiler, FOOTFALL_BUILD_TYPE,
                  FOOTFALL_NATIVE ? "native" : "generic");
  return text;
}

}  // namespace footfall
