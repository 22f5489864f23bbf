#include "footfall/ground/wrench_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "footfall/error.hpp"
#include "ground/wrench_kernel.hpp"

namespace footfall {
namespace {

constexpr double kOnTheRim = 1e-12;  // beyond the rim by less than this share is rounding

std::size_t whole_lanes(std::size_t count) { return (count + kLaneCount - 1) / kLaneCount; }

// One coordinate of the configurations over its length, in lanes.
template <class Coordinate>
std::vector<Lane8> lanes_of(const std::vector<FootConfiguration>& configurations, double unit,
                            const Coordinate& coordinate) {
  std::vector<Lane8> lanes(whole_lanes(configurations.size()), Lane8(0));
  for (std::size_t j = 0; j < configurations.size(); ++j) {
    lanes[j / kLaneCount].set(static_cast<int>(j % kLaneCount),
                              coordinate(configurations[j]) / unit);
  }
  return lanes;
}

void check_expansion(const WrenchExpansion& e) {
  const std::size_t n = e.configurations.size(), columns = 3 * e.directions.size();
  if (n < 1 || n > kMostConfigurations) {
    throw InputError(fmt::format("wrench expansion has {} configurations, expected from 1 to {}", n,
                                 kMostConfigurations));
  }
  if (columns == 0 || e.even.size() != (n + 2) * columns || e.odd.size() != (n + 1) * columns) {
    throw InputError(fmt::format("wrench expansion of {} configurations and {} directions has {} "
                                 "even and {} odd coefficients, expected {} and {}",
                                 n, e.directions.size(), e.even.size(), e.odd.size(),
                                 (n + 2) * columns, (n + 1) * columns));
  }
}

}  // namespace

WrenchModel::WrenchModel(const WrenchExpansion& expansion)
    : foot_(expansion.foot), vertex_count_(static_cast<int>(expansion.directions.size())),
      deepest_(expansion.deepest), largest_tilt_(expansion.largest_tilt) {
  check_expansion(expansion);
  set_coefficients(expansion);
  set_rim(expansion);
}

void WrenchModel::set_coefficients(const WrenchExpansion& expansion) {
  hyperparameters_ = expansion.hyperparameters;
  depths_ = lanes_of(expansion.configurations, hyperparameters_.depth_length,
                     [](const FootConfiguration& at) { return at.depth; });
  tilts_ = lanes_of(expansion.configurations, hyperparameters_.tilt_length,
                    [](const FootConfiguration& at) { return at.tilt; });
  const std::size_t n = expansion.configurations.size(), m = expansion.directions.size();
  const std::size_t kernels = depths_.size() * kLaneCount;
  const std::size_t terms = 2 * kernels + 3;
  coefficients_.assign(whole_lanes(m) * terms * 3, Lane8(0));
  for (std::size_t column = 0; column < 3 * m; ++column) {
    const std::size_t part = column / m, vertex = column % m;
    const auto set = [&](std::size_t term, double value) {
      coefficients_[(vertex / kLaneCount * terms + term) * 3 + part].set(
          static_cast<int>(vertex % kLaneCount), value);
    };
    const auto even = [&](std::size_t row) { return expansion.even[row * 3 * m + column]; };
    const auto odd = [&](std::size_t row) { return expansion.odd[row * 3 * m + column]; };
    for (std::size_t j = 0; j < n; ++j) {
      set(j, even(j));
      set(kernels + 2 + j, odd(j));
    }
    set(kernels, even(n));
    set(kernels + 1, even(n + 1));
    set(terms - 1, odd(n));
  }
}

// The convex rim over depths from zero to the deepest, then down to the upright foot.
void WrenchModel::set_rim(const WrenchExpansion& expansion) {
  std::vector<std::pair<double, double>> points{{0, largest_tilt_ > 0 ? 1 : 0}};
  for (const FootConfiguration& at : expansion.configurations) {
    points.emplace_back(at.depth / deepest_, at.tilt > 0 ? at.tilt / largest_tilt_ : 0);
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
  const std::size_t size = whole_lanes(static_cast<std::size_t>(vertex_count_)) * kLaneCount;
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
  const std::size_t blocks = whole_lanes(static_cast<std::size_t>(vertex_count_)),
                    kernels = depths_.size() * kLaneCount;
  if (depth <= 0) {
    for (std::vector<double>* part : {&vertices.force_x, &vertices.force_z, &vertices.torque_y}) {
      std::fill_n(part->begin(), blocks * kLaneCount, 0.0);
    }
    return to;
  }
  // kernels and polynomial terms, even then odd
  alignas(64) std::array<double, 2 * kMostConfigurations + 3> term;
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
      even[part] = Lane8(at.depth) * (even[part] + side * odd[part]);
    }
    std::memcpy(&vertices.force_x[block * kLaneCount], even.data(), sizeof(Lane8));
    std::memcpy(&vertices.force_z[block * kLaneCount], &even[1], sizeof(Lane8));
    std::memcpy(&vertices.torque_y[block * kLaneCount], &even[2], sizeof(Lane8));
  }
  return to;
}

}  // namespace footfall
