// W(θ): which wrenches a granular medium can give a foot.
//
// A foot in grains is held by any wrench in a convex set W(θ), θ = (depth, tilt); it moves when W does not
// hold what it takes to stay, and the wrench is then on its boundary (Zhu 2019, III.A). The foot was driven
// in m directions, and each has a function w_i(θ) that was learned from measured or sampled wrenches
// (granular/learning.hpp); W(θ) is the hull of them and of zero. All are sums over kernels at the
// configurations that were seen,
//
//   w_i(θ) = d (Σ_j k⁺(θ, θ_j) e_ij + e_i + d e'_i  +  Σ_j k⁻(θ, θ_j) o_ij + φ o_i)
//   k^±(θ, θ_j) = ½ (k(θ, (d_j, φ_j)) ± k(θ, (d_j, −φ_j)))
//
// so W is zero at zero depth, exactly. The first part is even in φ, the second odd; for a direction and
// the one that mirrors it they are the same but for signs, so W(d, −φ) is W(d, φ) mirrored, bit by bit. An
// upright foot's wrenches are the mean of what was measured and its mirror image: nothing else is symmetric.
//
// θ outside the data has w/d of the nearest θ inside, and is said to be clamped: a wrench goes on growing
// with depth, as the stress in grains does, and nothing else is extrapolated. Inside is the convex hull of
// the configurations, their mirror images and zero depth, with depths and tilts in shares of the largest.
//
// Everything is in the surface frame, in the plane in which the foot tilts: z out of the ground, x along
// it, y = z × x, turns right-handed about y.
//
//   depth   of the sole's centre below the undisturbed surface, along −z [m]; positive in the ground
//   tilt    φ of the foot's axis from z, positive where its upper end leans towards +x [rad]
//   wrench  of the ground on the foot, its torque about p_r, the point of the foot's axis at
//           reference_height above the sole's centre
#pragma once

#include <vector>

#include "footfall/foot/grain_foot.hpp"
#include "footfall/math/lanes.hpp"

namespace footfall {

struct PlanarWrench {
  double force_x = 0, force_z = 0;  // [N]
  double torque_y = 0;              // about p_r [N m]
};

struct PlanarVelocity {
  double x = 0, z = 0;  // of the sole's centre [m/s]
  double tilt = 0;      // φ̇ [rad/s]
};

struct FootConfiguration {
  double depth = 0;  // [m]
  double tilt = 0;   // [rad]
};

// Of the distance r between two configurations, in lengths along depth and tilt.
enum class Kernel {
  linear,                // −r: linear between configurations; has no length
  thin_plate,            // r² log r: has no length
  gaussian,              // exp(−r²/2)
  inverse_multiquadric,  // 1/√(1 + r²)
  matern,                // (1 + √5 r + 5/3 r²) exp(−√5 r), Matérn's with ν = 5/2
};

// What cross-validation or the likelihood chose.
struct Hyperparameters {
  Kernel kernel = Kernel::linear;
  double depth_length = 0;  // [m]
  double tilt_length = 0;   // [rad]
  double noise = 0;         // Gaussian process: variance over that of the function [-]
  double tube = 0;          // support vectors: half width ε, in shares of each part's rms [-]
  double bound = 0;         // support vectors: C, in the same shares [-]
};

inline constexpr int kMostConfigurations = 512;

// The functions w_i(θ) as plain numbers: n configurations θ_j, m directions.
struct WrenchExpansion {
  GrainFoot foot;                          // that was driven
  std::vector<PlanarVelocity> directions;  // m of them
  Hyperparameters hyperparameters;
  std::vector<FootConfiguration> configurations;  // θ_j, depth > 0, tilt ≥ 0
  double deepest = 0, largest_tilt = 0;           // of the configurations [m], [rad]
  // Coefficients, row by row; columns are [part · m + direction], parts force_x, force_z, torque_y.
  std::vector<double> even;  // e_ij, e_i, e'_i with d over the deepest: (n + 2) × 3m [N/m, N/m, N]
  std::vector<double> odd;   // o_ij, o_i with φ over the largest: (n + 1) × 3m
};

// The wrenches w_i(θ), part by part; room for whole lanes of eight, the rest zero.
struct WrenchVertices {
  std::vector<double> force_x, force_z, torque_y;
};

// What a prediction was made for.
struct PredictedAt {
  FootConfiguration configuration;
  bool depth_clamped = false, tilt_clamped = false;
};

class WrenchModel {
 public:
  // Throws InputError for more than kMostConfigurations, or where the sizes do not fit together.
  explicit WrenchModel(const WrenchExpansion& expansion);

  int vertex_count() const { return vertex_count_; }     // m; zero is a vertex besides
  double deepest() const { return deepest_; }            // [m]
  double largest_tilt() const { return largest_tilt_; }  // [rad]
  const GrainFoot& foot() const { return foot_; }
  const Hyperparameters& hyperparameters() const { return hyperparameters_; }
  WrenchVertices make_vertices() const;

  // Allocates nothing. Depths of zero and less (out of the ground) have no wrenches and are not clamped.
  PredictedAt predict(const FootConfiguration& at, WrenchVertices& vertices) const;

  // The nearest configuration that is inside the data.
  PredictedAt clamp(const FootConfiguration& at) const;

 private:
  struct Point {
    double depth, tilt;  // in shares of the largest
  };
  void set_coefficients(const WrenchExpansion& expansion);
  void set_rim(const WrenchExpansion& expansion);

  GrainFoot foot_;
  Hyperparameters hyperparameters_;
  int vertex_count_ = 0;
  double deepest_ = 0, largest_tilt_ = 0;
  std::vector<Point> rim_;             // of what is inside: from zero depth to the upright foot
  std::vector<Lane8> depths_, tilts_;  // θ_j over the lengths, in lanes
  std::vector<Lane8> coefficients_;    // [(block of 8 vertices · terms + term) · 3 + part]
};

}  // namespace footfall
