#include "foot/exposed.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "foot/hull.hpp"
#include "robot/shape_line.hpp"

namespace footfall {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kSame = 1e-5;  // surfaces this near to each other are one [m]
constexpr double kHideReach =
    0.1;  // no deeper than this does a shape below hide what is above it [m]
constexpr double kLooksDown = 0.1;  // cosine of the angle to the vertical

// A place on a sole point's surface.
struct Place {
  Vec3d p_W;
  Vec3d out_W;      // unit normal out of the shape
  double weight;    // its part of what the point carries
  double plan;      // its area seen from below [m²]
  double area = 0;  // of a flat point's side [m²]
};

struct PointFrame {
  Mat3d R_WB;
  Vec3d p_W;  // of the point's position
};

// Where a body is follows from any of its geoms.
PointFrame frame_of(const SolePoint& point, const StandingGeom& own) {
  const Geom& g = *own.geom;
  const Mat3d R_GB{{g.rotation.x.x, g.rotation.y.x, g.rotation.z.x},
                   {g.rotation.x.y, g.rotation.y.y, g.rotation.z.y},
                   {g.rotation.x.z, g.rotation.y.z, g.rotation.z.z}};
  const Mat3d R_WB = own.R_WG * R_GB;
  return {R_WB, own.p_WG + R_WB * (point.position - g.position)};
}

// The lower half of a ball. It presses where it is deep, so places count by their depth below its centre.
void add_lower_half(const Vec3d& center, double radius, double share, std::vector<Place>& out) {
  constexpr int kRows = 8, kColumns = 16;
  const double plan = share * std::numbers::pi * radius * radius / (kRows * kColumns);
  for (int i = 0; i < kRows * kColumns; ++i) {
    const int row = i / kColumns;
    const double r = std::sqrt((row + 0.5) / kRows), z = std::sqrt(1 - r * r);
    const double a = kTurn * (i % kColumns + 0.5 * (row % 2)) / kColumns;
    const Vec3d n{r * std::cos(a), r * std::sin(a), -z};
    out.push_back({center + radius * n, n, z, plan});
  }
}

// All of a ball, which may come to lie on any side.
void add_ball(const Vec3d& center, double radius, std::vector<Place>& out) {
  constexpr int kPlaces = 128;
  for (int i = 0; i < kPlaces; ++i) {
    const double z = (2 * i + 1.0) / kPlaces - 1, r = std::sqrt(1 - z * z);
    const double a = 0.5 * kTurn * (3 - std::sqrt(5.0)) * i;
    const Vec3d n{r * std::cos(a), r * std::sin(a), z};
    const double plan = std::fmax(-z, 0.0) * 2 * kTurn * radius * radius / kPlaces;
    out.push_back({center + radius * n, n, 1, plan});
  }
}

// A roller's part: at an end the length from there inwards, in the middle that to both sides.
void add_roller_part(const Vec3d& center, const SolePoint& point, const StandingGeom& own,
                     std::vector<Place>& out) {
  constexpr int kAlong = 8, kAcross = 8;
  const Vec3d axis = own.R_WG.z;
  const double along = dot(axis, center - own.p_WG);
  const double half = own.geom->size.y;
  const double end = along > 0.99 * half ? 1 : along < -0.99 * half ? -1 : 0;
  const double slant = std::sqrt(std::fmax(1 - axis.z * axis.z, 1e-12));
  const Vec3d down = (1 / slant) * (axis.z * axis - Vec3d{0, 0, 1});
  const Vec3d side = cross(axis, down);
  const double length =
      std::fmin(point.size / slant, 2 * half);  // of a limb that leans: see add_limb
  const double plan = 2 * point.radius * length * slant / (kAlong * kAcross);
  for (int i = 0; i < kAlong * kAcross; ++i) {
    const int row = i / kAcross;
    const double s = (row + 0.5) / kAlong - 0.5 - 0.5 * end;
    const double x = (2 * (i % kAcross) + 1.0) / kAcross - 1, z = std::sqrt(1 - x * x);
    const Vec3d n = x * side + z * down;
    out.push_back({center + (s * length) * axis + point.radius * n, n, z, plan});
  }
}

// A corner of a box stands for a quarter of each of its three sides.
void add_box_corner(const PointFrame& frame, const SolePoint& point, const StandingGeom& own,
                    bool from_below, std::vector<Place>& out) {
  constexpr int kAcross = 4;
  const Vec3d corner = transpose_times(own.R_WG, frame.p_W - own.p_WG);
  const Vec3d area = transpose_times(own.R_WG, frame.R_WB * point.area);
  bool has_lower_side = false;  // then the other sides carry only when the robot has fallen
  for (int n = 0; n < 3; ++n) {
    has_lower_side = has_lower_side || (own.R_WG * unit(n, component(area, n))).z <
                                           -kLooksDown * std::abs(component(area, n));
  }
  for (int n = 0; n < 3; ++n) {
    const double part = std::abs(component(area, n)) / (kAcross * kAcross);
    if (!(part > 0)) continue;
    const int u = (n + 1) % 3, v = (n + 2) % 3;
    const Vec3d normal = own.R_WG * unit(n, component(area, n) > 0 ? 1 : -1);
    const bool counts = !from_below || !has_lower_side || normal.z < -kLooksDown;
    for (int i = 0; i < kAcross * kAcross; ++i) {
      Vec3d p = corner;
      const int row = i / kAcross;
      p -= unit(u, component(corner, u) * (row + 0.5) / kAcross);
      p -= unit(v, component(corner, v) * (i % kAcross + 0.5) / kAcross);
      out.push_back({own.p_WG + own.R_WG * p, normal, counts ? part : 0,
                     part * std::fmax(-normal.z, 0.0), part});
    }
  }
}

// A triangle, by the middles of its parts, `rows` along each side.
void add_cell(const PointFrame& frame, const SolePoint& point, int rows, std::vector<Place>& out) {
  const Vec3d area = frame.R_WB * point.area;
  const Vec3d normal = (1 / std::fmax(norm(area), 1e-300)) * area;
  const double plan = std::fmax(-area.z, 0.0) / (rows * rows);
  const auto in_world = [&](const Vec3d& p) {
    return frame.p_W + frame.R_WB * (p - point.position);
  };
  const Vec3d a = in_world(point.corners[0]), b = in_world(point.corners[1]),
              c = in_world(point.corners[2]);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < 2 * i + 1; ++k) {  // row i has i + 1 upright parts and i turned over
      const bool upright = k % 2 == 0;
      const double row = i + (upright ? 2.0 : 1.0) / 3;
      const int pair = k / 2;
      const double column = pair + (upright ? 1.0 : 2.0) / 3;
      out.push_back({a + (row / rows) * (b - a) + (column / rows) * (c - b), normal, 1, plan,
                     norm(area) / (rows * rows)});
    }
  }
}

void add_flat(const PointFrame& frame, const SolePoint& point, const StandingGeom& own,
              std::vector<Place>& out) {
  const Vec3d area = frame.R_WB * point.area;
  const double size = norm(area);
  const Vec3d outwards = frame.p_W - own.p_WG;
  const Vec3d normal =
      size > 0 ? (1 / size) * area : (1 / std::fmax(norm(outwards), 1e-12)) * outwards;
  const double plan = std::fmax(-area.z, 0.0);
  // a point on the edge stands for what is inwards of it
  const double inwards = point.is_element ? 0 : 0.02;
  const Vec3d p = frame.p_W - inwards * (outwards - dot(outwards, normal) * normal);
  out.push_back({p, normal, 1, plan, size});
}

std::vector<Place> places_of(const SolePoint& point, const StandingGeom& own, bool from_below,
                             int rows) {
  std::vector<Place> out;
  const PointFrame frame = frame_of(point, own);
  if (point.bearing == BearingKind::ball) {
    if (from_below) {
      add_lower_half(frame.p_W, point.radius, point.size, out);
    } else {
      add_ball(frame.p_W, point.radius, out);
    }
  } else if (point.bearing == BearingKind::rim) {
    add_roller_part(frame.p_W, point, own, out);
  } else if (point.is_cell && !point.is_element) {
    add_cell(frame, point, rows, out);
  } else if (own.geom->type == GeomType::box && !point.is_element &&
             std::abs(norm(frame.p_W - own.p_WG) - norm(own.geom->size)) < kSame) {
    add_box_corner(frame, point, own, from_below, out);
  } else {
    add_flat(frame, point, own, out);
  }
  return out;
}

bool is_hidden(const Place& place, const StandingGeom& other, bool is_earlier, bool from_below) {
  const bool looks_down = from_below && place.out_W.z < -kLooksDown;
  const Vec3d offset = place.p_W - other.p_WG;
  if (looks_down ? std::hypot(offset.x, offset.y) > other.reach
                 : norm(offset) > other.reach + kSame)
    return false;
  const Vec3d along = looks_down ? Vec3d{0, 0, -1} : place.out_W;
  const LineInterval part = line_in_shape(*other.geom, transpose_times(other.R_WG, offset),
                                          transpose_times(other.R_WG, along));
  if (part.is_empty() || part.to - part.from < kSame) return false;
  const double margin = is_earlier ? -kSame : kSame;
  if (looks_down) return part.to > margin && part.from < kHideReach;
  return part.from < -margin && part.to > margin;
}

Exposure expose_places(const std::vector<Place>& places, const std::vector<StandingGeom>& shapes,
                       int own, bool from_below) {
  Exposure out;
  double all = 0, exposed = 0;
  for (const Place& place : places) {
    all += place.weight;
    bool hidden = false;
    for (int i = 0; i < static_cast<int>(shapes.size()) && !hidden; ++i) {
      hidden = i != own && is_hidden(place, shapes[i], i < own, from_below);
    }
    if (hidden) continue;
    exposed += place.weight;
    out.plan += place.plan;
    out.area_W += place.area * place.out_W;
    out.height_moment += place.plan * place.p_W.z;
    out.lowest = std::fmin(out.lowest, place.p_W.z);
  }
  out.share = exposed < all ? exposed / all : 1;
  return out;
}

// Whether a corner of a cell whose inner places are all hidden is not: a thin crescent may show.
bool shows_a_corner(const SolePoint& point, const std::vector<StandingGeom>& shapes, int own,
                    bool from_below) {
  std::vector<Place> corners;
  corners.reserve(point.corners.size());
  const PointFrame frame = frame_of(point, shapes[own]);
  const Vec3d area = frame.R_WB * point.area;
  for (const Vec3d& corner : point.corners) {
    corners.push_back({frame.p_W + frame.R_WB * (corner - point.position),
                       (1 / std::fmax(norm(area), 1e-300)) * area, 1, 0});
  }
  return expose_places(corners, shapes, own, from_below).share > 0;
}

}  // namespace

StandingGeom make_standing(const Geom& geom, const Mat3d& R_WB, const Vec3d& p_WB) {
  StandingGeom out{&geom, R_WB * geom.rotation, p_WB + R_WB * geom.position, 0};
  const Vec3d& s = geom.size;
  switch (geom.type) {
  case GeomType::sphere:
    out.reach = s.x;
    break;
  case GeomType::capsule:
    out.reach = s.x + s.y;
    break;
  case GeomType::cylinder:
    out.reach = std::hypot(s.x, s.y);
    break;
  case GeomType::box:
    out.reach = norm(s);
    break;
  case GeomType::ellipsoid:
    out.reach = std::max({s.x, s.y, s.z});
    break;
  case GeomType::mesh:
    for (const Vec3d& v : geom.vertices) out.reach = std::fmax(out.reach, norm(v));
    break;
  }
  return out;
}

std::vector<PlanePoint> plan_outline(const StandingGeom& standing) {
  constexpr int kCorners = 32;
  const Geom& g = *standing.geom;
  std::vector<PlanePoint> plan;
  const auto add = [&](const Vec3d& p_G) {
    const Vec3d p = standing.p_WG + standing.R_WG * p_G;
    plan.push_back({p.x, p.y});
  };
  const auto add_circle = [&](double z) {  // of a ball seen from below, or of an end of a cylinder
    const Vec3d c = standing.p_WG + standing.R_WG * Vec3d{0, 0, z};
    for (int i = 0; i < kCorners; ++i) {
      const double x = g.size.x * std::cos(kTurn * i / kCorners),
                   y = g.size.x * std::sin(kTurn * i / kCorners);
      if (g.type == GeomType::cylinder) {
        add({x, y, z});
      } else {
        plan.push_back({c.x + x, c.y + y});
      }
    }
  };
  switch (g.type) {
  case GeomType::sphere:
    add_circle(0);
    break;
  case GeomType::capsule:
  case GeomType::cylinder:
    add_circle(-g.size.y);
    add_circle(g.size.y);
    break;
  case GeomType::box:
    for (int i = 0; i < 8; ++i) {
      add({(i & 1 ? 1 : -1) * g.size.x, (i & 2 ? 1 : -1) * g.size.y, (i & 4 ? 1 : -1) * g.size.z});
    }
    break;
  case GeomType::ellipsoid:
  case GeomType::mesh:
    for (const Vec3d& v : hull_points(g)) add(v);
    break;
  }
  return convex_hull(std::move(plan));
}

double plan_area(const StandingGeom& standing) {
  const std::vector<PlanePoint> hull = plan_outline(standing);
  double twice = 0;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const PlanePoint &a = hull[i], &b = hull[(i + 1) % hull.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return 0.5 * twice;
}

Exposure find_exposure(const SolePoint& point, const std::vector<StandingGeom>& shapes, int own,
                       bool from_below) {
  constexpr int kFew = 4,
                kMany = 13;  // places along a cell's side; many where it is hidden in part
  const Exposure out =
      expose_places(places_of(point, shapes[own], from_below, kFew), shapes, own, from_below);
  if (!point.is_cell || point.is_element || out.share == 1) return out;
  if (out.share == 0 && !shows_a_corner(point, shapes, own, from_below)) return out;
  return expose_places(places_of(point, shapes[own], from_below, kMany), shapes, own, from_below);
}

}  // namespace footfall
