// Worlds and rows for tests of the run file: a quadruped on soft ground, and rows that no physics
// made, every number of them different.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <unistd.h>

#include "footfall/mujoco/load.hpp"
#include "footfall/record/run_file.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/terrain/plane.hpp"

namespace footfall::test {

// A folder that lives as long as its test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "footfall-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline World make_test_world(const std::string& robot_name = "quadruped") {
  RobotModel robot =
      load_robot(std::filesystem::path(FOOTFALL_SOURCE_DIR) / "robots" / (robot_name + ".xml"));
  const std::vector<double>& pose = standing_pose(robot);
  Soles soles = make_soles(robot, find_feet(robot), true, pose);
  const CompliantGround<double> soft{.stiffness = 1.5e4,
                                     .exponent = 1,
                                     .damping = 300,
                                     .damping_exponent = 0,
                                     .rate_exponent = 1,
                                     .shear_stiffness = 1e4,
                                     .shear_damping = 100,
                                     .friction_coefficient = 0.7};
  return make_world(std::move(robot), make_flat(), SoilGround{{{"soft soil", soft}}},
                    std::move(soles), {});
}

inline RunHeader test_header() {
  return {.scenario_text = "[robot]\nfile = \"robots/quadruped.xml\"  # Füße\n",
          .scenario_path = "scenarios/test.toml",
          .command = "footfall run scenarios/test.toml",
          .mujoco_version = "4.0.0"};
}

struct Row {
  State<double> state;
  Control<double> control;
  std::vector<FootPatch> feet;
  BodyContacts body;
  Momentum momentum;
  SolverReport<double> report{};
  StageTimes times;
  Energy energy;
};

// Row number `index` of a run that never was: the same for the same index.
inline Row make_row(const World& world, int index) {
  std::mt19937_64 random(static_cast<unsigned>(index));
  std::normal_distribution<double> normal;
  const auto draw = [&] { return normal(random); };
  const auto draw3 = [&] { return Vec3d{draw(), draw(), draw()}; };
  Row row;
  row.state = make_state<double>(world, world.robot.qpos0);
  row.state.time = 0.001 * index;
  for (double& q : row.state.qpos) q = draw();
  for (double& v : row.state.qvel) v = draw();
  row.control = make_control<double>(world.robot);
  for (double& u : row.control.control) u = draw();
  for (std::size_t i = 0; i < world.soles.feet.size(); ++i) {
    row.feet.push_back({.touching = draw() > 0,
                        .center = draw3(),
                        .normal = draw3(),
                        .sinkage = draw(),
                        .sinkage_rate = draw(),
                        .pad_compression = draw(),
                        .contact_area = draw(),
                        .velocity = draw3(),
                        .shear_displacement = draw3(),
                        .normal_force = draw(),
                        .tangential_force = draw(),
                        .force = draw3(),
                        .moment = draw3(),
                        .friction_use = draw(),
                        .grains = {}});
  }
  row.body = make_body_contacts(world);
  for (double& f : row.body.normal_force) f = draw();
  row.body.force = draw3();
  row.body.moment = draw3();
  row.momentum = {.linear = draw3(), .change = draw3()};
  row.report.converged = draw() > 0;
  row.report.iterations = static_cast<double>(index % 60);
  row.report.residual = draw() * 1e-9;
  for (double& s : row.times.seconds) s = 1e-6 * draw();
  row.energy = {.kinetic = draw(), .gravity = draw(), .springs = draw(), .ground = draw()};
  return row;
}

inline void append(RunWriter& writer, const Row& row) {
  writer.append({row.state, row.control, row.feet, row.body, row.momentum, row.report, row.times,
                 row.energy});
}

// A complete file of `count` such rows.
inline void write_rows(const std::filesystem::path& file, const World& world, int count) {
  RunWriter writer(file, world, test_header(), count);
  for (int i = 0; i < count; ++i) append(writer, make_row(world, i));
  writer.close();
}

}  // namespace footfall::test
