#include "footfall/ground/penalty.hpp"

#include <cmath>

#include "footfall/error.hpp"

namespace footfall {
namespace {

// (20) by components along two axes of the tangent plane.
Vec3d clip_per_axis(const Vec3d& tangential, const Vec3d& n, double limit) {
  const Vec3d along = std::abs(n.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  Vec3d x = along - dot(along, n) * n;
  x = (1 / norm(x)) * x;
  const Vec3d y = cross(n, x);
  const double fx = dot(x, tangential), fy = dot(y, tangential);
  const double theta = std::atan2(fy, fx);
  const double bound_x = limit * std::abs(std::cos(theta));
  const double bound_y = limit * std::abs(std::sin(theta));
  return std::clamp(fx, -bound_x, bound_x) * x + std::clamp(fy, -bound_y, bound_y) * y;
}

}  // namespace

void check_penalty(const PenaltyModel& m) {
  if (m.kind == PenaltyKind::feedback_linearized) {
    check_range("k_p_per_s2", m.k_p, 0, 1e12, "0 to 1e12 1/s²");
    check_range("k_v_per_s", m.k_v, 0, 1e9, "0 to 1e9 1/s");
    check_range("rounds", m.rounds, 1, 1e6, "1 or more");
    check_range("epsilon_m", m.epsilon, -0.1, 0, "-0.1 to 0 m: a wanted height, negative inside");
    return;
  }
  check_range("stiffness_N_per_m", m.stiffness, 0, 1e12, "0 to 1e12 N/m");
  check_range("damping_Ns_per_m", m.damping, 0, 1e12, "0 to 1e12 N s/m");
  check_range("tangential_damping_Ns_per_m", m.tangential_damping, 0, 1e12, "0 to 1e12 N s/m");
}

Vec3d saturate(const Vec3d& force, const Vec3d& n, double friction_coefficient, Clipping clipping,
               bool may_pull) {
  const double wanted = dot(n, force);
  const double normal = may_pull ? wanted : std::fmax(wanted, 0.0);
  const double limit = friction_coefficient * std::fmax(normal, 0.0);
  const Vec3d tangential = force - wanted * n;
  if (clipping == Clipping::per_axis) return normal * n + clip_per_axis(tangential, n, limit);
  const double size = norm(tangential);
  return normal * n + (size > limit ? limit / size : 1.0) * tangential;
}

}  // namespace footfall
