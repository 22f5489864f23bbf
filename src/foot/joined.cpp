// Soles of whole robots: geoms joined to feet, and what hides what.
#include <algorithm>
#include <array>
#include <cmath>

#include "foot/exposed.hpp"
#include "foot/hull.hpp"
#include "foot/shape_sole.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/robot/kinematics.hpp"

namespace footfall {
namespace {

constexpr double kLeastShare = 0.01;  // a point that is hidden but for this is left out
constexpr double kTouching = 1e-4;    // plans this near to each other are one [m]

// A geom of a foot, on the way to its place among the soles.
struct JoinedGeom {
  ShapeSole shape;
  StandingGeom standing;
  double plan = 0;       // what its points' shares are of [m²]
  bool changed = false;  // has lost points, or parts of them
  // of what is exposed and looks down
  double exposed_plan = 0;  // [m²]
  double height = 0;        // mean [m]
  double lowest = 1e300;    // [m]
  bool is_sole = false;     // the foot stands on it
};

Vec3d down_of(const StandingGeom& standing) {
  return transpose_times(standing.R_WG, Vec3d{0, 0, -1});
}

// How much of its share a point has in level contact: of a cell of a mesh what faces the ground, of
// others all or nothing.
double facing(const SolePoint& point, const JoinedGeom& part) {
  if (point.bearing != BearingKind::flat) return 1;
  const Vec3d area_G = transpose_times(part.standing.geom->rotation, point.area);
  const double down = -(part.standing.R_WG * area_G).z;
  if (point.is_cell && part.shape.size.shape == SoleShape::hull) {
    return std::fmax(down, 0.0) / norm(point.area);
  }
  return down > 0 ? 1 : 0;
}

// Plan area of a geom that is a foot by itself [m²].
double own_plan(const ShapeSole& shape, const StandingGeom& standing) {
  const Foot& size = shape.size;
  if (size.area > 0) return size.area;
  if (size.width > 0) return 2 * size.radius * size.width;
  if (size.radius > 0) return 3.141592653589793 * size.radius * size.radius;
  return plan_area(standing);
}

// A cell cut into four by the middles of its sides.
std::array<SolePoint, 4> quarters_of(const SolePoint& cell) {
  const auto& [a, b, c] = cell.corners;
  const Vec3d ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
  std::array<SolePoint, 4> out;
  const std::array<std::array<Vec3d, 3>, 4> corners{
      {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = cell;
    out[i].corners = corners[i];
    out[i].is_sector = false;
    out[i].position = (1.0 / 3) * (corners[i][0] + corners[i][1] + corners[i][2]);
    out[i].weight = 0.25 * cell.weight;
    out[i].area = 0.25 * cell.area;
  }
  return out;
}

class SoleJoiner {
 public:
  SoleJoiner(const RobotModel& model, const std::vector<double>& qpos, SolePoints points)
      : model_(model), counts_once_(points != SolePoints::geoms),
        points_(points == SolePoints::geoms ? SolePoints::shares : points), data_(model),
        foot_of_(model.geoms.size(), -1), has_all_sides_(model.geoms.size(), false) {
    compute_positions(model, qpos.data(), data_);
  }

  void add_foot(const std::vector<int>& geoms) {
    const int number = static_cast<int>(soles_.feet.size());
    std::vector<JoinedGeom> parts;
    for (const int g : geoms) {
      foot_of_[g] = number;
      JoinedGeom& part = parts.emplace_back();
      part.standing = standing(g);
      part.shape = make_foot_shape(model_, g, down_of(part.standing), points_);
      part.plan = own_plan(part.shape, part.standing);
    }
    if (parts.size() == 1) {
      parts[0].is_sole = true;
    } else {
      for (std::size_t i = 0; i < parts.size(); ++i) expose(parts, static_cast<int>(i), 1);
      choose_soles(parts);
      for (std::size_t i = 0; i < parts.size(); ++i) turn_to_body(parts, static_cast<int>(i));
    }
    std::stable_partition(parts.begin(), parts.end(),
                          [](const JoinedGeom& p) { return p.is_sole; });
    share_law(parts);
    join_plans(parts);
    append_foot(parts, number);
  }

  void add_body_contacts() {
    for (std::size_t i = 0; i < model_.geoms.size(); ++i) {
      const int g = static_cast<int>(i), foot = foot_of_[i];
      if (!model_.geoms[i].collides) continue;
      const Vec3d down = down_of(standing(g));
      if (has_all_sides_[i]) continue;
      ShapeSole shape =
          foot < 0 ? make_body_shape(model_, g, points_)
                   : make_back(model_, make_foot_shape(model_, g, down, points_), down, points_);
      hide_inside(shape);
      append_group(shape, -1);
    }
  }

  Soles take() { return std::move(soles_); }

 private:
  StandingGeom standing(int g) const {
    const Geom& geom = model_.geoms[g];
    return make_standing(geom, data_.R_WB[geom.body], data_.p_WB[geom.body]);
  }

  // A part that the foot does not stand on, a tilted shank say, may touch with any side.
  void turn_to_body(std::vector<JoinedGeom>& parts, int own) {
    JoinedGeom& part = parts[own];
    const int g = part.shape.geom;
    if (part.is_sole || points_ == SolePoints::elements) return;
    const bool covered = part.shape.points.empty();  // its lower side
    part.shape = make_limb(model_, g, down_of(part.standing), points_);
    part.plan = part.shape.size.area > 0 ? part.shape.size.area : plan_area(part.standing);
    has_all_sides_[g] = true;
    if (covered) {
      const Vec3d down_G = down_of(part.standing);
      std::erase_if(part.shape.points, [&](const SolePoint& p) {
        const Vec3d area_G = transpose_times(part.standing.geom->rotation, p.area);
        return dot(area_G, down_G) > 0.99 * norm(p.area) && norm(p.area) > 0;
      });
    }
    expose(parts, own, 0);
  }

  // Leaves of a part what the others do not hide; cells that are hidden in part are cut `splits` times.
  void expose(std::vector<JoinedGeom>& parts, int own, int splits) const {
    std::vector<StandingGeom> shapes;
    shapes.reserve(parts.size());
    for (const JoinedGeom& p : parts) shapes.push_back(p.standing);
    JoinedGeom& part = parts[own];
    part.exposed_plan = 0;
    part.lowest = 1e300;
    double moment = 0;
    std::vector<SolePoint> points;
    const auto add = [&](const auto& again, SolePoint point, int cuts) -> void {
      const Exposure e = find_exposure(point, shapes, own, true);
      if (counts_once_ && point.is_cell && cuts > 0 && e.share > 0 && e.share < 1) {
        for (const SolePoint& quarter : quarters_of(point)) again(again, quarter, cuts - 1);
        return;
      }
      part.exposed_plan += e.plan;
      moment += e.height_moment;
      part.lowest = std::fmin(part.lowest, e.lowest);
      part.changed = scale(point, e, part.standing) || part.changed;
      points.push_back(point);
    };
    for (const SolePoint& point : part.shape.points) add(add, point, splits);
    part.shape.points = std::move(points);
    part.height = part.exposed_plan > 0 ? moment / part.exposed_plan : part.lowest;
    drop_hidden(part.shape);
  }

  bool scale(SolePoint& point, const Exposure& e, const StandingGeom& own) const {
    if (!counts_once_ || e.share == 1) return false;
    point.weight *= e.share < kLeastShare ? 0 : e.share;
    point.size *= e.share;
    if (point.bearing == BearingKind::flat) {
      point.area = own.geom->rotation * transpose_times(own.R_WG, e.area_W);
    }
    return true;
  }
  static void drop_hidden(ShapeSole& shape) {
    std::erase_if(shape.points, [](const SolePoint& p) { return !(p.weight > 0); });
  }

  // A foot stands on the parts whose lower side is about as low as its lowest point: half as far above
  // it as they are wide, on the mean. A tilted shank is not among them, however low its end reaches.
  static void choose_soles(std::vector<JoinedGeom>& parts) {
    double lowest = 1e300;
    for (const JoinedGeom& p : parts) lowest = std::fmin(lowest, p.lowest);
    JoinedGeom* first = nullptr;
    for (JoinedGeom& p : parts) {
      if (p.shape.points.empty()) continue;
      p.is_sole = p.height - lowest <= 0.5 * std::sqrt(p.exposed_plan);
      if (first == nullptr || p.lowest < first->lowest) first = &p;
    }
    if (first != nullptr) first->is_sole = true;
  }

  // Shares by plan area: those of the parts that the foot stands on add up to 1. Surface elements share
  // by their areas.
  void share_law(std::vector<JoinedGeom>& parts) const {
    if (parts.size() == 1) return;
    if (points_ == SolePoints::elements) return share_by_area(parts);
    double plan = 0;
    for (const JoinedGeom& part : parts) plan += part.is_sole ? level_plan(part) : 0;
    for (JoinedGeom& part : parts) {
      for (SolePoint& point : part.shape.points) point.weight *= part.plan / plan;
    }
  }
  static void share_by_area(std::vector<JoinedGeom>& parts) {
    double area = 0;
    for (const JoinedGeom& part : parts) {
      for (const SolePoint& point : part.shape.points) area += norm(point.area);
    }
    for (JoinedGeom& part : parts) {
      for (SolePoint& point : part.shape.points) point.weight = norm(point.area) / area;
    }
  }
  // Of a part in full level contact: its plan area by its points' shares [m²].
  static double level_plan(const JoinedGeom& part) {
    double share = 0;
    for (const SolePoint& p : part.shape.points) share += p.weight * facing(p, part);
    return part.plan * share;
  }

  // Parts that touch each other in the plan press as one: b is that of what they span.
  static void join_plans(std::vector<JoinedGeom>& parts) {
    std::vector<std::vector<PlanePoint>> outlines;
    for (const JoinedGeom& p : parts) {
      if (!p.is_sole) break;
      outlines.push_back(plan_outline(p.standing));
    }
    const int n = static_cast<int>(outlines.size());
    std::vector<int> island(outlines.size());
    for (int i = 0; i < n; ++i) island[i] = i;
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < i; ++k) {
        if (!plans_touch(outlines[i], outlines[k])) continue;
        std::replace(island.begin(), island.end(), island[i], island[k]);
      }
    }
    for (int i = 0; i < n; ++i) {
      if (std::count(island.begin(), island.end(), i) < 2) continue;
      std::vector<PlanePoint> all;
      for (int k = 0; k < n; ++k) {
        if (island[k] == i) all.insert(all.end(), outlines[k].begin(), outlines[k].end());
      }
      const double width = bearing_width(convex_hull(std::move(all)));
      for (int k = 0; k < n; ++k) {
        if (island[k] != i) continue;
        for (SolePoint& p : parts[k].shape.points) p.contact_width = width;
      }
    }
  }
  static bool plans_touch(const std::vector<PlanePoint>& a, const std::vector<PlanePoint>& b) {
    return !has_gap(a, b) && !has_gap(b, a);
  }
  // Whether a side of `a` has all of `b` beyond it.
  static bool has_gap(const std::vector<PlanePoint>& a, const std::vector<PlanePoint>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const PlanePoint &p = a[i], &q = a[(i + 1) % a.size()];
      const double length = std::hypot(q.x - p.x, q.y - p.y);
      if (!(length > 0)) continue;
      double nearest = -1e300;
      for (const PlanePoint& c : b) nearest = std::fmax(nearest, turn_area(p, q, c) / length);
      if (nearest < -kTouching) return true;
    }
    return false;
  }

  void append_foot(const std::vector<JoinedGeom>& parts, int number) {
    Foot foot = parts[0].shape.size;
    foot.geom = parts[0].shape.geom;
    foot.body = model_.geoms[foot.geom].body;
    foot.sole_count = static_cast<int>(
        std::count_if(parts.begin(), parts.end(), [](const JoinedGeom& p) { return p.is_sole; }));
    const std::string& geom_name = model_.geoms[foot.geom].name;
    foot.name =
        foot.sole_count == 1 && !geom_name.empty() ? geom_name : model_.bodies[foot.body].name;
    if (foot.sole_count == 1) {
      if (parts[0].changed && foot.area > 0) foot.area = level_area(parts, 1);
    } else {
      foot.shape = SoleShape::hull;
      foot.area = level_area(parts, foot.sole_count);
      foot.radius = foot.width = 0;
    }
    foot.group = static_cast<int>(soles_.groups.size());
    foot.group_count = 0;
    for (const JoinedGeom& part : parts) {
      if (part.shape.points.empty()) continue;
      foot.geoms.push_back(part.shape.geom);
      append_group(part.shape, number);
      ++foot.group_count;
    }
    soles_.feet.push_back(foot);
  }
  static double level_area(const std::vector<JoinedGeom>& parts, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += parts[i].exposed_plan;
    return sum;
  }

  // Takes off a shape that may touch with any side what lies inside others of its body.
  void hide_inside(ShapeSole& shape) const {
    if (!counts_once_ || shape.points.empty()) return;
    std::vector<StandingGeom> shapes;
    int own = 0;
    const auto add = [&](bool feet) {
      for (std::size_t i = 0; i < model_.geoms.size(); ++i) {
        const Geom& g = model_.geoms[i];
        if (!g.collides || g.body != model_.geoms[shape.geom].body || (foot_of_[i] >= 0) != feet)
          continue;
        if (static_cast<int>(i) == shape.geom) own = static_cast<int>(shapes.size());
        shapes.push_back(standing(static_cast<int>(i)));
      }
    };
    add(true);
    add(false);
    if (shapes.size() < 2) return;
    for (SolePoint& point : shape.points) {
      scale(point, find_exposure(point, shapes, own, false), shapes[own]);
    }
    drop_hidden(shape);
  }

  // Closes a group: the ball about the geom's centre that holds all points.
  void append_group(ShapeSole shape, int foot) {
    if (shape.points.empty()) return;
    set_shear_offsets(shape.points.data(), shape.points.data() + shape.points.size());
    const Geom& geom = model_.geoms[shape.geom];
    SoleGroup group{geom.body,
                    foot,
                    static_cast<int>(soles_.points.size()),
                    static_cast<int>(shape.points.size()),
                    geom.position,
                    0,
                    shape.geom};
    for (SolePoint point : shape.points) {
      point.foot = foot;
      point.group = static_cast<int>(soles_.groups.size());
      for (const Vec3d& reach : reach_of(point)) {
        group.radius = std::fmax(group.radius, norm(reach - group.center) + point.radius);
      }
      soles_.points.push_back(point);
    }
    soles_.groups.push_back(group);
  }

  const RobotModel& model_;
  bool counts_once_;
  SolePoints points_;
  RobotData<double> data_;
  std::vector<int> foot_of_;  // of each geom, −1: none
  std::vector<bool>
      has_all_sides_;  // of each geom of a foot: its points are those of a body's shape
  Soles soles_;
};

}  // namespace

Soles make_joined_soles(const RobotModel& model, const std::vector<std::vector<int>>& feet,
                        bool body_contacts, const std::vector<double>& qpos, SolePoints points) {
  SoleJoiner joiner(model, qpos, points);
  for (const std::vector<int>& foot : feet) joiner.add_foot(foot);
  if (body_contacts) joiner.add_body_contacts();
  return joiner.take();
}

Soles make_soles(const RobotModel& model, const std::vector<int>& foot_geoms, bool body_contacts,
                 const std::vector<double>& qpos, SolePoints points) {
  return make_joined_soles(model, join_feet(model, foot_geoms, body_contacts), body_contacts, qpos,
                           points);
}

PointRange points_of(const Soles& soles, const Foot& foot) {
  const SoleGroup& first = soles.groups[foot.group];
  const SoleGroup& last = soles.groups[foot.group + foot.group_count - 1];
  return {first.first_point, last.first_point + last.point_count};
}

PointRange sole_points_of(const Soles& soles, const Foot& foot) {
  const SoleGroup& first = soles.groups[foot.group];
  const SoleGroup& last = soles.groups[foot.group + foot.sole_count - 1];
  return {first.first_point, last.first_point + last.point_count};
}

}  // namespace footfall
