// Support-vector regression (Vapnik; Smola and Schölkopf 2004), one target at a time: errors below ε cost
// nothing, beyond it they cost C for each unit. In the dual, with the bias within the kernel,
//
//   min  ½ βᵀKβ − tᵀβ + ε |β|₁,   |β_j| ≤ C;    f(θ) = Σ_j k(θ, θ_j) β_j
//
// which is convex, and strictly so where K is positive definite. An active-set method: some sweeps over
// single weights guess which are zero, which at C and which free between; the free ones go to their best at
// once, and stop where one of them meets zero or C; when all are at their best, the weight that violates its
// condition most is set free. With the residuals r = t − Kβ these are
//
//   β = 0: |r| ≤ ε;   0 < |β| < C: r = ε sign β;   |β| = C: r sign β ≥ ε
#pragma once

#include <Eigen/Dense>

namespace footfall {

struct SupportVectors {
  Eigen::VectorXd weights;  // β
  double violation = 0;     // of the conditions above, the largest, over that of |t|
  Eigen::Index steps = 0;
};

SupportVectors solve_support_vectors(const Eigen::MatrixXd& kernel, const Eigen::VectorXd& target,
                                     double tube, double bound);

}  // namespace footfall
