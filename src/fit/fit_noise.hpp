// How the solution of a fit scatters when a test is repeated: the middle of the sandwich
// C = H⁻¹ M H⁻¹, in coordinates in which H is the identity.
//
// U (one row per residual, UᵀU = 1) are the residuals' derivatives by these coordinates, e the residuals
// in scatters. The solution moves by −Uᵀe, so M = Var(Uᵀe).
//
// | where                          | M                                                                 |
// |--------------------------------|-------------------------------------------------------------------|
// | neighbours without a place     | UᵀU f², f² from the correlation of neighbours                     |
// | files that differ by a factor  | of these factors and shapes, fit/fit_runs.cpp                     |
// | and by their shape             |                                                                   |
// | other files, enough of them    | of the solutions without each file in turn (a jackknife over      |
// |                                | files: a cluster-robust sandwich that is unbiased for few of them)|
// | one file, or few               | of residuals that are noise and a process along their place       |
//
// docs/theory/identification.md
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "fit/fit_solve.hpp"
#include "footfall/fit/fit.hpp"

namespace footfall {

constexpr double kOnlyHere = 1e-7;  // of (1 − U_gᵀU_g): below, only this file tells a direction

struct NoiseModel {
  Eigen::MatrixXd middle;  // M
  double freedom = 0;      // degrees of freedom of the t quantile
  // What of M is from the files' shapes, and how many degrees of freedom these have. Empty: not told apart.
  Eigen::MatrixXd shape_middle = {};
  double shape_freedom = 0;
};

// Columns (F, q) of RunScatter, one row per residual, zero but for the first channel. Sets shape and centre of
// fit.runs. For problems with places and data.
using RunBasis = Eigen::Matrix<double, Eigen::Dynamic, 2>;
RunBasis make_run_basis(const FitProblem& problem, const RowMatrix& jacobian, Fit& fit);
// By how much each file is off, as (a, b): least squares of e by Z, beside the unknowns that only it has.
std::vector<Eigen::Vector2d> find_run_offsets(const FitProblem& problem, const RunBasis& Z,
                                              const RowMatrix& A, const std::vector<int>& free,
                                              const Eigen::VectorXd& e);
// From the scatter of files' factors and shapes, which goes into `between`. A: the residuals' derivatives by the free
// parameters; Z, A, U and e are in scatters. `within`: M of the noise within files, for what single files tell.
// None where files differ otherwise, or leave no degree of freedom.
std::optional<NoiseModel> find_run_noise(const FitProblem& problem, const RunBasis& Z,
                                         const RowMatrix& A, const std::vector<int>& free,
                                         const Eigen::MatrixXd& U, const Eigen::VectorXd& e,
                                         const Eigen::MatrixXd& within, Eigen::Matrix2d& between);

// By leaving out files. `private_count`: of each group, how many unknowns only it depends on
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
