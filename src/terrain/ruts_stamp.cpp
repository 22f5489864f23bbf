// How a footprint changes the cells below and around it. See ruts.hpp.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/math/hull.hpp"
#include "footfall/terrain/ruts.hpp"

namespace footfall {

namespace {

constexpr double kReposeSlope = std::numbers::inv_sqrt3;  // tan 30°
constexpr double kRimWidthMax = 0.5;  // [m]; a foot that falls for ever does not fill the memory

// Lengths of feet do not overflow: no need for what std::hypot pays to avoid that.
double length(double x, double y) { return std::sqrt(x * x + y * y); }

// x and y ranges of cells, last ones included.
struct CellBox {
  int x_first, x_last, y_first, y_last;
};

// Cells of the grid by their indices, made where there are none. Keeps the block of the last one.
class CellCursor {
 public:
  explicit CellCursor(RutGrid& grid) : grid_(grid) {}
  RutCell& at(int ix, int iy) {
    const int x = ix >> 5, y = iy >> 5;  // floor of a division by 32
    if (block_ == nullptr || block_->x != x || block_->y != y) block_ = &grid_.make_block(x, y);
    return block_->cells[(iy & 31) * kRutBlockCells + (ix & 31)];
  }

 private:
  static_assert(kRutBlockCells == 32);
  RutGrid& grid_;
  RutBlock* block_ = nullptr;
};

// Convex hull in plan, counter-clockwise; a point or a segment if there is no area.
class Hull {
 public:
  void make(const Footprint& print) {
    std::array<PlanePoint, Footprint::kMaxPoints> points;
    for (int i = 0; i < print.point_count; ++i) points[i] = {print.points[i].x, print.points[i].y};
    sort_for_hull(points.data(), points.data() + print.point_count);
    count_ = find_hull_of_sorted(points.data(), print.point_count, corners_.data());
  }

  // 0 inside.
  double distance(double x, double y) const {
    const PlanePoint p{x, y};
    bool inside = count_ >= 3;
    double nearest = length(x - corners_[0].x, y - corners_[0].y);
    for (int i = 0; i < count_; ++i) {
      const PlanePoint& a = corners_[i];
      const PlanePoint& b = corners_[(i + 1) % count_];
      inside = inside && turn_area(a, b, p) >= 0;
      const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
      if (square == 0) continue;
      const double t = std::clamp(((x - a.x) * dx + (y - a.y) * dy) / square, 0.0, 1.0);
      nearest = std::min(nearest, length(x - a.x - t * dx, y - a.y - t * dy));
    }
    return inside ? 0 : nearest;
  }

 private:
  std::array<PlanePoint, 2 * Footprint::kMaxPoints> corners_;
  int count_ = 0;
};

// The print seen from above.
class PrintOutline {
 public:
  PrintOutline(const Footprint& print, double cell)
      : print_(print), cell_(cell), lowest_{center_of_cell(print.x), center_of_cell(print.y)} {
    for (int i = 0; i < print.point_count; ++i) depth_ = std::max(depth_, print.points[i].sinkage);
    const double u = std::min(depth_, print.radius);
    crater_ = std::sqrt(u * (2 * print.radius - u));
    if (print.shape == PrintShape::hull) hull_.make(print);
  }
  double depth() const { return depth_; }

  // How far (x, y) lies outside the outline; ≤ 0 inside [m].
  double distance(double x, double y) const {
    const double dx = x - print_.x, dy = y - print_.y;
    switch (print_.shape) {
    case PrintShape::disc:
      return length(dx, dy) - print_.radius;
    case PrintShape::rectangle:
      return outside_box(along(dx, dy), across(dx, dy), print_.half_length, print_.half_width);
    case PrintShape::hull:
      return outside_hull(x, y);
    case PrintShape::ball:
      return off_lowest(x, y) - crater_;
    case PrintShape::roller:
      return outside_box(along(dx, dy), off_lowest(x, y), print_.half_length, crater_);
    }
    return 0;
  }

  // u: height of the sole above its lowest point; only inside the outline [m].
  double height(double x, double y) const {
    if (print_.shape != PrintShape::ball && print_.shape != PrintShape::roller) return 0;
    const double R = print_.radius, rho = std::min(off_lowest(x, y), R);
    if (rho == 0) return 0;
    return rho * rho / (R + std::sqrt((R - rho) * (R + rho)));  // R − √(R² − ρ²), no cancellation
  }

  const PrintPoint& nearest_point(double x, double y) const {
    int nearest = 0;
    double least = square_distance(0, x, y);
    for (int i = 1; i < print_.point_count; ++i) {
      const double d = square_distance(i, x, y);
      if (d < least && !print_.points[i].is_corner) {
        least = d;
        nearest = i;
      }
    }
    return print_.points[nearest];
  }

  // Half sizes of a box around the outline; of a hull what it is widened by.
  PlanePoint half_box() const {
    const double r = print_.radius, c = std::abs(print_.axis_x), s = std::abs(print_.axis_y);
    const double a = print_.half_length;
    const double b = print_.shape == PrintShape::roller ? r : print_.half_width;
    if (print_.shape == PrintShape::rectangle || print_.shape == PrintShape::roller) {
      return {c * a + s * b, s * a + c * b};
    }
    return {r, r};
  }

 private:
  double along(double dx, double dy) const { return print_.axis_x * dx + print_.axis_y * dy; }
  double across(double dx, double dy) const { return print_.axis_x * dy - print_.axis_y * dx; }

  // Distance from a rectangle about the origin; ≤ 0 inside.
  static double outside_box(double u, double v, double half_u, double half_v) {
    const double du = std::abs(u) - half_u, dv = std::abs(v) - half_v;
    if (du > 0 && dv > 0) return length(du, dv);
    return std::max(du, dv);
  }

  // Of the cell that holds a coordinate.
  double center_of_cell(double x) const { return (std::floor(x / cell_) + 0.5) * cell_; }
  bool is_same_cell(const PlanePoint& center, double x, double y) const {
    return std::max(std::abs(x - center.x), std::abs(y - center.y)) < cell_ / 2;
  }

  // Cells that hold a point lie inside: a corner is found again, and a hull without area leaves a print.
  double outside_hull(double x, double y) const {
    const double distance = hull_.distance(x, y) - print_.radius;
    if (distance <= 0 || distance > cell_) return distance;
    for (int i = 0; i < print_.point_count; ++i) {
      const PrintPoint& p = print_.points[i];
      if (is_same_cell({center_of_cell(p.x), center_of_cell(p.y)}, x, y)) return 0;
    }
    return distance;
  }

  // ρ: distance from the lowest point or line; 0 for the cells that hold it, of a line one in each
  // row or column.
  double off_lowest(double x, double y) const {
    if (print_.shape == PrintShape::ball) {
      return is_same_cell(lowest_, x, y) ? 0 : length(x - print_.x, y - print_.y);
    }
    const double v = std::abs(across(x - print_.x, y - print_.y));
    const double reach = cell_ / 2 * std::max(std::abs(print_.axis_x), std::abs(print_.axis_y));
    return v <= reach ? 0 : v;
  }

  double square_distance(int i, double x, double y) const {
    const double dx = x - print_.points[i].x, dy = y - print_.points[i].y;
    return dx * dx + dy * dy;
  }

  const Footprint& print_;
  double cell_;
  PlanePoint lowest_;  // centre of the cell that holds the print's centre
  Hull hull_;
  double depth_ = 0;   // the largest of the points' δ_p [m]
  double crater_ = 0;  // half width of a round sole's print at the surface [m]
};

// No part of a robot is as wide [m]: what is comes of a motion that runs away, and its cells would take for ever.
constexpr double kWidestPrint = 5;

bool is_usable(const Footprint& print) {
  if (print.point_count < 1 || print.point_count > Footprint::kMaxPoints) return false;
  if (std::min({print.half_length, print.half_width, print.radius}) < 0) return false;
  double sum = print.x + print.y + print.axis_x + print.axis_y + print.half_length +
               print.half_width + print.radius;
  for (int i = 0; i < print.point_count; ++i) {
    const PrintPoint& p = print.points[i];
    sum += p.x + p.y + p.sinkage + p.sinkage_max + p.shear_x + p.shear_y;
  }
  return std::isfinite(sum);
}

// Cells that may lie within `margin` of the outline. False: some are beyond the grid's extent, or they are too many.
bool find_box(const Footprint& print, const PrintOutline& plan, double margin, double cell,
              CellBox& box) {
  double x_min = print.x, x_max = print.x, y_min = print.y, y_max = print.y;
  if (print.shape == PrintShape::hull) {
    x_min = x_max = print.points[0].x;
    y_min = y_max = print.points[0].y;
    for (int i = 1; i < print.point_count; ++i) {
      x_min = std::min(x_min, print.points[i].x);
      x_max = std::max(x_max, print.points[i].x);
      y_min = std::min(y_min, print.points[i].y);
      y_max = std::max(y_max, print.points[i].y);
    }
  }
  const PlanePoint half = plan.half_box();
  x_min -= half.x + margin;
  x_max += half.x + margin;
  y_min -= half.y + margin;
  y_max += half.y + margin;
  if (!(std::min(x_min, y_min) >= -kRutExtent && std::max(x_max, y_max) <= kRutExtent)) {
    return false;
  }
  if (std::max(x_max - x_min, y_max - y_min) > kWidestPrint) return false;
  const auto index = [&](double x) { return static_cast<int>(std::floor(x / cell)); };
  box = {index(x_min), index(x_max), index(y_min), index(y_max)};
  return true;
}

// Calls visit(ix, iy, x, y, distance) for every cell of the box.
template <class Visit>
void visit_cells(const CellBox& box, const PrintOutline& plan, double cell, const Visit& visit) {
  for (int iy = box.y_first; iy <= box.y_last; ++iy) {
    const double y = (iy + 0.5) * cell;
    for (int ix = box.x_first; ix <= box.x_last; ++ix) {
      const double x = (ix + 0.5) * cell;
      visit(ix, iy, x, y, plan.distance(x, y));
    }
  }
}

// Raises heights that sum up to `sum` on the cells around the outline.
void raise_rim(const CellBox& box, const PrintOutline& plan, double width, double cell, double sum,
               CellCursor& cursor) {
  double weights = 0;
  visit_cells(box, plan, cell, [&](int, int, double, double, double distance) {
    if (distance > 0 && distance < width) weights += 1 - distance / width;
  });
  const double scale = sum / weights;  // a ring of two cells' width holds some centres
  visit_cells(box, plan, cell, [&](int ix, int iy, double, double, double distance) {
    if (distance > 0 && distance < width) {
      cursor.at(ix, iy).rim += scale * (1 - distance / width);
    }
  });
}

}  // namespace

double RutGrid::stamp(const Footprint& print) {
  if (!is_usable(print)) return 0;
  const double cell = options_.cell;
  const PrintOutline plan(print, cell);
  if (!(plan.depth() > 0)) return 0;
  const double width = std::min(std::max(2 * cell, plan.depth() / kReposeSlope), kRimWidthMax);
  CellBox inner, outer;
  if (!find_box(print, plan, cell, cell, inner)) return 0;
  if (!find_box(print, plan, cell + width, cell, outer)) return 0;

  double pressed = 0, swept = 0;  // sums of new sinkage, and of rims that stood under the print [m]
  CellCursor cursor(*this);
  visit_cells(inner, plan, cell, [&](int ix, int iy, double x, double y, double distance) {
    if (distance > 0) return;
    const PrintPoint& point = plan.nearest_point(x, y);
    const double height = plan.height(x, y), depth = point.sinkage - height;
    if (!(depth > 0)) return;
    RutCell& c = cursor.at(ix, iy);
    swept += c.rim;
    c.rim = 0;
    pressed += std::max(depth - c.sinkage, 0.0);
    c.sinkage = std::max(c.sinkage, depth);
    c.sinkage_max = std::max({c.sinkage_max, c.sinkage, point.sinkage_max - height});
    c.shear_x = point.shear_x;
    c.shear_y = point.shear_y;
  });
  const double raised = options_.rim_share * pressed + swept;
  if (raised > 0) raise_rim(outer, plan, width, cell, raised, cursor);
  return pressed * cell * cell;
}

}  // namespace footfall
