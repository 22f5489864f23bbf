// What our driver of LAMMPS costs: a drive of a foot through it, and plain LAMMPS on the very same input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "footfall/dem/lammps.hpp"

namespace footfall {

// Medians over the repeats; the two programs take turns.
struct GrainBenchmarkRow {
  int processes = 1;
  double time = 0, plain_time = 0;            // from start to end [s]
  double rate = 0, plain_rate = 0;            // grains · steps in a second
  double ratio = 0;                           // of rates, ours to plain LAMMPS's
  double core_time = 0, plain_core_time = 0;  // of all processes, ours included [s]
  double core_ratio = 0;     // plain LAMMPS's to ours: what a busy machine disturbs less
  double own_core_time = 0;  // of our process alone [s]
};

struct GrainBenchmark {
  std::int64_t grains = 0, steps = 0;
  int repeats = 0;
  std::vector<GrainBenchmarkRow> rows;
};

GrainBenchmark benchmark_lammps(const LammpsOptions& options, const Bed& bed, const GrainFoot& foot,
                                std::span<const FootPose> path, double sample_interval,
                                std::span<const int> processes, int repeats,
                                const std::filesystem::path& folder);

}  // namespace footfall
