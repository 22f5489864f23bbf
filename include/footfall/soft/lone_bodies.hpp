// Bodies with a free joint and nothing on them, whose gyroscopic moment MuJoCo's implicitfast takes
// implicitly. With v of the body's origin in W, ω in B, its centre of mass c in B, its inertia I about
// the origin in B and R = R_WB, its mass matrix and velocity-dependent forces are
//
//   M = [ m 1         −m R [c]× ]      b = [ m R (ω × (ω × c)) ]
//       [ m [c]× Rᵀ    I        ]          [ ω × I ω           ]
//
// and the step's velocities u⁺ = (v, ω)⁺ follow from ū, those found with damping D implicit and the
// gyroscopic moment explicit, by
//
//   (M + h D + h ∂b/∂u) (u⁺ − u) = (M + h D) (ū − u)
//
// with armature in M, and D on the diagonal.
#pragma once

#include <vector>

#include "footfall/solver/solve.hpp"

namespace footfall {

struct LoneBody {
  int q_index = 0, v_index = 0;  // of its free joint
  double mass = 0;               // [kg]
  Vec3d com{0, 0, 0};            // c, frame B [m]
  Mat3d inertia{};               // I, frame B [kg m²]
};

// Those of a robot, or of a scene that has several.
std::vector<LoneBody> find_lone_bodies(const RobotModel& model);

template <class T>
struct LoneBodies {
  explicit LoneBodies(const RobotModel& model) : bodies(find_lone_bodies(model)) {
    const std::size_t n = bodies.empty() ? 0 : model.dofs.size();
    for (std::vector<T>* values : {&start, &explicit_end, &diagonal}) values->resize(n);
  }
  std::vector<LoneBody> bodies;
  // filled by turn_lone_bodies, of each dof:
  std::vector<T> start;         // u
  std::vector<T> explicit_end;  // ū
  std::vector<T> diagonal;      // armature and h D [kg m² or kg]
};

namespace lone_detail {

template <class T>
Vec3<T> read3(const std::vector<T>& x, int i) {
  return {x[i], x[i + 1], x[i + 2]};
}
template <class T>
Vec3<T> times(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class T>
Vec3<T> over(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x / b.x, a.y / b.y, a.z / b.z};
}

// x of A x = b by Cramer's rule.
template <class T>
Vec3<T> solve3(const Mat3<T>& A, const Vec3<T>& b) {
  const Vec3<T> yz = cross(A.y, A.z), zx = cross(A.z, A.x), xy = cross(A.x, A.y);
  const T k = T(1) / dot(A.x, yz);
  return {k * dot(b, yz), k * dot(b, zx), k * dot(b, xy)};
}

// u⁺ − u of one body into `linear` and `angular`. The linear rows, whose block is diagonal, are
// eliminated.
template <class T>
void turn(const LoneBody& body, const T& h, const Mat3<T>& R, const LoneBodies<T>& w,
          Vec3<T>& linear, Vec3<T>& angular) {
  const int l = body.v_index, a = l + 3;
  const T m(body.mass);
  const Vec3<T> c = broadcast<T>(body.com);
  const Mat3<T> I = broadcast<T>(body.inertia);
  const Vec3<T> omega = read3(w.start, a), diagonal = read3(w.diagonal, a);
  const Vec3<T> dv = read3(w.explicit_end, l) - read3(w.start, l);
  const Vec3<T> dw = read3(w.explicit_end, a) - omega;
  const Vec3<T> force = m * dv - m * (R * cross(c, dw)) + times(read3(w.diagonal, l), dv);
  const Vec3<T> moment = m * cross(c, transpose_times(R, dv)) + I * dw + times(diagonal, dw);
  const Vec3<T> mass = Vec3<T>{m, m, m} + read3(w.diagonal, l);

  const Mat3<T> axes = identity3<T>();
  const auto column = [&](const Vec3<T>& e) {  // of the linear rows
    const Vec3<T> bias = cross(e, cross(omega, c)) + cross(omega, cross(e, c));
    return m * (R * (h * bias - cross(c, e)));
  };
  const auto reduced = [&](const Vec3<T>& e) {
    const Vec3<T> bias = cross(e, I * omega) + cross(omega, I * e);
    const Vec3<T> carried = transpose_times(R, over(column(e), mass));
    return I * e + times(diagonal, e) + h * bias - m * cross(c, carried);
  };
  angular = solve3(Mat3<T>{reduced(axes.x), reduced(axes.y), reduced(axes.z)},
                   moment - m * cross(c, transpose_times(R, over(force, mass))));
  const Mat3<T> C{column(axes.x), column(axes.y), column(axes.z)};
  linear = over(force - C * angular, mass);
}

}  // namespace lone_detail

// Puts u⁺ of the lone bodies in the place of what apply_late_damping found in solver.qvel.
template <class T>
void turn_lone_bodies(const LinkTree<T>& tree, const LinkData<T>& links,
                      const JointBalance<T>& balance, const T& h, const T* qpos, LoneBodies<T>& w,
                      SolverWorkspace<T>& solver) {
  if (w.bodies.empty()) return;
  for (std::size_t s = 0; s < tree.slots.size(); ++s) {
    const auto& dof = tree.slots[s].dof;
    scatter<T>(links.qvel[s], dof, w.start.data());
    scatter<T>(solver.qvel[s], dof, w.explicit_end.data());
    scatter<T>(balance.diagonal[s] + balance.late_damping[s], dof, w.diagonal.data());
  }
  for (const LoneBody& body : w.bodies) {
    const T* q = qpos + body.q_index + 3;
    const Mat3<T> R = to_matrix(normalized(Quat<T>{q[0], q[1], q[2], q[3]}));
    Vec3<T> linear{}, angular{};
    lone_detail::turn(body, h, R, w, linear, angular);
    const T change[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int k = 0; k < 6; ++k) {
      const DofPlace place = find_dof(tree, body.v_index + k);
      set_item<T>(solver.qvel[place.slot], place.item, w.start[body.v_index + k] + change[k]);
    }
  }
}

}  // namespace footfall
