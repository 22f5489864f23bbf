// MuJoCo's rules for which geoms of a model may touch, in one place.
#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>

namespace footfall::from_mujoco {

// Do the two geoms touch by their contype and conaffinity?
inline bool masks_match(const mjModel& m, int g, int h) {
  return (m.geom_contype[g] & m.geom_conaffinity[h]) != 0 ||
         (m.geom_contype[h] & m.geom_conaffinity[g]) != 0;
}

// The <pair> of two geoms, −1: there is none.
inline int find_pair(const mjModel& m, int g, int h) {
  for (int p = 0; p < static_cast<int>(m.npair); ++p) {
    const int a = m.pair_geom1[p], b = m.pair_geom2[p];
    if ((a == g && b == h) || (a == h && b == g)) return p;
  }
  return -1;
}

// Does an <exclude> part the two bodies?
inline bool is_excluded(const mjModel& m, int body, int other) {
  const int signature = (std::min(body, other) << 16) + std::max(body, other);
  const int* end = m.exclude_signature + m.nexclude;
  return std::find(static_cast<const int*>(m.exclude_signature), end, signature) != end;
}

// Does MuJoCo let shapes of two bodies touch, by its rules beside their masks: no welded bodies, no parent and
// child, no excluded pair?
inline bool bodies_may_touch(const mjModel& m, int b, int c) {
  const int weld_b = m.body_weldid[b], weld_c = m.body_weldid[c];
  if (weld_b == weld_c || is_excluded(m, b, c)) return false;
  if ((m.opt.disableflags & mjDSBL_FILTERPARENT) != 0) return true;
  return m.body_weldid[m.body_parentid[weld_b]] != weld_c &&
         m.body_weldid[m.body_parentid[weld_c]] != weld_b;
}

// Is the geom's shape one of the ground's?
inline bool is_ground(const mjModel& m, int g) {
  return m.geom_type[g] == mjGEOM_PLANE || m.geom_type[g] == mjGEOM_HFIELD;
}

// A shape and a static geom: by a <pair>, or by their masks unless their bodies are excluded.
inline bool may_touch(const mjModel& m, int g, int h) {
  return find_pair(m, g, h) >= 0 ||
         (masks_match(m, g, h) && !is_excluded(m, m.geom_bodyid[g], m.geom_bodyid[h]));
}

}  // namespace footfall::from_mujoco
