#include "report/picture_ground.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/soil_color.hpp"

namespace footfall::picture {

namespace {

constexpr double kLongMargin = 0.1;                 // beside a long way [m]
constexpr int kStrips = 48, kPieces = 240;          // in which borders of soils are looked for
constexpr int kCellsAlong = 72, kCellsAcross = 40;  // of a heightfield

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

// A part of a line along x on one soil.
struct Stretch {
  double from = 0, to = 0;  // [m]
  int soil = 0;
};

std::vector<Stretch> find_stretches(const World& world, const Slab& slab, double y) {
  const double piece = (slab.x_max - slab.x_min) / kPieces;
  std::vector<Stretch> out;
  for (int i = 0; i < kPieces; ++i) {
    const double x = slab.x_min + i * piece;
    const int soil = soil_at(world.terrain, x + 0.5 * piece, y);
    if (out.empty() || out.back().soil != soil) out.push_back({x, x, soil});
    out.back().to = x + piece;
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

void draw_plane(const World& world, const Slab& slab, const Camera& camera, Svg& svg) {
  const auto corner = [&](double x, double y) {
    return camera.project({x, y, height_at(world, x, y)});
  };
  const bool several = !world.terrain.regions.empty();
  const int strips = several ? kStrips : 1;
  const double width = (slab.y_max - slab.y_min) / strips;
  for (int j = strips - 1; j >= 0; --j) {  // the far side first
    const double y0 = slab.y_min + j * width, y1 = y0 + width;
    for (const Stretch& s : find_stretches(world, slab, 0.5 * (y0 + y1))) {
      const std::string fill = hex(soil_color(world, s.soil));
      svg.polygon({corner(s.from, y0), corner(s.to, y0), corner(s.to, y1), corner(s.from, y1)},
                  {.fill = fill, .stroke = several ? fill : "", .width = 0.6});
    }
  }
}

void draw_field(const World& world, const Slab& slab, const Camera& camera, Svg& svg) {
  const auto corner = [&](double x, double y) {
    return camera.project({x, y, height_at(world, x, y)});
  };
  constexpr int nx = kCellsAlong, ny = kCellsAcross;
  for (int j = ny - 1; j >= 0; --j) {  // the far side first
    for (int i = 0; i < nx; ++i) {
      const auto x = [&](int k) { return slab.x_min + (slab.x_max - slab.x_min) * k / nx; };
      const auto y = [&](int k) { return slab.y_min + (slab.y_max - slab.y_min) * k / ny; };
      const double mx = 0.5 * (x(i) + x(i + 1)), my = 0.5 * (y(j) + y(j + 1));
      const Vec3d n = sample_ground(world.terrain, mx, my).normal;
      const double light = std::clamp(dot(n, Vec3d{-0.45, -0.25, 0.86}), 0.0, 1.0);
      const Color color = soil_color(world, soil_at(world.terrain, mx, my));
      const std::string fill =
          hex(mix(mix(color, {0.35, 0.28, 0.2}, 0.65), color, (light - 0.4) / 0.46));
      svg.polygon({corner(x(i), y(j)), corner(x(i + 1), y(j)), corner(x(i + 1), y(j + 1)),
                   corner(x(i), y(j + 1))},
                  {.fill = fill, .stroke = fill, .width = 0.6});
    }
  }
}

bool yields(const World& world, int soil) { return keeps_prints(world.ground, soil); }

void draw_ring(const World& world, const Footmark& mark, double radius, const Camera& camera,
               const Paint& paint, Svg& svg) {
  const Vec3d& n = mark.normal;
  const Vec3d a = cross(n, Vec3d{0, 1, 0}), b = cross(n, a);
  const Vec3d center{mark.center.x, mark.center.y, height_at(world, mark.center.x, mark.center.y)};
  std::vector<Point> ring;
  for (int i = 0; i < 24; ++i) {
    const double angle = std::numbers::pi * i / 12;
    ring.push_back(
        camera.project(center + radius * std::cos(angle) * a + radius * std::sin(angle) * b));
  }
  svg.polygon(ring, paint);
}

}  // namespace

double height_at(const World& world, double x, double y) {
  return sample_ground(world.terrain, x, y).height;
}

Slab make_slab(const World& world, const Bounds& robot, bool long_way) {
  const double size = std::max(
      {robot.high.x - robot.low.x, robot.high.y - robot.low.y, 0.7 * (robot.high.z - robot.low.z)});
  Slab slab;
  const double raw = size / 7, power = std::pow(10, std::floor(std::log10(raw)));
  slab.grid = raw < 2 * power ? power : raw < 5 * power ? 2 * power : 5 * power;
  // Margins of a long way do not grow with it.
  const double margin = long_way ? kLongMargin : 0.12 * size;
  const double edge = long_way ? kLongMargin : slab.grid;
  const auto below = [&](double v) { return std::floor((v - margin) / edge) * edge; };
  const auto above = [&](double v) { return std::ceil((v + margin) / edge) * edge; };
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
  slab.bottom = lowest - (long_way ? 0.04 : 0.11) * size;
  return slab;
}

void draw_ground(const World& world, const Slab& slab, const Camera& camera, Svg& svg) {
  const int right = soil_at(world.terrain, slab.x_max, 0.5 * (slab.y_min + slab.y_max));
  draw_wall(world, slab, camera, slab.x_max, slab.y_min, slab.x_max, slab.y_max,
            mix(soil_color(world, right), {0.45, 0.36, 0.25}, 0.5), svg);
  if (world.terrain.is_plane) {
    draw_plane(world, slab, camera, svg);
  } else {
    draw_field(world, slab, camera, svg);
  }
  for (const Stretch& s : find_stretches(world, slab, slab.y_min)) {
    draw_wall(world, slab, camera, s.from, slab.y_min, s.to, slab.y_min,
              mix(soil_color(world, s.soil), {0.5, 0.4, 0.28}, 0.3), svg);
  }
  const Paint thin{.stroke = hex(mix(soil_color(world, 0), {0.4, 0.3, 0.15}, 0.22)), .width = 0.7};
  const auto after = [&](double v) { return (std::floor(v / slab.grid + 1e-6) + 1) * slab.grid; };
  for (double x = after(slab.x_min); x < slab.x_max - 1e-6; x += slab.grid) {
    svg.polyline(profile(world, camera, x, slab.y_min, x, slab.y_max), thin);
  }
  for (double y = after(slab.y_min); y < slab.y_max - 1e-6; y += slab.grid) {
    svg.polyline(profile(world, camera, slab.x_min, y, slab.x_max, y), thin);
  }
}

Color soil_color(const World& world, int soil) {
  const std::vector<std::string> names = soil_names(world.ground);
  if (names.empty() || soft_constraints(world.ground)) return kSoil;
  return soil_kind_color(names[static_cast<std::size_t>(soil)], yields(world, soil),
                         soil_stiffness(world.ground, soil), soil);
}

void draw_soil_names(const World& world, const Point& at, Svg& svg) {
  const std::vector<std::string> names = soil_names(world.ground);
  if (names.size() < 2) return;
  double x = at.x;
  for (std::size_t i = 0; i < names.size(); ++i) {
    svg.rectangle({x, at.y - 10}, 12, 12, 2,
                  {.fill = hex(soil_color(world, static_cast<int>(i))), .stroke = "#8a97a1"});
    svg.text({x + 18, at.y}, names[i], {.size = 12.5, .color = kSoftInk});
    x += 36 + 7.2 * static_cast<double>(names[i].size());
  }
}

std::vector<Footmark> find_footmarks(const RunData& run, const World& world, int last_row) {
  std::vector<Footmark> marks;
  for (int f = 0; f < static_cast<int>(world.soles.feet.size()); ++f) {
    const RunColumn& touching = run.foot_column(f, "touching");
    const RunColumn& sinkage = run.foot_column(f, "sinkage");
    const RunColumn& area = run.foot_column(f, "contact_area");
    int deepest = -1;
    for (int row = 0; row <= last_row + 1; ++row) {
      if (row <= last_row && touching.at(row) != 0) {
        if (deepest < 0 || sinkage.at(row) > sinkage.at(deepest)) deepest = row;
        continue;
      }
      if (deepest >= 0) {
        Footmark mark{f, foot_vector(run, f, "center", deepest),
                      foot_vector(run, f, "normal", deepest)};
        mark.radius = std::sqrt(std::max(area.at(deepest), 0.0) / std::numbers::pi);
        const double round = world.soles.feet[f].radius;  // a ball's area grows beyond its plan
        if (round > 0) mark.radius = std::min(mark.radius, round);
        mark.stays = yields(world, soil_at(world.terrain, mark.center.x, mark.center.y));
        marks.push_back(mark);
      }
      deepest = -1;
    }
  }
  return marks;
}

void draw_footmarks(const World& world, const std::vector<Footmark>& marks, const Camera& camera,
                    Svg& svg) {
  for (const Footmark& mark : marks) {
    if (!mark.stays) {
      draw_ring(world, mark, 0.012, camera,
                {.stroke = hex(series_color(mark.foot)), .width = 1.1, .opacity = 0.7}, svg);
      continue;
    }
    const Color soil = soil_color(world, soil_at(world.terrain, mark.center.x, mark.center.y));
    const Color dark{0.35, 0.26, 0.14};
    draw_ring(world, mark, 1.5 * mark.radius + 0.004, camera, {.fill = hex(mix(soil, dark, 0.28))},
              svg);
    draw_ring(world, mark, mark.radius + 0.002, camera, {.fill = hex(mix(soil, dark, 0.75))}, svg);
  }
}

}  // namespace footfall::picture
