#include "footfall/granular/wrench_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "footfall/error.hpp"
#include "granular/kernel.hpp"
#include "granular/regression.hpp"

namespace footfall {
namespace {

constexpr int kMostCentreLanes = 64;
constexpr int kMostCentres = kMostCentreLanes * kLaneCount;
constexpr double kOnTheRim = 1e-12;  // beyond the rim by less than this share is rounding

std::size_t whole_lanes(Eigen::Index count) {
  return (static_cast<std::size_t>(count) + kLaneCount - 1) / kLaneCount;
}

std::vector<Lane8> lanes_of(const Eigen::VectorXd& values, double unit) {
  std::vector<Lane8> lanes(whole_lanes(values.size()), Lane8(0));
  for (Eigen::Index j = 0; j < values.size(); ++j) {
    lanes[static_cast<std::size_t>(j / kLaneCount)].set(static_cast<int>(j % kLaneCount),
                                                        values[j] / unit);
  }
  return lanes;
}

}  // namespace

WrenchModel::WrenchModel(const WrenchDatabase& database, const LearningOptions& options)
    : foot_(database.foot), vertex_count_(static_cast<int>(database.directions.size())) {
  const LearningData data = make_learning_data(database);
  if (data.size() > kMostCentres) {
    throw InputError(fmt::format("wrench database of {} has {} configurations, expected at most {}",
                                 database.medium, data.size(), kMostCentres));
  }
  deepest_ = data.deepest;
  largest_tilt_ = data.largest_tilt;
  set_coefficients(learn_expansion(data, options.regression));
  set_rim(data);
}

void WrenchModel::set_coefficients(const Expansion& expansion) {
  hyperparameters_ = expansion.hyperparameters;
  depths_ = lanes_of(expansion.depth, hyperparameters_.depth_length);
  tilts_ = lanes_of(expansion.tilt, hyperparameters_.tilt_length);
  const auto n = static_cast<std::size_t>(expansion.depth.size());
  const std::size_t kernels = depths_.size() * kLaneCount;
  const std::size_t blocks = whole_lanes(vertex_count_);
  const std::size_t terms = 2 * kernels + 3;
  coefficients_.assign(blocks * terms * 3, Lane8(0));
  for (std::size_t column = 0; column < static_cast<std::size_t>(expansion.even.cols()); ++column) {
    const std::size_t part = column / static_cast<std::size_t>(vertex_count_);
    const std::size_t vertex = column % static_cast<std::size_t>(vertex_count_);
    const auto c = static_cast<Eigen::Index>(column);
    const auto set = [&](std::size_t term, double value) {
      coefficients_[(vertex / kLaneCount * terms + term) * 3 + part].set(vertex % kLaneCount,
                                                                         value);
    };
    for (std::size_t j = 0; j < n; ++j) {
      set(j, expansion.even(static_cast<Eigen::Index>(j), c));
      set(kernels + 2 + j, expansion.odd(static_cast<Eigen::Index>(j), c));
    }
    const auto last = static_cast<Eigen::Index>(n);
    set(kernels, expansion.even(last, c));
    set(kernels + 1, expansion.even(last + 1, c));
    set(terms - 1, expansion.odd(last, c));
  }
}

// The convex rim over depths from zero to the deepest, then down to the upright foot.
void WrenchModel::set_rim(const LearningData& data) {
  std::vector<std::pair<double, double>> points{{0, data.largest_tilt > 0 ? 1 : 0}};
  for (Eigen::Index j = 0; j < data.size(); ++j) {
    points.emplace_back(data.depth[j] / data.deepest,
                        data.tilt[j] > 0 ? data.tilt[j] / data.largest_tilt : 0);
  }
  std::sort(points.begin(), points.end());
  for (const auto& [x, y] : points) {
    while (!rim_.empty() && rim_.back().depth == x) rim_.pop_back();
    while (rim_.size() > 1) {
      const Point &a = rim_[rim_.size() - 2], &b = rim_.back();
      if ((b.depth - a.depth) * (y - a.tilt) < (b.tilt - a.tilt) * (x - a.depth)) break;
      rim_.pop_back();
    }
    rim_.push_back({x, y});
  }
  rim_.push_back({1, 0});
}

WrenchVertices WrenchModel::make_vertices() const {
  const std::size_t size = whole_lanes(vertex_count_) * kLaneCount;
  return {std::vector<double>(size), std::vector<double>(size), std::vector<double>(size)};
}

PredictedAt WrenchModel::clamp(const FootConfiguration& at) const {
  if (at.depth <= 0) return {at, false, false};
  const double tilt_unit = largest_tilt_ > 0 ? largest_tilt_ : 1;
  const double x = at.depth / deepest_, y = std::abs(at.tilt) / tilt_unit;
  bool inside = x <= 1 + kOnTheRim;  // the rim's end has no length where all feet were upright
  double nearest = std::numeric_limits<double>::infinity();
  Point best{x, y};
  for (std::size_t i = 0; i + 1 < rim_.size(); ++i) {
    const Point a = rim_[i];
    const double dx = rim_[i + 1].depth - a.depth, dy = rim_[i + 1].tilt - a.tilt;
    const double length2 = dx * dx + dy * dy;
    if (length2 == 0) continue;
    if (dx * (y - a.tilt) - dy * (x - a.depth) > kOnTheRim) inside = false;
    const double along = std::clamp((dx * (x - a.depth) + dy * (y - a.tilt)) / length2, 0.0, 1.0);
    const Point on{a.depth + along * dx, a.tilt + along * dy};
    const double distance = square(x - on.depth) + square(y - on.tilt);
    if (distance < nearest) {
      nearest = distance;
      best = on;
    }
  }
  if (inside) return {at, false, false};
  PredictedAt to{at, std::abs(best.depth - x) > kOnTheRim, std::abs(best.tilt - y) > kOnTheRim};
  if (to.depth_clamped) to.configuration.depth = best.depth * deepest_;
  if (to.tilt_clamped) to.configuration.tilt = std::copysign(best.tilt * tilt_unit, at.tilt);
  return to;
}

FOOTFALL_KERNEL PredictedAt WrenchModel::predict(const FootConfiguration& at,
                                                 WrenchVertices& vertices) const {
  const PredictedAt to = clamp(at);
  // of the foot that leans towards +x; odd sums of the other have the opposite sign, of an upright one none
  const double depth = to.configuration.depth, tilt = std::abs(to.configuration.tilt);
  const Lane8 side(to.configuration.tilt < 0 ? -1 : to.configuration.tilt > 0 ? 1 : 0);
  const std::size_t blocks = whole_lanes(vertex_count_), kernels = depths_.size() * kLaneCount;
  if (depth <= 0) {
    for (std::vector<double>* part : {&vertices.force_x, &vertices.force_z, &vertices.torque_y}) {
      std::fill_n(part->begin(), blocks * kLaneCount, 0.0);
    }
    return to;
  }
  // kernels and polynomial terms, even then odd
  alignas(64) std::array<double, 2 * kMostCentres + 3> term;
  with_kernel(hyperparameters_.kernel, [&](auto kernel) {
    const Lane8 x(depth / hyperparameters_.depth_length), y(tilt / hyperparameters_.tilt_length);
    for (std::size_t l = 0; l < depths_.size(); ++l) {
      const Lane8 x2 = square(x - depths_[l]);
      const Lane8 here = kernel_value<decltype(kernel)::value>(x2 + square(y - tilts_[l]));
      const Lane8 image = kernel_value<decltype(kernel)::value>(x2 + square(y + tilts_[l]));
      const Lane8 even = Lane8(0.5) * (here + image), odd = Lane8(0.5) * (here - image);
      std::memcpy(&term[l * kLaneCount], &even, sizeof even);
      std::memcpy(&term[kernels + 2 + l * kLaneCount], &odd, sizeof odd);
    }
  });
  const std::size_t odd_from = kernels + 2, terms = 2 * kernels + 3;
  term[kernels] = 1;
  term[kernels + 1] = depth / deepest_;
  term[terms - 1] = largest_tilt_ > 0 ? tilt / largest_tilt_ : 0;

  const Lane8* c = coefficients_.data();
  for (std::size_t block = 0; block < blocks; ++block) {
    std::array<Lane8, 3> even{Lane8(0), Lane8(0), Lane8(0)}, odd = even;
    for (std::size_t t = 0; t < odd_from; ++t, c += 3) {
      const Lane8 k(term[t]);
      for (std::size_t part = 0; part < 3; ++part) even[part] += k * c[part];
    }
    for (std::size_t t = odd_from; t < terms; ++t, c += 3) {
      const Lane8 k(term[t]);
      for (std::size_t part = 0; part < 3; ++part) odd[part] += k * c[part];
    }
    for (std::size_t part = 0; part < 3; ++part) {
      even[part] = Lane8(depth) * (even[part] + side * odd[part]);
    }
    std::memcpy(&vertices.force_x[block * kLaneCount], even.data(), sizeof(Lane8));
    std::memcpy(&vertices.force_z[block * kLaneCount], &even[1], sizeof(Lane8));
    std::memcpy(&vertices.torque_y[block * kLaneCount], &even[2], sizeof(Lane8));
  }
  return to;
}

}  // namespace footfall
