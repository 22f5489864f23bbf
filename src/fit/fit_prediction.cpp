// What a new run will measure: the law's own uncertainty, how runs differ (fit/fit_runs.cpp), and what is left of
// their residuals, noise of variance α + β F².
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/fit_noise.hpp"
#include "fit/fit_solve.hpp"
#include "fit/fit_statistics.hpp"
#include "fit/student_t.hpp"

namespace footfall {
namespace {

// α and β of least squares, neither below zero. Each file counts by its weight, so that α is that of small forces.
void fit_variance(const FitProblem& problem, const RunBasis& Z, const std::vector<double>& rest,
                  RunScatter& runs) {
  double n = 0, x = 0, xx = 0, y = 0, xy = 0;
  for (int i = 0; i < problem.residual_count; ++i) {
    if (channel_of(problem, i) != 0) continue;
    const double w = std::pow(weight_of(problem, i), 2);
    const double square = std::pow(rest[static_cast<std::size_t>(i)], 2),
                 f2 = Z(i, 0) * Z(i, 0);  // times w
    n += w * w, x += w * f2, xx += f2 * f2, y += w * square, xy += f2 * square;
  }
  if (n == 0) return;
  const double determinant = n * xx - x * x;
  runs.noise = y / n;
  runs.relative_noise = 0;
  if (!(determinant > 1e-9 * n * xx)) return;
  const double alpha = (y * xx - x * xy) / determinant, beta = (n * xy - x * y) / determinant;
  if (alpha >= 0 && beta > 0) {
    runs.noise = alpha;
    runs.relative_noise = beta;
  } else if (alpha < 0) {
    runs.noise = 0;
    runs.relative_noise = xy / xx;
  }
}

}  // namespace

void fill_run_scatter(const FitProblem& problem, const RowMatrix& jacobian, Fit& fit) {
  if (problem.groups.size() < 2 || problem.place.empty() || problem.data.empty()) return;
  const RunBasis Z = make_run_basis(problem, jacobian, fit);
  const std::vector<int> free = free_parameters(problem);
  const Eigen::Map<const Eigen::VectorXd> r(fit.residuals.data(), Z.rows());
  const std::vector<Eigen::Vector2d> offsets =
      find_run_offsets(problem, Z, jacobian(Eigen::all, free), free, r);
  std::vector<double> rest = fit.residuals;
  for (int i = 0; i < problem.residual_count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    rest[at] -= Z.row(i).dot(offsets[static_cast<std::size_t>(problem.group[at])]);
  }
  fill_distribution(problem, rest, fit.diagnostics);
  if (fit.errors != ErrorModel::between_files) return;
  for (const Eigen::Vector2d& off : offsets) {
    if (!fit.runs.known) fit.runs.between += off * off.transpose() / fit.error_freedom;
  }
  if (!fit.runs.known) fit.runs.shape_freedom = fit.error_freedom;
  fit.runs.known = true;
  fit_variance(problem, Z, rest, fit.runs);
  const double probability = (1 + fit.confidence) / 2;
  fit.runs.shape_quantile = student_t_quantile(probability, fit.runs.shape_freedom);
  fit.runs.many_quantile = student_t_quantile(probability, std::max(fit.degrees_of_freedom, 1));
}

double prediction_half_width(const Fit& fit, std::span<const double> gradient, double place,
                             double value) {
  const RunScatter& runs = fit.runs;
  const double band = band_half_width(fit, gradient);
  if (!runs.known || !std::isfinite(band)) return std::numeric_limits<double>::infinity();
  const double shape = runs.shape >= 0 ? gradient[static_cast<std::size_t>(runs.shape)]
                                       : value * std::log(std::max(place, 1e-12));
  const Eigen::Vector2d b(fit.t_quantile * value,
                          runs.shape_quantile * (shape - runs.centre * value));
  // The noise is known from many samples, the rest from few runs: each with its own t.
  const double few = band * band + b.dot(runs.between * b);
  const double noise = runs.noise + runs.relative_noise * value * value;
  return std::sqrt(few + runs.many_quantile * runs.many_quantile * noise);
}

}  // namespace footfall
