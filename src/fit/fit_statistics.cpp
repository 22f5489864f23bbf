#include "fit/fit_statistics.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "fit/fit_noise.hpp"
#include "fit/student_t.hpp"
#include "signal/noise.hpp"

namespace footfall {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNormalMedian = 1.4826;  // scatter of normal values by the median of their sizes

std::vector<double> values_of(const Fit& fit) {
  std::vector<double> x(fit.parameters.size());
  std::ranges::transform(fit.parameters, x.begin(), &Estimate::value);
  return x;
}

std::vector<double> of_channel(const FitProblem& problem, const std::vector<double>& values,
                               int channel) {
  std::vector<double> chosen;
  for (int i = 0; i < problem.residual_count; ++i) {
    if (channel_of(problem, i) == channel) chosen.push_back(values[i]);
  }
  return chosen;
}

// From one sample of a channel to the next of the same group.
double lag_correlation(const FitProblem& problem, const std::vector<double>& values, int channel) {
  double product = 0, before = 0, after = 0;
  int last = -1;
  for (int i = 0; i < problem.residual_count; ++i) {
    if (channel_of(problem, i) != channel) continue;
    if (last >= 0 && (problem.group.empty() || problem.group[i] == problem.group[last])) {
      product += values[last] * values[i];
      before += values[last] * values[last];
      after += values[i] * values[i];
    }
    last = i;
  }
  return product == 0 ? 0 : product / std::sqrt(before * after);
}

// How a channel's rows count: h = mean(ψ') in the curvature, v = mean(ψ²) in the scatter of the slope.
struct ChannelWeight {
  double curvature = 1, variance = 1;
  double lag_correlation = 0;
  double inflation = 1;  // of the variance, by the correlation of neighbours
};

ChannelWeight weigh_channel(const FitProblem& problem, const FitOptions& options, const Fit& fit,
                            int channel, bool exact) {
  ChannelWeight weight;
  std::vector<double> slopes(problem.residual_count);
  double squares = 0, curvatures = 0;
  int count = 0;
  for (int i = 0; i < problem.residual_count; ++i) {
    if (channel_of(problem, i) != channel) continue;
    const double u = fit.residuals[i] / fit.scatter[channel];
    const LossValue loss = evaluate_loss(options.loss, options.robust_scale, u);
    slopes[i] = loss.slope;
    squares += loss.slope * loss.slope;
    curvatures += loss.curvature;
    ++count;
  }
  if (count == 0) return weight;
  weight.lag_correlation = lag_correlation(problem, slopes, channel);
  if (options.loss != Loss::square) {
    const double freedom = std::max(fit.degrees_of_freedom, 1);
    // Cauchy's ψ' is negative far out: where that prevails the law does not fit at all.
    weight.curvature = std::max(curvatures / count, 0.05);
    weight.variance = squares / count * problem.residual_count / freedom;
  }
  const double rho = weight.lag_correlation;
  constexpr double kBeyondChance = 3.3;  // 99.9 % of uncorrelated samples are below
  if (!exact && rho * std::sqrt(count) > kBeyondChance) {
    weight.inflation = rho < 1 ? std::min((1 + rho) / (1 - rho), double(count)) : count;
  }
  return weight;
}

// Singular values of the Jacobian with columns of length one below this part of the largest are zero.
constexpr double kRankTolerance = 1e-9;
constexpr double kPartOfDirection = 1e-6;  // smaller parts of a null direction are round-off

// Coordinates z of the free parameters in which AᵀA is the identity: x = T z, U = A T.
struct Whitened {
  Eigen::MatrixXd T, U;
  Eigen::MatrixXd null_directions;  // columns
  Eigen::MatrixXd null_part;        // projection on them, of scaled parameters
};

// By a QR of A and an SVD of its factor R: nothing is squared.
Whitened whiten(RowMatrix A) {
  const Eigen::Index p = A.cols();
  Eigen::VectorXd length = A.colwise().norm();
  for (double& value : length) value = value > 0 ? value : 1;
  A.array().rowwise() /= length.transpose().array();
  const Eigen::MatrixXd R =
      Eigen::HouseholderQR<Eigen::MatrixXd>(A).matrixQR().topRows(p).triangularView<Eigen::Upper>();
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd(R, Eigen::ComputeFullV);
  const Eigen::VectorXd& s = svd.singularValues();
  const Eigen::Index rank = (s.array() > kRankTolerance * s[0]).count();
  const Eigen::MatrixXd V = svd.matrixV().leftCols(rank), null = svd.matrixV().rightCols(p - rank);
  Whitened result;
  result.T = V * s.head(rank).cwiseInverse().asDiagonal();
  result.U = A * result.T;
  result.T.array().colwise() /= length.array();
  result.null_directions = null;
  result.null_directions.array().colwise() /= length.array();
  result.null_part = null * null.transpose();
  return result;
}

// Of each group: free nuisance parameters that its residuals alone depend on.
std::vector<int> count_private(const FitProblem& problem, const RowMatrix& A,
                               const std::vector<int>& free, int& shared) {
  std::vector<int> counts(problem.groups.size(), 0);
  shared = 0;
  for (std::size_t j = 0; j < free.size(); ++j) {
    if (!problem.parameters[free[j]].nuisance) {
      ++shared;
      continue;
    }
    int only = -1;
    for (int i = 0; i < problem.residual_count && !problem.group.empty(); ++i) {
      if (A(i, static_cast<Eigen::Index>(j)) != 0) only = problem.group[i];
    }
    if (only >= 0) ++counts[only];
  }
  return counts;
}

// What fill_covariance knows of the free parameters, in scatters.
struct ScaledRows {
  RowMatrix A;               // of the Jacobian
  Eigen::VectorXd e, scale;  // residuals; what they were divided by
  Eigen::VectorXd variance;  // of e
};

// From files that differ by factors and shapes; fills fit.runs. `within`: of the noise within files.
std::optional<NoiseModel> find_runs(const FitProblem& problem, const RowMatrix& jacobian,
                                    const std::vector<int>& free, const Whitened& w,
                                    const ScaledRows& rows, const Eigen::MatrixXd& plain,
                                    Fit& fit) {
  if (problem.place.empty() || problem.data.empty() || problem.groups.size() < 2) return {};
  RunBasis Z = make_run_basis(problem, jacobian, fit);
  Z.array().colwise() /= rows.scale.array();
  Eigen::VectorXd rest = rows.e;
  const std::vector<Eigen::Vector2d> offsets = find_run_offsets(problem, Z, rows.A, free, rows.e);
  for (int i = 0; i < problem.residual_count; ++i) {
    rest[i] -= Z.row(i).dot(offsets[static_cast<std::size_t>(problem.group[i])]);
  }
  const std::optional<NoiseModel> within = find_place_noise(problem, w.U, rest);
  std::optional<NoiseModel> runs = find_run_noise(
      problem, Z, rows.A, free, w.U, rows.e, within ? within->middle : plain, fit.runs.between);
  fit.runs.known = runs.has_value();
  if (runs) fit.runs.shape_freedom = runs->shape_freedom;
  return runs;
}

// M = Var(Uᵀe), see fit_noise.hpp, and the degrees of freedom that it leaves.
NoiseModel find_noise(const FitProblem& problem, const RowMatrix& jacobian,
                      const std::vector<int>& free, const Whitened& w, const ScaledRows& rows,
                      bool exact, Fit& fit) {
  NoiseModel plain{.middle = w.U.transpose() * rows.variance.asDiagonal() * w.U,
                   .freedom = static_cast<double>(fit.degrees_of_freedom)};
  fit.errors = ErrorModel::samples;
  if (exact || fit.degrees_of_freedom == 0) return plain;
  if (std::optional<NoiseModel> along = find_place_noise(problem, w.U, rows.e)) {
    plain = std::move(*along);
    fit.errors = ErrorModel::along_place;
  }
  if (w.null_directions.cols() > 0) return plain;
  std::optional<NoiseModel> between =
      find_runs(problem, jacobian, free, w, rows, plain.middle, fit);
  if (!between && problem.groups.size() > 2) {
    int shared = 0;
    const std::vector<int> own = count_private(problem, rows.A, free, shared);
    between = find_cluster_noise(problem, w.U, rows.e, shared, own, plain.middle);
  }
  if (!between) return plain;
  fit.errors = ErrorModel::between_files;
  return std::move(*between);
}

// Degrees of freedom of each free parameter's error, by Welch and Satterthwaite.
Eigen::VectorXd find_freedom(const NoiseModel& noise, const Eigen::MatrixXd& T,
                             const Eigen::MatrixXd& covariance) {
  Eigen::VectorXd freedom = Eigen::VectorXd::Constant(T.rows(), noise.freedom);
  if (noise.shape_middle.size() == 0) return freedom;
  const Eigen::VectorXd shape = (T * noise.shape_middle * T.transpose()).diagonal();
  for (Eigen::Index i = 0; i < freedom.size(); ++i) {
    if (!(covariance(i, i) > 0)) continue;
    const double share = std::clamp(shape[i] / covariance(i, i), 0.0, 1.0);
    freedom[i] =
        1 / (share * share / noise.shape_freedom + (1 - share) * (1 - share) / noise.freedom);
    freedom[i] = std::clamp(freedom[i], std::min(noise.freedom, noise.shape_freedom),
                            std::max(noise.freedom, noise.shape_freedom));
  }
  return freedom;
}

void fill_covariance(const FitProblem& problem, const FitOptions& options,
                     const RowMatrix& jacobian, const std::vector<ChannelWeight>& weights,
                     bool exact, Fit& fit) {
  const std::vector<int> free = free_parameters(problem);
  const auto all = static_cast<Eigen::Index>(problem.parameters.size());
  fit.covariance = Eigen::MatrixXd::Zero(all, all);
  fit.correlation = Eigen::MatrixXd::Identity(all, all);
  fit.undetermined = Eigen::MatrixXd::Zero(all, 0);
  fit.error_freedom = fit.degrees_of_freedom;
  if (free.empty()) return;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(problem.residual_count);
  ScaledRows rows{.A = jacobian(Eigen::all, free), .e = zero, .scale = zero, .variance = zero};
  for (int i = 0; i < problem.residual_count; ++i) {
    const ChannelWeight& weight = weights[channel_of(problem, i)];
    const double scatter = fit.scatter[channel_of(problem, i)];
    rows.scale[i] = scatter / std::sqrt(weight.curvature);
    rows.A.row(i) /= rows.scale[i];
    rows.variance[i] = weight.variance * weight.inflation / weight.curvature;
    rows.e[i] =
        evaluate_loss(options.loss, options.robust_scale, fit.residuals[i] / scatter).slope /
        std::sqrt(weight.curvature);
  }
  const Whitened found = whiten(rows.A);
  const NoiseModel noise = find_noise(problem, jacobian, free, found, rows, exact, fit);
  const Eigen::MatrixXd covariance = found.T * noise.middle * found.T.transpose();
  const Eigen::MatrixXd independent = found.T * found.T.transpose();
  const Eigen::VectorXd freedom = find_freedom(noise, found.T, covariance);
  fit.error_freedom = noise.freedom;
  fit.covariance(free, free) = covariance;
  fit.undetermined.setZero(all, found.null_directions.cols());
  fit.undetermined(free, Eigen::all) = found.null_directions;

  const Eigen::MatrixXd& null = found.null_part;
  const auto unknown = [&](Eigen::Index i) {
    return null(i, i) > kPartOfDirection * kPartOfDirection;
  };
  for (size_t i = 0; i < free.size(); ++i) {
    Estimate& estimate = fit.parameters[free[i]];
    // rounding may leave a variance of nothing below zero
    estimate.standard_error = unknown(i) ? kInfinity : std::sqrt(std::max(covariance(i, i), 0.0));
    estimate.freedom = freedom[static_cast<Eigen::Index>(i)];
    for (size_t j = 0; j < i; ++j) {
      // along a null direction the errors grow without end and in proportion
      const bool both = unknown(i) && unknown(j), one = unknown(i) != unknown(j);
      const Eigen::MatrixXd& C = both ? null : covariance;
      const double product = std::sqrt(std::max(C(i, i) * C(j, j), 0.0));
      const double value = one || product == 0 ? 0 : std::clamp(C(i, j) / product, -1.0, 1.0);
      fit.correlation(free[i], free[j]) = fit.correlation(free[j], free[i]) = value;
    }
  }
  if (fit.errors == ErrorModel::samples) return;
  double ratio = 0, count = 0;
  for (size_t i = 0; i < free.size(); ++i) {
    if (problem.parameters[free[i]].nuisance || unknown(i)) continue;
    ratio += covariance(i, i) / independent(i, i);
    ++count;
  }
  if (count > 0) fit.diagnostics.inflation = std::sqrt(ratio / count);
}

void fill_intervals(const FitProblem& problem, const FitOptions& options, Fit& fit) {
  const bool has_freedom = fit.degrees_of_freedom > 0;
  fit.t_quantile =
      has_freedom ? student_t_quantile((1 + options.confidence) / 2, fit.error_freedom) : kInfinity;
  for (const int i : free_parameters(problem)) {
    const FitParameter& parameter = problem.parameters[i];
    Estimate& estimate = fit.parameters[i];
    if (!has_freedom) estimate.standard_error = kInfinity;
    const bool known = std::isfinite(estimate.standard_error);
    const double t = known ? student_t_quantile((1 + options.confidence) / 2, estimate.freedom) : 0;
    const double reach = known ? t * estimate.standard_error : kInfinity;
    if (parameter.logarithmic) {
      estimate.lower = estimate.value * std::exp(-reach / estimate.value);
      estimate.upper = estimate.value * std::exp(reach / estimate.value);
    } else {
      estimate.lower = estimate.value - reach;
      estimate.upper = estimate.value + reach;
    }
    if (known) {  // what the law does not allow is no value either
      estimate.lower = std::max(estimate.lower, std::min(parameter.lower, estimate.value));
      estimate.upper = std::min(estimate.upper, std::max(parameter.upper, estimate.value));
    }
    const double near = 1e-9 * std::max(std::abs(estimate.value), std::abs(parameter.start));
    estimate.at_bound =
        estimate.value - parameter.lower <= near || parameter.upper - estimate.value <= near;
  }
}

void fill_diagnostics(const FitProblem& problem, const ChannelWeight& weight, double data_size,
                      Fit& fit) {
  const std::vector<double> residuals = of_channel(problem, fit.residuals, 0);
  if (residuals.empty()) return;
  ResidualDiagnostics& diagnostics = fit.diagnostics;
  for (const double r : residuals) {
    diagnostics.mean += r / static_cast<double>(residuals.size());
    diagnostics.largest = std::max(diagnostics.largest, std::abs(r));
  }
  constexpr double kNoScatter = 1e-5;  // of the data: what solver and integration leave
  diagnostics.round_off = fit.rms_residual <= kNoScatter * data_size;
  diagnostics.lag_correlation = weight.lag_correlation;
  if (fit.errors == ErrorModel::samples) diagnostics.inflation = std::sqrt(weight.inflation);
  fill_distribution(problem, fit.residuals, diagnostics);
}

// Residuals beyond this reach, and as far off the median of the seven samples of their file about them: a stretch
// of samples that are all off together is a law that does not fit there, or a run that differs.
int count_outliers(const FitProblem& problem, const std::vector<double>& values, double reach) {
  constexpr std::ptrdiff_t kNeighbours = 3;  // on either side
  std::map<int, std::vector<double>> files;
  for (int i = 0; i < problem.residual_count; ++i) {
    if (channel_of(problem, i) != 0) continue;
    files[problem.group.empty() ? 0 : problem.group[i]].push_back(values[i]);
  }
  int count = 0;
  for (const auto& [file, residuals] : files) {
    const auto end = std::ssize(residuals);
    for (std::ptrdiff_t i = 0; i < end; ++i) {
      const double r = residuals[i];
      if (!(std::abs(r) > reach)) continue;
      const auto first = std::clamp<std::ptrdiff_t>(i - kNeighbours, 0, end);
      const auto last = std::clamp<std::ptrdiff_t>(i + kNeighbours + 1, 0, end);
      const double about = median_of({residuals.begin() + first, residuals.begin() + last});
      count += std::abs(r - about) > reach ? 1 : 0;
    }
  }
  return count;
}

// Σ_c m_c ln(RSS_c/m_c) + 2K + 2K(K + 1)/(m − K − 1), K = unknowns and one scatter per channel.
double corrected_information(const FitProblem& problem, const std::vector<double>& rms,
                             const std::vector<double>& size) {
  double likelihood = 0;
  for (size_t channel = 0; channel < rms.size(); ++channel) {
    const double count = static_cast<double>(
        of_channel(problem, std::vector<double>(problem.residual_count), int(channel)).size());
    // two laws that both fit to round-off are equally good
    const double floor = std::max(1e-12 * size[channel], std::numeric_limits<double>::min());
    likelihood += 2 * count * std::log(std::max(rms[channel], floor));
  }
  const double K = static_cast<double>(free_parameters(problem).size() + rms.size());
  const double left = problem.residual_count - K - 1;
  return left > 0 ? likelihood + 2 * K + 2 * K * (K + 1) / left : kInfinity;
}

}  // namespace

void fill_distribution(const FitProblem& problem, const std::vector<double>& values,
                       ResidualDiagnostics& diagnostics) {
  const std::vector<double> residuals = of_channel(problem, values, 0);
  const auto m = static_cast<double>(residuals.size());
  double mean = 0, second = 0, third = 0, fourth = 0;
  for (const double r : residuals) mean += r / m;
  for (const double r : residuals) {
    const double d = r - mean;
    second += d * d / m;
    third += d * d * d / m;
    fourth += d * d * d * d / m;
  }
  if (second > 0 && !diagnostics.round_off) {
    const double skewness = third / std::pow(second, 1.5), excess = fourth / (second * second) - 3;
    diagnostics.normality_p = std::exp(-m / 12 * (skewness * skewness + excess * excess / 4));
  }
  diagnostics.scatter = residual_median_scatter(problem, values)[0];
  diagnostics.outliers =
      diagnostics.round_off ? 0 : count_outliers(problem, values, 4 * diagnostics.scatter);
}

std::vector<double> residual_rms(const FitProblem& problem, const std::vector<double>& residuals) {
  std::vector<double> rms;
  for (size_t channel = 0; channel < problem.channels.size(); ++channel) {
    double sum = 0;
    const std::vector<double> chosen = of_channel(problem, residuals, static_cast<int>(channel));
    for (const double r : chosen) sum += r * r;
    rms.push_back(chosen.empty() ? 0 : std::sqrt(sum / static_cast<double>(chosen.size())));
  }
  return rms;
}

std::vector<double> residual_median_scatter(const FitProblem& problem,
                                            const std::vector<double>& residuals) {
  std::vector<double> scatter;
  for (size_t channel = 0; channel < problem.channels.size(); ++channel) {
    std::vector<double> sizes = of_channel(problem, residuals, static_cast<int>(channel));
    for (double& value : sizes) value = std::abs(value);
    scatter.push_back(kNormalMedian * median_of(std::move(sizes)));
  }
  return scatter;
}

std::vector<double> data_size(const FitProblem& problem, const std::vector<double>& x,
                              const RowMatrix& jacobian) {
  std::vector<double> size(problem.channels.size(), 0.0);
  std::vector<double> column(problem.residual_count);
  for (size_t j = 0; j < x.size(); ++j) {
    for (int i = 0; i < problem.residual_count; ++i) column[i] = x[j] * jacobian(i, j);
    const std::vector<double> rms = residual_rms(problem, column);
    for (size_t c = 0; c < size.size(); ++c) {
      if (std::isfinite(rms[c])) size[c] = std::max(size[c], rms[c]);
    }
  }
  return size;
}

void fill_statistics(const FitProblem& problem, const FitOptions& options,
                     const RowMatrix& jacobian, Fit& fit) {
  const std::vector<double> x = values_of(fit);
  const std::vector<double> rms = residual_rms(problem, fit.residuals);
  const std::vector<double> size = data_size(problem, x, jacobian);
  const auto unknowns = static_cast<int>(free_parameters(problem).size());
  fit.residual_count = problem.residual_count;
  fit.degrees_of_freedom = problem.residual_count - unknowns;
  fit.rms_residual = rms[0];
  fit.aicc = corrected_information(problem, rms, size);

  fit.scatter = residual_median_scatter(problem, fit.residuals);
  if (options.loss == Loss::square) {
    const double freedom = std::max(fit.degrees_of_freedom, 1);
    for (size_t c = 0; c < rms.size(); ++c) {
      fit.scatter[c] = rms[c] * std::sqrt(problem.residual_count / freedom);
    }
  }
  std::vector<ChannelWeight> weights;
  for (size_t c = 0; c < rms.size(); ++c) {
    const double least = std::numeric_limits<double>::epsilon() * size[c];
    fit.scatter[c] = std::max(fit.scatter[c], least);
    if (fit.scatter[c] == 0) fit.scatter[c] = 1;
    weights.push_back(
        weigh_channel(problem, options, fit, static_cast<int>(c), rms[c] <= kRoundOff * size[c]));
  }
  const bool exact = rms[0] <= kRoundOff * size[0];
  fill_covariance(problem, options, jacobian, weights, exact, fit);
  fill_intervals(problem, options, fit);
  fill_diagnostics(problem, weights[0], size[0], fit);
}

bool is_exact(const FitProblem& problem, const Fit& fit, const RowMatrix& jacobian, double part) {
  const std::vector<double> x = values_of(fit);
  return fit.rms_residual <= part * data_size(problem, x, jacobian)[0];
}

}  // namespace footfall
