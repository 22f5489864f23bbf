#include "footfall/soft/lone_bodies.hpp"

namespace footfall {
namespace {

// Does anything hang on it that moves by itself or weighs?
bool stands_alone(const RobotModel& model, int body) {
  for (int b = 1; b < model.body_count(); ++b) {
    const Body& other = model.bodies[b];
    if (b != body && other.root == body && (other.joint_count > 0 || other.mass > 0)) return false;
  }
  return true;
}

}  // namespace

std::vector<LoneBody> find_lone_bodies(const RobotModel& model) {
  std::vector<LoneBody> found;
  for (const Joint& joint : model.joints) {
    const Body& body = model.bodies[joint.body];
    if (joint.type != JointType::free || body.joint_count != 1) continue;
    if (!stands_alone(model, joint.body)) continue;
    const Vec3d& c = body.com;
    const auto about_origin = [&](const Vec3d& e) {
      return body.inertia * e + body.mass * (dot(c, c) * e - dot(c, e) * c);
    };
    const Mat3d axes = identity3<double>();
    found.push_back({joint.q_index,
                     joint.v_index,
                     body.mass,
                     c,
                     {about_origin(axes.x), about_origin(axes.y), about_origin(axes.z)}});
  }
  return found;
}

}  // namespace footfall
