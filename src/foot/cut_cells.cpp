// Cells of soles in smaller parts: for uneven ground, and copies for each soil.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>

#include "foot/shape_sole.hpp"

namespace footfall {
namespace {

using Corners = std::array<Vec3d, 3>;

// A number in [0, 1) that hangs on an edge alone, whichever way round it is.
double edge_number(const Vec3d& a, const Vec3d& b) {
  const Vec3d sum = a + b;
  std::uint64_t state = 0x9e3779b97f4a7c15ULL;
  for (const double x : {sum.x, sum.y, sum.z}) {
    // to a nanometre: rounding does not count
    state ^= static_cast<std::uint64_t>(std::llround(1e9 * x));
    state *= 0xbf58476d1ce4e5b9ULL;
    state ^= state >> 29;
  }
  return static_cast<double>(state >> 11) * 0x1p-53;
}

// Where an edge is cut: not all in the middle, or a ridge along the sole would pass between two rows of corners.
constexpr double kSpread = 0.3;
Vec3d cut_place(const Vec3d& a, const Vec3d& b) {
  const bool swapped = std::tie(b.x, b.y, b.z) < std::tie(a.x, a.y, a.z);
  const Vec3d &p = swapped ? b : a, &q = swapped ? a : b;
  const double t = 0.5 + kSpread * (edge_number(p, q) - 0.5);
  return p + t * (q - p);
}

// Cuts a triangle at its longest edge until none is longer than `size`; `add` takes each part.
template <class Add>
void cut(const Corners& t, double size, const Add& add) {
  const auto& [a, b, c] = t;
  const double ab = norm(b - a), bc = norm(c - b), ca = norm(a - c);
  if (bc > ab && bc >= ca) return cut({b, c, a}, size, add);
  if (ca > ab) return cut({c, a, b}, size, add);
  if (ab <= size) return add(t);
  const Vec3d between = cut_place(a, b);
  cut({a, between, c}, size, add);
  cut({between, b, c}, size, add);
}

std::vector<SolePoint> cut_cell(const SolePoint& cell, double size) {
  std::vector<SolePoint> parts;
  cut(cell.corners, size, [&](const Corners& t) {
    SolePoint& part = parts.emplace_back(cell);
    part.corners = t;
    part.is_sector = false;
    part.position = (1.0 / 3) * (t[0] + t[1] + t[2]);
    const Corners& all = cell.corners;
    const double share =
        norm(cross(t[1] - t[0], t[2] - t[0])) / norm(cross(all[1] - all[0], all[2] - all[0]));
    part.weight = share * cell.weight;
    part.area = share * cell.area;
  });
  return parts;
}

}  // namespace

void set_shear_offsets(SolePoint* first, SolePoint* end) {
  const std::span<SolePoint> points(first, end);
  Vec3d middle{0, 0, 0};
  double area = 0, whole = 0, middles = 0;
  for (const SolePoint& p : points) {
    if (!p.is_cell) continue;
    middle += norm(p.area) * p.position;
    area += norm(p.area);
  }
  if (area == 0) return;
  middle = (1 / area) * middle;
  for (const SolePoint& p : points) {
    if (!p.is_cell) continue;
    const double square = dot(p.position - middle, p.position - middle);
    double own = 0;  // about the cell's middle
    for (const Vec3d& c : p.corners) own += dot(c - p.position, c - p.position) / 12;
    middles += norm(p.area) * square;
    whole += norm(p.area) * (square + own);
  }
  if (!(middles > 1e-6 * whole)) return;  // a single cell
  const double farther = std::sqrt(whole / middles) - 1;
  for (SolePoint& p : points) {
    if (p.is_cell) p.shear_offset = farther * (p.position - middle);
  }
}

Soles cut_cells(const Soles& soles, double size) {
  Soles out;
  out.feet = soles.feet;
  for (SoleGroup group : soles.groups) {
    const std::span<const SolePoint> whole(soles.points.data() + group.first_point,
                                           static_cast<std::size_t>(group.point_count));
    std::vector<SolePoint> points;
    for (double longest = size;; longest *= 1.2) {
      points.clear();
      for (const SolePoint& p : whole) {
        if (!p.is_cell) {
          points.push_back(p);
          continue;
        }
        const std::vector<SolePoint> parts = cut_cell(p, longest);
        points.insert(points.end(), parts.begin(), parts.end());
      }
      if (points.size() <= std::max(whole.size(), std::size_t{kMostCells})) break;
    }
    set_shear_offsets(points.data(), points.data() + points.size());
    group.first_point = static_cast<int>(out.points.size());
    group.point_count = static_cast<int>(points.size());
    out.points.insert(out.points.end(), points.begin(), points.end());
    out.groups.push_back(group);
  }
  return out;
}

Soles split_cells(const Soles& soles, int soil_count) {
  Soles out;
  out.feet = soles.feet;
  for (SoleGroup group : soles.groups) {
    const auto first = soles.points.begin() + group.first_point, end = first + group.point_count;
    group.first_point = static_cast<int>(out.points.size());
    std::copy_if(first, end, std::back_inserter(out.points),
                 [](const SolePoint& p) { return !p.is_cell; });
    for (int soil = 0; soil < soil_count; ++soil) {
      for (auto point = first; point != end; ++point) {
        if (!point->is_cell) continue;
        out.points.push_back(*point);
        out.points.back().soil = soil;
      }
    }
    group.point_count = static_cast<int>(out.points.size()) - group.first_point;
    out.groups.push_back(group);
  }
  return out;
}

}  // namespace footfall
