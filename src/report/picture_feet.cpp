#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/picture_ground.hpp"
#include "report/picture_parts.hpp"
#include "report/picture_shapes.hpp"

namespace footfall::picture {

namespace {

// A foot cut by the plane of the ground's normal and the direction nearest to x, at one moment.
// Lengths in metres from the ground's surface under the foot; second coordinate up.
struct Section {
  std::vector<Point> sole;   // outline of the foot's geom, convex
  Point shank{0, 1};         // direction in which the leg goes on
  Point middle;              // of the sole
  double half_width = 0.01;  // of the sole
  bool touching = false;
  double sinkage = 0, force = 0;  // of the run file
  double deepest = 0;             // sinkage until then
  Color soil = kSoil;             // colour of what is under it
};

// Frame of the section: origin on the ground, axis along it, normal out of it.
struct SectionFrame {
  Vec3d origin, axis, normal;
  Point operator()(const Vec3d& p) const {
    return {dot(p - origin, axis), dot(p - origin, normal)};
  }
};

SectionFrame frame_at(const World& world, const Vec3d& p) {
  const GroundPoint<double> ground = sample_ground(world.terrain, p.x, p.y);
  const Vec3d n = ground.normal, x{1, 0, 0};
  const Vec3d along = x - dot(x, n) * n;
  return {{p.x, p.y, ground.height}, (1 / norm(along)) * along, n};
}

Section cut_foot(const RunData& run, const World& world, const RobotData<double>& pose, int index,
                 int row) {
  const Foot& foot = world.soles.feet[index];
  const std::vector<Vec3d> points = surface_points(world.robot.geoms[foot.geom], pose);
  Vec3d mean{0, 0, 0};
  for (const Vec3d& p : points) mean += (1.0 / static_cast<double>(points.size())) * p;
  Section s;
  s.touching = run.foot_column(index, "touching").at(row) != 0;
  s.sinkage = run.foot_column(index, "sinkage").at(row);
  s.force = run.foot_column(index, "normal_force").at(row);
  for (int r = 0; r <= row; ++r) {
    s.deepest = std::fmax(s.deepest, run.foot_column(index, "sinkage").at(r));
  }
  const SectionFrame frame =
      frame_at(world, s.touching ? foot_vector(run, index, "center", row) : mean);
  s.soil = soil_color(world, soil_at(world.terrain, frame.origin.x, frame.origin.y));
  for (const Vec3d& p : points) s.sole.push_back(frame(p));
  s.sole = convex_hull(std::move(s.sole));
  s.middle = frame(mean);
  double left = 1e300, right = -1e300;
  for (const Point& p : s.sole) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
  }
  s.half_width = std::max(0.5 * (right - left), 1e-4);
  const Body& body = world.robot.bodies[foot.body];
  Point next = frame(pose.p_WB[foot.body]);
  if (std::hypot(next.x - s.middle.x, next.y - s.middle.y) < s.half_width) {
    next = frame(pose.p_WB[body.parent]);
  }
  const double length = std::hypot(next.x - s.middle.x, next.y - s.middle.y);
  if (body.parent != 0 && length > s.half_width) {
    s.shank = {(next.x - s.middle.x) / length, (next.y - s.middle.y) / length};
  } else if (body.parent == 0) {
    s.shank = {0, 0};  // a foot alone
  }
  return s;
}

// Where the sole's lower side is at x; above the ground where there is no sole.
double lower_side(const std::vector<Point>& outline, double x) {
  double lowest = 1e300;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point &a = outline[i], &b = outline[(i + 1) % outline.size()];
    if ((x < a.x) == (x < b.x)) continue;
    lowest = std::min(lowest, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x));
  }
  return lowest;
}

// Grains, the same in every picture.
void draw_grains(const Box& box, double top, const Color& soil, Svg& svg) {
  const std::string fill = hex(mix(soil, {0.30, 0.22, 0.10}, 0.6));
  unsigned seed = 12345;
  const auto random = [&] {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<double>(seed >> 8U) / (1 << 24);
  };
  for (int i = 0; i < 110; ++i) {
    const Point p{box.x + random() * box.width, top + random() * (box.y + box.height - top)};
    svg.circle(p, 0.6 + 0.9 * random(), {.fill = fill, .opacity = 0.3});
  }
}

void draw_sole(const Section& s, const World& world, int index, double scale, const Point& origin,
               double lift, Svg& svg) {
  const Color color = foot_color(index);
  const Color light = mix(color, {1, 1, 1}, 0.25);
  const std::string edge = hex(mix(color, {0, 0, 0}, 0.35));
  const auto place = [&](const Point& p) {
    return Point{origin.x + scale * p.x, origin.y - scale * (p.y - lift)};
  };
  const double far = 20 * s.half_width;
  svg.line(place(s.middle), place({s.middle.x + far * s.shank.x, s.middle.y + far * s.shank.y}),
           {.stroke = hex(mix(color, {1, 1, 1}, 0.62)), .width = 0.8 * s.half_width * scale});
  const Geom& geom = world.robot.geoms[world.soles.feet[index].geom];
  if (geom.type == GeomType::sphere) {
    svg.circle(place(s.middle), geom.size.x * scale,
               {.fill = svg.ball_fill(light), .stroke = edge, .width = 1.2});
    return;
  }
  std::vector<Point> outline;
  outline.reserve(s.sole.size());
  for (const Point& p : s.sole) outline.push_back(place(p));
  svg.polygon(outline, {.fill = hex(light), .stroke = edge, .width = 1.2});
}

// The ground line, pressed down by the sole, and the soil below it.
void draw_soil(const Section& s, const Box& box, double scale, const Point& origin, Svg& svg) {
  std::vector<Point> top;
  double deepest = origin.y;
  for (int i = 0; i <= 200; ++i) {
    const double x = box.x + box.width * i / 200;
    const double side = lower_side(s.sole, (x - origin.x) / scale);
    top.push_back({x, origin.y - scale * (s.touching ? std::min(side, 0.0) : 0.0)});
    deepest = std::max(deepest, top.back().y);
  }
  std::vector<Point> soil = top;
  soil.push_back({box.x + box.width, box.y + box.height});
  soil.push_back({box.x, box.y + box.height});
  svg.polygon(soil, {.fill = hex(s.soil)});
  draw_grains(box, deepest + 3, s.soil, svg);
  svg.polyline(top, {.stroke = hex(mix(s.soil, {0.30, 0.22, 0.10}, 0.6)), .width = 1.8});
}

void draw_section(const Section& s, const World& world, int index, double scale, const Box& box,
                  Svg& svg) {
  const Point origin{box.x + 0.5 * box.width - scale * s.middle.x, box.y + 0.62 * box.height};
  double lowest = 1e300;
  for (const Point& p : s.sole) lowest = std::min(lowest, p.y);
  const double lift =
      std::max(lowest - 0.4 * s.half_width, 0.0);  // a foot in the air stays in view
  const std::string clip = fmt::format("foot{}", index);
  svg.clip_rectangle(clip, {box.x, box.y}, box.width, box.height, 8);
  svg.begin_group(1, clip);
  svg.rectangle({box.x, box.y}, box.width, box.height, 0, {.fill = "#f2f6f8"});
  draw_soil(s, box, scale, origin, svg);
  draw_sole(s, world, index, scale, origin, lift, svg);
  const double left = box.x + 8, right = box.x + box.width - 8;
  svg.line({left, origin.y}, {right, origin.y}, {.stroke = "#6b5631", .width = 1, .dash = "5 4"});
  const double low = origin.y + scale * s.deepest;
  if (low < box.y + box.height - 2 && s.deepest > 0) {
    svg.line({left, low}, {right, low},
             {.stroke = hex(foot_color(index)), .width = 1.3, .dash = "1.5 3.5"});
  }
  svg.end_group();
  svg.rectangle({box.x, box.y}, box.width, box.height, 8, {.stroke = kRule, .width = 1});
}

void draw_numbers(const Section& s, const std::string& name, int index, const Box& box, Svg& svg) {
  const Color color = foot_color(index);
  svg.circle({box.x + 5, box.y + 9}, 5, {.fill = hex(color)});
  svg.text({box.x + 16, box.y + 13}, name, {.size = 12, .color = kSoftInk});
  const double base = box.y + box.height;
  const std::string now =
      s.touching ? fmt::format("{} mm, {} N", short_number(1000 * s.sinkage), short_number(s.force))
                 : std::string("in the air");
  svg.text({box.x, base - 22}, now, {.size = 13, .color = kInk});
  svg.line({box.x, base - 10}, {box.x + 18, base - 10},
           {.stroke = hex(color), .width = 1.4, .dash = "1.5 3.5"});
  svg.text({box.x + 24, base - 6}, fmt::format("deepest {} mm", short_number(1000 * s.deepest)),
           {.size = 11.5, .color = kSoftInk});
}

}  // namespace

void draw_feet(const RunData& run, const World& world, const Moments& moments, const Box& box,
               Svg& svg) {
  const int shown = std::min(static_cast<int>(world.soles.feet.size()), 5);
  if (shown == 0) return;
  const RobotData<double> pose = pose_at(run, world.robot, moments.last);
  std::vector<Section> sections;
  double widest = 0, deepest = 0;
  for (int f = 0; f < shown; ++f) {
    sections.push_back(cut_foot(run, world, pose, f, moments.last));
    widest = std::max(widest, sections.back().half_width);
    deepest = std::max(deepest, sections.back().deepest);
  }
  svg.text({box.x, box.y},
           fmt::format("Under the feet at {} s", short_number(run.column("time").at(moments.last))),
           {.size = 13, .color = kInk, .bold = true});
  constexpr double gap = 18, title = 14;
  const double width = std::min(220.0, (box.width - gap * (shown - 1)) / shown);
  const double height = box.height - title;
  const double scale =
      std::min(0.5 * width / (2.3 * widest), 0.32 * (height - 62) / std::max(deepest, 1e-9));
  for (int f = 0; f < shown; ++f) {
    const Box cell{box.x + f * (width + gap), box.y + title, width, height};
    draw_section(sections[f], world, f, scale, {cell.x, cell.y + 22, cell.width, height - 62}, svg);
    draw_numbers(sections[f], run.list("foot_names")[f], f, cell, svg);
  }
}

}  // namespace footfall::picture
