// What a new run will measure: the law's own uncertainty, how runs differ, and their residuals.
//
// Run g is off the common law F by F (a_g + b_g ln(s/s_0)) along its place s (a factor, and a power): by
// least squares of its residuals. What is left is noise of variance α + β F².
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fit/fit_solve.hpp"
#include "fit/fit_statistics.hpp"
#include "fit/student_t.hpp"

namespace footfall {
namespace {

constexpr double kLeastPlace = 1e-3;  // of the farthest: nearer ones count as this

double log_place(const RunScatter& scatter, double place) {
  return std::log(std::max(place / scatter.reference, kLeastPlace));
}

// α and β of least squares, neither below zero.
void fit_variance(const std::vector<double>& squares, const std::vector<double>& force,
                  RunScatter& scatter) {
  double n = 0, x = 0, xx = 0, y = 0, xy = 0;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const double f2 = force[i] * force[i];
    ++n, x += f2, xx += f2 * f2, y += squares[i], xy += f2 * squares[i];
  }
  if (n == 0) return;
  const double determinant = n * xx - x * x;
  scatter.noise = y / n;
  scatter.relative_noise = 0;
  if (!(determinant > 1e-9 * n * xx)) return;
  const double alpha = (y * xx - x * xy) / determinant, beta = (n * xy - x * y) / determinant;
  if (alpha >= 0 && beta > 0) {
    scatter.noise = alpha;
    scatter.relative_noise = beta;
  } else if (alpha < 0) {
    scatter.noise = 0;
    scatter.relative_noise = xy / xx;
  }
}

}  // namespace

void fill_run_scatter(const FitProblem& problem, Fit& fit) {
  RunScatter& scatter = fit.runs;
  if (problem.place.empty() || problem.data.empty()) return;
  const bool several = fit.errors == ErrorModel::between_files;
  scatter.reference =
      std::max(*std::max_element(problem.place.begin(), problem.place.end()), 1e-12);
  std::vector<Eigen::Matrix2d> normal(several ? problem.groups.size() : 0, Eigen::Matrix2d::Zero());
  std::vector<Eigen::Vector2d> pull(normal.size(), Eigen::Vector2d::Zero()), off = pull;
  const auto basis = [&](std::size_t i) -> Eigen::Vector2d {
    const double force = problem.data[i] + fit.residuals[i];
    return {force, force * log_place(scatter, problem.place[i])};
  };
  const auto counts = [&](std::size_t i) { return channel_of(problem, static_cast<int>(i)) == 0; };
  for (std::size_t i = 0; several && i < problem.place.size(); ++i) {
    if (!counts(i)) continue;
    const auto g = static_cast<std::size_t>(problem.group[i]);
    normal[g] += basis(i) * basis(i).transpose();
    pull[g] += basis(i) * fit.residuals[i];
  }
  for (std::size_t g = 0; g < normal.size(); ++g) {
    if (!(normal[g].trace() > 0)) continue;
    off[g] = normal[g].completeOrthogonalDecomposition().solve(pull[g]);
    scatter.between += off[g] * off[g].transpose() / fit.error_freedom;
  }
  std::vector<double> squares, force;
  for (std::size_t i = 0; i < problem.place.size(); ++i) {
    if (!counts(i)) continue;
    const Eigen::Vector2d b = basis(i);
    const double shift = several ? b.dot(off[static_cast<std::size_t>(problem.group[i])]) : 0;
    squares.push_back(std::pow(fit.residuals[i] - shift, 2));
    force.push_back(b[0]);
  }
  fit_variance(squares, force, scatter);
  scatter.many_quantile =
      student_t_quantile((1 + fit.confidence) / 2, std::max(fit.degrees_of_freedom, 1));
  scatter.known = true;
}

double prediction_half_width(const Fit& fit, std::span<const double> gradient, double place,
                             double value) {
  const double band = band_half_width(fit, gradient);
  if (!fit.runs.known || !std::isfinite(band)) return band;
  const Eigen::Vector2d b = Eigen::Vector2d(1, log_place(fit.runs, place)) * value;
  const double law = std::pow(band / fit.t_quantile, 2) + b.dot(fit.runs.between * b);
  const double noise = fit.runs.noise + fit.runs.relative_noise * value * value;
  if (!(law + noise > 0)) return band;
  // Welch and Satterthwaite: the noise is known from many samples, the rest from few runs. The quantile is
  // between theirs, in proportion to the inverse of the degrees of freedom; rather too large.
  const double share = law / (law + noise);
  const double few = share * share, many = fit.runs.many_quantile;
  return (many + few * (fit.t_quantile - many)) * std::sqrt(law + noise);
}

}  // namespace footfall
