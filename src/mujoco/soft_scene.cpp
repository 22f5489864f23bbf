// Building the scene: robot, ground, base, pose.
#include "mujoco/soft_scene.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "footfall/error.hpp"
#include "mujoco/build.hpp"
#include "mujoco/soft_scene_parts.hpp"

namespace footfall {
namespace {

constexpr double kLevel =
    1e-6;  // 1 − cos of the angle between the ground's normal and the vertical

std::string geom_name(const mjModel& m, int geom) {
  const char* name = mj_id2name(&m, mjOBJ_GEOM, geom);
  return name == nullptr ? "" : name;
}

std::unique_ptr<mjSpec, SpecDelete> parse(const std::filesystem::path& file) {
  std::array<char, 2048> error{};
  std::unique_ptr<mjSpec, SpecDelete> spec(
      mj_parseXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size())));
  if (!spec) {
    throw InputError(fmt::format("robot file '{}': {}", file.string(), on_one_line(error.data())));
  }
  return spec;
}

// ---- ground ----

// Geoms that cannot move and are ground by their kind.
std::vector<int> find_static(const mjModel& m, int type) {
  std::vector<int> found;
  for (int g = 0; g < static_cast<int>(m.ngeom); ++g) {
    const bool collides = m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0;
    if (m.body_weldid[m.geom_bodyid[g]] == 0 && collides && m.geom_type[g] == type) {
      found.push_back(g);
    }
  }
  return found;
}

int find_named_ground(const mjModel& m, const std::string& name) {
  const int geom = mj_name2id(&m, mjOBJ_GEOM, name.c_str());
  if (geom < 0) {
    std::vector<std::string> names;
    for (const int type : {mjGEOM_PLANE, mjGEOM_BOX}) {
      for (const int g : find_static(m, type)) names.push_back(geom_name(m, g));
    }
    throw InputError(fmt::format("ground geom '{}' is not in the file, expected {}", name,
                                 names.empty() ? "none: it has no fixed plane or box"
                                               : fmt::format("one of {}", fmt::join(names, ", "))));
  }
  const int type = m.geom_type[geom];
  if (m.body_weldid[m.geom_bodyid[geom]] != 0 || (type != mjGEOM_PLANE && type != mjGEOM_BOX)) {
    throw InputError(fmt::format("ground geom '{}', expected a plane or box that is fixed", name));
  }
  return geom;
}

// The geom, or −1 where a plane has to be added.
int find_ground(const mjModel& m, const std::string& name) {
  if (!name.empty()) return find_named_ground(m, name);
  for (const int type : {mjGEOM_PLANE, mjGEOM_BOX}) {
    const std::vector<int> found = find_static(m, type);
    if (found.size() == 1) return found[0];
    if (found.size() > 1) {
      throw InputError(
          fmt::format("the file has {} fixed {}; say which one is the ground (--ground)",
                      found.size(), type == mjGEOM_PLANE ? "planes" : "boxes"));
    }
  }
  return -1;
}

std::string free_name(const mjSpec& spec, std::string name) {
  while (mjs_findElement(&spec, mjOBJ_GEOM, name.c_str()) != nullptr) name.insert(0, "footfall_");
  return name;
}

void add_plane(SoftScene& scene, const std::array<double, 3>& up) {
  mjsGeom* plane = mjs_addGeom(mjs_findBody(scene.spec.get(), "world"), nullptr);
  mjs_setName(plane->element, free_name(*scene.spec, "ground").c_str());
  plane->type = mjGEOM_PLANE;
  std::fill_n(plane->size, 2, 0.0);  // without end
  plane->size[2] = 0.05;
  mju_quatZ2Vec(plane->quat, up.data());
  scene.ground_added = true;
}

// ---- base and pose ----

std::array<double, 3> find_up(const mjModel& m) {
  const double g = mju_norm3(m.opt.gravity);
  if (!(g > 0)) {
    throw InputError("gravity = 0, expected gravity in the robot's file: without it nothing sinks");
  }
  return {-m.opt.gravity[0] / g, -m.opt.gravity[1] / g, -m.opt.gravity[2] / g};
}

int find_root(const mjModel& m) {
  int root = 0;
  double mass = 0;
  for (int b = 1; b < static_cast<int>(m.nbody); ++b) {
    if (m.body_parentid[b] != 0 || m.body_weldid[b] == 0 || m.body_subtreemass[b] <= mass) continue;
    root = b;
    mass = m.body_subtreemass[b];
  }
  if (root == 0) throw InputError("the file has no body that can move, expected a robot");
  return root;
}

// The joint by which the whole robot goes up and down.
void find_base(SoftScene& scene) {
  const mjModel& m = *scene.model;
  const std::array<double, 3> up = find_up(m);
  scene.gravity = mju_norm3(m.opt.gravity);
  scene.root = find_root(m);
  scene.root_dof_start = m.body_dofadr[scene.root];
  scene.root_dofs = m.body_dofnum[scene.root];
  const int first = m.body_jntadr[scene.root];
  for (int j = first; j < first + m.body_jntnum[scene.root]; ++j) {
    scene.lift_qpos = m.jnt_qposadr[j];
    scene.lift_dof = m.jnt_dofadr[j];
    if (m.jnt_type[j] == mjJNT_FREE) {
      scene.free_base = true;
      scene.up = up;
      return;
    }
    const double along = mju_dot3(scene.data->xaxis + 3 * j, up.data());
    if (m.jnt_type[j] == mjJNT_SLIDE && std::abs(along) > 0.999) {
      scene.up = {1 / along, 0, 0};
      return;
    }
  }
  throw InputError(
      fmt::format("{} has no free joint and no vertical slide: its base cannot sink, so there is "
                  "nothing to tune; give the robot's base a <freejoint/>",
                  from_mujoco::label(m, mjOBJ_BODY, scene.root)));
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
    throw InputError(fmt::format("keyframe '{}', expected {}", wanted,
                                 names.empty() ? "none: the file has no keyframes"
                                               : fmt::format("one of {}", fmt::join(names, ", "))));
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

void require_level(const SoftScene& scene) {
  if (scene.model->geom_type[scene.ground] != mjGEOM_PLANE) return;
  const mjtNum* mat = scene.data->geom_xmat + 9 * scene.ground;
  const std::array<double, 3> normal = {mat[2], mat[5], mat[8]};
  const double cosine = mju_dot3(normal.data(), find_up(*scene.model).data());
  if (cosine < 1 - kLevel) {
    throw InputError(fmt::format(
        "ground '{}' slopes by {:.3g} degrees, expected level ground: on a slope a robot never "
        "rests in MuJoCo, whose friction creeps",
        geom_name(*scene.model, scene.ground), std::acos(cosine) * 180 / mjPI));
  }
}

}  // namespace

void compile_scene(SoftScene& scene) {
  scene.model.reset(mj_compile(scene.spec.get(), nullptr));
  if (!scene.model) {
    throw InputError(fmt::format("robot file '{}': {}", scene.file.string(),
                                 on_one_line(mjs_getError(scene.spec.get()))));
  }
  // The rest state is the same for every integrator, but explicit stages bear no stiff hold.
  if (scene.model->opt.integrator == mjINT_RK4) scene.model->opt.integrator = mjINT_IMPLICITFAST;
  scene.data = make_mujoco_data(*scene.model);
}

bool may_touch_ground(const SoftScene& scene, int geom) {
  const mjModel& m = *scene.model;
  if (geom == scene.ground || m.body_rootid[m.geom_bodyid[geom]] != scene.root) return false;
  for (int p = 0; p < static_cast<int>(m.npair); ++p) {
    const int a = m.pair_geom1[p], b = m.pair_geom2[p];
    if ((a == geom && b == scene.ground) || (b == geom && a == scene.ground)) return true;
  }
  return (m.geom_contype[geom] & m.geom_conaffinity[scene.ground]) != 0 ||
         (m.geom_contype[scene.ground] & m.geom_conaffinity[geom]) != 0;
}

SoftScene make_soft_scene(const std::filesystem::path& file, const std::string& keyframe,
                          const std::string& ground) {
  SoftScene scene;
  scene.file = file;
  const MjModelPtr plain = load_mujoco_model(file, &scene.warnings);
  scene.log = std::make_unique<MujocoLogScope>();
  scene.spec = parse(file);
  scene.ground = find_ground(*plain, ground);
  if (scene.ground < 0) add_plane(scene, find_up(*plain));
  compile_scene(scene);
  if (scene.ground < 0) {
    for (mjsElement* e = mjs_firstElement(scene.spec.get(), mjOBJ_GEOM); e != nullptr;
         e = mjs_nextElement(scene.spec.get(), e)) {
      const bool plane = mjs_asGeom(e)->type == mjGEOM_PLANE;
      if (plane && scene.model->geom_bodyid[mjs_getId(e)] == 0) scene.ground = mjs_getId(e);
    }
  }
  find_pose(scene, keyframe);
  std::copy(scene.pose.begin(), scene.pose.end(), scene.data->qpos);
  mj_forward(scene.model.get(), scene.data.get());
  find_base(scene);
  require_level(scene);
  find_servos(scene);
  choose_means(scene);
  weigh(scene);
  return scene;
}

}  // namespace footfall
