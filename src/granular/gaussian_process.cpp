// Gaussian processes: Matérn's covariance, a mean of first degree, noise (Rasmussen and Williams 2006, 2.7).
// Each direction and part has its own amplitude; lengths and noise are shared, and maximise the likelihood
// of all of them with amplitudes and means integrated or maximised out.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "granular/kernel_system.hpp"

namespace footfall {

double gp_likelihood(const LearningData& data, const Hyperparameters& h) {
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

Hyperparameters choose_gp(const LearningData& data) {
  constexpr double kLeastNoise = 1e-5, kMostNoise = 10, kLeastShare = 0.1, kMostShare = 20;
  struct Place {
    std::array<double, 3> x;  // logarithms: depth and tilt in shares, noise
    double value;
  };
  const auto at = [&](const std::array<double, 3>& x) {
    Hyperparameters h = make_hyperparameters(data, Kernel::matern, std::exp(x[0]), std::exp(x[1]));
    h.noise = std::exp(x[2]);
    return h;
  };
  const auto look = [&](const std::array<double, 3>& x) {
    return Place{x, gp_likelihood(data, at(x))};
  };
  Place best = look({0, 0, std::log(0.03)});
  const auto keep = [&](const Place& place) {
    if (place.value > best.value) best = place;
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

Expansion fit_gp(const LearningData& data, const Hyperparameters& h) {
  return fit_kernel_systems(data, h);
}

}  // namespace footfall
