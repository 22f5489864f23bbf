// How all joints of a legged robot move, or accelerate, when its centre of mass, its trunk and its soles
// do as wanted.
//
// The legs follow the base: J_leg v_leg = V_sole − J_base v_base, one leg at a time (solve_leg_velocity). The
// base's linear velocity is not wanted but found: the centre of mass answers to it linearly, c = c₀ + K v,
// and K is 3×3. Accelerations obey the same equations when what they are at v̇ = 0 is taken off first.
#pragma once

#include <vector>

#include "footfall/gait/leg_ik.hpp"

namespace footfall {

// Velocities [m/s, rad/s] or accelerations [m/s², rad/s²], frame W.
struct BodyMotion {
  Vec3d center_of_mass{0, 0, 0};
  Vec3d trunk{0, 0, 0};  // angular
  std::vector<Twist<double>>
      soles;  // of each leg's sole: angular, and linear at its frame's origin
};

class BodyMotionSolver {
 public:
  BodyMotionSolver(const RobotModel& model, const LeggedRobot& robot);

  // Generalised velocities; the robot's other joints keep theirs in `qvel`. After compute_positions.
  void solve_velocity(const RobotModel& model, const RobotData<double>& data,
                      const LeggedRobot& robot, const BodyMotion& wanted,
                      std::vector<double>& qvel);
  // Generalised accelerations, likewise. After compute_velocities.
  void solve_acceleration(const RobotModel& model, const RobotData<double>& data,
                          const LeggedRobot& robot, const BodyMotion& wanted,
                          std::vector<double>& acceleration);
  // By how much the base has to move for the centre of mass to move by `shift`, soles in place, as of
  // the last solve.
  Vec3d base_shift(const Vec3d& shift) const;

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("inverse_response", inverse_response_);
  }

 private:
  void compute_com_jacobian(const RobotModel& model, const RobotData<double>& data);
  Vec3d com_rate(const std::vector<double>& rates) const;

  double mass_ = 0;
  std::vector<Vec3d> com_jacobian_;  // of each dof [m]
  std::vector<RigidInertia<double>> composite_;
  Mat3d inverse_response_ = identity3<double>();  // K⁻¹
  std::vector<double> unit_;
  std::vector<Twist<double>> still_;  // soles that stay
  BodyMotion rest_;
};

// What a sole accelerates with when no joint does, without gravity; after compute_velocities.
Twist<double> sole_bias(const RobotModel& model, const RobotData<double>& data, const Leg& leg);

}  // namespace footfall
