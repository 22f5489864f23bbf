// Joint limits and joint friction as MuJoCo's soft constraints: rows of the solver. With
// y = (J v⁺ − J v)/h − a_ref the force along J is −D y, never pulling for a limit, at most the
// friction loss for friction (K = 0 there, and r = 0).
#pragma once

#include <algorithm>

#include "footfall/soft/soft_model.hpp"
#include "footfall/solver/joint_rows.hpp"

namespace footfall {

// The constants of one slot's dofs.
template <class T>
struct SoftSlotForces {
  using C = PackConstant<T>;
  SoftLaw<C> limit{};
  C margin{};
  C inverse_inertia{};  // Â
  C friction_damping{}, friction_impedance{};
};

namespace forces_detail {

template <class T>
SoftSlotForces<T> make_soft_slot(const SoftModel& soft, const RobotModel& robot, double timestep,
                                 const DofSlot<T>& slot) {
  using link_detail::set_constant;
  SoftSlotForces<T> out;
  const SoftSafety safety{timestep, soft.refsafe};
  for (int item = 0; item < pack_size<T>; ++item) {
    const int d = slot.source[item];
    const SoftLimit& limit = soft.limits[robot.dofs[d].joint];
    const SoftLaw<double> law = make_soft_law(limit.solref, limit.solimp, safety);
    const SoftLaw<double> friction =
        make_soft_law(soft.dofs[d].solref, soft.dofs[d].solimp, safety);
    set_constant<T>(out.limit.stiffness, item, law.stiffness);
    set_constant<T>(out.limit.damping, item, law.damping);
    set_constant<T>(out.limit.d0, item, law.d0);
    set_constant<T>(out.limit.d_width, item, law.d_width);
    set_constant<T>(out.limit.width, item, law.width);
    set_constant<T>(out.limit.midpoint, item, law.midpoint);
    set_constant<T>(out.limit.power, item, law.power);
    set_constant<T>(out.margin, item, limit.margin);
    set_constant<T>(out.inverse_inertia, item, std::max(soft.dofs[d].inverse_inertia, 1e-300));
    set_constant<T>(out.friction_damping, item, friction.damping);
    set_constant<T>(out.friction_impedance, item, evaluate_impedance(friction, 0.0).value);
  }
  return out;
}

// One side of a joint's limits, side = 1 the lower one, −1 the upper one.
template <class T>
void add_soft_limit(const SoftSlotForces<T>& joint, const Pack<T>& inverse_inertia, double side,
                    const Pack<T>& distance, double h, int slot, const Pack<T>& v,
                    JointRows<T>& rows) {
  using L = Pack<T>;
  const auto near = distance < L(joint.margin);
  if (!any(near)) return;
  const SoftLaw<L> law{L(joint.limit.stiffness), L(joint.limit.damping), L(joint.limit.d0),
                       L(joint.limit.d_width),   L(joint.limit.width),   L(joint.limit.midpoint),
                       L(joint.limit.power)};
  const L violation = select(near, distance - L(joint.margin), L(0));
  const L d = evaluate_impedance(law, violation).value;
  const L D = select(near, L(1) / evaluate_regularizer(d, inverse_inertia), L(0));
  const L push = law.stiffness * d * violation;
  JointRow<L>& row = rows.next();
  row.slot = slot;
  row.slope = D;
  row.offset = D * (L(h) * (law.damping * v + L(side) * push) - v);
  row.lower = side > 0 ? L(-kUnbounded) : L(0);
  row.upper = side > 0 ? L(0) : L(kUnbounded);
  row.velocity = v;
}

template <class T>
void add_soft_friction(const SoftSlotForces<T>& joint, const Pack<T>& inverse_inertia,
                       const Pack<T>& friction_loss, double h, int slot, const Pack<T>& v,
                       JointRows<T>& rows) {
  using L = Pack<T>;
  const L D = L(1) / evaluate_regularizer(L(joint.friction_impedance), inverse_inertia);
  const L limit = L(h) * friction_loss;
  JointRow<L>& row = rows.next();
  row.slot = slot;
  row.slope = select(friction_loss > L(0), D, L(0));
  row.offset = row.slope * (L(h) * L(joint.friction_damping) - L(1)) * v;
  row.lower = -limit;
  row.upper = limit;
  row.velocity = v;
}

}  // namespace forces_detail
}  // namespace footfall
