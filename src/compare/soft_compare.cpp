#include "footfall/compare/soft_compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "compare/keep_largest.hpp"
#include "compare/random_scenes.hpp"
#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/log.hpp"
#include "footfall/mujoco/soft_world.hpp"
#include "footfall/step/soft_forces.hpp"
#include "input_error.hpp"
#include "io/data_folders.hpp"
#include "mujoco/build.hpp"

namespace footfall {
namespace {

struct Spread {
  double difference = 0, size = 0;
  void add(double ours, double theirs) {
    keep_largest(std::abs(ours - theirs), difference);
    keep_largest(std::abs(theirs), size);
  }
  double relative(double least) const { return difference / std::fmax(size, least); }
};

bool is_contact_row(int type) {
  return type == mjCNSTR_CONTACT_FRICTIONLESS || type == mjCNSTR_CONTACT_PYRAMIDAL ||
         type == mjCNSTR_CONTACT_ELLIPTIC;
}

// Force of MuJoCo's limits and joint friction on each dof.
std::vector<double> mujoco_joint_force(const mjModel& m, const mjData& d) {
  std::vector<double> without_contacts(d.nefc), out(m.nv);
  for (int i = 0; i < d.nefc; ++i) {
    without_contacts[i] = is_contact_row(d.efc_type[i]) ? 0 : d.efc_force[i];
  }
  if (d.nefc > 0) mj_mulJacTVec(&m, &d, out.data(), without_contacts.data());
  return out;
}

// The contact of ours that MuJoCo's contact i is: of the same geom and plane, at the nearest place.
const SoftContactForce* find_match(const std::vector<SoftContactForce>& ours,
                                   const std::vector<int>& geoms, const std::vector<int>& planes,
                                   const mjContact& theirs) {
  const SoftContactForce* best = nullptr;
  double nearest = 0;
  for (const SoftContactForce& c : ours) {
    if (planes[c.plane] != theirs.geom[0] || geoms[c.geom] != theirs.geom[1]) continue;
    const double distance = norm(c.position - from_mujoco::vec3(theirs.pos));
    if (best != nullptr && distance >= nearest) continue;
    best = &c;
    nearest = distance;
  }
  return best;
}

// Both programs begin there.
struct CompareStart {
  std::string name;
  std::vector<double> qpos, qvel, control;
};

CompareStart find_start(const mjModel& m, const std::string& wanted) {
  int key = m.nkey > 0 ? 0 : -1;
  if (!wanted.empty()) {
    key = mj_name2id(&m, mjOBJ_KEY, wanted.c_str());
    std::vector<std::string> names;
    for (int k = 0; k < m.nkey; ++k) {
      const char* name = mj_id2name(&m, mjOBJ_KEY, k);
      names.emplace_back(name == nullptr ? fmt::format("(keyframe {} has no name)", k) : name);
    }
    if (key < 0) {
      throw input_error("keyframe '{}' is not in model '{}', expected {}", wanted, m.names,
                        names.empty() ? "none: it has no keyframes"
                                      : fmt::format("one of {}", fmt::join(names, ", ")));
    }
  }
  if (key < 0) {
    return {"the reference pose", {m.qpos0, m.qpos0 + m.nq}, std::vector<double>(m.nv, 0.0), {}};
  }
  const mjtNum *q = m.key_qpos + key * m.nq, *v = m.key_qvel + key * m.nv;
  const mjtNum* u = m.key_ctrl + key * m.nu;
  const char* name = mj_id2name(&m, mjOBJ_KEY, key);
  return {name == nullptr ? fmt::format("keyframe {}", key) : fmt::format("keyframe '{}'", name),
          {q, q + m.nq},
          {v, v + m.nv},
          {u, u + m.nu}};
}

template <class X>
void override_one(const char* name, X value, X& option, std::vector<std::string>& overridden) {
  if (option != value) overridden.push_back(fmt::format("{} = {} (file: {})", name, value, option));
  option = value;
}

// With the file's own settings MuJoCo may stop before it has converged, and a difference would be
// its solver's. The answer names what was changed.
std::vector<std::string> override_solver(mjModel& m) {
  constexpr std::array<const char*, 3> solvers = {"PGS", "CG", "Newton"};
  std::vector<std::string> out;
  if (m.opt.solver != mjSOL_NEWTON) {
    out.push_back(fmt::format("solver = Newton (file: {})", solvers.at(m.opt.solver)));
    m.opt.solver = mjSOL_NEWTON;
  }
  override_one("iterations", 100, m.opt.iterations, out);
  override_one("tolerance", 0.0, m.opt.tolerance, out);
  override_one("ls_iterations", 100, m.opt.ls_iterations, out);
  override_one("ls_tolerance", 1e-6, m.opt.ls_tolerance, out);
  return out;
}

class Comparison {
 public:
  Comparison(const mjModel& model, const std::string& source, const SoftCompareOptions& options)
      : options_(options), m_(keep_ground_contacts(model)), d_(make_mujoco_data(*m_)),
        world_(build_soft_world(*m_, source)), workspace_(world_), free_workspace_(world_),
        random_(options.seed), geoms_(mujoco_geoms(*m_)) {
    out_.overridden = override_solver(*m_);
    world_.options.solver.tolerance = 1e-11;
    world_.options.solver.max_iterations = 200;
    for (int g = 0; g < m_->ngeom; ++g) {
      if (m_->geom_type[g] == mjGEOM_PLANE) planes_.push_back(g);
    }
    out_.model = m_->names;
    for (const std::string& pair : name_link_contacts(model)) out_.warnings.push_back(pair);
    if (soft_constraints(world_.ground)->pairings.empty()) {
      out_.warnings.emplace_back("nothing can touch a plane in this model: only limits and joint "
                                 "friction are compared");
    }
    weight_ = world_.force_scale;
    gravity_ = std::fmax(norm(world_.robot.gravity), 1.0);
  }

  SoftComparison run(const CompareStart& start) {
    mj_resetData(m_.get(), d_.get());
    std::copy(start.qpos.begin(), start.qpos.end(), d_->qpos);
    std::copy(start.qvel.begin(), start.qvel.end(), d_->qvel);
    Control<double> command = make_control<double>(world_.robot);
    choose_control(start, command.control);
    std::copy(command.control.begin(), command.control.end(), d_->ctrl);
    out_.start = start.name;
    State<double> state = make_state<double>(world_, start.qpos);
    state.qvel = start.qvel;
    State<double> free = state;
    out_.worst.converged = true;
    for (int k = 0; k < options_.steps; ++k) {
      const SoftStepDifference difference = compare_step(command, state, free);
      for (const int kind : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC}) {
        out_.blew_up = out_.blew_up || d_->warning[kind].number > 0;
      }
      if (out_.blew_up && options_.stop_at_blow_up) break;
      out_.steps.push_back(difference);
      keep_larger(out_.steps.back(), out_.worst);
    }
    return std::move(out_);
  }

 private:
  void choose_control(const CompareStart& start, std::vector<double>& control) {
    const std::size_t count = control.size();
    if (options_.control_from == CompareControl::values) {
      if (options_.control.size() != count) {
        throw input_error("{} controls given, expected {}: one for each actuator",
                          options_.control.size(), count);
      }
      control = options_.control;
      out_.controls = fmt::format("{}", fmt::join(control, " "));
    } else if (options_.control_from == CompareControl::random) {
      for (std::size_t i = 0; i < count; ++i) {
        const Actuator& a = world_.robot.actuators[i];
        const double middle = a.control_limited ? 0.5 * (a.control_lower + a.control_upper) : 0;
        const double reach = a.control_limited ? 0.5 * (a.control_upper - a.control_lower) : 1;
        control[i] = middle + reach * uniform();
      }
      out_.controls = fmt::format("random, seed {}", options_.seed);
    } else {
      if (start.control.size() == count) control = start.control;
      out_.controls = start.control.empty() ? "zeros" : "the keyframe's";
    }
    if (count == 0) out_.controls = "none: the model has no actuators";
  }

  double uniform() { return static_cast<double>(random_()) / 2147483648.0 - 1; }

  SoftStepDifference compare_step(const Control<double>& command, State<double>& state,
                                  State<double>& free) {
    SoftStepDifference out;
    std::copy(d_->qpos, d_->qpos + m_->nq, state.qpos.begin());
    std::copy(d_->qvel, d_->qvel + m_->nv, state.qvel.begin());
    compare_inverse(state, out);
    const std::vector<double> before = state.qvel;
    const SolverReport<double> report = step(world_, command, state, workspace_);
    out.iterations = static_cast<int>(report.iterations);
    out.converged = report.converged;
    mj_forward(m_.get(), d_.get());
    out.force = compare_forces(list_soft_forces(world_, workspace_), &out);
    Spread acceleration;
    const std::vector<Pack<double>>& undamped =
        undamped_velocities(world_, workspace_, std::get<SoftContact<double>>(workspace_.contact));
    for (std::size_t s = 0; s < workspace_.tree.slots.size(); ++s) {
      for (int item = 0; item < pack_size<double>; ++item) {
        const int dof = workspace_.tree.slots[s].dof[item];
        if (dof < 0) continue;
        const double v = undamped[s][item];
        acceleration.add((v - before[dof]) / world_.options.timestep, d_->qacc[dof]);
      }
    }
    out.acceleration = acceleration.relative(1e-3 * gravity_);
    mj_step(m_.get(), d_.get());
    Spread velocity, position;
    for (int i = 0; i < m_->nv; ++i) velocity.add(state.qvel[i], d_->qvel[i]);
    out.next_velocity = velocity.relative(1e-3 * gravity_ * world_.options.timestep);
    step(world_, command, free, free_workspace_);
    for (int i = 0; i < m_->nq; ++i) position.add(free.qpos[i], d_->qpos[i]);
    out.drift = position.difference;
    return out;
  }

  void compare_inverse(const State<double>& state, SoftStepDifference& out) {
    std::vector<double> a(m_->nv);
    for (double& x : a) x = 10 * uniform();
    mj_forward(m_.get(), d_.get());
    std::copy(a.begin(), a.end(), d_->qacc);
    mj_inverse(m_.get(), d_.get());
    const SoftInverse ours = force_from_acceleration(world_, state, a, workspace_);
    out.inverse_force = compare_forces(ours.constraints, nullptr);
    Spread applied;
    for (int i = 0; i < m_->nv; ++i) applied.add(ours.applied_force[i], d_->qfrc_inverse[i]);
    out.applied_force = applied.relative(1e-3 * weight_);
  }

  // Relative difference of all constraint forces; contacts' places into `out` if given.
  double compare_forces(const SoftForces& ours, SoftStepDifference* out) {
    Spread force;
    int active = 0, matched = 0;
    for (int i = 0; i < d_->ncon; ++i) {
      const mjContact& c = d_->contact[i];
      if (c.exclude != 0) continue;
      ++active;
      const SoftContactForce* mine = find_match(ours.contacts, geoms_, planes_, c);
      if (mine == nullptr) continue;
      ++matched;
      mjtNum theirs[6];
      mj_contactForce(m_.get(), d_.get(), i, theirs);
      const double f[6] = {mine->force.x,  mine->force.y,  mine->force.z,
                           mine->moment.x, mine->moment.y, mine->moment.z};
      for (int k = 0; k < 6; ++k) force.add(f[k], theirs[k]);
      if (out == nullptr) continue;
      keep_largest(norm(mine->position - from_mujoco::vec3(c.pos)), out->position);
      keep_largest(std::abs(mine->distance - c.dist), out->distance);
    }
    const std::vector<double> joints = mujoco_joint_force(*m_, *d_);
    for (int i = 0; i < m_->nv; ++i) force.add(ours.joint_force[i], joints[i]);
    if (out != nullptr) {
      out->contacts = active;
      out->missing = active - matched + std::abs(active - static_cast<int>(ours.contacts.size()));
    }
    return force.relative(1e-3 * weight_);
  }

  SoftComparison out_;
  SoftCompareOptions options_;
  MjModelPtr m_;
  MjDataPtr d_;
  World world_;
  StepWorkspace<double> workspace_, free_workspace_;
  std::mt19937 random_;
  std::vector<int> geoms_, planes_;
  double weight_ = 0, gravity_ = 0;
};

}  // namespace

double SoftStepDifference::largest_relative() const {
  double all = 0;
  for (const double x : {force, acceleration, inverse_force, applied_force}) {
    keep_largest(x, all);
  }
  return all;
}

void keep_larger(const SoftStepDifference& from, SoftStepDifference& to) {
  to.contacts = std::max(from.contacts, to.contacts);
  to.missing = std::max(from.missing, to.missing);
  to.iterations = std::max(from.iterations, to.iterations);
  to.converged = to.converged && from.converged;
  using D = SoftStepDifference;
  for (double D::* size : {&D::position, &D::distance, &D::force, &D::acceleration,
                           &D::next_velocity, &D::inverse_force, &D::applied_force, &D::drift}) {
    keep_largest(from.*size, to.*size);
  }
}

SoftComparison compare_soft(const mjModel_& model, const std::string& source,
                            const SoftCompareOptions& options, const std::vector<double>& qpos,
                            const std::vector<double>& qvel) {
  const MujocoLogScope log;
  Comparison comparison(model, source, options);
  return comparison.run({"the given state", qpos, qvel, {}});
}

SoftComparison compare_soft(const mjModel_& model, const std::string& source,
                            const SoftCompareOptions& options) {
  const MujocoLogScope log;
  const CompareStart start = find_start(model, options.keyframe);
  Comparison comparison(model, source, options);
  return comparison.run(start);
}

SoftComparison compare_soft_file(const std::filesystem::path& file,
                                 const SoftCompareOptions& options) {
  const MjModelPtr model = load_mujoco_model(file);
  return compare_soft(*model, file.string(), options);
}

RandomComparison compare_random_scenes(int scenes, unsigned seed,
                                       const std::filesystem::path& folder) {
  constexpr int kSteps = 5;
  RandomComparison out;
  out.worst.converged = true;
  std::vector<std::string> robots;
  for (const char* name : {"ball", "biped", "box", "humanoid", "quadruped", "robosimian",
                           "robosimian_planar", "single_foot"}) {
    robots.push_back(find_file(robot_files(), name, folder, "mujoco compare --random").string());
  }
  for (; out.scenes < scenes; ++out.scenes) {
    const RandomScene scene = make_random_scene(seed, out.scenes, robots);
    const SoftComparison result =
        compare_soft(*scene.model, scene.name, {.steps = kSteps, .stop_at_blow_up = true},
                     scene.qpos, scene.qvel);
    out.blown_up += result.blew_up ? 1 : 0;
    const double force = out.worst.force;
    if (out.worst_scene.empty() || (!std::isnan(force) && !(result.worst.force <= force))) {
      out.worst_scene = scene.name;
    }
    keep_larger(result.worst, out.worst);
    out.robots += scene.has_robot ? 1 : 0;
    for (const SoftStepDifference& step : result.steps) {
      ++out.states;
      out.converged += step.converged ? 1 : 0;
      out.contacts += step.contacts;
    }
  }
  return out;
}

}  // namespace footfall
