// PointTerms: the contact points of one step, in packs, as a list of terms of the solver.
#pragma once

#include "footfall/ground/evaluate.hpp"
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
};

// How fast a cell's corners rise when its link moves with V.
template <class L>
Vec3<L> corner_rise(const PointLaw<L>& law, const Twist<L>& V) {
  const auto& c = law.cell.corners;
  return {dot(law.normal, point_velocity(V, c[0])), dot(law.normal, point_velocity(V, c[1])),
          dot(law.normal, point_velocity(V, c[2]))};
}

template <class T>
struct PointTerms : PlacedPacks {
  using L = Pack<T>;
  PointTerms(int max_packs, int group_count)
      : PlacedPacks(max_packs, group_count), laws(max_packs), trials(max_packs), steps(max_packs) {}

  std::vector<PointLaw<L>> laws;
  std::vector<PointTrial<L>> trials;
  std::vector<PointStep<L>> steps;

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

  [[gnu::always_inline]] void add_to_links(int group, Sym6<L>& inertia, Wrench<L>& wrench) const {
    add_packs<T>(
        *this, group, [&](int i, Sym6<L>& I, Wrench<L>& w) { add_point(laws[i], trials[i], I, w); },
        inertia, wrench);
  }

  void take_first_step(const LinkSweep<T>& sweep, Residual<L>& residual) {
    for (int i = 0; i < count; ++i) {
      PointTrial<L>& p = trials[i];
      const Twist<L> V = place_motion(sweep, places[i]);
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
      measure(laws[i], p, residual);
    }
  }

  void set_search_steps(const LinkSweep<T>& sweep) {
    for (int i = 0; i < count; ++i) {
      const PointTrial<L>& p = trials[i];
      const Twist<L> V = place_motion(sweep, places[i]);
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
      const PointTrial<L>& p = trials[i];
      const PointStep<L>& step = steps[i];
      slope.first += dot(step.velocity, p.gradient - p.balance) +
                     step.spin * (p.spin_gradient - p.spin_balance);
      slope.size += abs(dot(step.velocity, p.gradient)) + abs(dot(step.velocity, p.balance));
      if (!laws[i].cell.any) continue;
      const Vec3<L>& rise = step.corner_rise;
      slope.first += dot(rise, p.corner_gradient - p.corner_balance);
      slope.size += abs(dot(rise, p.corner_gradient)) + abs(dot(rise, p.corner_balance));
    }
  }

  void add_slope(const L& alpha, Slope<L>& slope) {
    for (int i = 0; i < count; ++i) {
      const PointTrial<L>& p = trials[i];
      const PointStep<L>& step = steps[i];
      PointValue<L> value;
      Vec3<L> rise = p.corner_rise;
      if (laws[i].cell.any) rise += alpha * step.corner_rise;
      evaluate_contact(laws[i], p.velocity + alpha * step.velocity, p.spin + alpha * step.spin,
                       rise, p.limit_force, p.caution, value);
      slope.first += dot(step.velocity, value.gradient - p.balance - alpha * step.balance) +
                     step.spin * (value.spin_gradient - p.spin_balance - alpha * step.spin_balance);
      slope.size += abs(dot(step.velocity, value.gradient)) + abs(dot(step.velocity, p.balance));
      slope.second += dot(step.velocity, value.curvature * step.velocity - step.balance) +
                      step.spin * (value.spin_curvature * step.spin - step.spin_balance);
      if (!laws[i].cell.any) continue;
      const Vec3<L>& along = step.corner_rise;
      slope.first +=
          dot(along, value.corner_gradient - p.corner_balance - alpha * step.corner_balance);
      slope.size += abs(dot(along, value.corner_gradient)) + abs(dot(along, p.corner_balance));
      slope.second += dot(along, value.corner_curvature * along - step.corner_balance);
    }
  }

  // A step that had to be cut calls for caution.
  void take_step(const L& alpha, bool, Residual<L>& residual) {
    const L caution = select(alpha < L(1), L(1), L(0));
    for (int i = 0; i < count; ++i) {
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
      p.caution = caution;
      evaluate_contact(laws[i], p);
      measure(laws[i], p, residual);
    }
  }

  // Largest change of a friction force if its limit followed the normal force found, squared [N²].
  FOOTFALL_KERNEL T measure_limit_change() const {
    L change(0);
    for (int i = 0; i < count; ++i) {
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
      change = max(change, square(force_before - force_after));
    }
    return max_item<T>(change);
  }

  FOOTFALL_KERNEL void update_limits(const Mask<T>& robots) {
    const Mask<L> where = spread_mask<T>(robots);
    for (int i = 0; i < count; ++i) {
      trials[i].limit_force = select(where, trials[i].normal_force, trials[i].limit_force);
      evaluate_contact(laws[i], trials[i]);
    }
  }

 private:
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
    if (law.cell.any) add_corners(law, p, inertia, wrench);
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

  [[gnu::always_inline]] static void measure(const PointLaw<L>& law, const PointTrial<L>& p,
                                             Residual<L>& residual) {
    const Vec3<L> e = p.gradient - p.balance;
    residual.error = max(residual.error, dot(e, e) + square(p.spin_gradient - p.spin_balance));
    residual.scale = max(residual.scale, dot(p.balance, p.balance));
    if (!law.cell.any) return;
    const Vec3<L> e_n = p.corner_gradient - p.corner_balance;
    residual.error = max(residual.error, dot(e_n, e_n));
    residual.scale = max(residual.scale, dot(p.corner_balance, p.corner_balance));
  }
};

}  // namespace footfall
