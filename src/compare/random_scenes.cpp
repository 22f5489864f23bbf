#include "compare/random_scenes.hpp"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>

#include "footfall/mujoco/log.hpp"
#include "input_error.hpp"
#include "mujoco/build.hpp"
#include "mujoco/may_touch.hpp"

namespace footfall {
namespace {

using from_mujoco::bodies_may_touch;
using from_mujoco::find_pair;
using from_mujoco::is_static;
using from_mujoco::masks_match;

std::string solref(SceneRandom& r) {
  if (r.chance(0.03)) return "0.03 -5";  // mixed: MuJoCo takes the default
  if (r.chance(0.4)) {
    return fmt::format("{} {}", -r.log_uniform(50, 5e4), -r.log_uniform(2, 400));
  }
  return fmt::format("{} {}", r.log_uniform(0.003, 0.1), r.uniform(0.3, 2));
}

std::string solimp(SceneRandom& r) {
  const double power = r.chance(0.3) ? r.uniform(1, 4) : r.pick<double>({1, 2, 2, 3});
  return fmt::format("{} {} {} {} {}", r.uniform(0.05, 0.99), r.uniform(0.3, 0.99),
                     r.log_uniform(1e-4, 0.03), r.uniform(0.1, 0.9), power);
}

std::string friction(SceneRandom& r) {
  return fmt::format("{} {} {}", r.log_uniform(0.03, 1.5), r.log_uniform(1e-4, 0.1),
                     r.log_uniform(1e-5, 0.05));
}

// What geoms and planes say about their contacts.
std::string contact_attributes(SceneRandom& r) {
  std::string out = fmt::format("condim=\"{}\" friction=\"{}\" solref=\"{}\" solimp=\"{}\"",
                                r.pick<int>({1, 3, 3, 3, 4, 6}), friction(r), solref(r), solimp(r));
  if (r.chance(0.2)) out += fmt::format(" priority=\"{}\"", r.index(3));
  if (r.chance(0.3)) out += fmt::format(" solmix=\"{}\"", r.chance(0.2) ? 0 : r.uniform(0.1, 3));
  if (r.chance(0.25)) out += fmt::format(" margin=\"{}\"", r.uniform(0, 0.006));
  if (r.chance(0.15)) out += fmt::format(" gap=\"{}\"", r.uniform(0, 0.004));
  return out;
}

constexpr int kMeshes = 3;  // of a scene

// Convex meshes "mesh0" and so on: points of an egg, or a frustum whose ends are polygons.
std::string meshes(SceneRandom& r) {
  std::string out;
  for (int i = 0; i < kMeshes; ++i) {
    out += fmt::format("<mesh name=\"mesh{}\" vertex=\"", i);
    const double a = r.uniform(0.03, 0.12), b = r.uniform(0.03, 0.12), c = r.uniform(0.03, 0.12);
    const bool frustum = r.chance(0.6);
    const int sides = 3 + r.index(9);
    for (int k = 0; k < 2 * sides; ++k) {
      const double angle = 2 * M_PI * (frustum ? k % sides + r.uniform(0, 0.7) : k) / sides;
      const double z = frustum ? (k < sides ? -1 : 1) : 0.97 * r.uniform(-1, 1);
      const double size = frustum ? (k < sides ? 1 : 0.6) : std::sqrt(1 - z * z);
      out +=
          fmt::format("{} {} {} ", a * size * std::cos(angle), b * size * std::sin(angle), c * z);
    }
    out += "\"/>";
  }
  return out;
}

std::string shape(SceneRandom& r) {
  const auto size = [&] { return r.uniform(0.03, 0.12); };
  switch (r.index(8)) {
  case 0:
    return fmt::format("type=\"sphere\" size=\"{}\"", size());
  case 1:
    return fmt::format("type=\"capsule\" size=\"{} {}\"", size(), size());
  case 2:
    return fmt::format("type=\"cylinder\" size=\"{} {}\"", size(), size());
  case 3:
    return fmt::format("type=\"ellipsoid\" size=\"{} {} {}\"", size(), size(), size());
  case 4:
  case 5:
    return fmt::format("type=\"mesh\" mesh=\"mesh{}\"", r.index(kMeshes));
  default:
    return fmt::format("type=\"box\" size=\"{} {} {}\"", size(), size(), size());
  }
}

std::string euler(SceneRandom& r, double size) {
  return fmt::format("euler=\"{} {} {}\"", r.uniform(-size, size), r.uniform(-size, size),
                     r.uniform(-size, size));
}

std::string geom(SceneRandom& r, int& count) {
  return fmt::format("<geom name=\"g{}\" {} pos=\"{} {} 0\" {} density=\"{}\" {}/>", count++,
                     shape(r), r.uniform(-0.05, 0.05), r.uniform(-0.05, 0.05), euler(r, 180),
                     r.log_uniform(100, 5000), contact_attributes(r));
}

std::string joint(SceneRandom& r) {
  std::string out = fmt::format("<joint type=\"{}\" axis=\"{} {} {}\"",
                                r.pick<const char*>({"hinge", "hinge", "slide"}), r.uniform(-1, 1),
                                r.uniform(-1, 1), r.uniform(0.1, 1));
  if (r.chance(0.6)) {
    const double middle = r.uniform(-0.3, 0.3);
    out += fmt::format(" limited=\"true\" range=\"{} {}\" solreflimit=\"{}\" solimplimit=\"{}\"",
                       middle - r.uniform(0, 0.1), middle + r.uniform(0.001, 0.1), solref(r),
                       solimp(r));
    if (r.chance(0.3)) out += fmt::format(" margin=\"{}\"", r.uniform(0, 0.1));
  }
  if (r.chance(0.5)) {
    out += fmt::format(" frictionloss=\"{}\" solreffriction=\"{}\" solimpfriction=\"{}\"",
                       r.log_uniform(0.01, 5), solref(r), solimp(r));
  }
  if (r.chance(0.5)) out += fmt::format(" damping=\"{}\"", r.log_uniform(0.01, 3));
  if (r.chance(0.5)) out += fmt::format(" armature=\"{}\"", r.log_uniform(1e-3, 0.1));
  if (r.chance(0.3)) out += fmt::format(" stiffness=\"{}\"", r.log_uniform(0.1, 50));
  return out + "/>";
}

// A body with its children, each on a joint.
std::string link(SceneRandom& r, int depth, int& count) {
  std::string out =
      fmt::format("<body pos=\"{} {} {}\" {}>{}{}", r.uniform(-0.15, 0.15), r.uniform(-0.15, 0.15),
                  r.uniform(-0.15, 0.15), euler(r, 60), joint(r), geom(r, count));
  if (depth > 0) out += link(r, depth - 1, count);
  return out + "</body>";
}

std::string plane(SceneRandom& r, int number) {
  const double tilt = r.chance(0.5) ? 0 : 20;
  return fmt::format("<geom name=\"floor{}\" type=\"plane\" size=\"5 5 1\" contype=\"1\" "
                     "conaffinity=\"0\" pos=\"0 0 {}\" {} {}/>",
                     number, number == 0 ? 0.0 : r.uniform(-0.02, 0.02), euler(r, tilt),
                     contact_attributes(r));
}

std::string pair(SceneRandom& r, int geom) {
  std::string out =
      fmt::format("<pair geom1=\"floor0\" geom2=\"g{}\" condim=\"{}\" friction=\"{} {} {} {} {}\" "
                  "solref=\"{}\" solimp=\"{}\"",
                  geom, r.pick<int>({1, 3, 4, 6}), r.uniform(0.1, 1), r.uniform(0.1, 1),
                  r.log_uniform(1e-3, 0.1), r.log_uniform(1e-4, 0.05), r.log_uniform(1e-4, 0.05),
                  solref(r), solimp(r));
  if (r.chance(0.4)) out += fmt::format(" solreffriction=\"{}\"", solref(r));
  if (r.chance(0.4)) out += fmt::format(" margin=\"{}\"", r.uniform(0, 0.005));
  return out + "/>";
}

std::string scene_text(SceneRandom& r, bool chain, int& body_count) {
  int geoms = 0;
  std::string bodies;
  body_count = chain ? 1 : 1 + r.index(3);
  for (int b = 0; b < body_count; ++b) {
    std::string inner = geom(r, geoms);
    if (!chain && r.chance(0.3)) inner += geom(r, geoms);
    if (chain) {
      for (int i = 1 + r.index(3); i > 0; --i) inner += link(r, r.index(3), geoms);
    }
    bodies += fmt::format("<body pos=\"{} 0 1\"><freejoint/>{}</body>", 0.4 * b, inner);
  }
  std::string pairs;
  for (int g = 0; g < geoms; ++g) {
    if (r.chance(0.15)) pairs += pair(r, g);
  }
  const int planes = r.chance(0.2) ? 2 : 1;
  std::string floors;
  for (int p = 0; p < planes; ++p) floors += plane(r, p);
  return fmt::format("<mujoco model=\"{}\"><asset>{}</asset>"
                     "<default><geom contype=\"0\" conaffinity=\"1\"/></default>"
                     "<worldbody>{}{}</worldbody><contact>{}</contact></mujoco>",
                     chain ? "chain" : "bodies", meshes(r), floors, bodies, pairs);
}

void set_numbers(const std::string& text, mjtNum* to) {
  const char* at = text.c_str();
  char* end = nullptr;
  for (double x = std::strtod(at, &end); end != at; x = std::strtod(at, &end)) {
    *to++ = x;
    at = end;
  }
}

// A robot of a file over a plane; its contacts, limits and friction get random numbers.
MjModelPtr robot_on_plane(SceneRandom& r, const std::string& file) {
  MjModelPtr model = from_mujoco::compile_edited(file, nullptr, [&](mjSpec& spec) {
    mjsGeom* floor = mjs_addGeom(mjs_findBody(&spec, "world"), nullptr);
    floor->type = mjGEOM_PLANE;
    floor->size[0] = floor->size[1] = floor->size[2] = 1;
    const double tilt = r.chance(0.5) ? 0 : r.uniform(-0.3, 0.3);
    floor->quat[0] = std::cos(tilt / 2);
    floor->quat[1] = std::sin(tilt / 2);
  });
  mjModel& m = *model;
  for (int g = 0; g < m.ngeom; ++g) {
    set_numbers(solref(r), m.geom_solref + mjNREF * g);
    set_numbers(solimp(r), m.geom_solimp + mjNIMP * g);
    set_numbers(friction(r), m.geom_friction + 3 * g);
    m.geom_condim[g] = r.pick<int>({1, 3, 3, 4, 6});
  }
  for (int j = 0; j < m.njnt; ++j) {
    set_numbers(solref(r), m.jnt_solref + mjNREF * j);
    set_numbers(solimp(r), m.jnt_solimp + mjNIMP * j);
    m.jnt_margin[j] = r.chance(0.3) ? r.uniform(0, 0.2) : 0;
  }
  for (int d = 0; d < m.nv; ++d) {
    set_numbers(solref(r), m.dof_solref + mjNREF * d);
    set_numbers(solimp(r), m.dof_solimp + mjNIMP * d);
    const bool free = m.jnt_type[m.dof_jntid[d]] == mjJNT_FREE;
    if (!free && r.chance(0.5)) m.dof_frictionloss[d] = r.log_uniform(0.01, 2);
  }
  return model;
}

void set_options(SceneRandom& r, mjModel& m) {
  m.opt.cone = r.chance(0.5) ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  m.opt.impratio = r.chance(0.5) ? 1 : r.log_uniform(0.3, 30);
  m.opt.timestep = r.log_uniform(0.0005, 0.005);
  m.opt.integrator = r.chance(0.5) ? mjINT_EULER : mjINT_IMPLICITFAST;
  if (r.chance(0.2)) m.opt.enableflags |= mjENBL_DIAGEXACT;
  if (r.chance(0.15)) {  // one set of numbers for all contacts, whatever geoms and pairs say
    m.opt.enableflags |= mjENBL_OVERRIDE;
    set_numbers(solref(r), m.opt.o_solref);
    set_numbers(solimp(r), m.opt.o_solimp);
    const double slide = r.log_uniform(0.03, 1.5);
    const bool same = r.chance(0.5);
    m.opt.o_friction[0] = slide;
    m.opt.o_friction[1] = same ? slide : r.log_uniform(0.03, 1.5);
    for (int i = 2; i < 5; ++i) m.opt.o_friction[i] = r.log_uniform(1e-5, 0.05);
    m.opt.o_margin = r.chance(0.5) ? 0 : r.uniform(0, 0.006);
  }
  if (r.chance(0.2)) m.opt.disableflags |= mjDSBL_REFSAFE;
}

// Moves each tree vertically until its lowest geom is `depth` deep in the nearest plane.
void place_tree(const mjModel& m, int joint, double depth, mjData& d) {
  const int root = m.jnt_bodyid[joint];
  for (int k = 0; k < 3; ++k) {  // distances to a slope are not vertical: a few rounds
    mj_kinematics(&m, &d);
    double lowest = 1e9;
    for (int g = 0; g < m.ngeom; ++g) {
      if (m.body_rootid[m.geom_bodyid[g]] != root || m.geom_conaffinity[g] == 0) continue;
      for (int h = 0; h < m.ngeom; ++h) {
        if (m.geom_type[h] != mjGEOM_PLANE) continue;
        lowest = std::min(lowest, mj_geomDistance(&m, &d, h, g, 10, nullptr));
      }
    }
    if (lowest > 1e8) return;
    d.qpos[m.jnt_qposadr[joint] + 2] -= lowest + depth;
  }
}

void draw_state(SceneRandom& r, bool upright, RandomScene& scene) {
  const MjModelPtr masked = keep_ground_contacts(*scene.model);
  const mjModel& m = *masked;
  const MjDataPtr d = make_mujoco_data(m);
  if (m.nkey > 0) std::copy(m.key_qpos, m.key_qpos + m.nq, d->qpos);
  const double tilt = upright ? 0.1 : 1;
  for (int j = 0; j < m.njnt; ++j) {
    mjtNum* q = d->qpos + m.jnt_qposadr[j];
    if (m.jnt_type[j] == mjJNT_HINGE || m.jnt_type[j] == mjJNT_SLIDE) {
      q[0] += (m.jnt_type[j] == mjJNT_SLIDE ? 0.03 : 0.2) * r.uniform(-1, 1);
      continue;
    }
    mjtNum* quat = m.jnt_type[j] == mjJNT_FREE ? q + 3 : q;
    for (int k = 0; k < 4; ++k) quat[k] += tilt * r.uniform(-1, 1);
    mju_normalize4(quat);
  }
  for (int j = 0; j < m.njnt; ++j) {
    const double depth = r.chance(0.2) ? -r.uniform(0, 0.004) : r.log_uniform(1e-4, 0.02);
    if (m.jnt_type[j] == mjJNT_FREE) place_tree(m, j, depth, *d);
  }
  scene.qpos.assign(d->qpos, d->qpos + m.nq);
  const double speed = r.pick<double>({0, 0.1, 1});
  for (int i = 0; i < m.nv; ++i) scene.qvel.push_back(speed * r.uniform(-1, 1));
}

}  // namespace

double SceneRandom::log_uniform(double lower, double upper) {
  return std::exp(uniform(std::log(lower), std::log(upper)));
}

RandomScene make_random_scene(unsigned seed, int number, const std::vector<std::string>& robots) {
  SceneRandom r(seed * 1000003U + static_cast<unsigned>(number));
  const MujocoLogScope log;
  RandomScene scene;
  const int kind = r.index(robots.empty() ? 2 : 3);
  if (kind < 2) {
    int bodies = 0;
    const std::string text = scene_text(r, kind == 1, bodies);
    scene.model = from_mujoco::compile_edited("random scene", text.c_str(), [](mjSpec&) {});
    scene.name = fmt::format("{}: {}", number, kind == 1 ? "chain of links" : "free bodies");
  } else {
    const std::string file = r.pick(robots);
    scene.has_robot = true;
    scene.model = robot_on_plane(r, file);
    scene.name = fmt::format("{}: {}", number, scene.model->names);
  }
  set_options(r, *scene.model);
  draw_state(r, kind == 2, scene);
  return scene;
}

MjModelPtr keep_ground_contacts(const mjModel_& model) {
  MjModelPtr copy(mj_copyModel(nullptr, &model));
  mjModel& m = *copy;
  std::vector<int> ground;
  for (int g = 0; g < m.ngeom; ++g) {
    if (is_static(m, m.geom_bodyid[g]) && (m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0)) {
      ground.push_back(g);
    }
  }
  if (ground.size() > 30) {
    throw input_error("model '{}' has {} static geoms that collide, expected at most 30", m.names,
                      ground.size());
  }
  // one bit for each static geom
  std::vector<int> affinity(m.ngeom, 0), type(m.ngeom, 0);
  for (std::size_t i = 0; i < ground.size(); ++i) {
    type[ground[i]] = 1 << i;
    for (int g = 0; g < m.ngeom; ++g) {
      if (!is_static(m, m.geom_bodyid[g]) && masks_match(m, g, ground[i])) affinity[g] |= 1 << i;
    }
  }
  std::copy(type.begin(), type.end(), m.geom_contype);
  std::copy(affinity.begin(), affinity.end(), m.geom_conaffinity);
  for (int b = 0; b < m.nbody; ++b) {
    m.body_contype[b] = m.body_conaffinity[b] = 0;
    for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
      m.body_contype[b] |= type[g];
      m.body_conaffinity[b] |= affinity[g];
    }
  }
  return copy;
}

std::vector<std::string> name_link_contacts(const mjModel_& m) {
  std::vector<std::string> pairs;
  for (int g = 0; g < m.ngeom; ++g) {
    for (int h = g + 1; h < m.ngeom; ++h) {
      const int b = m.geom_bodyid[g], c = m.geom_bodyid[h];
      if (is_static(m, b) || is_static(m, c)) continue;
      if (find_pair(m, g, h) < 0 && !(masks_match(m, g, h) && bodies_may_touch(m, b, c))) continue;
      pairs.push_back(fmt::format("{} with {}", from_mujoco::label(m, mjOBJ_GEOM, g),
                                  from_mujoco::label(m, mjOBJ_GEOM, h)));
    }
  }
  if (pairs.empty()) return {};
  return {fmt::format("contacts between two links are not supported and left out of both "
                      "programs: {}",
                      from_mujoco::list_of(pairs))};
}

}  // namespace footfall
