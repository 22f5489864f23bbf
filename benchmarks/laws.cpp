// Exact force and slope of soles on soil, per evaluation: alone, in lanes, and the same formulas
// written plainly with std::pow.
#include "laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "footfall/foot/foot_sole.hpp"

namespace {

using namespace footfall;

constexpr int kDepths = 1024, kPasses = 10, kLanes = 8;
constexpr double kPi = std::numbers::pi;
volatile double sink;  // keeps what is measured from being thrown away

std::array<double, kDepths> depths_up_to(double largest) {
  std::array<double, kDepths> depths{};
  for (int i = 0; i < kDepths; ++i) depths[i] = largest * ((i * 619) % kDepths + 1) / kDepths;
  return depths;
}

// Median time of one evaluation [ns], over repeats shorter than the time slice of a busy machine.
// `f` takes the index of a depth and answers with a sum of what it found, for `width` depths at once.
template <class F>
double measure(int repeats, const F& f, int width = 1) {
  std::vector<double> times(repeats);
  for (double& time : times) {
    double sum = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int pass = 0; pass < kPasses; ++pass) {
      for (int i = 0; i < kDepths; i += width) sum += f(i);
    }
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    time = spent.count() / (kPasses * kDepths);
    sink = sum;
  }
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[repeats / 2];
}

Bearing<double> plain_flat(double area, double n, double d) {
  return {area * std::pow(d, n), n * area * std::pow(d, n - 1)};
}

Bearing<double> plain_ball(double R, double n, double d) {
  return {2 * kPi * (std::pow(d, n + 2) / (n + 2) + (R - d) * std::pow(d, n + 1) / (n + 1)),
          2 * kPi * (R * std::pow(d, n) - std::pow(d, n + 1) / (n + 1))};
}

Bearing<double> plain_rim(double w, double R, double n, double d, const RimSeries& rim) {
  double force = 0, slope = 0;
  for (int k = 0; k < RimSeries::kTerms; ++k) {
    const double term = rim.p[k] * std::pow(d / R, n + 0.5 + k);
    force += term;
    slope += (n + 0.5 + k) * term / d;
  }
  const double scale = 2 * w * std::pow(R, n + 1);
  return {scale * force, scale * slope};
}

double total(const Bearing<double>& b) { return b.force + b.slope; }
double total(const Bearing<Lanes<kLanes>>& b) {
  double sum = 0;
  for (int l = 0; l < kLanes; ++l) sum += lane(b.force, l) + lane(b.slope, l);
  return sum;
}

void print(const char* name, double one, double lanes, double plain) {
  const std::string text = fmt::format("  {:<12}{:>7.1f} ns{:>7.1f} ns{:>9.1f} ns{:>9.1f}×\n", name,
                                       one, lanes, plain, plain / one);
  std::fputs(text.c_str(), stdout);
}

}  // namespace

void benchmark_laws(int repeats) {
  PlasticSoil soil;
  soil.pressure = {.exponent = 1.1, .cohesive_modulus = 990, .frictional_modulus = 1528430};
  const double n = 1.1, r = 0.05, w = 0.08;
  const auto d = depths_up_to(r);
  const RimSeries rim = make_rim_series(n);
  using Pack = Lanes<kLanes>;
  const auto pack = [&](int i) {
    Pack p(0);
    for (int l = 0; l < kLanes; ++l) set_lane(p, l, d[i + l]);
    return p;
  };
  const auto one = [&](const FootSole& sole) {
    const SoleLaw law = make_sole_law(sole, soil);
    return measure(repeats, [&](int i) { return total(normal_force(law, d[i])); });
  };
  const auto lanes = [&](const auto& bear) {
    return measure(repeats, [&](int i) { return total(bear(pack(i))); }, kLanes);
  };

  std::fputs("exact normal force and slope of one sole on dry sand, sunk by up to 50 mm, medians\n"
             "                    alone  8 lanes     std::pow    ratio\n",
             stdout);
  const double disc = kPi * r * r;
  const auto flat = [&](double area) {
    return lanes([&](const Pack& x) { return bear_flat(Pack(area), Pack(n), x); });
  };
  const auto plain = [&](double area) {
    return measure(repeats, [&](int i) { return total(plain_flat(area, n, d[i])); });
  };
  print("disc", one(make_disc(r)), flat(disc), plain(disc));
  print("rectangle", one(make_rectangle(0.1, w)), flat(0.1 * w), plain(0.1 * w));
  print("sphere", one(make_sphere(r)),
        lanes([&](const Pack& x) { return bear_ball(Pack(r), Pack(n), x); }),
        measure(repeats, [&](int i) { return total(plain_ball(r, n, d[i])); }));
  print("cylinder", one(make_cylinder(r, w)),
        lanes([&](const Pack& x) { return bear_rim(Pack(w), Pack(r), Pack(n), x, rim); }),
        measure(repeats, [&](int i) { return total(plain_rim(w, r, n, d[i], rim)); }));
  std::fputs("\n", stdout);
}
