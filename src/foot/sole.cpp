#include "footfall/foot/sole.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "footfall/robot/kinematics.hpp"

namespace footfall {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kSimpson[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};

// A geom's frame in its body, with the direction that points down when the robot stands.
struct Placed {
  const Geom& geom;
  Vec3d down;  // frame G, unit
};

Vec3d in_body(const Geom& g, const Vec3d& p_G) { return g.position + g.rotation * p_G; }

double component(const Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
Vec3d unit(int axis, double length) {
  return {axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0};
}
int largest_axis(const Vec3d& v) {
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  return x > y && x > z ? 0 : y > z ? 1 : 2;
}

class SoleBuilder {
 public:
  SoleBuilder(Soles& soles, const Geom& geom, int foot) : soles_(soles), geom_(geom), foot_(foot) {
    first_ = static_cast<int>(soles.points.size());
  }

  void add(const Vec3d& p_G, double weight, double radius = 0, const Vec3d& axis_G = {0, 0, 0}) {
    soles_.points.push_back({foot_, in_body(geom_, p_G), geom_.rotation * axis_G, radius, weight});
  }

  // Closes the group: the ball about the geom's centre that holds all points.
  int finish() {
    SoleGroup group{geom_.body,     foot_, first_, static_cast<int>(soles_.points.size()) - first_,
                    geom_.position, 0};
    for (int i = first_; i < first_ + group.point_count; ++i) {
      const SolePoint& p = soles_.points[i];
      group.radius = std::fmax(group.radius, norm(p.position - group.center) + p.radius);
    }
    soles_.groups.push_back(group);
    return static_cast<int>(soles_.groups.size()) - 1;
  }

 private:
  Soles& soles_;
  const Geom& geom_;
  int foot_;
  int first_;
};

// ---- soles of feet ----

// The lower face of a box: Simpson's rule in both directions.
SoleShape add_rectangle(const Placed& p, SoleBuilder& out, Foot& foot) {
  const Vec3d& half = p.geom.size;
  const int n = largest_axis(p.down), u = (n + 1) % 3, v = (n + 2) % 3;
  const double side = component(p.down, n) > 0 ? 1 : -1;
  const double hu = component(half, u), hv = component(half, v);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      out.add(unit(n, side * component(half, n)) + unit(u, (i - 1) * hu) + unit(v, (k - 1) * hv),
              kSimpson[i] * kSimpson[k]);
    }
  }
  foot.area = 4 * hu * hv;
  return SoleShape::rectangle;
}

// The lower end of an upright cylinder.
SoleShape add_disc(const Placed& p, SoleBuilder& out, Foot& foot) {
  const double r = p.geom.size.x, z = (p.down.z > 0 ? 1 : -1) * p.geom.size.y;
  out.add({0, 0, z}, 0.5);
  for (int i = 0; i < 8; ++i) {
    const double a = kPi * i / 4;
    out.add({r * std::cos(a), r * std::sin(a), z}, 1.0 / 16);
  }
  foot.area = kPi * r * r;
  return SoleShape::disc;
}

// A lying cylinder (rollers) or capsule (balls): three round points along its axis.
SoleShape add_roller(const Placed& p, SoleBuilder& out, Foot& foot) {
  const double r = p.geom.size.x, half = p.geom.size.y;
  const Vec3d axis{0, 0, p.geom.type == GeomType::cylinder ? 1.0 : 0.0};
  for (int i = 0; i < 3; ++i) out.add({0, 0, (i - 1) * half}, kSimpson[i], r, axis);
  foot.radius = r;
  foot.width = 2 * half;
  return SoleShape::cylinder;
}

// Points on the hull of a mesh or ellipsoid: all vertices if they are few, else those that lie
// outermost in directions spread evenly over the sphere (a Fibonacci spiral).
std::vector<Vec3d> hull_points(const Geom& g) {
  constexpr std::size_t kFew = 64;
  constexpr int kDirections = 128;
  const bool ellipsoid = g.type == GeomType::ellipsoid;
  if (!ellipsoid && g.vertices.size() <= kFew) return g.vertices;
  std::vector<Vec3d> out;
  std::set<std::size_t> taken;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1 - (2.0 * i + 1) / kDirections, r = std::sqrt(1 - z * z);
    const double a = i * kPi * (3 - std::sqrt(5.0));
    const Vec3d d{r * std::cos(a), r * std::sin(a), z};
    if (ellipsoid) {
      out.push_back({g.size.x * d.x, g.size.y * d.y, g.size.z * d.z});
      continue;
    }
    std::size_t best = 0;
    for (std::size_t k = 1; k < g.vertices.size(); ++k) {
      if (dot(g.vertices[k], d) > dot(g.vertices[best], d)) best = k;
    }
    if (taken.insert(best).second) out.push_back(g.vertices[best]);
  }
  return out;
}

// The area of the convex hull of points seen along `direction` (Andrew's monotone chain).
double projected_area(const std::vector<Vec3d>& points, const Vec3d& direction) {
  struct Point {
    double x, y;
  };
  const Vec3d side = cross(direction, unit((largest_axis(direction) + 1) % 3, 1));
  const Vec3d x = (1 / norm(side)) * side, y = cross(direction, x);
  std::vector<Point> flat;
  flat.reserve(points.size());
  for (const Vec3d& v : points) flat.push_back({dot(x, v), dot(y, v)});
  std::sort(flat.begin(), flat.end(),
            [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  // Twice the area between a chain, above (+1) or below (−1) all points, and the x axis.
  const auto under_chain = [&](double above) {
    std::vector<Point> chain;
    for (const Point& c : flat) {
      while (chain.size() >= 2) {
        const Point &a = chain[chain.size() - 2], &b = chain.back();
        if (above * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) < 0) break;
        chain.pop_back();
      }
      chain.push_back(c);
    }
    double twice = 0;
    for (std::size_t i = 1; i < chain.size(); ++i) {
      twice += (chain[i].x - chain[i - 1].x) * (chain[i].y + chain[i - 1].y);
    }
    return twice;
  };
  return 0.5 * (under_chain(1) - under_chain(-1));
}

// A mesh: points of its hull, each with the share 1/m where m of them lie on the lower face.
SoleShape add_hull(const Placed& p, SoleBuilder& out, Foot& foot) {
  const std::vector<Vec3d> points = hull_points(p.geom);
  double lowest = -1e300, extent = 0;
  for (const Vec3d& v : points) {
    lowest = std::fmax(lowest, dot(v, p.down));
    extent = std::fmax(extent, norm(v));
  }
  std::vector<Vec3d> face;
  for (const Vec3d& v : points) {
    if (dot(v, p.down) > lowest - 1e-3 * extent) face.push_back(v);
  }
  for (const Vec3d& v : points) out.add(v, 1.0 / static_cast<double>(face.size()));
  foot.area = projected_area(face, p.down);
  return SoleShape::hull;
}

SoleShape add_foot(const Placed& p, SoleBuilder& out, Foot& foot) {
  switch (p.geom.type) {
  case GeomType::sphere:
    foot.radius = p.geom.size.x;
    out.add({0, 0, 0}, 1, p.geom.size.x);
    return SoleShape::sphere;
  case GeomType::box:
    return add_rectangle(p, out, foot);
  case GeomType::cylinder:
    return std::abs(p.down.z) > 0.7 ? add_disc(p, out, foot) : add_roller(p, out, foot);
  case GeomType::capsule:
    if (std::abs(p.down.z) <= 0.7) return add_roller(p, out, foot);
    foot.radius = p.geom.size.x;
    out.add({0, 0, std::copysign(p.geom.size.y, p.down.z)}, 1, p.geom.size.x);
    return SoleShape::sphere;
  case GeomType::ellipsoid:
  case GeomType::mesh:
    break;
  }
  return add_hull(p, out, foot);
}

// ---- everything else that may lie on the ground ----

void add_box_corners(const Geom& g, SoleBuilder& out) {
  for (int i = 0; i < 8; ++i) {
    out.add({(i & 1 ? 1 : -1) * g.size.x, (i & 2 ? 1 : -1) * g.size.y, (i & 4 ? 1 : -1) * g.size.z},
            0.25);
  }
}

// Both ends of a cylinder: four points on each rim and a roller point, so that it stands and rolls.
void add_cylinder_ends(const Geom& g, SoleBuilder& out) {
  for (const double z : {-g.size.y, g.size.y}) {
    out.add({0, 0, z}, 0.5, g.size.x, {0, 0, 1});
    for (int i = 0; i < 4; ++i) {
      const double a = kPi * (2 * i + 1) / 4;
      out.add({g.size.x * std::cos(a), g.size.x * std::sin(a), z}, 0.125);
    }
  }
}

void add_body_geom(const Geom& g, SoleBuilder& out) {
  switch (g.type) {
  case GeomType::sphere:
    out.add({0, 0, 0}, 1, g.size.x);
    break;
  case GeomType::capsule:
    out.add({0, 0, -g.size.y}, 0.5, g.size.x);
    out.add({0, 0, g.size.y}, 0.5, g.size.x);
    break;
  case GeomType::cylinder:
    add_cylinder_ends(g, out);
    break;
  case GeomType::box:
    add_box_corners(g, out);
    break;
  case GeomType::ellipsoid:
  case GeomType::mesh:
    for (const Vec3d& v : hull_points(g)) out.add(v, 0.25);
    break;
  }
}

// The other side of a foot, for a robot that has fallen.
void add_foot_back(const Placed& p, SoleBuilder& out) {
  const Geom& g = p.geom;
  const int n = largest_axis(p.down), u = (n + 1) % 3, v = (n + 2) % 3;
  const double up = component(p.down, n) > 0 ? -1 : 1;
  if (g.type == GeomType::box) {
    for (int i = 0; i < 4; ++i) {
      out.add(unit(n, up * component(g.size, n)) +
                  unit(u, (i & 1 ? 1 : -1) * component(g.size, u)) +
                  unit(v, (i & 2 ? 1 : -1) * component(g.size, v)),
              0.25);
    }
  } else if (g.type == GeomType::cylinder) {
    for (int i = 0; i < 8; ++i) {
      const double a = kPi * i / 4;
      out.add({g.size.x * std::cos(a), g.size.x * std::sin(a), up * g.size.y}, 0.125);
    }
  } else {
    out.add({0, 0, up * g.size.y}, 0.5, g.size.x);  // a capsule's other end
  }
}

// Does the sole leave a side of the geom out?
bool has_back(const Geom& g, SoleShape shape) {
  return shape == SoleShape::rectangle || shape == SoleShape::disc ||
         (g.type == GeomType::capsule && shape == SoleShape::sphere);
}

}  // namespace

Soles make_soles(const RobotModel& model, const std::vector<int>& foot_geoms, bool body_contacts,
                 const std::vector<double>& qpos) {
  RobotData<double> data(model);
  compute_positions(model, qpos.data(), data);
  Soles soles;
  std::vector<int> foot_of_geom(model.geoms.size(), -1);
  for (const int index : foot_geoms) {
    const Geom& g = model.geoms[index];
    const Mat3d R_WG = data.R_WB[g.body] * g.rotation;
    const int number = static_cast<int>(soles.feet.size());
    foot_of_geom[index] = number;
    Foot foot;
    foot.name = g.name.empty() ? model.bodies[g.body].name : g.name;
    foot.body = g.body;
    foot.geom = index;
    SoleBuilder builder(soles, g, number);
    foot.shape = add_foot({g, transpose_times(R_WG, {0, 0, -1})}, builder, foot);
    foot.group = builder.finish();
    soles.feet.push_back(foot);
  }
  if (!body_contacts) return soles;
  for (std::size_t i = 0; i < model.geoms.size(); ++i) {
    const Geom& g = model.geoms[i];
    if (!g.collides) continue;
    const int foot = foot_of_geom[i];
    if (foot >= 0 && !has_back(g, soles.feet[foot].shape)) continue;
    SoleBuilder builder(soles, g, -1);
    if (foot >= 0) {
      add_foot_back({g, transpose_times(data.R_WB[g.body] * g.rotation, {0, 0, -1})}, builder);
    } else {
      add_body_geom(g, builder);
    }
    builder.finish();
  }
  return soles;
}

}  // namespace footfall
