// Footprints for tests of ruts.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "footfall/terrain/ruts.hpp"

namespace footfall::test {

inline constexpr double kPi = std::numbers::pi;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

 private:
  std::mt19937_64 engine_;
};

inline Footprint print_at(PrintShape shape, double x, double y, double depth) {
  Footprint print;
  print.shape = shape;
  print.x = x;
  print.y = y;
  print.point_count = 1;
  print.points[0] = {x, y, depth, depth, 0, 0};
  return print;
}
inline Footprint disc(double x, double y, double radius, double depth) {
  Footprint print = print_at(PrintShape::disc, x, y, depth);
  print.radius = radius;
  return print;
}
inline Footprint ball(double x, double y, double radius, double depth) {
  Footprint print = print_at(PrintShape::ball, x, y, depth);
  print.radius = radius;
  return print;
}
inline Footprint turned(Footprint print, double angle) {
  print.axis_x = std::cos(angle);
  print.axis_y = std::sin(angle);
  return print;
}
inline Footprint rectangle(double x, double y, double length, double width, double depth) {
  Footprint print = print_at(PrintShape::rectangle, x, y, depth);
  print.half_length = length / 2;
  print.half_width = width / 2;
  return print;
}
inline Footprint roller(double x, double y, double radius, double length, double depth) {
  Footprint print = print_at(PrintShape::roller, x, y, depth);
  print.radius = radius;
  print.half_length = length / 2;
  return print;
}
inline Footprint hull(std::vector<std::array<double, 2>> points, double radius, double depth) {
  Footprint print;
  print.shape = PrintShape::hull;
  print.radius = radius;
  for (const auto& [x, y] : points) print.points[print.point_count++] = {x, y, depth, depth, 0, 0};
  return print;
}

// Any shape, anywhere within ±reach, with several points of different depth.
inline Footprint random_print(Random& random, double reach) {
  Footprint print;
  print.shape = static_cast<PrintShape>(random.integer(0, 4));
  print = turned(print, random(-kPi, kPi));
  print.x = random(-reach, reach);
  print.y = random(-reach, reach);
  print.half_length = random(0.005, 0.06);
  print.half_width = random(0.005, 0.04);
  print.radius = random(0.005, 0.05);
  if (print.shape == PrintShape::hull && random.integer(0, 1) == 0) print.radius = 0;
  print.point_count = print.shape == PrintShape::ball ? 1 : random.integer(3, 7);
  for (int i = 0; i < print.point_count; ++i) {
    const double spread = print.shape == PrintShape::ball ? 0 : 0.04;
    const double depth = random(-0.005, 0.03);
    print.points[i] = {print.x + random(-spread, spread),
                       print.y + random(-spread, spread),
                       depth,
                       depth + random(-0.001, 0.002),
                       random(-0.01, 0.01),
                       random(-0.01, 0.01)};
  }
  return print;
}

}  // namespace footfall::test
