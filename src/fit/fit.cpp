#include "footfall/fit/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "fit/fit_solve.hpp"
#include "fit/fit_statistics.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

void check_problem(const FitProblem& problem) {
  const int unknowns = static_cast<int>(free_parameters(problem).size());
  if (problem.residual_count < std::max(unknowns, 1)) {
    std::string names;
    for (const int i : free_parameters(problem)) {
      names += (names.empty() ? "" : ", ") + problem.parameters[i].name;
    }
    throw input_error("{} data points for {} unknowns ({}), expected at least as many: give more "
                      "data, or fix parameters",
                      problem.residual_count, unknowns, names);
  }
}

std::vector<std::vector<double>> list_starts(const FitProblem& problem, int most) {
  size_t count = 1;
  for (const FitParameter& parameter : problem.parameters) {
    if (!parameter.fixed) count = std::max(count, 1 + parameter.starts.size());
  }
  count = std::min(count, static_cast<size_t>(std::max(most, 1)));
  std::vector<std::vector<double>> starts(count);
  for (size_t s = 0; s < count; ++s) {
    for (const FitParameter& parameter : problem.parameters) {
      const bool listed = !parameter.fixed && s > 0 && s <= parameter.starts.size();
      starts[s].push_back(listed ? parameter.starts[s - 1] : parameter.start);
    }
  }
  return starts;
}

// Sizes to divide residuals by before anything is known: those at the first start that has any.
std::vector<double> first_scatter(const FitProblem& problem,
                                  const std::vector<std::vector<double>>& starts) {
  std::vector<double> residuals;
  for (const std::vector<double>& start : starts) {
    if (!evaluate_residuals(problem, start, residuals, nullptr)) continue;
    std::vector<double> scatter = residual_rms(problem, residuals);
    for (double& value : scatter) value = value > 0 ? value : 1;
    return scatter;
  }
  std::string values;
  for (const FitParameter& parameter : problem.parameters) {
    values +=
        fmt::format("{}{} = {:g}", values.empty() ? "" : ", ", parameter.name, parameter.start);
  }
  throw input_error("the law has no value at the start ({}): fix the parameters that are known, "
                    "nearer to the truth",
                    values);
}

struct Found {
  Solution solution;
  int starts = 1, agree = 1;
};

// The best of all starts, by the sum of squares.
Found solve_from(const std::vector<std::vector<double>>& starts, const FitProblem& problem,
                 const FitOptions& options, const std::vector<double>& scatter) {
  FitOptions squares = options;
  squares.loss = Loss::square;
  std::vector<Solution> found;
  for (const std::vector<double>& start : starts) {
    if (std::optional<Solution> solution = solve_for(problem, squares, scatter, start)) {
      found.push_back(std::move(*solution));
    }
  }
  if (found.empty()) throw InputError("the law has no value at any start of the fit");
  const Solution& best = *std::ranges::min_element(found, {}, &Solution::cost);
  // costs are in squares of the first residuals: below a millionth of those all valleys are exact
  const double same = best.cost * (1 + 1e-4) + 1e-12 * problem.residual_count;
  const auto agree =
      std::ranges::count_if(found, [&](const Solution& solution) { return solution.cost <= same; });
  return {best, static_cast<int>(starts.size()), static_cast<int>(agree)};
}

// Scatters and parameters in turns, until both stand still.
void solve_in_turns(const FitProblem& problem, const FitOptions& options,
                    std::vector<double> scatter, Found& found) {
  const bool robust = options.loss != Loss::square;
  if (!robust && problem.channels.size() == 1) return;
  constexpr int kMostTurns = 30;
  constexpr double kStandsStill = 1e-4;
  std::vector<double> residuals;
  RowMatrix jacobian;
  if (!evaluate_residuals(problem, found.solution.x, residuals, &jacobian)) return;
  const std::vector<double> size = data_size(problem, found.solution.x, jacobian);
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const std::vector<double> next =
        robust ? residual_median_scatter(problem, residuals) : residual_rms(problem, residuals);
    bool still = turn > 0;
    for (size_t c = 0; c < next.size(); ++c) {
      // without scatter in the data it would shrink for ever
      const double value = std::max(next[c], kRoundOff * size[c]);
      still = still && std::abs(value - scatter[c]) <= kStandsStill * scatter[c];
      scatter[c] = value > 0 ? value : 1;
    }
    if (still) return;
    std::optional<Solution> solution = solve_for(problem, options, scatter, found.solution.x);
    if (!solution || !evaluate_residuals(problem, solution->x, residuals, nullptr)) return;
    solution->iterations += found.solution.iterations;
    found.solution = std::move(*solution);
  }
  found.solution.converged = false;
}

}  // namespace

const Estimate& Fit::find(const std::string& name) const {
  const auto found = std::ranges::find(parameters, name, &Estimate::name);
  if (found == parameters.end()) throw std::out_of_range("no parameter " + name);
  return *found;
}

double Fit::value(const std::string& name) const { return find(name).value; }

Fit fit(const FitProblem& problem, const FitOptions& options) {
  check_problem(problem);
  const std::vector<std::vector<double>> starts = list_starts(problem, options.starts);
  const std::vector<double> scatter = first_scatter(problem, starts);
  Found found = solve_from(starts, problem, options, scatter);
  solve_in_turns(problem, options, scatter, found);

  Fit result;
  result.iterations = found.solution.iterations;
  result.converged = found.solution.converged;
  result.starts = found.starts;
  result.starts_that_agree = found.agree;
  for (size_t i = 0; i < problem.parameters.size(); ++i) {
    const FitParameter& parameter = problem.parameters[i];
    const double value = found.solution.x[i];
    result.parameters.push_back({.name = parameter.name,
                                 .unit = parameter.unit,
                                 .value = value,
                                 .lower = value,
                                 .upper = value,
                                 .fixed = parameter.fixed,
                                 .nuisance = parameter.nuisance});
  }
  RowMatrix jacobian;
  if (!evaluate_residuals(problem, found.solution.x, result.residuals, &jacobian)) {
    throw InputError("the law has no derivatives at the solution of the fit");
  }
  result.confidence = options.confidence;
  fill_statistics(problem, options, jacobian, result);
  fill_run_scatter(problem, jacobian, result);
  fill_groups(problem, options, jacobian, result);
  add_warnings(problem, options, jacobian, result);
  if (!problem.weight.empty()) {
    for (int i = 0; i < problem.residual_count; ++i) result.residuals[i] /= weight_of(problem, i);
    result.rms_residual = residual_rms(problem, result.residuals)[0];
  }
  return result;
}

double band_half_width(const Fit& fit, std::span<const double> gradient) {
  const Eigen::Map<const Eigen::VectorXd> g(gradient.data(), Eigen::Index(gradient.size()));
  for (const auto& direction : fit.undetermined.colwise()) {
    const double size = g.cwiseAbs().dot(direction.cwiseAbs());
    if (std::abs(g.dot(direction)) > 1e-6 * size) return std::numeric_limits<double>::infinity();
  }
  return fit.t_quantile * std::sqrt(std::max(0.0, g.dot(fit.covariance * g)));
}

}  // namespace footfall
