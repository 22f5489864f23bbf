#include "footfall/granular/learning.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

#include "footfall/error.hpp"
#include "granular/regression.hpp"

namespace footfall {
namespace {

std::vector<double> rows_of(const Eigen::MatrixXd& matrix) {
  std::vector<double> rows;
  rows.reserve(static_cast<std::size_t>(matrix.size()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index k = 0; k < matrix.cols(); ++k) rows.push_back(matrix(i, k));
  }
  return rows;
}

}  // namespace

WrenchExpansion learn_wrenches(const WrenchDatabase& database, const LearningOptions& options) {
  const LearningData data = make_learning_data(database);
  if (data.size() > kMostConfigurations) {
    throw InputError(fmt::format("wrench database of {} has {} configurations, expected at most {}",
                                 database.medium, data.size(), kMostConfigurations));
  }
  const Expansion learned = learn_expansion(data, options.regression);
  WrenchExpansion out{.foot = database.foot,
                      .directions = database.directions,
                      .hyperparameters = learned.hyperparameters,
                      .configurations = {},
                      .deepest = data.deepest,
                      .largest_tilt = data.largest_tilt,
                      .even = rows_of(learned.even),
                      .odd = rows_of(learned.odd)};
  for (Eigen::Index j = 0; j < data.size(); ++j) {
    out.configurations.push_back({data.depth[j], data.tilt[j]});
  }
  return out;
}

const char* regression_name(Regression regression) {
  constexpr std::array<const char*, 3> names{"rbf", "gp", "svr"};
  return names[static_cast<std::size_t>(regression)];
}

const char* kernel_name(Kernel kernel) {
  constexpr std::array<const char*, 5> names{"linear", "thin plate", "gaussian",
                                             "inverse multiquadric", "matern 5/2"};
  return names[static_cast<std::size_t>(kernel)];
}

RegressionScore score_regression(const WrenchDatabase& database, Regression regression, int folds) {
  const LearningData data = make_learning_data(database);
  if (folds < 2 || folds > data.size()) {
    throw InputError("cross-validation in " + std::to_string(folds) + " folds of " +
                     std::to_string(data.size()) +
                     " configurations, expected from 2 folds to as many as configurations");
  }
  RegressionScore score;
  score.regression = regression;
  const auto begin = std::chrono::steady_clock::now();
  score.hyperparameters = learn_expansion(data, regression).hyperparameters;
  score.learning_time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Eigen::MatrixXd residuals = cross_validation_residuals(
      data, folds, [&](const LearningData& part) { return learn_expansion(part, regression); });
  const Eigen::Index m = data.columns() / 3;
  const auto rms = [](const Eigen::MatrixXd& values) {
    return std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
  };
  score.error = rms(residuals * part_weights(data).asDiagonal());
  score.force_x_error = rms(residuals.leftCols(m));
  score.force_z_error = rms(residuals.middleCols(m, m));
  score.torque_error = rms(residuals.rightCols(m));
  return score;
}

std::vector<RegressionScore> compare_regressions(const WrenchDatabase& database, int folds) {
  std::vector<RegressionScore> scores;
  for (const Regression regression :
       {Regression::rbf, Regression::gaussian_process, Regression::support_vector}) {
    scores.push_back(score_regression(database, regression, folds));
  }
  return scores;
}

}  // namespace footfall
