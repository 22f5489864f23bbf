// RBF interpolation and Gaussian processes. Both solve a linear system, with a polynomial of first degree:
//
//   (K + ½ν I   F) (c)   (t)
//   (Fᵀ         0) (b) = (0)
//
// for the even and for the odd part. ν is the noise's variance over the function's, of a single measurement;
// even and odd part are means of two. F holds 1 and d, or φ, in shares of the largest.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "granular/regression.hpp"

namespace footfall {
namespace {

struct KernelSystem {
  std::vector<Eigen::Index>
      rows;                // of the data that it is about; of the odd part without upright feet
  Eigen::Index terms = 0;  // of the polynomial
  Eigen::MatrixXd inverse;
  double log_determinant = 0;  // of its absolute value
  bool regular = false;
};

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

KernelSystem solve_kernel_system(const TrainingSet& data, const Hyperparameters& h, int sign) {
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

constexpr double kNever = std::numeric_limits<double>::infinity();

// Residual of a configuration that is left out: c_j / B_jj, with B the system's inverse (Rippa 1999).
double left_out(const KernelSystem& system, const TrainingSet& data, const Eigen::MatrixXd& targets,
                const Eigen::RowVectorXd& weights) {
  if (system.rows.empty()) return 0;
  if (!system.regular) return kNever;
  const Eigen::MatrixXd c = kernel_weights(system, targets);
  double sum = 0;
  for (Eigen::Index k = 0; k < c.rows(); ++k) {
    const double b = system.inverse(k, k);
    const double scale = system.inverse.row(k).head(c.rows()).cwiseAbs().maxCoeff();
    if (!(std::abs(b) > 1e-9 * scale)) return kNever;  // without it the rest is not enough
    const double depth = data.depth[system.rows[k]];
    sum += (c.row(k).cwiseProduct(weights) * (depth / b)).squaredNorm();
  }
  return sum;
}

}  // namespace

Expansion fit_kernels(const TrainingSet& data, const Hyperparameters& h) {
  Expansion expansion = make_expansion(data, h);
  expansion.even = system_coefficients(solve_kernel_system(data, h, 1), data.even, 2);
  expansion.odd = system_coefficients(solve_kernel_system(data, h, -1), data.odd, 1);
  return expansion;
}

// ---- RBF interpolation: through all data ----

double rbf_leave_one_out(const TrainingSet& data, const Hyperparameters& h) {
  const Eigen::RowVectorXd weights = part_weights(data);
  return left_out(solve_kernel_system(data, h, 1), data, data.even, weights) +
         left_out(solve_kernel_system(data, h, -1), data, data.odd, weights);
}

Hyperparameters choose_rbf(const TrainingSet& data) {
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

// ---- Gaussian processes: Matérn's covariance, a mean of first degree, noise (Rasmussen and Williams 2006, 2.7) ----
// Each direction and part has its own amplitude; lengths and noise are shared, and maximise the likelihood
// of all of them with amplitudes and means integrated or maximised out.

double gp_likelihood(const TrainingSet& data, const Hyperparameters& h) {
  const KernelSystem even = solve_kernel_system(data, h, 1), odd = solve_kernel_system(data, h, -1);
  if (!even.regular || !odd.regular) return -std::numeric_limits<double>::infinity();
  const auto add = [](const KernelSystem& system, const Eigen::MatrixXd& targets,
                      Eigen::RowVectorXd& form) {
    if (system.rows.empty()) return;
    form += kernel_weights(system, targets)
                .cwiseProduct(targets(system.rows, Eigen::all))
                .colwise()
                .sum();
  };
  Eigen::RowVectorXd form = Eigen::RowVectorXd::Zero(data.columns());  // tᵀ(K + ½νI)⁻¹t, means out
  add(even, data.even, form);
  add(odd, data.odd, form);
  const auto freedom = static_cast<double>(even.rows.size() + odd.rows.size()) -
                       static_cast<double>(even.terms + odd.terms);
  if (freedom < 1) return -std::numeric_limits<double>::infinity();
  const double determinants = 0.5 * (even.log_determinant + odd.log_determinant);
  double sum = 0;
  for (const double f : form) {
    // a part that vanishes by symmetry says nothing
    if (f > 0) sum -= 0.5 * freedom * std::log(f / freedom) + determinants;
  }
  return sum;
}

Hyperparameters choose_gp(const TrainingSet& data) {
  constexpr double kLeastNoise = 1e-5, kMostNoise = 10, kLeastShare = 0.1, kMostShare = 20;
  struct Trial {
    std::array<double, 3> x;  // logarithms: depth and tilt in shares, noise
    double value;
  };
  const auto at = [&](const std::array<double, 3>& x) {
    Hyperparameters h = make_hyperparameters(data, Kernel::matern, std::exp(x[0]), std::exp(x[1]));
    h.noise = std::exp(x[2]);
    return h;
  };
  const auto look = [&](const std::array<double, 3>& x) {
    return Trial{x, gp_likelihood(data, at(x))};
  };
  Trial best = look({0, 0, std::log(0.03)});
  const auto keep = [&](const Trial& trial) {
    if (trial.value > best.value) best = trial;
  };
  for (const double depth : {0.5, 1.0, 2.0, 4.0}) {
    for (const double tilt : {0.5, 1.0, 2.0, 4.0}) {
      for (const double noise : {0.003, 0.03, 0.3}) {
        keep(look({std::log(depth), std::log(tilt), std::log(noise)}));
      }
    }
  }
  for (double step = 0.5; step > 0.05;) {
    const double before = best.value;
    for (std::size_t i = 0; i < 3; ++i) {
      for (const double side : {-step, step}) {
        std::array<double, 3> x = best.x;
        const double low = std::log(i == 2 ? kLeastNoise : kLeastShare);
        const double high = std::log(i == 2 ? kMostNoise : kMostShare);
        x[i] = std::clamp(x[i] + side, low, high);
        keep(look(x));
      }
    }
    if (best.value <= before) step /= 2;
  }
  return at(best.x);
}

}  // namespace footfall
