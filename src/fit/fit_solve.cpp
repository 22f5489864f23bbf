#include "fit/fit_solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "fit/least_squares.hpp"
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

// All that are free.
std::vector<ScaledParameter> scale_parameters(const FitProblem& problem) {
  std::vector<ScaledParameter> scaled;
  for (const int index : free_parameters(problem)) {
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
                const std::vector<double>& scatter, std::vector<double> start)
      : parameters(scale_parameters(problem)), x(std::move(start)), problem_(problem),
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

struct Box {
  std::vector<double> lower, upper;  // of y
};

Box box_of(const ScaledProblem& scaled) {
  Box box;
  for (const ScaledParameter& parameter : scaled.parameters) {
    box.lower.push_back(parameter.to_y(parameter.lower));
    box.upper.push_back(parameter.to_y(parameter.upper));
  }
  return box;
}

void solve_by_squares(ScaledProblem& scaled, int residual_count, std::vector<double>& y,
                      Solution& solution) {
  const Box box = box_of(scaled);
  const auto evaluate = [&](const double* at, double* residuals, double* jacobian) {
    return scaled.evaluate(at, residuals, jacobian);
  };
  const SquaresResult result = minimize_squares(evaluate, residual_count, box.lower, box.upper, y);
  solution.iterations = result.iterations;
  solution.converged = result.converged;
}

void solve_by_simplex(ScaledProblem& scaled, std::vector<double>& y, Solution& solution) {
  const Box box = box_of(scaled);
  const auto cost = [&](std::span<const double> at) {
    double value = 0;
    return scaled.evaluate(at.data(), nullptr, nullptr, &value) ? value : kNoCost;
  };
  const SimplexOptions options{
      .tolerance = 1e-10, .most_evaluations = 2000 * static_cast<int>(y.size()), .restarts = 5};
  SimplexResult result = minimize_by_simplex(cost, y, box.lower, box.upper, options);
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
    solve_by_squares(scaled, problem.residual_count, y, solution);
  }
  if (!scaled.evaluate(y.data(), nullptr, nullptr, &solution.cost)) return std::nullopt;
  solution.x = scaled.x;
  return solution;
}

}  // namespace footfall
