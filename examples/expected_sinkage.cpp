// What it buys a robot to expect that it will sink: the same trot over the same soils, once planned for
// hard ground and once for feet as deep as the soil under them says.
//
// Cost of transport is the motors' work over weight and way, slip what a foot slides while it carries,
// both per run of 8 s at 0.5 m/s. Usage: expected_sinkage [SOIL...]
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "footfall/run/run.hpp"

namespace {

constexpr double kSpeed = 0.5;  // commanded [m/s]

constexpr const char* kScenario = R"(
contact = "terramechanics"
[robot]
file = "quadruped"
drop_height_m = 0
[soil]
name = "dry-sand"
[step]
timestep_s = 0.001
duration_s = 8
[controller]
kind = "trot"
kp = 60
kd = 3
speed_m_per_s = 0.5
)";

footfall::GaitSummary trot(const std::string& soil, bool expects) {
  using namespace footfall;
  const std::string sinkage = expects ? "\"soil\"" : "0";
  const Scenario scenario =
      parse_scenario(kScenario, "expected_sinkage.toml", "scenarios",
                     {"soil.name=" + soil, "controller.expected_sinkage_m=" + sinkage});
  RunOptions options;
  options.record = false;
  return *run(scenario, options).gait;
}

void print_row(const std::string& soil, const char* plan, const footfall::GaitSummary& g) {
  std::printf("%-20s %-13s %6.3f %9.1f %9.1f %9.2f %9.1f   ", soil.c_str(), plan, g.speed,
              1e3 * g.sinkage, 1e3 * g.slip, g.cost_of_transport.value_or(0),
              g.largest_tilt * 57.29577951308232);
  if (g.fall) {
    std::printf("after %.1f s\n", g.fall->time);
  } else {
    std::printf("no\n");
  }
}

bool compare_plans(const std::vector<std::string>& soils) {
  std::printf(
      "                                    speed   sinkage      slip   cost of      tilt\n");
  std::printf("soil                 planned for    [m/s]      [mm]      [mm] transport     [deg]"
              "   fell\n");
  bool held = true;
  for (const std::string& soil : soils) {
    print_row(soil, "hard ground", trot(soil, false));
    const footfall::GaitSummary expecting = trot(soil, true);
    print_row(soil, "its sinkage", expecting);
    held = held && !expecting.fall && expecting.speed > 0.95 * kSpeed;
  }
  return held;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> soils(argv + 1, argv + argc);
    if (soils.empty()) {
      soils = {"dry-sand",    "standard-sand", "upland-sandy-loam", "sandy-loam",
               "clayed-soil", "heavy-clay",    "lete-sand",         "sandy-loam-michigan"};
    }
    return compare_plans(soils) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
