// Sinkage and damping of our own soils under a robot's feet, for MuJoCo.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "footfall/rig/press.hpp"
#include "footfall/tune/tune.hpp"
#include "input_error.hpp"
#include "tune/soft_scene.hpp"

namespace footfall {
namespace {

constexpr double kUpright = 0.7;  // cosine beyond which an axis counts as vertical
constexpr int kMeshPieces = 60;   // elements across a mesh
constexpr double kLeastSinkage = 1e-6, kMostSinkage = 1;  // that can be tuned to [m]
constexpr double kNoRebound = 1e-3;  // restitution below which a bounce is not seen

// The geom's axes and the vertical, frame W.
struct Placed {
  const mjModel& m;
  int geom;
  const mjtNum* size;
  const mjtNum* mat;
  std::array<double, 3> up;
  double cosine(int axis) const {
    return std::abs(mat[axis] * up[0] + mat[3 + axis] * up[1] + mat[6 + axis] * up[2]);
  }
};

FootSole box_sole(const Placed& p) {
  int down = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (p.cosine(axis) > p.cosine(down)) down = axis;
  }
  return make_rectangle(2 * p.size[(down + 1) % 3], 2 * p.size[(down + 2) % 3]);
}

FootSole mesh_sole(const Placed& p) {
  const int mesh = p.m.geom_dataid[p.geom];
  std::vector<Vec3d> vertices;
  double low = 0, high = 0;
  std::array<mjtNum, 4> turn{};
  mju_quatZ2Vec(turn.data(), p.up.data());
  mju_negQuat(turn.data(), turn.data());
  for (int i = 0; i < p.m.mesh_vertnum[mesh]; ++i) {
    const float* v = p.m.mesh_vert + 3 * static_cast<std::ptrdiff_t>(p.m.mesh_vertadr[mesh] + i);
    const std::array<mjtNum, 3> local = {v[0], v[1], v[2]};
    std::array<mjtNum, 3> world{}, level{};
    mju_mulMatVec3(world.data(), p.mat, local.data());
    mju_rotVecQuat(level.data(), world.data(), turn.data());
    vertices.push_back({level[0], level[1], level[2]});
    low = i == 0 ? level[0] : std::min(low, level[0]);
    high = i == 0 ? level[0] : std::max(high, level[0]);
  }
  std::vector<std::array<int, 3>> faces;
  for (int i = 0; i < p.m.mesh_facenum[mesh]; ++i) {
    const int* f = p.m.mesh_face + 3 * static_cast<std::ptrdiff_t>(p.m.mesh_faceadr[mesh] + i);
    faces.push_back({f[0], f[1], f[2]});
  }
  return make_mesh(vertices, faces, (high - low) / kMeshPieces);
}

FootSole sole_of(const Placed& p) {
  switch (p.m.geom_type[p.geom]) {
  case mjGEOM_SPHERE:
    return make_sphere(p.size[0]);
  case mjGEOM_BOX:
    return box_sole(p);
  case mjGEOM_CYLINDER:
    return p.cosine(2) > kUpright ? make_disc(p.size[0]) : make_cylinder(p.size[0], 2 * p.size[1]);
  case mjGEOM_CAPSULE:  // its round ends add less than their radius to the width
    return p.cosine(2) > kUpright ? make_sphere(p.size[0])
                                  : make_cylinder(p.size[0], 2 * p.size[1] + p.size[0]);
  case mjGEOM_MESH:
    return mesh_sole(p);
  default:
    break;
  }
  throw input_error(
      "geom {} is no sole that soil knows, expected a sphere, box, cylinder, capsule or mesh",
      p.geom);
}

// Damping ratio of a linear spring and damper that rebounds with this restitution.
double damping_of_restitution(double restitution) {
  const double l = std::log(std::max(restitution, kNoRebound));
  return -l / std::sqrt(std::numbers::pi * std::numbers::pi + l * l);
}

double bounce_damping_ratio(const RigGround& ground, double load, double sinkage, double gravity) {
  if (ground.plastic) {
    PressSettings settings;
    settings.load = load;
    const double given = press(ground, {}, settings).work;
    settings.unload = true;
    const double kept = press(ground, {}, settings).work;
    return damping_of_restitution(std::sqrt(std::max(0.0, 1 - kept / given)));
  }
  // At the speed of a fall through the sinkage: for q ≠ 1 the damping depends on it.
  const double speed = std::sqrt(gravity * sinkage);
  const GroundForce rest = evaluate_ground(ground, {}, sinkage, 0);
  const double damping = (evaluate_ground(ground, {}, sinkage, speed).force - rest.force) / speed;
  return damping / (2 * std::sqrt(rest.sinkage_slope * load / gravity));
}

}  // namespace

std::vector<ContactMeasure> find_loads(SoftScene& scene) {
  set_softness(scene, {-1e4, -100}, {});
  find_inverse_rest(scene);
  return measure_contacts(scene);
}

std::vector<FootOnSoil> ask_soil(const std::filesystem::path& robot, const Soil& soil,
                                 const TuneOptions& options) {
  SoftScene scene = make_soft_scene(robot, options.keyframe, options.ground, {}, options.edit);
  std::map<int, double> loads;  // by geom
  for (const ContactMeasure& c : find_loads(scene)) loads[c.geom] += c.load;
  std::array<double, 3> up{};
  mju_scl3(up.data(), scene.model->opt.gravity, -1 / scene.gravity);
  std::vector<FootOnSoil> feet;
  for (const FootMeasure& measure : measure_feet(scene)) {
    if (!measure.foot) continue;
    FootOnSoil foot{.name = measure.name, .body = measure.body, .load = measure.load};
    // Heel and toe of one foot: their mean by load.
    for (const auto& [geom, load] : loads) {
      const mjModel& m = *scene.model;
      if (m.geom_bodyid[geom] != measure.body || !(load > 0)) continue;
      const Placed placed{m, geom, m.geom_size + 3 * static_cast<std::ptrdiff_t>(geom),
                          scene.data->geom_xmat + 9 * static_cast<std::ptrdiff_t>(geom), up};
      const RigGround ground = make_rig_ground(sole_of(placed), soil);
      const double sinkage = find_rest(ground, load);
      const double weight = load / measure.load;
      foot.sinkage += weight * sinkage;
      foot.damping_ratio += weight * bounce_damping_ratio(ground, load, sinkage, scene.gravity);
    }
    feet.push_back(foot);
  }
  return feet;
}

Tuned tune_to_soil(const std::filesystem::path& robot, const Soil& soil,
                   const TuneOptions& options) {
  const std::vector<FootOnSoil> feet = ask_soil(robot, soil, options);
  TuneOptions o = options;
  o.sinkage = 0;
  o.damping_ratio_at_rest = 0;
  for (const FootOnSoil& foot : feet) {
    o.sinkage += foot.sinkage / static_cast<double>(feet.size());
    *o.damping_ratio_at_rest += foot.damping_ratio / static_cast<double>(feet.size());
  }
  if (!(o.sinkage >= kLeastSinkage && o.sinkage <= kMostSinkage)) {
    throw input_error("soil '{}': the robot sinks {:.3g} m into it, expected {:.0e} to {:.0f} m; "
                      "take another --soil",
                      soil.name, o.sinkage, kLeastSinkage, kMostSinkage);
  }
  Tuned tuned = tune_soft_ground(robot, o);
  for (TunedFoot& foot : tuned.feet) {
    for (const FootOnSoil& on_soil : feet) {
      if (on_soil.body == foot.body) foot.wanted_sinkage = on_soil.sinkage;
    }
  }
  return tuned;
}

}  // namespace footfall
