#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/picture_parts.hpp"
#include "report/picture_shapes.hpp"

namespace footfall::picture {

namespace {

constexpr double kLongestArrow = 78;  // pixels

// The part of the ground that is drawn, and how thick.
struct Slab {
  double x_min = 0, x_max = 0, y_min = 0, y_max = 0;  // [m]
  double bottom = 0;                                  // z [m]
  double grid = 0.1;                                  // between lines [m]
};

struct Pose {
  int row = 0;
  RobotData<double> data;
  std::string label;
};

struct Bounds {
  Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void add(const Vec3d& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
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

double height_at(const World& world, double x, double y) {
  return sample_ground(world.terrain, x, y).height;
}

Slab make_slab(const World& world, const Bounds& robot) {
  const double size = std::max(
      {robot.high.x - robot.low.x, robot.high.y - robot.low.y, 0.7 * (robot.high.z - robot.low.z)});
  Slab slab;
  const double raw = size / 7, power = std::pow(10, std::floor(std::log10(raw)));
  slab.grid = raw < 2 * power ? power : raw < 5 * power ? 2 * power : 5 * power;
  const auto below = [&](double v) {
    return std::floor((v - 0.12 * size) / slab.grid) * slab.grid;
  };
  const auto above = [&](double v) { return std::ceil((v + 0.12 * size) / slab.grid) * slab.grid; };
  slab.x_min = below(robot.low.x);
  slab.x_max = above(robot.high.x);
  slab.y_min = below(robot.low.y);
  slab.y_max = above(robot.high.y);
  double lowest = 1e300;
  for (int i = 0; i <= 20; ++i) {
    for (int k = 0; k <= 20; ++k) {
      lowest = std::min(lowest, height_at(world, slab.x_min + (slab.x_max - slab.x_min) * i / 20,
                                          slab.y_min + (slab.y_max - slab.y_min) * k / 20));
    }
  }
  slab.bottom = lowest - 0.11 * size;
  return slab;
}

// Ground along a line between two places, seen by the camera.
std::vector<Point> profile(const World& world, const Camera& camera, double x0, double y0,
                           double x1, double y1) {
  std::vector<Point> out;
  const int parts = world.terrain.is_plane ? 1 : 80;
  for (int i = 0; i <= parts; ++i) {
    const double s = static_cast<double>(i) / parts;
    const double x = x0 + s * (x1 - x0), y = y0 + s * (y1 - y0);
    out.push_back(camera.project({x, y, height_at(world, x, y)}));
  }
  return out;
}

void draw_wall(const World& world, const Slab& slab, const Camera& camera, double x0, double y0,
               double x1, double y1, const Color& color, Svg& svg) {
  std::vector<Point> wall = profile(world, camera, x0, y0, x1, y1);
  wall.push_back(camera.project({x1, y1, slab.bottom}));
  wall.push_back(camera.project({x0, y0, slab.bottom}));
  svg.polygon(wall, {.fill = hex(color), .stroke = hex(mix(color, {0, 0, 0}, 0.15)), .width = 0.8});
}

void draw_top(const World& world, const Slab& slab, const Camera& camera, Svg& svg) {
  const auto corner = [&](double x, double y) {
    return camera.project({x, y, height_at(world, x, y)});
  };
  if (world.terrain.is_plane) {
    svg.polygon({corner(slab.x_min, slab.y_min), corner(slab.x_max, slab.y_min),
                 corner(slab.x_max, slab.y_max), corner(slab.x_min, slab.y_max)},
                {.fill = hex(kSoil)});
    return;
  }
  constexpr int nx = 72, ny = 40;
  for (int j = ny - 1; j >= 0; --j) {  // the far side first
    for (int i = 0; i < nx; ++i) {
      const auto x = [&](int k) { return slab.x_min + (slab.x_max - slab.x_min) * k / nx; };
      const auto y = [&](int k) { return slab.y_min + (slab.y_max - slab.y_min) * k / ny; };
      const Vec3d n =
          sample_ground(world.terrain, 0.5 * (x(i) + x(i + 1)), 0.5 * (y(j) + y(j + 1))).normal;
      const double light = std::clamp(dot(n, Vec3d{-0.45, -0.25, 0.86}), 0.0, 1.0);
      const std::string fill =
          hex(mix(mix(kSoil, {0.35, 0.28, 0.2}, 0.65), kSoil, (light - 0.4) / 0.46));
      svg.polygon({corner(x(i), y(j)), corner(x(i + 1), y(j)), corner(x(i + 1), y(j + 1)),
                   corner(x(i), y(j + 1))},
                  {.fill = fill, .stroke = fill, .width = 0.6});
    }
  }
}

void draw_ground(const World& world, const Slab& slab, const Camera& camera, Svg& svg) {
  draw_wall(world, slab, camera, slab.x_max, slab.y_min, slab.x_max, slab.y_max,
            mix(kSoil, {0.45, 0.36, 0.25}, 0.5), svg);
  draw_top(world, slab, camera, svg);
  draw_wall(world, slab, camera, slab.x_min, slab.y_min, slab.x_max, slab.y_min,
            mix(kSoil, {0.5, 0.4, 0.28}, 0.3), svg);
  const Paint thin{.stroke = hex(mix(kSoil, {0.4, 0.3, 0.15}, 0.22)), .width = 0.7};
  for (double x = slab.x_min + slab.grid; x < slab.x_max - 0.5 * slab.grid; x += slab.grid) {
    svg.polyline(profile(world, camera, x, slab.y_min, x, slab.y_max), thin);
  }
  for (double y = slab.y_min + slab.grid; y < slab.y_max - 0.5 * slab.grid; y += slab.grid) {
    svg.polyline(profile(world, camera, slab.x_min, y, slab.x_max, y), thin);
  }
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
    for (const auto& [factor, share] : {std::pair{1.7, 0.25}, std::pair{1.25, 0.55}}) {
      std::vector<Point> ring;
      for (int i = 0; i < 32; ++i) {
        const double angle = std::numbers::pi * i / 16, r = factor * radius + 0.004;
        ring.push_back(camera.project(center + r * std::cos(angle) * a + r * std::sin(angle) * b));
      }
      svg.polygon(ring, {.fill = hex(mix(kSoil, {0.35, 0.26, 0.14}, share))});
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

}  // namespace

void draw_scene(const RunData& run, const World& world, const Moments& moments, const Box& box,
                Svg& svg) {
  const RunColumn& time = run.column("time");
  const auto label = [&](int row, const char* what) {
    return fmt::format("{} s{}", short_number(time.at(row)), what);
  };
  std::vector<Pose> poses;
  for (const int row : {moments.first, moments.impact, moments.last}) {
    if (!poses.empty() && row <= poses.back().row) continue;
    const char* what = row == moments.last    ? ", end"
                       : row == moments.first ? ", start"
                                              : ", hardest impact";
    poses.push_back({row, pose_at(run, world.robot, row), label(row, what)});
  }
  const Bounds bounds = bounds_of(world.robot, poses);
  const Slab slab = make_slab(world, bounds);
  Camera camera = make_camera();
  fit(slab, bounds, world, {box.x, box.y, box.width, box.height - 22}, camera);
  draw_ground(world, slab, camera, svg);
  draw_shadow(world, poses.back(), camera, svg);
  draw_dents(run, world, moments.last, camera, svg);
  for (std::size_t i = 0; i + 1 < poses.size(); ++i) {
    svg.begin_group(0.16 + 0.06 * static_cast<double>(i));
    draw_robot(world.robot, poses[i].data, camera, svg);
    svg.end_group();
  }
  draw_robot(world.robot, poses.back().data, camera, svg);
  const double largest = draw_forces(run, moments.last, camera, svg);
  draw_labels(poses, world, camera, box, svg);
  std::string note = fmt::format("grid {} m", short_number(slab.grid));
  if (largest > 0)
    note += fmt::format("  ·  arrows: force of the ground, longest {} N", short_number(largest));
  svg.text({box.x + box.width, box.y + box.height}, note,
           {.size = 11.5, .color = kSoftInk, .anchor = Anchor::end});
}

}  // namespace footfall::picture
