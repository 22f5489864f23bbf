#include <cmath>
#include <limits>

#include "granular/regression.hpp"

namespace footfall {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kLeastConditioning = 1e-8;  // flatter kernels go through the data by cancellation

// (K F; Fᵀ 0) of one part, even or odd, of the configurations `rows`; F holds the polynomial's terms.
struct RbfSystem {
  std::vector<Eigen::Index> rows;
  Eigen::Index terms = 0;
  Eigen::MatrixXd inverse;
  bool regular = false;
};

bool varies(const Eigen::VectorXd& values) {
  return values.size() > 2 && values.maxCoeff() > values.minCoeff();
}

RbfSystem solve_system(const LearningData& data, const Hyperparameters& h, int sign) {
  RbfSystem system;
  for (Eigen::Index j = 0; j < data.size(); ++j) {
    if (sign > 0 || data.tilt[j] > 0) system.rows.push_back(j);
  }
  const auto n = static_cast<Eigen::Index>(system.rows.size());
  if (n == 0) return system;
  const Eigen::VectorXd depth = data.depth(system.rows), tilt = data.tilt(system.rows);
  system.terms = sign > 0 && varies(depth) ? 2 : 1;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n + system.terms, n + system.terms);
  a.topLeftCorner(n, n) = kernel_matrix(h, sign, depth, tilt, depth, tilt);
  for (Eigen::Index i = 0; i < n; ++i) {
    a(i, n) = a(n, i) = sign > 0 ? 1 : tilt[i] / data.largest_tilt;
    if (system.terms == 2) a(i, n + 1) = a(n + 1, i) = depth[i] / data.deepest;
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(a);
  system.regular = lu.rcond() > kLeastConditioning;
  system.inverse = lu.inverse();
  return system;
}

// One row for each configuration, then those of the polynomial: two of the even part, one of the odd.
Eigen::MatrixXd coefficients(const RbfSystem& system, const Eigen::MatrixXd& targets,
                             Eigen::Index polynomial_rows) {
  const auto n = static_cast<Eigen::Index>(system.rows.size());
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(targets.rows() + polynomial_rows, targets.cols());
  if (n == 0) return c;
  const Eigen::MatrixXd solved = system.inverse.leftCols(n) * targets(system.rows, Eigen::all);
  c(system.rows, Eigen::all) = solved.topRows(n);
  c.middleRows(targets.rows(), system.terms) = solved.bottomRows(system.terms);
  return c;
}

// Residual of a configuration that is left out: c_j / B_jj, with B the system's inverse (Rippa 1999).
double left_out(const RbfSystem& system, const LearningData& data, const Eigen::MatrixXd& targets,
                const Eigen::RowVectorXd& weights) {
  const auto n = static_cast<Eigen::Index>(system.rows.size());
  if (n == 0) return 0;
  if (!system.regular) return kNever;
  const Eigen::MatrixXd c = system.inverse.topLeftCorner(n, n) * targets(system.rows, Eigen::all);
  double sum = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    const double b = system.inverse(k, k);
    const double scale = system.inverse.row(k).head(n).cwiseAbs().maxCoeff();
    if (!(std::abs(b) > 1e-9 * scale)) return kNever;  // without it the rest is not enough
    const double depth = data.depth[system.rows[static_cast<std::size_t>(k)]];
    sum += (c.row(k).cwiseProduct(weights) * (depth / b)).squaredNorm();
  }
  return sum;
}

}  // namespace

Eigen::RowVectorXd part_weights(const LearningData& data) {
  const Eigen::Index m = data.columns() / 3;
  Eigen::RowVectorXd weights(data.columns());
  for (Eigen::Index part = 0; part < 3; ++part) {
    const auto wrenches = [&](const Eigen::MatrixXd& parts) {
      return (data.depth.asDiagonal() * parts.middleCols(part * m, m)).squaredNorm();
    };
    const double sum = wrenches(data.even) + wrenches(data.odd);
    const double rms = std::sqrt(sum / static_cast<double>(data.size() * m));
    weights.segment(part * m, m).setConstant(rms > 0 ? 1 / rms : 0);
  }
  return weights;
}

Expansion fit_rbf(const LearningData& data, const Hyperparameters& h) {
  Expansion expansion{h,  data.depth, data.tilt, data.deepest, std::max(data.largest_tilt, 1e-300),
                      {}, {}};
  expansion.even = coefficients(solve_system(data, h, 1), data.even, 2);
  expansion.odd = coefficients(solve_system(data, h, -1), data.odd, 1);
  return expansion;
}

double rbf_leave_one_out(const LearningData& data, const Hyperparameters& h) {
  const Eigen::RowVectorXd weights = part_weights(data);
  return left_out(solve_system(data, h, 1), data, data.even, weights) +
         left_out(solve_system(data, h, -1), data, data.odd, weights);
}

Hyperparameters choose_rbf(const LearningData& data) {
  Hyperparameters best;
  double least = kNever;
  const auto consider = [&](Kernel kernel, double depth_share, double tilt_share) {
    Hyperparameters h{.kernel = kernel,
                      .depth_length = depth_share * data.deepest,
                      .tilt_length = tilt_share * (data.largest_tilt > 0 ? data.largest_tilt : 1)};
    const double error = rbf_leave_one_out(data, h);
    if (least == kNever || error < least) {
      least = error;
      best = h;
    }
  };
  for (const double ratio : {1.0, 0.5, 2.0}) {
    consider(Kernel::linear, 1, ratio);
    consider(Kernel::thin_plate, 1, ratio);
    for (const double length : {0.25, 0.5, 1.0, 2.0}) {
      for (const Kernel kernel : {Kernel::gaussian, Kernel::inverse_multiquadric, Kernel::matern}) {
        consider(kernel, length, ratio * length);
      }
    }
  }
  return best;
}

}  // namespace footfall
