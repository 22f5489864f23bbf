// A quadruped's step on plastic soils against the same robot on compliant ground, feet only, in turns.
#include "plastic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "footfall/io/soil_library.hpp"
#include "footfall/mujoco/load.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/step/step.hpp"

namespace {

using namespace footfall;

World make_soil_world(const Soil& soil) {
  const std::string file = std::string(FOOTFALL_SOURCE_DIR) + "/robots/quadruped.xml";
  RobotModel robot = load_robot(file);
  Soles soles = make_soles(robot, find_feet(robot), false, standing_pose(robot));
  GroundSoil law{soil.name, CompliantGround<double>{}};
  if (soil.plastic) {
    law.law = *soil.plastic;
  } else {
    law.law = soil.compliant.value();
  }
  return make_world(std::move(robot), {}, SoilGround{{law}}, std::move(soles), {});
}

// Mean time of a step [µs] after as many steps to settle; with `random` the joints are sent somewhere else
// every 20 steps.
double time_steps(const World& world, bool random, int steps) {
  const std::vector<double> pose = standing_pose(world.robot);
  State<double> state = make_state<double>(world, pose);
  StepWorkspace<double> workspace(world);
  Control<double> control = make_control<double>(world.robot);
  for (std::size_t i = 0; i < control.position.size(); ++i) {
    control.position[i] = pose[world.robot.joints[world.robot.actuators[i].joint].q_index];
    control.kp[i] = 150;
    control.kd[i] = 8;
  }
  const std::vector<double> middle = control.position;
  for (int k = 0; k < steps; ++k) step(world, control, state, workspace);
  unsigned seed = 1;
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < steps; ++k) {
    if (random && k % 20 == 0) {
      for (std::size_t i = 0; i < middle.size(); ++i) {
        seed = seed * 1664525u + 1013904223u;
        control.position[i] = middle[i] + 0.5 * (seed / 2147483648.0 - 1);
      }
    }
    step(world, control, state, workspace);
  }
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  return spent.count() / steps;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

}  // namespace

void benchmark_plastic(int repeats, int steps) {
  const std::vector<Soil> library = load_soil_library(std::string(FOOTFALL_SOURCE_DIR) + "/soils");
  struct Case {
    const char* soil;
    World world;
    std::vector<double> times;
  };
  fmt::print("quadruped, feet only, step 1 ms: plastic soil against compliant ground\n");
  fmt::print("  {:14} {:16} {:>10} {:>14} {:>15}\n", "control", "soil", "step [us]",
             "of loose-clay", "of soft-ground");
  for (const bool random : {false, true}) {
    std::vector<Case> cases;
    for (const char* soil :
         {"loose-clay", "soft-ground", "dry-sand", "sandy-loam", "heavy-clay", "lete-sand"}) {
      cases.push_back({soil, make_soil_world(find_soil(library, soil)), {}});
    }
    for (int repeat = 0; repeat < repeats; ++repeat) {
      for (Case& c : cases) c.times.push_back(time_steps(c.world, random, steps));
    }
    const double linear = median(cases[0].times), power = median(cases[1].times);
    for (const Case& c : cases) {
      const double time = median(c.times);
      fmt::print("  {:14} {:16} {:10.2f} {:13.2f}x {:14.2f}x\n", random ? "random" : "standing",
                 c.soil, time, time / linear, time / power);
    }
  }
  fmt::print("\n");
  std::fflush(stdout);
}
