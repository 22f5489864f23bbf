#include "footfall/granular/resistive_force.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "footfall/soil/resistive.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kAlong = 1e-12;  // n·v below this share of the speed is motion along the element

struct PlaneVector {
  double x = 0, z = 0;
};
PlaneVector operator+(PlaneVector a, PlaneVector b) { return {a.x + b.x, a.z + b.z}; }
PlaneVector operator*(double s, PlaneVector a) { return {s * a.x, s * a.z}; }
double plane_dot(PlaneVector a, PlaneVector b) { return a.x * b.x + a.z * b.z; }

// The stress on the foot, per depth and for ζ = 1 [N/m³], on an element with outward normal n that moves
// at v. Angles enter by the cosines and sines of 2β and γ.
PlaneVector element_stress(PlaneVector n, PlaneVector v) {
  const double speed = std::hypot(v.x, v.z);
  const double side = v.x < 0 ? -1 : 1;  // mirrored where it moves towards −x
  const double cos_g = std::abs(v.x) / speed, sin_g = -v.z / speed;
  const double cos_2b = n.z * n.z - n.x * n.x, sin_2b = -2 * side * n.x * n.z;
  const PlateStress<double> stress = resistive_stress(cos_2b, sin_2b, cos_g, sin_g);
  return {-side * stress.x, stress.z};
}

struct GaussPoints {
  std::vector<double> at, weight;  // on (0, 1)
};

// Zeros of Legendre's polynomials by Newton's method.
GaussPoints make_gauss_points(int count) {
  GaussPoints out;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(kPi * (i + 0.75) / (count + 0.5)), slope = 1;
    for (int k = 0; k < 20; ++k) {
      double p = 1, before = 0;
      for (int j = 1; j <= count; ++j) {
        const double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
        before = p;
        p = next;
      }
      slope = count * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    out.at.push_back(0.5 * (1 - x));
    out.weight.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return out;
}

// The foot in its plane: positions from the sole's centre, frame of the surface.
struct Motion {
  double depth = 0;        // of the sole's centre [m]
  PlaneVector up, across;  // along the foot's axis; at right angles, towards +x
  PlanarVelocity velocity;
  PlaneVector reference;  // p_r

  PlaneVector at(PlaneVector p) const {
    return {velocity.x + velocity.tilt * p.z, velocity.z - velocity.tilt * p.x};
  }
};

// A line of a slice's outline, p(s) with s from 0 to 1: straight, or a circle from its lowest point on.
struct Outline {
  bool straight = true;
  PlaneVector start, along = {};  // straight: p = start + s along
  PlaneVector straight_normal = {};
  PlaneVector centre = {};  // circle: p = centre + radius n
  double radius = 0;

  PlaneVector normal(double s) const {
    if (straight) return straight_normal;
    return {std::sin(2 * kPi * s), -std::cos(2 * kPi * s)};
  }
  PlaneVector point(double s) const {
    return straight ? start + s * along : centre + radius * normal(s);
  }
  double length() const { return straight ? std::hypot(along.x, along.z) : 2 * kPi * radius; }
};

// Where a + b s = 0; where a + b n_z = 0 on an arc; where n·v = 0 on it.
void add_root(double a, double b, std::vector<double>& roots) {
  if (b != 0) roots.push_back(-a / b);
}
void add_height_roots(double a, double b, std::vector<double>& roots) {
  if (std::abs(a) >= std::abs(b)) return;
  const double s = std::acos(a / b) / (2 * kPi);
  roots.insert(roots.end(), {s, 1 - s});
}
void add_lead_roots(PlaneVector v, std::vector<double>& roots) {
  const double s = std::atan2(v.z, v.x) / (2 * kPi) + 1;
  roots.insert(roots.end(), {s - std::floor(s), s + 0.5 - std::floor(s + 0.5)});
}

// Where the integrand is not smooth: the surface, leading or not, and v_x = 0, where γ turns over.
void find_breaks(const Outline& line, const Motion& m, std::vector<double>& breaks) {
  breaks.assign({0, 1});
  if (line.straight) {
    const PlaneVector v = m.at(line.start),
                      dv{m.velocity.tilt * line.along.z, -m.velocity.tilt * line.along.x};
    add_root(line.start.z - m.depth, line.along.z, breaks);
    add_root(plane_dot(line.straight_normal, v), plane_dot(line.straight_normal, dv), breaks);
    add_root(v.x, dv.x, breaks);
  } else {
    const PlaneVector v = m.at(line.centre);
    add_height_roots(line.centre.z - m.depth, line.radius, breaks);
    add_lead_roots(v, breaks);  // turning about the centre moves no element along its normal
    add_height_roots(v.x, m.velocity.tilt * line.radius, breaks);
  }
  std::erase_if(breaks, [](double s) { return s < 0 || s > 1; });
  std::sort(breaks.begin(), breaks.end());
}

// What a line of unit width across the plane adds to the wrench.
void add_outline(const Outline& line, const Motion& m, const GaussPoints& gauss, double width,
                 std::vector<double>& breaks, PlanarWrench& sum) {
  find_breaks(line, m, breaks);
  const double length = line.length();
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    const double first = breaks[k], share = breaks[k + 1] - first;
    const double middle = first + 0.5 * share;
    if (share < kAlong || line.point(middle).z >= m.depth)
      continue;  // breaks that are one, rounded
    const PlaneVector v = m.at(line.point(middle));
    const double lead = plane_dot(line.normal(middle), v), speed = std::hypot(v.x, v.z);
    if (lead < -kAlong * speed || speed == 0) continue;
    const double part = (lead <= kAlong * speed ? 0.5 : 1) * share * length * width;
    for (std::size_t i = 0; i < gauss.at.size(); ++i) {
      const double s = first + share * gauss.at[i];
      const PlaneVector p = line.point(s);
      const PlaneVector stress = element_stress(line.normal(s), m.at(p));
      const PlaneVector force = (part * gauss.weight[i] * (m.depth - p.z)) * stress;
      sum.force_x += force.x;
      sum.force_z += force.z;
      sum.torque_y += (p.z - m.reference.z) * force.x - (p.x - m.reference.x) * force.z;
    }
  }
}

// A rectangle about the axis: sole, two sides, top.
void add_box_slice(double half, double height, const Motion& m, const GaussPoints& gauss,
                   double width, std::vector<double>& breaks, PlanarWrench& sum) {
  const PlaneVector side = half * m.across, top = height * m.up;
  const PlaneVector left = -1.0 * side;
  const auto add = [&](PlaneVector start, PlaneVector along, PlaneVector normal) {
    const Outline line{.start = start, .along = along, .straight_normal = normal};
    add_outline(line, m, gauss, width, breaks, sum);
  };
  add(left, 2 * side, -1.0 * m.up);
  add(side, top, m.across);
  add(left, top, -1.0 * m.across);
  add(left + top, 2 * side, m.up);
}

// Half-widths at which a corner of the slice comes through the surface, as angles on (0, π/2): a slice at
// y = R sin t has the half-width R cos t.
std::vector<double> slice_breaks(const GrainFoot& foot, const Motion& m) {
  std::vector<double> out{0, 0.5 * kPi};
  if (foot.shape != GrainFootShape::cylinder) return out;
  for (const double height : {0.0, foot.height}) {
    const double half = std::abs((height * m.up.z - m.depth) / m.across.z);
    if (half < foot.radius) out.push_back(std::acos(half / foot.radius));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void check_grain_foot(const GrainFoot& f) {
  const auto check = [](const char* name, double value) {
    if (value > 0 && std::isfinite(value)) return;
    throw input_error("foot: {} = {} m, expected above 0", name, value);
  };
  if (f.shape == GrainFootShape::box) {
    check("length_x", f.length_x);
    check("width_y", f.width_y);
  } else {
    check("radius", f.radius);
  }
  if (f.shape != GrainFootShape::sphere) check("height", f.height);
}

}  // namespace

ResistiveStress evaluate_resistive_stress(double attack_angle, double intrusion_angle) {
  const PlaneVector normal{std::sin(attack_angle), -std::cos(attack_angle)};
  const double cos_g = std::cos(intrusion_angle);
  const PlaneVector stress = element_stress(normal, {cos_g, -std::sin(intrusion_angle)});
  return {-stress.x, stress.z};
}

PlanarWrench evaluate_resistive_wrench(const GrainFoot& foot, const FootConfiguration& at,
                                       const PlanarVelocity& velocity, int points) {
  check_grain_foot(foot);
  Motion m{.depth = at.depth,
           .up = {std::sin(at.tilt), std::cos(at.tilt)},
           .across = {std::cos(at.tilt), -std::sin(at.tilt)},
           .velocity = velocity,
           .reference = {}};
  m.reference = foot.reference_height * m.up;
  const GaussPoints gauss = make_gauss_points(points);
  std::vector<double> breaks;
  PlanarWrench sum;
  if (foot.shape == GrainFootShape::box) {
    add_box_slice(0.5 * foot.length_x, foot.height, m, gauss, foot.width_y, breaks, sum);
    return sum;
  }
  const std::vector<double> slices = slice_breaks(foot, m);
  for (std::size_t k = 0; k + 1 < slices.size(); ++k) {
    const double first = slices[k], range = slices[k + 1] - first;
    for (std::size_t i = 0; i < gauss.at.size(); ++i) {
      const double half = foot.radius * std::cos(first + range * gauss.at[i]);
      const double width = 2 * range * gauss.weight[i] * half;  // 2 dy: both halves of the foot
      if (foot.shape == GrainFootShape::cylinder) {
        add_box_slice(half, foot.height, m, gauss, width, breaks, sum);
      } else {
        const Outline circle{
            .straight = false, .start = {}, .centre = foot.radius * m.up, .radius = half};
        add_outline(circle, m, gauss, width, breaks, sum);
      }
    }
  }
  return sum;
}

WrenchDatabase make_resistive_database(const ResistiveMedium& medium, const GrainFoot& foot,
                                       const std::vector<PlanarVelocity>& directions) {
  if (!(medium.scale > 0) || !std::isfinite(medium.scale)) {
    throw input_error("scale = {}, expected above 0", medium.scale);
  }
  for (const double depth : medium.depths) {
    if (depth > 0 && std::isfinite(depth)) continue;
    throw input_error("depth = {} m, expected above 0: at zero depth all wrenches are zero anyway",
                      depth);
  }
  for (const double tilt : medium.tilts) {
    if (tilt >= 0 && tilt <= 0.5 * kPi) continue;
    throw input_error("tilt = {} rad, expected 0 to pi/2: negative tilts follow by mirror symmetry",
                      tilt);
  }
  WrenchDatabase out{.medium = medium.name,
                     .foot = foot,
                     .source = {},
                     .directions = directions,
                     .configurations = {},
                     .wrenches = {}};
  for (const double depth : medium.depths) {
    for (const double tilt : medium.tilts) {
      out.configurations.push_back({depth, tilt});
      for (const PlanarVelocity& v : directions) {
        PlanarWrench w = evaluate_resistive_wrench(foot, out.configurations.back(), v);
        w.force_x *= medium.scale;
        w.force_z *= medium.scale;
        w.torque_y *= medium.scale;
        out.wrenches.push_back(w);
      }
    }
  }
  return out;
}

ResistiveFit fit_resistive_scale(const WrenchDatabase& measured) {
  // sums of theory², theory · data, data² for f_x, f_z and the torque over its arm
  std::array<std::array<double, 3>, 3> sums{};
  const double arm = measured.foot.reference_height > 0 ? measured.foot.reference_height : 1;
  for (std::size_t j = 0; j < measured.configurations.size(); ++j) {
    for (std::size_t i = 0; i < measured.directions.size(); ++i) {
      const PlanarWrench w = evaluate_resistive_wrench(measured.foot, measured.configurations[j],
                                                       measured.directions[i]);
      const PlanarWrench& data = measured.at(j, i);
      const double theory[] = {w.force_x, w.force_z, w.torque_y / arm};
      const double found[] = {data.force_x, data.force_z, data.torque_y / arm};
      for (int part = 0; part < 3; ++part) {
        sums[part][0] += theory[part] * theory[part];
        sums[part][1] += theory[part] * found[part];
        sums[part][2] += found[part] * found[part];
      }
    }
  }
  const auto total = [&](int k) { return sums[0][k] + sums[1][k] + sums[2][k]; };
  if (!(total(0) > 0) || !(total(2) > 0)) {
    throw InputError("nothing to fit: all wrenches are zero, by the theory or in the data");
  }
  const double scale = total(1) / total(0);
  const auto left = [&](double theory, double both, double data) {
    return std::sqrt(std::fmax(0, scale * scale * theory - 2 * scale * both + data) / data);
  };
  return {.scale = scale,
          .error = left(total(0), total(1), total(2)),
          .force_x_error = left(sums[0][0], sums[0][1], sums[0][2]),
          .force_z_error = left(sums[1][0], sums[1][1], sums[1][2]),
          .torque_error = left(sums[2][0], sums[2][1], sums[2][2])};
}

}  // namespace footfall
