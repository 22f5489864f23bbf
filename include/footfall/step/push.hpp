// Pushes: forces on a body from outside, for a time.
#pragma once

#include <string>
#include <vector>

#include "footfall/robot/dynamics.hpp"

namespace footfall {

// [[push]]
struct Push {
  std::string body;       // empty: the robot's base
  double start = 0;       // [s]
  double duration = 0.1;  // [s]
  Vec3d force{0, 0, 0};   // at the body's centre of mass, frame W [N]
};

// What pushing needs, made once.
class Pusher {
 public:
  // Throws InputError that lists the bodies where a push names none of them.
  Pusher(const RobotModel& model, const std::vector<Push>& pushes);

  // Gives the robot the impulse of a step from `time` on: v += M⁻¹ Jᵀ F h. Only the part of the step
  // that a push lasts counts, so its whole impulse is F × duration at any step size.
  void push(const RobotModel& model, double time, double timestep, const std::vector<double>& qpos,
            std::vector<double>& qvel);

 private:
  struct PushOnBody {
    Push push;
    int body = 0;
  };
  std::vector<PushOnBody> pushes_;
  RobotData<double> data_;
  std::vector<RigidInertia<double>> composite_;
  std::vector<double> mass_, impulse_;
};

}  // namespace footfall
