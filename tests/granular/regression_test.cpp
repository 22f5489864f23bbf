// The three regressions, each against a second route.
#include "granular/regression.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/granular/learning.hpp"
#include "granular/media.hpp"
#include "granular/support_vector.hpp"
#include "ground/wrench_kernel.hpp"

namespace footfall {
namespace {

using testing::formula_database;

// The formula with noise of 5 % and some of it for upright feet too, which no mirror makes up for.
WrenchDatabase noisy_database() {
  WrenchDatabase database = formula_database();
  testing::Uniform uniform(7);
  for (std::size_t k = 0; k < database.wrenches.size(); ++k) {
    const double size = 100 * database.configurations[k / 26].depth;
    database.wrenches[k].force_x += size * uniform();
    database.wrenches[k].force_z += size * uniform();
    database.wrenches[k].torque_y += 0.1 * size * uniform();
  }
  return database;
}

// All measurements of one direction and part, mirror images among them, without the split into even and odd.
struct PlainData {
  Eigen::MatrixXd places;  // rows (d, φ)
  Eigen::VectorXd values;  // of wrenches over depth
  Eigen::VectorXd noise;   // of each, in units of one measurement's
};

PlainData plain_data(const TrainingSet& data, Eigen::Index column) {
  PlainData plain;
  std::vector<std::array<double, 4>> rows;
  for (Eigen::Index j = 0; j < data.size(); ++j) {
    const double e = data.even(j, column), o = data.odd(j, column);
    if (data.tilt[j] == 0) {
      rows.push_back({data.depth[j], 0, e, 0.5});
    } else {
      rows.push_back({data.depth[j], data.tilt[j], e + o, 1});
      rows.push_back({data.depth[j], -data.tilt[j], e - o, 1});
    }
  }
  const auto n = static_cast<Eigen::Index>(rows.size());
  plain.places.resize(n, 2);
  plain.values.resize(n);
  plain.noise.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& row = rows[static_cast<std::size_t>(i)];
    plain.places.row(i) << row[0], row[1];
    plain.values[i] = row[2];
    plain.noise[i] = row[3];
  }
  return plain;
}

double plain_matern(const Hyperparameters& h, double depth, double tilt) {
  const double r = std::hypot(depth / h.depth_length, tilt / h.tilt_length);
  return (1 + std::sqrt(5) * r + 5 * r * r / 3) * std::exp(-std::sqrt(5) * r);
}

// Rasmussen and Williams, (2.42) for the mean and (2.45) for the likelihood, the amplitude at its best.
struct PlainProcess {
  Eigen::LLT<Eigen::MatrixXd> k;
  Eigen::MatrixXd f;
  Eigen::VectorXd beta, alpha;
  double likelihood = 0;
};

PlainProcess plain_process(const PlainData& data, const Hyperparameters& h) {
  PlainProcess p;
  const Eigen::Index n = data.values.size();
  Eigen::MatrixXd k(n, n);
  p.f.resize(n, 3);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      k(i, j) = plain_matern(h, data.places(i, 0) - data.places(j, 0),
                             data.places(i, 1) - data.places(j, 1));
    }
    k(i, i) += h.noise * data.noise[i];
    p.f.row(i) << 1, data.places(i, 0) / 0.07, data.places(i, 1) / 0.9;
  }
  p.k.compute(k);
  const Eigen::MatrixXd a = p.f.transpose() * p.k.solve(p.f);
  p.beta = a.llt().solve(p.f.transpose() * p.k.solve(data.values));
  const Eigen::VectorXd rest = data.values - p.f * p.beta;
  p.alpha = p.k.solve(rest);
  const double freedom = static_cast<double>(n - 3);
  p.likelihood = -0.5 * freedom * std::log(rest.dot(p.alpha) / freedom) -
                 0.5 * std::log(k.determinant()) - 0.5 * std::log(a.determinant());
  return p;
}

TEST(Regressions, GaussianProcessIsTheTextbooksOnAllMeasurementsAtOnce) {
  const TrainingSet data = make_training_set(noisy_database());
  Hyperparameters h = make_hyperparameters(data, Kernel::matern, 0.8, 1.3);
  h.noise = 0.07;
  const Expansion expansion = fit_kernels(data, h);
  const FootConfiguration at{0.033, -0.47};
  const Eigen::RowVectorXd wrenches = evaluate_expansion(expansion, at);
  for (const Eigen::Index column : {0, 2, 26 + 9, 26 + 19, 52 + 7}) {
    const PlainData plain = plain_data(data, column);
    const PlainProcess p = plain_process(plain, h);
    double mean = p.beta[0] + p.beta[1] * at.depth / 0.07 + p.beta[2] * at.tilt / 0.9;
    for (Eigen::Index i = 0; i < plain.values.size(); ++i) {
      mean +=
          p.alpha[i] * plain_matern(h, at.depth - plain.places(i, 0), at.tilt - plain.places(i, 1));
    }
    EXPECT_NEAR(wrenches[column], at.depth * mean, 1e-9 * std::abs(at.depth * mean) + 1e-9);
  }
}

TEST(Regressions, GaussianProcessHasTheTextbooksLikelihood) {
  const TrainingSet data = make_training_set(noisy_database());
  const auto plain = [&](const Hyperparameters& h) {
    double sum = 0;
    for (Eigen::Index column = 0; column < data.columns(); ++column) {
      sum += plain_process(plain_data(data, column), h).likelihood;
    }
    return sum;
  };
  Hyperparameters a = make_hyperparameters(data, Kernel::matern, 0.8, 1.3), b = a;
  a.noise = 0.07;
  b.noise = 0.2;
  b.tilt_length *= 2;
  const double expected = plain(a) - plain(b);
  EXPECT_NEAR(gp_likelihood(data, a) - gp_likelihood(data, b), expected, 1e-8 * std::abs(expected));
  const double best = gp_likelihood(data, choose_gp(data));
  for (const double factor : {0.8, 1.25}) {
    for (double Hyperparameters::* part :
         {&Hyperparameters::depth_length, &Hyperparameters::tilt_length, &Hyperparameters::noise}) {
      Hyperparameters near = choose_gp(data);
      near.*part *= factor;
      EXPECT_LT(gp_likelihood(data, near), best);
    }
  }
}

TEST(Regressions, LeavingOneOutIsLeavingOneOut) {
  const TrainingSet data = make_training_set(noisy_database());
  for (const Kernel kernel : {Kernel::linear, Kernel::thin_plate, Kernel::inverse_multiquadric}) {
    const Hyperparameters h = make_hyperparameters(data, kernel, 0.5, 0.7);
    const double plain =
        cross_validation_error(data, static_cast<int>(data.size()),
                               [&](const TrainingSet& part) { return fit_kernels(part, h); });
    EXPECT_NEAR(rbf_leave_one_out(data, h), plain, 1e-8 * plain);
  }
}

// The three conditions, from their definition.
double plain_violation(const Eigen::MatrixXd& kernel, const Eigen::VectorXd& target,
                       const Eigen::VectorXd& weights, double tube, double bound) {
  const Eigen::VectorXd r = target - kernel * weights;
  double worst = 0;
  for (Eigen::Index j = 0; j < r.size(); ++j) {
    const double b = weights[j];
    worst = std::max(worst, std::abs(b) - bound);
    if (b < bound) worst = std::max(worst, b >= 0 ? r[j] - tube : r[j] + tube);
    if (b > -bound) worst = std::max(worst, b <= 0 ? -tube - r[j] : tube - r[j]);
  }
  return worst;
}

TEST(Regressions, SupportVectorsMeetTheirConditions) {
  testing::Uniform uniform(3);
  for (int problem = 0; problem < 200; ++problem) {
    const Eigen::Index n = 1 + static_cast<Eigen::Index>(30 + 29 * uniform());
    Eigen::MatrixXd places(n, 2);
    Eigen::VectorXd target(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      places.row(i) << uniform(), uniform();
      target[i] = std::sin(3 * places(i, 0)) + 0.3 * uniform();
    }
    Eigen::MatrixXd kernel(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        const double r2 = (places.row(i) - places.row(j)).squaredNorm();
        kernel(i, j) = kernel_value<Kernel::matern>(4 * r2) + 1;
      }
    }
    const double tube = problem % 4 == 0 ? 0 : 0.3 * std::abs(uniform());
    const double bound = std::pow(10, 2 * uniform());
    const SupportVectors solved = solve_support_vectors(kernel, target, tube, bound);
    EXPECT_LT(plain_violation(kernel, target, solved.weights, tube, bound), 1e-9) << problem;
  }
}

// The same as a scenario with the rest of the data: a database without the configuration, learned and asked.
TEST(Regressions, WhatIsLeftOutIsPredictedAsAScenarioWould) {
  const WrenchDatabase all = formula_database();
  const std::size_t n = all.configurations.size(), m = all.directions.size();
  const std::vector<int> mirrored = mirrored_directions(all.directions);
  double sum = 0, count = 0;
  for (std::size_t left = 0; left < n; ++left) {
    WrenchDatabase rest = all;
    const auto at = static_cast<std::ptrdiff_t>(left * m);
    rest.configurations.erase(rest.configurations.begin() + static_cast<std::ptrdiff_t>(left));
    rest.wrenches.erase(rest.wrenches.begin() + at,
                        rest.wrenches.begin() + at + static_cast<std::ptrdiff_t>(m));
    const WrenchModel model(learn_wrenches(rest));
    WrenchVertices w = model.make_vertices();
    model.predict(all.configurations[left], w);
    for (std::size_t i = 0; i < m; ++i) {
      double known = all.at(left, i).force_z;
      if (all.configurations[left].tilt == 0) {  // the mean with its mirror image
        known = 0.5 * (known + all.at(left, static_cast<std::size_t>(mirrored[i])).force_z);
      }
      sum += (w.force_z[i] - known) * (w.force_z[i] - known);
      ++count;
    }
  }
  const RegressionScore score = score_regression(all, Regression::rbf, static_cast<int>(n));
  EXPECT_NEAR(score.force_z_error, std::sqrt(sum / count), 1e-9 * (1 + score.force_z_error));
}

TEST(Regressions, OfTheSandInterpolationIsAsGoodAsAny) {
  const std::optional<WrenchDatabase> sand = testing::measured_sand();
  if (!sand) GTEST_SKIP() << testing::kNoSand;
  const RegressionScore rbf = score_regression(*sand, Regression::rbf);
  const RegressionScore process = score_regression(*sand, Regression::gaussian_process);
  EXPECT_EQ(rbf.hyperparameters.kernel, Kernel::linear);
  EXPECT_NEAR(rbf.error, 0.2519, 5e-4);
  EXPECT_NEAR(rbf.force_z_error, 17.42, 0.02);  // [N], of up to 301 N
  EXPECT_LT(rbf.error, 1.05 * process.error);
  EXPECT_NEAR(process.error, 0.2489, 2e-3);
  EXPECT_THROW(score_regression(*sand, Regression::rbf, 16), InputError);
}

TEST(Directions, FewerAreChosenInMirroredPairsAndLoseLessAndLess) {
  const WrenchDatabase database = formula_database();
  const std::vector<int> mirrored = mirrored_directions(database.directions);
  const std::vector<DirectionChoice> choices = rank_directions(database);
  double loss = 1;
  int count = 0;
  for (const DirectionChoice& choice : choices) {
    EXPECT_EQ(choice.added.back(), mirrored[static_cast<std::size_t>(choice.added.front())]);
    count += static_cast<int>(choice.added.size());
    EXPECT_EQ(choice.count, count);
    EXPECT_LE(choice.support_loss, loss);
    loss = choice.support_loss;
  }
  EXPECT_EQ(count, 26);
  EXPECT_EQ(choices.back().support_loss, 0);
  EXPECT_NEAR(choices.back().volume_share, 1, 1e-12);
}

}  // namespace
}  // namespace footfall
