// Building the scene: robot, ground, base, pose.
#include "tune/soft_scene.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "input_error.hpp"
#include "mujoco/build.hpp"
#include "mujoco/may_touch.hpp"

namespace footfall {
namespace {

constexpr double kVertical = 0.999;  // cosine beyond which a slide counts as vertical

std::unique_ptr<mjSpec, SpecDelete> parse(const std::filesystem::path& file) {
  std::array<char, 2048> error{};
  std::unique_ptr<mjSpec, SpecDelete> spec(
      mj_parseXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size())));
  if (!spec) throw input_error("robot file '{}': {}", file.string(), on_one_line(error.data()));
  const double timestep = spec->option.timestep;
  if (!(timestep > 0 && timestep <= 1)) {
    throw input_error("robot file '{}': timestep = {} s, expected above 0 and at most 1 s",
                      file.string(), timestep);
  }
  return spec;
}

// ---- base and pose ----

// Moves the height of whatever hangs on it: a free joint, or a vertical slide. −1: none.
int find_lift_joint(const mjModel& m, const mjData& d, int body, const std::array<double, 3>& up) {
  const int first = m.body_jntadr[body];
  for (int j = first; j < first + m.body_jntnum[body]; ++j) {
    if (m.jnt_type[j] == mjJNT_FREE) return j;
    const double along = mju_dot3(d.xaxis + 3 * static_cast<std::ptrdiff_t>(j), up.data());
    if (m.jnt_type[j] == mjJNT_SLIDE && std::abs(along) > kVertical) return j;
  }
  return -1;
}

int count_joints(const mjModel& m, int root) {
  int count = 0;
  for (int j = 0; j < static_cast<int>(m.njnt); ++j) {
    count += m.body_rootid[m.jnt_bodyid[j]] == root ? 1 : 0;
  }
  return count;
}

// Of several trees the robot is one that can sink, with the most joints, then the heaviest. The
// others are named.
int find_root(const mjModel& m, const mjData& d, const std::array<double, 3>& up,
              std::vector<std::string>& warnings) {
  using Rank = std::tuple<bool, int, double>;
  std::vector<int> roots;
  int robot = 0;
  Rank best{};
  for (int b = 1; b < static_cast<int>(m.nbody); ++b) {
    if (m.body_parentid[b] != 0 || count_joints(m, b) == 0) continue;
    roots.push_back(b);
    const Rank rank{find_lift_joint(m, d, b, up) >= 0, count_joints(m, b), m.body_subtreemass[b]};
    if (robot != 0 && !(rank > best)) continue;
    robot = b;
    best = rank;
  }
  if (robot == 0) throw InputError("the file has no body that can move, expected a robot");
  std::vector<std::string> others;
  for (const int b : roots) {
    if (b != robot) others.push_back(from_mujoco::label(m, mjOBJ_BODY, b));
  }
  if (!others.empty()) {
    warnings.push_back(fmt::format(
        "{} was taken for the robot, as it has the most joints of what can sink; {} moves too and "
        "was not tuned for: take it out of the file if it leans on the robot",
        from_mujoco::label(m, mjOBJ_BODY, robot), from_mujoco::list_of(others)));
  }
  return robot;
}

// The joint by which the whole robot goes up and down.
void find_base(SoftScene& scene) {
  const mjModel& m = *scene.model;
  const std::array<double, 3> up = find_up(m);
  scene.gravity = mju_norm3(m.opt.gravity);
  scene.root = find_root(m, *scene.data, up, scene.warnings);
  scene.root_dof_start = m.body_dofadr[scene.root];
  scene.root_dofs = m.body_dofnum[scene.root];
  scene.joints = count_joints(m, scene.root);
  const int lift = find_lift_joint(m, *scene.data, scene.root, up);
  if (lift >= 0) {
    scene.lift_qpos = m.jnt_qposadr[lift];
    scene.lift_dof = m.jnt_dofadr[lift];
    scene.free_base = m.jnt_type[lift] == mjJNT_FREE;
    const double along =
        mju_dot3(scene.data->xaxis + 3 * static_cast<std::ptrdiff_t>(lift), up.data());
    scene.up = scene.free_base ? up : std::array<double, 3>{1 / along, 0, 0};
    return;
  }
  throw input_error("{} has no free joint and no vertical slide: its base cannot sink, so there is "
                    "nothing to tune; give the robot's base a <freejoint/>",
                    from_mujoco::label(m, mjOBJ_BODY, scene.root));
}

void find_pose(SoftScene& scene, const std::string& wanted) {
  const mjModel& m = *scene.model;
  int key = -1;
  std::vector<std::string> names;
  for (int k = 0; k < static_cast<int>(m.nkey); ++k) {
    const char* name = mj_id2name(&m, mjOBJ_KEY, k);
    names.emplace_back(name == nullptr ? "" : name);
    if (names.back() == (wanted.empty() ? "stand" : wanted)) key = k;
  }
  if (key < 0 && !wanted.empty()) {
    throw input_error("keyframe '{}', expected {}", wanted,
                      names.empty() ? "none: the file has no keyframes"
                                    : fmt::format("one of {}", fmt::join(names, ", ")));
  }
  if (key < 0 && m.nkey > 0) key = 0;
  const mjtNum* qpos = key < 0 ? m.qpos0 : m.key_qpos + key * m.nq;
  scene.pose.assign(qpos, qpos + m.nq);
  scene.pose_name = key < 0 ? "reference pose" : names[static_cast<std::size_t>(key)];
  if (key >= 0) scene.control.assign(m.key_ctrl + key * m.nu, m.key_ctrl + (key + 1) * m.nu);
}

bool is_position_servo(const mjModel& m, int a) {
  const bool joint =
      m.actuator_trntype[a] == mjTRN_JOINT || m.actuator_trntype[a] == mjTRN_JOINTINPARENT;
  return joint && m.actuator_dyntype[a] == mjDYN_NONE && m.actuator_ctrlnum[a] == 1 &&
         m.actuator_gaintype[a] == mjGAIN_FIXED && m.actuator_biastype[a] == mjBIAS_AFFINE &&
         m.actuator_gainprm[a * mjNGAIN] > 0 && m.actuator_biasprm[a * mjNBIAS + 1] < 0;
}

// Does a servo hold every joint but the base's, and what must they be told?
void find_servos(SoftScene& scene) {
  const mjModel& m = *scene.model;
  std::set<int> held;
  const bool told =
      std::any_of(scene.control.begin(), scene.control.end(), [](double c) { return c != 0; });
  if (!told) scene.control.assign(static_cast<std::size_t>(m.nu), 0);
  for (int a = 0; a < static_cast<int>(m.nactuator); ++a) {
    if (!is_position_servo(m, a)) continue;
    held.insert(m.actuator_trnid[2 * a]);
    if (told) continue;
    const double length = scene.data->actuator_length[m.actuator_outadr[a]];
    const double gain = m.actuator_gainprm[a * mjNGAIN];
    scene.control[static_cast<std::size_t>(m.actuator_ctrladr[a])] =
        -m.actuator_biasprm[a * mjNBIAS + 1] / gain * length;
  }
  scene.own_servos = true;
  bool any = false;
  for (int j = 0; j < static_cast<int>(m.njnt); ++j) {
    const int body = m.jnt_bodyid[j];
    if (m.body_rootid[body] != scene.root || body == scene.root) continue;
    any = true;
    if (!held.contains(j)) scene.own_servos = false;
  }
  if (!any) scene.own_servos = false;
}

}  // namespace

void compile_scene(SoftScene& scene) {
  scene.model.reset(mj_compile(scene.spec.get(), nullptr));
  if (!scene.model) {
    throw input_error("robot file '{}': {}", scene.file.string(),
                      on_one_line(mjs_getError(scene.spec.get())));
  }
  // The rest state is the same for every integrator, but explicit stages bear no stiff hold.
  if (scene.model->opt.integrator == mjINT_RK4) scene.model->opt.integrator = mjINT_IMPLICITFAST;
  scene.data = make_mujoco_data(*scene.model);
}

bool may_touch_ground(const SoftScene& scene, int geom) {
  const mjModel& m = *scene.model;
  if (geom == scene.ground || m.body_rootid[m.geom_bodyid[geom]] != scene.root) return false;
  return from_mujoco::may_touch(m, geom, scene.ground);
}

SoftScene make_soft_scene(const std::filesystem::path& file, const std::string& keyframe,
                          const std::string& ground, const std::vector<int>& also_tuned,
                          const std::function<void(mjSpec&)>& edit) {
  SoftScene scene;
  scene.file = file;
  const MjModelPtr plain = load_mujoco_model(file, &scene.warnings);
  scene.log = std::make_unique<MujocoLogScope>();
  scene.spec = parse(file);
  if (edit) edit(*scene.spec);
  find_or_add_ground(scene, *plain, ground);
  find_pose(scene, keyframe);
  std::copy(scene.pose.begin(), scene.pose.end(), scene.data->qpos);
  mj_forward(scene.model.get(), scene.data.get());
  find_base(scene);
  find_servos(scene);
  choose_means(scene, also_tuned);
  weigh(scene);
  return scene;
}

}  // namespace footfall
