#include "footfall/kernels.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "input_error.hpp"

#include "kernel_sets.hpp"

#define FOOTFALL_NAME(set) #set,

namespace footfall {
namespace {

#if defined(__x86_64__)
struct CpuidRegisters {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

CpuidRegisters cpuid(unsigned leaf) {
  CpuidRegisters r;
  if (__get_cpuid_count(leaf, 0, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0) return {};
  return r;
}

bool has_v2() {
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("ssse3") &&
         __builtin_cpu_supports("popcnt");
}

// __builtin_cpu_supports asks the operating system too, whether it saves the wide registers.
bool has_v3() {
  constexpr unsigned kMovbe = 1U << 22, kF16c = 1U << 29, kLzcnt = 1U << 5;
  return has_v2() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         (cpuid(1).ecx & kMovbe) != 0 && (cpuid(1).ecx & kF16c) != 0 &&
         (cpuid(0x80000001U).ecx & kLzcnt) != 0;
}

bool has_v4() {
  return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
#endif

bool processor_has(std::string_view set) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (set == "v2") return has_v2();
  if (set == "v3") return has_v3();
  if (set == "v4") return has_v4();
#endif
  return set == "generic";
}

}  // namespace

const std::vector<std::string_view>& kernel_sets() {
  static const std::vector<std::string_view> sets{FOOTFALL_FOR_EACH_KERNEL_SET(FOOTFALL_NAME)};
  return sets;
}

std::string_view choose_kernel_set(const std::string& wish) {
  const std::vector<std::string_view>& sets = kernel_sets();
  if (!wish.empty()) {
    const auto found = std::find(sets.begin(), sets.end(), wish);
    if (found == sets.end()) {
      throw input_error("FOOTFALL_KERNELS = '{}', expected one of: {}", wish,
                        fmt::join(sets, ", "));
    }
    if (!processor_has(*found)) {
      throw input_error("FOOTFALL_KERNELS = '{}': this processor has no x86-64-{}", wish, wish);
    }
    return *found;
  }
  const auto widest = std::find_if(sets.rbegin(), sets.rend(), processor_has);
  if (widest == sets.rend()) {
    throw input_error("this processor has none of the instruction sets of this build: {}",
                      fmt::join(sets, ", "));
  }
  return *widest;
}

std::string_view kernel_set() {
  static const std::string_view chosen = [] {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
    const char* wish = std::getenv("FOOTFALL_KERNELS");
    return choose_kernel_set(wish == nullptr ? "" : wish);
  }();
  return chosen;
}

}  // namespace footfall
