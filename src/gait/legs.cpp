#include "footfall/gait/legs.hpp"

#include <algorithm>

#include "footfall/robot/kinematics.hpp"
#include "gait/geometry.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kUpright = 0.7;         // cosine of the angle to the vertical
constexpr std::size_t kMostJoints = 16;  // that leg_ik.cpp has room for
constexpr double kLowest = 1e-3;         // points this near to the sole's lowest carry [m]

// The joint that frees the robot: its base's.
const Joint& base_joint(const RobotModel& model) {
  for (const Joint& joint : model.joints) {
    if (joint.type == JointType::free) return joint;
  }
  throw input_error("robot '{}' has no free joint: a gait needs a base that is free to move",
                    model.name);
}

// The lowest points of a sole, those that carry. In the standing pose, axes U.
std::vector<Vec3d> carrying_points(const Soles& soles, int foot, const RobotData<double>& data,
                                   const Mat3d& R_WU) {
  std::vector<Vec3d> points;
  double lowest = 1e300;
  for (const SolePoint& p : soles.points) {
    if (p.foot != foot) continue;
    const int body = soles.groups[p.group].body;
    for (const Vec3d& reach : reach_of(p)) {
      const Vec3d center = transpose_times(R_WU, data.p_WB[body] + data.R_WB[body] * reach);
      const Vec3d touch = center - Vec3d{0, 0, p.radius};
      points.push_back(touch);
      lowest = std::min(lowest, touch.z);
    }
  }
  std::erase_if(points, [&](const Vec3d& p) { return p.z > lowest + kLowest; });
  if (soles.feet[foot].shape == SoleShape::sphere && points.size() > 1) {
    // a ball that is cut into surface elements still stands on one point
    Vec3d middle{0, 0, 0};
    for (const Vec3d& p : points) middle += (1.0 / static_cast<double>(points.size())) * p;
    points = {{middle.x, middle.y, lowest}};
  }
  return points;
}

// The corners of the points' plan.
std::vector<Vec3d> outermost(std::vector<Vec3d> points) {
  if (points.size() > 2) points.resize(find_hull(points, 1e-9));
  return points;
}

Mat3d inverse_rotation(const Mat3d& R) {
  return {{R.x.x, R.y.x, R.z.x}, {R.x.y, R.y.y, R.z.y}, {R.x.z, R.y.z, R.z.z}};
}

void add_joints(const RobotModel& model, int base, Leg& leg) {
  for (int b = leg.body; b != base; b = model.bodies[b].parent) {
    if (b == 0) {
      throw input_error("foot '{}' of robot '{}' does not hang from its free base '{}'", leg.name,
                        model.name, model.bodies[base].name);
    }
    const Body& body = model.bodies[b];
    for (int j = body.first_joint + body.joint_count - 1; j >= body.first_joint; --j) {
      const Joint& joint = model.joints[j];
      if (joint.type != JointType::hinge && joint.type != JointType::slide) {
        throw input_error(
            "joint '{}' of foot '{}' is a ball joint: a gait needs hinges or slides in its legs",
            joint.name, leg.name);
      }
      leg.joints.push_back(j);
    }
  }
  if (leg.joints.empty()) {
    throw input_error("foot '{}' of robot '{}' is fixed to the base: a gait needs legs with joints",
                      leg.name, model.name);
  }
  if (leg.joints.size() > kMostJoints) {
    throw input_error("foot '{}' of robot '{}' has {} joints up to the base, expected at most {}",
                      leg.name, model.name, leg.joints.size(), kMostJoints);
  }
  std::reverse(leg.joints.begin(), leg.joints.end());
  for (const int j : leg.joints) {
    leg.q.push_back(model.joints[j].q_index);
    leg.v.push_back(model.joints[j].v_index);
  }
}

}  // namespace

LeggedRobot find_legs(const RobotModel& model, const Soles& soles,
                      const std::vector<double>& pose) {
  LeggedRobot robot;
  const Joint& root = base_joint(model);
  robot.base = root.body;
  robot.base_q = root.q_index;
  robot.base_v = root.v_index;
  robot.mass = model.total_mass();
  robot.pose = pose;
  RobotData<double> data(model);
  compute_positions(model, pose.data(), data);
  const Mat3d& R_WB = data.R_WB[robot.base];
  if (R_WB.z.z < kUpright) robot.R_BU = inverse_rotation(R_WB);
  const Mat3d R_WU = R_WB * robot.R_BU;
  for (int f = 0; f < static_cast<int>(soles.feet.size()); ++f) {
    Leg leg;
    leg.name = soles.feet[f].name;
    leg.foot = f;
    leg.body = soles.feet[f].body;
    leg.radius = soles.feet[f].radius;
    add_joints(model, robot.base, leg);
    const std::vector<Vec3d> corners = outermost(carrying_points(soles, f, data, R_WU));
    Vec3d middle{0, 0, 0};
    for (const Vec3d& c : corners) middle += (1.0 / static_cast<double>(corners.size())) * c;
    const Mat3d R_BW = inverse_rotation(data.R_WB[leg.body]);
    const auto in_body = [&](const Vec3d& u) { return R_BW * (R_WU * u - data.p_WB[leg.body]); };
    leg.R_BS = R_BW * R_WU;
    leg.p_BS = in_body(middle);
    for (const Vec3d& c : corners) leg.corners.push_back(in_body(c));
    robot.legs.push_back(leg);
  }
  if (robot.legs.empty()) {
    throw input_error("robot '{}' has no feet: name them in 'robot.feet'", model.name);
  }
  return robot;
}

Vec3d sole_position(const RobotData<double>& data, const Leg& leg) {
  return data.p_WB[leg.body] + data.R_WB[leg.body] * leg.p_BS;
}

Mat3d sole_rotation(const RobotData<double>& data, const Leg& leg) {
  return data.R_WB[leg.body] * leg.R_BS;
}

Vec3d sole_velocity(const RobotModel& model, const RobotData<double>& data, const Leg& leg) {
  return point_velocity(data.V[leg.body],
                        sole_position(data, leg) - tree_origin(model, data, leg.body));
}

Vec3d center_of_mass(const RobotModel& model, const RobotData<double>& data) {
  Vec3d sum{0, 0, 0};
  double mass = 0;
  for (int b = 1; b < model.body_count(); ++b) {
    const Body& body = model.bodies[b];
    sum += body.mass * (data.p_WB[b] + data.R_WB[b] * body.com);
    mass += body.mass;
  }
  return (1 / mass) * sum;
}

Vec3d center_of_mass_velocity(const RobotModel& model, const RobotData<double>& data) {
  Vec3d sum{0, 0, 0};
  double mass = 0;
  for (int b = 1; b < model.body_count(); ++b) {
    const Body& body = model.bodies[b];
    const Vec3d p_OC = data.p_WB[b] + data.R_WB[b] * body.com - tree_origin(model, data, b);
    sum += body.mass * point_velocity(data.V[b], p_OC);
    mass += body.mass;
  }
  return (1 / mass) * sum;
}

}  // namespace footfall
