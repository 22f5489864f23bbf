// MuJoCo's solref and solimp on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "footfall/soft/impedance.hpp"

namespace footfall {

struct SoftNumbers {
  std::vector<double> solref, solimp;  // empty: not given
};

void add_soft_options(CLI::App& command, SoftNumbers& numbers, bool required);
// Throw InputError for numbers that MuJoCo would replace by others in silence: a mixed solref, an impedance, midpoint
// or power out of range.
SoftReference solref_of(const SoftNumbers& numbers);
SoftImpedance solimp_of(const SoftNumbers& numbers);  // MuJoCo's default where none is given

}  // namespace footfall
