// Fits to a part of the data: each file alone, and cross-validation.
#include <algorithm>
#include <cmath>
#include <memory>

#include "fit/fit_solve.hpp"
#include "fit/fit_statistics.hpp"
#include "footfall/error.hpp"
#include "footfall/fit/fit.hpp"

namespace footfall {
namespace {

int group_of(const FitProblem& problem, int residual) {
  return problem.group.empty() ? 0 : problem.group[residual];
}

// The problem with these residuals alone, from x on. Nuisance parameters that none of them depends on
// (the impact speed of another file) stay as they are. Valid as long as `problem` is.
FitProblem restrict_to(const std::vector<int>& rows, const FitProblem& problem, const Fit& fit,
                       const RowMatrix& jacobian) {
  FitProblem part = problem;
  part.residual_count = static_cast<int>(rows.size());
  part.group.clear();
  part.channel.clear();
  part.place.clear();
  part.data.clear();
  part.weight.clear();  // evaluate_residuals below has it
  for (const int row : rows) {
    part.group.push_back(group_of(problem, row));
    part.channel.push_back(channel_of(problem, row));
    if (!problem.place.empty()) part.place.push_back(problem.place[row]);
    if (!problem.data.empty()) part.data.push_back(problem.data[row]);
  }
  for (size_t i = 0; i < part.parameters.size(); ++i) {
    FitParameter& parameter = part.parameters[i];
    parameter.start = fit.parameters[i].value;
    parameter.starts.clear();
    const bool counts = std::ranges::any_of(rows, [&](int row) { return jacobian(row, i) != 0; });
    if (parameter.nuisance && !counts) parameter.fixed = true;
  }
  struct Scratch {
    std::vector<double> residuals;
    RowMatrix jacobian;
  };
  part.evaluate = [&problem, rows, scratch = std::make_shared<Scratch>()](
                      std::span<const double> x, std::span<double> residuals, double* out) {
    if (!evaluate_residuals(problem, x, scratch->residuals, out ? &scratch->jacobian : nullptr)) {
      return false;
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      residuals[i] = scratch->residuals[rows[i]];
      if (out) out = std::copy_n(scratch->jacobian.row(rows[i]).data(), x.size(), out);
    }
    return true;
  };
  return part;
}

FitOptions options_of_part(FitOptions options) {
  options.starts = 1;
  options.per_group = false;
  return options;
}

// What one file cannot tell (k_c of one width, c under one load) is fixed where all files have it.
std::vector<Estimate> fit_alone(FitProblem part, const FitOptions& options) {
  while (true) {
    const std::vector<int> free = free_parameters(part);
    if (free.empty() || part.residual_count <= static_cast<int>(free.size())) return {};
    Fit alone = fit(part, options_of_part(options));
    if (!alone.converged && alone.undetermined.cols() == 0) return {};
    if (alone.undetermined.cols() == 0) return std::move(alone.parameters);
    const auto unknown = std::ranges::find_if(
        free, [&](int i) { return std::isinf(alone.parameters[i].standard_error); });
    if (unknown == free.end()) return {};
    part.parameters[*unknown].fixed = true;
  }
}

// Residuals to leave out, fold by fold.
std::vector<std::vector<int>> list_folds(const FitProblem& problem, int folds) {
  const bool by_group = problem.groups.size() >= 3;
  std::vector<std::vector<int>> left_out(by_group ? problem.groups.size() : size_t(folds));
  if (by_group) {
    for (int i = 0; i < problem.residual_count; ++i) left_out[group_of(problem, i)].push_back(i);
    return left_out;
  }
  // A stretch is long enough that what is left out cannot be read off its neighbours, and short enough
  // that every fold has some from everywhere.
  constexpr int kStretchesPerFold = 4;
  std::vector<std::vector<int>> sequences(std::max<size_t>(problem.groups.size(), 1) *
                                          problem.channels.size());
  for (int i = 0; i < problem.residual_count; ++i) {
    sequences[group_of(problem, i) * problem.channels.size() + channel_of(problem, i)].push_back(i);
  }
  for (const std::vector<int>& sequence : sequences) {
    const size_t stretches = std::min(sequence.size(), size_t(folds) * kStretchesPerFold);
    for (size_t i = 0; i < sequence.size(); ++i) {
      left_out[i * stretches / sequence.size() % size_t(folds)].push_back(sequence[i]);
    }
  }
  return left_out;
}

}  // namespace

std::vector<double> spread_between(const std::vector<GroupFit>& groups, size_t parameter_count) {
  const auto is_fitted = [](const GroupFit& group) { return !group.alone.empty(); };
  if (std::ranges::count_if(groups, is_fitted) < 2) return {};
  std::vector<double> spread(parameter_count, 0.0);
  for (size_t i = 0; i < parameter_count; ++i) {
    double sum = 0, count = 0, squares = 0;
    for (const GroupFit& group : groups) {
      if (group.alone.empty() || group.alone[i].fixed) continue;
      sum += group.alone[i].value;
      ++count;
    }
    for (const GroupFit& group : groups) {
      if (group.alone.empty() || group.alone[i].fixed) continue;
      squares += std::pow(group.alone[i].value - sum / count, 2);
    }
    if (count > 1) spread[i] = std::sqrt(squares / (count - 1));
  }
  return spread;
}

void fill_groups(const FitProblem& problem, const FitOptions& options, const RowMatrix& jacobian,
                 Fit& fit) {
  if (problem.groups.empty()) return;
  std::vector<std::vector<int>> rows(problem.groups.size());
  for (int i = 0; i < problem.residual_count; ++i) rows[group_of(problem, i)].push_back(i);
  for (size_t g = 0; g < problem.groups.size(); ++g) {
    GroupFit group{.name = problem.groups[g], .residual_count = static_cast<int>(rows[g].size())};
    double count = 0, squares = 0, sum = 0;
    for (const int row : rows[g]) {
      if (channel_of(problem, row) != 0) continue;
      const double residual = fit.residuals[row] / weight_of(problem, row);
      squares += residual * residual;
      sum += residual;
      ++count;
    }
    if (count > 0) {
      group.rms_residual = std::sqrt(squares / count);
      group.mean_residual = sum / count;
    }
    if (options.per_group && problem.groups.size() > 1 && !rows[g].empty()) {
      FitProblem part = restrict_to(rows[g], problem, fit, jacobian);
      part.groups = {problem.groups[g]};
      std::ranges::fill(part.group, 0);
      if (!problem.untold.empty()) {
        for (const int i : problem.untold[g]) part.parameters[i].fixed = true;
      }
      group.alone = fit_alone(std::move(part), options);
    }
    fit.groups.push_back(std::move(group));
  }
  fit.spread = spread_between(fit.groups, fit.parameters.size());
}

double cross_validate(const FitProblem& problem, const FitOptions& options, int folds) {
  FitOptions joint_options = options;
  joint_options.per_group = false;
  const Fit joint = fit(problem, joint_options);
  std::vector<double> x, residuals;
  for (const Estimate& estimate : joint.parameters) x.push_back(estimate.value);
  RowMatrix jacobian;
  evaluate_residuals(problem, x, residuals, &jacobian);
  double squares = 0, count = 0;
  for (const std::vector<int>& left_out : list_folds(problem, folds)) {
    if (left_out.empty()) continue;
    std::vector<int> rows;
    for (int i = 0; i < problem.residual_count; ++i) {
      if (!std::ranges::binary_search(left_out, i)) rows.push_back(i);
    }
    const Fit part = fit(restrict_to(rows, problem, joint, jacobian), options_of_part(options));
    for (size_t i = 0; i < x.size(); ++i) x[i] = part.parameters[i].value;
    if (!evaluate_residuals(problem, x, residuals, nullptr)) {
      throw InputError("cross-validation: the law has no value where data were left out");
    }
    for (const int row : left_out) {
      if (channel_of(problem, row) != 0) continue;
      squares += std::pow(residuals[row] / weight_of(problem, row), 2);
      ++count;
    }
  }
  return count > 0 ? std::sqrt(squares / count) : 0;
}

}  // namespace footfall
