// The scene at rest: placing, weighing, feet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "input_error.hpp"
#include "tune/soft_scene.hpp"

namespace footfall {
namespace {

constexpr double kFarthest = 1e3;  // from the ground that a robot is looked for [m]
constexpr double kShallow = 0.5;   // of a foot's depth: what is above it and less deep is no foot

// Vertical part of a vector of generalised forces, on the base [N].
double vertical_force(const SoftScene& scene, const mjtNum* force) {
  const mjtNum* f = force + scene.lift_dof;
  return scene.free_base ? mju_dot3(f, scene.up.data()) : f[0] * scene.up[0];
}

// Is it among what the other body carries, at any number of joints?
bool hangs_on(const mjModel& m, int body, int other) {
  for (int b = m.body_parentid[body]; b > 0; b = m.body_parentid[b]) {
    if (b == other) return true;
  }
  return false;
}

constexpr double kLookEvery = 0.25;    // [s]
constexpr double kQuiet = 1e-5;        // relative change of sinkage between two looks
constexpr double kShortest = 1;        // settling [s]
constexpr double kNudge = 0.01;        // sideways speed at the start, over √(g × height)
constexpr double kFallenAngle = 0.3;   // [rad]
constexpr double kHoldStiffness = 20;  // over weight × height, which is what tips a robot over
constexpr double kHoldTime = 0.02;     // damping over stiffness [s]; the damping is implicit

// A spring and damper per degree of freedom about a pose, and the forces that hold it.
struct Hold {
  std::vector<double> stiffness;    // by dof; 0: not held
  std::vector<double> feedforward;  // by dof
  std::vector<double> pose;         // qpos
};

// Is it a rotation [rad], or a translation [m]?
bool turns(const mjModel& m, int dof) {
  const int joint = m.dof_jntid[dof];
  if (m.jnt_type[joint] == mjJNT_FREE) return dof - m.jnt_dofadr[joint] >= 3;
  return m.jnt_type[joint] != mjJNT_SLIDE;
}

// The scene is at its inverse rest. The model gets the dampers.
Hold make_hold(SoftScene& scene, bool upright) {
  mjModel& m = *scene.model;
  const auto nv = static_cast<std::size_t>(m.nv);
  Hold hold{std::vector<double>(nv, 0), std::vector<double>(nv, 0),
            std::vector<double>(scene.data->qpos, scene.data->qpos + m.nq)};
  for (int i = 0; i < static_cast<int>(m.nv); ++i) {
    if (m.body_rootid[m.dof_bodyid[i]] != scene.root) continue;
    const bool base = i >= scene.root_dof_start && i < scene.root_dof_start + scene.root_dofs;
    if (base ? !upright : scene.own_servos) continue;
    const bool lifts =
        scene.free_base ? i < scene.lift_dof + 3 && i >= scene.lift_dof : i == scene.lift_dof;
    if (lifts) continue;
    const double turning = kHoldStiffness * scene.weight * scene.height;
    const double k = turns(m, i) ? turning : turning / (scene.height * scene.height);
    hold.stiffness[static_cast<std::size_t>(i)] = k;
    if (!base) hold.feedforward[static_cast<std::size_t>(i)] = scene.data->qfrc_inverse[i];
  }
  return hold;
}

void apply(const SoftScene& scene, const Hold& hold, std::vector<double>& error) {
  const mjModel& m = *scene.model;
  mjData& d = *scene.data;
  mj_differentiatePos(&m, error.data(), 1, d.qpos, hold.pose.data());
  for (std::size_t i = 0; i < error.size(); ++i) {
    d.qfrc_applied[i] = hold.feedforward[i] + hold.stiffness[i] * error[i];
  }
}

// Angle by which the base leans from its pose [rad].
double lean(const SoftScene& scene, const std::array<mjtNum, 9>& start) {
  std::array<double, 3> up{};
  mju_scl3(up.data(), scene.model->opt.gravity, -1 / scene.gravity);
  std::array<double, 3> then{}, now{};
  mju_mulMatTVec(then.data(), start.data(), up.data(), 3, 3);
  mju_mulMatTVec(now.data(), scene.data->xmat + 9 * scene.root, up.data(), 3, 3);
  return std::acos(std::clamp(mju_dot3(then.data(), now.data()), -1.0, 1.0));
}

double largest_change(const std::vector<FootMeasure>& before, const std::vector<FootMeasure>& now) {
  if (before.size() != now.size()) return 1;
  double change = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double size = std::max(std::abs(now[i].sinkage), 1e-9);
    change = std::max(change, std::abs(now[i].sinkage - before[i].sinkage) / size);
  }
  return change;
}

// Steps with dampers in the model: implicit there, so that they may be stiff.
class Dampers {
 public:
  Dampers(mjModel& model, const Hold& hold)
      : model_(model), damping_(model.dof_damping, model.dof_damping + model.nv),
        flags_(model.opt.disableflags) {
    for (std::size_t i = 0; i < hold.stiffness.size(); ++i) {
      model.dof_damping[i] += kHoldTime * hold.stiffness[i];
    }
  }
  ~Dampers() {
    std::copy(damping_.begin(), damping_.end(), model_.dof_damping);
    model_.opt.disableflags = flags_;
  }
  Dampers(const Dampers&) = delete;
  Dampers& operator=(const Dampers&) = delete;

 private:
  mjModel& model_;
  std::vector<double> damping_;
  int flags_;
};

// A robot put exactly where it would rest may stay though the least disturbance tips it over.
void nudge(SoftScene& scene) {
  if (!scene.free_base) return;
  std::array<double, 4> turn{};
  mju_quatZ2Vec(turn.data(), scene.up.data());
  const double speed = kNudge * std::sqrt(scene.gravity * scene.height);
  const std::array<double, 3> sideways = {speed, speed, 0};
  mju_rotVecQuat(scene.data->qvel + scene.lift_dof, sideways.data(), turn.data());
}

}  // namespace

void place(SoftScene& scene, double lift) {
  mjData& d = *scene.data;
  mj_resetData(scene.model.get(), &d);
  std::copy(scene.pose.begin(), scene.pose.end(), d.qpos);
  std::copy(scene.control.begin(), scene.control.end(), d.ctrl);
  const int moved = scene.free_base ? 3 : 1;
  for (int i = 0; i < moved; ++i) {
    d.qpos[scene.lift_qpos + i] += lift * scene.up[static_cast<std::size_t>(i)];
  }
}

double lift_for_sinkage(SoftScene& scene, double sinkage) {
  place(scene, 0);
  mj_fwdPosition(scene.model.get(), scene.data.get());
  double lowest = kFarthest;
  for (int g = 0; g < static_cast<int>(scene.model->ngeom); ++g) {
    if (!may_touch_ground(scene, g)) continue;
    lowest = std::min(lowest, mj_geomDistance(scene.model.get(), scene.data.get(), scene.ground, g,
                                              kFarthest, nullptr));
  }
  if (lowest >= kFarthest) {
    throw InputError(
        "no geom of the robot can touch the ground; look at contype and conaffinity of its feet");
  }
  return -lowest - sinkage;
}

double missing_force(SoftScene& scene) {
  mj_inverse(scene.model.get(), scene.data.get());  // velocities and accelerations are zero
  return vertical_force(scene, scene.data->qfrc_inverse);
}

void weigh(SoftScene& scene) {
  const double lift = lift_for_sinkage(scene, 0);
  place(scene, lift);
  const int flags = scene.model->opt.disableflags;
  scene.model->opt.disableflags |= mjDSBL_CONTACT;
  scene.weight = missing_force(scene);
  scene.model->opt.disableflags = flags;
  if (!(scene.weight > 0)) {
    throw input_error("weight of the robot = {} N, expected more than 0", scene.weight);
  }
  const mjtNum* com = scene.data->subtree_com + 3 * scene.root;
  std::array<double, 3> up{};
  mju_scl3(up.data(), scene.model->opt.gravity, -1 / scene.gravity);
  const mjtNum* ground = scene.data->geom_xpos + 3 * scene.ground;
  double top = mju_dot3(ground, up.data());
  if (scene.model->geom_type[scene.ground] == mjGEOM_BOX) {  // level, so one edge is vertical
    const mjtNum* size = scene.model->geom_size + 3 * scene.ground;
    const mjtNum* mat = scene.data->geom_xmat + 9 * scene.ground;
    for (int i = 0; i < 3; ++i) {
      top += size[i] * std::abs(mat[i] * up[0] + mat[3 + i] * up[1] + mat[6 + i] * up[2]);
    }
  }
  scene.height = std::max(mju_dot3(com, up.data()) - top, 1e-3);
}

double find_inverse_rest(SoftScene& scene) {
  const double touch = lift_for_sinkage(scene, 0);
  const auto missing_at = [&](double sinkage) {
    place(scene, touch - sinkage);
    return missing_force(scene);
  };
  double low = -scene.largest_margin, high = 1e-4;
  while (missing_at(high) > 0) {
    low = high;
    high *= 2;
    if (high > kFarthest) {
      throw InputError("the ground does not carry the robot at any depth: stiffness = 0?");
    }
  }
  for (int i = 0; i < 80 && high - low > 1e-13 * std::abs(high); ++i) {
    const double middle = 0.5 * (low + high);
    (missing_at(middle) > 0 ? low : high) = middle;
  }
  missing_at(high);
  return touch - high;
}

std::vector<SinkageForce> find_inverse_curve(SoftScene& scene, double deepest) {
  constexpr int kPoints = 100;
  const double touch = lift_for_sinkage(scene, 0);
  std::vector<SinkageForce> curve;
  for (int k = 0; k <= kPoints; ++k) {
    const double sinkage = deepest * k / kPoints;
    place(scene, touch - sinkage);
    curve.push_back({sinkage, scene.weight - missing_force(scene)});
  }
  return curve;
}

std::vector<ContactMeasure> measure_contacts(const SoftScene& scene) {
  const mjModel& m = *scene.model;
  const mjData& d = *scene.data;
  std::vector<ContactMeasure> found;
  for (int i = 0; i < d.ncon; ++i) {
    const mjContact& c = d.contact[i];
    const bool first = c.geom[0] == scene.ground;
    if ((!first && c.geom[1] != scene.ground) || c.efc_address < 0) continue;
    const int geom = first ? c.geom[1] : c.geom[0];
    const int body = m.geom_bodyid[geom];
    if (m.body_rootid[body] != scene.root) continue;
    std::array<mjtNum, 6> force{};
    mj_contactForce(&m, &d, i, force.data());
    // R of the first row is Â (1 − d)/d, that of each edge of a pyramid too, with an Â of its own
    const bool edges = c.dim > 1 && m.opt.cone == mjCONE_PYRAMIDAL;
    const double rows = edges ? 2 * (c.dim - 1) : 1;
    found.push_back(
        {geom, body, force[0], -c.dist, c.includemargin, rows / d.efc_diagA[c.efc_address]});
  }
  return found;
}

std::vector<FootMeasure> measure_feet(const SoftScene& scene) {
  const mjModel& m = *scene.model;
  std::map<int, FootMeasure> bodies;
  std::map<int, int> geoms;     // of a body: the one that touches, −1: several
  std::map<int, int> touching;  // contacts
  for (const ContactMeasure& c : measure_contacts(scene)) {
    FootMeasure& foot = bodies[c.body];
    foot.body = c.body;
    foot.contacts += 1;
    foot.load += c.load;
    foot.sinkage += std::max(c.sinkage, 0.0);
    foot.deepest = std::max(foot.deepest, c.sinkage);
    touching[c.body] += c.sinkage >= 0 ? 1 : 0;
    const auto known = geoms.try_emplace(c.body, c.geom).first;
    if (known->second != c.geom) known->second = -1;
  }
  std::vector<FootMeasure> found;
  for (auto& [body, foot] : bodies) {
    if (touching[body] > 0) foot.contacts = touching[body];
    foot.sinkage /= foot.contacts;
    foot.inverse_inertia = m.body_invweight0[2 * static_cast<std::ptrdiff_t>(body)];
    const int geom = geoms[body];
    const char* name = geom < 0 ? nullptr : mj_id2name(&m, mjOBJ_GEOM, geom);
    if (name == nullptr) name = mj_id2name(&m, mjOBJ_BODY, body);
    foot.name = name == nullptr ? fmt::format("body {}", body) : name;
    for (const auto& [other, below] : bodies) {
      if (hangs_on(m, other, body) && foot.deepest < kShallow * below.deepest) foot.foot = false;
    }
    found.push_back(foot);
  }
  return found;
}

// The scene in motion, until it rests.

Settling settle(SoftScene& scene, bool upright, double longest_time) {
  find_inverse_rest(scene);
  mjModel& m = *scene.model;
  mjData& d = *scene.data;
  const Hold hold = make_hold(scene, upright);
  const Dampers dampers(m, hold);
  if (!scene.own_servos) m.opt.disableflags |= mjDSBL_ACTUATION;
  std::array<mjtNum, 9> start{};
  std::copy_n(d.xmat + 9 * static_cast<std::ptrdiff_t>(scene.root), 9, start.begin());
  std::vector<double> error(static_cast<std::size_t>(m.nv), 0);
  std::vector<FootMeasure> before = measure_feet(scene);
  nudge(scene);

  Settling result;
  result.held_upright = upright;
  const int steps = std::max(1, static_cast<int>(std::lround(kLookEvery / m.opt.timestep)));
  while (!result.quiet && !result.fallen && result.time < longest_time) {
    for (int i = 0; i < steps; ++i) {
      apply(scene, hold, error);
      mj_step(&m, &d);
    }
    result.time += steps * m.opt.timestep;
    mj_forward(&m, &d);
    const std::vector<FootMeasure> now = measure_feet(scene);
    result.fallen = now.empty() || !(lean(scene, start) < kFallenAngle);
    result.quiet =
        !result.fallen && result.time >= kShortest && largest_change(before, now) < kQuiet;
    before = now;
  }
  return result;
}

}  // namespace footfall
