#include "footfall/foot/validity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/robot/geom_reach.hpp"
#include "footfall/robot/kinematics.hpp"
#include "footfall/soil/measured_range.hpp"

namespace footfall {
namespace {

constexpr double kWidths = 3;       // of a plate
constexpr double kRounding = 1e-6;  // of a depth

// From its lowest point to the top of its body in this pose [m].
double link_height(const RobotModel& model, const Soles& soles, const Foot& foot,
                   const std::vector<double>& qpos) {
  RobotData<double> data(model);
  compute_positions(model, qpos.data(), data);
  double lowest = 1e300, top = -1e300;
  const PointRange range = sole_points_of(soles, foot);
  for (int i = range.first; i < range.end; ++i) {
    const SolePoint& p = soles.points[i];
    const int body = soles.groups[p.group].body;
    for (const Vec3d& reach : reach_of(p)) {
      lowest = std::fmin(lowest, (data.p_WB[body] + data.R_WB[body] * reach).z - p.radius);
    }
  }
  for (const Geom& geom : model.geoms) {
    if (geom.body != foot.body) continue;
    const Mat3d& R_WB = data.R_WB[geom.body];
    const double middle = (data.p_WB[geom.body] + R_WB * geom.position).z;
    const Vec3d up_G = transpose_times(R_WB * geom.rotation, Vec3d{0, 0, 1});
    top = std::fmax(top, middle + reach_along(geom, up_G));
  }
  return top - lowest;
}

std::string length(double metres) {
  return metres < 1 ? fmt::format("{:.3g} mm", 1e3 * metres) : fmt::format("{:.3g} m", metres);
}

}  // namespace

ValidDepth valid_depth(const FootSole& sole) {
  switch (sole.shape) {
  case SoleShape::disc:
    return {kWidths * 2 * sole.radius, "three widths"};
  case SoleShape::rectangle:
    return {kWidths * std::fmin(sole.length, sole.width), "three widths"};
  case SoleShape::sphere:
  case SoleShape::cylinder:
    return {sole.radius, "its radius"};
  case SoleShape::hull:
    break;
  }
  double height = 0;  // of its lower surface
  for (const SoleElement& e : sole.elements) height = std::fmax(height, e.position.z);
  const double widths = kWidths * sole.width;
  // a flat mesh is a plate
  return height > 1e-3 * sole.width ? ValidDepth{height, "its own height"}
                                    : ValidDepth{widths, "three widths"};
}

ValidDepth valid_depth(const RobotModel& model, const Soles& soles, int index,
                       const std::vector<double>& qpos) {
  const Foot& foot = soles.feet[index];
  const ValidDepth link{link_height(model, soles, foot, qpos), "the height of its link"};
  const bool round = foot.shape == SoleShape::sphere || foot.shape == SoleShape::cylinder;
  if (round) {  // without a shank it is a ball or a roller alone
    return link.depth > 2 * foot.radius * (1 + 1e-3) ? link : ValidDepth{foot.radius, "its radius"};
  }
  const PointRange range = sole_points_of(soles, foot);
  double width = 0;
  for (int i = range.first; i < range.end; ++i) {
    width = std::fmax(width, soles.points[i].contact_width);
  }
  if (foot.shape == SoleShape::disc) width *= 2;  // b is its radius
  const ValidDepth plate{kWidths * width, "three widths"};
  return width > 0 && plate.depth < link.depth ? plate : link;
}

std::string outside_validity(const FootUse& use, const ValidDepth& valid, const PlasticSoil* soil) {
  std::string text;
  if (use.sinkage > valid.depth * (1 + kRounding)) {
    text = fmt::format("{} deep, the laws hold to {} ({})", length(use.sinkage),
                       length(valid.depth), valid.what);
  }
  if (soil == nullptr) return text;
  const std::string range = outside_measured_range(*soil, use.width, use.sinkage, use.rate);
  if (!range.empty()) text += (text.empty() ? "" : "; ") + range;
  return text;
}

}  // namespace footfall
