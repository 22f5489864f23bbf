// Our step against mj_step: the same robot, the same feet on level ground, the same step size and
// control, one core, one run.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "footfall/step/step.hpp"

namespace footfall {

struct BenchmarkOptions {
  double timestep = 0.002;  // [s]
  int repeats = 7;          // medians are taken over these; the programs take turns
  int steps = 4000;         // of each program in each repeat
  double kp = 0;            // of motors that hold the pose [N m/rad]; 0: by the robot's mass
  double kd = 0;            // [N m s/rad]
  // Ours has MuJoCo's soft constraints too, and its Euler step: the same contacts, the same forces.
  bool soft_constraints = false;
  // Ours has contact by feedback linearisation with the paper's parameters, one robot at a time.
  bool feedback_linearized = false;
  // Ours stands in granular media: a wrench database or the name of one in media/, or empty. MuJoCo has
  // nothing like it and does not race.
  std::string wrench_database;
};

// Of one step with 13 bodies, 12 joints and 4 contacts in Matlab (Zhu 2019, IV.C.4) [s].
inline constexpr double kZhuStepTime = 0.343;

struct BenchmarkCase {
  std::string name;                          // "standing" or "random control"
  double step_time = 0;                      // of ours, median [s]
  double lanes_step_time = 0;                // of ours in lanes, per robot, median [s]; 0: none
  double mujoco_step_time = 0;               // median [s]
  double ratio = 0;                          // mujoco_step_time / step_time
  double lanes_ratio = 0;                    // mujoco_step_time / lanes_step_time
  double solver_iterations = 0;              // mean, ours
  double mujoco_solver_iterations = 0;       // mean
  double touching_feet = 0;                  // mean number of feet that carry force, ours
  double mujoco_contacts = 0;                // mean number of contact points, MuJoCo
  std::array<double, kStageCount> stages{};  // of each stage of ours, median over steps [s]
  double qp_time =
      0;  // of the part of stage solve that finds impulses in wrench spaces, likewise [s]
};

struct Benchmark {
  std::string robot;
  std::string medium;  // granular, where ours stands in one; empty: none
  std::vector<std::string> feet;
  BenchmarkOptions options;
  std::vector<BenchmarkCase> cases;
};

// Both programs stand still, then jerk under random torques that start anew from the standing pose
// every half second. Ground: compliant loose clay here (or soft constraints), MuJoCo's default contact
// there (elliptic cone, Newton solver, default tolerance); only the feet touch it, in both. Throws InputError, also if
// a robot that stands here touches nothing in MuJoCo.
Benchmark benchmark_robot(const std::filesystem::path& file, const BenchmarkOptions& options);

// A table for people.
std::string describe(const Benchmark& benchmark);

}  // namespace footfall
