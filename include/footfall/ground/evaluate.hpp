// evaluate_contact: what the ground answers to a point's trial velocity u, as gradient (minus the
// impulse on the foot) and curvature of a convex function ℓ(u). The normal force follows its law,
// compliant or plastic; the shear force is elastic up to the limit c S_c + μ F_N and slides there.
#pragma once

#include "footfall/ground/terramechanics.hpp"

namespace footfall {

// What friction can bear if the normal force is `normal_force` [N].
template <class T>
T shear_limit(const PointLaw<T>& point, const T& normal_force) {
  return point.adhesion + point.friction_coefficient * normal_force;
}

// Unit of shear_start and shear_slope [N]: 1, or the strength of plastic soil.
template <class T>
T shear_scale(const PointLaw<T>& point, const T& limit) {
  if (!point.plastic.any) return T(1);
  return select(point.plastic.is_plastic > T(0), limit, T(1));
}

// The part of a point's shear spring that is on its soil.
template <class T>
T shear_share(const PointLaw<T>& point) {
  return point.cell.any ? point.cell.share : T(1);
}

// How fast the touching point sinks.
template <class T>
T sink_rate(const PointLaw<T>& point, const PointTrial<T>& trial) {
  return point.cell.any ? -dot(point.cell.share_of_corner, trial.corner_rise)
                        : -dot(point.normal, trial.velocity);
}

// The part of the velocity along the ground.
template <class T>
Vec3<T> tangential_velocity(const PointLaw<T>& point, const Vec3<T>& velocity) {
  return velocity - dot(point.normal, velocity) * point.normal;
}

// Soil whose strength has grown since the last step was not sheared with all of it: what it stores, ½ L κ e²,
// must not grow without work. So the mobilised share e that it starts from is cut by √(L before/L).
template <class T>
T kept_shear(const PointLaw<T>& point, const T& limit) {
  const T& before = point.plastic.strength_before;
  return select(point.plastic.is_plastic > T(0), sqrt(min(before / max(limit, T(kTiny<T>)), T(1))),
                T(1));
}

// The shear force before it slides, over shear_scale, and its slopes.
template <class T>
struct ShearTrial {
  Vec3<T> force;
  T slope;    // in all directions
  T forward;  // beside it, along shear_direction
};
template <class T>
ShearTrial<T> shear_trial(const PointLaw<T>& point, const Vec3<T>& u_t, const T& limit) {
  if (!point.plastic.any) {
    return {point.shear_start + point.shear_slope * u_t, point.shear_slope, T(0)};
  }
  ShearTrial<T> y{kept_shear(point, limit) * point.shear_start + point.shear_slope * u_t,
                  point.shear_slope, T(0)};
  // sway: all motion is damped, but less and less that which goes on shearing
  const PlasticPart<T>& p = point.plastic;
  const T speed = max(dot(p.shear_direction, u_t), T(0));
  y.force += p.sway_damping * u_t - (p.sway_relief * speed) * p.shear_direction;
  y.slope += p.sway_damping;
  y.forward = select(speed > T(0), -p.sway_relief, T(0));
  return y;
}

// The normal force of a cell on each of its corners, and its slopes by the rates at which they sink.
template <class T>
struct CellForce {
  Vec3<T> force;  // [N]
  Sym3<T> slope;  // [N s/m]
};

// Soil that yields, and a pad, answer to the rate at which the touching point sinks.
template <class T>
CellForce<T> evaluate_cell_at_point(const PointLaw<T>& point, const Vec3<T>& rise) {
  const Vec3<T>& share = point.cell.share_of_corner;
  const NormalForce<T> normal = evaluate_normal(point, -dot(share, rise));
  return {normal.force * share, normal.slope * outer(share)};
}

// Compliant ground answers to each corner: it is as stiff against tilting as it is.
template <class T>
CellForce<T> evaluate_cell(const PointLaw<T>& point, const Vec3<T>& rise) {
  if (point.plastic.any || point.pad.any) return evaluate_cell_at_point(point, rise);
  const T& h = point.step;
  const Vec3<T> z = point.sinkage * Vec3<T>{T(1), T(1), T(1)} + point.cell.start - h * rise;
  const CornerResponse<T> spring = corner_response(z, point.exponent);
  CellForce<T> out{point.stiffness * spring.force, (h * point.stiffness) * spring.slope};
  const auto damp = [&](const T& share, const T& rate, T& force, T& slope) {
    const T b = point.damping * share;
    if (all(point.rate_exponent == T(1))) {
      force += b * rate;
      slope += b;
    } else {
      const T r2 = rate * rate + T(1e-8);
      const T power = b * pow(r2, T(0.5) * (point.rate_exponent - T(1)));
      force += power * rate;
      slope += power * (T(1) + (point.rate_exponent - T(1)) * rate * rate / r2);
    }
  };
  damp(point.cell.share_of_corner.x, -rise.x, out.force.x, out.slope.xx);
  damp(point.cell.share_of_corner.y, -rise.y, out.force.y, out.slope.yy);
  damp(point.cell.share_of_corner.z, -rise.z, out.force.z, out.slope.zz);
  // no corner pulls
  const T x = select(out.force.x > T(0), T(1), T(0)), y = select(out.force.y > T(0), T(1), T(0)),
          w = select(out.force.z > T(0), T(1), T(0));
  out.force = {x * out.force.x, y * out.force.y, w * out.force.z};
  Sym3<T>& s = out.slope;
  s = {x * s.xx, x * y * s.xy, x * w * s.xz, y * s.yy, y * w * s.yz, w * s.zz};
  return out;
}

// What the ground answers to the rates at which a cell's corners rise. Other points have none: evaluate_shear
// adds their normal force to their gradient.
template <class T>
void evaluate_corners(const PointLaw<T>& point, const Vec3<T>& rise, PointValue<T>& value) {
  if (!point.cell.any) return;
  const CellForce<T> corners = evaluate_cell(point, rise);
  value.corner_gradient = (-point.step) * corners.force;
  value.corner_curvature = point.step * corners.slope;
  value.normal_force = corners.force.x + corners.force.y + corners.force.z;
}

// Gradient and curvature of ℓ at the point's velocity u and spin, with friction limited by what
// limit_force allows; of a cell without what acts on its corners.
//
// A sliding point has no curvature along its sliding: Newton's step then overshoots where sliding
// stops or turns, and many points that stop together would each cost an iteration. With `caution`
// that curvature stays, as in the quadratic that touches ℓ here and lies above it elsewhere.
template <class T>
void evaluate_shear(const PointLaw<T>& point, const Vec3<T>& u, const T& rotation,
                    const T& limit_force, const T& caution, PointValue<T>& value) {
  const Vec3<T>& n = point.normal;
  const T h = point.step;
  const T limit = shear_limit(point, limit_force);
  const T scale = shear_scale(point, limit);
  const T un = dot(n, u);
  NormalForce<T> normal{T(0), T(0)};
  if (!point.cell.any) {
    normal = evaluate_normal(point, -un);
    value.normal_force = normal.force;
  }
  // trial shear force: elastic as long as it is within the limit
  const ShearTrial<T> trial = shear_trial(point, u - un * n, limit);
  const T shear_slope = scale * trial.slope;
  const Vec3<T> y = scale * trial.force;
  const T y2 = dot(y, y);
  const auto slips = y2 > limit * limit;
  T ratio(1), c_y(0);
  if (any(slips)) {  // not in a robot that stands
    const T y2_safe = max(y2, T(kTiny<T>));
    ratio = select(slips, limit / sqrt(y2_safe), T(1));
    c_y = select(slips, (caution - T(1)) * h * ratio * shear_slope / y2_safe, T(0));
  }
  value.gradient = (h * ratio) * y - (h * normal.force) * n;
  // curvature: slope·n nᵀ + c (1 − n nᵀ) − [slipping] c ŷŷᵀ
  const T c = h * ratio * shear_slope;
  const T c_n = h * normal.slope - c;
  const Vec3<T> a = c_n * n;
  const Vec3<T> b = c_y * y;
  value.curvature = {c + a.x * n.x + b.x * y.x, a.x * n.y + b.x * y.y, a.x * n.z + b.x * y.z,
                     c + a.y * n.y + b.y * y.y, a.y * n.z + b.y * y.z, c + a.z * n.z + b.z * y.z};
  if (point.plastic.any) {
    const Vec3<T>& d = point.plastic.shear_direction;
    const Vec3<T> r = (h * ratio * scale * trial.forward) * d;
    value.curvature.xx += r.x * d.x;
    value.curvature.xy += r.x * d.y;
    value.curvature.xz += r.x * d.z;
    value.curvature.yy += r.y * d.y;
    value.curvature.yz += r.y * d.z;
    value.curvature.zz += r.z * d.z;
  }
  // spin about the normal
  const T spin_limit = T(2.0 / 3.0) * point.patch_radius * limit;
  const T spin_slope = scale * point.spin_slope;
  T moment = scale * point.spin_start + spin_slope * rotation;
  if (point.plastic.any) {
    moment = scale * kept_shear(point, limit) * point.spin_start + spin_slope * rotation;
  }
  const auto spins = abs(moment) > spin_limit;
  value.spin_gradient = h * min(max(moment, -spin_limit), spin_limit);
  value.spin_curvature = select(spins, T(0), h * spin_slope);
}

// Both.
template <class T>
void evaluate_contact(const PointLaw<T>& point, const Vec3<T>& u, const T& rotation,
                      const Vec3<T>& rise, const T& limit_force, const T& caution,
                      PointValue<T>& value) {
  evaluate_corners(point, rise, value);
  evaluate_shear(point, u, rotation, limit_force, caution, value);
}

// The same at a point's own trial; evaluate_shear alone where only its limit or caution has changed.
template <class T>
void evaluate_contact(const PointLaw<T>& point, PointTrial<T>& trial) {
  evaluate_contact(point, trial.velocity, trial.spin, trial.corner_rise, trial.limit_force,
                   trial.caution, static_cast<PointValue<T>&>(trial));
}
template <class T>
void evaluate_shear(const PointLaw<T>& point, PointTrial<T>& trial) {
  evaluate_shear(point, trial.velocity, trial.spin, trial.limit_force, trial.caution,
                 static_cast<PointValue<T>&>(trial));
}

}  // namespace footfall
