// footfall rig tilt: soles at an angle, held against the exact integral.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "footfall/error.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/rig/tilted_sole.hpp"
#include "rig_options.hpp"

namespace footfall::rig {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kDirection = 25 * kDegree;  // neither along nor across the plate
constexpr double kTilts[] = {0, 2, 5, 10, 20, 30};
constexpr double kDepthsMm[] = {1, 2, 5, 10, 20};

struct TiltCommand {
  std::string soil;
  bool json = false;
};

// The largest errors over tilts and depths.
struct Worst {
  double force = 0;   // of the exact force [-]
  double moment = 0;  // of the exact force times half the sole's length [-]
  double center = 0;  // [m]
  void add(const TiltedSample& s) {
    force = std::max(force, std::abs(s.force / s.exact_force - 1));
    moment = std::max(moment, s.moment_error / (0.1 * s.exact_force));
    center = std::max(center, s.center_error);
  }
  void add(const Worst& other) {
    force = std::max(force, other.force);
    moment = std::max(moment, other.moment);
    center = std::max(center, other.center);
  }
};

std::vector<double> depths_of(TiltedShape shape) {
  std::vector<double> depths;
  for (const double mm : kDepthsMm) {
    if (shape != TiltedShape::disc || mm >= 2) depths.push_back(1e-3 * mm);
  }
  return depths;
}

Json to_json(const TiltedSample& s, double tilt) {
  return {{"tilt_deg", tilt},
          {"depth_m", s.depth},
          {"force_N", s.force},
          {"exact_force_N", s.exact_force},
          {"center_of_pressure_error_m", s.center_error},
          {"moment_error_N_m", s.moment_error},
          {"exact_moment_N_m", s.exact_moment}};
}

void print_samples(double tilt, const std::vector<TiltedSample>& samples) {
  for (const TiltedSample& s : samples) {
    fmt::print("  {:>4.0f}°  {:>5.0f} mm  {:>11.2f} N  {:>11.2f} N  {:>+8.3f} %  {:>7.3f} mm\n",
               tilt, 1e3 * s.depth, s.force, s.exact_force, 100 * (s.force / s.exact_force - 1),
               1e3 * s.center_error);
  }
}

// What is pressed into: a soil, or without one grains that resist every side of the sole.
struct Bed {
  std::string name;
  std::optional<Soil> soil;
  std::vector<TiltedSample> press(const TiltedPress& press) const {
    return soil ? press_tilted(press, *soil, *soil) : press_tilted_in_grains(press, 1);
  }
};

constexpr const char* kGrains = "resistive_force";

std::vector<Bed> list_beds(const TiltCommand& command) {
  if (command.soil == kGrains) return {{kGrains, {}}};
  if (!command.soil.empty()) {
    const Soil soil = load_named_soil(command.soil, "--soil");
    return {{soil.name, soil}};
  }
  std::vector<Bed> beds;
  for (const Soil& soil : load_soil_library()) {
    if (soil.plastic || soil.compliant) beds.push_back({soil.name, soil});
  }
  beds.push_back({kGrains, {}});
  return beds;
}

// All tilts and depths of a sole; prints the samples where `prints` is set.
Json press_sole(const Bed& bed, TiltedShape shape, bool prints, Worst& worst) {
  Json cases = Json::array();
  for (const double tilt : kTilts) {
    const std::vector<TiltedSample> samples = bed.press({.shape = shape,
                                                         .tilt = tilt * kDegree,
                                                         .direction = kDirection,
                                                         .depths = depths_of(shape)});
    for (const TiltedSample& s : samples) {
      worst.add(s);
      cases.push_back(to_json(s, tilt));
    }
    if (prints) print_samples(tilt, samples);
  }
  return cases;
}

void run(const TiltCommand& command) {
  const bool one = !command.soil.empty(), speaks = !command.json;
  const std::vector<Bed> beds = list_beds(command);
  Json rows = Json::array();
  if (speaks && !one) {
    fmt::print(
        "Largest errors against the exact integral, tilts 0 to 30°, 1 to 20 mm deep (discs from 2 "
        "mm)\n\n{:<22}{:<8}{:>10}{:>10}{:>22}\n",
        "soil", "sole", "force", "moment", "centre of pressure");
  }
  Worst all;
  for (const Bed& bed : beds) {
    for (const TiltedShape shape : {TiltedShape::plate, TiltedShape::disc, TiltedShape::mesh}) {
      const char* name = kTiltedShapeNames[static_cast<int>(shape)];
      if (speaks && one) {
        fmt::print("{} on {}\n  tilt     depth       engine          exact      error    centre\n",
                   name, bed.name);
      }
      Worst worst;
      const Json cases = press_sole(bed, shape, speaks && one, worst);
      all.add(worst);
      if (speaks && !one) {
        fmt::print("{:<22}{:<8}{:>8.3f} %{:>8.3f} %{:>19.3f} mm\n", bed.name, name,
                   100 * worst.force, 100 * worst.moment, 1e3 * worst.center);
      }
      rows.push_back({{"soil", bed.name},
                      {"sole", name},
                      {"largest_force_error", worst.force},
                      {"largest_moment_error", worst.moment},
                      {"largest_center_of_pressure_error_m", worst.center},
                      {"cases", cases}});
    }
  }
  if (!speaks) {
    print_json({{"soles", rows}});
  } else {
    fmt::print(
        "\nLargest of all: force {:.3f} %, moment {:.3f} % of force × 100 mm, centre {:.3f} mm\n",
        100 * all.force, 100 * all.moment, 1e3 * all.center);
  }
}

}  // namespace

void add_tilt(CLI::App& rig) {
  auto [sub, command] = add_command<TiltCommand>(
      rig, "tilt",
      "Press soles into soil at angles of 0 to 30 degrees, and compare with the exact integral",
      run);
  sub.add_option("--soil", command.soil,
                 "One soil, all depths and tilts, or 'resistive_force'; without it a table of all");
  sub.add_flag("--json", command.json, "Print JSON, and nothing else, on stdout");
  sub.footer("Example:\n  footfall rig tilt --soil heavy-clay");
}

}  // namespace footfall::rig
