// RBF interpolation: through all data.
#include <cmath>
#include <limits>

#include "granular/kernel_system.hpp"

namespace footfall {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Residual of a configuration that is left out: c_j / B_jj, with B the system's inverse (Rippa 1999).
double left_out(const KernelSystem& system, const LearningData& data,
                const Eigen::MatrixXd& targets, const Eigen::RowVectorXd& weights) {
  if (system.rows.empty()) return 0;
  if (!system.regular) return kNever;
  const Eigen::MatrixXd c = kernel_weights(system, targets);
  double sum = 0;
  for (Eigen::Index k = 0; k < c.rows(); ++k) {
    const double b = system.inverse(k, k);
    const double scale = system.inverse.row(k).head(c.rows()).cwiseAbs().maxCoeff();
    if (!(std::abs(b) > 1e-9 * scale)) return kNever;  // without it the rest is not enough
    const double depth = data.depth[system.rows[static_cast<std::size_t>(k)]];
    sum += (c.row(k).cwiseProduct(weights) * (depth / b)).squaredNorm();
  }
  return sum;
}

}  // namespace

double rbf_leave_one_out(const LearningData& data, const Hyperparameters& h) {
  const Eigen::RowVectorXd weights = part_weights(data);
  return left_out(solve_kernel_system(data, h, 1), data, data.even, weights) +
         left_out(solve_kernel_system(data, h, -1), data, data.odd, weights);
}

Hyperparameters choose_rbf(const LearningData& data) {
  Hyperparameters best;
  double least = kNever;
  const auto consider = [&](Kernel kernel, double depth_share, double tilt_share) {
    const Hyperparameters h = make_hyperparameters(data, kernel, depth_share, tilt_share);
    const double error = rbf_leave_one_out(data, h);
    if (best.depth_length == 0 || error < least) {
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

Expansion fit_rbf(const LearningData& data, const Hyperparameters& h) {
  return fit_kernel_systems(data, h);
}

}  // namespace footfall
