#include "footfall/robot/link_response.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {

LinkPath make_link_path(const LinkTree<double>& tree, int link) {
  LinkPath path;
  for (int l = link; l >= 0; l = tree.plan.links[l].parent) {
    const Link& at = tree.plan.links[l];
    if (at.type == JointType::free) {
      path.free_group = at.group;
      path.free_item = at.item;
      break;
    }
    const int first = tree.groups[at.group].first_slot;
    for (int s = first + velocity_count(at.type) - 1; s >= first; --s) {
      path.joints.push_back({s, at.item});
    }
  }
  std::reverse(path.joints.begin(), path.joints.end());
  return path;
}

int shared_rows(const LinkPath& a, const LinkPath& b) {
  if (a.free_group != b.free_group || a.free_item != b.free_item) return 0;
  const std::size_t n = std::min(a.joints.size(), b.joints.size());
  std::size_t k = 0;
  while (k < n && a.joints[k].slot == b.joints[k].slot && a.joints[k].item == b.joints[k].item) ++k;
  return static_cast<int>(k) + a.root_rows();
}

RootFactor factor_root(const LinkPath& path, const LinkSweep<double>& sweep) {
  RootFactor out{};
  if (path.free_group < 0) return out;
  double (&C)[6][6] = out.C;
  Pack<double> a[6][6];
  sweep.inertia[path.free_group].get_lower(a);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = a[i][j][path.free_item];
      for (int k = 0; k < j; ++k) sum -= C[i][k] * C[j][k];
      C[i][j] = i == j ? std::sqrt(sum) : sum / C[j][j];
    }
  }
  return out;
}

void respond(const LinkPath& path, const LinkData<double>& links, const LinkSweep<double>& sweep,
             const RootFactor& root, const Spatial<Lane8>& wrenches, Lane8* rows) {
  Spatial<Lane8> W = wrenches;
  const int offset = path.root_rows();
  for (int j = static_cast<int>(path.joints.size()) - 1; j >= 0; --j) {
    const auto [slot, item] = path.joints[j];
    const Twist<double> S = get_item<double>(links.S[slot], item);
    const Wrench<double> gain = get_item<double>(sweep.gain[slot], item);
    const Lane8 y = Lane8(S.ang.x) * W.ang.x + Lane8(S.ang.y) * W.ang.y + Lane8(S.ang.z) * W.ang.z +
                    Lane8(S.lin.x) * W.lin.x + Lane8(S.lin.y) * W.lin.y + Lane8(S.lin.z) * W.lin.z;
    W -= Spatial<Lane8>{{Lane8(gain.ang.x) * y, Lane8(gain.ang.y) * y, Lane8(gain.ang.z) * y},
                        {Lane8(gain.lin.x) * y, Lane8(gain.lin.y) * y, Lane8(gain.lin.z) * y}};
    rows[offset + j] = Lane8(std::sqrt(sweep.inverse[slot][item])) * y;
  }
  if (offset == 0) return;
  const Lane8 b[6] = {W.ang.x, W.ang.y, W.ang.z, W.lin.x, W.lin.y, W.lin.z};
  for (int i = 0; i < 6; ++i) {
    Lane8 sum = b[i];
    for (int k = 0; k < i; ++k) sum -= Lane8(root.C[i][k]) * rows[k];
    rows[i] = Lane8(1 / root.C[i][i]) * sum;
  }
}

void find_motion_parts(const LinkPath& path, const LinkSweep<double>& sweep, const RootFactor& root,
                       double* parts) {
  if (path.free_group >= 0) {
    const Twist<double> V = get_item<double>(sweep.motion[path.free_group], path.free_item);
    const double v[6] = {V.ang.x, V.ang.y, V.ang.z, V.lin.x, V.lin.y, V.lin.z};
    for (int i = 0; i < 6; ++i) {
      parts[i] = 0;
      for (int k = i; k < 6; ++k) parts[i] += root.C[k][i] * v[k];
    }
  }
  for (std::size_t j = 0; j < path.joints.size(); ++j) {
    const auto [slot, item] = path.joints[j];
    parts[path.root_rows() + j] = sweep.offset[slot][item] / std::sqrt(sweep.inverse[slot][item]);
  }
}

Twist<double> link_motion(const LinkTree<double>& tree, const LinkSweep<double>& sweep, int link) {
  const Link& at = tree.plan.links[link];
  return get_item<double>(sweep.motion[at.group], at.item);
}

void move_twists(const LinkTree<double>& tree, const LinkData<double>& links,
                 const std::vector<Pack<double>>& qvel, LinkSweep<double>& sweep) {
  for (std::size_t g = 0; g < tree.groups.size(); ++g) {
    const LinkGroup<double>& group = tree.groups[g];
    Twist<Pack<double>> V = link_detail::parent_motion(group, sweep);
    for (int k = 0; k < velocity_count(group.type); ++k) {
      V += qvel[group.first_slot + k] * links.S[group.first_slot + k];
    }
    store(V, sweep.motion[g]);
  }
}

void add_impulse(const LinkTree<double>& tree, int link, const Wrench<double>& impulse,
                 LinkData<double>& links) {
  const Link& at = tree.plan.links[link];
  Wrench<Pack<double>>& on = links.wrench[at.group];
  add_item<double>(on.ang.x, at.item, -impulse.ang.x);
  add_item<double>(on.ang.y, at.item, -impulse.ang.y);
  add_item<double>(on.ang.z, at.item, -impulse.ang.z);
  add_item<double>(on.lin.x, at.item, -impulse.lin.x);
  add_item<double>(on.lin.y, at.item, -impulse.lin.y);
  add_item<double>(on.lin.z, at.item, -impulse.lin.z);
}

}  // namespace footfall
