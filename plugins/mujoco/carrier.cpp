#include "carrier.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/math/quaternion.hpp"
#include "host.hpp"
#include "mujoco/build.hpp"

namespace footfall {
namespace {

using from_mujoco::vec3;

// Keeps what a call of MuJoCo's would change, and puts it back.
class Kept {
 public:
  Kept(mjtNum* values, std::size_t count, std::vector<double>& copy)
      : values_(values), copy_(copy) {
    copy_.assign(values, values + count);
  }
  ~Kept() { std::copy(copy_.begin(), copy_.end(), values_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

 private:
  mjtNum* values_;
  std::vector<double>& copy_;
};

// Poses and twists of the bodies, as coordinates of free joints.
void read_motion(const mjModel& m, const mjData& d, const SoilWorld& soil, State<double>& state) {
  for (std::size_t i = 0; i < soil.bodies.size(); ++i) {
    const int body = soil.bodies[i];
    double* q = state.qpos.data() + 7 * i;
    std::copy_n(d.xpos + 3 * body, 3, q);
    std::copy_n(d.xquat + 4 * body, 4, q + 3);
    mjtNum twist[6];
    host.mj_objectVelocity(&m, &d, mjOBJ_XBODY, body, twist, 0);
    const Mat3d R = to_matrix(from_mujoco::quat(d.xquat + 4 * body));
    const Vec3d own = transpose_times(R, vec3(twist));
    const double v[] = {twist[3], twist[4], twist[5], own.x, own.y, own.z};
    std::copy_n(v, 6, state.qvel.data() + 6 * i);
  }
}

// M with what the integrator takes implicitly: joint damping under Euler, all that depends on velocity under the
// others, symmetric.
void fill_inertia(const mjModel& m, mjData& d, SoilInstance& soil) {
  CarrierMotion& motion = soil.feet.motion;
  const int stride = padded(motion.dofs);
  const double h = m.opt.timestep;
  std::fill(motion.inertia.begin(), motion.inertia.end(), 0.0);
  const auto add = [&](int row, int column, double value) {
    const int i = soil.local[row], j = soil.local[column];
    if (i >= 0 && j >= 0) motion.inertia[std::max(i, j) * stride + std::min(i, j)] += value;
  };
  for (const int row : soil.soil.dofs) {
    for (int k = 0; k < m.M_rownnz[row]; ++k) {
      const int at = m.M_rowadr[row] + k;
      add(row, m.M_colind[at], d.M[at]);
    }
  }
  if (m.opt.integrator == mjINT_EULER) {
    if ((m.opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER)) != 0) return;
    for (const int dof : soil.soil.dofs) {
      mjtNum poly[mjNPOLY];
      std::copy_n(m.dof_dampingpoly + mjNPOLY * dof, mjNPOLY, poly);
      const mjtNum damping =
          m.dof_damping[dof] + host.mj_actuatorDamping(&m, mjOBJ_JOINT, m.dof_jntid[dof], poly);
      add(dof, dof, h * host.mjd_xPolyForce(damping, poly, d.qvel[dof], mjNPOLY, 1));
    }
    return;
  }
  const Kept derivative(d.qDeriv, m.nD, soil.kept[0]);
  host.mjd_smooth_vel(&m, &d, 0);
  for (const int row : soil.soil.dofs) {
    for (int k = 0; k < m.D_rownnz[row]; ++k) {
      const int at = m.D_rowadr[row] + k, column = m.D_colind[at];
      add(row, column,
          (row == column ? -h : -0.5 * h) * d.qDeriv[at]);  // the other half comes from its mirror
    }
  }
}

// M v + h × all smooth forces but ours. Actuators and bias come later in MuJoCo's step, so they are found here.
void fill_momentum(const mjModel& m, mjData& d, SoilInstance& soil) {
  CarrierMotion& motion = soil.feet.motion;
  const int n = motion.dofs;
  std::vector<double>& force = soil.numbers;
  force.resize(m.nv);
  host.mj_rne(&m, &d, 0, force.data());
  if (m.ntendon > 0) host.mj_tendonBias(&m, &d, force.data());
  for (int i = 0; i < m.nv; ++i) {
    force[i] = d.qfrc_passive[i] + d.qfrc_applied[i] + d.qfrc_actuator[i] - force[i];
  }
  for (int b = 1; b < m.nbody; ++b) {
    const mjtNum* push = d.xfrc_applied + 6 * b;
    if (std::all_of(push, push + 6, [](mjtNum x) { return x == 0; })) continue;
    host.mj_applyFT(&m, &d, push, push + 3, d.xipos + 3 * b, b, force.data());
  }
  const double h = m.opt.timestep;
  for (int i = 0; i < n; ++i) {
    const double* row = motion.inertia.data() + i * padded(n);
    const double speed = d.qvel[soil.soil.dofs[i]];
    double sum = h * force[soil.soil.dofs[i]] + row[i] * speed;
    for (int j = 0; j < i; ++j) {
      if (row[j] == 0) continue;
      sum += row[j] * d.qvel[soil.soil.dofs[j]];
      motion.momentum[j] += row[j] * speed;
    }
    motion.momentum[i] = sum;
  }
}

// MuJoCo has the motion of each dof about the centre of mass of its robot.
void fill_jacobian(const mjModel& m, const mjData& d, SoilInstance& soil) {
  for (std::size_t b = 0; b < soil.soil.bodies.size(); ++b) {
    const int body = soil.soil.bodies[b];
    const Vec3d lever = vec3(d.xpos + 3 * body) - vec3(d.subtree_com + 3 * m.body_rootid[body]);
    CarriedJacobian& J = soil.feet.motion.jacobians[b];
    for (std::size_t i = 0; i < J.columns.size(); ++i) {
      const mjtNum* motion = d.cdof + 6 * soil.soil.dofs[J.columns[i]];
      const Vec3d ang = vec3(motion), lin = vec3(motion + 3) + cross(ang, lever);
      const double column[] = {ang.x, ang.y, ang.z, lin.x, lin.y, lin.z};
      for (int r = 0; r < 6; ++r) J.rows[r * J.width() + J.place[i]] = column[r];
    }
  }
}

// ---- MuJoCo's constraints ----

// One row of efc_J, dense over our dofs; returns whether it acts on any of them.
bool read_row(const mjModel& m, const mjData& d, const SoilInstance& soil, bool sparse, int row,
              double* J) {
  bool any = false;
  const auto put = [&](int dof, double value) {
    if (soil.local[dof] < 0 || value == 0) return;
    J[soil.local[dof]] = value;
    any = true;
  };
  if (sparse) {
    for (int k = 0; k < d.efc_J_rownnz[row]; ++k) {
      const int at = d.efc_J_rowadr[row] + k;
      put(d.efc_J_colind[at], d.efc_J[at]);
    }
  } else {
    for (int dof = 0; dof < m.nv; ++dof) put(dof, d.efc_J[row * m.nv + dof]);
  }
  return any;
}

HostRowKind kind_of(int efc_type) {
  switch (efc_type) {
  case mjCNSTR_EQUALITY:
    return HostRowKind::equality;
  case mjCNSTR_FRICTION_DOF:
  case mjCNSTR_FRICTION_TENDON:
    return HostRowKind::friction;
  case mjCNSTR_CONTACT_ELLIPTIC:
    return HostRowKind::cone;
  default:
    return HostRowKind::one_sided;
  }
}

void fill_rows(const mjModel& m, mjData& d, SoilInstance& soil) {
  CarrierMotion& motion = soil.feet.motion;
  const int n = motion.dofs;
  motion.rows.start_step(m.opt.timestep, n);
  if (d.nefc == 0) return;
  host.mj_referenceConstraint(&m, &d);  // MuJoCo does so too, right after its passive forces
  const bool sparse = host.mj_isSparse(&m) != 0;
  std::vector<double>& J = soil.numbers;
  for (int row = 0; row < d.nefc;) {
    const HostRowKind kind = kind_of(d.efc_type[row]);
    const mjContact* contact = kind == HostRowKind::cone ? d.contact + d.efc_id[row] : nullptr;
    const int dim = contact != nullptr ? contact->dim : 1;
    J.assign(static_cast<std::size_t>(dim) * n, 0.0);
    bool any = false;
    for (int i = 0; i < dim; ++i)
      any = read_row(m, d, soil, sparse, row + i, J.data() + i * n) || any;
    if (any) {
      HostBlock& block = motion.rows.add_block(kind, dim);
      if (contact != nullptr) {
        block.mu = contact->mu;
        std::copy_n(contact->friction, 5, block.friction.begin());
      }
      for (int i = 0; i < dim; ++i) {
        const double* from = J.data() + i * n;
        double start = 0;
        for (int k = 0; k < n; ++k) start += from[k] * d.qvel[soil.soil.dofs[k]];
        double* to = motion.rows.add_row(d.efc_D[row + i], d.efc_frictionloss[row + i], start,
                                         d.efc_aref[row + i]);
        std::copy_n(from, n, to);
      }
    }
    row += dim;
  }
}

// Trees that MuJoCo has put to sleep stay where they are, whatever pushes them; what it keeps of them is of older steps.
void hold_sleepers(const mjModel& m, const mjData& d, SoilInstance& soil) {
  if ((m.opt.enableflags & mjENBL_SLEEP) == 0 || d.nv_awake == m.nv) return;
  CarrierMotion& motion = soil.feet.motion;
  const int n = motion.dofs, stride = padded(n);
  for (int i = 0; i < n; ++i) {
    if (d.tree_awake[m.dof_treeid[soil.soil.dofs[i]]] != 0) continue;
    std::fill_n(motion.inertia.begin() + i * stride, i, 0.0);
    for (int k = i + 1; k < n; ++k) motion.inertia[k * stride + i] = 0;
    motion.inertia[i * stride + i] = 1;
    motion.momentum[i] = 0;
  }
  for (std::size_t b = 0; b < soil.soil.bodies.size(); ++b) {
    if (d.body_awake[soil.soil.bodies[b]] != mjS_ASLEEP) continue;
    std::fill(motion.jacobians[b].rows.begin(), motion.jacobians[b].rows.end(), 0.0);
  }
}

void fill_motion(const mjModel& m, mjData& d, SoilInstance& soil) {
  const Kept force(d.actuator_force, m.nout, soil.kept[1]),
      actuator(d.qfrc_actuator, m.nv, soil.kept[2]), rate(d.act_dot, m.na, soil.kept[3]);
  host.mj_fwdActuation(&m, &d);
  fill_inertia(m, d, soil);
  fill_momentum(m, d, soil);
  fill_jacobian(m, d, soil);
  hold_sleepers(m, d, soil);
  fill_rows(m, d, soil);
}

}  // namespace

SoilInstance::SoilInstance(const mjModel& m, const SoilConfig& config)
    : soil(make_soil_world(m, config)), memory(soil.world, soil.prints),
      feet(soil.world, static_cast<int>(soil.dofs.size())), data(soil.world.robot),
      local(m.nv, -1) {
  for (std::size_t i = 0; i < soil.dofs.size(); ++i) local[soil.dofs[i]] = static_cast<int>(i);
  CarrierMotion& motion = feet.motion;
  const std::size_t n = soil.dofs.size();
  motion.inertia.resize(n * padded(motion.dofs));
  motion.momentum.resize(n);
  for (const int foot : soil.bodies) {
    std::vector<int> columns;
    for (int body = foot; body > 0; body = m.body_parentid[body]) {
      for (int k = 0; k < m.body_dofnum[body]; ++k) {
        columns.push_back(local[m.body_dofadr[body] + k]);
      }
    }
    std::sort(columns.begin(), columns.end());
    motion.jacobians.emplace_back(std::move(columns));
  }
}

void apply_soil(const mjModel& m, mjData& d, const mjtNum* state, SoilInstance& soil) {
  CarriedFeet& feet = soil.feet;
  World& world = soil.soil.world;
  if ((m.opt.disableflags & mjDSBL_CONTACT) != 0) return;
  world.options.timestep = m.opt.timestep;
  soil.memory.read(state, feet.state.memory);
  read_motion(m, d, soil.soil, feet.state);
  run_carried(world, CarriedStage::find, feet);
  soil.is_computed = true;
  for (CarriedFeet::Carried& body : feet.bodies) body.touching = false;
  if (!feet.near) return;
  fill_motion(m, d, soil);
  run_carried(world, CarriedStage::solve, feet);
  for (std::size_t b = 0; b < feet.bodies.size(); ++b) {
    if (!feet.bodies[b].touching) continue;
    const Wrench<double>& f = feet.bodies[b].wrench;
    const double w[] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
    const CarriedJacobian& J = feet.motion.jacobians[b];
    for (std::size_t i = 0; i < J.columns.size(); ++i) {
      double sum = 0;
      for (int r = 0; r < 6; ++r) sum += J.rows[r * J.width() + J.place[i]] * w[r];
      d.qfrc_passive[soil.soil.dofs[J.columns[i]]] += sum;
    }
  }
}

void commit_soil(const mjData& d, mjtNum* state, SoilInstance& soil) {
  if (!soil.is_computed) return;
  CarriedFeet& feet = soil.feet;
  // from the state, not from what apply_soil() read: a step may be taken again from the same forces
  soil.memory.read(state, feet.state.memory);
  feet.solution.resize(padded(feet.motion.dofs));
  for (int i = 0; i < feet.motion.dofs; ++i) feet.solution[i] = d.qvel[soil.soil.dofs[i]];
  run_carried(soil.soil.world, CarriedStage::commit, feet);
  soil.memory.write(feet.state.memory, feet.prints, state);
}

}  // namespace footfall
