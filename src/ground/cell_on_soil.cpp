#include "footfall/ground/cell_on_soil.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/foot/sole.hpp"
#include "footfall/soil/cell.hpp"

namespace footfall {
namespace {

// Moments of an area about its middle, as the lower root of their matrix: R Rᵀ.
struct Root {
  double xx = 0, yx = 0, yy = 0;
};

// Sums over triangles of a plan.
struct AreaSums {
  double area = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  void add(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
    const double part = 0.5 * std::abs(turn_area(a, b, c));
    const double sx = a.x + b.x + c.x, sy = a.y + b.y + c.y;
    area += part;
    x += part / 3 * sx;
    y += part / 3 * sy;
    xx += part / 12 * (a.x * a.x + b.x * b.x + c.x * c.x + sx * sx);
    xy += part / 12 * (a.x * a.y + b.x * b.y + c.x * c.y + sx * sy);
    yy += part / 12 * (a.y * a.y + b.y * b.y + c.y * c.y + sy * sy);
  }
  PlanePoint middle() const { return {x / area, y / area}; }
  Root root() const {
    const PlanePoint m = middle();
    Root r;
    r.xx = std::sqrt(std::fmax(xx / area - m.x * m.x, 0.0));
    r.yx = r.xx > 0 ? (xy / area - m.x * m.y) / r.xx : 0;
    r.yy = std::sqrt(std::fmax(yy / area - m.y * m.y - r.yx * r.yx, 0.0));
    return r;
  }
};

// What lies on the soil, in plan about the cell's first corner, and the integral of zⁿ₊ over it.
struct Part {
  std::array<PlanePoint, 3> plan;
  std::array<double, 3> depths;
  PlanePoint origin;
  double n, whole, least;  // least: depth that counts
  AreaSums sums;
  double pressure = 0;

  // Shares of the cell's corners at a place.
  Vec3d shares_at(const PlanePoint& p) const {
    return {turn_area(p, plan[1], plan[2]) / whole, turn_area(plan[0], p, plan[2]) / whole,
            turn_area(plan[0], plan[1], p) / whole};
  }
  double depth_at(const Vec3d& shares) const {
    return shares.x * depths[0] + shares.y * depths[1] + shares.z * depths[2];
  }
  double mean_pressure(const std::array<Vec3d, 3>& at) const {
    const Cell<double> cell = make_cell(depth_at(at[0]), depth_at(at[1]), depth_at(at[2]), 0.0);
    return mean_power(cell, n, 0.0).force;
  }
  // Of a piece what is in the ground, or all of it where the whole cell is above.
  void add_piece(const PlanePoint* corners, int count) {
    PlanePoint first{}, last{};
    int kept = 0;
    const auto keep = [&](const PlanePoint& p) {
      if (kept == 0) first = p;
      if (kept >= 2) add_triangle(first, last, p);
      last = p;
      ++kept;
    };
    for (int i = 0; i < count; ++i) {
      const PlanePoint &u = corners[i], &v = corners[(i + 1) % count];
      const PlanePoint p{u.x - origin.x, u.y - origin.y}, q{v.x - origin.x, v.y - origin.y};
      const double at_p = depth_at(shares_at(p)) - least, at_q = depth_at(shares_at(q)) - least;
      if (at_p >= 0) keep(p);
      if ((at_p >= 0) == (at_q >= 0)) continue;
      const double t = at_p / (at_p - at_q);
      keep({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    }
  }
  void add_triangle(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
    sums.add(a, b, c);
    pressure += 0.5 * std::abs(turn_area(a, b, c)) *
                mean_pressure({shares_at(a), shares_at(b), shares_at(c)});
  }
};

// Points of the arc of a sector, as shares of its second and third corner. They make a polygon too, with the
// area of the sector, but one that is nowhere far from the arc.
constexpr int kArcParts = 4;
struct ArcShares {
  double b, c;
};
std::array<ArcShares, kArcParts + 1> make_arc() {
  constexpr double kTurn = 2 * std::numbers::pi / kDiscSides, kPart = kTurn / kArcParts;
  const double size = std::sqrt(kPart / std::sin(kPart) * std::sin(kTurn) / kTurn);
  std::array<ArcShares, kArcParts + 1> arc;
  for (int i = 0; i <= kArcParts; ++i) {
    arc[i] = {size * std::sin(kTurn - i * kPart) / std::sin(kTurn),
              size * std::sin(i * kPart) / std::sin(kTurn)};
  }
  return arc;
}

// Visits what of a cell lies on a soil, see visit_pieces.
bool visit_cell(const Terrain& terrain, const std::array<PlanePoint, 3>& plan, bool is_sector,
                int soil, const PieceVisitor& visit) {
  if (!is_sector) return visit_pieces(terrain, plan, soil, visit);
  static const std::array<ArcShares, kArcParts + 1> arc = make_arc();
  const auto& [a, b, c] = plan;
  std::array<PlanePoint, kArcParts + 2> outline{a};
  for (int i = 0; i <= kArcParts; ++i) {
    const auto [at_b, at_c] = arc[i];
    outline[i + 1] = {a.x + at_b * (b.x - a.x) + at_c * (c.x - a.x),
                      a.y + at_b * (b.y - a.y) + at_c * (c.y - a.y)};
  }
  return visit_pieces(terrain, outline, soil, visit);
}

}  // namespace

CellOnSoil find_cell_on_soil(const Terrain& terrain, int soil,
                             const std::array<PlanePoint, 3>& plan,
                             const std::array<double, 3>& depths, double n, bool is_sector) {
  constexpr double kLeast = 1e-9;  // of the cell that counts
  constexpr double kMost = 4;      // by which the triangle's pressure is corrected
  constexpr double kMargin = 0.05;
  CellOnSoil out;
  const double deepest = std::max({depths[0], depths[1], depths[2]});
  // a little more than what is in the ground now: the rest of the step may wet it
  const double least = deepest > 0 ? -kMargin * deepest : -1e300;
  Part part{{}, depths, plan[0], n, 0, least, {}, 0};
  for (int k = 0; k < 3; ++k) part.plan[k] = {plan[k].x - plan[0].x, plan[k].y - plan[0].y};
  part.whole = turn_area(part.plan[0], part.plan[1], part.plan[2]);
  const bool seen = std::abs(part.whole) > 1e-12;  // else on its edge
  const PlanePoint middle{(plan[0].x + plan[1].x + plan[2].x) / 3,
                          (plan[0].y + plan[1].y + plan[2].y) / 3};
  const auto add = [&part](const PlanePoint* corners, int count) {
    part.add_piece(corners, count);
  };
  if (!seen || !visit_cell(terrain, plan, is_sector, soil, add)) {
    out.share = soil_at(terrain, middle.x, middle.y) == soil ? 1 : 0;
    return out;
  }
  AreaSums cell;
  cell.add(part.plan[0], part.plan[1], part.plan[2]);
  const double share = std::min(part.sums.area / cell.area, 1.0);
  if (!(share > kLeast)) {
    out.share = 0;
    return out;
  }
  // the cell, moved and stretched to what lies on the soil
  const Root from = cell.root(), to = part.sums.root();
  const PlanePoint m = cell.middle(), m_to = part.sums.middle();
  if (!(from.xx > 0 && from.yy > 0)) {  // a cell that is seen on its edge, but for rounding
    out.share = share;
    return out;
  }
  const double xx = to.xx / from.xx, yy = to.yy / from.yy, yx = (to.yx - yy * from.yx) / from.xx;
  for (int k = 0; k < 3; ++k) {
    const double x = part.plan[k].x - m.x, y = part.plan[k].y - m.y;
    out.at[k] = part.shares_at({m_to.x + xx * x, m_to.y + yx * x + yy * y});
  }
  const double mean = part.mean_pressure(out.at);
  const double wanted = part.pressure / part.sums.area;
  const double correction = mean > 0 ? std::clamp(wanted / mean, 1 / kMost, kMost) : 1;
  out.share = share * correction;
  return out;
}

}  // namespace footfall
