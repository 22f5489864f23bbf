// BodyContacts: what the ground does to the parts of a robot that are no feet, whatever the ground is.
#pragma once

#include <vector>

#include "footfall/ground/contact.hpp"

namespace footfall {

// What the ground did to the robot at a point, frame W: the force [N] and the moment beside it [N m]
// that the step's momentum balances with. They differ from what the law says at v⁺ by the force error that
// the solver has left.
inline Vec3d acting_force(const ContactPoint<double>& p) { return (-1 / p.step) * p.balance; }
inline Vec3d acting_spin_moment(const ContactPoint<double>& p) {
  return (-1 / p.step) * (p.spin_balance * p.normal + p.couple);
}

struct BodyContacts {
  std::vector<int> bodies;           // that can touch the ground beside the feet, ascending
  std::vector<double> normal_force;  // on each of them, sum over its points [N]
  Vec3d force{0, 0, 0};              // of the ground on all of them, frame W [N]
  Vec3d moment{0, 0, 0};             // of that force about W's origin, frame W [N m]
};

// No forces yet.
BodyContacts make_body_contacts(const World& world);

// Forces after a step; `contacts` comes from make_body_contacts. `listed`: the contact's points, see
// list_contacts; `data`: where the bodies were at the step's start.
void describe_body_contacts(const World& world, const RobotData<double>& data,
                            const std::vector<ContactPoint<double>>& listed,
                            const Contact<double>& contact, BodyContacts& contacts);

}  // namespace footfall
