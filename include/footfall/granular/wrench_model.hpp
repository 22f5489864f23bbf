// W(θ): which wrenches a granular medium can give a foot, learned from a database.
//
// A foot in grains is held by any wrench in a convex set W(θ), θ = (depth, tilt); it moves when W does not
// hold what it takes to stay, and the wrench is then on its boundary (Zhu 2019, III.A). Each of the m
// directions has a regression w_i(θ) through what the database has of it; W(θ) is the hull of them and of
// zero. All regressions are sums over kernels at the database's configurations,
//
//   w_i(θ) = d Σ_j k(θ, θ_j) c_ij
//
// so W is zero at zero depth, exactly; and since the kernels' places and weights are mirrored, W(d, −φ)
// is W(d, φ) mirrored, exactly. θ outside the data is brought to the nearest that is inside and said to
// be clamped: nothing is extrapolated.
#pragma once

#include <vector>

#include "footfall/granular/wrench_database.hpp"

namespace footfall {

enum class Regression { rbf, gaussian_process, support_vector };

struct LearningOptions {
  Regression regression = Regression::rbf;
  // Hyper-parameters are found by cross-validation when the model is learned.
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
  // Throws InputError where the database is too small for it.
  WrenchModel(const WrenchDatabase& database, const LearningOptions& options = {});

  int vertex_count() const { return vertex_count_; }     // m; zero is a vertex besides
  double deepest() const { return deepest_; }            // [m]
  double largest_tilt() const { return largest_tilt_; }  // [rad]
  const GrainFoot& foot() const { return foot_; }
  WrenchVertices make_vertices() const;

  // Allocates nothing.
  PredictedAt predict(const FootConfiguration& at, WrenchVertices& vertices) const;

 private:
  GrainFoot foot_;
  int vertex_count_ = 0;
  double deepest_ = 0, largest_tilt_ = 0;
};

}  // namespace footfall
