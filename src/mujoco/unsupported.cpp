// What a robot's file may ask for and Footfall does not simulate.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "mujoco/build.hpp"
#include "mujoco/may_touch.hpp"

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
  return look_up<const char*>({{mjEQ_CONNECT, "connect: a closed loop"},
                               {mjEQ_WELD, "weld"},
                               {mjEQ_JOINT, "joint coupling"},
                               {mjEQ_TENDON, "tendon coupling"}},
                              type, "flex");
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

struct SolverDefaults {
  SolverDefaults() { mj_defaultSolRefImp(solref.data(), solimp.data()); }
  bool match(const mjtNum* other_solref, const mjtNum* other_solimp) const {
    return std::equal(solref.begin(), solref.end(), other_solref) &&
           std::equal(solimp.begin(), solimp.end(), other_solimp);
  }
  std::array<mjtNum, mjNREF> solref{};
  std::array<mjtNum, mjNIMP> solimp{};
};

std::string counted(mjtSize count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// Elements that watch the motion or are only looked at.
void warn_of_spectators(const mjModel& m, std::vector<std::string>& warnings) {
  std::vector<std::string> parts;
  const auto add = [&](mjtSize count, const char* noun) {
    if (count > 0) parts.push_back(counted(count, noun));
  };
  add(m.nsensor, "sensor");
  add(m.nsite, "site");
  add(m.ntendon, "tendon");  // those that pull are errors
  add(m.nskin, "skin");
  add(m.ncam, "camera");
  add(m.nlight, "light");
  if (!parts.empty()) {
    warnings.push_back(
        fmt::format("left out, without effect on the motion: {}", fmt::join(parts, ", ")));
  }
}

bool has_own_contact_parameters(const mjModel& m, int g) {
  static const SolverDefaults defaults;
  return !defaults.match(m.geom_solref + mjNREF * g, m.geom_solimp + mjNIMP * g) ||
         m.geom_condim[g] != 3 || m.geom_margin[g] != 0 || m.geom_gap[g] != 0;
}

bool is_between_links(const mjModel& m, int pair) {
  return !is_static(m, m.geom_bodyid[m.pair_geom1[pair]]) &&
         !is_static(m, m.geom_bodyid[m.pair_geom2[pair]]);
}

void warn_of_contact_parameters(const mjModel& m, std::vector<std::string>& warnings) {
  int count = 0;
  for (int g = 0; g < m.ngeom; ++g) {
    if (!is_static(m, m.geom_bodyid[g]) && has_own_contact_parameters(m, g)) ++count;
  }
  if (count > 0) {
    warnings.push_back(fmt::format("solref, solimp, condim, margin or gap of {} not used: the "
                                   "scenario's soil says how the ground gives way",
                                   counted(count, "geom")));
  }
  int with_ground = 0;
  for (int p = 0; p < m.npair; ++p) {
    if (!is_between_links(m, p)) ++with_ground;
  }
  if (with_ground > 0) {
    warnings.push_back(fmt::format("of {} only the geom that touches the ground is used: its "
                                   "contact parameters come from the scenario",
                                   counted(with_ground, "contact pair")));
  }
}

void warn_of_limit_parameters(const mjModel& m, std::vector<std::string>& warnings) {
  const SolverDefaults defaults;
  std::vector<std::string> names;
  for (int j = 0; j < m.njnt; ++j) {
    const int d = m.jnt_dofadr[j];
    const bool limit = m.jnt_limited[j] &&
                       (!defaults.match(m.jnt_solref + mjNREF * j, m.jnt_solimp + mjNIMP * j) ||
                        m.jnt_margin[j] != 0);
    const bool friction = m.dof_frictionloss[d] > 0 &&
                          !defaults.match(m.dof_solref + mjNREF * d, m.dof_solimp + mjNIMP * d);
    if (limit || friction) names.push_back(label(m, mjOBJ_JOINT, j));
  }
  if (!names.empty()) {
    warnings.push_back(fmt::format("solver parameters (solref, solimp, margin) of limits or dry "
                                   "friction not used: {}",
                                   list_of(names)));
  }
}

const char* solver_name(int solver) {
  return solver == mjSOL_PGS ? "PGS" : solver == mjSOL_CG ? "CG" : "Newton";
}
// Options that say how MuJoCo computes, where they are not its defaults. Left out are those that ask for
// what Footfall does anyway: a step that is implicit in velocities, a round friction cone. Of the timestep
// the scenario speaks, which knows its own.
void warn_of_options(const mjModel& m, std::vector<std::string>& warnings) {
  mjOption usual;
  mj_defaultOption(&usual);
  std::vector<std::string> parts;
  const auto add = [&](const char* key, const std::string& value, bool differs) {
    if (differs) parts.push_back(fmt::format("{}=\"{}\"", key, value));
  };
  const auto add_number = [&](const char* key, double value, double usual_value) {
    add(key, fmt::format("{:g}", value), value != usual_value);
  };
  add("integrator", "RK4", m.opt.integrator == mjINT_RK4);
  add("solver", solver_name(m.opt.solver), m.opt.solver != usual.solver);
  add_number("iterations", m.opt.iterations, usual.iterations);
  add_number("tolerance", m.opt.tolerance, usual.tolerance);
  add_number("ls_iterations", m.opt.ls_iterations, usual.ls_iterations);
  add_number("ls_tolerance", m.opt.ls_tolerance, usual.ls_tolerance);
  add_number("noslip_iterations", m.opt.noslip_iterations, usual.noslip_iterations);
  if (!parts.empty()) {
    warnings.push_back(
        fmt::format("options of the file not used: {}; the scenario's [step] says how "
                    "to integrate, and Footfall has its own solver",
                    fmt::join(parts, ", ")));
  }
  if (m.opt.impratio != usual.impratio) {
    warnings.push_back(fmt::format("option of the file not used: impratio=\"{:g}\"; only "
                                   "contact.model = \"soft_constraint\" does",
                                   m.opt.impratio));
  }
}

// A file's own floor says how slippery it is; the scenario brings another.
void warn_of_own_ground(const mjModel& m, std::vector<std::string>& warnings) {
  std::vector<std::string> parts;
  for (int g = 0; g < m.ngeom; ++g) {
    if ((m.geom_bodyid[g] != 0 && !is_ground(m, g)) ||
        (m.geom_contype[g] == 0 && m.geom_conaffinity[g] == 0))
      continue;
    const double friction = m.geom_friction[3 * g];
    if (friction == 1) continue;
    parts.push_back(fmt::format("{} (friction {:g})", label(m, mjOBJ_GEOM, g), friction));
  }
  if (parts.empty()) return;
  warnings.push_back(fmt::format("friction of the file's own ground not used: {}; that of the "
                                 "scenario's soil is",
                                 list_of(parts)));
}

bool links_can_touch(const mjModel& m, int b, int c) {
  if (is_static(m, b) || is_static(m, c) || !bodies_may_touch(m, b, c)) return false;
  return (m.body_contype[b] & m.body_conaffinity[c]) != 0 ||
         (m.body_contype[c] & m.body_conaffinity[b]) != 0;
}

void warn_of_links_that_touch(const mjModel& m, std::vector<std::string>& warnings) {
  std::set<std::pair<int, int>> touching;  // by masks, or by a contact pair
  for (int b = 1; b < m.nbody; ++b) {
    for (int c = b + 1; c < m.nbody; ++c) {
      if (links_can_touch(m, b, c)) touching.emplace(b, c);
    }
  }
  for (int p = 0; p < m.npair; ++p) {
    if (is_between_links(m, p)) {
      touching.emplace(std::minmax(m.geom_bodyid[m.pair_geom1[p]], m.geom_bodyid[m.pair_geom2[p]]));
    }
  }
  if (touching.empty()) return;
  const auto [b, c] = *touching.begin();
  warnings.push_back(fmt::format("links pass through each other: MuJoCo would let {} touch, such "
                                 "as {} and {}",
                                 counted(static_cast<mjtSize>(touching.size()), "pair"),
                                 label(m, mjOBJ_BODY, b), label(m, mjOBJ_BODY, c)));
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

// What a robot's file has that is left out without changing the motion.

void warn_of_omissions(const mjModel& m, std::vector<std::string>& warnings) {
  warn_of_spectators(m, warnings);
  warn_of_options(m, warnings);
  warn_of_own_ground(m, warnings);
  warn_of_contact_parameters(m, warnings);
  warn_of_limit_parameters(m, warnings);
  warn_of_links_that_touch(m, warnings);
  for (int i = 0; i < m.neq; ++i) {  // active ones are errors
    warnings.push_back(
        fmt::format("left out, because it is not active: {}", label(m, mjOBJ_EQUALITY, i)));
  }
  if ((m.opt.disableflags & mjDSBL_EULERDAMP) != 0) {
    warnings.emplace_back("option flag eulerdamp=\"disable\" not used: Footfall's step is always "
                          "implicit in joint damping");
  }
  if ((m.opt.enableflags & mjENBL_SLEEP) != 0) {
    warnings.emplace_back("option flag sleep=\"enable\" not used: every body is always awake");
  }
}

}  // namespace footfall::from_mujoco
