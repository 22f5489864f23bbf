// SoftTerms: the soft contacts of one step, in packs, as a list of terms of the solver.
#pragma once

#include "footfall/soft/soft_point.hpp"
#include "footfall/solver/terms.hpp"

namespace footfall {

// Where a search step leads from the current trial, frame C.
template <class T>
struct SoftStep {
  Spatial<T> velocity;  // Δu
  Spatial<T> balance;   // Δλ
};

template <class T>
struct SoftTerms : TermPacks {
  using L = Pack<T>;
  SoftTerms(int max_packs, int group_count)
      : TermPacks(max_packs, group_count), contacts(max_packs), steps(max_packs) {}

  std::vector<SoftPoint<L>> contacts;
  std::vector<SoftStep<L>> steps;

  void start() {
    for (int i = 0; i < count; ++i) {
      contacts[i].balance = zero6<L>();
      evaluate_at(contacts[i]);
    }
  }

  void add_to_slots(LinkSweep<T>&) const {}

  [[gnu::always_inline]] void add_to_links(int group, Sym6<L>& inertia, Wrench<L>& wrench) const {
    add_packs<T>(
        *this, group, [&](int i, Sym6<L>& I, Wrench<L>& w) { add_contact(contacts[i], I, w); },
        inertia, wrench);
  }

  void take_first_step(const LinkSweep<T>& sweep, Residual<L>& residual) {
    for (int i = 0; i < count; ++i) {
      SoftPoint<L>& c = contacts[i];
      const Spatial<L> u = row_velocity(c, place_motion(sweep, places[i]));
      c.balance = c.gradient + c.curvature * (u - c.velocity);
      c.velocity = u;
      evaluate_at(c);
      measure(c, residual);
    }
  }

  void set_search_steps(const LinkSweep<T>& sweep) {
    for (int i = 0; i < count; ++i) {
      const SoftPoint<L>& c = contacts[i];
      SoftStep<L>& step = steps[i];
      step.velocity = row_velocity(c, place_motion(sweep, places[i])) - c.velocity;
      step.balance = c.gradient + c.curvature * step.velocity - c.balance;
    }
  }

  void add_start_slope(Slope<L>& slope) const {
    for (int i = 0; i < count; ++i) {
      const SoftPoint<L>& c = contacts[i];
      const Spatial<L>& du = steps[i].velocity;
      slope.first += dot(du, c.gradient - c.balance);
      slope.size += abs(dot(du, c.gradient)) + abs(dot(du, c.balance));
    }
  }

  // Leaves gradients and curvatures at α, for take_step.
  void add_slope(const L& alpha, Slope<L>& slope) {
    for (int i = 0; i < count; ++i) {
      SoftPoint<L>& c = contacts[i];
      const SoftStep<L>& step = steps[i];
      const SoftValue<L> value = evaluate_soft(c, c.velocity + alpha * step.velocity);
      slope.first += dot(step.velocity, value.gradient - c.balance - alpha * step.balance);
      slope.size += abs(dot(step.velocity, value.gradient)) + abs(dot(step.velocity, c.balance));
      slope.second += dot(step.velocity, value.curvature * step.velocity - step.balance);
      c.gradient = value.gradient;
      c.curvature = value.curvature;
    }
  }

  void take_step(const L& alpha, Residual<L>& residual) {
    for (int i = 0; i < count; ++i) {
      SoftPoint<L>& c = contacts[i];
      c.velocity += alpha * steps[i].velocity;
      c.balance += alpha * steps[i].balance;
      measure(c, residual);
    }
  }

  // Normal and friction are one convex function: nothing has to follow the solution.
  T measure_limit_change() const { return T(0); }
  void update_limits(const Mask<T>&) {}
  void rest(const Mask<T>&) {}

 private:
  [[gnu::always_inline]] static void evaluate_at(SoftPoint<L>& c) {
    const SoftValue<L> value = evaluate_soft(c, c.velocity);
    c.gradient = value.gradient;
    c.curvature = value.curvature;
  }

  [[gnu::always_inline]] static void measure(const SoftPoint<L>& c, Residual<L>& residual) {
    const Spatial<L> e = c.gradient - c.balance;
    residual.error = max(residual.error, dot(e, e));
    residual.scale = max(residual.scale, dot(c.balance, c.balance));
  }

  // Adds a contact's curvature H and linear term ∇ℓ − H u to the inertia and wrench of its link.
  [[gnu::always_inline]] static void add_contact(const SoftPoint<L>& c, Sym6<L>& inertia,
                                                 Wrench<L>& wrench) {
    const Vec3<L>& r = c.p_OC;
    inertia += point_inertia(rotate(c.R_WC, c.curvature.linear), r);
    if (c.turns) {
      // ωᵀ C u adds C to the coupling and −(C[r]× + its transpose) to the angular block
      const Mat3<L>& R = c.R_WC;
      const Mat3<L> RC = R * c.curvature.coupling;
      const Mat3<L> C{RC.x * R.x.x + RC.y * R.y.x + RC.z * R.z.x,
                      RC.x * R.x.y + RC.y * R.y.y + RC.z * R.z.y,
                      RC.x * R.x.z + RC.y * R.y.z + RC.z * R.z.z};
      const L o(0);
      const Mat3<L> X{C * Vec3<L>{o, r.z, -r.y}, C * Vec3<L>{-r.z, o, r.x},
                      C * Vec3<L>{r.y, -r.x, o}};
      inertia.coupling += C;
      inertia.angular += rotate(R, c.curvature.angular);
      inertia.angular += Sym3<L>{L(-2) * X.x.x, -X.y.x - X.x.y, -X.z.x - X.x.z,
                                 L(-2) * X.y.y, -X.z.y - X.y.z, L(-2) * X.z.z};
    }
    wrench += row_wrench(c, c.gradient - c.curvature * c.velocity);
  }
};

}  // namespace footfall
