#include "footfall/robot/link_plan.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {

namespace {

Mat3d transposed(const Mat3d& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

// A rotation whose z axis is the given unit vector. Coordinate axes are renamed in cyclic order,
// which costs the kernels nothing.
Mat3d frame_with_z(const Vec3d& z) {
  const Mat3d e = identity3<double>();
  if (z.z == 1.0) return e;
  if (z.x == 1.0) return {e.y, e.z, e.x};
  if (z.y == 1.0) return {e.z, e.x, e.y};
  const Vec3d other = std::fabs(z.x) < 0.6 ? e.x : e.y;
  const Vec3d x = cross(other, z);
  const Vec3d unit = (1 / norm(x)) * x;
  return {unit, cross(z, unit), z};
}

// Adds a body's mass, which stands at `place` on the link.
void add_mass(const Body& body, const BodyOnLink& place, Link& link) {
  if (body.mass == 0) return;
  const Vec3d com = place.position + place.rotation * body.com;
  const Sym3<double> inertia = rotate(place.rotation, body.inertia);
  const double lifted = body.gravity_compensation * body.mass;
  link.lifted_mass += lifted;
  link.lifted_moment += lifted * com;
  if (link.mass == 0) {
    link.mass = body.mass;
    link.com = com;
    link.inertia = inertia;
    return;
  }
  // two masses turn about their common centre as their reduced mass does
  const double mass = link.mass + body.mass;
  const Vec3d d = com - link.com;
  const Sym3<double> apart = diagonal3(dot(d, d)) + (-1.0) * outer(d);
  link.inertia += inertia + (link.mass * body.mass / mass) * apart;
  link.com += (body.mass / mass) * d;
  link.mass = mass;
}

// Appends the link of one joint, at whose body frame `place` points, and moves that frame onto it.
void append_link(const RobotModel& model, int joint_index, int tree, BodyOnLink& place,
                 std::vector<Link>& links) {
  const Joint& joint = model.joints[joint_index];
  Link link;
  link.joint = joint_index;
  link.type = joint.type;
  link.parent = place.link;
  link.tree = tree;
  const bool has_axis = joint.type == JointType::hinge || joint.type == JointType::slide;
  const Mat3d R_BL = has_axis ? frame_with_z(joint.axis) : identity3<double>();
  const Vec3d p_BL = joint.type == JointType::free ? Vec3d{0, 0, 0} : joint.anchor;
  link.rotation = place.rotation * R_BL;
  link.position = place.position + place.rotation * p_BL;
  place.link = static_cast<int>(links.size());
  place.rotation = transposed(R_BL);
  place.position = -(place.rotation * p_BL);
  links.push_back(link);
}

// Links on the longest way from a link down to a leaf: those with many go first.
std::vector<int> count_heights(const std::vector<Link>& links) {
  std::vector<int> height(links.size(), 1);
  for (std::size_t i = links.size(); i-- > 0;) {
    const int parent = links[i].parent;
    if (parent >= 0) height[parent] = std::max(height[parent], height[i] + 1);
  }
  return height;
}

// Puts links into items so that as many as possible stand in the same item as their parents.
std::vector<int> arrange(const std::vector<Link>& links, const std::vector<int>& chosen,
                         int group_size) {
  std::vector<int> group(group_size, -1);
  std::vector<int> left;
  for (int i : chosen) {
    const int parent = links[i].parent;
    const int item = parent >= 0 ? links[parent].item : 0;
    if (parent >= 0 && group[item] < 0) {
      group[item] = i;
    } else {
      left.push_back(i);
    }
  }
  for (int i : left) *std::find(group.begin(), group.end(), -1) = i;
  return group;
}

// List scheduling: always the links with the longest chain below them, as many of one type as fit.
// Links alone stay in the model's order, limb by limb: then a parent's numbers are still in the
// cache when its child comes.
void form_groups(int group_size, LinkPlan& plan) {
  std::vector<Link>& links = plan.links;
  if (group_size == 1) {
    for (std::size_t i = 0; i < links.size(); ++i) {
      links[i].group = static_cast<int>(i);
      plan.groups.push_back({static_cast<int>(i)});
    }
    return;
  }
  const std::vector<int> height = count_heights(links);
  std::vector<int> waiting(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) waiting[i] = static_cast<int>(i);
  std::sort(waiting.begin(), waiting.end(),
            [&](int a, int b) { return height[a] != height[b] ? height[a] > height[b] : a < b; });
  std::vector<bool> placed(links.size(), false);
  while (!waiting.empty()) {
    std::vector<int> chosen;
    for (int i : waiting) {
      const int parent = links[i].parent;
      const bool ready = parent < 0 || placed[parent];
      const bool fits = chosen.empty() || links[i].type == links[chosen[0]].type;
      if (ready && fits && static_cast<int>(chosen.size()) < group_size) chosen.push_back(i);
    }
    const std::vector<int> group = arrange(links, chosen, group_size);
    for (int item = 0; item < group_size; ++item) {
      if (group[item] < 0) continue;
      Link& link = links[group[item]];
      link.group = static_cast<int>(plan.groups.size());
      link.item = item;
      placed[group[item]] = true;
    }
    std::erase_if(waiting, [&](int i) { return placed[i]; });
    plan.groups.push_back(group);
  }
}

}  // namespace

LinkPlan make_link_plan(const RobotModel& model, int group_size) {
  LinkPlan plan;
  plan.bodies.resize(model.bodies.size());
  for (int b = 1; b < model.body_count(); ++b) {
    const Body& body = model.bodies[b];
    if (body.root == b) plan.roots.push_back(b);
    const auto root = std::find(plan.roots.begin(), plan.roots.end(), body.root);
    const int tree = static_cast<int>(root - plan.roots.begin());
    const BodyOnLink& parent = plan.bodies[body.parent];
    BodyOnLink place{parent.link, parent.rotation * body.rotation,
                     parent.position + parent.rotation * body.position};
    for (int j = body.first_joint; j < body.first_joint + body.joint_count; ++j) {
      append_link(model, j, tree, place, plan.links);
    }
    plan.bodies[b] = place;
    if (place.link >= 0) add_mass(body, place, plan.links[place.link]);
  }
  form_groups(group_size, plan);
  return plan;
}

}  // namespace footfall
