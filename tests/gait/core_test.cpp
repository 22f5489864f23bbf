// Legs, their inverse kinematics, non-negative least squares and whole-body torques.
#include <gtest/gtest.h>

#include <random>

#include "footfall/gait/leg_ik.hpp"
#include "footfall/gait/whole_body.hpp"
#include "footfall/mujoco/load.hpp"
#include "footfall/robot/dynamics.hpp"
#include "footfall/robot/feet.hpp"
#include "gait/nonnegative.hpp"

namespace footfall {
namespace {

struct Loaded {
  RobotModel model;
  LeggedRobot legged;
};

Loaded load_legged(const std::string& name) {
  Loaded out;
  out.model = load_robot(std::string(FOOTFALL_SOURCE_DIR) + "/robots/" + name + ".xml");
  const std::vector<double>& pose = standing_pose(out.model);
  out.legged = find_legs(out.model, make_soles(out.model, find_feet(out.model), false, pose), pose);
  return out;
}

TEST(Legs, OfOurRobots) {
  const Loaded quadruped = load_legged("quadruped");
  ASSERT_EQ(quadruped.legged.legs.size(), 4U);
  for (const Leg& leg : quadruped.legged.legs) {
    EXPECT_EQ(leg.joints.size(), 3U);
    EXPECT_EQ(leg.corners.size(), 1U);
    EXPECT_FALSE(leg.is_flat());
  }
  const Loaded biped = load_legged("biped");
  ASSERT_EQ(biped.legged.legs.size(), 2U);
  RobotData<double> data(biped.model);
  compute_positions(biped.model, biped.legged.pose.data(), data);
  for (const Leg& leg : biped.legged.legs) {
    EXPECT_EQ(leg.joints.size(), 7U);
    ASSERT_EQ(leg.corners.size(), 4U);
    EXPECT_NEAR(sole_position(data, leg).x, 0.03, 1e-9);
    EXPECT_NEAR(sole_position(data, leg).z, 0, 1e-9);  // the keyframe stands on the ground
    for (const Vec3d& corner : leg.corners) {
      const Vec3d d = corner - leg.p_BS;
      EXPECT_NEAR(std::abs(d.x), 0.11, 1e-12);
      EXPECT_NEAR(std::abs(d.y), 0.055, 1e-12);
    }
  }
  EXPECT_EQ(load_legged("humanoid").legged.legs[1].joints.size(), 6U);
}

// A sole of four balls is flat: the robot can stand on it.
TEST(Legs, AFootOfSeveralShapesHasTheirCorners) {
  RobotModel biped = load_robot(std::string(FOOTFALL_SOURCE_DIR) + "/robots/biped.xml");
  std::vector<std::vector<int>> feet;
  for (const char* name : {"left_foot", "right_foot"}) {
    const Geom box = biped.geoms[biped.find_geom(name)];
    biped.geoms[biped.find_geom(name)].collides = false;
    std::vector<int>& foot = feet.emplace_back();
    for (const double x : {-0.1, 0.1}) {
      for (const double y : {-0.05, 0.05}) {
        Geom ball = box;
        ball.type = GeomType::sphere;
        ball.size = {0.005, 0, 0};
        ball.position += Vec3d{x, y, -0.01};
        foot.push_back(static_cast<int>(biped.geoms.size()));
        biped.geoms.push_back(ball);
      }
    }
  }
  const std::vector<double>& pose = standing_pose(biped);
  const LeggedRobot robot = find_legs(biped, make_joined_soles(biped, feet, true, pose), pose);
  ASSERT_EQ(robot.legs.size(), 2U);
  for (const Leg& leg : robot.legs) {
    EXPECT_TRUE(leg.is_flat());
    ASSERT_EQ(leg.corners.size(), 4U);
    for (const Vec3d& corner : leg.corners) {
      EXPECT_NEAR(std::abs(corner.x - leg.p_BS.x), 0.1, 1e-9);
      EXPECT_NEAR(std::abs(corner.y - leg.p_BS.y), 0.05, 1e-9);
    }
  }
}

// A robot that starts on a slope, or heads elsewhere, has the same legs.
TEST(Legs, DoNotDependOnWhereItStands) {
  const Loaded biped = load_legged("biped");
  std::vector<double> pose = biped.legged.pose;
  const Quatd turned =
      integrate_quat(Quatd{std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, Vec3d{0.1, 0.2, 0});
  pose[3] = turned.w, pose[4] = turned.x, pose[5] = turned.y, pose[6] = turned.z;
  const Soles soles =
      make_soles(biped.model, find_feet(biped.model), false, standing_pose(biped.model));
  const LeggedRobot moved = find_legs(biped.model, soles, pose);
  for (std::size_t i = 0; i < 2; ++i) {
    const Leg &a = biped.legged.legs[i], &b = moved.legs[i];
    EXPECT_LT(norm(a.p_BS - b.p_BS), 1e-12);
    EXPECT_LT(norm(a.R_BS.x - b.R_BS.x) + norm(a.R_BS.z - b.R_BS.z), 1e-12);
    ASSERT_EQ(b.corners.size(), 4U);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_LT(norm(a.corners[k] - b.corners[k]), 1e-12);
  }
}

TEST(LegIk, FindsPosesBack) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-0.25, 0.25);
  for (const char* name : {"quadruped", "biped", "humanoid"}) {
    const Loaded robot = load_legged(name);
    RobotData<double> data(robot.model);
    for (int trial = 0; trial < 50; ++trial) {
      for (const Leg& leg : robot.legged.legs) {
        std::vector<double> goal = robot.legged.pose;
        for (std::size_t i = 0; i < leg.q.size(); ++i) {
          const Joint& joint = robot.model.joints[leg.joints[i]];
          goal[leg.q[i]] = std::clamp(goal[leg.q[i]] + angle(random), joint.lower, joint.upper);
        }
        compute_positions(robot.model, goal.data(), data);
        const SoleTarget target{sole_position(data, leg), sole_rotation(data, leg)};
        std::vector<double> q = robot.legged.pose;
        const IkResult result = solve_leg(robot.model, leg, target, data, q);
        EXPECT_TRUE(result.reached) << name << " " << leg.name << " " << result.position_error;
      }
    }
  }
}

TEST(LegIk, SaysWhatIsOutOfReach) {
  const Loaded robot = load_legged("quadruped");
  RobotData<double> data(robot.model);
  std::vector<double> q = robot.legged.pose;
  const Leg& leg = robot.legged.legs[0];
  const IkResult result = solve_leg(robot.model, leg, {{0.19, 0.135, -0.5}, {}}, data, q);
  EXPECT_FALSE(result.reached);
  EXPECT_NEAR(result.position_error, 0.8 - 0.4 - 0.02 - 0.0013, 2e-3);  // the straight leg's end
}

TEST(LegIk, VelocityIsThePositionsRate) {
  const Loaded robot = load_legged("biped");
  const Leg& leg = robot.legged.legs[0];
  RobotData<double> data(robot.model);
  std::vector<double> v(robot.model.dofs.size(), 0.0);
  v[0] = 0.2;
  v[4] = 0.1;
  compute_positions(robot.model, robot.legged.pose.data(), data);
  const Vec3d wanted{0.3, -0.1, 0.05}, turning{0.1, -0.2, 0.3};
  solve_leg_velocity(robot.model, data, leg, wanted, turning, v);
  compute_velocities(robot.model, v.data(), data);
  EXPECT_LT(norm(sole_velocity(robot.model, data, leg) - wanted), 1e-4);  // the damping's part
  EXPECT_LT(norm(data.V[leg.body].ang - turning), 1e-3);
}

// The conditions that only the solution meets: x ≥ 0, slope ≥ 0, one of them zero.
TEST(Nonnegative, MeetsItsConditions) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  NonnegativeVector x;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 4 + 4 * (trial % 8), m = 6;
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(m, n, [&] { return normal(random); });
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(m, [&] { return 10 * normal(random); });
    const NonnegativeMatrix H = A.transpose() * A + 1e-4 * Eigen::MatrixXd::Identity(n, n);
    const NonnegativeVector g = A.transpose() * b;
    ASSERT_TRUE(solve_nonnegative(H, g, x));  // often from the last problem's solution
    const Eigen::VectorXd slope = H * x - g;
    const double scale = g.cwiseAbs().maxCoeff();
    for (int i = 0; i < n; ++i) {
      EXPECT_GE(x[i], 0);
      EXPECT_GE(slope[i], -1e-9 * scale);
      EXPECT_LT(std::abs(x[i] * slope[i]), 1e-8 * scale * std::max(1.0, x[i]));
    }
  }
}

// With the forces found, forward dynamics gives the wanted accelerations back.
TEST(WholeBody, ForcesAndTorquesGiveTheWantedMotion) {
  for (const char* name : {"quadruped", "biped", "humanoid"}) {
    const Loaded robot = load_legged(name);
    const RobotModel& model = robot.model;
    const auto nv = model.dofs.size();
    RobotData<double> data(model);
    std::vector<double> v(nv, 0.0), a(nv, 0.0);
    for (std::size_t i = 0; i < nv; ++i) {
      v[i] = 0.1 * std::sin(static_cast<double>(i));
      a[i] = i < 6 ? 0 : 0.1 * std::cos(static_cast<double>(i));
    }
    a[0] = 0.3;
    a[2] = -0.4;
    compute_positions(model, robot.legged.pose.data(), data);
    compute_velocities(model, v.data(), data);
    std::vector<StancePoint> stance;
    for (const Leg& leg : robot.legged.legs) {
      for (const Vec3d& c : leg.corners) {
        stance.push_back({leg.body, data.p_WB[leg.body] + data.R_WB[leg.body] * c});
      }
    }
    WholeBody whole(model, robot.legged, {.moment_length = 0.1, .effort = 1e-9});
    whole.solve(model, data, a, stance);
    const double weight = 9.81 * robot.legged.mass;
    EXPECT_LT(whole.missing_force(), 1e-6 * weight) << name;
    std::vector<double> force = whole.torque();
    double up = 0;
    for (std::size_t i = 0; i < stance.size(); ++i) {
      const Vec3d f = whole.forces()[i];
      up += f.z;
      EXPECT_LE(std::abs(f.x) + std::abs(f.y), 0.6 * f.z + 1e-9 * weight);
      std::vector<double> J(6 * nv);
      point_jacobian(model, data, stance[i].body, stance[i].position, J.data());
      for (std::size_t d = 0; d < nv; ++d) {
        force[d] += J[3 * nv + d] * f.x + J[4 * nv + d] * f.y + J[5 * nv + d] * f.z;
      }
    }
    EXPECT_GT(up, 0.9 * weight);
    ArticulatedSweep<double> sweep(model);
    forward_dynamics(model, data, force.data(), sweep);
    for (std::size_t d = 0; d < nv; ++d) EXPECT_NEAR(sweep.solution[d], a[d], 1e-4) << name;
  }
}

}  // namespace
}  // namespace footfall
