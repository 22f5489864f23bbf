// find_contacts: which points of the soles may touch the ground during this step, and with what
// law. Pure: reads poses, velocities and memory, fills the problem's points.
#pragma once

#include "footfall/simulate/world.hpp"

namespace footfall {

namespace find_detail {

// How far above the ground a point at this speed is still watched: twice its way in a step and a
// millimetre. A point that comes faster is caught one step later.
template <class T>
T watch_distance(const T& speed, double timestep) {
  return T(2 * timestep) * speed + T(1e-3);
}

template <class T>
CompliantGround<T> soil_under(const Terrain& terrain, const std::vector<CompliantGround<T>>& soils,
                              const Vec3<T>& p_W) {
  if (terrain.regions.empty()) return soils[0];
  CompliantGround<T> out = soils[0];
  for (int i = 0; i < lane_count<T>; ++i) {
    const CompliantGround<T>& s = soils[soil_at(terrain, lane(p_W.x, i), lane(p_W.y, i))];
    set_lane(out.stiffness, i, lane(s.stiffness, i));
    set_lane(out.exponent, i, lane(s.exponent, i));
    set_lane(out.damping, i, lane(s.damping, i));
    set_lane(out.damping_exponent, i, lane(s.damping_exponent, i));
    set_lane(out.rate_exponent, i, lane(s.rate_exponent, i));
    set_lane(out.shear_stiffness, i, lane(s.shear_stiffness, i));
    set_lane(out.shear_damping, i, lane(s.shear_damping, i));
    set_lane(out.friction_coefficient, i, lane(s.friction_coefficient, i));
  }
  return out;
}

// The direction, unit, from a sole point's centre to where it touches ground of normal n.
template <class T>
Vec3<T> touch_direction(const SolePoint& sole, const Mat3<T>& R_WB, const Vec3<T>& n) {
  const Vec3d& a = sole.axis;
  if (a.x == 0.0 && a.y == 0.0 && a.z == 0.0) return -n;
  const Vec3<T> axis = R_WB * broadcast<T>(a);
  const Vec3<T> down = dot(axis, n) * axis - n;
  return (T(1) / max(norm(down), T(1e-9))) * down;
}

// Writes the law's parameters, times the point's share, and the remembered displacements.
template <class T>
void set_law(const CompliantGround<T>& soil, const SolePoint& sole, double timestep,
             const Vec3<T>& shear_displacement, const T& spin_displacement,
             ContactPoint<T>& point) {
  const T h(timestep), w(sole.weight);
  const T depth = max(point.sinkage, T(0));
  point.step = h;
  point.stiffness = w * soil.stiffness;
  point.exponent = soil.exponent;
  point.damping = select(depth > T(0), w * soil.damping * pow(depth, soil.damping_exponent), T(0));
  point.rate_exponent = soil.rate_exponent;
  point.friction_coefficient = soil.friction_coefficient;
  const T k_t = w * soil.shear_stiffness;
  const T b_t = w * soil.shear_damping;
  const Vec3<T>& j = shear_displacement;
  point.shear_stiffness = k_t;
  point.shear_slope = h * k_t + b_t;
  point.shear_start = k_t * (j - dot(j, point.normal) * point.normal);
  const bool ball = sole.radius > 0 && dot(sole.axis, sole.axis) == 0.0;
  const T a2 = ball ? max((T(2 * sole.radius) - depth) * depth, T(0)) : T(0);
  point.patch_radius = ball ? sqrt(a2) : T(0);
  point.spin_slope = T(0.5) * a2 * point.shear_slope;
  point.spin_start = T(0.5) * a2 * k_t * spin_displacement;
}

}  // namespace find_detail

template <class T>
void find_contacts(const World& world, const std::vector<CompliantGround<T>>& soils,
                   const RobotData<T>& data, const ContactMemory<T>& memory,
                   ContactProblem<T>& problem) {
  using namespace find_detail;
  const double h = world.options.timestep;
  problem.point_count = 0;
  for (const SoleGroup& group : world.soles.groups) {
    const Mat3<T>& R = data.R_WB[group.body];
    const Vec3<T>& p_WB = data.p_WB[group.body];
    const Vec3<T>& p_WO = tree_origin(world.robot, data, group.body);
    const Twist<T>& V = data.V[group.body];
    if (group.point_count > 1) {  // all clear of the ground?
      const Vec3<T> center = p_WB + R * broadcast<T>(group.center);
      const GroundPoint<T> ground = sample_ground(world.terrain, center.x, center.y);
      const T speed = norm(point_velocity(V, center - p_WO)) + T(group.radius) * norm(V.ang);
      const T gap = world.terrain.is_plane ? (center.z - ground.height) * ground.normal.z
                                           : center.z - T(world.terrain_top);
      if (!any(gap < T(group.radius) + watch_distance(speed, h))) continue;
    }
    for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
      const SolePoint& sole = world.soles.points[i];
      const Vec3<T> p_WP = p_WB + R * broadcast<T>(sole.position);
      const GroundPoint<T> ground = sample_ground(world.terrain, p_WP.x, p_WP.y);
      const Vec3<T>& n = ground.normal;
      ContactPoint<T>& point = problem.points[problem.point_count];
      const T r(sole.radius);
      const Vec3<T> touch = r * touch_direction(sole, R, n);
      point.p_OC = p_WP + touch - p_WO;
      point.velocity = point_velocity(V, point.p_OC);
      point.sinkage = (ground.height - p_WP.z) * n.z - dot(touch, n);
      const auto watched = point.sinkage + watch_distance(abs(dot(n, point.velocity)), h) > T(0);
      if (!any(watched)) continue;
      point.sinkage = select(watched, point.sinkage, T(-1e3));
      point.sole_point = i;
      point.body = group.body;
      point.normal = n;
      point.spin = dot(n, V.ang);
      set_law(soil_under(world.terrain, soils, p_WP), sole, h, memory.shear_displacement[i],
              memory.spin_displacement[i], point);
      point.limit_force = memory.normal_force[i];
      ++problem.point_count;
    }
  }
}

// commit_contacts: the one place where the ground remembers. The shear spring of a point that held
// moves with it; of one that slid it has the length that the friction limit allows.
template <class T>
void commit_contacts(const ContactProblem<T>& problem, ContactMemory<T>& memory) {
  for (Vec3<T>& j : memory.shear_next) j = zero3<T>();
  for (T& s : memory.spin_next) s = T(0);
  for (T& f : memory.normal_force) f = T(0);
  for (int i = 0; i < problem.point_count; ++i) {
    const ContactPoint<T>& p = problem.points[i];
    memory.normal_force[p.sole_point] = p.normal_force;
    const T h = p.step;
    const T k_t = p.shear_stiffness;
    const T limit = p.friction_coefficient * p.limit_force;
    const Vec3<T> u_t = p.velocity - dot(p.normal, p.velocity) * p.normal;
    const Vec3<T> y = p.shear_start + p.shear_slope * u_t;  // trial force
    const auto slips = norm(y) > limit;
    const Vec3<T> elastic = select<T>(slips, y, p.shear_start + (h * k_t) * u_t);
    const T ratio = min(limit / max(norm(elastic), T(1e-300)), T(1));
    memory.shear_next[p.sole_point] = (ratio / k_t) * elastic;
    const T k_s = T(0.5) * square(p.patch_radius) * k_t;
    const T spin_limit = T(2.0 / 3.0) * p.patch_radius * limit;
    const T m = p.spin_start + p.spin_slope * p.spin;
    const T m_elastic = select(abs(m) > spin_limit, m, p.spin_start + h * k_s * p.spin);
    memory.spin_next[p.sole_point] =
        min(max(m_elastic, -spin_limit), spin_limit) / max(k_s, T(1e-300));
  }
  std::swap(memory.shear_displacement, memory.shear_next);
  std::swap(memory.spin_displacement, memory.spin_next);
}

}  // namespace footfall
