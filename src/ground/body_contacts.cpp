#include "footfall/ground/body_contacts.hpp"

#include <algorithm>

namespace footfall {
namespace {

// Rolling friction of soft contacts, which points do not have.
Vec3d sum_rolling_moments(const World& world, const SoftContact<double>& w) {
  Vec3d sum{0, 0, 0};
  for (int i = 0; i < w.terms.count; ++i) {
    const SoftPoint<Pack<double>>& c = w.terms.contacts[i];
    if (!c.turns) continue;
    const SoftPack<double>& pack = w.plan.packs[w.terms.places[i].sole_pack];
    for (int k = 0; k < pack_size<double>; ++k) {
      const int point =
          pack.candidate[k] < 0 ? -1 : w.plan.candidates[pack.candidate[k]].sole_point;
      if (point < 0 || world.soles.points[point].foot >= 0) continue;
      if (!(get_item<double>(c.is_used, k) > 0)) continue;
      const Mat3d R_WC = get_item<double>(c.R_WC, k);
      const Vec3d rows = get_item<double>(c.balance.ang, k);
      sum += (-1 / c.step[k]) * (rows.y * R_WC.y + rows.z * R_WC.z);
    }
  }
  return sum;
}

}  // namespace

BodyContacts make_body_contacts(const World& world) {
  BodyContacts out;
  for (const SoleGroup& group : world.soles.groups) {
    if (group.foot < 0) out.bodies.push_back(group.body);
  }
  std::sort(out.bodies.begin(), out.bodies.end());
  out.bodies.erase(std::unique(out.bodies.begin(), out.bodies.end()), out.bodies.end());
  out.normal_force.assign(out.bodies.size(), 0.0);
  return out;
}

void describe_body_contacts(const World& world, const RobotData<double>& data,
                            const std::vector<ContactPoint<double>>& listed,
                            const Contact<double>& contact, BodyContacts& contacts) {
  std::fill(contacts.normal_force.begin(), contacts.normal_force.end(), 0.0);
  contacts.force = contacts.moment = {0, 0, 0};
  for (const ContactPoint<double>& p : listed) {
    if (world.soles.points[p.sole_point].foot >= 0) continue;
    const Vec3d force = acting_force(p);
    const Vec3d p_WC = tree_origin(world.robot, data, p.body) + p.p_OC;
    contacts.force += force;
    contacts.moment += cross(p_WC, force) + acting_spin_moment(p);
    const auto body = std::lower_bound(contacts.bodies.begin(), contacts.bodies.end(), p.body);
    contacts.normal_force[body - contacts.bodies.begin()] += p.normal_force;
  }
  if (const auto* soft = std::get_if<SoftContact<double>>(&contact)) {
    contacts.moment += sum_rolling_moments(world, *soft);
  }
}

}  // namespace footfall
