// PointTerms: the contact points of one step, in packs, as a list of terms of the solver.
#pragma once

#include "footfall/ground/evaluate.hpp"
#include "footfall/ground/repacked_points.hpp"
#include "footfall/solver/terms.hpp"

namespace footfall {

// Where a search step leads from the current trial.
template <class T>
struct PointStep {
  Vec3<T> velocity;  // Δu [m/s]
  T spin;            // [rad/s]
  Vec3<T> balance;   // Δλ [N s]
  T spin_balance;
  Vec3<T> corner_rise, corner_balance;  // of a cell
  PointValue<T> value;                  // at the step length last asked for
};

// The normal at a cell's corner.
template <class L>
const Vec3<L>& corner_normal(const PointLaw<L>& law, int k) {
  return law.cell.is_bent ? law.cell.normals[k] : law.normal;
}

// How fast a cell's corners rise when its link moves with V.
template <class L>
Vec3<L> corner_rise(const PointLaw<L>& law, const Twist<L>& V) {
  const auto& c = law.cell.corners;
  if (law.cell.is_bent) {
    return {dot(law.cell.normals[0], point_velocity(V, c[0])),
            dot(law.cell.normals[1], point_velocity(V, c[1])),
            dot(law.cell.normals[2], point_velocity(V, c[2]))};
  }
  const L rise = dot(law.normal, V.lin);
  const Vec3<L> turn = cross(law.normal, V.ang);  // n·(ω × c) = c·(n × ω)
  return {rise + dot(c[0], turn), rise + dot(c[1], turn), rise + dot(c[2], turn)};
}

template <class T>
struct PointPacks : TermPacks {
  PointPacks(int max_packs, int group_count)
      : TermPacks(max_packs, group_count), laws(max_packs), trials(max_packs) {}
  std::vector<PointLaw<Pack<T>>> laws;
  std::vector<PointTrial<Pack<T>>> trials;
};

template <class T>
struct PointTerms : PointPacks<T> {
  using L = Pack<T>;
  static constexpr bool kInLanes = lane_count<T> > 1;
  PointTerms(int max_packs, int group_count)
      : PointPacks<T>(max_packs, group_count), steps(max_packs),
        other(kInLanes ? max_packs : 0, group_count), maps(kInLanes ? max_packs : 0) {}
  using TermPacks::count, TermPacks::places, TermPacks::first_pack;
  using PointPacks<T>::laws, PointPacks<T>::trials;

  std::vector<PointStep<L>> steps;
  // The ground at SolePlan::nodes, where it is uneven, see GroundDistance.
  std::vector<T> node_distance;
  std::vector<Vec3<T>> node_normal;
  std::vector<char> node_is_near;   // within a step's reach of the ground, in any robot
  std::vector<char> node_is_exact;  // else node_distance is only a lower bound
  // Robots in lanes: whether points are packed anew, see repacked_points.hpp; the packs that are not in use
  // now; of each pack in use its slots.
  bool is_repacked = false;
  PointPacks<T> other;
  std::vector<LaneMap<L>> maps;

  // Packs points anew for the solve, where that saves packs.
  void repack() {
    if constexpr (kInLanes) {
      constexpr double kWorthIt = 0.7;  // of the packs are left
      int needed = 0;
      for (std::size_t g = 0; g + 1 < first_pack.size(); ++g) {
        int used = 0;
        for (int i = first_pack[g]; i < first_pack[g + 1]; ++i) {
          for (int l = 0; l < lane_count<L>; ++l) used += is_watched(laws[i], l) ? 1 : 0;
        }
        needed += (used + lane_count<L> - 1) / lane_count<L>;
      }
      is_repacked = needed < kWorthIt * count;
      if (!is_repacked) return;
      std::swap(static_cast<PointPacks<T>&>(*this), other);
      count = 0;
      for (std::size_t g = 0; g + 1 < first_pack.size(); ++g) {
        first_pack[g] = count;
        fill_group(other.first_pack[g], other.first_pack[g + 1]);
      }
      first_pack.back() = count;
    }
  }

  // After the solve: gives the packs that were found what their points came to.
  void empty_slots() {
    if constexpr (kInLanes) {
      if (!is_repacked) return;
      is_repacked = false;
      std::swap(static_cast<PointPacks<T>&>(*this), other);
      for (int i = 0; i < count; ++i) {
        const auto none = [](auto& a, const auto&) { a = {}; };
        PointValue<L>& value = trials[i];
        each_number(value, value, none);
        trials[i].balance = trials[i].corner_balance = zero3<L>();
        trials[i].spin_balance = L(0);
      }
      for (int i = 0; i < other.count; ++i) {
        const LaneMap<L>& map = maps[i];
        for (int s = 0; s < lane_count<L> && map.found[s] >= 0; ++s) {
          copy_lane(trials[map.found[s]], static_cast<int>(map.robot.from[s]), other.trials[i], s);
        }
      }
    }
  }

  // The solve has finished with these robots.
  void rest(const Mask<T>& robots) {
    if constexpr (kInLanes) {
      if (!is_repacked) return;
      const L done = select(robots, L(1), L(0));
      for (int i = 0; i < count; ++i) maps[i].rests = all(maps[i].spread(done) > L(0));
    }
  }

  // No balance is known yet.
  void start() {
    for (int i = 0; i < count; ++i) {
      trials[i].balance = zero3<L>();
      trials[i].spin_balance = L(0);
      trials[i].corner_balance = zero3<L>();
      trials[i].caution = L(0);
      evaluate_contact(laws[i], trials[i]);
    }
  }

  void add_to_slots(LinkSweep<T>&) const {}

  // The sum is made apart: the sweep keeps a link's inertia in registers only as long as nobody else is given
  // its address.
  [[gnu::always_inline]] void add_to_links(int group, Sym6<L>& inertia, Wrench<L>& wrench) const {
    if (first_pack[group] == first_pack[group + 1]) return;
    const LinkSum sum = sum_points(group);
    inertia += sum.inertia;
    wrench += sum.wrench;
  }

  void take_first_step(const LinkSweep<T>& sweep, Residual<L>& residual) {
    for (int i = 0; i < count; ++i) {
      PointTrial<L>& p = trials[i];
      const Twist<L> V = motion_at(sweep, i);
      const Vec3<L> u = point_velocity(V, laws[i].p_OC);
      const L spin = dot(laws[i].normal, V.ang);
      p.balance = p.gradient + p.curvature * (u - p.velocity);
      p.spin_balance = p.spin_gradient + p.spin_curvature * (spin - p.spin);
      p.velocity = u;
      p.spin = spin;
      if (laws[i].cell.any) {
        const Vec3<L> rise = corner_rise(laws[i], V);
        p.corner_balance = p.corner_gradient + p.corner_curvature * (rise - p.corner_rise);
        p.corner_rise = rise;
      }
      evaluate_contact(laws[i], p);
      measure(i, residual);
    }
  }

  void set_search_steps(const LinkSweep<T>& sweep) {
    for (int i = 0; i < count; ++i) {
      if (rests(i)) continue;
      const PointTrial<L>& p = trials[i];
      const Twist<L> V = motion_at(sweep, i);
      PointStep<L>& step = steps[i];
      step.velocity = point_velocity(V, laws[i].p_OC) - p.velocity;
      step.spin = dot(laws[i].normal, V.ang) - p.spin;
      step.balance = p.gradient + p.curvature * step.velocity - p.balance;
      step.spin_balance = p.spin_gradient + p.spin_curvature * step.spin - p.spin_balance;
      if (!laws[i].cell.any) continue;
      step.corner_rise = corner_rise(laws[i], V) - p.corner_rise;
      step.corner_balance =
          p.corner_gradient + p.corner_curvature * step.corner_rise - p.corner_balance;
    }
  }

  void add_start_slope(Slope<L>& slope) const {
    for (int i = 0; i < count; ++i) {
      if (rests(i)) continue;
      const PointTrial<L>& p = trials[i];
      const PointStep<L>& step = steps[i];
      Slope<L> own{dot(step.velocity, p.gradient - p.balance) +
                       step.spin * (p.spin_gradient - p.spin_balance),
                   L(0), abs(dot(step.velocity, p.gradient)) + abs(dot(step.velocity, p.balance))};
      if (laws[i].cell.any) {
        const Vec3<L>& rise = step.corner_rise;
        own.first += dot(rise, p.corner_gradient - p.corner_balance);
        own.size += abs(dot(rise, p.corner_gradient)) + abs(dot(rise, p.corner_balance));
      }
      add_own(i, own, slope);
    }
  }

  void add_slope(const L& robots_alpha, Slope<L>& slope) {
    for (int i = 0; i < count; ++i) {
      if (rests(i)) continue;
      const L alpha = to_slots(i, robots_alpha);
      const PointTrial<L>& p = trials[i];
      PointStep<L>& step = steps[i];
      PointValue<L>& value = step.value;
      Vec3<L> rise = p.corner_rise;
      if (laws[i].cell.any) rise += alpha * step.corner_rise;
      evaluate_contact(laws[i], p.velocity + alpha * step.velocity, p.spin + alpha * step.spin,
                       rise, p.limit_force, p.caution, value);
      Slope<L> own{dot(step.velocity, value.gradient - p.balance - alpha * step.balance) +
                       step.spin *
                           (value.spin_gradient - p.spin_balance - alpha * step.spin_balance),
                   dot(step.velocity, value.curvature * step.velocity - step.balance) +
                       step.spin * (value.spin_curvature * step.spin - step.spin_balance),
                   abs(dot(step.velocity, value.gradient)) + abs(dot(step.velocity, p.balance))};
      if (laws[i].cell.any) {
        const Vec3<L>& along = step.corner_rise;
        own.first +=
            dot(along, value.corner_gradient - p.corner_balance - alpha * step.corner_balance);
        own.size += abs(dot(along, value.corner_gradient)) + abs(dot(along, p.corner_balance));
        own.second += dot(along, value.corner_curvature * along - step.corner_balance);
      }
      add_own(i, own, slope);
    }
  }

  // A step that had to be cut calls for caution.
  void take_step(const L& robots_alpha, Residual<L>& residual) {
    for (int i = 0; i < count; ++i) {
      if (rests(i)) continue;
      const L alpha = to_slots(i, robots_alpha);
      const L caution = select(alpha < L(1), L(1), L(0));
      PointTrial<L>& p = trials[i];
      const PointStep<L>& step = steps[i];
      p.velocity += alpha * step.velocity;
      p.spin += alpha * step.spin;
      p.balance += alpha * step.balance;
      p.spin_balance += alpha * step.spin_balance;
      if (laws[i].cell.any) {
        p.corner_rise += alpha * step.corner_rise;
        p.corner_balance += alpha * step.corner_balance;
      }
      PointValue<L>& value = p;
      each_number(value, step.value, [](auto& to, const auto& from) { store(from, to); });
      if (any((caution < p.caution) | (caution > p.caution))) {
        p.caution = caution;
        evaluate_shear(laws[i], p);
      }
      measure(i, residual);
    }
  }

  // Largest change of a friction force if its limit followed the normal force found, squared [N²].
  FOOTFALL_KERNEL T measure_limit_change() const {
    L change(0);
    for (int i = 0; i < count; ++i) {
      if (rests(i)) continue;
      const PointLaw<L>& law = laws[i];
      const PointTrial<L>& p = trials[i];
      const L before = shear_limit(law, p.limit_force), after = shear_limit(law, p.normal_force);
      // over its scale
      const Vec3<L> u_t = tangential_velocity(law, p.velocity);
      const Vec3<L> y = shear_trial(law, u_t, before).force;
      const L y2 = dot(y, y);
      if (!law.plastic.any && !any(y2 > square(min(before, after))))
        continue;  // both times all hold
      const L force_before = min(shear_scale(law, before) * sqrt(y2), before);
      const L trial = law.plastic.any ? norm(shear_trial(law, u_t, after).force) : sqrt(y2);
      const L force_after = min(shear_scale(law, after) * trial, after);
      raise(i, change, square(force_before - force_after));
    }
    return max_item<T>(change);
  }

  FOOTFALL_KERNEL void update_limits(const Mask<T>& robots) {
    const L chosen = select(spread_mask<T>(robots), L(1), L(0));
    for (int i = 0; i < count; ++i) {
      if (rests(i)) continue;
      const Mask<L> where = to_slots(i, chosen) > L(0);
      trials[i].limit_force = select(where, trials[i].normal_force, trials[i].limit_force);
      evaluate_shear(laws[i], trials[i]);
    }
  }

 private:
  struct LinkSum {
    Sym6<L> inertia;
    Wrench<L> wrench;
  };
  FOOTFALL_APART LinkSum sum_points(int group) const {
    LinkSum sum{link_detail::zero_sym6<L>(), zero6<L>()};
    add_packs<T>(
        *this, group,
        [&](int i, Sym6<L>& I, Wrench<L>& w) {
          if constexpr (kInLanes) {
            if (rests(i)) return;
            if (is_repacked) return add_slots(i, I, w);
          }
          add_point(laws[i], trials[i], I, w);
        },
        sum.inertia, sum.wrench);
    return sum;
  }
  bool rests(int i) const {
    if constexpr (kInLanes) return is_repacked && maps[i].rests;
    return false;
  }
  // From robots to the lanes of a pack, and back.
  L to_slots(int i, const L& x) const {
    if constexpr (kInLanes) {
      if (is_repacked) return maps[i].spread(x);
    }
    return x;
  }
  void raise(int i, L& largest, const L& x) const {
    if constexpr (kInLanes) {
      if (is_repacked) return maps[i].raise(largest, x);
    }
    largest = max(largest, x);
  }
  void add_own(int i, const Slope<L>& own, Slope<L>& slope) const {
    if constexpr (kInLanes) {
      if (is_repacked) {
        const LaneMap<L>& map = maps[i];
        slope.first += map.sum(own.first);
        slope.second += map.sum(own.second);
        slope.size += map.sum(own.size);
        return;
      }
    }
    slope.first += own.first;
    slope.second += own.second;
    slope.size += own.size;
  }
  Twist<L> motion_at(const LinkSweep<T>& sweep, int i) const {
    const Twist<L> V = place_motion(sweep, places[i]);
    if constexpr (kInLanes) {
      if (is_repacked) {
        const auto there = [&](const Vec3<L>& a) {
          return Vec3<L>{maps[i].spread(a.x), maps[i].spread(a.y), maps[i].spread(a.z)};
        };
        return {there(V.ang), there(V.lin)};
      }
    }
    return V;
  }
  void add_slots(int i, Sym6<L>& inertia, Wrench<L>& wrench) const {
    Sym6<L> I = to_sym6(RigidInertia<L>{L(0), zero3<L>(), diagonal3(L(0))});
    Wrench<L> w = zero6<L>();
    add_point(laws[i], trials[i], I, w);
    const auto add = [&](L& to, const L& from) { to += maps[i].sum(from); };
    const auto add3 = [&](Vec3<L>& to, const Vec3<L>& from) {
      add(to.x, from.x);
      add(to.y, from.y);
      add(to.z, from.z);
    };
    const auto add_sym = [&](Sym3<L>& to, const Sym3<L>& from) {
      add(to.xx, from.xx);
      add(to.xy, from.xy);
      add(to.xz, from.xz);
      add(to.yy, from.yy);
      add(to.yz, from.yz);
      add(to.zz, from.zz);
    };
    add_sym(inertia.angular, I.angular);
    add3(inertia.coupling.x, I.coupling.x);
    add3(inertia.coupling.y, I.coupling.y);
    add3(inertia.coupling.z, I.coupling.z);
    add_sym(inertia.linear, I.linear);
    add3(wrench.ang, w.ang);
    add3(wrench.lin, w.lin);
  }

  static bool is_watched(const PointLaw<L>& law, int l) {
    return lane(law.sinkage, l) > 0.5 * kNotWatched;
  }
  // The watched points of one group of links, side by side, robot by robot; slots that are left over repeat the last.
  void fill_group(int first, int end) {
    for (int i = first, next; i < end; i = next) {
      for (next = i + 1; next < end && alike(other.laws[i], other.laws[next]);) ++next;
      fill_alike(i, next);
    }
  }
  void fill_alike(int first, int end) {
    constexpr int kSlots = lane_count<L>;
    int slot = kSlots, last_found = 0, last_lane = 0;
    const auto put = [&](int found, int l, bool counts) {
      copy_lane(laws[count - 1], slot, other.laws[found], l);
      copy_lane(trials[count - 1], slot, other.trials[found], l);
      maps[count - 1].add(slot++, l, counts ? found : -1);
    };
    for (int l = 0; l < kSlots; ++l) {
      for (int i = first; i < end; ++i) {
        if (!is_watched(other.laws[i], l)) continue;
        if (slot == kSlots) {
          places[count] = other.places[i];
          maps[count++].clear();
          slot = 0;
        }
        put(i, l, true);
        last_found = i;
        last_lane = l;
      }
    }
    while (slot < kSlots) put(last_found, last_lane, false);  // NOLINT(bugprone-infinite-loop)
  }

  // Adds a point's curvature H and linear term ∇ℓ − H u to the inertia and wrench of its link.
  [[gnu::always_inline]] static void add_point(const PointLaw<L>& law, const PointTrial<L>& p,
                                               Sym6<L>& inertia, Wrench<L>& wrench) {
    const Vec3<L>& n = law.normal;
    const Vec3<L> s = p.spin_curvature * n;
    Sym6<L> I = point_inertia(p.curvature, law.p_OC);
    I.angular.xx += s.x * n.x;
    I.angular.xy += s.x * n.y;
    I.angular.xz += s.x * n.z;
    I.angular.yy += s.y * n.y;
    I.angular.yz += s.y * n.z;
    I.angular.zz += s.z * n.z;
    inertia += I;
    const Vec3<L> f = p.gradient - p.curvature * p.velocity;
    const L spin = p.spin_gradient - p.spin_curvature * p.spin;
    wrench += Wrench<L>{cross(law.p_OC, f) + spin * n, f};
    if (!law.cell.any) return;
    if (law.cell.is_bent) {
      add_bent_corners(law, p, inertia, wrench);
    } else {
      add_corners(law, p, inertia, wrench);
    }
  }

  // What acts along the normals at a cell's corners where each has its own.
  FOOTFALL_APART static void add_bent_corners(const PointLaw<L>& law, const PointTrial<L>& p,
                                              Sym6<L>& inertia, Wrench<L>& wrench) {
    const Sym3<L>& H = p.corner_curvature;
    const auto& n = law.cell.normals;
    const Vec3<L> rows[3] = {{H.xx, H.xy, H.xz}, {H.xy, H.yy, H.yz}, {H.xz, H.yz, H.zz}};
    const Vec3<L> f = p.corner_gradient - H * p.corner_rise;
    const L force[3] = {f.x, f.y, f.z};
    Vec3<L> arm[3];
    for (int k = 0; k < 3; ++k) {
      arm[k] = cross(law.cell.corners[k], n[k]);
      wrench += Wrench<L>{force[k] * arm[k], force[k] * n[k]};
    }
    for (int k = 0; k < 3; ++k) {
      const Vec3<L>& h = rows[k];
      const Vec3<L> a = h.x * arm[0] + h.y * arm[1] + h.z * arm[2];
      const Vec3<L> b = h.x * n[0] + h.y * n[1] + h.z * n[2];
      const Vec3<L>&u = arm[k], &v = n[k];
      inertia +=
          Sym6<L>::from_blocks({u.x * a.x, u.x * a.y, u.x * a.z, u.y * a.y, u.y * a.z, u.z * a.z},
                               {v.x * a, v.y * a, v.z * a},
                               {v.x * b.x, v.x * b.y, v.x * b.z, v.y * b.y, v.y * b.z, v.z * b.z});
    }
  }

  // The same of what acts along the normal at a cell's corners.
  [[gnu::always_inline]] static void add_corners(const PointLaw<L>& law, const PointTrial<L>& p,
                                                 Sym6<L>& inertia, Wrench<L>& wrench) {
    const Vec3<L>& n = law.normal;
    const Sym3<L>& H = p.corner_curvature;
    const auto& c = law.cell.corners;
    const Vec3<L> a = cross(c[0], n), b = cross(c[1], n), d = cross(c[2], n);
    const Vec3<L> Ha = H.xx * a + H.xy * b + H.xz * d, Hb = H.xy * a + H.yy * b + H.yz * d,
                  Hd = H.xz * a + H.yz * b + H.zz * d;
    const Vec3<L> whole = Ha + Hb + Hd;
    const L sum = H.xx + H.yy + H.zz + L(2) * (H.xy + H.xz + H.yz);
    inertia += Sym6<L>::from_blocks(
        {a.x * Ha.x + b.x * Hb.x + d.x * Hd.x, a.x * Ha.y + b.x * Hb.y + d.x * Hd.y,
         a.x * Ha.z + b.x * Hb.z + d.x * Hd.z, a.y * Ha.y + b.y * Hb.y + d.y * Hd.y,
         a.y * Ha.z + b.y * Hb.z + d.y * Hd.z, a.z * Ha.z + b.z * Hb.z + d.z * Hd.z},
        {n.x * whole, n.y * whole, n.z * whole}, sum * outer(n));
    const Vec3<L> f = p.corner_gradient - H * p.corner_rise;
    wrench += Wrench<L>{f.x * a + f.y * b + f.z * d, (f.x + f.y + f.z) * n};
  }

  [[gnu::always_inline]] void measure(int i, Residual<L>& residual) const {
    const PointTrial<L>& p = trials[i];
    const Vec3<L> e = p.gradient - p.balance;
    L error = dot(e, e) + square(p.spin_gradient - p.spin_balance);
    L scale = dot(p.balance, p.balance);
    if (laws[i].cell.any) {
      const Vec3<L> e_n = p.corner_gradient - p.corner_balance;
      error = max(error, dot(e_n, e_n));
      scale = max(scale, dot(p.corner_balance, p.corner_balance));
    }
    raise(i, residual.error, error);
    raise(i, residual.scale, scale);
  }
};

}  // namespace footfall
