// Coming to rest on all of Ding 2013's Table 4, from loose clay to concrete at 3.4e9 N/m.
#include <gtest/gtest.h>

#include <tuple>

#include "footfall/step/measure.hpp"
#include "support/worlds.hpp"

namespace footfall {
namespace {

using testing::make_test_world;
using testing::table_4;

double rms_velocity(const State<double>& state) {
  double sum = 0;
  for (const double v : state.qvel) sum += v * v;
  return std::sqrt(sum / static_cast<double>(state.qvel.size()));
}

// How deep a foot's sole stands in level ground, by kinematics alone: Σ share·depth over the points
// below z = 0. A sole on springs of total stiffness k carries k times that [m].
double geometric_sinkage(const World& world, const RobotData<double>& data, int foot) {
  const SoleGroup& group = world.soles.groups[world.soles.feet[foot].group];
  double sum = 0;
  for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
    const SolePoint& p = world.soles.points[i];
    if (!p.is_cell) {
      const Vec3d p_W = data.p_WB[group.body] + data.R_WB[group.body] * p.position;
      sum += p.weight * std::fmax(0.0, p.radius - p_W.z);
      continue;
    }
    constexpr int kParts = 64;  // of each edge: small triangles, at their middles
    for (int a = 0; a < kParts; ++a) {
      for (int b = 0; a + b < kParts; ++b) {
        for (const double third : {1.0 / 3, 2.0 / 3}) {
          const double s = (a + third) / kParts, t = (b + third) / kParts;
          if (s + t >= 1) continue;
          const Vec3d at = s * p.corners[0] + t * p.corners[1] + (1 - s - t) * p.corners[2];
          const double depth = -(data.p_WB[group.body] + data.R_WB[group.body] * at).z;
          sum += p.weight * std::fmax(0.0, depth) / (kParts * kParts);
        }
      }
    }
  }
  return sum;
}

struct RestCase {
  const char* robot;
  double kp, kd, duration;
};

class Rest : public ::testing::TestWithParam<std::tuple<RestCase, int, double>> {};
INSTANTIATE_TEST_SUITE_P(Table4, Rest,
                         ::testing::Combine(::testing::Values(RestCase{"humanoid", 0, 0, 8},
                                                              RestCase{"quadruped", 300, 15, 4},
                                                              RestCase{"box", 0, 0, 4}),
                                            ::testing::Range(0, 6),
                                            ::testing::Values(5e-4, 1e-3, 2e-3)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).robot) + "_" +
                                  table_4()[std::get<1>(test.param)].name + "_" +
                                  std::to_string(static_cast<int>(std::get<2>(test.param) * 1e6)) +
                                  "us";
                         });

TEST_P(Rest, SettlesAtTheAnalyticDepthWithoutJitterOrPull) {
  const auto& [robot, soil_index, timestep] = GetParam();
  const CompliantGround<double> soil = table_4()[soil_index].ground;
  StepOptions options;
  options.timestep = timestep;
  const World world = make_test_world(robot.robot, soil, options);
  const std::vector<double> pose = standing_pose(world.robot);
  State<double> state = make_state<double>(world, pose);
  state.qpos[2] += 0.02;  // dropped from 20 mm
  const Control<double> command = testing::hold<double>(world, pose, robot.kp, robot.kd);
  StepWorkspace<double> w(world);
  std::vector<FootPatch> feet(world.soles.feet.size());
  const int steps = static_cast<int>(robot.duration / timestep);
  double late_rms = 0;
  for (int k = 0; k < steps; ++k) {
    const SolverReport<double> report = step(world, command, state, w);
    ASSERT_TRUE(report.converged) << "step " << k << ", residual " << report.residual << " N";
    list_results(world, w);
    for (const ContactPoint<double>& p : w.points) {
      ASSERT_LE(dot(p.gradient, p.normal), 0) << "pulls";
    }
    if (k >= steps - 200) late_rms = std::fmax(late_rms, rms_velocity(state));
  }
  EXPECT_LT(late_rms, 1e-6);
  summarize_feet(world, state, w, feet);
  compute_positions(world.robot, state.qpos.data(), w.data);
  double carried = 0;
  for (std::size_t f = 0; f < feet.size(); ++f) {
    carried += feet[f].force.z;
    EXPECT_NEAR(geometric_sinkage(world, w.data, static_cast<int>(f)),
                feet[f].normal_force / soil.stiffness, 1e-3 * feet[f].sinkage);
  }
  EXPECT_NEAR(carried, world.force_scale, 1e-6 * world.force_scale);
  if (std::string(robot.robot) == "box") {
    // m g/k by hand, and the box's own height by kinematics
    EXPECT_NEAR(geometric_sinkage(world, w.data, 0), 100 * 9.81 / soil.stiffness,
                1e-3 * 100 * 9.81 / soil.stiffness);
  }
}

// Hunt–Crossley ground with all five parameters, and its special cases: the depth is (F/k)^(1/n).
struct Law {
  const char* name;
  double k, n, b, p, q;
};

class Laws : public ::testing::TestWithParam<Law> {};
INSTANTIATE_TEST_SUITE_P(Table5, Laws,
                         ::testing::Values(Law{"hunt_crossley", 1e4, 1.3, 500, 0.3, 1.1},
                                           Law{"hunt_crossley_stiff", 4e6, 1.3, 5e4, 0.3, 1.1},
                                           Law{"simplified", 3e6, 1.5, 3e6, 1.5, 1},
                                           Law{"linear", 5e4, 1, 900, 0, 1}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Laws, BallAndBoxSettleAtTheLawsDepth) {
  const Law& law = GetParam();
  const CompliantGround<double> soil{law.k, law.n, law.b, law.p, law.q, 1e5, 100, 0.8};
  for (const char* robot : {"ball", "box"}) {
    for (const double timestep : {5e-4, 1e-3, 2e-3}) {
      StepOptions options;
      options.timestep = timestep;
      const World world = make_test_world(robot, soil, options);
      State<double> state = make_state<double>(world, standing_pose(world.robot));
      const double height = state.qpos[2];
      StepWorkspace<double> w(world);
      const Control<double> command = make_control<double>(world.robot);
      for (int k = 0; k < 20 / timestep; ++k) {
        ASSERT_TRUE(step(world, command, state, w).converged) << robot << " step " << k;
      }
      const double depth = std::pow(world.force_scale / law.k, 1 / law.n);
      EXPECT_NEAR(height - state.qpos[2], depth, 1e-3 * depth) << robot << " " << timestep;
      EXPECT_LT(rms_velocity(state), 1e-6) << robot << " " << timestep;
    }
  }
}

class Slope : public ::testing::TestWithParam<std::tuple<const char*, int, double>> {};
INSTANTIATE_TEST_SUITE_P(Table4, Slope,
                         ::testing::Combine(::testing::Values("box", "quadruped"),
                                            ::testing::Range(0, 6),
                                            ::testing::Values(5e-4, 1e-3, 2e-3)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  table_4()[std::get<1>(test.param)].name + "_" +
                                  std::to_string(static_cast<int>(std::get<2>(test.param) * 1e6)) +
                                  "us";
                         });

TEST_P(Slope, DoesNotCreepInsideTheFrictionCone) {
  const auto& [robot, soil_index, timestep] = GetParam();
  StepOptions options;
  options.timestep = timestep;
  constexpr double kSlope = 0.35;  // 20°; tan = 0.365 < μ = 0.8
  const World world =
      make_test_world(robot, table_4()[soil_index].ground, options, make_slope(kSlope, 0.6));
  const std::vector<double> pose = standing_pose(world.robot);
  State<double> state = make_state<double>(world, pose);
  // stand along the slope's normal
  const Vec3d n = world.terrain.plane_normal;
  const Vec3d tilt = (kSlope / std::sin(kSlope)) * cross(Vec3d{0, 0, 1}, n);
  const Quatd q = integrate_quat(Quatd{1, 0, 0, 0}, tilt);
  const double height = pose[2] + 1e-3;
  state.qpos[0] = height * n.x;
  state.qpos[1] = height * n.y;
  state.qpos[2] = height * n.z;
  state.qpos[3] = q.w;
  state.qpos[4] = q.x;
  state.qpos[5] = q.y;
  state.qpos[6] = q.z;
  const Control<double> command = testing::hold<double>(world, pose, 300, 15);
  StepWorkspace<double> w(world);
  for (int k = 0; k < 5 / timestep; ++k) step(world, command, state, w);
  const std::vector<double> start = state.qpos;
  for (int k = 0; k < 2 / timestep; ++k) step(world, command, state, w);
  const Vec3d moved{state.qpos[0] - start[0], state.qpos[1] - start[1], state.qpos[2] - start[2]};
  EXPECT_LT(norm(moved) / 2.0, 1e-6) << "creep [m/s]";
  EXPECT_LT(rms_velocity(state), 1e-6);
}

TEST(Slope, BoxOutsideTheFrictionConeSlidesAsNewtonSays) {
  StepOptions options;
  options.timestep = 1e-3;
  CompliantGround<double> soil = table_4()[2].ground;
  soil.friction_coefficient = 0.3;
  constexpr double kSlope = 0.5;
  const World world = make_test_world("box", soil, options, make_slope(kSlope, 0));
  State<double> state = make_state<double>(world, standing_pose(world.robot));
  const Quatd q = integrate_quat(Quatd{1, 0, 0, 0}, Vec3d{0, -kSlope, 0});
  state.qpos = {-0.1 * std::sin(kSlope), 0, 0.1 * std::cos(kSlope), q.w, q.x, q.y, q.z};
  StepWorkspace<double> w(world);
  const Control<double> command = make_control<double>(world.robot);
  for (int k = 0; k < 200; ++k) step(world, command, state, w);
  const double early = norm(Vec3d{state.qvel[0], state.qvel[1], state.qvel[2]});
  for (int k = 0; k < 500; ++k) step(world, command, state, w);
  const double late = norm(Vec3d{state.qvel[0], state.qvel[1], state.qvel[2]});
  const double expected = 9.81 * (std::sin(kSlope) - 0.3 * std::cos(kSlope));
  EXPECT_NEAR((late - early) / 0.5, expected, 1e-4 * expected);
}

}  // namespace
}  // namespace footfall
