#include "footfall/gait/leg_ik.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "footfall/robot/kinematics.hpp"
#include "gait/geometry.hpp"

namespace footfall {
namespace {

constexpr int kMaxJoints = 16;
constexpr int kMaxIterations = 40;
constexpr double kReached = 1e-6;     // [m], [rad]
constexpr double kLargestStep = 0.3;  // of all joints together [rad]
constexpr double kArm = 0.2;          // a turn of 1 rad counts as a way of this [m]

using LegJacobian = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, kMaxJoints>;
using LegVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxJoints, 1>;
using TaskVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using TaskMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

// Rows: the sole's velocity, and of a flat one kArm × its rate of turn, per joint velocity.
LegJacobian leg_jacobian(const RobotModel& model, const RobotData<double>& data, const Leg& leg) {
  const Vec3d p_OS = sole_position(data, leg) - tree_origin(model, data, leg.body);
  LegJacobian J(leg.is_flat() ? 6 : 3, static_cast<Eigen::Index>(leg.v.size()));
  for (std::size_t i = 0; i < leg.v.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    const Twist<double>& S = data.S[leg.v[i]];
    const Vec3d v = point_velocity(S, p_OS);
    J.col(column).head<3>() << v.x, v.y, v.z;
    if (leg.is_flat()) J.col(column).tail<3>() << kArm * S.ang.x, kArm * S.ang.y, kArm * S.ang.z;
  }
  return J;
}

// Least squares, damped: Jᵀ (J Jᵀ + λ²)⁻¹ e.
LegVector damped_solve(const LegJacobian& J, const TaskVector& e, double damping) {
  TaskMatrix A = J * J.transpose();
  A.diagonal().array() += damping * damping;
  return J.transpose() * A.ldlt().solve(e);
}

struct LegError {
  TaskVector task;
  IkResult result;
};

LegError leg_error(const RobotData<double>& data, const Leg& leg, const SoleTarget& target) {
  LegError out;
  out.task.resize(leg.is_flat() ? 6 : 3);
  const Vec3d d = target.position - sole_position(data, leg);
  out.task.head<3>() << d.x, d.y, d.z;
  out.result.position_error = norm(d);
  if (leg.is_flat()) {
    const Vec3d w = rotation_between(sole_rotation(data, leg), target.orientation);
    out.task.tail<3>() << kArm * w.x, kArm * w.y, kArm * w.z;
    out.result.rotation_error = norm(w);
  }
  out.result.reached = out.result.position_error < kReached && out.result.rotation_error < kReached;
  return out;
}

void move_joints(const RobotModel& model, const Leg& leg, const LegVector& step,
                 std::vector<double>& qpos) {
  for (std::size_t i = 0; i < leg.joints.size(); ++i) {
    const Joint& joint = model.joints[leg.joints[i]];
    double& q = qpos[leg.q[i]];
    q += step[static_cast<Eigen::Index>(i)];
    if (joint.limited) q = std::clamp(q, joint.lower, joint.upper);
  }
}

}  // namespace

IkResult solve_leg(const RobotModel& model, const Leg& leg, const SoleTarget& target,
                   RobotData<double>& data, std::vector<double>& qpos) {
  compute_positions(model, qpos.data(), data);
  LegError now = leg_error(data, leg, target);
  double damping = 1e-4;
  for (int i = 0; i < kMaxIterations && !now.result.reached && damping < 10; ++i) {
    LegVector step = damped_solve(leg_jacobian(model, data, leg), now.task, damping);
    const double size = step.norm();
    if (size > kLargestStep) step *= kLargestStep / size;
    LegVector before(step.size());
    for (std::size_t k = 0; k < leg.q.size(); ++k) before[Eigen::Index(k)] = qpos[leg.q[k]];
    move_joints(model, leg, step, qpos);
    compute_positions(model, qpos.data(), data);
    const LegError next = leg_error(data, leg, target);
    if (next.task.squaredNorm() < now.task.squaredNorm()) {
      now = next;
      damping = std::fmax(0.3 * damping, 1e-6);
      continue;
    }
    for (std::size_t k = 0; k < leg.q.size(); ++k) qpos[leg.q[k]] = before[Eigen::Index(k)];
    compute_positions(model, qpos.data(), data);
    damping *= 10;
  }
  return now.result;
}

void solve_leg_velocity(const RobotModel& model, const RobotData<double>& data, const Leg& leg,
                        const Vec3d& velocity, const Vec3d& angular_velocity,
                        std::vector<double>& qvel) {
  // what the base alone would do to the sole
  Twist<double> carried = zero6<double>();
  const Vec3d p_OS = sole_position(data, leg) - tree_origin(model, data, leg.body);
  for (int d = last_dof(model, leg.body); d >= 0; d = model.dofs[d].parent) {
    if (std::find(leg.v.begin(), leg.v.end(), d) == leg.v.end()) carried += qvel[d] * data.S[d];
  }
  const Vec3d dv = velocity - point_velocity(carried, p_OS);
  const Vec3d dw = kArm * (angular_velocity - carried.ang);
  TaskVector e(leg.is_flat() ? 6 : 3);
  e.head<3>() << dv.x, dv.y, dv.z;
  if (leg.is_flat()) e.tail<3>() << dw.x, dw.y, dw.z;
  const LegVector rates = damped_solve(leg_jacobian(model, data, leg), e, 1e-3);
  for (std::size_t i = 0; i < leg.v.size(); ++i) qvel[leg.v[i]] = rates[Eigen::Index(i)];
}

}  // namespace footfall
