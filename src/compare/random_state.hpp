// Random states of a robot, for comparisons.
#pragma once

#include <cmath>
#include <vector>

#include "compare/random_scenes.hpp"
#include "footfall/robot/model.hpp"

namespace footfall {

struct RandomState {
  std::vector<double> qpos;
  std::vector<double> qvel;
  std::vector<double> control;        // of each actuator
  std::vector<double> applied_force;  // on each dof [N m or N]
  std::vector<Vec3d> p_BC;            // a point on each body, frame B [m]
};

// A sequence that is the same for the same seed on every machine.
class RandomStates {
 public:
  RandomStates(const RobotModel& model, unsigned seed) : model_(model), random_(seed) {}

  RandomState next() {
    RandomState state;
    for (const Joint& joint : model_.joints) draw_joint(joint, state.qpos);
    for (std::size_t d = 0; d < model_.dofs.size(); ++d) {
      state.qvel.push_back(uniform(-2, 2));
      state.applied_force.push_back(uniform(-1, 1));
    }
    for (const Actuator& a : model_.actuators) state.control.push_back(draw_control(a));
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) state.p_BC.push_back(draw_vector(0.3));
    return state;
  }

 private:
  double uniform(double lower, double upper) { return random_.uniform(lower, upper); }

  Vec3d draw_vector(double size) {
    const double x = uniform(-size, size);
    const double y = uniform(-size, size);
    return {x, y, uniform(-size, size)};
  }

  // Uniform over all rotations (Shoemake 1992).
  Quatd draw_rotation() {
    const double u = uniform(0, 1);
    const double a = uniform(0, 2 * M_PI);
    const double b = uniform(0, 2 * M_PI);
    const double s = std::sqrt(1 - u);
    const double c = std::sqrt(u);
    return {s * std::sin(a), s * std::cos(a), c * std::sin(b), c * std::cos(b)};
  }

  void draw_joint(const Joint& joint, std::vector<double>& qpos) {
    if (joint.type == JointType::free) {
      const Vec3d p = draw_vector(1);
      qpos.insert(qpos.end(), {p.x, p.y, p.z});
    }
    if (joint.type == JointType::free || joint.type == JointType::ball) {
      const Quatd q = draw_rotation();
      qpos.insert(qpos.end(), {q.w, q.x, q.y, q.z});
      return;
    }
    const double reach = joint.type == JointType::hinge ? M_PI : 0.5;
    qpos.push_back(joint.limited ? uniform(joint.lower, joint.upper)
                                 : joint.q0 + uniform(-reach, reach));
  }

  double draw_control(const Actuator& a) {
    if (!a.control_limited) return uniform(-1, 1);
    const double quarter = 0.25 * (a.control_upper - a.control_lower);
    return uniform(a.control_lower - quarter, a.control_upper + quarter);
  }

  const RobotModel& model_;
  SceneRandom random_;
};

}  // namespace footfall
