// What a robot's file may ask for and Footfall does not simulate.
#include <fmt/format.h>

#include "mujoco/build.hpp"

namespace footfall::from_mujoco {
namespace {

using Problems = std::vector<std::string>;

void add(const mjModel& m, mjtObj kind, int id, const char* why, Problems& problems) {
  problems.push_back(fmt::format("{} ({})", label(m, kind, id), why));
}

bool any_nonzero(const mjtNum* x, int count) {
  for (int i = 0; i < count; ++i) {
    if (x[i] != 0) return true;
  }
  return false;
}

const char* equality_name(int type) {
  switch (type) {
  case mjEQ_CONNECT:
    return "connect: a closed loop";
  case mjEQ_WELD:
    return "weld";
  case mjEQ_JOINT:
    return "joint coupling";
  case mjEQ_TENDON:
    return "tendon coupling";
  default:
    return "flex";
  }
}

// Why a tendon changes the motion; null if it only watches. Actuators on tendons are named as
// actuators.
const char* tendon_effect(const mjModel& m, int t) {
  if (m.tendon_limited[t]) return "length limits";
  if (m.tendon_stiffness[t] != 0) return "stiffness";
  if (any_nonzero(m.tendon_stiffnesspoly + mjNPOLY * t, mjNPOLY)) return "nonlinear stiffness";
  if (m.tendon_damping[t] != 0) return "damping";
  if (any_nonzero(m.tendon_dampingpoly + mjNPOLY * t, mjNPOLY)) return "nonlinear damping";
  if (m.tendon_frictionloss[t] != 0) return "frictionloss";
  if (m.tendon_armature[t] != 0) return "armature";
  if (m.tendon_springyield[t] != 0) return "springyield";
  return nullptr;
}

void find_joint_problems(const mjModel& m, Problems& problems) {
  for (int j = 0; j < m.njnt; ++j) {
    if (any_nonzero(m.jnt_stiffnesspoly + mjNPOLY * j, mjNPOLY)) {
      add(m, mjOBJ_JOINT, j, "nonlinear stiffness", problems);
    }
    if (m.jnt_type[j] == mjJNT_BALL && m.jnt_limited[j]) {
      add(m, mjOBJ_JOINT, j, "range of a ball joint", problems);
    }
    if (m.jnt_springyield[j] > 0) {
      add(m, mjOBJ_JOINT, j, "springyield: a plastic spring", problems);
    }
    // All dofs of a joint share the same damping.
    if (any_nonzero(m.dof_dampingpoly + mjNPOLY * m.jnt_dofadr[j], mjNPOLY)) {
      add(m, mjOBJ_JOINT, j, "nonlinear damping", problems);
    }
    // Gravity compensation by actuators is the same force, except where MuJoCo limits or omits it.
    if (m.jnt_actgravcomp[j] && m.ngravcomp > 0 && m.jnt_actfrclimited[j]) {
      add(m, mjOBJ_JOINT, j, "actuatorgravcomp together with actuatorfrcrange", problems);
    }
    if (m.jnt_actgravcomp[j] && m.ngravcomp > 0 && m.nactuator == 0) {
      add(m, mjOBJ_JOINT, j, "actuatorgravcomp, which MuJoCo ignores without actuators", problems);
    }
  }
}

void find_geom_problems(const mjModel& m, Problems& problems) {
  for (int g = 0; g < m.ngeom; ++g) {
    if (is_static(m, m.geom_bodyid[g])) continue;
    if (m.geom_type[g] == mjGEOM_SDF) {
      add(m, mjOBJ_GEOM, g, "signed distance field", problems);
    }
    if (m.geom_adhesion[g] != 0) add(m, mjOBJ_GEOM, g, "adhesion", problems);
    if (any_nonzero(m.geom_surfacevel + 6 * g, 6)) add(m, mjOBJ_GEOM, g, "surfacevel", problems);
  }
}

// Excluded pairs of links change nothing, for Footfall has no contact between links.
void find_contact_problems(const mjModel& m, Problems& problems) {
  for (int e = 0; e < m.nexclude; ++e) {
    const int body1 = m.exclude_signature[e] >> 16;
    const int body2 = m.exclude_signature[e] & 0xFFFF;
    if (is_static(m, body1) != is_static(m, body2)) {
      add(m, mjOBJ_EXCLUDE, e, "a body that the ground does not touch", problems);
    }
  }
}

}  // namespace

void find_unsupported_elements(const mjModel& m, Problems& problems) {
  for (int i = 0; i < m.nplugin; ++i) add(m, mjOBJ_PLUGIN, i, "plugin", problems);
  for (int i = 0; i < m.nflex; ++i) add(m, mjOBJ_FLEX, i, "deformable", problems);
  for (int i = 0; i < m.neq; ++i) {
    if (m.eq_active0[i]) add(m, mjOBJ_EQUALITY, i, equality_name(m.eq_type[i]), problems);
  }
  for (int i = 0; i < m.ntendon; ++i) {
    if (const char* effect = tendon_effect(m, i)) add(m, mjOBJ_TENDON, i, effect, problems);
  }
  for (int i = 0; i < m.nbody; ++i) {
    if (m.body_mocapid[i] >= 0) add(m, mjOBJ_BODY, i, "mocap", problems);
  }
  find_joint_problems(m, problems);
  find_geom_problems(m, problems);
  find_contact_problems(m, problems);
}

void find_unsupported_options(const mjModel& m, Problems& problems) {
  const auto add_value = [&](const char* key, double value) {
    problems.push_back(fmt::format("option {}=\"{}\" (forces of a fluid)", key, value));
  };
  if (m.opt.density != 0) add_value("density", m.opt.density);
  if (m.opt.viscosity != 0) add_value("viscosity", m.opt.viscosity);

  struct Flag {
    int bit;
    const char* name;
  };
  // The other flags steer MuJoCo's solver and change nothing here.
  const Flag flags[] = {{mjDSBL_CONSTRAINT, "constraint"}, {mjDSBL_FRICTIONLOSS, "frictionloss"},
                        {mjDSBL_LIMIT, "limit"},           {mjDSBL_CONTACT, "contact"},
                        {mjDSBL_SPRING, "spring"},         {mjDSBL_DAMPER, "damper"},
                        {mjDSBL_GRAVITY, "gravity"},       {mjDSBL_CLAMPCTRL, "clampctrl"},
                        {mjDSBL_ACTUATION, "actuation"}};
  for (const Flag& flag : flags) {
    if ((m.opt.disableflags & flag.bit) != 0) {
      problems.push_back(fmt::format("option flag {}=\"disable\"", flag.name));
    }
  }
}

}  // namespace footfall::from_mujoco
