#include "footfall/soft/soft_touch.hpp"

#include <cmath>

namespace footfall {
namespace {

// Collects contacts with one plane.
class Touching {
 public:
  Touching(const SoftPlane& plane, double cutoff, SoftTouches& found)
      : plane_(plane), cutoff_(cutoff), found_(found) {
    found_.count = 0;
  }

  double height(const Vec3d& p) const { return dot(plane_.normal, p - plane_.point); }

  // The point p of the shape, whatever its distance.
  void add(const Vec3d& p, double distance, const Vec3d& tangent = {0, 0, 0}) {
    found_.touches[found_.count++] = {p - 0.5 * distance * plane_.normal, distance, tangent};
  }
  void add_ball(const Vec3d& center, double radius, const Vec3d& tangent) {
    const double distance = height(center) - radius;
    if (distance <= cutoff_) add(center - radius * plane_.normal, distance, tangent);
  }
  bool is_near(double distance) const { return distance <= cutoff_; }
  bool is_full() const { return found_.count == kMaxTouches; }

 private:
  const SoftPlane& plane_;
  double cutoff_;
  SoftTouches& found_;
};

void touch_capsule(const Geom& geom, const Vec3d& p, const Mat3d& R, Touching& touching) {
  const Vec3d half = geom.size.y * R.z;
  touching.add_ball(p + half, geom.size.x, R.z);
  touching.add_ball(p - half, geom.size.x, R.z);
}

// The first four corners, in MuJoCo's order, that are near and not above the centre: not the deepest.
void touch_box(const Geom& geom, const SoftPlane& plane, const Vec3d& p, const Mat3d& R,
               Touching& touching) {
  const double center = touching.height(p);
  const Vec3d x = geom.size.x * R.x, y = geom.size.y * R.y, z = geom.size.z * R.z;
  const Vec3d up = {dot(plane.normal, x), dot(plane.normal, y), dot(plane.normal, z)};
  for (int i = 0; i < 8 && !touching.is_full(); ++i) {
    const double a = (i & 1) != 0 ? 1 : -1, b = (i & 2) != 0 ? 1 : -1, c = (i & 4) != 0 ? 1 : -1;
    const double below = a * up.x + b * up.y + c * up.z;
    if (below > 0 || !touching.is_near(center + below)) continue;
    touching.add(p + a * x + b * y + c * z, center + below);
  }
}

// The lowest point of the lower rim, the one above it on the other rim, and two more points of the
// lower rim that make a triangle with the first.
void touch_cylinder(const Geom& geom, const SoftPlane& plane, const Vec3d& p, const Mat3d& R,
                    Touching& touching) {
  const Vec3d& n = plane.normal;
  Vec3d axis = R.z;
  double down = dot(n, axis);
  if (down > 0) {
    axis = -axis;
    down = -down;
  }
  Vec3d side = down * axis - n;  // towards the lowest point of a rim
  const double length2 = dot(side, side);
  const bool level = length2 < kMinDenominator * kMinDenominator;
  side = level ? geom.size.x * R.x : (geom.size.x / std::sqrt(length2)) * side;
  const double center = touching.height(p), side_down = dot(side, n);
  axis = geom.size.y * axis;
  down *= geom.size.y;
  if (!touching.is_near(center + down + side_down)) return;
  touching.add(p + side + axis, center + down + side_down);
  if (touching.is_near(center - down + side_down)) {
    touching.add(p + side - axis, center - down + side_down);
  }
  const double third = center + down - 0.5 * side_down;
  if (!touching.is_near(third)) return;
  const Vec3d across = cross(side, axis);
  const Vec3d half = (geom.size.x * std::sqrt(3.0) / 2 / norm(across)) * across;
  touching.add(p + half + axis - 0.5 * side, third);
  touching.add(p - half + axis - 0.5 * side, third);
}

void touch_ellipsoid(const Geom& geom, const SoftPlane& plane, const Vec3d& p, const Mat3d& R,
                     Touching& touching) {
  const Vec3d down = transpose_times(R, -plane.normal);
  const Vec3d& s = geom.size;
  const Vec3d scaled{s.x * down.x, s.y * down.y, s.z * down.z};
  const double k = 1 / norm(scaled);
  const Vec3d lowest = p + R * Vec3d{k * s.x * scaled.x, k * s.y * scaled.y, k * s.z * scaled.z};
  const double distance = touching.height(lowest);
  if (touching.is_near(distance)) touching.add(lowest, distance);
}

// The vertex furthest along `direction`, frame G: on a convex hull, climbing along edges finds it.
int find_furthest(const SoftHull& hull, const Vec3d& direction) {
  int best = 0, last = -1;
  double height = dot(direction, hull.vertices[0]);
  while (best != last) {
    last = best;
    for (int i = hull.first_neighbor[last]; i < hull.first_neighbor[last + 1]; ++i) {
      const double h = dot(direction, hull.vertices[hull.neighbors[i]]);
      if (h <= height) continue;
      best = hull.neighbors[i];
      height = h;
    }
  }
  return best;
}

// The lowest vertex, and other corners of that one of its faces which looks down most. Those above
// the geom's origin, its centre of mass, never.
void touch_hull(const SoftHull& hull, const SoftPlane& plane, const Vec3d& p, const Mat3d& R,
                Touching& touching) {
  const Vec3d down = transpose_times(R, -plane.normal);
  const int lowest = find_furthest(hull, down);
  const double center = touching.height(p), below = -dot(down, hull.vertices[lowest]);
  if (!touching.is_near(center + below)) return;
  touching.add(p + R * hull.vertices[lowest], center + below);
  const SoftFace* face = nullptr;
  for (int i = hull.first_face[lowest]; i < hull.first_face[lowest + 1]; ++i) {
    const SoftFace& f = hull.faces[i];
    if (face == nullptr || dot(f.normal, down) > dot(face->normal, down)) face = &f;
  }
  if (face == nullptr) return;
  for (int k = 1; k < face->count; ++k) {
    const Vec3d& corner = hull.vertices[face->corners[k]];
    const double height = -dot(down, corner);
    if (height <= 0 && touching.is_near(center + height)) {
      touching.add(p + R * corner, center + height);
    }
  }
}

}  // namespace

int max_touches(const Geom& geom) {
  switch (geom.type) {
  case GeomType::sphere:
  case GeomType::ellipsoid:
    return 1;
  case GeomType::capsule:
    return 2;
  case GeomType::cylinder:
  case GeomType::box:
  case GeomType::mesh:
    break;
  }
  return kMaxTouches;
}

void find_touches(const Geom& geom, const SoftHull* hull, const SoftPlane& plane, const Vec3d& p_WG,
                  const Mat3d& R_WG, double cutoff, SoftTouches& found) {
  Touching touching(plane, cutoff, found);
  switch (geom.type) {
  case GeomType::sphere:
    touching.add_ball(p_WG, geom.size.x, {0, 0, 0});
    break;
  case GeomType::capsule:
    touch_capsule(geom, p_WG, R_WG, touching);
    break;
  case GeomType::cylinder:
    touch_cylinder(geom, plane, p_WG, R_WG, touching);
    break;
  case GeomType::box:
    touch_box(geom, plane, p_WG, R_WG, touching);
    break;
  case GeomType::ellipsoid:
    touch_ellipsoid(geom, plane, p_WG, R_WG, touching);
    break;
  case GeomType::mesh:
    touch_hull(*hull, plane, p_WG, R_WG, touching);
    break;
  }
}

Mat3d contact_frame(const Vec3d& normal, const Vec3d& tangent) {
  Vec3d t = tangent;
  if (dot(t, t) < 0.25) t = std::abs(normal.y) < 0.5 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  t -= dot(normal, t) * normal;
  const double length = norm(t);
  t = length < kMinDenominator ? Vec3d{1, 0, 0} : (1 / length) * t;
  return {normal, t, cross(normal, t)};
}

}  // namespace footfall
