// ResistiveTerms: surface elements in dry grains, in packs, as a list of terms of the solver.
//
// Resistive force theory (soil/resistive.hpp) says with what force R* an element is resisted while it
// moves along û. It says nothing about an element at rest, which any smaller force holds. Both are one
// convex function ℓ of the velocity u after the step: an elastic resistance r that yields,
//
//   r = r₀ + h k M u,   |r|² ≤ L² in the metric of M⁻¹,   −∇ℓ = −h r (clipped)
//   M = r̂ r̂ᵀ/(r̂·û) + 1 − û ûᵀ,   k = L/λ
//
// with r̂ the direction of R*, L its size, r₀ what the element resisted with before, λ the yield length.
// M û = r̂, so an element that goes on along û ends at r = L r̂ = R*, the theory's force; one at rest keeps
// the r that holds it and does not creep. M is positive definite because grains take energy, r̂·û > 0, and
// clipping in the metric of M⁻¹ makes r the gradient of a convex function whatever the angle between them.
//
// û and what follows from it are fixed while Newton's method runs; they follow the velocity found between
// solves, as limits of friction do, but only of an element that yields or whose resistance has come down to
// zero: one that springs back on its yield length is still held by the grains it pressed.
//
// The resistance stores ½ rᵀ(k M)⁻¹ r. That must not grow without work where L, û or r̂ change: r₀ is then cut to
// what was stored.
#pragma once

#include "footfall/soil/resistive.hpp"
#include "footfall/solver/terms.hpp"

namespace footfall {

// The flow of grains around an element, fixed within a solve.
template <class T>
struct ElementFlow {
  Vec3<T> motion;     // û
  Vec3<T> direction;  // r̂
  T cosine;           // r̂·û
  T strength;         // L [N]
  Vec3<T> start;      // r₀, cut to what was stored [N]
};

// An element during one step. Filled by find_contacts.
template <class T>
struct ElementLaw {
  Vec3<T> p_OC;    // its centre about the tree's O, world axes [m]
  Vec3<T> normal;  // out of the body, frame W
  Vec3<T> up;      // out of the ground, frame W
  T depth;         // mean over the element of how deep it is in the ground [m]
  T weight;        // ζ × depth × area [m³]
  T step;          // h [s]
  Vec3<T> start;   // what it resisted with before [N]
  T stored;        // by that resistance [J]
};

template <class T>
struct ElementTrial {
  ElementFlow<T> flow;
  Vec3<T> velocity;  // [m/s]
  Vec3<T> balance;   // the gradient that the robot's momentum asks for [N s]
  T caution;         // 1: curvature along yielding is not dropped, as in evaluate_contact
  Vec3<T> gradient;  // of ℓ: minus the impulse on the robot [N s]
  Sym3<T> curvature;
};

// rᵀM⁻¹r, with M⁻¹ = 1 + (1 + c − 2c²)/c² ûûᵀ − (û wᵀ + w ûᵀ)/c and w = r̂ − c û.
template <class T>
T square_in_flow(const ElementFlow<T>& flow, const Vec3<T>& r) {
  const T c = flow.cosine, over_c = T(1) / c;
  const T ra = dot(flow.motion, r), rw = dot(flow.direction, r) - c * ra;
  return dot(r, r) + (T(1) + c - T(2) * c * c) * square(over_c * ra) - T(2) * over_c * ra * rw;
}

// What a resistance stores [J].
template <class T>
T stored_energy(const ElementFlow<T>& flow, const Vec3<T>& r, const T& yield_length) {
  return T(0.5) * yield_length * square_in_flow(flow, r) / max(flow.strength, T(kTiny<T>));
}

// û follows the velocity of elements that move and may follow it; for others their last way holds.
template <class T>
ElementFlow<T> find_flow(const ElementLaw<T>& law, const Vec3<T>& velocity,
                         const Vec3<T>& last_motion, const Mask<T>& may_follow,
                         const T& yield_length) {
  constexpr double kRest = 1e-7;  // [m/s]
  const T speed = norm(velocity);
  const auto moves = may_follow & (speed > T(kRest));
  const Vec3<T> motion = select(moves, (T(1) / max(speed, T(kTiny<T>))) * velocity, last_motion);
  const ResistiveFlow<T> flow = resistive_flow(law.normal, law.up, motion);
  ElementFlow<T> out{motion, flow.direction, flow.cosine, law.weight * flow.size, law.start};
  const T would_store = stored_energy(out, law.start, yield_length);
  const auto more = would_store > law.stored;
  if (any(more)) {
    const T kept = sqrt(law.stored / max(would_store, T(kTiny<T>)));
    out.start = select(more, kept, T(1)) * law.start;
  }
  return out;
}

template <class T>
struct ElementValue {
  Vec3<T> gradient;
  Sym3<T> curvature;
  Mask<T> flows;  // it yields, or no longer resists the motion û
};

template <class T>
ElementValue<T> evaluate_element(const ElementLaw<T>& law, const ElementFlow<T>& flow,
                                 const Vec3<T>& velocity, const T& yield_length, const T& caution) {
  const Vec3<T>&a = flow.motion, &b = flow.direction;
  const T c = flow.cosine, h = law.step;
  const T hk = h * flow.strength / yield_length;
  const T over_c = T(1) / c;
  const Vec3<T> r =
      flow.start + hk * ((over_c * dot(b, velocity)) * b + velocity - dot(a, velocity) * a);
  const T q2 = square_in_flow(flow, r);
  const T Q2 = square(flow.strength) * c;
  const auto yields = q2 > Q2;
  const T safe = max(q2, T(kTiny<T>));
  const T share = select(yields, sqrt(Q2 / safe), T(1));
  const T s = h * hk * share;
  const T along = select(yields, (caution - T(1)) * s / safe, T(0));
  const T sb = s * over_c;
  return {(h * share) * r,
          {s + sb * b.x * b.x - s * a.x * a.x + along * r.x * r.x,
           sb * b.x * b.y - s * a.x * a.y + along * r.x * r.y,
           sb * b.x * b.z - s * a.x * a.z + along * r.x * r.z,
           s + sb * b.y * b.y - s * a.y * a.y + along * r.y * r.y,
           sb * b.y * b.z - s * a.y * a.z + along * r.y * r.z,
           s + sb * b.z * b.z - s * a.z * a.z + along * r.z * r.z},
          yields | (dot(a, r) <= T(0))};
}

template <class T>
struct ResistiveTerms : TermPacks {
  using L = Pack<T>;
  ResistiveTerms(int max_packs, int group_count, double length)
      : TermPacks(max_packs, group_count), yield_length(length), laws(max_packs), trials(max_packs),
        velocity_steps(max_packs), balance_steps(max_packs) {}

  double yield_length;  // λ [m]
  std::vector<ElementLaw<L>> laws;
  std::vector<ElementTrial<L>> trials;
  std::vector<Vec3<L>> velocity_steps, balance_steps;  // Δu, Δλ

  void start() {
    for (int i = 0; i < count; ++i) {
      trials[i].balance = zero3<L>();
      trials[i].caution = L(0);
      evaluate(i);
    }
  }

  void add_to_slots(LinkSweep<T>&) const {}

  [[gnu::always_inline]] void add_to_links(int group, Sym6<L>& inertia, Wrench<L>& wrench) const {
    add_packs<T>(
        *this, group,
        [&](int i, Sym6<L>& I, Wrench<L>& w) {
          const ElementTrial<L>& p = trials[i];
          I += point_inertia(p.curvature, laws[i].p_OC);
          const Vec3<L> f = p.gradient - p.curvature * p.velocity;
          w += Wrench<L>{cross(laws[i].p_OC, f), f};
        },
        inertia, wrench);
  }

  void take_first_step(const LinkSweep<T>& sweep, Residual<L>& residual) {
    for (int i = 0; i < count; ++i) {
      ElementTrial<L>& p = trials[i];
      const Vec3<L> u = point_velocity(place_motion(sweep, places[i]), laws[i].p_OC);
      p.balance = p.gradient + p.curvature * (u - p.velocity);
      p.velocity = u;
      evaluate(i);
      measure(p, residual);
    }
  }

  void set_search_steps(const LinkSweep<T>& sweep) {
    for (int i = 0; i < count; ++i) {
      const ElementTrial<L>& p = trials[i];
      velocity_steps[i] = point_velocity(place_motion(sweep, places[i]), laws[i].p_OC) - p.velocity;
      balance_steps[i] = p.gradient + p.curvature * velocity_steps[i] - p.balance;
    }
  }

  void add_start_slope(Slope<L>& slope) const {
    for (int i = 0; i < count; ++i) {
      const ElementTrial<L>& p = trials[i];
      slope.first += dot(velocity_steps[i], p.gradient - p.balance);
      slope.size +=
          abs(dot(velocity_steps[i], p.gradient)) + abs(dot(velocity_steps[i], p.balance));
    }
  }

  void add_slope(const L& alpha, Slope<L>& slope) {
    for (int i = 0; i < count; ++i) {
      const ElementTrial<L>& p = trials[i];
      const Vec3<L>& du = velocity_steps[i];
      const ElementValue<L> value =
          evaluate_element(laws[i], p.flow, p.velocity + alpha * du, L(yield_length), p.caution);
      slope.first += dot(du, value.gradient - p.balance - alpha * balance_steps[i]);
      slope.size += abs(dot(du, value.gradient)) + abs(dot(du, p.balance));
      slope.second += dot(du, value.curvature * du - balance_steps[i]);
    }
  }

  void take_step(const L& alpha, Residual<L>& residual) {
    const L caution = select(alpha < L(1), L(1), L(0));
    for (int i = 0; i < count; ++i) {
      ElementTrial<L>& p = trials[i];
      p.velocity += alpha * velocity_steps[i];
      p.balance += alpha * balance_steps[i];
      p.caution = caution;
      evaluate(i);
      measure(p, residual);
    }
  }

  // Largest change of an element's resistance if its flow followed the velocity found, squared [N²].
  FOOTFALL_KERNEL T measure_limit_change() const {
    L change(0);
    for (int i = 0; i < count; ++i) {
      const ElementTrial<L>& p = trials[i];
      const ElementFlow<L> flow = next_flow(i);
      const Vec3<L> after =
          evaluate_element(laws[i], flow, p.velocity, L(yield_length), L(0)).gradient;
      const Vec3<L> difference = (L(1) / laws[i].step) * (after - p.gradient);
      change = max(change, dot(difference, difference));
    }
    return max_item<T>(change);
  }

  void rest(const Mask<T>&) {}

  FOOTFALL_KERNEL void update_limits(const Mask<T>& robots) {
    const Mask<L> where = spread_mask<T>(robots);
    for (int i = 0; i < count; ++i) {
      ElementFlow<L>& flow = trials[i].flow;
      const ElementFlow<L> next = next_flow(i);
      flow = {select(where, next.motion, flow.motion),
              select(where, next.direction, flow.direction),
              select(where, next.cosine, flow.cosine), select(where, next.strength, flow.strength),
              select(where, next.start, flow.start)};
      evaluate(i);
    }
  }

 private:
  ElementFlow<L> next_flow(int i) const {
    const ElementTrial<L>& p = trials[i];
    const Mask<L> flows =
        evaluate_element(laws[i], p.flow, p.velocity, L(yield_length), L(0)).flows;
    return find_flow(laws[i], p.velocity, p.flow.motion, flows, L(yield_length));
  }

  [[gnu::always_inline]] void evaluate(int i) {
    ElementTrial<L>& p = trials[i];
    const ElementValue<L> value =
        evaluate_element(laws[i], p.flow, p.velocity, L(yield_length), p.caution);
    p.gradient = value.gradient;
    p.curvature = value.curvature;
  }

  [[gnu::always_inline]] static void measure(const ElementTrial<L>& p, Residual<L>& residual) {
    const Vec3<L> e = p.gradient - p.balance;
    residual.error = max(residual.error, dot(e, e));
    residual.scale = max(residual.scale, dot(p.balance, p.balance));
  }
};

}  // namespace footfall
