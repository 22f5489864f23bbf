#include "footfall/mujoco/soft_world.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mujoco/mujoco.h>

#include <algorithm>

#include "footfall/error.hpp"
#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/load.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/soft/soft_model.hpp"
#include "mujoco/build.hpp"
#include "mujoco/may_touch.hpp"

namespace footfall {
namespace {

double quadrilateral_area(const std::array<Vec3d, 4>& p) {
  return 0.5 * norm(cross(p[2] - p[0], p[3] - p[1]));
}

// Up to four corners of a polygon, the first of them first. MuJoCo looks for a quadrilateral of large
// area by moving the other three along the polygon, each while the area grows: not always the largest,
// so its search is followed step by step. MuJoCo 4.0.0's choice was found by experiment; the random
// scenes compare it with the library's.
SoftFace choose_corners(const std::vector<Vec3d>& vertices, const std::vector<int>& polygon) {
  const int n = static_cast<int>(polygon.size());
  SoftFace face;
  face.count = std::min(n, 4);
  std::array<int, 4> place{0, 1, 2, 3};
  const auto area = [&](const std::array<int, 4>& at) {
    return quadrilateral_area({vertices[polygon[at[0]]], vertices[polygon[at[1]]],
                               vertices[polygon[at[2]]], vertices[polygon[at[3]]]});
  };
  double largest = n > 4 ? area(place) : 0;
  const auto advance = [&](int k) {
    if (place[k] + 1 >= (k < 3 ? place[k + 1] : n)) return false;
    std::array<int, 4> next = place;
    ++next[k];
    const double next_area = area(next);
    if (next_area <= largest) return false;
    place = next;
    largest = next_area;
    return true;
  };
  while (advance(3)) {
    while (advance(2)) continue;
    while (advance(1)) continue;
  }
  for (int k = 0; k < face.count; ++k) face.corners[k] = polygon[place[k]];
  return face;
}

// The polygon's vertices among those of the hull, from `first` on.
std::vector<int> polygon_from(const mjModel& m, int polygon, const std::vector<int>& hull_vertex,
                              int first) {
  const int* begin = m.mesh_polyvert + m.mesh_polyvertadr[polygon];
  std::vector<int> out;
  for (int i = 0; i < m.mesh_polyvertnum[polygon]; ++i) {
    if (hull_vertex[begin[i]] >= 0) out.push_back(hull_vertex[begin[i]]);
  }
  std::rotate(out.begin(), std::find(out.begin(), out.end(), first), out.end());
  return out;
}

void add_faces(const mjModel& m, int mesh, int vertex, const std::vector<int>& hull_vertex,
               SoftHull& hull) {
  const int at = m.mesh_vertadr[mesh] + vertex;
  for (int i = 0; i < m.mesh_polymapnum[at]; ++i) {
    const int polygon = m.mesh_polyadr[mesh] + m.mesh_polymap[m.mesh_polymapadr[at] + i];
    const mjtNum* normal = m.mesh_polynormal + 3 * polygon;
    SoftFace face =
        choose_corners(hull.vertices, polygon_from(m, polygon, hull_vertex, hull_vertex[vertex]));
    face.normal = {normal[0], normal[1], normal[2]};
    hull.faces.push_back(face);
  }
}

// The mesh must have a hull: mesh_graphadr ≥ 0.
SoftHull build_soft_hull(const mjModel& m, int mesh) {
  const int* record = m.mesh_graph + m.mesh_graphadr[mesh];
  const int count = record[0];
  const int* edges = record + 2;            // of each vertex, in `neighbors`
  const int* vertices = edges + count;      // their numbers in the mesh
  const int* neighbors = vertices + count;  // of each vertex, then −1
  SoftHull hull;
  std::vector<int> hull_vertex(m.mesh_vertnum[mesh], -1);
  for (int v = 0; v < count; ++v) {
    const float* p = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + vertices[v]);
    hull.vertices.push_back({p[0], p[1], p[2]});
    hull_vertex[vertices[v]] = v;
  }
  for (int v = 0; v < count; ++v) {
    hull.first_neighbor.push_back(static_cast<int>(hull.neighbors.size()));
    hull.first_face.push_back(static_cast<int>(hull.faces.size()));
    for (const int* to = neighbors + edges[v]; *to >= 0; ++to) hull.neighbors.push_back(*to);
    add_faces(m, mesh, vertices[v], hull_vertex, hull);
  }
  hull.first_neighbor.push_back(static_cast<int>(hull.neighbors.size()));
  hull.first_face.push_back(static_cast<int>(hull.faces.size()));
  return hull;
}

using from_mujoco::find_pair;
using from_mujoco::is_static;
using from_mujoco::label;
using from_mujoco::may_touch;
using from_mujoco::vec3;

SoftReference reference(const mjtNum* x) { return {x[0], x[1]}; }
SoftImpedance impedance(const mjtNum* x) { return {x[0], x[1], x[2], x[3], x[4]}; }

SoftPair read_pair(const mjModel& m, int p) {
  SoftPair pair;
  pair.condim = m.pair_dim[p];
  pair.solref = reference(m.pair_solref + mjNREF * p);
  pair.solreffriction = reference(m.pair_solreffriction + mjNREF * p);
  pair.solimp = impedance(m.pair_solimp + mjNIMP * p);
  for (int i = 0; i < 5; ++i) {
    pair.friction[i] = std::max(m.pair_friction[5 * p + i], kMinFriction);
  }
  pair.margin = m.pair_margin[p];
  pair.gap = m.pair_gap[p];
  return pair;
}

// `<option><flag override="enable"/>`: one set of numbers for all contacts.
void override_pair(const mjModel& m, SoftPair& pair) {
  if ((m.opt.enableflags & mjENBL_OVERRIDE) == 0) return;
  pair.solref = pair.solreffriction = reference(m.opt.o_solref);
  pair.solimp = impedance(m.opt.o_solimp);
  for (int i = 0; i < 5; ++i) pair.friction[i] = std::max(m.opt.o_friction[i], kMinFriction);
  pair.margin = m.opt.o_margin;
}

void add_pairing(const mjModel& m, int g, int geom, int plane, const SoftPair& law,
                 SoftModel& soft) {
  SoftPairing& out = soft.pairings.emplace_back();
  out.geom = geom;
  out.plane = plane;
  out.law = law;
  override_pair(m, out.law);
  out.inverse_inertia = m.body_invweight0[2 * m.geom_bodyid[g]];
  out.reach = m.geom_rbound[g];
  if (m.geom_type[g] != mjGEOM_MESH) return;
  out.hull = m.geom_dataid[g];
  soft.hulls.resize(m.nmesh);
  SoftHull& hull = soft.hulls[out.hull];
  if (hull.vertices.empty()) hull = build_soft_hull(m, out.hull);
}

// All but planes and pairings.
SoftModel read_constraints(const mjModel& m) {
  SoftModel soft;
  soft.cone = m.opt.cone == mjCONE_ELLIPTIC ? SoftCone::elliptic : SoftCone::pyramidal;
  soft.impratio = m.opt.impratio;
  soft.refsafe = (m.opt.disableflags & mjDSBL_REFSAFE) == 0;
  soft.exact_diagonal = (m.opt.enableflags & mjENBL_DIAGEXACT) != 0;
  for (int j = 0; j < m.njnt; ++j) {
    soft.limits.push_back({reference(m.jnt_solref + mjNREF * j),
                           impedance(m.jnt_solimp + mjNIMP * j), m.jnt_margin[j]});
  }
  for (int d = 0; d < m.nv; ++d) {
    soft.dofs.push_back({reference(m.dof_solref + mjNREF * d), impedance(m.dof_solimp + mjNIMP * d),
                         m.dof_invweight0[d]});
  }
  return soft;
}

SoftPlane read_plane(const mjModel& m, mjData& d, int g) {
  const mjtNum* R = d.geom_xmat + 9 * g;
  return {from_mujoco::name_or_index(m, mjOBJ_GEOM, g, g),
          vec3(d.geom_xpos + 3 * g),
          {R[2], R[5], R[8]}};
}

void refuse(const mjModel& m, const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  throw InputError(fmt::format("model '{}' asks for what soft constraints do not have here: {}; "
                               "remove it from the file",
                               m.names, fmt::join(problems, "; ")));
}

void find_option_problems(const mjModel& m, std::vector<std::string>& problems) {
  if (m.opt.noslip_iterations > 0) problems.emplace_back("option noslip_iterations");
  if ((m.opt.enableflags & mjENBL_SPECULATIVE) != 0) {
    problems.emplace_back("option flag speculative=\"enable\"");
  }
  if ((m.opt.disableflags & mjDSBL_EULERDAMP) != 0) {
    problems.emplace_back("option flag eulerdamp=\"disable\"");
  }
}

void find_shape_problem(const mjModel& m, int g, std::vector<std::string>& problems) {
  if (m.geom_type[g] != mjGEOM_MESH || m.mesh_graphadr[m.geom_dataid[g]] >= 0) return;
  problems.push_back(fmt::format("{} (a mesh without convex hull, which MuJoCo makes only of those "
                                 "with contype or conaffinity)",
                                 label(m, mjOBJ_GEOM, g)));
}

void find_touch_problems(const mjModel& m, std::vector<std::string>& problems) {
  for (int g = 0; g < m.ngeom; ++g) {
    if (is_static(m, m.geom_bodyid[g])) continue;
    for (int h = 0; h < m.ngeom; ++h) {
      if (!is_static(m, m.geom_bodyid[h]) || !may_touch(m, g, h)) continue;
      if (m.geom_type[h] == mjGEOM_PLANE) {
        find_shape_problem(m, g, problems);
      } else {
        problems.push_back(fmt::format("{} touching {} (ground that is no plane)",
                                       label(m, mjOBJ_GEOM, g), label(m, mjOBJ_GEOM, h)));
      }
    }
  }
}

int first_plane(const mjModel& m) {
  for (int g = 0; g < m.ngeom; ++g) {
    if (m.geom_type[g] == mjGEOM_PLANE) return g;
  }
  return -1;
}

}  // namespace

SoftGeom file_ground(const mjModel_& m) {
  const int plane = first_plane(m);
  return plane >= 0 ? read_soft_geom(m, plane) : SoftGeom{};
}

std::vector<int> mujoco_geoms(const mjModel_& m) {
  std::vector<int> out;
  for (int g = 0; g < m.ngeom; ++g) {
    if (m.geom_bodyid[g] != 0 && !from_mujoco::is_ground(m, g)) out.push_back(g);
  }
  return out;
}

SoftGeom read_soft_geom(const mjModel_& m, int g) {
  return {m.geom_priority[g],
          m.geom_condim[g],
          m.geom_solmix[g],
          reference(m.geom_solref + mjNREF * g),
          impedance(m.geom_solimp + mjNIMP * g),
          {m.geom_friction[3 * g], m.geom_friction[3 * g + 1], m.geom_friction[3 * g + 2]},
          m.geom_margin[g],
          m.geom_gap[g]};
}

SoftModel build_soft_model(const mjModel_& m) {
  std::vector<std::string> problems;
  find_option_problems(m, problems);
  find_touch_problems(m, problems);
  refuse(m, problems);
  SoftModel soft = read_constraints(m);
  const MjDataPtr d = make_mujoco_data(m);
  mj_kinematics(&m, d.get());
  const std::vector<int> geoms = mujoco_geoms(m);
  for (int h = 0; h < m.ngeom; ++h) {
    if (m.geom_type[h] != mjGEOM_PLANE) continue;
    const int plane = static_cast<int>(soft.planes.size());
    soft.planes.push_back(read_plane(m, *d, h));
    for (std::size_t i = 0; i < geoms.size(); ++i) {
      const int g = geoms[i];
      if (is_static(m, m.geom_bodyid[g]) || !may_touch(m, g, h)) continue;
      const int p = find_pair(m, g, h);
      const SoftPair law =
          p >= 0 ? read_pair(m, p) : mix_soft_geoms(read_soft_geom(m, h), read_soft_geom(m, g));
      add_pairing(m, g, static_cast<int>(i), plane, law, soft);
    }
  }
  return soft;
}

SoftModel build_soft_model(const mjModel_& m, const std::vector<bool>& touches,
                           const SoftPlane& plane, const std::optional<SoftGeom>& ground) {
  const std::vector<int> geoms = mujoco_geoms(m);
  std::vector<std::string> problems;
  find_option_problems(m, problems);
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    if (touches[i]) find_shape_problem(m, geoms[i], problems);
  }
  refuse(m, problems);
  SoftModel soft = read_constraints(m);
  soft.planes.push_back(plane);
  const int file_plane = first_plane(m);
  const SoftGeom floor = ground ? *ground : file_ground(m);
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    if (!touches[i]) continue;
    const int p = ground || file_plane < 0 ? -1 : find_pair(m, geoms[i], file_plane);
    const SoftPair law =
        p >= 0 ? read_pair(m, p) : mix_soft_geoms(floor, read_soft_geom(m, geoms[i]));
    add_pairing(m, geoms[i], static_cast<int>(i), 0, law, soft);
  }
  return soft;
}

World build_soft_world(const mjModel_& m, const std::string& source) {
  if (m.opt.integrator != mjINT_EULER && m.opt.integrator != mjINT_IMPLICITFAST) {
    throw InputError(fmt::format("model '{}' asks for another integrator than Euler and "
                                 "implicitfast, the two that soft constraints can be compared in",
                                 m.names));
  }
  RobotModel robot = build_robot(m, source);
  SoftModel soft = build_soft_model(m);
  StepOptions options;
  options.timestep = m.opt.timestep;
  options.integrator =
      m.opt.integrator == mjINT_EULER ? Integrator::euler : Integrator::implicitfast;
  return make_world(std::move(robot), {}, SoftGround{"none", std::move(soft)}, {}, options);
}

}  // namespace footfall
