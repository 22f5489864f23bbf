#include "granular/regression.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "footfall/granular/learning.hpp"
#include "ground/wrench_kernel.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr int kParts = 3;
constexpr std::array<double, kParts> kMirror{-1, 1, -1};  // of force_x, force_z, torque_y

double part_of(const PlanarWrench& w, int part) {
  return part == 0 ? w.force_x : part == 1 ? w.force_z : w.torque_y;
}

// Even and odd part of one configuration, φ ≥ 0, to be added to row j.
void add_parts(const WrenchDatabase& database, const std::vector<int>& mirrored,
               std::size_t configuration, Eigen::Index j, TrainingSet& data) {
  const FootConfiguration& at = database.configurations[configuration];
  const double side = at.tilt < 0 ? -1 : 1;
  const auto m = static_cast<Eigen::Index>(mirrored.size());
  for (Eigen::Index i = 0; i < m; ++i) {
    const PlanarWrench& w = database.at(configuration, static_cast<std::size_t>(i));
    const auto opposite = static_cast<std::size_t>(mirrored[i]);
    const PlanarWrench& u = database.at(configuration, opposite);
    for (int part = 0; part < kParts; ++part) {
      const double here = part_of(w, part) / at.depth;
      const double image = kMirror[part] * part_of(u, part) / at.depth;
      data.even(j, part * m + i) += 0.5 * (here + image);
      data.odd(j, part * m + i) += side * 0.5 * (here - image);
    }
  }
}

std::vector<double> rows_of(const Eigen::MatrixXd& matrix) {
  std::vector<double> rows;
  rows.reserve(static_cast<std::size_t>(matrix.size()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index k = 0; k < matrix.cols(); ++k) rows.push_back(matrix(i, k));
  }
  return rows;
}

}  // namespace

TrainingSet make_training_set(const WrenchDatabase& database) {
  if (database.configurations.empty()) {
    throw InputError("wrench database has no configurations, expected at least one");
  }
  const std::vector<int> mirrored = mirrored_directions(database.directions);
  std::map<std::pair<double, double>, std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < database.configurations.size(); ++k) {
    const FootConfiguration& at = database.configurations[k];
    groups[{at.depth, std::abs(at.tilt)}].push_back(k);
  }
  const auto n = static_cast<Eigen::Index>(groups.size());
  const auto columns = static_cast<Eigen::Index>(kParts * mirrored.size());
  TrainingSet data{.depth = Eigen::VectorXd(n),
                   .tilt = Eigen::VectorXd(n),
                   .even = Eigen::MatrixXd::Zero(n, columns),
                   .odd = Eigen::MatrixXd::Zero(n, columns)};
  Eigen::Index j = 0;
  for (const auto& [at, members] : groups) {
    data.depth[j] = at.first;
    data.tilt[j] = at.second;
    for (const std::size_t k : members) add_parts(database, mirrored, k, j, data);
    data.even.row(j) /= static_cast<double>(members.size());
    data.odd.row(j) /= static_cast<double>(members.size());
    if (at.second == 0) data.odd.row(j).setZero();
    ++j;
  }
  data.deepest = data.depth.maxCoeff();
  data.largest_tilt = data.tilt.maxCoeff();
  data.mirrored = mirrored;
  return data;
}

TrainingSet select_rows(const TrainingSet& data, const std::vector<Eigen::Index>& rows) {
  return {data.depth(rows),
          data.tilt(rows),
          data.even(rows, Eigen::all),
          data.odd(rows, Eigen::all),
          data.deepest,
          data.largest_tilt,
          data.mirrored};
}

Eigen::MatrixXd kernel_matrix(const Hyperparameters& h, int sign, const Eigen::VectorXd& row_depth,
                              const Eigen::VectorXd& row_tilt, const Eigen::VectorXd& depth,
                              const Eigen::VectorXd& tilt) {
  Eigen::MatrixXd k(row_depth.size(), depth.size());
  with_kernel(h.kernel, [&](auto kernel) {
    const auto value = [](double r2) { return kernel_value<decltype(kernel)::value>(r2); };
    for (Eigen::Index j = 0; j < k.cols(); ++j) {
      for (Eigen::Index i = 0; i < k.rows(); ++i) {
        const double x2 = square((row_depth[i] - depth[j]) / h.depth_length);
        const double here = value(x2 + square((row_tilt[i] - tilt[j]) / h.tilt_length));
        const double image = value(x2 + square((row_tilt[i] + tilt[j]) / h.tilt_length));
        k(i, j) = 0.5 * (here + sign * image);
      }
    }
  });
  return k;
}

Eigen::RowVectorXd evaluate_expansion(const Expansion& expansion, const FootConfiguration& at) {
  const Eigen::VectorXd depth = Eigen::VectorXd::Constant(1, at.depth);
  const Eigen::VectorXd tilt = Eigen::VectorXd::Constant(1, at.tilt);
  const Eigen::Index n = expansion.depth.size();
  Eigen::RowVectorXd even(n + 2), odd(n + 1);
  const Hyperparameters& h = expansion.hyperparameters;
  even << kernel_matrix(h, 1, depth, tilt, expansion.depth, expansion.tilt), 1,
      at.depth / expansion.deepest;
  odd << kernel_matrix(h, -1, depth, tilt, expansion.depth, expansion.tilt),
      at.tilt / expansion.largest_tilt;
  return at.depth * (even * expansion.even + odd * expansion.odd);
}

Expansion make_expansion(const TrainingSet& data, const Hyperparameters& h) {
  return {h,  data.depth, data.tilt, data.deepest, data.largest_tilt > 0 ? data.largest_tilt : 1,
          {}, {}};
}

Hyperparameters make_hyperparameters(const TrainingSet& data, Kernel kernel, double depth_share,
                                     double tilt_share) {
  const double tilt = data.largest_tilt > 0 ? data.largest_tilt : 1;
  return {.kernel = kernel,
          .depth_length = depth_share * data.deepest,
          .tilt_length = tilt_share * tilt};
}

void mirror_columns(const TrainingSet& data, Expansion& expansion) {
  const auto m = static_cast<Eigen::Index>(data.mirrored.size());
  for (Eigen::Index column = 0; column < data.columns(); ++column) {
    const Eigen::Index part = column / m, i = column % m;
    const Eigen::Index opposite = data.mirrored[i];
    const double sign = kMirror[part];
    if (opposite > i) {
      expansion.even.col(part * m + opposite) = sign * expansion.even.col(column);
      expansion.odd.col(part * m + opposite) = -sign * expansion.odd.col(column);
    } else if (opposite == i) {
      (sign > 0 ? expansion.odd : expansion.even).col(column).setZero();
    }
  }
}

Expansion learn_expansion(const TrainingSet& data, Regression regression) {
  Expansion expansion = regression == Regression::rbf ? fit_kernels(data, choose_rbf(data))
                        : regression == Regression::gaussian_process
                            ? fit_kernels(data, choose_gp(data))
                            : fit_svr(data, choose_svr(data));
  mirror_columns(data, expansion);
  return expansion;
}

Eigen::RowVectorXd part_weights(const TrainingSet& data) {
  const Eigen::Index m = data.columns() / kParts;
  Eigen::RowVectorXd weights(data.columns());
  for (Eigen::Index part = 0; part < kParts; ++part) {
    const auto wrenches = [&](const Eigen::MatrixXd& parts) {
      return (data.depth.asDiagonal() * parts.middleCols(part * m, m)).squaredNorm();
    };
    const double sum = wrenches(data.even) + wrenches(data.odd);
    const double rms = std::sqrt(sum / static_cast<double>(data.size() * m));
    weights.segment(part * m, m).setConstant(rms > 0 ? 1 / rms : 0);
  }
  return weights;
}

std::vector<Fold> make_folds(Eigen::Index size, int folds) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  // the same everywhere, which std::shuffle is not
  std::mt19937 random(1);  // NOLINT(bugprone-random-generator-seed)
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  std::vector<Fold> out;
  for (int fold = 0; fold < folds; ++fold) {
    Fold one;
    for (std::size_t i = 0; i < order.size(); ++i) {
      (static_cast<int>(i) % folds == fold ? one.left : one.kept).push_back(order[i]);
    }
    if (!one.left.empty() && !one.kept.empty()) out.push_back(std::move(one));
  }
  return out;
}

double cross_validation_error(const TrainingSet& data, int folds, const FitExpansion& fit) {
  Eigen::MatrixXd residuals = Eigen::MatrixXd::Zero(data.size(), data.columns());
  for (const Fold& fold : make_folds(data.size(), folds)) {
    const Expansion expansion = fit(select_rows(data, fold.kept));
    for (const Eigen::Index j : fold.left) {
      residuals.row(j) = evaluate_expansion(expansion, {data.depth[j], data.tilt[j]}) -
                         data.depth[j] * (data.even.row(j) + data.odd.row(j));
    }
  }
  return (residuals * part_weights(data).asDiagonal()).squaredNorm();
}

namespace {

WrenchExpansion learn_from(const WrenchDatabase& database, const TrainingSet& data,
                           Regression regression) {
  const Expansion learned = learn_expansion(data, regression);
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

// What scenarios would have in a fold's place, learned from the others alone: θ outside of these is brought into them.
Eigen::MatrixXd held_out_residuals(const WrenchDatabase& database, const TrainingSet& data,
                                   int folds, Regression regression) {
  const auto m = static_cast<Eigen::Index>(database.directions.size());
  Eigen::MatrixXd residuals = Eigen::MatrixXd::Zero(data.size(), data.columns());
  for (const Fold& fold : make_folds(data.size(), folds)) {
    TrainingSet part = select_rows(data, fold.kept);
    part.deepest = part.depth.maxCoeff();
    part.largest_tilt = part.tilt.maxCoeff();
    const WrenchModel model(learn_from(database, part, regression));
    WrenchVertices w = model.make_vertices();
    for (const Eigen::Index j : fold.left) {
      model.predict({data.depth[j], data.tilt[j]}, w);
      residuals.row(j) << Eigen::Map<const Eigen::RowVectorXd>(w.force_x.data(), m),
          Eigen::Map<const Eigen::RowVectorXd>(w.force_z.data(), m),
          Eigen::Map<const Eigen::RowVectorXd>(w.torque_y.data(), m);
      residuals.row(j) -= data.depth[j] * (data.even.row(j) + data.odd.row(j));
    }
  }
  return residuals;
}

}  // namespace

WrenchExpansion learn_wrenches(const WrenchDatabase& database, const LearningOptions& options) {
  const TrainingSet data = make_training_set(database);
  if (data.size() > kMostConfigurations) {
    throw input_error("wrench database of {} has {} configurations, expected at most {}",
                      database.medium, data.size(), kMostConfigurations);
  }
  return learn_from(database, data, options.regression);
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
  const TrainingSet data = make_training_set(database);
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
  const Eigen::MatrixXd residuals = held_out_residuals(database, data, folds, regression);
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
