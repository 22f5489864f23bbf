#include "granular_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace footfall::granular_commands {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

using WrenchComponent = double PlanarWrench::*;

// The hull's edges as one line with gaps.
PlotLine hull_edges(const std::vector<PlanarWrench>& points, const WrenchHull& hull,
                    WrenchComponent x, WrenchComponent y) {
  PlotLine line{.label = "edges of W", .color = 5};
  std::set<std::pair<int, int>> edges;
  for (const WrenchHull::Facet& f : hull.facets) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = f.corners[k], b = f.corners[(k + 1) % 3];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  }
  for (const auto& [a, b] : edges) {
    for (const int i : {a, b}) {
      line.x.push_back(points[i].*x);
      line.y.push_back(points[i].*y);
    }
    line.x.push_back(kGap);
    line.y.push_back(kGap);
  }
  return line;
}

// Adds the view to a panel that has its titles.
PlotPanel wrench_view(PlotPanel panel, const std::vector<PlanarWrench>& points,
                      const WrenchHull& hull, WrenchComponent x, WrenchComponent y) {
  if (!hull.facets.empty()) panel.lines.push_back(hull_edges(points, hull, x, y));
  PlotLine wrenches{.label = "wrenches", .style = LineStyle::points, .color = 0};
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    wrenches.x.push_back(points[i].*x);
    wrenches.y.push_back(points[i].*y);
  }
  const auto [low, high] = std::minmax_element(wrenches.x.begin(), wrenches.x.end());
  const double margin = 0.08 * (std::max(*high, 0.0) - std::min(*low, 0.0));
  if (margin > 0) {
    panel.x.low = std::min(*low, 0.0) - margin;
    panel.x.high = std::max(*high, 0.0) + margin;
  }
  panel.lines.push_back(wrenches);
  panel.lines.push_back(
      {.label = "zero", .x = {0}, .y = {0}, .style = LineStyle::points, .color = 1});
  return panel;
}

// Directions that tell most: straight down, down to both sides, level, pure tilting.
std::vector<std::pair<std::string, std::size_t>>
telling_directions(const std::vector<PlanarVelocity>& directions) {
  PlanarVelocity most{};
  for (const PlanarVelocity& v : directions) {
    most = {std::max(most.x, std::abs(v.x)), std::max(most.z, std::abs(v.z)),
            std::max(most.tilt, std::abs(v.tilt))};
  }
  const double s = std::sqrt(0.5);
  const std::vector<std::pair<std::string, PlanarVelocity>> wanted{{"down", {0, -1, 0}},
                                                                   {"down and +x", {s, -s, 0}},
                                                                   {"down and -x", {-s, -s, 0}},
                                                                   {"+x", {1, 0, 0}},
                                                                   {"tilting to +x", {0, 0, 1}}};
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const auto& [name, unit] : wanted) {
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const PlanarVelocity& v = directions[i];
      const double away = std::hypot(most.x > 0 ? v.x / most.x - unit.x : -unit.x,
                                     most.z > 0 ? v.z / most.z - unit.z : -unit.z,
                                     most.tilt > 0 ? v.tilt / most.tilt - unit.tilt : -unit.tilt);
      if (away < 1e-6) found.emplace_back(name, i);
    }
  }
  return found;
}

// Line of what was learned and points of what was measured, of one direction at one tilt.
void add_learned(const WrenchDatabase& database, const WrenchModel& model, double tilt,
                 const std::pair<std::string, std::size_t>& direction, int color,
                 PlotPanel& panel) {
  PlotLine line{.label = direction.first, .color = color};
  PlotLine points{.style = LineStyle::points, .color = color};
  WrenchVertices w = model.make_vertices();
  constexpr int kSamples = 80;
  for (int k = 0; k <= kSamples; ++k) {
    const FootConfiguration at{model.deepest() * k / kSamples, tilt};
    const PredictedAt used = model.predict(at, w);
    const bool known = !used.depth_clamped && !used.tilt_clamped;
    line.x.push_back(1e3 * at.depth);
    line.y.push_back(known ? w.force_z[direction.second] : kGap);
  }
  for (std::size_t j = 0; j < database.configurations.size(); ++j) {
    if (database.configurations[j].tilt != tilt) continue;
    points.x.push_back(1e3 * database.configurations[j].depth);
    points.y.push_back(database.at(j, direction.second).force_z);
  }
  panel.lines.push_back(line);
  panel.lines.push_back(points);
}

}  // namespace

Plot draw_wrench_space(const std::string& title, const std::vector<PlanarWrench>& points,
                       const WrenchHull& hull) {
  const PlotPanel front = wrench_view({.title = "Forces",
                                       .x = {.label = "force x", .unit = "N"},
                                       .y = {.label = "force z", .unit = "N"}},
                                      points, hull, &PlanarWrench::force_x, &PlanarWrench::force_z);
  const PlotPanel top = wrench_view({.title = "Force and torque about p_r",
                                     .x = {.label = "force x", .unit = "N"},
                                     .y = {.label = "torque y", .unit = "N m"}},
                                    points, hull, &PlanarWrench::force_x, &PlanarWrench::torque_y);
  return {.title = title, .subtitle = {}, .panels = {front, top}};
}

Plot draw_learned(const WrenchDatabase& database, const WrenchModel& model) {
  std::set<double> tilts;
  for (const FootConfiguration& c : database.configurations) tilts.insert(c.tilt);
  const auto directions = telling_directions(database.directions);
  Plot plot{.title = fmt::format("{}: vertical force, learned (lines) and measured (points)",
                                 database.medium)};
  for (const double tilt : tilts) {
    PlotPanel panel{.title = fmt::format("tilt {:g} rad", tilt),
                    .x = {.label = "depth", .unit = "mm"},
                    .y = {.label = "force z", .unit = "N"}};
    for (std::size_t k = 0; k < directions.size(); ++k) {
      add_learned(database, model, tilt, directions[k], static_cast<int>(k), panel);
    }
    plot.panels.push_back(panel);
  }
  return plot;
}

}  // namespace footfall::granular_commands
