#include "footfall/foot/sole_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "foot/exposed.hpp"
#include "foot/hull.hpp"
#include "footfall/robot/kinematics.hpp"

namespace footfall {
namespace {

const char* name_of(GeomType type, bool several) {
  constexpr std::array one = {"sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh"};
  constexpr std::array many = {"spheres", "capsules", "cylinders", "boxes", "ellipsoids", "meshes"};
  return several ? many[static_cast<std::size_t>(type)] : one[static_cast<std::size_t>(type)];
}

std::string list_shapes(const RobotModel& model, const std::vector<int>& geoms) {
  std::array<int, 6> count{};
  for (const int g : geoms) ++count[static_cast<std::size_t>(model.geoms[g].type)];
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < count.size(); ++i) {
    const auto type = static_cast<GeomType>(i);
    if (count[i] == 1) parts.emplace_back(name_of(type, false));
    if (count[i] > 1) parts.push_back(fmt::format("{} {}", count[i], name_of(type, true)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The length of a hull along the side that its least width is measured across.
double length_across(const std::vector<PlanePoint>& hull, double width) {
  double best = 0, miss = 1e300;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const PlanePoint &a = hull[i], &b = hull[(i + 1) % hull.size()];
    const double side = std::hypot(b.x - a.x, b.y - a.y);
    if (!(side > 1e-9)) continue;
    double far = 0, from = 1e300, to = -1e300;
    for (const PlanePoint& c : hull) {
      far = std::max(far, turn_area(a, b, c) / side);
      const double along = ((b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y)) / side;
      from = std::min(from, along);
      to = std::max(to, along);
    }
    if (std::abs(far - width) < miss) {
      miss = std::abs(far - width);
      best = to - from;
    }
  }
  return best;
}

}  // namespace

SoleSummary summarize_sole(const RobotModel& model, const Soles& soles, int foot,
                           const std::vector<double>& qpos) {
  RobotData<double> data(model);
  compute_positions(model, qpos.data(), data);
  const Foot& f = soles.feet[foot];
  SoleSummary out;
  std::vector<PlanePoint> plan;
  for (int i = 0; i < f.group_count; ++i) {
    const int g = f.geoms[i];
    (i < f.sole_count ? out.geoms : out.others).push_back(g);
    if (i >= f.sole_count) continue;
    const Geom& geom = model.geoms[g];
    const std::vector<PlanePoint> part =
        plan_outline(make_standing(geom, data.R_WB[geom.body], data.p_WB[geom.body]));
    plan.insert(plan.end(), part.begin(), part.end());
  }
  plan = convex_hull(std::move(plan));
  out.shapes = list_shapes(model, out.geoms);
  out.width = least_width(plan);
  out.length = length_across(plan, out.width);
  out.area = f.area > 0    ? f.area
             : f.width > 0 ? 2 * f.radius * f.width
                           : std::numbers::pi * f.radius * f.radius;
  const PointRange all = points_of(soles, f), sole = sole_points_of(soles, f);
  out.points = all.end - all.first;
  out.contact_width = 1e300;
  for (int i = sole.first; i < sole.end; ++i) {
    out.contact_width = std::fmin(out.contact_width, soles.points[i].contact_width);
  }
  return out;
}

}  // namespace footfall
