// Carried feet in wrench spaces of granular media: the problem of ground/granular_contact.hpp with a dense inertia.
//
// With K = M + Σ_rows Jᵀ ∇²ℓ J = Lᵀ L, z = L v, and Y = L⁻ᵀ Jᵀ for the unit wrenches of the feet, the impulses leave
// v = L⁻¹ (z_free + Y h w), and the twist of a sole's centre is Yᵀ z: what solver/wrench_qp.hpp asks for. The engine's
// rows bend with the velocity. They are found anew until they agree with the impulses, and are solved exactly with the
// last ones in any case, so momentum balances. Part of step_carried.cpp.
#pragma once

#include "carried_feet.hpp"

namespace footfall {
namespace {

constexpr int kMaxGrainPasses = 4;

// K = Lᵀ L in its lower triangle, in the order of solve_dense().
FOOTFALL_KERNEL void factor_lower(int n, double* K) {
  for (int k = n - 1; k >= 0; --k) {
    double* row = K + k * padded(n);
    const double inverse = 1 / std::sqrt(row[k]);
    for (int j = 0; j <= k; ++j) row[j] *= inverse;
    for (int i = 0; i < k; ++i) {
      if (row[i] != 0) add_blocks(i / kBlock + 1, -row[i], row, K + i * padded(n));
    }
  }
}

// x becomes L⁻ᵀ x.
FOOTFALL_KERNEL void solve_upper(int n, const double* L, double* x) {
  for (int k = n - 1; k >= 0; --k) {
    const double* row = L + k * padded(n);
    x[k] /= row[k];
    for (int j = 0; j < k; ++j) x[j] -= row[j] * x[k];
  }
}

Vec3d body_position(const CarriedFeet& feet, int b) {
  const double* q = feet.state.qpos.data() + 7 * b;
  return {q[0], q[1], q[2]};
}

// A wrench about the sole's centre as one about its body's origin; `w`: six numbers, angular first.
void wrench_on_body(const CarriedFeet& feet, const WrenchContact& contact, int b,
                    const Wrench<double>& about_center, double w[6]) {
  const Vec3d lever = contact.place.p_WC - body_position(feet, b);
  spread_wrench({about_center.ang + cross(lever, about_center.lin), about_center.lin}, w);
}

// Adds Jᵀ w of a body.
void add_transposed(const CarriedFeet& feet, int b, const double w[6], double* to) {
  const CarriedJacobian& J = feet.motion.jacobians[b];
  for (std::size_t i = 0; i < J.columns.size(); ++i) {
    for (int r = 0; r < 6; ++r) to[J.columns[i]] += J.rows[r * J.width() + J.place[i]] * w[r];
  }
}

Wrench<double> unit_in_world(const GranularContact& w, const WrenchContact& contact, int part) {
  const Wrench<double> unit = w.space->unit_wrench(part);
  return {contact.place.R_WC * unit.ang, contact.place.R_WC * unit.lin};
}

// Impulses in the feet's sets, with the rows linearised where they are; their momentum into feet.push.
void find_grain_impulses(const World& world, CarriedFeet& feet, GranularContact& w) {
  const WrenchSpace& space = *w.space;
  const int n = feet.motion.dofs, parts = space.parts();
  std::copy(feet.motion.inertia.begin(), feet.motion.inertia.end(), feet.matrix.begin());
  std::copy_n(feet.motion.momentum.begin(), n, feet.solution.begin());
  feet.motion.rows.add_to(feet.matrix.data(), padded(n), feet.solution.data());
  factor_lower(n, feet.matrix.data());
  solve_upper(n, feet.matrix.data(), feet.solution.data());
  w.qp.start(static_cast<int>(w.active.size()), n);
  std::copy_n(feet.solution.begin(), n, w.qp.offset());
  double wrench[6];
  for (std::size_t i = 0; i < w.active.size(); ++i) {
    const int foot = w.active[i], b = space.soles()[foot].body - 1;
    for (int p = 0; p < parts; ++p) {
      double* column = w.qp.column(static_cast<int>(i), p);
      wrench_on_body(feet, w.contacts[foot], b, unit_in_world(w, w.contacts[foot], p), wrench);
      std::fill_n(column, n, 0.0);
      add_transposed(feet, b, wrench, column);
      solve_upper(n, feet.matrix.data(), column);
      w.masses[i * parts + p] = space.grain_inertia(space.soles()[foot], p);
    }
  }
  if (w.any_grains) w.qp.add_masses({w.masses.data(), w.active.size() * parts});
  w.report = w.qp.solve(w.active_sets, {w.corrals.data(), w.active.size() * kMaxCorral});
  feet.push.assign(n, 0.0);
  for (std::size_t i = 0; i < w.active.size(); ++i) {
    WrenchContact& contact = w.contacts[w.active[i]];
    Wrench<double> impulse = zero6<double>();
    for (int p = 0; p < parts; ++p) {
      impulse += w.qp.impulse(static_cast<int>(i), p) * unit_in_world(w, contact, p);
    }
    contact.wrench = (1 / world.options.timestep) * impulse;
    const int b = space.soles()[w.active[i]].body - 1;
    wrench_on_body(feet, contact, b, impulse, wrench);
    add_transposed(feet, b, wrench, feet.push.data());
  }
}

// Velocities of the soles' centres, and the wrenches on the bodies.
void find_grain_wrenches(CarriedFeet& feet, GranularContact& w) {
  for (CarriedFeet::Carried& body : feet.bodies) body.wrench = zero6<double>();
  for (const int foot : w.active) {
    WrenchContact& contact = w.contacts[foot];
    const int b = w.space->soles()[foot].body - 1;
    double V[6];
    twist_of(feet, b, V);
    const Vec3d lever = contact.place.p_WC - body_position(feet, b), ang{V[0], V[1], V[2]};
    contact.velocity = {ang, Vec3d{V[3], V[4], V[5]} + cross(ang, lever)};
    CarriedFeet::Carried& body = feet.bodies[b];
    body.wrench +=
        Wrench<double>{contact.wrench.ang + cross(lever, contact.wrench.lin), contact.wrench.lin};
    body.touching = true;
  }
}

void solve_grains(const World& world, CarriedFeet& feet, GranularContact& w) {
  feet.push.assign(feet.motion.dofs, 0.0);
  feet.motion.rows.start();
  for (int pass = 0; pass < kMaxGrainPasses; ++pass) {
    if (!w.active.empty()) find_grain_impulses(world, feet, w);
    feet.report = solve_with(world, feet.robot, feet.motion.rows);
    feet.report.converged = feet.report.converged && (w.active.empty() || w.report.converged);
    if (feet.report.iterations <= 1 || w.active.empty()) break;
  }
  find_grain_wrenches(feet, w);
}

}  // namespace
}  // namespace footfall
