#include "mujoco/soft_masks.hpp"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>

#include "footfall/error.hpp"
#include "mujoco/build.hpp"
#include "mujoco/may_touch.hpp"

namespace footfall {
namespace {

using from_mujoco::find_pair;
using from_mujoco::is_excluded;
using from_mujoco::is_static;
using from_mujoco::masks_match;

// By MuJoCo's rules: no welded bodies, no parent and child, no excluded pair.
bool bodies_touch(const mjModel& m, int b, int c) {
  const int weld_b = m.body_weldid[b], weld_c = m.body_weldid[c];
  if (weld_b == weld_c) return false;
  const bool filter = (m.opt.disableflags & mjDSBL_FILTERPARENT) == 0;
  const int parent_b = m.body_weldid[m.body_parentid[weld_b]];
  const int parent_c = m.body_weldid[m.body_parentid[weld_c]];
  if (filter && (parent_b == weld_c || parent_c == weld_b)) return false;
  return !is_excluded(m, b, c);
}

}  // namespace

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
    throw InputError(fmt::format("model '{}' has {} static geoms that collide, expected at most 30",
                                 m.names, ground.size()));
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
      if (find_pair(m, g, h) < 0 && !(masks_match(m, g, h) && bodies_touch(m, b, c))) continue;
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
