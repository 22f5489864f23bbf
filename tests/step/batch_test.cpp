// Batches: robots side by side in lanes and threads move as each does by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "footfall/error.hpp"
#include "footfall/step/batch.hpp"
#include "footfall/step/simulation.hpp"
#include "support/plastic_worlds.hpp"

namespace footfall {
namespace {

using testing::make_plastic_world;
using testing::plastic_soil;

std::shared_ptr<const BatchWorld> on_sand(const std::string& robot = "quadruped",
                                          const char* soil = "dry-sand") {
  World world = make_plastic_world(robot, plastic_soil(soil));
  std::vector<double> pose = standing_pose(world.robot);
  State<double> start = make_state<double>(world, pose);
  return std::make_shared<BatchWorld>(BatchWorld{std::move(world), std::move(start)});
}

// Everything that is told to or known about robot `i` depends on `i` alone.
struct Herd {
  explicit Herd(int count, const BatchOptions& options = {},
                std::shared_ptr<const BatchWorld> world = on_sand())
      : batch(std::vector(static_cast<std::size_t>(count), world), options) {
    const World& w = world->world;
    nq = w.robot.qpos0.size();
    nu = w.robot.actuators.size();
    BatchArrays& a = batch.arrays();
    a.servo_kp.assign(nu, 60);
    a.servo_kd.assign(nu, 3);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      testing::Random random(i + 1);
      a.qpos[i * nq + 2] += 0.01 * (1 + random());
      for (std::size_t k = 0; k < nu; ++k) {
        const int at = w.robot.joints[w.robot.actuators[k].joint].q_index;
        a.servo_position[i * nu + k] = a.qpos[i * nq + static_cast<std::size_t>(at)];
        phase.push_back(3 * random());
      }
    }
    middle = a.servo_position;
  }
  // Legs that go up and down, each in its own time.
  void step(int steps) {
    BatchArrays& a = batch.arrays();
    for (int k = 0; k < steps; ++k, ++now) {
      for (std::size_t i = 0; i < middle.size(); ++i) {
        a.servo_position[i] = middle[i] + 0.2 * std::sin(0.02 * now + phase[i]);
      }
      batch.step();
    }
  }
  std::vector<double> row(const std::vector<double>& rows, int robot, std::size_t width) const {
    const auto at = rows.begin() + static_cast<std::ptrdiff_t>(width) * robot;
    return {at, at + static_cast<std::ptrdiff_t>(width)};
  }
  std::vector<double> qpos(int robot) { return row(batch.arrays().qpos, robot, nq); }

  Batch batch;
  std::size_t nq = 0, nu = 0;
  std::vector<double> middle, phase;
  int now = 0;
};

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(Batch, AloneARobotHasTheBitsOfASimulation) {
  const auto world = on_sand();
  Herd herd(3, {.threads = 1, .lanes = false, .feet = true}, world);
  const Herd same(3, {.lanes = false}, world);
  herd.step(150);
  for (int i = 0; i < 3; ++i) {
    Simulation sim(world->world, same.row(const_cast<Herd&>(same).batch.arrays().qpos, i, herd.nq));
    sim.control().kp.assign(herd.nu, 60);
    sim.control().kd.assign(herd.nu, 3);
    for (int k = 0; k < 150; ++k) {
      for (std::size_t u = 0; u < herd.nu; ++u) {
        const std::size_t at = static_cast<std::size_t>(i) * herd.nu + u;
        sim.control().position[u] = herd.middle[at] + 0.2 * std::sin(0.02 * k + herd.phase[at]);
      }
      sim.step();
    }
    EXPECT_EQ(herd.qpos(i), sim.qpos());
    EXPECT_EQ(herd.batch.save(i).qvel, sim.qvel());
    EXPECT_EQ(herd.batch.arrays().time[static_cast<std::size_t>(i)], sim.time());
    for (std::size_t f = 0; f < sim.feet().size(); ++f) {
      const std::size_t at = static_cast<std::size_t>(i) * sim.feet().size() + f;
      EXPECT_EQ(herd.batch.arrays().foot_sinkage[at], sim.feet()[f].sinkage);
      EXPECT_EQ(herd.batch.arrays().foot_force[3 * at + 2], sim.feet()[f].force.z);
      EXPECT_EQ(herd.batch.arrays().foot_friction_use[at], sim.feet()[f].friction_use);
    }
  }
}

TEST(Batch, InLanesRobotsHaveTheBitsOfAStepOfEight) {
  const auto world = on_sand();
  Herd herd(8, {.threads = 1}, world);
  ASSERT_TRUE(herd.batch.lanes());
  State<Lane8> state = make_state<Lane8>(world->world, world->start.qpos);
  StepWorkspace<Lane8> workspace(world->world);
  Control<Lane8> control = make_control<Lane8>(world->world.robot);
  control.kp.assign(herd.nu, 60);
  control.kd.assign(herd.nu, 3);
  for (int i = 0; i < 8; ++i) {
    const std::vector<double> q = herd.qpos(i);
    for (std::size_t k = 0; k < herd.nq; ++k) set_lane(state.qpos[k], i, q[k]);
  }
  for (int n = 0; n < 150; ++n) {
    for (std::size_t at = 0; at < 8 * herd.nu; ++at) {
      set_lane(control.position[at % herd.nu], static_cast<int>(at / herd.nu),
               herd.middle[at] + 0.2 * std::sin(0.02 * n + herd.phase[at]));
    }
    step(world->world, control, state, workspace);
  }
  herd.step(150);
  for (int i = 0; i < 8; ++i) {
    const std::vector<double> q = herd.qpos(i);
    for (std::size_t k = 0; k < herd.nq; ++k) EXPECT_EQ(q[k], lane(state.qpos[k], i)) << i;
  }
}

TEST(Batch, LanesDifferFromRobotsAloneByWhatTheSolverLeaves) {
  BatchWorld tight = *on_sand();
  tight.world.options.solver.tolerance = tight.world.options.solver.friction_tolerance = 1e-12;
  const auto world = std::make_shared<const BatchWorld>(std::move(tight));
  Herd lanes(11, {}, world);  // the second eight are not full
  Herd alone(11, {.lanes = false}, world), nudged(11, {.lanes = false}, world);
  for (double& q : nudged.batch.arrays().qpos) q *= 1 + 4 * std::numeric_limits<double>::epsilon();
  for (Herd* herd : {&lanes, &alone, &nudged}) herd->step(100);
  for (int i = 0; i < 11; ++i) {
    const double growth = difference(nudged.qpos(i), alone.qpos(i));  // of round-off
    EXPECT_LT(growth, 1e-4);
    EXPECT_LT(difference(lanes.qpos(i), alone.qpos(i)), 100 * growth + 1e-10) << i;
  }
}

TEST(Batch, ThreadsChangeNoBit) {
  const auto world = on_sand();
  for (const bool in_lanes : {true, false}) {
    Herd one(21, {.threads = 1, .lanes = in_lanes}, world);
    Herd three(21, {.threads = 3, .lanes = in_lanes}, world);
    one.step(40);
    three.step(40);
    EXPECT_EQ(three.batch.threads(), 3);
    EXPECT_EQ(one.batch.arrays().qpos, three.batch.arrays().qpos);
    EXPECT_EQ(one.batch.arrays().qvel, three.batch.arrays().qvel);
  }
}

TEST(Batch, SubstepsAreSteps) {
  Herd a(9), b(9);
  a.batch.step(30);
  for (int k = 0; k < 30; ++k) b.batch.step();
  EXPECT_EQ(a.batch.arrays().qpos, b.batch.arrays().qpos);
}

// One robot is thrown out of the numbers; what the others do is what they do beside a healthy one.
TEST(Batch, ARobotThatIsLostIsNamedAndTheOthersGoOn) {
  const auto world = on_sand();
  for (const bool in_lanes : {true, false}) {
    Herd herd(10, {.threads = 2, .lanes = in_lanes}, world);
    Herd healthy(10, {.threads = 2, .lanes = in_lanes}, world);
    herd.step(20);
    healthy.step(20);
    for (std::size_t k = 0; k < 3; ++k)
      herd.batch.arrays().qvel[3 * world->start.qvel.size() + k] = 1e300;
    const std::vector<double> before = herd.qpos(3);
    herd.step(60);
    healthy.step(60);
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(herd.batch.arrays().failed[static_cast<std::size_t>(i)], i == 3) << i;
      if (i == 3) continue;
      EXPECT_LT(difference(herd.qpos(i), healthy.qpos(i)), in_lanes && i < 8 ? 1e-7 : 0.0 + 1e-300)
          << i;
    }
    EXPECT_EQ(herd.qpos(3), before);  // and stays there
    EXPECT_THROW(static_cast<void>(herd.batch.save(3)), InputError);

    std::vector<std::uint8_t> mask(10, 0);
    mask[3] = 1;
    herd.batch.reset(mask);
    EXPECT_EQ(herd.qpos(3), world->start.qpos);
    herd.step(60);
    EXPECT_THAT(herd.batch.arrays().failed, ::testing::Each(0));
    EXPECT_NE(herd.qpos(3), world->start.qpos);
    EXPECT_GT(herd.qpos(3)[2], 0.1);
  }
}

// Footprints are gone with a reset; who was not reset does not notice.
TEST(Batch, ResetOfSomeLeavesTheOthers) {
  const auto world = on_sand();
  Herd herd(6, {.lanes = false}, world), other(6, {.lanes = false}, world);
  herd.batch.step(120);
  other.batch.step(120);
  herd.batch.reset(std::vector<std::uint8_t>{0, 1, 0, 0, 1, 0});
  EXPECT_EQ(herd.batch.arrays().time[1], 0);
  herd.batch.step(120);
  const std::vector<double> after_reset = herd.qpos(1);
  other.batch.step(120);
  for (const int i : {0, 2, 3, 5}) EXPECT_EQ(herd.qpos(i), other.qpos(i));
  herd.batch.reset(std::vector<std::uint8_t>(6, 1));
  herd.batch.step(120);
  EXPECT_EQ(herd.qpos(1), after_reset);
}

class BatchMemory : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robots, BatchMemory,
                         ::testing::Values("quadruped", "humanoid", "single_foot"),
                         [](const auto& test) { return std::string(test.param); });

// What a robot in lanes remembers can be taken out and put back, and into another kind of batch.
TEST_P(BatchMemory, OfARobotInLanesIsSavedWhole) {
  const auto world = on_sand(GetParam(), "lete-sand");
  Herd herd(8, {}, world), alone(8, {.lanes = false}, world);
  herd.step(150);
  std::vector<State<double>> saved;
  for (int i = 0; i < 8; ++i) saved.push_back(herd.batch.save(i));
  const int then = herd.now;
  herd.step(60);
  const std::vector<double> after = herd.batch.arrays().qpos;
  for (int i = 0; i < 8; ++i) {
    herd.batch.restore(i, saved[static_cast<std::size_t>(i)]);
    alone.batch.restore(i, saved[static_cast<std::size_t>(i)]);
  }
  herd.now = alone.now = then;
  herd.step(60);
  alone.step(60);
  EXPECT_EQ(herd.batch.arrays().qpos, after);
  EXPECT_LT(difference(alone.batch.arrays().qpos, after), 1e-7);
}

TEST(Batch, RobotsInDifferentWorldsShareNoLanes) {
  const auto sand = on_sand("quadruped", "dry-sand"), clay = on_sand("quadruped", "heavy-clay");
  std::vector<std::shared_ptr<const BatchWorld>> mixed;
  for (int i = 0; i < 20; ++i) mixed.push_back(i % 3 == 0 ? clay : sand);
  Batch batch(mixed);
  Batch clays(std::vector(7, clay));
  batch.step(200);
  clays.step(200);
  const std::size_t nq = sand->start.qpos.size();
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(batch.arrays().qpos[3 * i * nq + 2], clays.arrays().qpos[i * nq + 2]) << i;
  }
  EXPECT_NE(batch.arrays().qpos[2], batch.arrays().qpos[nq + 2]);
}

TEST(Batch, AWorldIsReplaced) {
  const auto sand = on_sand("quadruped", "dry-sand"), clay = on_sand("quadruped", "heavy-clay");
  Batch batch(std::vector(3, sand), {.lanes = false}),
      clays(std::vector(3, clay), {.lanes = false});
  batch.step(50);
  batch.replace_world(1, clay);
  batch.step(100);
  clays.step(100);
  const std::size_t nq = sand->start.qpos.size();
  for (std::size_t k = 0; k < nq; ++k) {
    EXPECT_EQ(batch.arrays().qpos[nq + k], clays.arrays().qpos[nq + k]);
  }
  Batch lanes(std::vector(3, sand));
  EXPECT_THROW(lanes.replace_world(0, clay), InputError);
}

TEST(Batch, WrongInputIsOneClearError) {
  const auto message = [](const auto& act) -> std::string {
    try {
      act();
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  using ::testing::HasSubstr;
  Batch batch(std::vector(9, on_sand()));
  EXPECT_THAT(message([&] { batch.step(0); }), HasSubstr("substeps = 0, expected 1 or more"));
  EXPECT_THAT(message([&] { batch.reset(std::vector<std::uint8_t>(3)); }),
              HasSubstr("mask has 3 entries, expected 9"));
  batch.arrays().control[12 * 8 + 5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message([&] { batch.step(); }),
              HasSubstr("control[8, 5] = nan, expected a finite number"));
  batch.arrays().control[12 * 8 + 5] = 0;
  batch.arrays().servo_kp[2] = -1;
  EXPECT_THAT(message([&] { batch.step(); }), HasSubstr("servo_kp[2] = -1"));
  EXPECT_THAT(message([&] { Batch({}); }), HasSubstr("no robots"));
  EXPECT_THAT(message([&] { Batch({on_sand(), on_sand("humanoid")}); }),
              HasSubstr("robot 1 of the batch"));
  EXPECT_THAT(message([&] { Batch({on_sand()}, {.feet = true}); }), HasSubstr("lanes = false"));
  EXPECT_THAT(message([&] { Batch({on_sand()}, {.threads = -2}); }), HasSubstr("threads = -2"));
}

}  // namespace
}  // namespace footfall
