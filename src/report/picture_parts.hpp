// The parts of a run's picture.
#pragma once

#include <string>
#include <vector>

#include "footfall/ground/world.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/robot/kinematics.hpp"
#include "report/picture_style.hpp"

namespace footfall::picture {

// Rows of the run that are drawn as poses.
struct Moments {
  int first = 0;
  int impact = 0;        // where the sum of the normal forces is largest
  int last = 0;          // the last row with a pose that can be drawn
  bool touched = false;  // any foot ever
};
Moments find_moments(const RunData& run);

inline Color foot_color(int foot) { return series_color(foot); }

inline constexpr Color kSoil{0.90, 0.83, 0.68};

RobotData<double> pose_at(const RunData& run, const RobotModel& robot, int row);
Vec3d foot_vector(const RunData& run, int foot, const char* name, int row);

// The robot on a slab of its ground: first pose and impact as ghosts, last pose solid.
void draw_scene(const RunData& run, const World& world, const Moments& moments, const Box& box,
                Svg& svg);

// Sections through the ground under each foot, at the end of the run.
void draw_feet(const RunData& run, const World& world, const Moments& moments, const Box& box,
               Svg& svg);

// Base height, normal force, sinkage and solver iterations over time.
void draw_plots(const RunData& run, const World& world, const Moments& moments, const Box& box,
                Svg& svg);

}  // namespace footfall::picture
