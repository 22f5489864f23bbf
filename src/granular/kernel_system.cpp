#include "granular/kernel_system.hpp"

namespace footfall {
namespace {

constexpr double kLeastConditioning = 1e-8;  // flatter kernels go through the data by cancellation

bool has_depths(const Eigen::VectorXd& depth) {
  return depth.size() > 2 && depth.maxCoeff() > depth.minCoeff();
}

// One row for each configuration, then those of the polynomial.
Eigen::MatrixXd system_coefficients(const KernelSystem& system, const Eigen::MatrixXd& targets,
                                    Eigen::Index polynomial_rows) {
  const auto n = static_cast<Eigen::Index>(system.rows.size());
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(targets.rows() + polynomial_rows, targets.cols());
  if (n == 0) return c;
  const Eigen::MatrixXd solved = system.inverse.leftCols(n) * targets(system.rows, Eigen::all);
  c(system.rows, Eigen::all) = solved.topRows(n);
  c.middleRows(targets.rows(), system.terms) = solved.bottomRows(system.terms);
  return c;
}

}  // namespace

KernelSystem solve_kernel_system(const LearningData& data, const Hyperparameters& h, int sign) {
  KernelSystem system;
  for (Eigen::Index j = 0; j < data.size(); ++j) {
    if (sign > 0 || data.tilt[j] > 0) system.rows.push_back(j);
  }
  const auto n = static_cast<Eigen::Index>(system.rows.size());
  system.regular = true;
  if (n == 0) return system;
  const Eigen::VectorXd depth = data.depth(system.rows), tilt = data.tilt(system.rows);
  system.terms = sign > 0 && has_depths(depth) ? 2 : 1;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n + system.terms, n + system.terms);
  a.topLeftCorner(n, n) = kernel_matrix(h, sign, depth, tilt, depth, tilt);
  a.diagonal().head(n).array() += 0.5 * h.noise;
  for (Eigen::Index i = 0; i < n; ++i) {
    a(i, n) = a(n, i) = sign > 0 ? 1 : tilt[i] / data.largest_tilt;
    if (system.terms == 2) a(i, n + 1) = a(n + 1, i) = depth[i] / data.deepest;
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(a);
  system.regular = lu.rcond() > kLeastConditioning;
  system.inverse = lu.inverse();
  system.log_determinant = lu.matrixLU().diagonal().array().abs().log().sum();
  return system;
}

Eigen::MatrixXd kernel_weights(const KernelSystem& system, const Eigen::MatrixXd& targets) {
  const auto n = static_cast<Eigen::Index>(system.rows.size());
  return system.inverse.topLeftCorner(n, n) * targets(system.rows, Eigen::all);
}

Expansion fit_kernel_systems(const LearningData& data, const Hyperparameters& h) {
  Expansion expansion = make_expansion(data, h);
  expansion.even = system_coefficients(solve_kernel_system(data, h, 1), data.even, 2);
  expansion.odd = system_coefficients(solve_kernel_system(data, h, -1), data.odd, 1);
  return expansion;
}

}  // namespace footfall
