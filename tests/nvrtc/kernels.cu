// What scripts/check_nvrtc.py compiles for GPUs: the laws of the ground, spatial algebra, and the articulated
// sweep over a small tree, each in double and float.
#include "footfall/ground/evaluate.hpp"
#include "nvrtc/small_tree.hpp"

namespace footfall {

// ---- laws ----

// A point on compliant ground or on plastic soil, with a pad or without, from eight numbers.
template <class T>
ContactPoint<T> make_point(const T* in, const RimSeries* rims, BearingKind kind, bool plastic,
                           bool pad) {
  ContactPoint<T> point{};
  point.step = T(1e-3);
  point.normal = {T(0), T(0), T(1)};
  point.velocity = {in[0], in[1], in[2]};
  point.sinkage = in[3];
  point.limit_force = in[4];
  point.stiffness = T(2e4);
  point.exponent = T(1.1);
  point.damping = T(50);
  point.rate_exponent = T(1);
  point.friction_coefficient = T(0.6);
  point.caution = T(0);
  point.shear_start = {T(0), T(0), T(0)};
  point.shear_slope = T(40);
  point.patch_radius = T(0.01);
  point.spin = in[5];
  point.spin_slope = T(0.01);
  PlasticPart<T>& p = point.plastic;
  p.any = plastic;
  p.kind = kind;
  p.rims = rims;
  p.is_plastic = T(1);
  p.modulus = T(2e6);
  p.size = T(0.003);
  p.radius = T(0.03);
  p.unload_stiffness = T(1e6);
  p.plastic_sinkage = in[6];
  p.recovery = T(kRecoveryTime);
  p.reference_depth = T(kLeastDepth);
  p.bearing = in[7];
  p.shear_direction = {T(1), T(0), T(0)};
  p.sway_damping = T(1);
  p.sway_relief = T(0.5);
  point.pad.any = pad;
  point.pad.is_padded = T(1);
  point.pad.stiffness = T(1e5);
  point.pad.exponent = T(1.5);
  point.pad.damping = T(100);
  point.pad.rate_exponent = T(1);
  return point;
}

// Ten cases, one per thread: {compliant, flat, ball, rim} × {bare, padded}, the normal laws alone, shear.
template <class T>
void evaluate_laws(const T* in, const RimSeries* rims, T* out) {
  const int i = threadIdx.x;
  const bool pad = (i & 1) != 0;
  if (i < 8) {
    const auto kind = static_cast<BearingKind>(i / 2 == 0 ? 0 : i / 2 - 1);
    ContactPoint<T> point = make_point(in, rims, kind, i >= 2, pad);
    evaluate_contact(point, point);
    const T values[] = {point.gradient.x,    point.gradient.y,     point.gradient.z,
                        point.curvature.xx,  point.curvature.xy,   point.curvature.zz,
                        point.spin_gradient, point.spin_curvature, point.normal_force};
    for (int k = 0; k < 9; ++k) out[10 * i + k] = values[k];
    return;
  }
  const ContactPoint<T> point = make_point(in, rims, BearingKind::ball, true, false);
  const NormalForce<T> force =
      pad ? evaluate_compliant(point, -in[2]) : evaluate_plastic(point, -in[2]);
  const ShearStep<T> shear = shear_step(T(0.01), T(1), abs(in[0]));
  const RateForce<T> damping = sinking_damping(T(50), T(0.5), -in[2]);
  const T values[] = {force.force,
                      force.slope,
                      shear.decay,
                      shear.gain,
                      damping.force,
                      damping.slope,
                      entry_angle(in[3]),
                      unload_stiffness(T(0.01), T(1e8), T(1e9), in[3], in[7], T(0.003)),
                      pow(abs(in[1]), T(1.3))};
  for (int k = 0; k < 9; ++k) out[10 * i + k] = values[k];
}

// ---- spatial algebra ----

template <class T>
void solve_spatial(const T* in, T* out) {
  const Quat<T> q =
      integrate_quat(normalized(Quat<T>{in[0], in[1], in[2], in[3]}), Vec3<T>{in[4], in[5], in[6]});
  const Mat3<T> R = to_matrix(q);
  const Vec3<T> c{in[4], in[5], in[6]};
  const RigidInertia<T> I =
      shift_inertia(T(2), c, rotate(R, Sym3<T>{T(0.1), T(0.01), T(0), T(0.2), T(0), T(0.3)}));
  const Twist<T> v{R.x, R.y};
  const Spatial<T> x = solve(to_sym6(I), cross_force(v, I * v));
  const T values[] = {x.ang.x, x.ang.y,    x.ang.z,
                      x.lin.x, x.lin.y,    x.lin.z,
                      norm(c), exp(in[0]), log(abs(in[1]) + T(1))};
  for (int k = 0; k < 9; ++k) out[k] = values[k];
}

}  // namespace footfall

#define FOOTFALL_KERNELS(T)                                                                        \
  extern "C" __global__ void evaluate_laws_##T(const T* in, const footfall::RimSeries* rims,       \
                                               T* out) {                                           \
    footfall::evaluate_laws<T>(in, rims, out);                                                     \
  }                                                                                                \
  extern "C" __global__ void sweep_links_##T(const T* qpos, const T* qvel, T* out) {               \
    footfall::sweep_links<T>(qpos, qvel, out);                                                     \
  }                                                                                                \
  extern "C" __global__ void solve_spatial_##T(const T* in, T* out) {                              \
    footfall::solve_spatial<T>(in, out);                                                           \
  }
FOOTFALL_KERNELS(double)
FOOTFALL_KERNELS(float)
