// The ground of the scene: which geom it is, or a plane that is added.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "input_error.hpp"
#include "mujoco/build.hpp"
#include "tune/soft_scene.hpp"

namespace footfall {
namespace {

using from_mujoco::is_static;
using from_mujoco::label;

constexpr double kLevel =
    1e-6;  // 1 − cos of the angle between the ground's normal and the vertical

// Angle of the plane, or of the box's face that looks up most, with the level [degrees].
double slope_of(const mjModel& m, const mjData& d, int geom) {
  const std::array<double, 3> up = find_up(m);
  const mjtNum* mat = d.geom_xmat + 9 * static_cast<std::ptrdiff_t>(geom);
  const bool box = m.geom_type[geom] == mjGEOM_BOX;
  double cosine = -1;
  for (int axis = box ? 0 : 2; axis < 3; ++axis) {
    const double along = mat[axis] * up[0] + mat[3 + axis] * up[1] + mat[6 + axis] * up[2];
    cosine = std::max(cosine, box ? std::abs(along) : along);
  }
  return cosine > 1 - kLevel ? 0 : std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / mjPI;
}

std::vector<int> find_fixed(const mjModel& m, int type) {
  std::vector<int> found;
  for (int g = 0; g < static_cast<int>(m.ngeom); ++g) {
    const bool collides = m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0;
    if (is_static(m, m.geom_bodyid[g]) && collides && m.geom_type[g] == type) found.push_back(g);
  }
  return found;
}

std::vector<std::string> labels(const mjModel& m, const std::vector<int>& geoms) {
  std::vector<std::string> out;
  out.reserve(geoms.size());
  for (const int g : geoms) out.push_back(label(m, mjOBJ_GEOM, g));
  return out;
}

[[noreturn]] void refuse_slope(const mjModel& m, const mjData& d, int geom) {
  throw input_error("ground {} ({}) slopes by {:.3g} degrees, expected level ground: on a slope a "
                    "robot never rests in MuJoCo, whose friction creeps; take another --ground",
                    label(m, mjOBJ_GEOM, geom), ground_type(m, geom), slope_of(m, d, geom));
}

[[noreturn]] void refuse_uneven(const mjModel& m, int geom) {
  throw input_error(
      "ground {} is a {}, expected a level plane or box: how many contacts a foot has there, and "
      "so how deep it rests, changes with the place; put a level plane into the file in its stead, "
      "tune, and give the {} the solref, solimp, priority, condim and friction found",
      label(m, mjOBJ_GEOM, geom), ground_type(m, geom), ground_type(m, geom));
}

int find_named_ground(const mjModel& m, const mjData& d, const std::string& name) {
  const int geom = mj_name2id(&m, mjOBJ_GEOM, name.c_str());
  if (geom < 0) {
    std::vector<std::string> names;
    for (const int type : {mjGEOM_PLANE, mjGEOM_BOX}) {
      for (const std::string& known : labels(m, find_fixed(m, type))) names.push_back(known);
    }
    throw input_error("ground geom '{}' is not in the file, expected {}", name,
                      names.empty() ? "none: it has no fixed plane or box"
                                    : fmt::format("one of {}", fmt::join(names, ", ")));
  }
  const int type = m.geom_type[geom];
  const bool fixed = is_static(m, m.geom_bodyid[geom]);
  if (fixed && (type == mjGEOM_HFIELD || type == mjGEOM_MESH)) refuse_uneven(m, geom);
  if (!fixed || (type != mjGEOM_PLANE && type != mjGEOM_BOX)) {
    throw input_error("ground geom '{}' is a {}{}, expected a plane or box that is fixed", name,
                      ground_type(m, geom), fixed ? "" : " that can move");
  }
  if (slope_of(m, d, geom) > 0) refuse_slope(m, d, geom);
  return geom;
}

// The geom, or −1 where a plane has to be added.
int find_ground(const mjModel& m, const mjData& d, const std::string& name) {
  if (!name.empty()) return find_named_ground(m, d, name);
  int sloping = -1;
  for (const int type : {mjGEOM_PLANE, mjGEOM_BOX}) {
    std::vector<int> level;
    for (const int g : find_fixed(m, type)) {
      if (slope_of(m, d, g) > 0) {
        sloping = sloping < 0 ? g : sloping;
      } else {
        level.push_back(g);
      }
    }
    if (level.size() == 1) return level[0];
    if (level.size() > 1) {
      throw input_error(
          "the file has {} fixed level {}, {}: say by its name which one is the ground (--ground)",
          level.size(), type == mjGEOM_PLANE ? "planes" : "boxes",
          from_mujoco::list_of(labels(m, level)));
    }
  }
  if (sloping >= 0) refuse_slope(m, d, sloping);
  for (const int type : {mjGEOM_HFIELD, mjGEOM_MESH}) {
    const std::vector<int> uneven = find_fixed(m, type);
    if (!uneven.empty()) refuse_uneven(m, uneven[0]);
  }
  return -1;
}

// Its name.
std::string add_plane(SoftScene& scene, const std::array<double, 3>& up) {
  std::string name = "ground";
  while (mjs_findElement(scene.spec.get(), mjOBJ_GEOM, name.c_str()) != nullptr) {
    name.insert(0, "footfall_");
  }
  mjsGeom* plane = mjs_addGeom(mjs_findBody(scene.spec.get(), "world"), nullptr);
  mjs_setName(plane->element, name.c_str());
  plane->type = mjGEOM_PLANE;
  std::fill_n(plane->size, 2, 0.0);  // without end
  plane->size[2] = 0.05;
  mju_quatZ2Vec(plane->quat, up.data());
  scene.ground_added = true;
  return name;
}

}  // namespace

std::array<double, 3> find_up(const mjModel& m) {
  const double g = mju_norm3(m.opt.gravity);
  if (!(g > 0)) {
    throw InputError("gravity = 0, expected gravity in the robot's file: without it nothing sinks");
  }
  return {-m.opt.gravity[0] / g, -m.opt.gravity[1] / g, -m.opt.gravity[2] / g};
}

std::string ground_type(const mjModel& m, int geom) {
  switch (m.geom_type[geom]) {
  case mjGEOM_PLANE:
    return "plane";
  case mjGEOM_BOX:
    return "box";
  case mjGEOM_HFIELD:
    return "heightfield";
  case mjGEOM_MESH:
    return "mesh";
  default:
    return "round geom";
  }
}

void find_or_add_ground(SoftScene& scene, const mjModel& plain, const std::string& name) {
  const MjDataPtr data = make_mujoco_data(plain);
  mj_kinematics(&plain, data.get());
  scene.ground = find_ground(plain, *data, name);
  if (scene.ground >= 0) return compile_scene(scene);
  const std::string added = add_plane(scene, find_up(plain));
  compile_scene(scene);
  scene.ground = mj_name2id(scene.model.get(), mjOBJ_GEOM, added.c_str());
}

}  // namespace footfall
