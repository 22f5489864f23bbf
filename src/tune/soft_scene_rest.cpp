// The scene at rest: placing, weighing, feet.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "footfall/error.hpp"
#include "tune/soft_scene_parts.hpp"

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
    throw InputError(fmt::format("weight of the robot = {} N, expected more than 0", scene.weight));
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

}  // namespace footfall
