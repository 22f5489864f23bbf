// The scene in motion, until it rests.
#include <algorithm>
#include <cmath>

#include "tune/soft_scene_parts.hpp"

namespace footfall {
namespace {

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
