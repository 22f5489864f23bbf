// The parts of a run's picture.
#pragma once

#include <string>
#include <vector>

#include "footfall/record/run_data.hpp"
#include "footfall/robot/kinematics.hpp"
#include "footfall/simulate/world.hpp"
#include "report/picture_svg.hpp"

namespace footfall::picture {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;  // pixels
};

// Rows of the run that are drawn as poses.
struct Moments {
  int first = 0;
  int impact = 0;        // where the sum of the normal forces is largest
  int last = 0;          // the last row with a pose that can be drawn
  bool touched = false;  // any foot ever
};
Moments find_moments(const RunData& run);

// Okabe and Ito's colours, which most colour-blind people can tell apart; yellow is left out.
Color foot_color(int foot);

inline constexpr Color kSoil{0.90, 0.83, 0.68};
inline constexpr const char* kInk = "#22303c";      // titles
inline constexpr const char* kSoftInk = "#5b6873";  // labels
inline constexpr const char* kRule = "#d9dee2";     // lines of axes and frames

RobotData<double> pose_at(const RunData& run, const RobotModel& robot, int row);
Vec3d foot_vector(const RunData& run, int foot, const char* name, int row);

// A number with three digits: "0.3", "37.1", "1.2e+04".
std::string short_number(double value);

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
