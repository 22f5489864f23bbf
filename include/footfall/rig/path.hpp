// Path: any motion of a foot, given point by point, and the forces that the ground answers with.
//
// Between points the foot moves evenly, so its sinkage rate is that of the piece which ends there.
// With a pad the sinkage of the path is that of the body; the foot below follows from
// P(δ_F, δ̇_F) + m_F g = F_N(δ_T, δ̇_T), its inertia left out, solved implicitly in small steps.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "footfall/rig/foot.hpp"
#include "footfall/rig/series.hpp"

namespace footfall {

struct PathPoint {
  double time = 0;      // [s]
  double sinkage = 0;   // negative above the ground [m]
  double x = 0, y = 0;  // over the ground [m]
};

// A table with a header: time_s, and sinkage_m or z_m (up), and x_m, y_m where the foot moves
// sideways. Times rise. Throws InputError with the line.
std::vector<PathPoint> read_path(const std::filesystem::path& file);

// Throws InputError where the path has less than two points or its times do not rise. `progress` is
// called with the number of points done.
std::vector<RigSample> follow_path(const RigGround& ground, const RigFoot& foot,
                                   const std::vector<PathPoint>& path,
                                   const std::function<void(std::size_t)>& progress = {});

}  // namespace footfall
