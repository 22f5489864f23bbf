// The inner problem of a fit: the best parameters where the channels' scatters are known.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "footfall/fit/fit.hpp"

namespace footfall {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// ρ(u²) of a residual in scatters, ψ = ½ dρ/du and ψ'.
struct LossValue {
  double value = 0, slope = 0, curvature = 0;
};
LossValue evaluate_loss(Loss loss, double robust_scale, double u);

std::vector<int> free_parameters(const FitProblem& problem);
int channel_of(const FitProblem& problem, int residual);

double weight_of(const FitProblem& problem, int residual);

// Both times their weight. False too where a residual or derivative is no number. `jacobian` may be null.
bool evaluate_residuals(const FitProblem& problem, std::span<const double> x,
                        std::vector<double>& residuals, RowMatrix* jacobian);

struct Solution {
  std::vector<double> x;  // all parameters
  double cost = 0;        // Σ ρ
  int iterations = 0;
  bool converged = false;
};
// From `start` (put within the bounds), with the loss and method of `options`; none where the law has
// no value there. `scatter`: of each channel, above zero.
std::optional<Solution> solve_for(const FitProblem& problem, const FitOptions& options,
                                  const std::vector<double>& scatter,
                                  const std::vector<double>& start);

}  // namespace footfall
