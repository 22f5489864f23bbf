// What the residuals at the solution say: scatter, standard errors, diagnostics, information criterion.
#pragma once

#include <vector>

#include "fit/fit_solve.hpp"
#include "footfall/fit/fit.hpp"

namespace footfall {

// Residuals below this part of the data's size are round-off, and follow no statistics.
constexpr double kRoundOff = 1e-9;

// Of each channel.
std::vector<double> residual_rms(const FitProblem& problem, const std::vector<double>& residuals);
std::vector<double> residual_median_scatter(const FitProblem& problem,
                                            const std::vector<double>& residuals);
// The typical size of what was measured: the largest of rms(x_j ∂r/∂x_j), which is the law's own value
// where the law is proportional to a parameter.
std::vector<double> data_size(const FitProblem& problem, const std::vector<double>& x,
                              const RowMatrix& jacobian);

// Fills everything in `fit` that follows from its residuals, its parameters' values, and their
// Jacobian there, except groups and warnings.
void fill_statistics(const FitProblem& problem, const FitOptions& options,
                     const RowMatrix& jacobian, Fit& fit);

// Scatter, outliers and normality of these residuals.
void fill_distribution(const FitProblem& problem, const std::vector<double>& values,
                       ResidualDiagnostics& diagnostics);

// Fills Fit::runs, after fill_statistics. Where there are several files, each of which may be off by a factor and a
// shape of its own, only what is left then may be an outlier.
void fill_run_scatter(const FitProblem& problem, const RowMatrix& jacobian, Fit& fit);

// True where the residuals are too small to say anything about scatter or misfit.
bool is_exact(const FitProblem& problem, const Fit& fit, const RowMatrix& jacobian, double part);

// Groups, each fitted alone too, and the spread between them.
void fill_groups(const FitProblem& problem, const FitOptions& options, const RowMatrix& jacobian,
                 Fit& fit);

// Standard deviation of each parameter over the groups that were fitted alone; empty: fewer than two.
std::vector<double> spread_between(const std::vector<GroupFit>& groups, size_t parameter_count);

// Sentences about what `fit` holds. Those about the solver come from the solver.
void add_warnings(const FitProblem& problem, const FitOptions& options, const RowMatrix& jacobian,
                  Fit& fit);

}  // namespace footfall
