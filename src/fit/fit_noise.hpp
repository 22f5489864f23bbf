// How the solution of a fit scatters when a test is repeated: the middle of the sandwich
// C = H⁻¹ M H⁻¹, in coordinates in which H is the identity.
//
// U (one row per residual, UᵀU = 1) are the residuals' derivatives by these coordinates, e the residuals
// in scatters. The solution moves by −Uᵀe, so M = Var(Uᵀe).
//
// | where                          | M                                                                 |
// |--------------------------------|-------------------------------------------------------------------|
// | neighbours without a place     | UᵀU f², f² from the correlation of neighbours                     |
// | files, enough of them          | of the solutions without each file in turn (a jackknife over      |
// |                                | files: a cluster-robust sandwich that is unbiased for few of them)|
// | one file, or few               | of residuals that are noise and a process along their place       |
//
// docs/theory/identification.md
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "footfall/fit/fit.hpp"

namespace footfall {

struct NoiseModel {
  Eigen::MatrixXd middle;  // M
  double freedom = 0;      // degrees of freedom of the t quantile
};

// From the spread between files. `private_count`: of each group, how many unknowns only it depends on
// (the depth of its touch). None where the files are too few, or one of them alone tells a parameter.
std::optional<NoiseModel> find_cluster_noise(const FitProblem& problem, const Eigen::MatrixXd& U,
                                             const Eigen::VectorXd& e, int shared_count,
                                             const std::vector<int>& private_count,
                                             const Eigen::MatrixXd& within);

// From residuals that are white noise and a process e^{−|Δ|/L} along FitProblem::place: restricted
// likelihood over L and the share of noise, of means over stretches of the place, so that neither the
// sample rate nor a filter counts. None without places, or with too few samples.
std::optional<NoiseModel> find_place_noise(const FitProblem& problem, const Eigen::MatrixXd& U,
                                           const Eigen::VectorXd& e);

}  // namespace footfall
