#include "run/run_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/gait/fall.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/robot/kinematics.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kNotedDepth = 1e-4;  // at the start [m]
constexpr double kMostDepth =
    1;  // of a sole at the start [m]: no soil of ours lets a foot sink so deep
constexpr double kStraight = 0.02;     // of a leg: a knee this near to its line, over its length
constexpr double kKneeShare = 0.2;     // of its length that a knee is away from both ends
constexpr double kOnItsBack = 2.4;     // tilt [rad]
constexpr std::size_t kMostNames = 4;  // in one warning
constexpr double kDegree = std::numbers::pi / 180;

// "a, b, c and 3 more".
std::string name_list(const std::vector<std::string>& names, const char* between = ", ") {
  if (names.size() <= kMostNames + 1) return fmt::format("{}", fmt::join(names, between));
  return fmt::format("{} and {} more",
                     fmt::join(names.begin(), names.begin() + kMostNames, between),
                     names.size() - kMostNames);
}

// How deep the lowest point of these is in the ground, along its normal [m].
double deepest_point(const World& world, const RobotData<double>& data, const SoleGroup& group) {
  double deepest = -1e300;
  for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
    const SolePoint& sole = world.soles.points[i];
    const Mat3d& R_WB = data.R_WB[group.body];
    const Vec3d p = data.p_WB[group.body] + R_WB * sole.position;
    const GroundPoint<double> ground = sample_ground(world.terrain, p.x, p.y);
    const double lean = dot(R_WB * sole.axis, ground.normal);
    const double reach = sole.radius * std::sqrt(std::fmax(1 - lean * lean, 0.0));
    deepest = std::fmax(deepest, reach - (p.z - ground.height) * ground.normal.z);
  }
  return deepest;
}

void warn_of_underground_parts(const Scenario& scenario, const RunSetup& setup,
                               std::vector<std::string>& warnings) {
  const World& world = setup.world;
  RobotData<double> data(world.robot);
  compute_positions(world.robot, setup.state.qpos.data(), data);
  std::vector<std::pair<double, std::string>> parts;
  for (const SoleGroup& group : world.soles.groups) {
    const double depth = deepest_point(world, data, group);
    if (depth > kMostDepth) {
      throw input_error("the robot starts {:.3g} m underground, expected at most {:g} m: "
                        "robot.drop_height_m = 0 starts it on the ground",
                        depth, kMostDepth);
    }
    if (depth < kNotedDepth) continue;
    const std::string name = group.foot >= 0
                                 ? fmt::format("foot '{}'", world.soles.feet[group.foot].name)
                                 : fmt::format("body '{}'", world.robot.bodies[group.body].name);
    const auto same = std::find_if(parts.begin(), parts.end(),
                                   [&](const auto& part) { return part.second == name; });
    if (same == parts.end()) {
      parts.emplace_back(depth, name);
    } else {
      same->first = std::fmax(same->first, depth);
    }
  }
  const bool as_asked = scenario.robot.drop_height && *scenario.robot.drop_height < 0;
  // the ground is lower where it was pressed before
  if (parts.empty() || as_asked || !scenario.ruts_file.empty()) return;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  names.reserve(parts.size());
  for (const auto& [depth, name] : parts) {
    names.push_back(fmt::format("{} {:.3g} mm", name, 1e3 * depth));
  }
  warnings.push_back(
      fmt::format("the robot starts underground: {}; robot.drop_height_m = 0 starts it "
                  "on the ground",
                  name_list(names)));
}

// Whether no knee bends the leg: then the sole moves neither up nor down, whatever the joints do.
bool is_straight(const RobotModel& model, const RobotData<double>& data, const Leg& leg) {
  const auto anchor = [&](int j) {
    const Joint& joint = model.joints[j];
    return data.p_WB[joint.body] + data.R_WB[joint.body] * joint.anchor;
  };
  const Vec3d hip = anchor(leg.joints.front()), sole = sole_position(data, leg);
  const double length = norm(sole - hip);
  const Vec3d along = (1 / length) * (sole - hip);
  bool has_knee = false;
  for (const int j : leg.joints) {
    const Vec3d knee = anchor(j);
    if (model.joints[j].type != JointType::hinge) return false;  // a slide changes the length
    if (std::fmin(norm(knee - hip), norm(knee - sole)) < kKneeShare * length) continue;
    const Vec3d axis = data.R_WB[model.joints[j].body] * model.joints[j].axis;
    if (std::abs(dot(along, cross(axis, sole - knee))) > kStraight * length) return false;
    has_knee = true;
  }
  return has_knee;
}

void warn_of_straight_legs(const RunSetup& setup, std::vector<std::string>& warnings) {
  const Controller& controller = setup.controller;
  if (!controller.is_gait()) return;
  const bool lowered =
      controller.walk.base_height.has_value() || controller.trot.base_height.has_value();
  if (lowered) return;
  const World& world = setup.world;
  LeggedRobot robot;
  try {
    robot = find_legs(world.robot, world.soles, controller.pose);
  } catch (const InputError&) {
    return;  // starting the gait says what is wrong
  }
  RobotData<double> data(world.robot);
  compute_positions(world.robot, controller.pose.data(), data);
  std::vector<std::string> names;
  for (const Leg& leg : robot.legs) {
    if (is_straight(world.robot, data, leg)) names.push_back(fmt::format("'{}'", leg.name));
  }
  if (names.empty()) return;
  warnings.push_back(fmt::format(
      "the gait's pose has straight legs (of foot {}): with straight knees a leg cannot "
      "lift its foot or lower the base; choose a keyframe with bent knees or set "
      "controller.base_height_m",
      name_list(names)));
}

// The body with the free joint; −1: none has one.
int find_base(const RobotModel& robot) {
  for (const Joint& joint : robot.joints) {
    if (joint.type == JointType::free) return joint.body;
  }
  return -1;
}

}  // namespace

std::vector<std::string> find_start_warnings(const Scenario& scenario, const RunSetup& setup) {
  std::vector<std::string> warnings;
  warn_of_underground_parts(scenario, setup, warnings);
  warn_of_straight_legs(setup, warnings);
  return warnings;
}

std::optional<double> find_base_tilt(const World& world, const std::vector<double>& qpos) {
  const RobotModel& robot = world.robot;
  const int base = find_base(robot);
  if (base < 0 || robot.joints.size() < 2 || world.soles.feet.empty()) return std::nullopt;
  RobotData<double> data(robot);
  compute_positions(robot, standing_pose(robot).data(), data);
  const Vec3d up_B = transpose_times(data.R_WB[base], Vec3d{0, 0, 1});
  compute_positions(robot, qpos.data(), data);
  return std::acos(std::clamp((data.R_WB[base] * up_B).z, -1.0, 1.0));
}

std::optional<std::string> describe_fall(const World& world, const RunSummary& summary) {
  if (!summary.base_tilt) return std::nullopt;
  const double tilt = *summary.base_tilt;
  if (tilt > kFallenTilt) {
    return fmt::format("it lies on its {}, tilted by {:.0f} degrees",
                       tilt > kOnItsBack ? "back" : "side", tilt / kDegree);
  }
  const std::string& base = world.robot.bodies[find_base(world.robot)].name;
  for (const BodyContactSummary& b : summary.body_contacts) {
    const double share = b.mean_force / world.force_scale;
    if (b.body == base && share > kNotedBodyShare) {
      return fmt::format("its base '{}' lies on the ground and carries {:.0f} % of its weight",
                         base, 100 * share);
    }
  }
  return std::nullopt;
}

BodyTally::BodyTally(const World& world) : up_{0, 0, 1}, weight_(world.force_scale) {
  const double g = norm(world.robot.gravity);
  if (g > 0) up_ = (-1 / g) * world.robot.gravity;
  for (const int body : make_body_contacts(world).bodies) {
    bodies_.push_back({.body = world.robot.bodies[body].name});
  }
}

void BodyTally::add(const BodyContacts& contacts, bool is_late) {
  const double share = weight_ > 0 ? dot(contacts.force, up_) / weight_ : 0;
  largest_share_ = std::fmax(largest_share_, share);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    bodies_[i].largest_force = std::fmax(bodies_[i].largest_force, contacts.normal_force[i]);
    if (is_late) bodies_[i].mean_force += contacts.normal_force[i];
  }
  if (!is_late) return;
  share_sum_ += share;
  ++late_steps_;
}

void BodyTally::finish(RunSummary& summary) const {
  const double steps = std::max(late_steps_, 1);
  summary.body_share = share_sum_ / steps;
  summary.largest_body_share = largest_share_;
  summary.body_contacts = bodies_;
  std::erase_if(summary.body_contacts,
                [](const BodyContactSummary& b) { return b.largest_force == 0; });
  for (BodyContactSummary& b : summary.body_contacts) b.mean_force /= steps;
  std::stable_sort(summary.body_contacts.begin(), summary.body_contacts.end(),
                   [](const BodyContactSummary& a, const BodyContactSummary& b) {
                     return a.mean_force > b.mean_force;
                   });
}

ValidityWatch::ValidityWatch(const World& world)
    : soils_(soil_ground(world.ground) == nullptr ? 0 : soil_names(world.ground).size()),
      uses_(soils_ * world.soles.feet.size()) {}

void ValidityWatch::add(const World& world, const std::vector<FootPatch>& feet) {
  if (uses_.empty()) return;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const FootPatch& p = feet[i];
    if (!p.touching) continue;
    const int soil = soil_at(world.terrain, p.center.x, p.center.y);
    FootUse& use = uses_[i * soils_ + static_cast<std::size_t>(soil)];
    use.sinkage = std::fmax(use.sinkage, p.sinkage);
    use.rate = std::fmax(use.rate, p.sinkage_rate);
  }
}

std::optional<std::string> ValidityWatch::finish(const World& world) const {
  std::vector<std::string> texts;
  const std::vector<double> pose = standing_pose(world.robot);
  for (std::size_t k = 0; k < uses_.size(); ++k) {
    FootUse use = uses_[k];
    if (!(use.sinkage > 0)) continue;
    const int foot = static_cast<int>(k / soils_), soil = static_cast<int>(k % soils_);
    const Foot& own = world.soles.feet[foot];
    use.width = world.soles.points[sole_points_of(world.soles, own).first].contact_width;
    const std::string beyond = outside_validity(
        use, valid_depth(world.robot, world.soles, foot, pose), plastic_soil(world.ground, soil));
    if (beyond.empty()) continue;
    texts.push_back(
        fmt::format("foot '{}' on '{}': {}", own.name, soil_names(world.ground)[soil], beyond));
  }
  if (texts.empty()) return std::nullopt;
  return "feet went beyond where the soil's laws hold: " + name_list(texts, "; ");
}

std::vector<std::string> find_end_warnings(const RunSummary& summary, double weight) {
  std::vector<std::string> warnings;
  if (summary.body_share > kNotedBodyShare) {
    std::vector<std::string> names;
    for (const BodyContactSummary& b : summary.body_contacts) {
      if (b.mean_force > 0) {
        names.push_back(fmt::format("'{}' {:.0f} %", b.body, 100 * b.mean_force / weight));
      }
    }
    warnings.push_back(
        fmt::format("parts other than the feet carry {:.0f} % of the weight over the last tenth of "
                    "the run: {}",
                    100 * summary.body_share, name_list(names)));
  }
  if (summary.fallen && !(summary.gait && summary.gait->fall)) {
    warnings.push_back("the robot has fallen: " + *summary.fallen);
  }
  return warnings;
}

}  // namespace footfall
