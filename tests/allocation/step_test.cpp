// step() allocates nothing: every allocation of this program is counted. A program of its own,
// because it replaces operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "footfall/ground/wrench_model.hpp"
#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/soft_world.hpp"
#include "footfall/step/measure.hpp"
#include "footfall/terrain/ruts.hpp"
#include "support/grains.hpp"
#include "support/worlds.hpp"

namespace {
std::atomic<long> allocations{0};
void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* p = alignment > alignof(std::max_align_t)
                ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                : std::malloc(size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
}  // namespace

#if defined(__GNUC__) && !defined(__clang__)
// new and delete are both ours; with a sanitizer GCC sees only one of them
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif
void* operator new(std::size_t size) { return counted(size, 0); }
void* operator new(std::size_t size, std::align_val_t a) {
  return counted(size, static_cast<std::size_t>(a));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size, 0); }
void* operator new(std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept {
  return counted(size, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace footfall {
namespace {

template <class T>
long allocations_of_steps(const char* robot) {
  StepOptions options;
  const World world = testing::make_test_world(robot, testing::table_4()[5].ground, options);
  const std::vector<double> pose = standing_pose(world.robot);
  State<T> state = make_state<T>(world, pose);
  Control<T> command = testing::hold<T>(world, pose, 100, 2);
  StepWorkspace<T> workspace(world);
  testing::Random random(1);
  const long before = allocations;
  for (int k = 0; k < 500; ++k) {  // standing, then falling over: all contacts come into play
    for (T& u : command.control) u = T(k > 100 ? 20 * random() : 0);
    step(world, command, state, workspace);
  }
  return allocations - before;
}

TEST(Allocation, StepAllocatesNothing) {
  for (const char* robot : {"ball", "quadruped", "humanoid", "biped"}) {
    EXPECT_EQ(allocations_of_steps<double>(robot), 0) << robot;
    EXPECT_EQ(allocations_of_steps<Lane8>(robot), 0) << robot << " in lanes";
  }
}

template <class T>
long allocations_of_soft_steps(const char* robot, bool exact_diagonal) {
  World world = testing::make_test_world(robot, testing::table_4()[5].ground, StepOptions{});
  const MjModelPtr model = load_mujoco_model(testing::robot_file(robot));
  std::vector<bool> touches;
  for (const Geom& geom : world.robot.geoms) touches.push_back(geom.collides);
  SoftModel soft = build_soft_model(*model, touches, SoftPlane{}, {});
  soft.exact_diagonal = exact_diagonal;
  world.ground = SoftGround{"soft", std::move(soft)};
  const std::vector<double> pose = standing_pose(world.robot);
  State<T> state = make_state<T>(world, pose);
  Control<T> command = testing::hold<T>(world, pose, 100, 2);
  StepWorkspace<T> workspace(world);
  testing::Random random(1);
  const long before = allocations;
  int touching = 0;  // steps
  for (int k = 0; k < 200; ++k) {
    for (T& u : command.control) u = T(k > 50 ? 20 * random() : 0);
    step(world, command, state, workspace);
    touching += std::get<SoftContact<T>>(workspace.contact).terms.count > 0 ? 1 : 0;
  }
  const long found = allocations - before;
  EXPECT_GT(touching, 100) << robot << ": the steps are of a robot on the ground";
  return found;
}

TEST(Allocation, SoftConstraintsAllocateNothing) {
  for (const char* robot : {"quadruped", "humanoid"}) {
    EXPECT_EQ(allocations_of_soft_steps<double>(robot, false), 0) << robot;
    EXPECT_EQ(allocations_of_soft_steps<double>(robot, true), 0) << robot << ", exact diagonal";
    EXPECT_EQ(allocations_of_soft_steps<Lane8>(robot, false), 0) << robot << " in lanes";
  }
}

TEST(Allocation, GranularContactAllocatesNothing) {
  for (const char* robot : {"single_foot", "robosimian"}) {
    const World world = testing::make_grain_world(robot, {});
    const std::vector<double> pose = standing_pose(world.robot);
    State<double> state = make_state<double>(world, pose);
    Control<double> command = testing::hold<double>(world, pose, 1000, 50);
    StepWorkspace<double> workspace(world);
    std::vector<FootPatch> feet(world.soles.feet.size());
    testing::Random random(1);
    const long before = allocations;
    for (int k = 0; k < 300; ++k) {
      for (double& u : command.control) u = k > 100 ? 100 * random() : 0;
      step(world, command, state, workspace);
      summarize_feet(world, state, workspace, feet);
    }
    EXPECT_EQ(allocations - before, 0) << robot;
  }
}

TEST(Allocation, PenaltyContactAllocatesNothing) {
  for (const char* robot : {"ball", "quadruped", "biped"}) {
    for (const PenaltyKind kind : {PenaltyKind::feedback_linearized, PenaltyKind::spring_damper}) {
      World world = testing::make_test_world(robot, testing::table_4()[5].ground, StepOptions{});
      PenaltyModel model;
      model.kind = kind;
      model.stiffness = 1e5;
      model.damping = 1e3;
      world.ground = PenaltyGround{model, {{"hard", 0.8}}};
      const std::vector<double> pose = standing_pose(world.robot);
      State<double> state = make_state<double>(world, pose);
      Control<double> command = testing::hold<double>(world, pose, 100, 2);
      StepWorkspace<double> workspace(world);
      testing::Random random(1);
      const long before = allocations;
      for (int k = 0; k < 500; ++k) {
        for (double& u : command.control) u = k > 100 ? 20 * random() : 0;
        step(world, command, state, workspace);
      }
      EXPECT_EQ(allocations - before, 0) << robot;
      EXPECT_THROW(StepWorkspace<Lane8>{world}, InputError);
    }
  }
}

TEST(Allocation, PrintsInExistingBlocksAllocateNothing) {
  RutGrid ruts({.cell = 0.04, .rim_share = 0.3});
  const auto press = [&](double reach, double depth, unsigned seed) {
    testing::Random random(seed);
    for (int k = 0; k < 2000; ++k) {
      Footprint print;
      print.shape = static_cast<PrintShape>(k % 5);
      print.x = reach * random();
      print.y = reach * random();
      print.half_length = print.half_width = print.radius = 0.03;
      print.point_count = 4;
      for (int i = 0; i < 4; ++i) {
        print.points[i] = {
            print.x + 0.03 * random(), print.y + 0.03 * random(), depth, depth, 0, 0};
      }
      ruts.stamp(print);
    }
  };
  press(0.5, 0.01, 2);
  const long before = allocations;
  press(0.4, 0.012, 3);
  EXPECT_EQ(allocations - before, 0);
}

// On plastic soil new ground needs memory once: blocks of ruts, made when a foot first leaves a print
// there. Here they exist beforehand, 4.5 m either way.
template <class T>
long allocations_on_soil(const char* name) {
  RobotModel robot = load_robot(testing::robot_file(name));
  Soles soles = make_soles(robot, find_feet(robot), true, standing_pose(robot));
  PlasticSoil sand;
  sand.pressure = {.exponent = 1.1, .cohesive_modulus = 990, .frictional_modulus = 1.528e6};
  sand.cohesion = 1040;
  sand.friction_angle = 0.489;
  sand.shear_modulus = 0.025;
  const World world = make_world(std::move(robot), {},
                                 SoilGround{{{"sand", sand}},
                                            FootPad{.stiffness = 1e5, .damping = 50},
                                            {.cell = 0.04, .rim_share = 0.3}},
                                 std::move(soles), StepOptions{});
  const std::vector<double> pose = standing_pose(world.robot);
  State<T> state = make_state<T>(world, pose);
  for (RutGrid& ruts : state.memory.ruts) {
    for (int i = 0; i < 49; ++i) ruts.make_block(i % 7 - 3, i / 7 - 3);
  }
  Control<T> command = testing::hold<T>(world, pose, 100, 2);
  StepWorkspace<T> workspace(world);
  testing::Random random(1);
  const long before = allocations;
  for (int k = 0; k < 500; ++k) {
    for (T& u : command.control) u = T(k > 100 ? 20 * random() : 0);
    step(world, command, state, workspace);
  }
  press_prints(world, state.memory);
  const long count = allocations - before;
  EXPECT_GT(state.memory.ruts[0].displaced_volume(), 0) << name;
  return count;
}

TEST(Allocation, StepOnPlasticSoilAllocatesNothingButBlocksOfRuts) {
  for (const char* robot : {"ball", "quadruped", "humanoid", "biped"}) {
    EXPECT_EQ(allocations_on_soil<double>(robot), 0) << robot;
    EXPECT_EQ(allocations_on_soil<Lane8>(robot), 0) << robot << " in lanes";
  }
}

TEST(Allocation, PredictingWrenchesAllocatesNothing) {
  const WrenchModel model(learn_wrenches(testing::play_sand()));
  WrenchVertices w = model.make_vertices();
  const long before = allocations;
  for (const double depth : {-0.01, 0.1, 0.4}) model.predict({depth, 0.3}, w);
  EXPECT_EQ(allocations - before, 0);
}

TEST(Allocation, CountingWorks) {
  const long before = allocations;
  std::vector<double> v(1000);
  EXPECT_EQ(allocations - before, 1);
}

}  // namespace
}  // namespace footfall
