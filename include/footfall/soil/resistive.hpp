// Resistive force theory: the stress of dry grains on a small plate that moves slowly through them.
//
// C. Li, T. Zhang, D. I. Goldman 2013, A terradynamics of legged locomotion on granular media, Science
// 339:1408. The stress grows linearly with depth |z| and depends only on how the plate lies and where it
// goes:
//
//   σ_x = −ζ α_x(β, γ) |z|,   σ_z = ζ α_z(β, γ) |z|                                              [Pa]
//   α_z = A₀₀ + A₁₀ cos 2β + B₁₁ sin(2β + γ) + B₀₁ sin γ + B₋₁₁ sin(−2β + γ)                       [N/m³]
//   α_x = C₁₁ cos(2β + γ) + C₀₁ cos γ + C₋₁₁ cos(−2β + γ) + D₁₀ sin 2β                            [N/m³]
//
// | symbol | meaning                                                                | unit  | valid   |
// |--------|------------------------------------------------------------------------|-------|---------|
// | β      | attack angle: the plate lies along (cos β, sin β)                      | rad   | ±π/2    |
// | γ      | intrusion angle: it moves along (cos γ, −sin γ), downwards positive    | rad   | ±π/2    |
// | A…D    | the paper's nine generic coefficients (its supplementary text)         | N/cm³ |         |
// | ζ      | the medium's scale: α_z(0, π/2) in N/cm³; 0.25, 0.46 for poppy seeds    | –     | > 0     |
//
// Motion towards −x is this, mirrored: (β, γ) → (−β, π − γ), σ_x → −σ_x. Only elements of a body count
// that lead, n·v > 0; one that slides along itself, n·v = 0, counts half, since the plate of the
// experiments had two sides.
//
// The theory is plane. In three dimensions an element is cut into slices along its horizontal velocity,
// each a plane body, so that it counts with the part of its area that stands across the slices.
//
// Valid for dry, uniform, level grains and slow motion (below about 0.5 m/s for millimetre grains), away
// from walls and floor. Its authors find forces on legs within about 30 %.
#pragma once

#include "footfall/math/spatial.hpp"

namespace footfall {

namespace resistive_detail {

// Li 2013, generic coefficients [N/cm³ = 10⁶ N/m³].
inline constexpr double kUnit = 1e6;
inline constexpr double kA00 = 0.206, kA10 = 0.169, kB11 = 0.212, kB01 = 0.358, kBm11 = 0.055;
inline constexpr double kC11 = -0.124, kC01 = 0.253, kCm11 = 0.007, kD10 = 0.088;

}  // namespace resistive_detail

// α_x and α_z of a plate that moves towards +x [N/m³].
template <class T>
struct PlateStress {
  T x, z;
};
// By cosine and sine of 2β and of γ.
template <class T>
PlateStress<T> resistive_stress(const T& cos_2b, const T& sin_2b, const T& cos_g, const T& sin_g) {
  using namespace resistive_detail;
  const T cos_plus = cos_2b * cos_g - sin_2b * sin_g;  // cos(2β + γ)
  const T sin_plus = sin_2b * cos_g + cos_2b * sin_g;
  const T cos_minus = cos_2b * cos_g + sin_2b * sin_g;  // cos(−2β + γ)
  const T sin_minus = cos_2b * sin_g - sin_2b * cos_g;
  const T x = T(kC11) * cos_plus + T(kC01) * cos_g + T(kCm11) * cos_minus + T(kD10) * sin_2b;
  const T z =
      T(kA00) + T(kA10) * cos_2b + T(kB11) * sin_plus + T(kB01) * sin_g + T(kBm11) * sin_minus;
  return {T(kUnit) * x, T(kUnit) * z};
}

// What an element resists with while it moves: a unit vector that its motion works against, and its size
// over area and depth, for ζ = 1 [N/m³].
template <class T>
struct ResistiveFlow {
  Vec3<T> direction;
  T size;
  T cosine;  // between direction and motion, above 0: grains only take energy
};

// Of an element with outward normal n that moves along the unit vector u; `up` is the ground's normal.
template <class T>
ResistiveFlow<T> resistive_flow(const Vec3<T>& n, const Vec3<T>& up, const Vec3<T>& u) {
  constexpr double kLeastCosine = 0.05;
  constexpr double kAlong =
      1e-3;  // n·u below this: motion along the element, both sides count half
  const T u_z = dot(up, u), n_z = dot(up, n);
  // slices along the horizontal velocity; of straight up and down motion across the element
  const Vec3<T> level = u - u_z * up + T(1e-6) * (n - n_z * up);
  const Vec3<T> e = (T(1) / max(norm(level), T(kTiny<T>))) * level;
  const T u_x = dot(e, u), n_x = dot(e, n);
  const T side = select(u_x < T(0), T(-1), T(1));
  const T across2 = max(n_x * n_x + n_z * n_z, T(kTiny<T>));
  const T speed = max(sqrt(u_x * u_x + u_z * u_z), T(kTiny<T>));
  const PlateStress<T> stress =
      resistive_stress<T>((n_z * n_z - n_x * n_x) / across2, T(-2) * side * n_x * n_z / across2,
                          abs(u_x) / speed, T(0) - u_z / speed);
  const Vec3<T> against = (side * stress.x) * e - stress.z * up;
  const T size = norm(against);
  Vec3<T> direction = (T(1) / max(size, T(kTiny<T>))) * against;
  T cosine = dot(direction, u);
  const auto gives = cosine < T(kLeastCosine);
  if (any(gives)) {  // where the fit of the theory would give energy
    const Vec3<T> turned = direction + select(gives, T(kLeastCosine) - cosine, T(0)) * u;
    direction = (T(1) / norm(turned)) * turned;
    cosine = max(dot(direction, u), T(0.9 * kLeastCosine));
  }
  const T lead = min(max(T(0.5) + T(0.5 / kAlong) * dot(n, u), T(0)), T(1));
  return {direction, size * sqrt(across2) * lead, cosine};
}

}  // namespace footfall
