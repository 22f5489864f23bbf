// What a user should know about a fit, in sentences.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fit/fit_statistics.hpp"

namespace footfall {
namespace {

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

// Parameters that share an undetermined direction, set by set.
void warn_undetermined(Fit& fit) {
  const auto count = static_cast<int>(fit.parameters.size());
  std::vector<bool> told(count, false);
  const auto is_unknown = [&](int i) {
    return !fit.parameters[i].fixed && std::isinf(fit.parameters[i].standard_error);
  };
  for (int i = 0; i < count; ++i) {
    if (fit.undetermined.cols() == 0 || told[i] || !is_unknown(i)) continue;
    std::vector<std::string> names;
    for (int j = i; j < count; ++j) {
      const bool together = j == i || std::abs(fit.correlation(i, j)) > 1e-6;
      if (told[j] || !is_unknown(j) || !together) continue;
      names.push_back(fit.parameters[j].name);
      told[j] = true;
    }
    fit.warnings.push_back(
        names.size() == 1
            ? fmt::format("{} has no effect on these data: fix it, or add a test that shows it",
                          names[0])
            : fmt::format(
                  "{} cannot be told apart by these data, a change of one is made up for by "
                  "the others: fix one of them, or add a test that differs (another sole, "
                  "load or depth)",
                  join(names)));
  }
}

void warn_trade_offs(const FitProblem& problem, Fit& fit) {
  constexpr double kClose = 0.98;
  constexpr double kWellKnown = 1e-3;  // part of the value
  const auto is_asked_for = [&](int i) {
    const Estimate& estimate = fit.parameters[i];
    return !estimate.fixed && !estimate.nuisance && std::isfinite(estimate.standard_error);
  };
  const auto is_well_known = [&](int i) {
    const Estimate& estimate = fit.parameters[i];
    return estimate.standard_error < kWellKnown * std::abs(estimate.value);
  };
  for (int i = 0; i < static_cast<int>(fit.parameters.size()); ++i) {
    for (int j = 0; j < i; ++j) {
      const double correlation = fit.correlation(i, j);
      if (!is_asked_for(i) || !is_asked_for(j) || std::abs(correlation) <= kClose) continue;
      if (is_well_known(i) && is_well_known(j)) continue;
      fit.warnings.push_back(fmt::format(
          "{} and {} trade off, correlation {:.{}f}: more spread in the data would tell "
          "them apart; {}",
          fit.parameters[j].name, fit.parameters[i].name, correlation,
          std::abs(correlation) < 0.995 ? 2 : 4, problem.advice));
    }
  }
}

void warn_estimates(const FitProblem& problem, Fit& fit) {
  for (size_t i = 0; i < fit.parameters.size(); ++i) {
    const Estimate& estimate = fit.parameters[i];
    const FitParameter& parameter = problem.parameters[i];
    if (estimate.fixed) continue;
    if (estimate.at_bound) {
      const double lower = estimate.value - parameter.lower,
                   upper = parameter.upper - estimate.value;
      fit.warnings.push_back(fmt::format("{} ended at its {} bound, {:g}{}{}: the data ask for "
                                         "more than the law allows, or do not "
                                         "tell {}",
                                         estimate.name, lower < upper ? "lower" : "upper",
                                         estimate.value, estimate.unit.empty() ? "" : " ",
                                         estimate.unit, estimate.name));
    } else if (parameter.logarithmic && std::isfinite(estimate.standard_error) &&
               estimate.standard_error > estimate.value) {
      fit.warnings.push_back(
          fmt::format("{} is hardly determined: its standard error is {:.0f} % of its value",
                      estimate.name, 100 * estimate.standard_error / estimate.value));
    }
  }
}

void warn_solver(Fit& fit) {
  if (!fit.converged) {
    fit.warnings.push_back(fmt::format("the fit had not converged after {} iterations: values are "
                                       "those of the last one",
                                       fit.iterations));
  }
  if (2 * fit.starts_that_agree < fit.starts) {
    fit.warnings.push_back(
        fmt::format("only {} of {} starts ended here, the others in worse valleys: "
                    "there may be a better one still",
                    fit.starts_that_agree, fit.starts));
  }
  if (fit.degrees_of_freedom == 0) {
    fit.warnings.emplace_back("as many data points as unknowns: nothing is left to tell standard "
                              "errors from");
  }
}

void warn_residuals(const FitProblem& problem, const FitOptions& options, Fit& fit) {
  const ResidualDiagnostics& diagnostics = fit.diagnostics;
  const auto count = std::ranges::count_if(
      problem.channel.empty() ? std::vector<int>(problem.residual_count) : problem.channel,
      [](int channel) { return channel == 0; });
  const double by_chance = 6.3e-5 * static_cast<double>(count);  // of normal scatter
  if (options.loss == Loss::square && diagnostics.outliers > 2 + 5 * by_chance) {
    fit.warnings.push_back(
        fmt::format("{} of {} residuals are outliers, beyond 4 scatters ({:.3g} {}): a robust loss "
                    "would keep them from pulling the law",
                    diagnostics.outliers, count, 4 * diagnostics.scatter, problem.channels[0]));
  }
  const bool follow = diagnostics.lag_correlation * std::sqrt(static_cast<double>(count)) > 3.3;
  if (diagnostics.inflation > 1.5 && follow && fit.errors != ErrorModel::between_files) {
    fit.warnings.push_back(fmt::format(
        "residuals follow each other ({:.2f} from sample to sample): the law does not describe the "
        "data fully; standard errors are enlarged by {:.1f}",
        diagnostics.lag_correlation, diagnostics.inflation));
  }
}

}  // namespace

void add_warnings(const FitProblem& problem, const FitOptions& options, const RowMatrix& jacobian,
                  Fit& fit) {
  constexpr double kNegligible = 1e-5;  // residuals by the data: no misfit worth a sentence
  warn_solver(fit);
  warn_undetermined(fit);
  warn_trade_offs(problem, fit);
  warn_estimates(problem, fit);
  if (!is_exact(problem, fit, jacobian, kNegligible)) warn_residuals(problem, options, fit);
}

}  // namespace footfall
