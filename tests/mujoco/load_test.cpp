// The robot that is built, against the file's own numbers and MuJoCo's model.
#include <gmock/gmock.h>
#include <mujoco/mujoco.h>

#include <cmath>

#include "mujoco/model_text.hpp"
#include "mujoco/tricky_models.hpp"

namespace footfall {
// As GoogleTest prints and compares them.
bool operator==(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
void PrintTo(const Vec3d& a, std::ostream* out) {
  *out << "(" << a.x << ", " << a.y << ", " << a.z << ")";
}
}  // namespace footfall

namespace footfall::test {
namespace {

using ::testing::ElementsAre;

constexpr double kDegree = M_PI / 180;

Vec3d vec3(const mjtNum* x) { return {x[0], x[1], x[2]}; }

// ---- every model: the same tree as MuJoCo's ----

std::vector<std::string> all_model_texts() {
  std::vector<std::string> texts;
  for (const NamedModel& model : tricky_models()) texts.emplace_back(model.text);
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(FOOTFALL_SOURCE_DIR) / "robots")) {
    if (entry.path().extension() != ".xml") continue;
    std::ifstream in(entry.path());
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

void expect_same_bodies(const RobotModel& ours, const mjModel& m) {
  ASSERT_EQ(ours.body_count(), m.nbody);
  for (int b = 0; b < m.nbody; ++b) {
    const Body& body = ours.bodies[b];
    EXPECT_EQ(body.parent, m.body_parentid[b]);
    EXPECT_EQ(body.root, m.body_rootid[b]);
    EXPECT_EQ(body.position, vec3(m.body_pos + 3 * b));
    EXPECT_EQ(body.mass, m.body_mass[b]);
    EXPECT_EQ(body.com, vec3(m.body_ipos + 3 * b));
    EXPECT_EQ(body.gravity_compensation, m.body_gravcomp[b]);
    EXPECT_EQ(body.joint_count, m.body_jntnum[b]);
    if (body.joint_count > 0) {
      EXPECT_EQ(body.first_joint, m.body_jntadr[b]);
    }
    mjtNum R_PB[9];  // by rows
    mju_quat2Mat(R_PB, m.body_quat + 4 * b);
    EXPECT_NEAR(norm(body.rotation.x - Vec3d{R_PB[0], R_PB[3], R_PB[6]}), 0, 1e-15);
    EXPECT_NEAR(norm(body.rotation.z - Vec3d{R_PB[2], R_PB[5], R_PB[8]}), 0, 1e-15);
  }
}

void expect_same_joints(const RobotModel& ours, const mjModel& m) {
  ASSERT_EQ(static_cast<mjtSize>(ours.joints.size()), m.njnt);
  ASSERT_EQ(ours.velocity_size(), m.nv);
  ASSERT_EQ(ours.position_size(), m.nq);
  for (int j = 0; j < m.njnt; ++j) {
    const Joint& joint = ours.joints[j];
    EXPECT_EQ(joint.body, m.jnt_bodyid[j]);
    EXPECT_EQ(joint.q_index, m.jnt_qposadr[j]);
    EXPECT_EQ(joint.v_index, m.jnt_dofadr[j]);
    EXPECT_EQ(joint.axis, vec3(m.jnt_axis + 3 * j));
    EXPECT_EQ(joint.anchor, vec3(m.jnt_pos + 3 * j));
    EXPECT_EQ(joint.stiffness, m.jnt_stiffness[j]);
    EXPECT_EQ(joint.limited, m.jnt_limited[j]);
  }
  for (int d = 0; d < m.nv; ++d) {
    EXPECT_EQ(ours.dofs[d].joint, m.dof_jntid[d]);
    EXPECT_EQ(ours.dofs[d].body, m.dof_bodyid[d]);
    EXPECT_EQ(ours.dofs[d].parent, m.dof_parentid[d]);
    EXPECT_EQ(ours.dofs[d].friction_loss, m.dof_frictionloss[d]);
  }
}

TEST(Load, EveryModelHasMuJoCosTree) {
  for (const std::string& text : all_model_texts()) {
    const TextFile file(text);
    const MjModelPtr theirs = load_mujoco_model(file.path());
    const RobotModel ours = build_robot(*theirs, "robot");
    SCOPED_TRACE(ours.name);
    expect_same_bodies(ours, *theirs);
    expect_same_joints(ours, *theirs);
    EXPECT_EQ(ours.actuators.size(), static_cast<std::size_t>(theirs->nu));
    EXPECT_EQ(ours.keyframes.size(), static_cast<std::size_t>(theirs->nkey));
  }
}

TEST(Load, OurRobotsLoadWithoutWarnings) {
  for (const char* name : {"ball", "box", "single_foot", "quadruped", "humanoid", "biped",
                           "robosimian", "robosimian_planar"}) {
    const RobotModel model = load_robot(robot_file(name));
    EXPECT_THAT(model.warnings, ElementsAre()) << name;
    EXPECT_EQ(model.name, name);
    EXPECT_EQ(model.source_file, robot_file(name).string());
    EXPECT_GE(model.find_keyframe("stand"), 0) << name;
  }
}

// ---- one model, its fields by the numbers of the file ----

class LoadFields : public ::testing::Test {
 protected:
  const RobotModel model = load_text(R"(
<mujoco model="fields">
  <option gravity="0.1 0.2 -9.7" timestep="0.004"/>
  <asset><material name="red" rgba="0.9 0.1 0.2 1"/></asset>
  <worldbody>
    <body name="trunk" pos="0.1 0.2 0.3" quat="0 1 0 0" gravcomp="0.25">
      <joint name="root" type="free" stiffness="2" frictionloss="0.5"/>
      <inertial pos="0.01 0.02 0.03" mass="3" fullinertia="0.04 0.05 0.06 0.001 0.002 -0.003"/>
      <geom name="shell" type="ellipsoid" size="0.1 0.2 0.3" material="red" friction="0.7"/>
      <body name="arm" pos="0 0 -0.2">
        <joint name="ball" type="ball" stiffness="3"/>
        <joint name="extend" type="slide" axis="0 0 2" range="-0.1 0.4" ref="0.05"
               springref="0.15" stiffness="7" armature="0.3"/>
        <geom size="0.1 0.05" type="capsule" pos="0 0.1 0" euler="90 0 0" rgba="0 1 0 0.5"/>
        <body>
          <joint name="wrist" axis="0 3 4" pos="0.01 0 0" range="-30 90" ref="15" springref="20"
                 damping="0.6" frictionloss="0.7" armature="0.8" actuatorfrcrange="-4 5"/>
          <geom name="mark" type="box" size="0.1 0.1 0.1" contype="0" conaffinity="0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="torque" joint="wrist" gear="-2" ctrlrange="-1 1.5" forcerange="-8 9"
           armature="0.1" damping="0.2"/>
    <position name="rail" joint="extend" kp="50" kv="4" gear="3"/>
    <velocity name="spin" joint="ball" kv="5" gear="0 0 6"/>
    <general name="push" joint="root" gear="0 7 0 0 0 0" gainprm="2" biastype="affine"
             biasprm="0.1 0.2 0.3"/>
  </actuator>
  <keyframe>
    <key name="stand" qpos="1 2 3 0 0 1 0 1 0 0 0 0.1 0.2" qvel="1 2 3 4 5 6 7 8 9 10 11"
         ctrl="0.1 0.2 0.3 0.4"/>
    <key/>
  </keyframe>
</mujoco>)");
};

TEST_F(LoadFields, Whole) {
  EXPECT_EQ(model.name, "fields");
  EXPECT_EQ(model.gravity, (Vec3d{0.1, 0.2, -9.7}));
  EXPECT_EQ(model.file_timestep, 0.004);
  EXPECT_EQ(model.position_size(), 13);
  EXPECT_EQ(model.velocity_size(), 11);
  EXPECT_EQ(model.find_body("arm"), 2);
  EXPECT_EQ(model.find_body("nobody"), -1);
  EXPECT_EQ(model.find_geom("mark"), 2);
  EXPECT_EQ(model.find_keyframe("stand"), 0);
  EXPECT_EQ(model.bodies[0].name, "world");
  EXPECT_EQ(model.bodies[3].name, "body_3");
  EXPECT_EQ(model.geoms[1].name, "geom_1");
  EXPECT_EQ(model.keyframes[1].name, "key_1");
}

TEST_F(LoadFields, BodyInertiaIsInBodyAxes) {
  const Body& trunk = model.bodies[1];
  EXPECT_EQ(trunk.mass, 3);
  EXPECT_EQ(trunk.com, (Vec3d{0.01, 0.02, 0.03}));
  EXPECT_NEAR(trunk.inertia.xx, 0.04, 1e-15);
  EXPECT_NEAR(trunk.inertia.yy, 0.05, 1e-15);
  EXPECT_NEAR(trunk.inertia.zz, 0.06, 1e-15);
  EXPECT_NEAR(trunk.inertia.xy, 0.001, 1e-15);
  EXPECT_NEAR(trunk.inertia.xz, 0.002, 1e-15);
  EXPECT_NEAR(trunk.inertia.yz, -0.003, 1e-15);
  EXPECT_EQ(trunk.gravity_compensation, 0.25);
  EXPECT_EQ(trunk.quat.x, 1);
  EXPECT_EQ(trunk.rotation.y.y, -1);
}

TEST_F(LoadFields, FreeJoint) {
  const Joint& root = model.joints[0];
  EXPECT_EQ(root.type, JointType::free);
  EXPECT_EQ(root.stiffness, 2);
  EXPECT_EQ(root.spring_ref_position, (Vec3d{0.1, 0.2, 0.3}));
  EXPECT_EQ(root.spring_ref_quat.x, 1);
  for (int d = 0; d < 6; ++d) EXPECT_EQ(model.dofs[d].friction_loss, 0.5);
}

TEST_F(LoadFields, BallJoint) {
  const Joint& ball = model.joints[1];
  EXPECT_EQ(ball.type, JointType::ball);
  EXPECT_EQ(ball.q_index, 7);
  EXPECT_EQ(ball.v_index, 6);
  EXPECT_FALSE(ball.limited);
  EXPECT_EQ(ball.stiffness, 3);
  EXPECT_EQ(ball.spring_ref_quat.w, 1);
}

TEST_F(LoadFields, SlideJoint) {
  const Joint& slide = model.joints[2];
  EXPECT_EQ(slide.type, JointType::slide);
  EXPECT_EQ(slide.axis, (Vec3d{0, 0, 1}));
  EXPECT_EQ(slide.q0, 0.05);
  EXPECT_EQ(slide.spring_ref, 0.15);
  EXPECT_EQ(slide.stiffness, 7);
  EXPECT_EQ(slide.lower, -0.1);
  EXPECT_EQ(slide.upper, 0.4);
  EXPECT_EQ(model.dofs[9].armature, 0.3);
  EXPECT_EQ(model.dofs[9].parent, 8);
}

TEST_F(LoadFields, HingeJointCarriesItsRotor) {
  const Joint& wrist = model.joints[3];
  EXPECT_EQ(wrist.type, JointType::hinge);
  EXPECT_NEAR(norm(wrist.axis - Vec3d{0, 0.6, 0.8}), 0, 1e-15);
  EXPECT_EQ(wrist.anchor, (Vec3d{0.01, 0, 0}));
  EXPECT_NEAR(wrist.q0, 15 * kDegree, 1e-15);
  EXPECT_NEAR(wrist.spring_ref, 20 * kDegree, 1e-15);
  EXPECT_NEAR(wrist.lower, -30 * kDegree, 1e-15);
  EXPECT_NEAR(wrist.upper, 90 * kDegree, 1e-15);
  EXPECT_TRUE(wrist.actuator_force_limited);
  EXPECT_EQ(wrist.actuator_force_lower, -4);
  EXPECT_EQ(wrist.actuator_force_upper, 5);
  EXPECT_NEAR(model.dofs[10].armature, 0.8 + 0.1 * 4, 1e-15);
  EXPECT_NEAR(model.dofs[10].damping, 0.6 + 0.2 * 4, 1e-15);
  EXPECT_EQ(model.dofs[10].friction_loss, 0.7);
}

TEST_F(LoadFields, Motor) {
  const Actuator& motor = model.actuators[0];
  EXPECT_EQ(motor.name, "torque");
  EXPECT_EQ(motor.joint, 3);
  EXPECT_EQ(motor.dof, 10);
  EXPECT_EQ(motor.gear, -2);
  EXPECT_EQ(motor.gain, 1);
  EXPECT_EQ(motor.bias0, 0);
  EXPECT_EQ(motor.bias1, 0);
  EXPECT_EQ(motor.bias2, 0);
  EXPECT_TRUE(motor.control_limited);
  EXPECT_EQ(motor.control_lower, -1);
  EXPECT_EQ(motor.control_upper, 1.5);
  EXPECT_TRUE(motor.force_limited);
  EXPECT_EQ(motor.force_lower, -8);
  EXPECT_EQ(motor.force_upper, 9);
}

TEST_F(LoadFields, Servos) {
  const Actuator& position = model.actuators[1];
  EXPECT_EQ(position.dof, 9);
  EXPECT_EQ(position.gear, 3);
  EXPECT_EQ(position.gain, 50);
  EXPECT_EQ(position.bias1, -50);
  EXPECT_EQ(position.bias2, -4);
  EXPECT_FALSE(position.control_limited);
  EXPECT_FALSE(position.force_limited);

  const Actuator& velocity = model.actuators[2];
  EXPECT_EQ(velocity.dof, 8) << "the third axis of the ball";
  EXPECT_EQ(velocity.gear, 6);
  EXPECT_EQ(velocity.gain, 5);
  EXPECT_EQ(velocity.bias1, 0);
  EXPECT_EQ(velocity.bias2, -5);

  const Actuator& push = model.actuators[3];
  EXPECT_EQ(push.dof, 1);
  EXPECT_EQ(push.gear, 7);
  EXPECT_EQ(push.gain, 2);
  EXPECT_EQ(push.bias0, 0.1);
  EXPECT_EQ(push.bias1, 0) << "a free joint has no length";
  EXPECT_EQ(push.bias2, 0.3);
}

TEST_F(LoadFields, Keyframes) {
  const Keyframe& stand = model.keyframes[0];
  EXPECT_THAT(stand.qpos, ElementsAre(1, 2, 3, 0, 0, 1, 0, 1, 0, 0, 0, 0.1, 0.2));
  EXPECT_THAT(stand.qvel, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_THAT(stand.control, ElementsAre(0.1, 0.2, 0.3, 0.4));
  EXPECT_EQ(model.keyframes[1].qpos, model.qpos0);
}

TEST_F(LoadFields, Geoms) {
  const Geom& shell = model.geoms[0];
  EXPECT_EQ(shell.type, GeomType::ellipsoid);
  EXPECT_EQ(shell.size, (Vec3d{0.1, 0.2, 0.3}));
  EXPECT_EQ(shell.friction, 0.7);
  EXPECT_TRUE(shell.collides);
  EXPECT_THAT(shell.rgba, ElementsAre(0.9F, 0.1F, 0.2F, 1.0F));

  const Geom& capsule = model.geoms[1];
  EXPECT_EQ(capsule.type, GeomType::capsule);
  EXPECT_EQ(capsule.body, 2);
  EXPECT_EQ(capsule.size.x, 0.1);
  EXPECT_EQ(capsule.size.y, 0.05);
  EXPECT_EQ(capsule.position, (Vec3d{0, 0.1, 0}));
  EXPECT_NEAR(norm(capsule.rotation.z - Vec3d{0, -1, 0}), 0, 1e-15);
  EXPECT_THAT(capsule.rgba, ElementsAre(0.0F, 1.0F, 0.0F, 0.5F));

  EXPECT_EQ(model.geoms[2].type, GeomType::box);
  EXPECT_FALSE(model.geoms[2].collides);
}

}  // namespace
}  // namespace footfall::test
