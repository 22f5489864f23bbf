#include "footfall/ground/penalty_contact.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {
namespace {

constexpr double kShareTolerance = 1e-6;  // of the wrench that points share

using P = Pack<double>;
using PointPlace = PenaltyWorkspace::Place;
using TouchingLink = PenaltyWorkspace::Body;

int link_of(const LinkTree<double>& tree, const PackPlace& place, int item) {
  return tree.plan.groups[place.group][place.item < 0 ? item : place.item];
}

// Which points are in the ground, link by link, and the basis of each link's.
void collect_points(const PointTerms<double>& points, PenaltyWorkspace& w) {
  std::fill(w.found.begin(), w.found.end(), -1);
  for (int i = 0; i < points.count; ++i) w.found[points.places[i].sole_pack] = i;
  w.active_count = w.body_count = w.rank = 0;
  for (std::size_t i = 0; i < w.places.size();) {
    const int link = w.places[i].link, first = w.active_count;
    for (; i < w.places.size() && w.places[i].link == link; ++i) {
      const int pack = w.found[w.places[i].sole_pack], item = w.places[i].item;
      if (pack < 0 || !(points.laws[pack].sinkage[item] > 0)) continue;
      w.position[w.active_count] = get_item<double>(points.laws[pack].p_OC, item);
      w.active[w.active_count++] = {pack, item};
    }
    if (w.active_count == first) continue;
    TouchingLink& body = w.bodies[w.body_count++];
    body.link = link;
    body.first = first;
    body.first_row = w.rank;
    body.basis = make_point_basis(&w.position[first], w.active_count - first);
    w.rank += body.basis.rank();
  }
}

// A link's basis wrenches, one in each lane.
Spatial<Lane8> basis_lanes(const PointBasis& basis) {
  Spatial<Lane8> W = zero6<Lane8>();
  for (int k = 0; k < basis.rank(); ++k) {
    const Wrench<double> b = basis_wrench(basis, k);
    W.ang.x.set(k, b.ang.x), W.ang.y.set(k, b.ang.y), W.ang.z.set(k, b.ang.z);
    W.lin.x.set(k, b.lin.x), W.lin.y.set(k, b.lin.y), W.lin.z.set(k, b.lin.z);
  }
  return W;
}

// The block of Z between two bodies.
void fill_block(const TouchingLink& a, const TouchingLink& b, int rows, const Lane8* response,
                int stride, double* Z) {
  const int na = a.basis.rank(), nb = b.basis.rank();
  Lane8 sum[6];
  for (int i = 0; i < na; ++i) sum[i] = Lane8(0);
  for (int k = 0; k < rows; ++k) {
    const Lane8 y = response[b.first_response + k];
    const Lane8& x = response[a.first_response + k];
    for (int i = 0; i < na; ++i) sum[i] += Lane8(x[i]) * y;
  }
  for (int i = 0; i < na; ++i) {
    for (int k = 0; k < nb; ++k) {
      Z[(a.first_row + i) * stride + b.first_row + k] = sum[i][k];
      Z[(b.first_row + k) * stride + a.first_row + i] = sum[i][k];
    }
  }
}

// Impulses F′h that give the active points their wanted changes of velocity, by minimum norm.
void solve_minimum_norm(const LinkData<double>& links, const LinkSweep<double>& sweep,
                        PenaltyWorkspace& w) {
  int rows = 0;
  for (int i = 0; i < w.body_count; ++i) {
    TouchingLink& body = w.bodies[i];
    const LinkPath& path = w.paths[body.link];
    body.first_response = rows;
    respond(path, links, sweep, factor_root(path, sweep), basis_lanes(body.basis),
            &w.response[rows]);
    rows += path.rows();
    project(body.basis, &w.position[body.first], &w.wanted[body.first], &w.parts[body.first_row]);
    for (int k = 0; k <= i; ++k) {
      const TouchingLink& other = w.bodies[k];
      fill_block(body, other, shared_rows(path, w.paths[other.link]), w.response.data(), w.rank,
                 w.Z.data());
    }
  }
  w.cholesky.factor(w.Z.data(), w.rank, w.rank);
  w.cholesky.solve(w.parts.data());
  for (int i = 0; i < w.body_count; ++i) {
    const TouchingLink& body = w.bodies[i];
    for (int k = body.first; k < body.first + body.basis.count; ++k) {
      w.impulse[k] = point_vector(body.basis, w.position[k], &w.parts[body.first_row]);
    }
  }
}

// Brings the impulses of a body's points into their cones. What is cut from one is given to the others,
// so that their wrench, Qᵀ F′, stays: from the cone to the nearest impulses with that wrench and back,
// until both agree or the rounds are over. The first round alone is the paper's. Do they have that wrench?
bool share_wrench(const PenaltyModel& model, const PointTerms<double>& points,
                  const TouchingLink& body, PenaltyWorkspace& w) {
  const double* wanted = &w.parts[body.first_row];
  const int rank = body.basis.rank(), end = body.first + body.basis.count;
  double size = 0;
  for (int i = 0; i < rank; ++i) size += square(wanted[i]);
  for (int round = 1; true; ++round) {
    for (int k = body.first; k < end; ++k) {
      const auto [pack, item] = w.active[k];
      const PointLaw<P>& p = points.laws[pack];
      w.impulse[k] = saturate(w.impulse[k], get_item<double>(p.normal, item),
                              p.friction_coefficient[item], model.clipping);
    }
    if (round >= model.rounds) return false;
    double missing[6], error = 0;
    project(body.basis, &w.position[body.first], &w.impulse[body.first], missing);
    for (int i = 0; i < rank; ++i) {
      missing[i] = wanted[i] - missing[i];
      error += square(missing[i]);
    }
    if (error <= square(kShareTolerance) * size) return true;
    for (int k = body.first; k < end; ++k) {
      w.impulse[k] += point_vector(body.basis, w.position[k], missing);
    }
  }
}

// Row i of Q for a point: how the body's parts move it, part by part.
void basis_columns(const PointBasis& basis, const Vec3d& p, Vec3d* columns) {
  const Vec3d arm = p - basis.centroid;
  columns[0] = {basis.translation, 0, 0};
  columns[1] = {0, basis.translation, 0};
  columns[2] = {0, 0, basis.translation};
  for (int k = 0; k < basis.rotations; ++k) columns[3 + k] = cross(basis.axis[k], arm);
}

// Where no impulses in the cones have the wanted wrench: those with which the points come to what they shall do as
// far as their cones let them. Gauss and Seidel's way, point by point: each impulse takes what its point still lacks
// of its wanted velocity, over how easily the point is moved, and is brought into its cone. A point that gives no more
// keeps its velocity, so a foot that slips or tips is still carried.
void relax_in_cones(const PenaltyModel& model, const PointTerms<double>& points,
                    PenaltyWorkspace& w) {
  for (int b = 0; b < w.body_count; ++b) {  // what a rigid body can do of it
    const TouchingLink& body = w.bodies[b];
    double parts[6];
    project(body.basis, &w.position[body.first], &w.wanted[body.first], parts);
    for (int k = body.first; k < body.first + body.basis.count; ++k) {
      w.wanted[k] = point_vector(body.basis, w.position[k], parts);
    }
  }
  double* reached = w.parts.data();  // Z Qᵀ F: of the changes of velocity
  std::fill_n(reached, w.rank, 0.0);
  const auto give = [&](const TouchingLink& body, const Vec3d* columns, const Vec3d& impulse) {
    for (int i = 0; i < body.basis.rank(); ++i) {
      const double part = dot(columns[i], impulse);
      const double* row = &w.Z[static_cast<std::size_t>(body.first_row + i) * w.rank];
      for (int k = 0; k < w.rank; ++k) reached[k] += part * row[k];
    }
  };
  for (int round = 0; round <= model.rounds; ++round) {
    double change = 0, size = 0;
    for (int b = 0; b < w.body_count; ++b) {
      const TouchingLink& body = w.bodies[b];
      const int rank = body.basis.rank();
      for (int k = body.first; k < body.first + body.basis.count; ++k) {
        Vec3d columns[6];
        basis_columns(body.basis, w.position[k], columns);
        if (round == 0) {  // what is given already
          give(body, columns, w.impulse[k]);
          continue;
        }
        double ease = 0;  // the point's change of velocity for an impulse, at most
        Vec3d lacking = w.wanted[k];
        for (int i = 0; i < rank; ++i) {
          lacking = lacking - reached[body.first_row + i] * columns[i];
          const double* row = &w.Z[static_cast<std::size_t>(body.first_row + i) * w.rank];
          for (int j = 0; j < rank; ++j) {
            ease += row[body.first_row + j] * dot(columns[i], columns[j]);
          }
        }
        if (!(ease > 0)) continue;
        const auto [pack, item] = w.active[k];
        const PointLaw<P>& p = points.laws[pack];
        const Vec3d taken =
            saturate(w.impulse[k] + (1 / ease) * lacking, get_item<double>(p.normal, item),
                     p.friction_coefficient[item], model.clipping);
        const Vec3d more = taken - w.impulse[k];
        give(body, columns, more);
        w.impulse[k] = taken;
        change += dot(more, more);
        size += dot(taken, taken);
      }
    }
    if (round > 0 && change <= square(kShareTolerance) * size) return;
  }
}

// B of (15): a point's acceleration if no joint accelerates.
Vec3d bias_acceleration(const LinkMotion<P>& motion, int item, const Vec3d& gravity,
                        const Vec3d& p_OC) {
  const Twist<double> V = get_item<double>(motion.V, item);
  const Twist<double> A = get_item<double>(motion.A, item);  // gravity is in it, upwards
  return A.lin + gravity + cross(A.ang, p_OC) + cross(V.ang, point_velocity(V, p_OC));
}

// F h of feedback linearisation: F′ around the step without contact, shared within the cones.
void linearize_feedback(const World& world, const RobotStep<double>& robot,
                        const PenaltyContact& contact, LinkSweep<double>& sweep,
                        PenaltyWorkspace& w) {
  const PenaltyModel& model = contact.law.model;
  const double h = world.options.timestep;
  const LinkTree<double>& tree = robot.tree;
  solve_linearized(tree, robot.links, robot.balance, sweep, robot.rows);
  for (int i = 0; i < w.body_count; ++i) {
    const TouchingLink& body = w.bodies[i];
    const Link& link = tree.plan.links[body.link];
    const LinkMotion<P>& motion = robot.links.motion[link.group];
    const Twist<double> V = link_motion(tree, sweep, body.link);
    for (int k = body.first; k < body.first + body.basis.count; ++k) {
      const auto [pack, item] = w.active[k];
      const PointLaw<P>& p = contact.points.laws[pack];
      const Vec3d& r = w.position[k];
      const Vec3d n = get_item<double>(p.normal, item);
      const Vec3d start = get_item<double>(contact.points.trials[pack].velocity, item);
      // what it would come to: joint velocities of the step's end, and the joints have moved by then
      const Vec3d free =
          point_velocity(V, r) + h * bias_acceleration(motion, link.item, world.robot.gravity, r);
      w.wanted[k] = wanted_velocity(model, h, -p.sinkage[item], n, start) - free;
    }
  }
  solve_minimum_norm(robot.links, sweep, w);
  bool shared = true;
  for (int i = 0; i < w.body_count; ++i) {
    shared = share_wrench(model, contact.points, w.bodies[i], w) && shared;
  }
  if (!shared && model.rounds > 1) relax_in_cones(model, contact.points, w);
}

// F h of springs and dampers, implicit in v⁺: one sweep with their slopes as inertia, then the cones.
void solve_springs(double h, const RobotStep<double>& robot, PenaltyContact& contact,
                   LinkSweep<double>& sweep) {
  const PenaltyModel& m = contact.law.model;
  PenaltyWorkspace& w = contact.work;
  for (int i = 0; i < contact.points.count; ++i) {
    const PointLaw<P>& p = contact.points.laws[i];
    PointTrial<P>& trial = contact.points.trials[i];
    const auto inside = p.sinkage > P(0);
    const P c_n = select(inside, P(h * (h * m.stiffness + m.damping)), P(0));
    const P c_t = select(inside, P(h * m.tangential_damping), P(0));
    const Vec3<P>& n = p.normal;
    const P d = c_n - c_t;
    trial.curvature = {c_t + d * n.x * n.x, d * n.x * n.y, d * n.x * n.z,
                       c_t + d * n.y * n.y, d * n.y * n.z, c_t + d * n.z * n.z};
    trial.spin_gradient = trial.spin_curvature = P(0);
    // the law's value at zero velocity, so that gradient − H u is that whatever u is
    trial.gradient = select(inside, P(-h * m.stiffness) * p.sinkage, P(0)) * n +
                     trial.curvature * trial.velocity;
  }
  solve_linearized(robot.tree, robot.links, robot.balance, sweep, contact.points, robot.rows);
  for (int i = 0; i < w.body_count; ++i) {
    const TouchingLink& body = w.bodies[i];
    const Twist<double> V = link_motion(robot.tree, sweep, body.link);
    for (int k = body.first; k < body.first + body.basis.count; ++k) {
      const PointLaw<P>& p = contact.points.laws[w.active[k].pack];
      const int item = w.active[k].item;
      const Vec3d u = point_velocity(V, w.position[k]);
      const Vec3d n = get_item<double>(p.normal, item);
      const double u_n = dot(n, u);
      const double f_n = m.stiffness * (p.sinkage[item] - h * u_n) - m.damping * u_n;
      const Vec3d force = f_n * n - m.tangential_damping * (u - u_n * n);
      w.impulse[k] = saturate(h * force, n, p.friction_coefficient[item], m.clipping, !m.guard);
    }
  }
}

// Puts the impulses on the links.
void apply_impulses(const LinkTree<double>& tree, const PenaltyWorkspace& w,
                    LinkData<double>& links) {
  for (int i = 0; i < w.body_count; ++i) {
    const TouchingLink& body = w.bodies[i];
    Wrench<double> sum = zero6<double>();
    for (int k = body.first; k < body.first + body.basis.count; ++k) {
      sum += Wrench<double>{cross(w.position[k], w.impulse[k]), w.impulse[k]};
    }
    add_impulse(tree, body.link, sum, links);
  }
}

// What readers want of the points: impulses and velocities at the end of the step.
void write_points(double h, const LinkSweep<double>& sweep, const PenaltyWorkspace& w,
                  PointTerms<double>& points) {
  for (int i = 0; i < points.count; ++i) {
    PointTrial<P>& p = points.trials[i];
    const Twist<P> V = place_motion(sweep, points.places[i]);
    p.velocity = point_velocity(V, points.laws[i].p_OC);
    p.spin = dot(points.laws[i].normal, V.ang);
    p.gradient = p.balance = zero3<P>();
    p.spin_gradient = p.spin_balance = p.normal_force = P(0);
  }
  for (int k = 0; k < w.active_count; ++k) {
    const auto [pack, item] = w.active[k];
    PointTrial<P>& p = points.trials[pack];
    set_item<double>(p.gradient, item, -w.impulse[k]);
    set_item<double>(p.balance, item, -w.impulse[k]);
    p.normal_force.set(item,
                       dot(get_item<double>(points.laws[pack].normal, item), w.impulse[k]) / h);
  }
}

}  // namespace

PenaltyWorkspace::PenaltyWorkspace(const World& world, const LinkTree<double>& tree,
                                   const SolePlan<double>& soles)
    : found(soles.packs.size()), active(world.soles.points.size()),
      position(world.soles.points.size()), wanted(world.soles.points.size()),
      impulse(world.soles.points.size()), cholesky(0), wrench(tree.groups.size()) {
  for (std::size_t i = 0; i < tree.plan.links.size(); ++i) {
    paths.push_back(make_link_path(tree, static_cast<int>(i)));
  }
  for (std::size_t i = 0; i < soles.packs.size(); ++i) {
    for (int item = 0; item < pack_size<double>; ++item) {
      if (soles.packs[i].point[item] < 0) continue;
      const int link = link_of(tree, soles.packs[i].place, item);
      places.push_back({static_cast<int>(i), item, link});
    }
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const PointPlace& a, const PointPlace& b) { return a.link < b.link; });
  int body_total = 0;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i > 0 && places[i].link == places[i - 1].link) continue;
    ++body_total;
    rows += paths[places[i].link].joints.size() + 6;
  }
  const int max_rank =
      std::max(std::min(6 * body_total, 3 * static_cast<int>(world.soles.points.size())), 1);
  bodies.resize(body_total);
  response.resize(rows);
  Z.resize(static_cast<std::size_t>(max_rank) * max_rank);
  parts.resize(max_rank);
  cholesky = PivotedCholesky(max_rank);
}

PenaltyLaw::PenaltyLaw(const PenaltyGround& ground) : model(ground.law) {
  for (const PenaltySoil& soil : ground.soils) friction.push_back(soil.friction_coefficient);
}

void PenaltyLaw::set(const World&, const SolePack<double>& sole,
                     const std::array<int, pack_size<double>>& soil,
                     const find_detail::PackMotion<double>&, const ContactMemory<double>&,
                     const P& sinkage, const Mask<P>& watched, PointLaw<P>& point,
                     PointTrial<P>& trial) const {
  const P zero(0);
  point.sinkage = select(watched, sinkage - point.jump, P(kNotWatched));
  point.stiffness = P(model.stiffness);
  point.exponent = point.rate_exponent = P(1);
  point.damping = P(model.damping);
  for (int i = 0; i < pack_size<double>; ++i) {
    point.friction_coefficient.set(i, friction[soil[i]]);
  }
  point.friction_coefficient = min(point.friction_coefficient, sole.friction);
  point.adhesion = point.shear_stiffness = point.shear_slope = zero;
  point.shear_start = zero3<P>();
  point.patch_radius = point.spin_slope = point.spin_start = trial.limit_force = zero;
}

PenaltyContact::PenaltyContact(const World& world, const LinkTree<double>& tree)
    : soles(world.soles, tree), law(std::get<PenaltyGround>(world.ground)),
      points(static_cast<int>(soles.packs.size()), static_cast<int>(tree.groups.size())),
      work(world, tree, soles) {}

void find_contacts(const World& world, const State<double>& state, const RobotStep<double>& robot,
                   PenaltyContact& contact) {
  find_points(world, contact.law, contact.soles, robot.tree, robot.links, state.memory,
              contact.points);
}

SolverReport<double> solve_contacts(const World& world, const State<double>&,
                                    RobotStep<double>& robot, PenaltyContact& contact) {
  PenaltyWorkspace& w = contact.work;
  const double h = world.options.timestep;
  const bool springs = contact.law.model.kind == PenaltyKind::spring_damper;
  collect_points(contact.points, w);
  std::copy(robot.links.wrench.begin(), robot.links.wrench.end(), w.wrench.begin());
  SolverReport<double> report{};
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    if (w.active_count > 0) {
      for (JointRow<P>& row : robot.rows) evaluate_row(row);
      if (springs) {
        solve_springs(h, robot, contact, robot.solver.sweep);
      } else {
        linearize_feedback(world, robot, contact, robot.solver.sweep, w);
      }
      apply_impulses(robot.tree, w, robot.links);
    }
    const double iterations = report.iterations;
    report = solve_with(world, robot, robot.rows);  // contact is in the links' wrenches
    const bool bent = report.iterations > 1;
    report.iterations += iterations + (w.active_count > 0 ? 1 : 0);
    if (!bent || w.active_count == 0 || pass + 1 == kMaxPasses) break;
    std::copy(w.wrench.begin(), w.wrench.end(), robot.links.wrench.begin());
  }
  move_twists(robot.tree, robot.links, robot.solver.qvel, robot.solver.sweep);
  write_points(h, robot.solver.sweep, w, contact.points);
  return report;
}

void commit_contacts(const World&, const RobotStep<double>&, const PenaltyContact& contact,
                     ContactMemory<double>& memory) {
  forget_points(memory);
  for (int i = 0; i < contact.points.count; ++i) {
    commit_place(contact.soles.packs[contact.points.places[i].sole_pack], contact.points.laws[i],
                 contact.points.trials[i], memory);
  }
}

void list_contacts(const World&, const PenaltyContact& contact,
                   std::vector<ContactPoint<double>>& listed) {
  list_points(contact.soles, contact.points, listed);
}

}  // namespace footfall
