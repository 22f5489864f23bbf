#include "fit/fit_solve.hpp"

#include <ceres/cost_function.h>
#include <ceres/problem.h>
#include <ceres/solver.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "fit/nelder_mead.hpp"

namespace footfall {
namespace {

constexpr double kNoCost = std::numeric_limits<double>::infinity();

// One free parameter x and the number y that the solver sees, of the order of one: ln x, or x by its
// start.
struct ScaledParameter {
  int index = 0;
  bool logarithmic = false;
  double size = 1;
  double lower = 0, upper = 0;  // of x

  double to_y(double x) const { return logarithmic ? std::log(x) : x / size; }
  double to_x(double y) const {
    return std::clamp(logarithmic ? std::exp(y) : y * size, lower, upper);
  }
  double slope(double x) const { return logarithmic ? x : size; }  // dx/dy
};

// All that are free, but not those in `held`.
std::vector<ScaledParameter> scale_parameters(const FitProblem& problem,
                                              const std::vector<int>& held) {
  std::vector<ScaledParameter> scaled;
  for (const int index : free_parameters(problem)) {
    if (std::ranges::find(held, index) != held.end()) continue;
    const FitParameter& parameter = problem.parameters[index];
    if (!(parameter.lower < parameter.upper) || (parameter.logarithmic && parameter.lower < 0)) {
      throw std::invalid_argument("fit: bounds of " + parameter.name);
    }
    const double range = parameter.upper - parameter.lower;
    double size = std::abs(parameter.start);
    if (size == 0) size = std::isfinite(range) ? range : 1;
    scaled.push_back({index, parameter.logarithmic, size, parameter.lower, parameter.upper});
  }
  return scaled;
}

// The scaled residuals r̃ = sign(u) √ρ(u²), u = r/s, whose sum of squares is the objective exactly, by
// the scaled parameters.
class ScaledProblem {
 public:
  ScaledProblem(const FitProblem& problem, const FitOptions& options,
                const std::vector<double>& scatter, std::vector<double> start,
                const std::vector<int>& held = {})
      : parameters(scale_parameters(problem, held)), x(std::move(start)), problem_(problem),
        options_(options), scatter_(scatter) {
    for (const ScaledParameter& parameter : parameters) {
      double& value = x[parameter.index];
      value = std::clamp(value, parameter.lower, parameter.upper);
      if (parameter.logarithmic && !(value > 0)) {
        throw std::invalid_argument("fit: start of " + problem.parameters[parameter.index].name);
      }
    }
  }

  std::vector<double> y() const {
    std::vector<double> scaled;
    scaled.reserve(parameters.size());
    for (const ScaledParameter& parameter : parameters) {
      scaled.push_back(parameter.to_y(x[parameter.index]));
    }
    return scaled;
  }
  void set_y(const double* y) {
    for (const ScaledParameter& parameter : parameters) x[parameter.index] = parameter.to_x(*y++);
  }

  // `residuals` and `jacobian` (row by row) may be null.
  bool evaluate(const double* y, double* residuals, double* jacobian, double* cost = nullptr) {
    set_y(y);
    if (!evaluate_residuals(problem_, x, residuals_, jacobian ? &jacobian_ : nullptr)) return false;
    double sum = 0;
    for (int i = 0; i < problem_.residual_count; ++i) {
      const double s = scatter_[channel_of(problem_, i)];
      const double u = residuals_[i] / s;
      const LossValue loss = evaluate_loss(options_.loss, options_.robust_scale, u);
      const double root = std::copysign(std::sqrt(loss.value), u);
      sum += loss.value;
      if (residuals) residuals[i] = root;
      if (!jacobian) continue;
      const double slope = (root != 0 ? loss.slope / root : 1) / s;
      for (const ScaledParameter& parameter : parameters) {
        *jacobian++ = slope * jacobian_(i, parameter.index) * parameter.slope(x[parameter.index]);
      }
    }
    if (cost) *cost = sum;
    return std::isfinite(sum);
  }

  std::vector<ScaledParameter> parameters;
  std::vector<double> x;

 private:
  const FitProblem& problem_;
  const FitOptions& options_;
  const std::vector<double>& scatter_;
  std::vector<double> residuals_;
  RowMatrix jacobian_;
};

class ScaledResiduals : public ceres::CostFunction {
 public:
  ScaledResiduals(ScaledProblem& scaled, int residual_count) : scaled_(scaled) {
    set_num_residuals(residual_count);
    mutable_parameter_block_sizes()->push_back(static_cast<int>(scaled.parameters.size()));
  }
  bool Evaluate(const double* const* y, double* residuals, double** jacobians) const override {
    return scaled_.evaluate(y[0], residuals, jacobians ? jacobians[0] : nullptr);
  }

 private:
  ScaledProblem& scaled_;
};

// Tolerances are those of the arithmetic: without scatter in the data the parameters are found to
// nearly all digits. (Ceres stops where either the parameters or the cost stand still.)
void solve_by_ceres(ScaledProblem& scaled, int residual_count, std::vector<double>& y,
                    Solution& solution) {
  ceres::Problem problem;
  problem.AddResidualBlock(new ScaledResiduals(scaled, residual_count), nullptr, y.data());
  for (size_t i = 0; i < y.size(); ++i) {
    const ScaledParameter& parameter = scaled.parameters[i];
    const double lower = parameter.to_y(parameter.lower), upper = parameter.to_y(parameter.upper);
    if (std::isfinite(lower)) problem.SetParameterLowerBound(y.data(), static_cast<int>(i), lower);
    if (std::isfinite(upper)) problem.SetParameterUpperBound(y.data(), static_cast<int>(i), upper);
  }
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.logging_type = ceres::SILENT;
  options.max_num_iterations = 500;
  options.max_num_consecutive_invalid_steps = 50;
  options.function_tolerance = 1e-15;
  options.gradient_tolerance = 0;
  options.parameter_tolerance = 1e-13;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  solution.iterations += static_cast<int>(summary.iterations.size());
  solution.converged = summary.termination_type == ceres::CONVERGENCE;
}

// Parameters on a bound beyond which the cost would fall further.
std::vector<int> pushed_against_bounds(ScaledProblem& scaled, int residual_count) {
  const auto side = [&](const ScaledParameter& parameter) {
    const double y = parameter.to_y(scaled.x[parameter.index]);
    const double near = 1e-12 * std::max(1.0, std::abs(y));
    if (y - parameter.to_y(parameter.lower) <= near) return -1;
    return parameter.to_y(parameter.upper) - y <= near ? 1 : 0;
  };
  if (std::ranges::all_of(scaled.parameters, [&](const auto& p) { return side(p) == 0; }))
    return {};
  Eigen::VectorXd residuals(residual_count);
  RowMatrix jacobian(residual_count, Eigen::Index(scaled.parameters.size()));
  if (!scaled.evaluate(scaled.y().data(), residuals.data(), jacobian.data())) return {};
  const Eigen::VectorXd gradient = jacobian.transpose() * residuals;
  std::vector<int> pushed;
  for (size_t i = 0; i < scaled.parameters.size(); ++i) {
    const int at = side(scaled.parameters[i]);
    if (at != 0 && at * gradient[Eigen::Index(i)] < 0) pushed.push_back(scaled.parameters[i].index);
  }
  return pushed;
}

// Ceres takes the step that knows no bounds and cuts it off there. Where a parameter stays on its
// bound that step is wrong for the others too, and the search gets stuck; so it goes on without those
// parameters, until the same ones are held. Changes x.
void solve_within_bounds(const FitProblem& problem, const FitOptions& options,
                         const std::vector<double>& scatter, std::vector<double>& x,
                         Solution& solution) {
  constexpr int kMostTurns = 10;
  std::vector<int> held;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    ScaledProblem part(problem, options, scatter, x, held);
    std::vector<double> y = part.y();
    if (!y.empty()) solve_by_ceres(part, problem.residual_count, y, solution);
    part.set_y(y.data());
    x = part.x;
    ScaledProblem whole(problem, options, scatter, x);
    const std::vector<int> pushed = pushed_against_bounds(whole, problem.residual_count);
    if (pushed == held) return;
    held = pushed;
  }
  solution.converged = false;
}

void solve_by_simplex(ScaledProblem& scaled, std::vector<double>& y, Solution& solution) {
  std::vector<double> lower, upper;
  for (const ScaledParameter& parameter : scaled.parameters) {
    lower.push_back(parameter.to_y(parameter.lower));
    upper.push_back(parameter.to_y(parameter.upper));
  }
  const auto cost = [&](std::span<const double> at) {
    double value = 0;
    return scaled.evaluate(at.data(), nullptr, nullptr, &value) ? value : kNoCost;
  };
  const SimplexOptions options{
      .tolerance = 1e-10, .most_evaluations = 2000 * static_cast<int>(y.size()), .restarts = 5};
  SimplexResult result = minimize_by_simplex(cost, y, lower, upper, options);
  y = std::move(result.x);
  solution.iterations = result.evaluations;
  solution.converged = result.converged;
}

}  // namespace

LossValue evaluate_loss(Loss loss, double robust_scale, double u) {
  const double c = robust_scale, size = std::abs(u);
  if (loss == Loss::huber && size > c) return {c * (2 * size - c), std::copysign(c, u), 0};
  if (loss == Loss::cauchy) {
    const double q = u / c * (u / c);
    return {c * c * std::log1p(q), u / (1 + q), (1 - q) / ((1 + q) * (1 + q))};
  }
  return {u * u, u, 1};
}

std::vector<int> free_parameters(const FitProblem& problem) {
  std::vector<int> indices;
  for (size_t i = 0; i < problem.parameters.size(); ++i) {
    if (!problem.parameters[i].fixed) indices.push_back(static_cast<int>(i));
  }
  return indices;
}

int channel_of(const FitProblem& problem, int residual) {
  return problem.channel.empty() ? 0 : problem.channel[residual];
}

double weight_of(const FitProblem& problem, int residual) {
  return problem.weight.empty() ? 1 : problem.weight[problem.group[residual]];
}

bool evaluate_residuals(const FitProblem& problem, std::span<const double> x,
                        std::vector<double>& residuals, RowMatrix* jacobian) {
  residuals.resize(problem.residual_count);
  if (jacobian) jacobian->setZero(problem.residual_count, Eigen::Index(problem.parameters.size()));
  if (!problem.evaluate(x, residuals, jacobian ? jacobian->data() : nullptr)) return false;
  for (int i = 0; !problem.weight.empty() && i < problem.residual_count; ++i) {
    residuals[i] *= weight_of(problem, i);
    if (jacobian) jacobian->row(i) *= weight_of(problem, i);
  }
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(residuals, is_finite)) return false;
  for (const int i : free_parameters(problem)) {
    if (jacobian && !jacobian->col(i).allFinite()) return false;
  }
  return true;
}

std::optional<Solution> solve_for(const FitProblem& problem, const FitOptions& options,
                                  const std::vector<double>& scatter,
                                  const std::vector<double>& start) {
  ScaledProblem scaled(problem, options, scatter, start);
  std::vector<double> y = scaled.y();
  Solution solution;
  if (!scaled.evaluate(y.data(), nullptr, nullptr, &solution.cost)) return std::nullopt;
  solution.converged = true;
  if (options.method == FitMethod::nelder_mead && !y.empty()) {
    solve_by_simplex(scaled, y, solution);
  } else if (!y.empty()) {
    solve_within_bounds(problem, options, scatter, scaled.x, solution);
    y = scaled.y();
  }
  if (!scaled.evaluate(y.data(), nullptr, nullptr, &solution.cost)) return std::nullopt;
  solution.x = scaled.x;
  return solution;
}

}  // namespace footfall
