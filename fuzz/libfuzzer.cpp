// libFuzzer's way in. FOOTFALL_FUZZ_TARGET names what is fed; scripts/fuzz.sh sets it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const footfall::fuzz::Target& target = [] -> const footfall::fuzz::Target& {
    const char* name = std::getenv("FOOTFALL_FUZZ_TARGET");
    return footfall::fuzz::find_target(name == nullptr ? "" : name);
  }();
  footfall::fuzz::feed(target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
