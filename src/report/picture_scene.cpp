#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/picture_ground.hpp"
#include "report/picture_parts.hpp"
#include "report/picture_shapes.hpp"

namespace footfall::picture {

namespace {

constexpr double kLongestArrow = 78;  // pixels
constexpr double kFar = 1.5;          // robot's sizes, from where on its way is drawn
constexpr int kMostStops = 4;         // equal parts of that way, with a pose at the end of each

struct Pose {
  int row = 0;
  RobotData<double> data;
  std::string label;
};

Bounds bounds_of(const RobotModel& robot, const std::vector<Pose>& poses) {
  Bounds out;
  for (const Pose& pose : poses) {
    for (const Geom& geom : robot.geoms) {
      for (const Vec3d& p : surface_points(geom, pose.data)) out.add(p);
    }
  }
  return out;
}

// What the light from straight above leaves dark.
void draw_shadow(const World& world, const Pose& pose, const Camera& camera, Svg& svg) {
  svg.begin_group(0.17);
  for (const Geom& geom : world.robot.geoms) {
    std::vector<Point> points;
    for (const Vec3d& p : surface_points(geom, pose.data)) {
      points.push_back(camera.project({p.x, p.y, height_at(world, p.x, p.y)}));
    }
    svg.polygon(convex_hull(std::move(points)),
                {.fill = "#3a2e1c", .stroke = "#3a2e1c", .width = 3});
  }
  svg.end_group();
}

// A dent around the place where a foot touches.
void draw_dents(const RunData& run, const World& world, int row, const Camera& camera, Svg& svg) {
  for (int f = 0; f < static_cast<int>(world.soles.feet.size()); ++f) {
    if (run.foot_column(f, "touching").at(row) == 0) continue;
    const Vec3d center = foot_vector(run, f, "center", row);
    const Vec3d n = foot_vector(run, f, "normal", row);
    const double area = run.foot_column(f, "contact_area").at(row);
    const double radius = std::sqrt(std::max(area, 0.0) / std::numbers::pi);
    const Vec3d a = cross(n, Vec3d{0, 1, 0}), b = cross(n, a);
    const Color soil = soil_color(world, soil_at(world.terrain, center.x, center.y));
    for (const auto& [factor, share] : {std::pair{1.7, 0.25}, std::pair{1.25, 0.55}}) {
      std::vector<Point> ring;
      for (int i = 0; i < 32; ++i) {
        const double angle = std::numbers::pi * i / 16, r = factor * radius + 0.004;
        ring.push_back(camera.project(center + r * std::cos(angle) * a + r * std::sin(angle) * b));
      }
      svg.polygon(ring, {.fill = hex(mix(soil, {0.35, 0.26, 0.14}, share))});
    }
  }
}

void draw_arrow(const Point& from, const Point& to, const Color& color, Svg& svg) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (length < 4) return;
  const Point u{dx / length, dy / length};
  const double head = std::min(11.0, 0.6 * length);
  const Point neck{to.x - head * u.x, to.y - head * u.y};
  const std::vector<Point> tip = {to,
                                  {neck.x - 0.42 * head * u.y, neck.y + 0.42 * head * u.x},
                                  {neck.x + 0.42 * head * u.y, neck.y - 0.42 * head * u.x}};
  svg.line(from, neck, {.stroke = "#ffffff", .width = 6, .opacity = 0.85}, true);
  svg.polygon(tip, {.fill = "#ffffff", .stroke = "#ffffff", .width = 3});
  svg.line(from, neck, {.stroke = hex(color), .width = 3}, true);
  svg.polygon(tip, {.fill = hex(color)});
}

// Forces of the ground on the feet; the longest arrow is the largest of them.
double draw_forces(const RunData& run, int row, const Camera& camera, Svg& svg) {
  const int feet = static_cast<int>(run.list("foot_names").size());
  double largest = 0;
  for (int f = 0; f < feet; ++f) {
    largest = std::max(largest, norm(foot_vector(run, f, "force", row)));
  }
  if (!(largest > 0)) return 0;
  for (int f = 0; f < feet; ++f) {
    const Vec3d start = foot_vector(run, f, "center", row);
    const Vec3d arrow =
        (kLongestArrow / (camera.scale * largest)) * foot_vector(run, f, "force", row);
    draw_arrow(camera.project(start), camera.project(start + arrow), foot_color(f), svg);
  }
  return largest;
}

// Scale and place of the image, so that the slab and all poses fill the box.
void fit(const Slab& slab, const Bounds& robot, const World& world, const Box& box,
         Camera& camera) {
  double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
  const auto add = [&](const Vec3d& p) {
    const Point q = camera.project(p);
    x0 = std::min(x0, q.x);
    x1 = std::max(x1, q.x);
    y0 = std::min(y0, q.y);
    y1 = std::max(y1, q.y);
  };
  for (const double x : {slab.x_min, slab.x_max}) {
    for (const double y : {slab.y_min, slab.y_max}) {
      add({x, y, slab.bottom});
      add({x, y, height_at(world, x, y)});
    }
  }
  for (const double x : {robot.low.x, robot.high.x}) {
    for (const double y : {robot.low.y, robot.high.y}) add({x, y, robot.high.z});
  }
  camera.scale = std::min(box.width / (x1 - x0), box.height / (y1 - y0));
  camera.origin = {box.x + 0.5 * (box.width - camera.scale * (x0 + x1)),
                   box.y + 0.5 * (box.height - camera.scale * (y0 + y1))};
}

// Times of the poses, at the left, each with a line to its robot's base.
void draw_labels(const std::vector<Pose>& poses, const World& world, const Camera& camera,
                 const Box& box, Svg& svg) {
  struct Label {
    Point base;
    double y;
    std::string text;
  };
  std::vector<Label> labels;
  const int base = std::min(1, world.robot.body_count() - 1);
  for (const Pose& pose : poses) {
    const Point p = camera.project(pose.data.p_WB[base]);
    labels.push_back({p, p.y, pose.label});
  }
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.y < b.y; });
  for (std::size_t i = 1; i < labels.size(); ++i) {
    labels[i].y = std::max(labels[i].y, labels[i - 1].y + 19);
  }
  for (const Label& label : labels) {
    const double end = box.x + 7.0 * static_cast<double>(label.text.size()) + 4;
    svg.polyline({{end, label.y - 4}, {end + 16, label.y - 4}, label.base},
                 {.stroke = "#8a97a1", .width = 0.9, .dash = "2 3"});
    svg.circle(label.base, 2.4, {.fill = "#ffffff", .stroke = "#5b6873", .width = 1});
    svg.text({box.x, label.y}, label.text, {.size = 12.5, .color = kSoftInk});
  }
}

// The same beside each robot, where they stand far from each other.
void draw_labels_above(const std::vector<Pose>& poses, const World& world, const Camera& camera,
                       Svg& svg) {
  for (const Pose& pose : poses) {
    Point top{0, 1e300};
    for (const Geom& geom : world.robot.geoms) {
      for (const Vec3d& p : surface_points(geom, pose.data)) {
        const Point q = camera.project(p);
        if (q.y < top.y) top = q;
      }
    }
    const int base = std::min(1, world.robot.body_count() - 1);
    svg.text({camera.project(pose.data.p_WB[base]).x, top.y - 12}, pose.label,
             {.size = 12.5, .color = kSoftInk, .anchor = Anchor::middle});
  }
}

// The way of the base in plan up to each row [m].
std::vector<double> plan_way(const RunData& run, int last_row) {
  const RunColumn& qpos = run.column("state/qpos");
  std::vector<double> way(static_cast<std::size_t>(last_row) + 1, 0.0);
  for (int row = 1; row <= last_row; ++row) {
    way[row] = way[row - 1] + std::hypot(qpos.at(row, 0) - qpos.at(row - 1, 0),
                                         qpos.at(row, 1) - qpos.at(row - 1, 1));
  }
  return way;
}

// How far a robot with a free base got from where it began, over its own size: above kFar it travels.
double travelled(const RunData& run, const World& world, const Moments& moments) {
  if (world.robot.joints.empty() || world.robot.joints[0].type != JointType::free) return 0;
  const RunColumn& qpos = run.column("state/qpos");
  const Bounds start = bounds_of(
      world.robot, {{moments.first, pose_at(run, world.robot, moments.first), std::string()}});
  const double size = std::max({start.high.x - start.low.x, start.high.y - start.low.y, 1e-3});
  return std::hypot(qpos.at(moments.last, 0) - qpos.at(moments.first, 0),
                    qpos.at(moments.last, 1) - qpos.at(moments.first, 1)) /
         size;
}

// Rows that are drawn: start, hardest impact and end; of a robot that travels, equal parts of its way.
std::vector<Pose> choose_poses(const RunData& run, const World& world, const Moments& moments,
                               double way_in_sizes) {
  const bool travels = way_in_sizes > kFar;
  const int stops = std::clamp(static_cast<int>(way_in_sizes), 1, kMostStops);
  const RunColumn& time = run.column("time");
  std::vector<int> rows = {moments.first, moments.impact, moments.last};
  if (travels) {
    const std::vector<double> way = plan_way(run, moments.last);
    for (int k = 1; k < stops; ++k) {
      const auto at = std::lower_bound(way.begin(), way.end(), way.back() * k / stops);
      rows.insert(rows.end() - 1, static_cast<int>(at - way.begin()));
    }
    rows.erase(rows.begin() + 1);  // the impact
  }
  std::vector<Pose> poses;
  for (const int row : rows) {
    if (!poses.empty() && row <= poses.back().row) continue;
    const char* what = row == moments.last    ? ", end"
                       : row == moments.first ? ", start"
                       : travels              ? ""
                                              : ", hardest impact";
    poses.push_back({row, pose_at(run, world.robot, row),
                     fmt::format("{} s{}", short_number(time.at(row)), what)});
  }
  return poses;
}

}  // namespace

void draw_scene(const RunData& run, const World& world, const Moments& moments, const Box& box,
                Svg& svg) {
  const double way = travelled(run, world, moments);
  const bool travels = way > kFar;
  const std::vector<Pose> poses = choose_poses(run, world, moments, way);
  const Bounds bounds = bounds_of(world.robot, poses);
  const Slab slab = make_slab(world, bounds, travels);
  Camera camera = travels ? make_camera(0.22, 0.5) : make_camera();
  fit(slab, bounds, world, {box.x, box.y, box.width, box.height - 22}, camera);
  draw_ground(world, slab, camera, svg);
  if (travels) draw_footmarks(world, find_footmarks(run, world, moments.last), camera, svg);
  draw_shadow(world, poses.back(), camera, svg);
  if (!travels) draw_dents(run, world, moments.last, camera, svg);
  for (std::size_t i = 0; i + 1 < poses.size(); ++i) {
    svg.begin_group(travels ? 0.45 : 0.16 + 0.06 * static_cast<double>(i));
    draw_robot(world.robot, poses[i].data, camera, svg);
    svg.end_group();
  }
  draw_robot(world.robot, poses.back().data, camera, svg);
  const double largest = draw_forces(run, moments.last, camera, svg);
  if (travels) {
    draw_labels_above(poses, world, camera, svg);
  } else {
    draw_labels(poses, world, camera, box, svg);
  }
  draw_soil_names(world, {box.x, box.y + box.height}, svg);
  std::string note = fmt::format("grid {} m", short_number(slab.grid));
  if (largest > 0)
    note += fmt::format("  ·  arrows: force of the ground, longest {} N", short_number(largest));
  svg.text({box.x + box.width, box.y + box.height}, note,
           {.size = 11.5, .color = kSoftInk, .anchor = Anchor::end});
}

}  // namespace footfall::picture
