// Robots that bring out every rule of MuJoCo's kinematics and passive forces, one or two each.
#pragma once

#include <string>
#include <vector>

namespace footfall::test {

struct NamedModel {
  const char* name;
  const char* text;
};

inline const std::vector<NamedModel>& tricky_models() {
  static const std::vector<NamedModel> models = {
      {"ball_joints_with_anchors", R"(
<mujoco>
  <worldbody>
    <body pos="0 0 1" quat="0.3 0.5 -0.2 0.7">
      <freejoint/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.05 -0.02 0.1" euler="10 20 30"/>
      <body pos="0.2 0.1 -0.3" euler="30 -40 50">
        <joint type="ball" pos="0.05 -0.1 0.02" damping="0.3" armature="0.01"/>
        <geom type="capsule" size="0.05 0.2" pos="0.1 0 0" euler="0 70 0"/>
        <body pos="0 0.3 0.1" euler="5 6 7">
          <joint type="ball" pos="-0.1 0 0.03"/>
          <geom type="ellipsoid" size="0.1 0.05 0.2"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)"},
      {"several_joints_in_one_body", R"(
<mujoco>
  <worldbody>
    <body pos="0.1 0.2 0.3" euler="10 20 -30">
      <joint type="slide" axis="1 0.2 0"/>
      <joint type="slide" axis="0 1 0.5" pos="0.3 0 0"/>
      <joint type="hinge" axis="0 1 1" pos="0.1 0 0.2"/>
      <joint type="hinge" axis="1 0 0" pos="0 -0.2 0.1" ref="25"/>
      <geom type="box" size="0.1 0.1 0.2" pos="0 0.1 0"/>
      <body pos="0 0 -0.4" euler="0 0 45">
        <joint type="hinge" axis="1 2 3" pos="0.02 0.01 0"/>
        <joint type="hinge" axis="0 1 0" pos="0 0 0.1"/>
        <joint type="slide" axis="0 0 1" ref="0.2"/>
        <geom type="capsule" size="0.04 0.1"/>
        <body pos="0 0.1 0">
          <joint type="slide" axis="0 1 0"/>
          <joint type="ball" pos="0.1 0 0"/>
          <geom type="box" size="0.1 0.03 0.02" pos="0.1 0.1 0"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)"},
      {"two_trees", R"(
<mujoco>
  <option gravity="1 -2 -9"/>
  <worldbody>
    <body pos="0 0 1">
      <freejoint/>
      <geom size="0.1" pos="0.1 0 0"/>
      <body pos="0.2 0 0"><joint axis="0 1 0"/><geom size="0.05" pos="0.2 0 0"/></body>
      <body pos="-0.2 0 0"><joint axis="1 0 0"/><geom size="0.05" pos="-0.2 0 0"/></body>
    </body>
    <body pos="3 1 1">
      <joint type="slide" axis="0 0 1"/>
      <geom size="0.1"/>
      <body pos="0 0 0.3" euler="20 0 0">
        <joint axis="0 0 1" pos="0.1 0 0"/>
        <geom type="box" size="0.1 0.2 0.05"/>
      </body>
    </body>
  </worldbody>
</mujoco>)"},
      {"welded_bodies_on_a_fixed_base", R"(
<mujoco>
  <worldbody>
    <body name="base" pos="0 0 0.5" euler="0 30 0">
      <geom size="0.1" contype="0" conaffinity="0"/>
      <body name="mount" pos="0.1 0.2 0" euler="15 0 0">
        <geom size="0.05" contype="0" conaffinity="0"/>
        <body pos="0 0 0.1">
          <joint axis="0 1 0" pos="0 0 -0.05" armature="0.2"/>
          <geom type="box" size="0.05 0.05 0.2"/>
          <body pos="0 0.1 0.2" euler="0 0 60">
            <geom type="cylinder" size="0.03 0.1" pos="0.1 0 0"/>
            <body pos="0.1 0 0" euler="90 0 0">
              <inertial pos="0.01 0.02 0.03" mass="0.7"
                        fullinertia="0.02 0.03 0.025 0.001 -0.002 0.003"/>
              <geom size="0.02"/>
              <body pos="0.1 0 0"><joint axis="0 0 1"/><geom size="0.06" pos="0 0.1 0"/></body>
            </body>
          </body>
        </body>
      </body>
      <body pos="0 0 -0.2"><joint type="slide"/><geom size="0.1"/></body>
    </body>
  </worldbody>
</mujoco>)"},
      {"springs_on_all_joint_types", R"(
<mujoco>
  <worldbody>
    <body pos="0.3 -0.2 1" quat="0.9 0.1 0.2 -0.3">
      <joint type="free" stiffness="20" damping="0.5" armature="0.02"/>
      <geom type="box" size="0.1 0.2 0.1"/>
      <body pos="0.2 0 0" euler="10 20 30">
        <joint type="ball" stiffness="3" damping="0.1" pos="-0.1 0 0"/>
        <geom type="capsule" size="0.03 0.1" pos="0 0 0.1"/>
        <body pos="0 0 0.2">
          <joint axis="0 1 0" stiffness="5" springref="40" ref="10" damping="0.2"/>
          <geom size="0.05" pos="0.1 0 0"/>
          <body pos="0.2 0 0">
            <joint type="slide" axis="1 0 0" stiffness="100" springref="0.1" ref="-0.05"/>
            <geom size="0.04"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)"},
      {"gravity_compensation", R"(
<mujoco>
  <worldbody>
    <body pos="0 0 1" gravcomp="0.4">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.05" pos="0.03 0.02 0.01"/>
      <body pos="0.2 0 0" gravcomp="1">
        <joint name="lifted" axis="0 1 0" actuatorgravcomp="true"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0.2 0.1 0"/>
        <body pos="0.2 0 0" gravcomp="-0.5">
          <joint axis="1 0 0"/>
          <geom type="capsule" size="0.02" fromto="0 0 0 0.2 0 0.1"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="lifted"/></actuator>
</mujoco>)"},
      {"actuators", R"(
<mujoco>
  <worldbody>
    <body pos="0 0 1">
      <freejoint name="root"/>
      <geom type="box" size="0.2 0.1 0.05"/>
      <body pos="0.2 0 0">
        <joint name="hip" axis="0 1 0" damping="0.2" armature="0.01"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 0"/>
        <body pos="0.2 0 0">
          <joint name="knee" axis="0 1 0" actuatorfrcrange="-1 2"/>
          <geom type="capsule" size="0.02" fromto="0 0 0 0.2 0 0"/>
          <body pos="0.2 0 0">
            <joint name="rail" type="slide" axis="1 0 0" ref="0.3"/>
            <geom size="0.03"/>
            <body pos="0.1 0 0">
              <joint name="wrist" type="ball"/>
              <geom type="box" size="0.05 0.02 0.01"/>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="hip" gear="7" ctrlrange="-1 1" armature="0.003" damping="0.02"/>
    <position joint="hip" kp="30" kv="2" gear="-1.5" forcerange="-5 4"/>
    <motor joint="knee" gear="-3"/>
    <position joint="rail" kp="40" dampratio="1"/>
    <velocity joint="rail" kv="3" gear="2"/>
    <general joint="rail" gaintype="fixed" gainprm="2" biastype="affine" biasprm="0.5 -3 -0.2"/>
    <motor joint="wrist" gear="0 2 0"/>
    <velocity joint="wrist" kv="0.3" gear="0 0 -2"/>
    <motor joint="root" gear="0 0 5 0 0 0"/>
    <position joint="root" kp="3" kv="0.5" gear="0 0 0 0 1.5 0"/>
    <motor jointinparent="root" gear="4 0 0 0 0 0"/>
    <motor jointinparent="hip" gear="2"/>
  </actuator>
</mujoco>)"},
      {"nothing_moves", R"(
<mujoco><worldbody><body pos="0 0 1"><geom size="0.1"/></body></worldbody></mujoco>)"},
  };
  return models;
}

}  // namespace footfall::test
