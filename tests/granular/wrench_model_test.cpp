#include "footfall/ground/wrench_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/granular/learning.hpp"
#include "granular/media.hpp"
#include "granular/regression.hpp"

namespace footfall {
namespace {

using testing::formula_database;
using testing::formula_wrench;

void expect_near(const WrenchVertices& w, std::size_t i, const PlanarWrench& expected,
                 double tolerance) {
  EXPECT_NEAR(w.force_x[i], expected.force_x, tolerance) << i;
  EXPECT_NEAR(w.force_z[i], expected.force_z, tolerance) << i;
  EXPECT_NEAR(w.torque_y[i], expected.torque_y, tolerance) << i;
}

TEST(WrenchModel, InterpolationGoesThroughTheData) {
  for (const int directions : {26, 58}) {
    const WrenchDatabase database = formula_database(directions);
    const WrenchModel model(learn_wrenches(database));
    WrenchVertices w = model.make_vertices();
    for (std::size_t j = 0; j < database.configurations.size(); ++j) {
      const PredictedAt at = model.predict(database.configurations[j], w);
      EXPECT_FALSE(at.depth_clamped || at.tilt_clamped);
      for (std::size_t i = 0; i < database.directions.size(); ++i) {
        expect_near(w, i, database.at(j, i), 1e-7);
      }
    }
    for (std::size_t i = database.directions.size(); i < w.force_x.size(); ++i) {
      EXPECT_EQ(w.force_x[i], 0);
      EXPECT_EQ(w.force_z[i], 0);
      EXPECT_EQ(w.torque_y[i], 0);
    }
  }
}

TEST(WrenchModel, FindsAnUprightFootsMeanWithItsMirrorImage) {
  WrenchDatabase database = formula_database();
  database.wrenches[1].force_x +=
      3;  // depth 0.01, upright, straight down: no other mirrors it but itself
  database.wrenches[10].force_z += 5;
  const std::vector<int> mirrored = mirrored_directions(database.directions);
  const WrenchModel model(learn_wrenches(database));
  WrenchVertices w = model.make_vertices();
  model.predict({0.01, 0}, w);
  for (std::size_t i = 0; i < 26; ++i) {
    const PlanarWrench a = database.at(0, i);
    const PlanarWrench b = database.at(0, static_cast<std::size_t>(mirrored[i]));
    expect_near(w, i,
                {0.5 * (a.force_x - b.force_x), 0.5 * (a.force_z + b.force_z),
                 0.5 * (a.torque_y - b.torque_y)},
                1e-7);
  }
}

TEST(WrenchModel, IsMirroredBitByBitAndZeroOnTheSurface) {
  const WrenchDatabase database = formula_database();
  const std::vector<int> mirrored = mirrored_directions(database.directions);
  for (const Regression regression :
       {Regression::rbf, Regression::gaussian_process, Regression::support_vector}) {
    const WrenchModel model(learn_wrenches(database, {regression}));
    WrenchVertices here = model.make_vertices(), image = here;
    for (const FootConfiguration at :
         {FootConfiguration{0.013, 0.2}, {0.07, 0.45}, {0.1, 2}, {0.04, 0}, {0.065, 0.85}}) {
      model.predict(at, here);
      model.predict({at.depth, -at.tilt}, image);
      for (std::size_t i = 0; i < 26; ++i) {
        const auto k = static_cast<std::size_t>(mirrored[i]);
        EXPECT_EQ(image.force_x[k], -here.force_x[i]);
        EXPECT_EQ(image.force_z[k], here.force_z[i]);
        EXPECT_EQ(image.torque_y[k], -here.torque_y[i]);
      }
    }
    for (const double depth : {0.0, -0.01}) {
      EXPECT_FALSE(model.predict({depth, 3}, here).tilt_clamped);
      for (std::size_t i = 0; i < here.force_x.size(); ++i) {
        EXPECT_EQ(std::abs(here.force_x[i]) + here.force_z[i] + std::abs(here.torque_y[i]), 0);
      }
    }
    model.predict({1e-9, 0.3}, here);
    for (std::size_t i = 0; i < 26; ++i) EXPECT_LT(std::abs(here.force_z[i]), 1e-4);
  }
}

TEST(WrenchModel, PredictsAsThePlainSumDoes) {
  const WrenchDatabase database = formula_database();
  const TrainingSet data = make_training_set(database);
  for (const Regression regression :
       {Regression::rbf, Regression::gaussian_process, Regression::support_vector}) {
    const WrenchModel model(learn_wrenches(database, {regression}));
    const Expansion expansion = learn_expansion(data, regression);
    WrenchVertices w = model.make_vertices();
    for (const FootConfiguration at :
         {FootConfiguration{0.004, 0.1}, {0.022, -0.71}, {0.07, 0.6}, {0.05, 0.9}}) {
      model.predict(at, w);
      const Eigen::RowVectorXd plain = evaluate_expansion(expansion, at);
      for (std::size_t i = 0; i < 26; ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        expect_near(w, i, {plain[k], plain[26 + k], plain[52 + k]}, 1e-7);
      }
    }
  }
}

TEST(WrenchModel, IsNearTheFormulaBetweenTheData) {
  const WrenchDatabase database = formula_database();
  const WrenchModel model(learn_wrenches(database));
  WrenchVertices w = model.make_vertices();
  const FootConfiguration at{0.042, 0.42};
  model.predict(at, w);
  for (std::size_t i = 0; i < 26; ++i) {
    const PlanarWrench expected = formula_wrench(at, database.directions[i]);
    expect_near(w, i, expected, 1);  // of 600 N
  }
}

TEST(WrenchModel, ClampsToTheHullOfTheData) {
  const WrenchModel model(learn_wrenches(formula_database()));
  const auto expect = [&](FootConfiguration from, FootConfiguration to, bool depth, bool tilt) {
    const PredictedAt at = model.clamp(from);
    EXPECT_NEAR(at.configuration.depth, to.depth, 1e-12);
    EXPECT_NEAR(at.configuration.tilt, to.tilt, 1e-12);
    EXPECT_EQ(at.depth_clamped, depth) << from.depth << " " << from.tilt;
    EXPECT_EQ(at.tilt_clamped, tilt) << from.depth << " " << from.tilt;
  };
  expect({0.1, 0.2}, {0.07, 0.2}, true, false);
  expect({0.02, -1.2}, {0.02, -0.9}, false, true);
  expect({0.0001, 0.9}, {0.0001, 0.9}, false, false);
  expect({0.06, 0.75}, {0.06, 0.75}, false, false);  // on the edge across the missing corner
  expect({1, -1.5}, {0.07, -0.6}, true, true);
  const PredictedAt corner = model.clamp({0.07, 0.9});  // to that edge, at a right angle in shares
  const double x = corner.configuration.depth / 0.07, y = corner.configuration.tilt / 0.9;
  EXPECT_NEAR((y - 1) / (0.6 / 0.9 - 1), (x - 0.05 / 0.07) / (1 - 0.05 / 0.07), 1e-12);
  EXPECT_NEAR((1 - x) * (1 - 0.05 / 0.07) + (1 - y) * (0.6 / 0.9 - 1), 0, 1e-12);
  EXPECT_TRUE(corner.depth_clamped && corner.tilt_clamped);
}

TEST(WrenchModel, GrowsWithDepthBelowTheData) {
  const WrenchModel model(learn_wrenches(formula_database()));
  WrenchVertices inside = model.make_vertices(), below = inside;
  for (const double tilt : {0.0, 0.2, -0.5}) {
    model.predict({0.07, tilt}, inside);
    const PredictedAt at = model.predict({0.175, tilt}, below);
    EXPECT_TRUE(at.depth_clamped);
    for (std::size_t i = 0; i < 26; ++i) {
      EXPECT_NEAR(below.force_x[i], 2.5 * inside.force_x[i], 1e-9);
      EXPECT_NEAR(below.force_z[i], 2.5 * inside.force_z[i], 1e-9);
      EXPECT_NEAR(below.torque_y[i], 2.5 * inside.torque_y[i], 1e-9);
    }
  }
}

TEST(WrenchModel, TakesASingleConfigurationAsLinearInDepth) {
  WrenchDatabase database = formula_database();
  database.configurations = {{0.05, 0.0}};
  database.wrenches.assign(database.wrenches.begin() + 8 * 26, database.wrenches.begin() + 9 * 26);
  const WrenchModel model(learn_wrenches(database));
  WrenchVertices w = model.make_vertices();
  const PredictedAt at = model.predict({0.02, 0.3}, w);
  EXPECT_TRUE(at.tilt_clamped);
  EXPECT_TRUE(model.clamp({0.08, 0}).depth_clamped);  // upright data end too
  EXPECT_EQ(model.clamp({0.08, 0}).configuration.depth, 0.05);
  for (std::size_t i = 0; i < 26; ++i) {
    EXPECT_NEAR(w.force_z[i], 0.4 * database.wrenches[i].force_z, 1e-9);
  }
  database.directions[3].x = 0.5;
  EXPECT_THROW(learn_wrenches(database), InputError);
}

}  // namespace
}  // namespace footfall
