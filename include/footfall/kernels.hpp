// Which set of kernels runs: they are compiled for several instruction sets, and the widest that this
// processor has is taken (docs/decisions/0012-kernels-chosen-at-start.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace footfall {

// The sets of this build, narrowest first: "v2", "v3", "v4" of x86-64, or "generic".
const std::vector<std::string_view>& kernel_sets();

// The one that runs: $FOOTFALL_KERNELS, else the widest that the processor has. Chosen at the first call.
// Throws InputError where $FOOTFALL_KERNELS is none of them or more than the processor has, and where the
// processor has none of them.
std::string_view kernel_set();

// What kernel_set() makes of a wish, "" for none.
std::string_view choose_kernel_set(const std::string& wish);

}  // namespace footfall
