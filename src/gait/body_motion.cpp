#include "footfall/gait/body_motion.hpp"

#include "footfall/robot/dynamics.hpp"

namespace footfall {
namespace {

Mat3d inverse(const Mat3d& m) {
  const Vec3d a = cross(m.y, m.z), b = cross(m.z, m.x), c = cross(m.x, m.y);
  const double s = 1 / dot(m.x, a);
  return {{s * a.x, s * b.x, s * c.x}, {s * a.y, s * b.y, s * c.y}, {s * a.z, s * b.z, s * c.z}};
}

void follow_with_legs(const RobotModel& model, const RobotData<double>& data,
                      const LeggedRobot& robot, const std::vector<Twist<double>>& soles,
                      std::vector<double>& qvel) {
  for (std::size_t i = 0; i < robot.legs.size(); ++i) {
    solve_leg_velocity(model, data, robot.legs[i], soles[i].lin, soles[i].ang, qvel);
  }
}

}  // namespace

Twist<double> sole_bias(const RobotModel& model, const RobotData<double>& data, const Leg& leg) {
  const Twist<double>&A = data.A_bias[leg.body], &V = data.V[leg.body];
  const Vec3d arm = sole_position(data, leg) - tree_origin(model, data, leg.body);
  const Vec3d linear = A.lin + cross(A.ang, arm) + cross(V.ang, point_velocity(V, arm));
  return {A.ang, linear + model.gravity};
}

BodyMotionSolver::BodyMotionSolver(const RobotModel& model, const LeggedRobot& robot)
    : mass_(robot.mass), com_jacobian_(model.dofs.size(), zero3<double>()),
      composite_(model.bodies.size()), unit_(model.dofs.size(), 0.0) {
  still_.assign(robot.legs.size(), zero6<double>());
}

void BodyMotionSolver::compute_com_jacobian(const RobotModel& model,
                                            const RobotData<double>& data) {
  composite_ = data.inertia;
  for (int b = model.body_count() - 1; b > 0; --b) {
    if (model.bodies[b].parent != 0) composite_[model.bodies[b].parent] += composite_[b];
  }
  for (std::size_t d = 0; d < com_jacobian_.size(); ++d) {
    com_jacobian_[d] = (1 / mass_) * (composite_[model.dofs[d].body] * data.S[d]).lin;
  }
}

Vec3d BodyMotionSolver::com_rate(const std::vector<double>& rates) const {
  Vec3d sum{0, 0, 0};
  for (std::size_t d = 0; d < rates.size(); ++d) sum += rates[d] * com_jacobian_[d];
  return sum;
}

void BodyMotionSolver::solve_velocity(const RobotModel& model, const RobotData<double>& data,
                                      const LeggedRobot& robot, const BodyMotion& wanted,
                                      std::vector<double>& qvel) {
  compute_com_jacobian(model, data);
  // how the centre of mass answers to the base when the soles stay
  Mat3d response{};
  Vec3d* const columns[3] = {&response.x, &response.y, &response.z};
  for (int k = 0; k < 3; ++k) {
    unit_.assign(unit_.size(), 0.0);
    unit_[robot.base_v + k] = 1;
    follow_with_legs(model, data, robot, still_, unit_);
    *columns[k] = com_rate(unit_);
  }
  inverse_response_ = inverse(response);
  const Vec3d turn = transpose_times(data.R_WB[robot.base], wanted.trunk);  // frame B, as qvel
  double* base = qvel.data() + robot.base_v;
  base[3] = turn.x, base[4] = turn.y, base[5] = turn.z;
  for (int pass = 0; pass < 2; ++pass) {  // the second lets the legs follow the base
    follow_with_legs(model, data, robot, wanted.soles, qvel);
    if (pass == 1) break;
    const Vec3d more = base_shift(wanted.center_of_mass - com_rate(qvel));
    base[0] += more.x, base[1] += more.y, base[2] += more.z;
  }
}

void BodyMotionSolver::solve_acceleration(const RobotModel& model, const RobotData<double>& data,
                                          const LeggedRobot& robot, const BodyMotion& wanted,
                                          std::vector<double>& acceleration) {
  rest_ = wanted;
  Vec3d force{0, 0, 0};
  for (int b = 1; b < model.body_count(); ++b) force += body_bias(data, b).lin;
  rest_.center_of_mass -= (1 / mass_) * force + model.gravity;
  for (std::size_t i = 0; i < robot.legs.size(); ++i) {
    rest_.soles[i] -= sole_bias(model, data, robot.legs[i]);
  }
  solve_velocity(model, data, robot, rest_, acceleration);
}

Vec3d BodyMotionSolver::base_shift(const Vec3d& shift) const { return inverse_response_ * shift; }

}  // namespace footfall
