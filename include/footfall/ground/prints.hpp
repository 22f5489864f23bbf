// Footprints: what plastic soil remembers under a sole while it stands there, and how that becomes a
// rut once the foot has moved or left.
//
// A point that is pressed in carries its footprint along: soil that a foot has compacted goes with
// it. The ruts are read where a point comes down, so a step into an old print starts at its bottom.
#pragma once

#include "footfall/ground/plastic_plan.hpp"
#include "footfall/ground/point_terms.hpp"

namespace footfall {

namespace print_detail {

inline constexpr double kReleaseGap = 5e-4;  // a sole this far above its prints has left them [m]
inline constexpr double kSlowest = 1e-5;     // below this a foot stands [m/s]

// Of a pack's items: its value in a robot's lane.
template <class T>
double item_lane(const Pack<T>& pack, int item, int robot) {
  return lane(get_item<T>(pack, item), robot);
}

// Sets the stage of the sole groups of points where `where` is above 0, in those robots.
template <class T>
void set_stage(const World& world, const SolePack<T>& sole, const Pack<T>& where, PrintStage stage,
               PlasticMemory<T>& memory) {
  for (int k = 0; k < pack_size<T>; ++k) {
    if (sole.point[k] < 0) continue;
    const int first = world.soles.points[sole.point[k]].group * lane_count<T>;
    for (int robot = 0; robot < lane_count<T>; ++robot) {
      PrintStage& now = memory.stage[first + robot];
      if (item_lane<T>(where, k, robot) > 0 && now != PrintStage::moved) now = stage;
    }
  }
}

// Where the corners of cells lie about their middles, when they come down.
template <class T>
void keep_corners(const SolePack<T>& sole, const Mat3<Pack<T>>& R_WL, const Mask<Pack<T>>& where,
                  PlasticMemory<T>& memory) {
  using L = Pack<T>;
  const L fresh = select(where, L(1), L(0));
  for (int c = 0; c < 3; ++c) {
    const Vec3<L> corner = R_WL * spread<L>(sole.corners[c]);
    for (int k = 0; k < pack_size<T>; ++k) {
      if (sole.point[k] < 0) continue;
      T &x = memory.corner_x[3 * sole.point[k] + c], &y = memory.corner_y[3 * sole.point[k] + c];
      const auto is_fresh = get_item<T>(fresh, k) > T(0);
      x = select(is_fresh, get_item<T>(corner.x, k), x);
      y = select(is_fresh, get_item<T>(corner.y, k), y);
    }
  }
}

// Adds one robot's pressed point to its print; a cell with its corners.
template <class T>
void add_to_print(const PlasticMemory<T>& memory, const SolePoint& sole, int i, int robot,
                  Footprint& print) {
  const auto at = [&](const std::vector<T>& values, int k) { return lane(values[k], robot); };
  const int needed = sole.is_cell ? 4 : 1;
  if (at(memory.is_pressed, i) <= 0 || print.point_count + needed > Footprint::kMaxPoints) return;
  const PrintPoint point{at(memory.print_x, i),
                         at(memory.print_y, i),
                         at(memory.plastic_sinkage, i),
                         at(memory.sinkage_max, i),
                         at(memory.shear_x, i),
                         at(memory.shear_y, i),
                         false};
  print.points[print.point_count++] = point;
  for (int c = 0; c < 3 && sole.is_cell; ++c) {
    PrintPoint& corner = print.points[print.point_count++] = point;
    corner.is_corner = true;
    corner.x += at(memory.corner_x, 3 * i + c);
    corner.y += at(memory.corner_y, 3 * i + c);
  }
}

// The print of one robot's sole group: that of its pressed points.
template <class T>
Footprint make_footprint(const Soles& soles, const SoleGroup& group, int robot,
                         const PlasticMemory<T>& memory) {
  Footprint print;
  for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
    add_to_print(memory, soles.points[i], i, robot, print);
  }
  if (print.point_count == 0) return print;
  const SolePoint& sole = soles.points[group.first_point];
  const PrintPoint &first = print.points[0], &last = print.points[print.point_count - 1];
  print.x = 0.5 * (first.x + last.x);
  print.y = 0.5 * (first.y + last.y);
  const double length = std::hypot(last.x - first.x, last.y - first.y);
  if (sole.bearing == BearingKind::rim && length > 0) {
    print.shape = PrintShape::roller;
    print.radius = sole.radius;
    print.half_length = 0.5 * length;
    print.axis_x = (last.x - first.x) / length;
    print.axis_y = (last.y - first.y) / length;
  } else if (sole.bearing == BearingKind::flat) {
    print.shape = PrintShape::hull;
  } else {
    print.shape = PrintShape::ball;
    print.radius = sole.radius;
  }
  return print;
}

// Presses it into the robot's ruts. Balls of one group (a capsule's ends) leave a print each.
template <class T>
void stamp_group(const Soles& soles, const SoleGroup& group, int robot, ContactMemory<T>& memory) {
  Footprint print = make_footprint(soles, group, robot, memory.plastic);
  if (print.shape != PrintShape::ball) {
    if (print.point_count > 0) memory.ruts[robot].stamp(print);
    return;
  }
  const int count = print.point_count;
  for (int i = 0; i < count; ++i) {
    print.points[0] = print.points[i];
    print.x = print.points[i].x;
    print.y = print.points[i].y;
    print.point_count = 1;
    memory.ruts[robot].stamp(print);
  }
}

// Where a sole point touches now, if it is near the ground.
template <class T>
bool find_touch(const SolePlan<T>& soles, const PointTerms<T>& points, const LinkData<T>& data,
                int point, Vec3<T>& p_WC) {
  for (int i = 0; i < points.count; ++i) {
    const SolePack<T>& sole = soles.packs[points.places[i].sole_pack];
    for (int k = 0; k < pack_size<T>; ++k) {
      if (sole.point[k] != point) continue;
      p_WC = data.origin[sole.tree[k]] + get_item<T>(points.laws[i].p_OC, k);
      if (points.laws[i].cell.any) p_WC += get_item<T>(points.laws[i].cell.to_middle, k);
      return true;
    }
  }
  return false;
}

}  // namespace print_detail

// Moves the footprints of a pack of points on, after the step. `rate`: of the soil below them.
template <class T>
void press_footprints(const World& world, const SolePack<T>& sole, const PointLaw<Pack<T>>& point,
                      const PointTrial<Pack<T>>& trial, const Pack<T>& rate,
                      const Mat3<Pack<T>>& R_WL, const Vec3<Pack<T>>& p_WC,
                      const Vec3<Pack<T>>& shear, PlasticMemory<T>& memory) {
  using namespace print_detail;
  using L = Pack<T>;
  const PlasticPart<L>& p = point.plastic;
  const L& force = trial.normal_force;
  const L depth = point.sinkage + point.step * rate;
  const auto carries = (force > L(0)) & (p.is_plastic > L(0));
  const L line = p.unload_stiffness * (depth - p.plastic_sinkage + p.recovery * rate);
  // What turned away has left its footprint; what meets no resistance is not pressed.
  L gap = select(p.size > L(0), p.plastic_sinkage - depth, L(1e3));
  gap = select((line > L(0)) & (force <= L(0)), max(gap, L(0)), gap);
  scatter<T>(gap, sole.point, memory.gap.data());
  scatter<T>(p.is_pressed, sole.point, memory.is_pressed.data());
  if (!any(carries)) return;
  const auto keep = [&](const L& value, std::vector<T>& to) {
    scatter<T>(select(carries, value, gather(to.data(), sole.source)), sole.point, to.data());
  };
  if (point.cell.any) {
    keep(p.plastic_sinkage, memory.plastic_sinkage);
    keep(p.sinkage_max, memory.sinkage_max);
    keep(point.cell.offset, memory.offset);
  }
  const auto yields = carries & (line > force);
  const auto deeper = carries & (depth > p.sinkage_max);
  const auto fresh = carries & (p.is_pressed <= L(0));
  if (any(yields | deeper | fresh)) {
    // the line's spring lags its damper by τ: it takes up 1/(1 + τ/h) of its change
    const L lag = p.recovery / point.step;
    const L spring =
        (force / max(p.unload_stiffness, L(kTiny<L>)) + lag * (point.sinkage - p.plastic_sinkage)) /
        (L(1) + lag);
    L bottom = select(yields, max(p.plastic_sinkage, depth - spring), p.plastic_sinkage);
    const L sinkage_max = select(deeper, depth, p.sinkage_max);
    L bearing = p.bearing;
    if (any(sinkage_max > p.reference_depth)) {
      const L V = evaluate_bearing(point, max(sinkage_max, L(kLeastDepth))).force;
      bearing = select(sinkage_max > p.reference_depth, V, bearing);
    }
    if (point.cell.any) {
      // Soil that yields takes the stiffness of its new depth, or where only the tilt changed no smaller
      // one; what the spring carries stays, as long as it stores no more than was put in.
      const L d = max(depth, L(kLeastDepth));
      const L now = plastic_detail::unload_stiffness_at(point, d, evaluate_bearing(point, d).force);
      const L stiffness =
          select(deeper, now, select(yields, max(now, p.unload_stiffness), p.unload_stiffness));
      const L before = max(point.sinkage - p.plastic_sinkage, L(0));
      const L stored = L(0.5) * p.unload_stiffness * before * before + point.step * force * rate;
      const L most = sqrt(L(2) * max(stored, L(0)) / stiffness);
      bottom = select(yields | deeper, depth - min(spring * p.unload_stiffness / stiffness, most),
                      bottom);
      keep(stiffness, memory.unload_stiffness);
      scatter<T>(select(yields | deeper, bottom - depth, gap), sole.point, memory.gap.data());
    }
    keep(L(1), memory.is_pressed);
    keep(bottom, memory.plastic_sinkage);
    keep(sinkage_max, memory.sinkage_max);
    keep(bearing / max(p.size, L(kTiny<L>)), memory.bearing);
    keep(p.rim_height, memory.rim_height);
    if (any(fresh)) {
      if (point.cell.any) keep_corners<T>(sole, R_WL, fresh, memory);
      keep(select(fresh, p_WC.x, gather(memory.print_x.data(), sole.source)), memory.print_x);
      keep(select(fresh, p_WC.y, gather(memory.print_y.data(), sole.source)), memory.print_y);
    }
    set_stage<T>(world, sole, select(carries, L(1), L(0)), PrintStage::standing, memory);
  }
  const Vec3<L> u_t = tangential_velocity(point, trial.velocity);
  const auto moves = carries & (dot(u_t, u_t) > L(square(kSlowest)));
  if (!any(moves)) return;
  const auto update = [&](const L& value, std::vector<T>& to) {
    scatter<T>(select(moves, value, gather(to.data(), sole.source)), sole.point, to.data());
  };
  update(shear.x, memory.shear_x);
  update(shear.y, memory.shear_y);
  const L dx = p_WC.x - gather(memory.print_x.data(), sole.source);
  const L dy = p_WC.y - gather(memory.print_y.data(), sole.source);
  const auto moved = moves & (dx * dx + dy * dy > L(square(soil_ground(world.ground)->ruts.cell)));
  if (any(moved)) {
    set_stage<T>(world, sole, select(moved, L(1), L(0)), PrintStage::moved, memory);
  }
}

// Presses the prints of all soles that stand on plastic soil into the ruts, for a look at them; the
// soles keep their prints.
template <class T>
void press_prints(const World& world, ContactMemory<T>& memory) {
  if (memory.ruts.empty()) return;
  for (const SoleGroup& group : world.soles.groups) {
    for (int robot = 0; robot < lane_count<T>; ++robot) {
      print_detail::stamp_group(world.soles, group, robot, memory);
    }
  }
}

// Turns the prints of soles that have moved on or left into ruts.
template <class T>
void commit_ruts(const World& world, const SolePlan<T>& soles, const PointTerms<T>& points,
                 const LinkData<T>& data, ContactMemory<T>& memory) {
  using namespace print_detail;
  PlasticMemory<T>& plastic = memory.plastic;
  for (std::size_t i = 0; i < plastic.stage.size(); ++i) {
    PrintStage& stage = plastic.stage[i];
    if (stage == PrintStage::none) continue;
    const int robot = static_cast<int>(i) % lane_count<T>;
    const SoleGroup& group = world.soles.groups[i / lane_count<T>];
    const int end = group.first_point + group.point_count;
    const auto holds = [&](int k) {
      return lane(plastic.is_pressed[k], robot) > 0 && lane(plastic.gap[k], robot) < kReleaseGap;
    };
    bool held = false;
    for (int k = group.first_point; k < end; ++k) held = held || holds(k);
    if (held && stage != PrintStage::moved) continue;
    stamp_group(world.soles, group, robot, memory);
    for (int k = group.first_point; k < end; ++k) {
      Vec3<T> p_WC;
      if (holds(k) && find_touch(soles, points, data, k, p_WC)) {
        set_lane(plastic.print_x[k], robot, lane(p_WC.x, robot));
        set_lane(plastic.print_y[k], robot, lane(p_WC.y, robot));
      } else {
        set_lane(plastic.is_pressed[k], robot, 0.0);
      }
    }
    stage = held ? PrintStage::standing : PrintStage::none;
  }
}

}  // namespace footfall
