// Actuators: stateless, affine in length and velocity, on one velocity coordinate of a joint.
#include <fmt/format.h>

#include <optional>

#include "mujoco/build.hpp"

namespace footfall::from_mujoco {
namespace {

const mjtNum* gear_of(const mjModel& m, int a) {
  return m.actuator_gear + 6 * m.actuator_outadr[a];
}

// The part of `gear` that acts, and the coordinate of the joint on which it acts. Nothing if it
// acts on several coordinates at once.
struct Transmission {
  int axis = 0;  // 0 for a hinge or slide, else 0–2 (ball) or 0–5 (free)
  double gear = 1;
};
std::optional<Transmission> find_transmission(const mjModel& m, int a) {
  const mjtNum* gear = gear_of(m, a);
  const int type = m.jnt_type[m.actuator_trnid[2 * a]];
  if (type == mjJNT_HINGE || type == mjJNT_SLIDE) return Transmission{0, gear[0]};
  const int count = type == mjJNT_FREE ? 6 : 3;
  std::optional<Transmission> found;
  for (int k = 0; k < count; ++k) {
    if (gear[k] == 0) continue;
    if (found) return std::nullopt;
    found = Transmission{k, gear[k]};
  }
  if (!found) found = Transmission{0, 0};
  return found;
}

const char* transmission_name(int type) {
  return look_up<const char*>({{mjTRN_SLIDERCRANK, "slider-crank"},
                               {mjTRN_TENDON, "tendon"},
                               {mjTRN_SITE, "site"},
                               {mjTRN_BODY, "body (adhesion)"},
                               {mjTRN_SO3, "orientation"}},
                              type, "unknown");
}

const char* dynamics_name(int type) {
  return look_up<const char*>({{mjDYN_INTEGRATOR, "integrator"},
                               {mjDYN_FILTER, "filter (time constant)"},
                               {mjDYN_FILTEREXACT, "filter (time constant)"},
                               {mjDYN_MUSCLE, "muscle"},
                               {mjDYN_DCMOTOR, "DC motor"},
                               {mjDYN_PID, "PID"}},
                              type, "user");
}

// How many actuators act on the joint?
int actuators_on(const mjModel& m, int joint) {
  int count = 0;
  for (int a = 0; a < m.nactuator; ++a) {
    const int type = m.actuator_trntype[a];
    const bool on_joint = type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT;
    if (on_joint && m.actuator_trnid[2 * a] == joint) ++count;
  }
  return count;
}

std::optional<std::string> unsupported_joint(const mjModel& m, int a) {
  const int joint = m.actuator_trnid[2 * a];
  const int type = m.jnt_type[joint];
  if (m.jnt_actfrclimited[joint] && actuators_on(m, joint) > 1) {
    return fmt::format("shares the actuatorfrcrange of {} with another actuator",
                       label(m, mjOBJ_JOINT, joint));
  }
  if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
    if (gear_of(m, a)[0] == 0) return "gear of 0";
    return std::nullopt;
  }
  const std::optional<Transmission> t = find_transmission(m, a);
  if (!t) return "gear along several axes of a free or ball joint";
  if (t->gear == 0) return "gear of 0";
  const bool rotation = type == mjJNT_BALL || t->axis >= 3;
  if (m.actuator_trntype[a] == mjTRN_JOINTINPARENT && rotation) {
    return "torque in the parent's frame (jointinparent) on a free or ball joint";
  }
  if (type == mjJNT_BALL && m.actuator_biastype[a] == mjBIAS_AFFINE &&
      m.actuator_biasprm[mjNBIAS * a + 1] != 0) {
    return "position servo on a ball joint";
  }
  if (m.actuator_damping[a] != 0 || m.actuator_armature[a] != 0) {
    return "damping or armature of an actuator on a free or ball joint";
  }
  return std::nullopt;
}

std::optional<std::string> unsupported_law(const mjModel& m, int a) {
  const mjtNum* gain = m.actuator_gainprm + mjNGAIN * a;
  const int gain_type = m.actuator_gaintype[a];
  if (m.actuator_plugin[a] >= 0) return "plugin";
  if (m.actuator_dyntype[a] != mjDYN_NONE) {
    return fmt::format("activation dynamics of type {}", dynamics_name(m.actuator_dyntype[a]));
  }
  if (gain_type == mjGAIN_AFFINE && (gain[1] != 0 || gain[2] != 0)) {
    return "gain that depends on length or velocity";
  }
  if (gain_type != mjGAIN_FIXED && gain_type != mjGAIN_AFFINE) return "gain that is not constant";
  if (m.actuator_biastype[a] != mjBIAS_NONE && m.actuator_biastype[a] != mjBIAS_AFFINE) {
    return "bias that is not affine";
  }
  if (m.actuator_delay[a] > 0) return fmt::format("delay of {} s", m.actuator_delay[a]);
  for (int k = 0; k < mjNPOLY; ++k) {
    if (m.actuator_dampingpoly[mjNPOLY * a + k] != 0) return "nonlinear damping";
  }
  const int group = m.actuator_group[a];
  if (group >= 0 && group < 31 && ((m.opt.disableactuator >> group) & 1) != 0) {
    return fmt::format("its group {} is switched off by actuatorgroupdisable", group);
  }
  return std::nullopt;
}

}  // namespace

void find_unsupported_actuators(const mjModel& m, std::vector<std::string>& problems) {
  for (int a = 0; a < m.nactuator; ++a) {
    const int transmission = m.actuator_trntype[a];
    std::optional<std::string> why;
    if (transmission != mjTRN_JOINT && transmission != mjTRN_JOINTINPARENT) {
      why = fmt::format("{} transmission", transmission_name(transmission));
    } else {
      why = unsupported_law(m, a);
      if (!why) why = unsupported_joint(m, a);
    }
    if (why) problems.push_back(fmt::format("{} ({})", label(m, mjOBJ_ACTUATOR, a), *why));
  }
}

void build_actuators(const mjModel& m, RobotModel& model) {
  for (int a = 0; a < m.nactuator; ++a) {
    const Transmission t = find_transmission(m, a).value_or(Transmission{});
    Actuator actuator;
    actuator.name = name_or_index(m, mjOBJ_ACTUATOR, a, a);
    actuator.joint = m.actuator_trnid[2 * a];
    actuator.dof = model.joints[actuator.joint].v_index + t.axis;
    actuator.gear = t.gear;
    actuator.gain = m.actuator_gainprm[mjNGAIN * a];
    if (m.actuator_biastype[a] == mjBIAS_AFFINE) {
      const mjtNum* bias = m.actuator_biasprm + mjNBIAS * a;
      actuator.bias0 = bias[0];
      // The length of a transmission on a free joint is zero by definition.
      if (model.joints[actuator.joint].type != JointType::free) actuator.bias1 = bias[1];
      actuator.bias2 = bias[2];
    }
    const int u = m.actuator_ctrladr[a];
    actuator.control_limited = m.actuator_ctrllimited[u];
    actuator.control_lower = m.actuator_ctrlrange[2 * u];
    actuator.control_upper = m.actuator_ctrlrange[2 * u + 1];
    actuator.force_limited = m.actuator_forcelimited[a];
    actuator.force_lower = m.actuator_forcerange[2 * a];
    actuator.force_upper = m.actuator_forcerange[2 * a + 1];
    // MuJoCo keeps the rotor's armature and damping apart and adds them, times gear², in each step.
    model.dofs[actuator.dof].armature += m.actuator_armature[a] * t.gear * t.gear;
    model.dofs[actuator.dof].damping += m.actuator_damping[a] * t.gear * t.gear;
    model.actuators.push_back(actuator);
  }
}

}  // namespace footfall::from_mujoco
