// Steps of carried feet, compiled once for each instruction set.
#include <cstring>

#include "carried_kernels.hpp"
#include "footfall/robot/link_response.hpp"

namespace footfall {
namespace {

// Grounds whose points are terms of the solver.
PointTerms<double>& terms_of(SoilContact<double>& c) { return c.points; }
ResistiveTerms<double>& terms_of(ResistiveContact<double>& c) { return c.elements; }
template <class AnyContact>
concept HasTerms = requires(AnyContact& c) { terms_of(c); };

static_assert(kBlock == pack_size<double>);
using Block = Pack<double>;
Block load(const double* from) {
  Block block;
  std::memcpy(&block, from, sizeof block);
  return block;
}
void save(const Block& block, double* to) { std::memcpy(to, &block, sizeof block); }

// to += s × from, of as many blocks.
void add_blocks(int blocks, double s, const double* from, double* to) {
  const Block factor(s);
  for (int b = 0; b < kBlock * blocks; b += kBlock)
    save(load(to + b) + factor * load(from + b), to + b);
}

// K = Lᵀ D L in its lower triangle; `x` becomes K⁻¹ x. From the last dof to the first, from feet to trunk: so legs, which
// meet in the trunk alone, fill nothing in. What is beside the diagonal in a row's last block means nothing.
FOOTFALL_KERNEL void solve_dense(int n, double* K, double* x) {
  const int stride = padded(n);
  for (int k = n - 1; k >= 0; --k) {
    const double* row = K + k * stride;
    const double inverse = 1 / row[k];
    for (int i = 0; i < k; ++i) {
      if (row[i] == 0) continue;
      const double factor = -row[i] * inverse;
      add_blocks(i / kBlock + 1, factor, row, K + i * stride);
      x[i] += factor * x[k];
    }
  }
  for (int k = 0; k < n; ++k) {
    const double* row = K + k * stride;
    double sum = x[k];
    for (int j = 0; j < k; ++j) sum -= row[j] * x[j];
    x[k] = sum / row[k];
  }
}

// A 6 × 6 curvature out of a pack, by rows: angular first.
void unpack(const Sym6<Pack<double>>& pack, int item, double H[6][6]) {
  const auto at = [item](const Pack<double>& x) { return get_item<double>(x, item); };
  const auto symmetric = [&](const Sym3<Pack<double>>& s, int o) {
    H[o][o] = at(s.xx), H[o + 1][o + 1] = at(s.yy), H[o + 2][o + 2] = at(s.zz);
    H[o][o + 1] = H[o + 1][o] = at(s.xy);
    H[o][o + 2] = H[o + 2][o] = at(s.xz);
    H[o + 1][o + 2] = H[o + 2][o + 1] = at(s.yz);
  };
  symmetric(pack.angular, 0);
  symmetric(pack.linear, 3);
  const Vec3<Pack<double>>* columns[] = {&pack.coupling.x, &pack.coupling.y, &pack.coupling.z};
  for (int c = 0; c < 3; ++c) {
    H[0][3 + c] = H[3 + c][0] = at(columns[c]->x);
    H[1][3 + c] = H[3 + c][1] = at(columns[c]->y);
    H[2][3 + c] = H[3 + c][2] = at(columns[c]->z);
  }
}

// Adds Jᵀ H J to K's lower triangle and −Jᵀ w to the right side. `product`: of the size of J.
FOOTFALL_KERNEL void add_body(int n, const CarriedJacobian& jacobian, const double H[6][6],
                              const double w[6], double* K, double* right, double* product) {
  const int width = jacobian.width(), stride = padded(n);
  const double* J = jacobian.rows.data();
  for (int b = 0; b < width; b += kBlock) {
    Block at[6];
    for (int r = 0; r < 6; ++r) at[r] = load(J + r * width + b);
    for (int r = 0; r < 6; ++r) {
      Block sum = Block(H[r][0]) * at[0];
      for (int c = 1; c < 6; ++c) sum += Block(H[r][c]) * at[c];
      save(sum, product + r * width + b);
    }
  }
  for (std::size_t i = 0; i < jacobian.columns.size(); ++i) {
    const int dof = jacobian.columns[i], place = jacobian.place[i];
    double column[6], pull = 0;
    for (int r = 0; r < 6; ++r) {
      column[r] = J[r * width + place];
      pull += column[r] * w[r];
    }
    right[dof] -= pull;
    for (int b = 0; b <= place / kBlock; ++b) {
      double* to = K + dof * stride + kBlock * jacobian.blocks[b];
      Block sum = load(to);
      for (int r = 0; r < 6; ++r) sum += Block(column[r]) * load(product + r * width + kBlock * b);
      save(sum, to);
    }
  }
}

// The twist of a body at velocities of the engine.
void twist_of(const CarriedFeet& feet, std::size_t b, double V[6]) {
  const CarriedJacobian& J = feet.motion.jacobians[b];
  for (int r = 0; r < 6; ++r) {
    Block sum(0);
    for (std::size_t k = 0; k < J.blocks.size(); ++k) {
      sum += load(J.rows.data() + r * J.width() + kBlock * k) *
             load(feet.solution.data() + kBlock * J.blocks[k]);
    }
    V[r] = sum_items<double>(sum);
  }
}

void spread_wrench(const Wrench<double>& w, double out[6]) {
  out[0] = w.ang.x, out[1] = w.ang.y, out[2] = w.ang.z;
  out[3] = w.lin.x, out[4] = w.lin.y, out[5] = w.lin.z;
}

struct GroupCurvature {
  Sym6<Pack<double>> inertia;
  Wrench<Pack<double>> wrench;
};

// What the terms come to on a group of links. Bodies of one group mostly stand side by side.
template <class Terms>
class LastCurvature {
 public:
  explicit LastCurvature(const Terms& terms) : terms_(terms) {}
  const GroupCurvature& of(int group) {
    if (group == group_) return last_;
    using L = Pack<double>;
    last_ = {to_sym6(RigidInertia<L>{L(0), zero3<L>(), diagonal3(L(0))}), zero6<L>()};
    terms_.add_to_links(group, last_.inertia, last_.wrench);
    group_ = group;
    return last_;
  }

 private:
  const Terms& terms_;
  int group_ = -1;
  GroupCurvature last_{};
};

// Hands the dense solution to the terms: twists of the bodies, and those again as velocities of their slots.
void spread_solution(CarriedFeet& feet) {
  LinkSweep<double>& sweep = feet.robot.solver.sweep;
  for (std::size_t b = 0; b < feet.bodies.size(); ++b) {
    const CarriedFeet::Carried& body = feet.bodies[b];
    double V[6];
    twist_of(feet, b, V);
    const Vec3d ang{V[0], V[1], V[2]}, lin{V[3], V[4], V[5]};
    Twist<Pack<double>>& motion = sweep.motion[body.group];
    set_item<double>(motion.ang, body.item, ang);
    set_item<double>(motion.lin, body.item, lin);
    const Mat3d R = get_item<double>(feet.robot.links.motion[body.group].R, body.item);
    const Vec3d own = transpose_times(R, ang);
    const double slots[] = {lin.x, lin.y, lin.z, own.x, own.y, own.z};
    for (int k = 0; k < 6; ++k) {
      set_item<double>(sweep.solution[body.slot + k], body.item, slots[k]);
    }
  }
  feet.motion.rows.solution = feet.solution.data();
}

template <class Terms>
void linearize(CarriedFeet& feet, const Terms& terms) {
  CarrierMotion& motion = feet.motion;
  const int n = motion.dofs;
  std::copy(motion.inertia.begin(), motion.inertia.end(), feet.matrix.begin());
  std::copy(motion.momentum.begin(), motion.momentum.begin() + n, feet.solution.begin());
  LastCurvature<Terms> last(terms);
  for (std::size_t b = 0; b < feet.bodies.size(); ++b) {
    CarriedFeet::Carried& body = feet.bodies[b];
    const GroupCurvature& curvature = last.of(body.group);
    double H[6][6], w[6], size = 0;
    unpack(curvature.inertia, body.item, H);
    spread_wrench(get_item<double>(curvature.wrench, body.item), w);
    for (int r = 0; r < 6; ++r) size += H[r][r] + std::abs(w[r]);
    body.touching = size > 0;
    if (!body.touching) continue;
    add_body(n, motion.jacobians[b], H, w, feet.matrix.data(), feet.solution.data(),
             feet.product.data());
  }
  motion.rows.add_to(feet.matrix.data(), padded(n), feet.solution.data());
  solve_dense(n, feet.matrix.data(), feet.solution.data());
  spread_solution(feet);
}

// What the terms come to on each body: ∇ℓ = (∇ℓ − ∇²ℓ V) + ∇²ℓ V at the last trial.
template <class Terms>
void find_wrenches(const World& world, CarriedFeet& feet, const Terms& terms) {
  RobotStep<double>& robot = feet.robot;
  move_twists(robot.tree, robot.links, robot.solver.qvel, robot.solver.sweep);
  LastCurvature<Terms> last(terms);
  for (CarriedFeet::Carried& body : feet.bodies) {
    const GroupCurvature& curvature = last.of(body.group);
    const Wrench<Pack<double>> w =
        curvature.wrench + curvature.inertia * robot.solver.sweep.motion[body.group];
    body.wrench = (-1 / world.options.timestep) * get_item<double>(w, body.item);
  }
}

// The rows alone, with the impulses of grains as given.
void linearize_rows(CarriedFeet& feet) {
  CarrierMotion& motion = feet.motion;
  const int n = motion.dofs;
  std::copy(motion.inertia.begin(), motion.inertia.end(), feet.matrix.begin());
  for (int i = 0; i < n; ++i) feet.solution[i] = motion.momentum[i] + feet.push[i];
  motion.rows.add_to(feet.matrix.data(), padded(n), feet.solution.data());
  solve_dense(n, feet.matrix.data(), feet.solution.data());
  motion.rows.solution = feet.solution.data();
}

}  // namespace

// Found by argument where solve_step() has HostRows among its lists: M is the other engine's.
inline void solve_linearized(const LinkTree<double>&, const LinkData<double>&,
                             const JointBalance<double>&, LinkSweep<double>&,
                             const HostRows& rows) {
  linearize_rows(*rows.feet);
}
template <class Terms>
void solve_linearized(const LinkTree<double>&, const LinkData<double>&, const JointBalance<double>&,
                      LinkSweep<double>&, const Terms& terms, const HostRows& rows) {
  linearize(*rows.feet, terms);
}

}  // namespace footfall

#include "carried_grains.hpp"

namespace footfall {
namespace {

template <class AnyContact>
void solve_feet(const World& world, CarriedFeet& feet, AnyContact& contact) {
  const int n = feet.motion.dofs;
  feet.matrix.resize(feet.motion.inertia.size());
  feet.product.resize(static_cast<std::size_t>(6) * padded(n));
  feet.solution.resize(padded(n));
  feet.robot.solver.qvel = feet.robot.links.qvel;
  feet.motion.rows.feet = &feet;
  if constexpr (std::is_same_v<AnyContact, GranularContact>) {
    solve_grains(world, feet, contact);
  } else if constexpr (HasTerms<AnyContact>) {
    feet.report = solve_with(world, feet.robot, terms_of(contact), feet.motion.rows);
    find_wrenches(world, feet, terms_of(contact));
  }
}

template <class AnyContact>
void find_feet_contacts(const World& world, CarriedFeet& feet, AnyContact& contact) {
  constexpr bool is_granular = std::is_same_v<AnyContact, GranularContact>;
  if constexpr (HasTerms<AnyContact> || is_granular) {
    move_links(world.robot, feet.robot.tree, world.options.timestep, feet.state.qpos.data(),
               feet.state.qvel.data(), feet.robot.links);
    find_contacts(world, feet.state, feet.robot, contact);
    if constexpr (is_granular) {
      feet.near = !contact.active.empty();
    } else {
      feet.near = terms_of(contact).count > 0;
    }
  }
}

// The prints that commit_ruts() will press, in its order.
void list_prints(const Soles& soles, const PlasticMemory<double>& plastic,
                 std::vector<Footprint>& prints) {
  for (std::size_t g = 0; g < plastic.stage.size(); ++g) {
    if (plastic.stage[g] == PrintStage::none) continue;
    const SoleGroup& group = soles.groups[g];
    bool held = false;
    for (int k = group.first_point; k < group.first_point + group.point_count; ++k) {
      held = held || (plastic.is_pressed[k] > 0 && plastic.gap[k] < print_detail::kReleaseGap);
    }
    if (held && plastic.stage[g] != PrintStage::moved) continue;
    Footprint print = print_detail::make_footprint(soles, group, 0, plastic);
    if (print.shape != PrintShape::ball) {
      if (print.point_count > 0) prints.push_back(print);
      continue;
    }
    const int count = print.point_count;
    for (int i = 0; i < count; ++i) {  // a print each, as stamp_group() does
      print.points[0] = print.points[i];
      print.x = print.points[i].x;
      print.y = print.points[i].y;
      print.point_count = 1;
      prints.push_back(print);
    }
  }
}

// Points go where the engine takes them. That is not quite what solve foresaw where the engine finds its rows' forces
// without the damping that it integrates with: depth must not be lost in that.
void take_motion(CarriedFeet& feet, PointTerms<double>& points) {
  spread_solution(feet);
  for (int i = 0; i < points.count; ++i) {
    const PointLaw<Pack<double>>& law = points.laws[i];
    PointTrial<Pack<double>>& trial = points.trials[i];
    const Twist<Pack<double>> V = place_motion(feet.robot.solver.sweep, points.places[i]);
    trial.velocity = point_velocity(V, law.p_OC);
    trial.spin = dot(law.normal, V.ang);
    if (law.cell.any) trial.corner_rise = corner_rise(law, V);
  }
}

template <class AnyContact>
void commit_feet(const World& world, CarriedFeet& feet, AnyContact& contact) {
  ContactMemory<double>& memory = feet.state.memory;
  feet.prints.clear();
  if constexpr (requires {
                  contact.points.laws;
                  contact.soles;
                }) {
    take_motion(feet, contact.points);
    std::vector<RutGrid> ruts = std::move(memory.ruts);
    memory.ruts.clear();  // commit_points() leaves them alone, so that their prints can be listed
    commit_contacts(world, feet.robot, contact, memory);
    memory.ruts = std::move(ruts);
    if (memory.ruts.empty()) return;
    list_prints(world.soles, memory.plastic, feet.prints);
    commit_ruts(world, contact.soles, contact.points, feet.robot.links, memory);
  } else {
    commit_contacts(world, feet.robot, contact, memory);
  }
}

}  // namespace
}  // namespace footfall

FOOTFALL_STEP_CARRIED(FOOTFALL_KERNEL_SET) {
  using namespace footfall;
  std::visit(
      [&](auto& contact) {
        switch (stage) {
        case CarriedStage::find:
          return find_feet_contacts(world, feet, contact);
        case CarriedStage::solve:
          return solve_feet(world, feet, contact);
        case CarriedStage::commit:
          return commit_feet(world, feet, contact);
        }
      },
      feet.contact);
}
