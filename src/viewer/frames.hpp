// The poses of a run, and what its feet feel, at the frames that a page shows.
#pragma once

#include <vector>

#include "viewer/scene.hpp"

namespace footfall::viewer {

inline constexpr double kLengthStep = 5e-5;  // to which positions are rounded [m]

// Where all bodies are, the world among them.
struct BodyPoses {
  std::vector<Mat3d> R_WB;
  std::vector<Vec3d> p_WB;  // [m]
};
BodyPoses compute_poses(const RobotModel& robot, const double* qpos);
Vec3d center_of_mass(const RobotModel& robot, const BodyPoses& poses);
// Mean pressure on a sole; 0 of a foot that does not touch, and only then [Pa]. The area is a tenth of the
// whole sole at least: a ball touches hard ground in a point.
double mean_pressure(bool touching, double normal_force, double contact_area, double whole_area);

// The frames that are shown: rows of the run with their poses.
struct RunFrames {
  std::vector<int> rows;
  std::vector<BodyPoses> poses;
  bool thinned = false;  // fewer per second than asked for
};
// `rate` per second and `most` at most, the last row included. A run ends where a pose is no number.
RunFrames compute_frames(const RunContents& run, const Scene& scene, double rate, int most);

// The page's Frames.
Json frames_json(const RunContents& run, const Scene& scene, const RunFrames& frames,
                 ArrayStore& arrays);
// Times of rows, as an array.
Json times_json(const RunContents& run, const std::vector<int>& rows, ArrayStore& arrays);

}  // namespace footfall::viewer
