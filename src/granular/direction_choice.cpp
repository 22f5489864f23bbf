#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "footfall/granular/learning.hpp"
#include "footfall/granular/wrench_database.hpp"
#include "footfall/granular/wrench_hull.hpp"
#include "granular/regression.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr int kViews = 200;  // of the support function

// Spread evenly over the sphere (Fibonacci's spiral).
Eigen::MatrixXd spread_views() {
  Eigen::MatrixXd views(3, kViews);
  for (int k = 0; k < kViews; ++k) {
    const double z = 1 - (2 * k + 1.0) / kViews, r = std::sqrt(1 - z * z);
    const double turn = std::numbers::pi * (3 - std::sqrt(5.0)) * k;
    views.col(k) << r * std::cos(turn), r * std::sin(turn), z;
  }
  return views;
}

// u · w of each configuration and view (rows) and direction (columns). Each configuration's wrenches are
// brought to unit second moments first: W is thin where a force and its moment about p_r go together, and
// what it is there decides whether a foot tips.
Eigen::MatrixXd support_table(const WrenchDatabase& database) {
  const auto n = static_cast<Eigen::Index>(database.configurations.size());
  const auto m = static_cast<Eigen::Index>(database.directions.size());
  const Eigen::MatrixXd views = spread_views();
  Eigen::MatrixXd table(n * kViews, m), wrenches(3, m);
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < m; ++i) {
      const PlanarWrench& w = database.at(static_cast<std::size_t>(j), static_cast<std::size_t>(i));
      wrenches.col(i) << w.force_x, w.force_z, w.torque_y;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> moments(wrenches * wrenches.transpose() /
                                                                 static_cast<double>(m));
    const double least = 1e-12 * moments.eigenvalues()[2];
    const Eigen::Vector3d shrink =
        moments.eigenvalues().unaryExpr([&](double e) { return e > least ? 1 / std::sqrt(e) : 0; });
    table.middleRows(j * kViews, kViews) =
        views.transpose() * shrink.asDiagonal() * moments.eigenvectors().transpose() * wrenches;
  }
  return table;
}

double volume_with(const WrenchDatabase& database, std::size_t configuration,
                   const std::vector<int>& directions) {
  std::vector<PlanarWrench> points{{}};
  for (const int i : directions) {
    points.push_back(database.at(configuration, static_cast<std::size_t>(i)));
  }
  return find_hull(points).volume;
}

double mean_volume_share(const WrenchDatabase& database, const std::vector<int>& chosen,
                         const std::vector<double>& whole) {
  double sum = 0;
  for (std::size_t j = 0; j < whole.size(); ++j) {
    sum += whole[j] > 0 ? volume_with(database, j, chosen) / whole[j] : 1;
  }
  return sum / static_cast<double>(whole.size());
}

// Largest of what is lost in a configuration over its largest support.
double worst_share(const Eigen::VectorXd& lost, const Eigen::VectorXd& whole) {
  double worst = 0;
  for (Eigen::Index from = 0; from < lost.size(); from += kViews) {
    const double largest = whole.segment(from, kViews).maxCoeff();
    if (largest > 0) worst = std::max(worst, lost.segment(from, kViews).maxCoeff() / largest);
  }
  return worst;
}

}  // namespace

std::vector<DirectionChoice> rank_directions(const WrenchDatabase& database) {
  const std::vector<int> mirrored = mirrored_directions(database.directions);
  std::vector<std::vector<int>> pairs;  // that are yet to be chosen
  std::vector<int> all;
  for (int i = 0; i < static_cast<int>(mirrored.size()); ++i) {
    all.push_back(i);
    const int opposite = mirrored[i];
    if (opposite == i) pairs.push_back({i});
    if (opposite > i) pairs.push_back({i, opposite});
  }
  std::vector<double> volumes;
  volumes.reserve(database.configurations.size());
  for (std::size_t j = 0; j < database.configurations.size(); ++j) {
    volumes.push_back(volume_with(database, j, all));
  }
  const Eigen::MatrixXd table = support_table(database);
  const Eigen::VectorXd whole = table.rowwise().maxCoeff().cwiseMax(0.0);
  Eigen::VectorXd support = Eigen::VectorXd::Zero(whole.size());  // of zero alone
  const auto with = [&](const std::vector<int>& pair) {
    Eigen::VectorXd h = support;
    for (const int i : pair) h = h.cwiseMax(table.col(i));
    return h;
  };
  std::vector<DirectionChoice> choices;
  std::vector<int> chosen;
  while (!pairs.empty()) {
    const auto gain = [&](const std::vector<int>& pair) {
      return (with(pair) - support).sum() / static_cast<double>(pair.size());
    };
    const auto best = std::max_element(
        pairs.begin(), pairs.end(),
        [&](const std::vector<int>& a, const std::vector<int>& b) { return gain(a) < gain(b); });
    support = with(*best);
    chosen.insert(chosen.end(), best->begin(), best->end());
    const Eigen::VectorXd lost = whole - support;
    choices.push_back({.added = *best,
                       .count = static_cast<int>(chosen.size()),
                       .support_loss = whole.sum() > 0 ? lost.sum() / whole.sum() : 0,
                       .worst_loss = worst_share(lost, whole),
                       .volume_share = mean_volume_share(database, chosen, volumes)});
    pairs.erase(best);
  }
  return choices;
}

std::vector<PlanarVelocity> velocity_directions(int count, const PlanarVelocity& speeds) {
  if (count != 26 && count != 58) throw input_error("directions = {}, expected 26 or 58", count);
  check_range("speed x", speeds.x, 1e-12, 1e6, "above 0 and at most 1e6 m/s");
  check_range("speed z", speeds.z, 1e-12, 1e6, "above 0 and at most 1e6 m/s");
  check_range("speed of tilting", speeds.tilt, 1e-12, 1e6, "above 0 and at most 1e6 rad/s");
  const double s = std::numbers::sqrt2 / 2;
  const std::array<double, 8> x{0, s, 1, s, 0, -s, -1, -s}, z{-1, -s, 0, s, 1, s, 0, -s};
  const int rings = (count - 2) / 8;
  std::vector<PlanarVelocity> directions;
  directions.push_back({0, 0, speeds.tilt});
  for (int ring = 1; ring <= rings; ++ring) {
    // angles of mirrored rings from one number, so that they are mirrored bit by bit
    const int from_pole = std::min(ring, rings + 1 - ring);
    const bool middle = 2 * ring == rings + 1;
    const double angle = std::numbers::pi * from_pole / (rings + 1);
    const double radius = middle ? 1 : std::sin(angle);
    const double along = middle ? 0 : std::copysign(std::cos(angle), from_pole - ring + 0.5);
    for (std::size_t i = 0; i < x.size(); ++i) {
      directions.push_back(
          {radius * x[i] * speeds.x, radius * z[i] * speeds.z, along * speeds.tilt});
    }
  }
  directions.push_back({0, 0, -speeds.tilt});
  return directions;
}

std::vector<int> mirrored_directions(const std::vector<PlanarVelocity>& directions) {
  PlanarVelocity largest{};
  for (const PlanarVelocity& v : directions) {
    largest = {std::max(largest.x, std::abs(v.x)), std::max(largest.z, std::abs(v.z)),
               std::max(largest.tilt, std::abs(v.tilt))};
  }
  const auto close = [](double a, double b, double scale) {
    return std::abs(a - b) <= 1e-9 * scale;
  };
  std::vector<int> mirrored;
  for (const PlanarVelocity& v : directions) {
    int found = -1;
    for (std::size_t i = 0; i < directions.size() && found < 0; ++i) {
      const PlanarVelocity& u = directions[i];
      if (close(u.x, -v.x, largest.x) && close(u.z, v.z, largest.z) &&
          close(u.tilt, -v.tilt, largest.tilt)) {
        found = static_cast<int>(i);
      }
    }
    if (found < 0) {
      throw input_error("direction {} ({} m/s, {} m/s, {} rad/s) has none that mirrors it: a foot "
                        "that leans the other way needs ({}, {}, {}) too",
                        mirrored.size(), v.x, v.z, v.tilt, -v.x, v.z, -v.tilt);
    }
    mirrored.push_back(found);
  }
  return mirrored;
}

}  // namespace footfall
