// Which parts of a small convex piece of ground lie on which soil.
#include <cmath>
#include <numbers>

#include "footfall/terrain/terrain.hpp"

namespace footfall {
namespace {

constexpr int kMostCorners = 32;

struct Piece {
  std::array<PlanePoint, kMostCorners> corners;
  int count = 0;
  void add(const PlanePoint& p) {
    if (count < kMostCorners) corners[count++] = p;
  }
};

// a·x + b·y ≥ c
struct HalfPlane {
  double a, b, c;
  double inside(const PlanePoint& p) const { return a * p.x + b * p.y - c; }
};

struct Cut {
  Piece inside, outside;
};
Cut cut(const Piece& piece, const HalfPlane& plane) {
  Cut out;
  for (int i = 0; i < piece.count; ++i) {
    const PlanePoint &p = piece.corners[i], &q = piece.corners[(i + 1) % piece.count];
    const double at_p = plane.inside(p), at_q = plane.inside(q);
    (at_p >= 0 ? out.inside : out.outside).add(p);
    if ((at_p >= 0) == (at_q >= 0)) continue;
    const double t = at_p / (at_p - at_q);
    const PlanePoint between{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
    out.inside.add(between);
    out.outside.add(between);
  }
  return out;
}

PlanePoint middle_of(const Piece& piece) {
  PlanePoint sum{0, 0};
  for (int i = 0; i < piece.count; ++i) {
    sum.x += piece.corners[i].x / piece.count;
    sum.y += piece.corners[i].y / piece.count;
  }
  return sum;
}

// A region's borders near a piece. A circle that is larger than the piece is its tangent there, a smaller
// one a polygon of the same area.
struct Borders {
  std::array<HalfPlane, 16> planes;
  int count = 0;
};
Borders borders_near(const Region& region, const Piece& piece) {
  switch (region.shape) {
  case RegionShape::half_plane:
    return {{{{region.a, region.b, region.c}}}, 1};
  case RegionShape::rectangle:
    return {{{{1, 0, region.x_min},
              {-1, 0, -region.x_max},
              {0, 1, region.y_min},
              {0, -1, -region.y_max}}},
            4};
  case RegionShape::circle:
    break;
  }
  const PlanePoint middle = middle_of(piece);
  double reach = 0;
  for (int i = 0; i < piece.count; ++i) {
    reach =
        std::fmax(reach, std::hypot(piece.corners[i].x - middle.x, piece.corners[i].y - middle.y));
  }
  const double dx = middle.x - region.center_x, dy = middle.y - region.center_y;
  const double distance = std::hypot(dx, dy);
  const auto tangent = [&](double x, double y, double radius) -> HalfPlane {
    return {-x, -y, -(x * region.center_x + y * region.center_y + radius)};
  };
  if (region.radius > 4 * reach) {
    const double far = std::fmax(distance, 1e-300);
    return {{{tangent(dx / far, dy / far, region.radius)}}, 1};
  }
  Borders out;
  out.count = static_cast<int>(out.planes.size());
  const double turn = 2 * std::numbers::pi / out.count;
  const double radius = region.radius * std::sqrt(0.5 * turn / std::tan(0.5 * turn));
  for (int i = 0; i < out.count; ++i) {
    out.planes[i] = tangent(std::cos(turn * i), std::sin(turn * i), radius);
  }
  return out;
}

// The parts of a piece on one soil; of regions only the first `region_count` count.
void visit_on(const Terrain& terrain, int region_count, const Piece& piece, int soil,
              const PieceVisitor& visit) {
  for (int k = region_count - 1; k >= 0; --k) {
    const Region& region = terrain.regions[k];
    const Borders borders = borders_near(region, piece);
    Piece inside = piece;
    for (int i = 0; i < borders.count && inside.count >= 3; ++i) {
      const Cut parts = cut(inside, borders.planes[i]);
      // the whole piece lies outside this region: on to the next
      if (parts.inside.count >= 3 && parts.outside.count >= 3) {
        visit_on(terrain, k, parts.outside, soil, visit);
      }
      inside = parts.inside;
    }
    if (inside.count < 3) continue;
    if (region.soil == soil) visit(inside.corners.data(), inside.count);
    return;
  }
  if (soil == 0) visit(piece.corners.data(), piece.count);
}

// Whether all of a polygon lies on the soil under its corners: no border of any region meets the circle
// around it. `soil`: under its middle.
bool is_clear(const Terrain& terrain, const PlanePoint& middle, double reach) {
  for (const Region& r : terrain.regions) {
    const double dx = middle.x - r.center_x, dy = middle.y - r.center_y;
    double distance = 0;  // from the border
    switch (r.shape) {
    case RegionShape::half_plane:
      distance = std::abs(r.a * middle.x + r.b * middle.y - r.c) / std::hypot(r.a, r.b);
      break;
    case RegionShape::circle:
      distance = std::abs(std::hypot(dx, dy) - r.radius);
      break;
    case RegionShape::rectangle: {
      const double x = std::fmax(r.x_min - middle.x, middle.x - r.x_max),
                   y = std::fmax(r.y_min - middle.y, middle.y - r.y_max);
      distance =
          std::fmax(x, y) > 0 ? std::hypot(std::fmax(x, 0.0), std::fmax(y, 0.0)) : -std::fmax(x, y);
      break;
    }
    }
    if (!(distance > reach)) return false;
  }
  return true;
}

}  // namespace

bool visit_pieces(const Terrain& terrain, std::span<const PlanePoint> polygon, int soil,
                  const PieceVisitor& visit) {
  Piece piece;
  for (const PlanePoint& p : polygon) piece.add(p);
  const PlanePoint middle = middle_of(piece);
  double reach = 0;
  for (const PlanePoint& p : polygon) {
    reach = std::fmax(reach, std::hypot(p.x - middle.x, p.y - middle.y));
  }
  if (is_clear(terrain, middle, reach)) return false;
  visit_on(terrain, static_cast<int>(terrain.regions.size()), piece, soil, visit);
  return true;
}

}  // namespace footfall
