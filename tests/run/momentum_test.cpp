// Everything that touches is in the run file: all recorded forces together balance the recorded momentum.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "footfall/record/run_data.hpp"
#include "footfall/robot/kinematics.hpp"
#include "footfall/run/run.hpp"
#include "footfall/step/measure.hpp"

namespace footfall {
namespace {

Vec3d row_vector(const RunColumn& column, int row) {
  return {column.at(row, 0), column.at(row, 1), column.at(row, 2)};
}

// A quadruped whose motors hold it, thrown onto its side: trunk, hips, thighs and shanks touch.
struct Throw {
  const char* name;
  const char* ground;  // sections of a scenario
  bool on_feet = false;
  int steps = 300;
};

Scenario throw_scenario(const Throw& thrown) {
  const std::string text =
      "[robot]\nfile = \"quadruped\"\nkeyframe = \"stand\"\ndrop_height_m = 0.02\n"
      "linear_velocity_m_per_s = [0.5, 0.3, -1]\nangular_velocity_rad_per_s = [1, 2, -1.5]\n"
      "[step]\nduration_s = " +
      std::to_string(1e-3 * thrown.steps) + "\n[controller]\nkind = \"hold\"\nkp = 150\nkd = 8\n" +
      std::string(thrown.ground);
  return parse_scenario(text, "throw.toml",
                        std::filesystem::path(FOOTFALL_SOURCE_DIR) / "scenarios");
}

RunSetup throw_setup(const Throw& thrown, const Scenario& scenario) {
  RunSetup setup = prepare_run(scenario);
  if (!thrown.on_feet) {  // on its side, rather low
    setup.state.qpos[2] = 0.2;
    setup.state.qpos[3] = setup.state.qpos[4] = std::sqrt(0.5);
    setup.state.qpos[5] = setup.state.qpos[6] = 0;
  }
  return setup;
}

std::filesystem::path record_throw(const Throw& thrown) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / (std::string("momentum_") + thrown.name);
  std::filesystem::remove_all(folder);
  const Scenario scenario = throw_scenario(thrown);
  RunOptions options;
  options.output = folder;
  run(scenario, throw_setup(thrown, scenario), options);
  return folder / "run.h5";
}

class EveryGround : public testing::TestWithParam<Throw> {};

TEST_P(EveryGround, RecordedForcesBalanceRecordedMomentum) {
  const Throw& thrown = GetParam();
  const RunContents run = read_run(record_throw(thrown));
  const double h = run.number("timestep_s");
  const std::vector<double>& gravity = run.constant("robot/weight").values;
  const Vec3d weight{gravity[0], gravity[1], gravity[2]};
  const int feet = static_cast<int>(run.list("foot_names").size());
  double largest_share = 0;
  for (int row = 0; row < run.row_count; ++row) {
    Vec3d force = weight;
    double scale = norm(weight);
    const auto add = [&](const Vec3d& f) {
      force += f;
      scale = std::fmax(scale, norm(f));
    };
    for (int f = 0; f < feet; ++f) add(row_vector(run.foot_column(f, "force"), row));
    if (!thrown.on_feet) {
      const Vec3d body = row_vector(run.column("body_contacts/force"), row);
      add(body);
      largest_share = std::fmax(largest_share, body.z / norm(weight));
    }
    const Vec3d change = row_vector(run.column("momentum/change"), row);
    ASSERT_LT(norm(change - h * force), 1e-9 * h * scale) << thrown.name << ", row " << row;
  }
  if (!thrown.on_feet) {
    EXPECT_GT(largest_share, 0.2) << thrown.name;
  }
}

// The same by another route: what the file says about momentum follows from qpos, qvel and masses.
TEST_P(EveryGround, RecordedMomentumIsThatOfTheRecordedStates) {
  const Throw& thrown = GetParam();
  const RunContents run = read_run(record_throw(thrown));
  const RobotModel robot = read_robot(run);
  const double h = run.number("timestep_s");
  RobotData<double> data(robot);
  const auto positions = [&](int row) {
    const RunColumn& qpos = run.column("state/qpos");
    compute_positions(robot, &qpos.values[static_cast<std::size_t>(row) * qpos.width], data);
  };
  const auto momentum = [&](int row) {  // Σ m v of the bodies' centres
    const RunColumn& qvel = run.column("state/qvel");
    positions(row);
    compute_velocities(robot, &qvel.values[static_cast<std::size_t>(row) * qvel.width], data);
    Vec3d sum{0, 0, 0};
    for (int b = 1; b < robot.body_count(); ++b) {
      const Vec3d p_OC =
          data.p_WB[b] + data.R_WB[b] * robot.bodies[b].com - tree_origin(robot, data, b);
      sum += robot.bodies[b].mass * point_velocity(data.V[b], p_OC);
    }
    return sum;
  };
  const double scale = robot.total_mass();  // × 1 m/s
  Vec3d sum{0, 0, 0};
  for (int row = 1; row < run.row_count; ++row) {
    const Vec3d linear = row_vector(run.column("momentum/linear"), row);
    ASSERT_LT(norm(linear - momentum(row)), 1e-12 * scale) << thrown.name << ", row " << row;
    sum += row_vector(run.column("momentum/change"), row);
  }
  // over the run, changes add up to the difference but for what integration makes: of first order
  const Vec3d whole = row_vector(run.column("momentum/linear"), run.row_count - 1) -
                      row_vector(run.column("momentum/linear"), 0);
  EXPECT_LT(norm(whole - sum), 150 * h * scale) << thrown.name;
}

// Change of the spatial momentum of all bodies in a step about W's origin, less gravity's: what the ground
// must have done. `before` is the state at the step's start.
Wrench<double> ground_impulse(const World& world, const State<double>& before,
                              const State<double>& after) {
  const RobotModel& robot = world.robot;
  RobotData<double> data(robot);
  compute_positions(robot, before.qpos.data(), data);
  compute_velocities(robot, before.qvel.data(), data);
  Wrench<double> sum = zero6<double>();
  for (int b = 1; b < robot.body_count(); ++b) {
    const Wrench<double> momentum = data.inertia[b] * data.V[b];
    const Wrench<double> rate = data.inertia[b] * data.A_bias[b];  // gravity is part of it
    const Wrench<double> turning{cross(data.V[b].ang, momentum.ang) +
                                     cross(data.V[b].lin, momentum.lin),
                                 cross(data.V[b].ang, momentum.lin)};
    sum += world.options.timestep * (rate + turning) - momentum;
  }
  compute_velocities(robot, after.qvel.data(), data);
  for (int b = 1; b < robot.body_count(); ++b) sum += data.inertia[b] * data.V[b];
  sum.ang += cross(tree_origin(robot, data, 1), sum.lin);
  return sum;
}

// Moments too: of feet about their centres, of other parts about W's origin.
TEST_P(EveryGround, MomentsBalanceAngularMomentum) {
  const Throw& thrown = GetParam();
  const Scenario scenario = throw_scenario(thrown);
  const RunSetup setup = throw_setup(thrown, scenario);
  const World& world = setup.world;
  State<double> state = setup.state;
  StepWorkspace<double> workspace(world);
  std::vector<FootPatch> feet(world.soles.feet.size());
  BodyContacts body = make_body_contacts(world);
  Control<double> control = setup.controller.start;
  const double h = world.options.timestep;
  for (int n = 0; n < thrown.steps; ++n) {
    const State<double> before = state;
    compute_control(setup.controller, state, control);
    step(world, control, state, workspace);
    summarize_feet(world, state, workspace, feet);
    summarize_body(world, workspace, body);
    Vec3d moment = body.moment;
    double scale = world.force_scale;  // × 1 m
    for (const FootPatch& foot : feet) {
      moment += foot.moment + cross(foot.center, foot.force);
      scale = std::fmax(scale, norm(foot.force));
    }
    scale = std::fmax(scale, norm(body.force));
    const Vec3d needed = ground_impulse(world, before, state).ang;
    ASSERT_LT(norm(needed - h * moment), 1e-9 * h * scale) << thrown.name << ", step " << n;
  }
}

constexpr Throw kThrows[] = {
    {"compliant", "[soil]\nname = \"soft-ground\"\n"},
    {"concrete", "[soil]\nname = \"concrete\"\n"},
    {"slope", "[ground]\nkind = \"slope\"\nslope_deg = 15\n[soil]\nname = \"loose-clay\"\n"},
    {"plastic", "[soil]\nname = \"dry-sand\"\n[contact]\nmodel = \"terramechanics\"\n"},
    {"soft", "[contact]\nmodel = \"soft_constraint\"\ncone = \"pyramidal\"\n"},
    {"soft_rolling",
     "[contact]\nmodel = \"soft_constraint\"\ncone = \"elliptic\"\ncondim = 6\npriority = 1\n"
     "friction = [0.7, 0.01, 0.01]\n"},
    // lying robots shake on such ground until nothing is finite
    {"feedback", "[contact]\nmodel = \"feedback_linearized\"\nfriction_coefficient = 0.6\n", false,
     60},
    {"springs", "[contact]\nmodel = \"spring_damper\"\nfriction_coefficient = 0.6\n"
                "stiffness_N_per_m = 2e4\ndamping_Ns_per_m = 200\n"},
    {"resistive", "[contact]\nmodel = \"resistive_force\"\n"},
    {"grains", "[contact]\nmodel = \"wrench_space\"\ndatabase = \"beads\"\n", true},
};

INSTANTIATE_TEST_SUITE_P(Momentum, EveryGround, testing::ValuesIn(kThrows),
                         [](const auto& thrown) { return std::string(thrown.param.name); });

}  // namespace
}  // namespace footfall
