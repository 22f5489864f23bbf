#include "footfall/robot/feet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/robot/geom_reach.hpp"
#include "footfall/robot/kinematics.hpp"

namespace footfall {
namespace {

constexpr double kReach = 0.10;  // of the robot's height: as low as the lowest foot
constexpr double kLevel = 0.01;  // of the robot's height: at the same level

struct Extent {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();
  void add(const Extent& other) {
    lower = std::min(lower, other.lower);
    upper = std::max(upper, other.upper);
  }
};

// Height of a geom's lowest and highest point [m].
Extent height_of(const Geom& geom, const RobotData<double>& data, const Vec3d& up_W) {
  const Mat3d& R_WB = data.R_WB[geom.body];
  const Vec3d up_G = transpose_times(geom.rotation, transpose_times(R_WB, up_W));
  const double centre = dot(up_W, data.p_WB[geom.body] + R_WB * geom.position);
  return {centre - reach_along(geom, -up_G), centre + reach_along(geom, up_G)};
}

Vec3d up_direction(const RobotModel& model) {
  const double g = norm(model.gravity);
  return g > 0 ? (-1 / g) * model.gravity : Vec3d{0, 0, 1};
}

// The body that carries a link: welded bodies belong to the nearest ancestor that has a joint.
std::vector<int> find_links(const RobotModel& model) {
  std::vector<int> link(model.bodies.size(), 0);
  for (int b = 1; b < model.body_count(); ++b) {
    link[b] = model.bodies[b].joint_count > 0 ? b : link[model.bodies[b].parent];
  }
  return link;
}

}  // namespace

const std::vector<double>& standing_pose(const RobotModel& model) {
  const int stand = model.find_keyframe("stand");
  if (stand >= 0) return model.keyframes[stand].qpos;
  return model.keyframes.empty() ? model.qpos0 : model.keyframes.front().qpos;
}

std::vector<int> find_feet(const RobotModel& model) {
  RobotData<double> data(model);
  compute_positions(model, standing_pose(model).data(), data);
  const Vec3d up = up_direction(model);

  const std::vector<int> link = find_links(model);
  std::vector<bool> is_end(model.bodies.size(), true);
  is_end[0] = false;
  for (int b = 1; b < model.body_count(); ++b) {
    if (link[b] == b) is_end[link[model.bodies[b].parent]] = false;
  }

  Extent robot;                                       // of all geoms that collide
  std::vector<Extent> end_link(model.bodies.size());  // of an end link's geoms that collide
  std::vector<Extent> height(model.geoms.size());
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    const Geom& geom = model.geoms[g];
    if (!geom.collides) continue;
    height[g] = height_of(geom, data, up);
    robot.add(height[g]);
    const int carrier = link[geom.body];
    if (!is_end[carrier]) continue;
    end_link[carrier].add(height[g]);
    lowest = std::min(lowest, height[g].lower);
  }

  std::vector<int> feet;
  const double robot_height = robot.upper - robot.lower;
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    const int carrier = link[model.geoms[g].body];
    if (!model.geoms[g].collides || !is_end[carrier]) continue;
    const double above_link = height[g].lower - end_link[carrier].lower;
    const double above_ground = height[g].lower - lowest;
    if (above_link <= kLevel * robot_height && above_ground <= kReach * robot_height) {
      feet.push_back(static_cast<int>(g));
    }
  }
  return feet;
}

std::vector<std::vector<int>> join_feet(const RobotModel& model, const std::vector<int>& geoms,
                                        bool whole) {
  const std::vector<int> link = find_links(model);
  std::vector<std::vector<int>> feet;
  for (const int g : geoms) {
    const auto same = std::find_if(feet.begin(), feet.end(), [&](const std::vector<int>& foot) {
      return link[model.geoms[foot[0]].body] == link[model.geoms[g].body];
    });
    if (same == feet.end()) {
      feet.push_back({g});
    } else {
      same->push_back(g);
    }
  }
  if (!whole) return feet;
  std::vector<bool> is_taken(model.geoms.size(), false);
  for (const int g : geoms) is_taken[g] = true;
  for (std::vector<int>& foot : feet) {
    const std::vector<int> named = foot;
    for (std::size_t g = 0; g < model.geoms.size(); ++g) {
      if (is_taken[g] || !model.geoms[g].collides) continue;
      if (std::any_of(named.begin(), named.end(),
                      [&](int n) { return model.geoms[n].body == model.geoms[g].body; })) {
        foot.push_back(static_cast<int>(g));
        is_taken[g] = true;
      }
    }
  }
  return feet;
}

}  // namespace footfall
