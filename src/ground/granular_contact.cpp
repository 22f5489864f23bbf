#include "footfall/ground/granular_contact.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace footfall {
namespace {

constexpr int kMaxWrenchPasses = 4;

// Rows of Y that a path fills, numbered anew in each step: those of active feet only.
int number_rows(const LinkTree<double>& tree, GranularContact& w) {
  std::fill(w.row_of.begin(), w.row_of.end(), -1);
  int count = 0;
  const auto number = [&](int slot, int item) {
    int& row = w.row_of[slot * pack_size<double> + item];
    if (row < 0) row = count++;
  };
  for (const int foot : w.active) {
    const LinkPath& path = w.paths[foot];
    if (path.free_group >= 0) {
      const int first = tree.groups[path.free_group].first_slot;
      for (int k = 0; k < 6; ++k) number(first + k, path.free_item);
    }
    for (const LinkPath::Joint& joint : path.joints) number(joint.slot, joint.item);
  }
  return count;
}

int response_row(const LinkTree<double>& tree, const GranularContact& w, const LinkPath& path,
                 int place) {
  if (place < path.root_rows()) {
    const int first = tree.groups[path.free_group].first_slot;
    return w.row_of[(first + place) * pack_size<double> + path.free_item];
  }
  const LinkPath::Joint& joint = path.joints[place - path.root_rows()];
  return w.row_of[joint.slot * pack_size<double> + joint.item];
}

// The foot's unit wrenches about O, frame W, one in each lane.
Spatial<Lane8> unit_lanes(const WrenchSpace& space, const WrenchContact& contact) {
  Spatial<Lane8> W = zero6<Lane8>();
  for (int p = 0; p < space.parts(); ++p) {
    const Wrench<double> unit = space.unit_wrench(p);
    const Vec3d f = contact.place.R_WC * unit.lin;
    const Vec3d t = contact.place.R_WC * unit.ang + cross(contact.p_OC, f);
    W.ang.x.set(p, t.x), W.ang.y.set(p, t.y), W.ang.z.set(p, t.z);
    W.lin.x.set(p, f.x), W.lin.y.set(p, f.y), W.lin.z.set(p, f.z);
  }
  return W;
}

// Fills the problem with Y and z of the step without contact.
void fill_responses(const LinkTree<double>& tree, const LinkData<double>& links,
                    const LinkSweep<double>& sweep, GranularContact& w) {
  const WrenchSpace& space = *w.space;
  w.qp.start(static_cast<int>(w.active.size()), number_rows(tree, w));
  RootFactor root{};
  int root_group = -1, root_item = 0;
  for (std::size_t i = 0; i < w.active.size(); ++i) {
    const int foot = w.active[i];
    const LinkPath& path = w.paths[foot];
    if (path.free_group >= 0 && (path.free_group != root_group || path.free_item != root_item)) {
      root = factor_root(path, sweep);
      root_group = path.free_group;
      root_item = path.free_item;
    }
    respond(path, links, sweep, root, unit_lanes(space, w.contacts[foot]), w.response.data());
    find_motion_parts(path, sweep, root, w.parts.data());
    for (int p = 0; p < space.parts(); ++p) {
      w.masses[i * space.parts() + p] = space.grain_inertia(space.soles()[foot], p);
    }
    for (int k = 0; k < path.rows(); ++k) {
      const int row = response_row(tree, w, path, k);
      w.qp.offset()[row] = w.parts[k];
      for (int p = 0; p < space.parts(); ++p) {
        w.qp.column(static_cast<int>(i), p)[row] = w.response[k][p];
      }
    }
  }
}

// Impulses in the feet's sets, around the step without contact.
void find_impulses(double h, RobotStep<double>& robot, GranularContact& w) {
  using Clock = std::chrono::steady_clock;
  const WrenchSpace& space = *w.space;
  LinkSweep<double>& sweep = robot.solver.sweep;
  solve_linearized(robot.tree, robot.links, robot.balance, sweep, robot.rows);
  fill_responses(robot.tree, robot.links, sweep, w);
  const Clock::time_point start = w.timed ? Clock::now() : Clock::time_point{};
  if (w.any_grains) w.qp.add_masses({w.masses.data(), w.active.size() * space.parts()});
  w.report = w.qp.solve(w.active_sets, {w.corrals.data(), w.active.size() * kMaxCorral});
  if (w.timed) w.qp_seconds += std::chrono::duration<double>(Clock::now() - start).count();
  for (std::size_t i = 0; i < w.active.size(); ++i) {
    const int foot = w.active[i];
    WrenchContact& contact = w.contacts[foot];
    Wrench<double> impulse = zero6<double>();  // about C
    for (int p = 0; p < space.parts(); ++p) {
      const Wrench<double> unit = space.unit_wrench(p);
      const double c = w.qp.impulse(static_cast<int>(i), p);
      impulse +=
          Wrench<double>{c * (contact.place.R_WC * unit.ang), c * (contact.place.R_WC * unit.lin)};
    }
    contact.wrench = (1 / h) * impulse;
    impulse.ang += cross(contact.p_OC, impulse.lin);
    add_impulse(robot.tree, w.link[foot], impulse, robot.links);
  }
}

}  // namespace

GranularContact::GranularContact(const World& world, const LinkTree<double>& tree)
    : space(std::get<GranularGround>(world.ground).space), scratch(space->make_scratch()),
      corrals(world.soles.feet.size() * kMaxCorral, kNoVertex),
      qp(static_cast<int>(world.soles.feet.size()), space->parts(),
         std::max(world.robot.velocity_size(), 1)),
      gauge(1, space->parts(), space->parts()), row_of(tree.slots.size() * pack_size<double>),
      wrench(tree.groups.size()) {
  std::size_t longest = 0;
  for (const Foot& foot : world.soles.feet) {
    link.push_back(tree.plan.bodies[foot.body].link);
    paths.push_back(make_link_path(tree, link.back()));
    longest = std::max<std::size_t>(longest, paths.back().rows());
    sets.emplace_back(space->parts(), space->vertex_count());
    sets.back().resize(space->vertex_count());
  }
  contacts.resize(world.soles.feet.size());
  active.reserve(contacts.size());
  active_sets.reserve(contacts.size());
  response.resize(longest);
  parts.resize(longest);
  masses.resize(contacts.size() * space->parts());
  for (const WrenchSole& sole : space->soles()) {
    const GrainInertia& g = sole.grains;
    any_grains = any_grains || g.horizontal + g.vertical + g.tilting + g.spinning > 0;
  }
}

void find_contacts(const World& world, const State<double>& state, const RobotStep<double>& robot,
                   GranularContact& w) {
  const WrenchSpace& space = *w.space;
  const LinkTree<double>& tree = robot.tree;
  const LinkData<double>& links = robot.links;
  const ContactMemory<double>& memory = state.memory;
  // a state that was made before the world had its grains remembers nothing of them
  const bool remembers = memory.wrench_vertices.size() == w.contacts.size() * kMaxCorral;
  w.active.clear();
  w.active_sets.clear();
  for (std::size_t i = 0; i < w.contacts.size(); ++i) {
    WrenchContact& contact = w.contacts[i];
    contact.touching = false;
    contact.wrench = contact.velocity = zero6<double>();
    if (w.link[i] < 0) continue;
    const WrenchSole& sole = space.soles()[i];
    const BodyOnLink& body = tree.plan.bodies[sole.body];
    const Link& link = tree.plan.links[body.link];
    const LinkMotion<Pack<double>>& motion = links.motion[link.group];
    const Mat3d R_WL = get_item<double>(motion.R, link.item);
    const Vec3d p_OB = get_item<double>(motion.p, link.item) + R_WL * body.position;
    const Vec3d& p_WO = links.origin[link.tree];
    contact.place = space.locate(world.terrain, sole, R_WL * body.rotation, p_WO + p_OB);
    contact.p_OC = contact.place.p_WC - p_WO;
    contact.touching = contact.place.depth > 0;
    if (!contact.touching) continue;
    contact.at = space.predict(sole, contact.place, world.options.timestep, w.scratch, w.sets[i]);
    int* corral = &w.corrals[w.active.size() * kMaxCorral];
    std::fill_n(corral, kMaxCorral, kNoVertex);
    if (remembers) std::copy_n(&memory.wrench_vertices[i * kMaxCorral], kMaxCorral, corral);
    w.active.push_back(static_cast<int>(i));
    w.active_sets.push_back(&w.sets[i]);
  }
}

SolverReport<double> solve_contacts(const World& world, const State<double>&,
                                    RobotStep<double>& robot, GranularContact& w) {
  SolverReport<double> report{};
  w.qp_seconds = 0;
  w.report = {true, 0, 0};
  std::copy(robot.links.wrench.begin(), robot.links.wrench.end(), w.wrench.begin());
  for (int pass = 0; pass < kMaxWrenchPasses; ++pass) {
    if (!w.active.empty()) {
      for (JointRow<Pack<double>>& row : robot.rows) evaluate_row(row);
      find_impulses(world.options.timestep, robot, w);
    }
    const double iterations = report.iterations;
    report = solve_with(world, robot, robot.rows);
    const bool bent = report.iterations > 1;
    report.iterations += iterations + (w.active.empty() ? 0 : 1);
    report.converged = report.converged && w.report.converged;
    if (!bent || w.active.empty() || pass + 1 == kMaxWrenchPasses) break;
    std::copy(w.wrench.begin(), w.wrench.end(), robot.links.wrench.begin());
  }
  move_twists(robot.tree, robot.links, robot.solver.qvel, robot.solver.sweep);
  for (const int foot : w.active) {
    WrenchContact& contact = w.contacts[foot];
    const Twist<double> V = link_motion(robot.tree, robot.solver.sweep, w.link[foot]);
    contact.velocity = {V.ang, point_velocity(V, contact.p_OC)};
  }
  return report;
}

double measure_wrench_use(const World& world, int foot, GranularContact& w) {
  const WrenchSpace& space = *w.space;
  const WrenchContact& contact = w.contacts[foot];
  if (!contact.touching) return 0;
  const double h = world.options.timestep;
  std::array<double, kMaxWrenchParts> impulse{};
  for (int p = 0; p < space.parts(); ++p) {
    const Wrench<double> unit = space.unit_wrench(p);
    impulse[p] = h * (dot(contact.place.R_WC * unit.ang, contact.wrench.ang) +
                      dot(contact.place.R_WC * unit.lin, contact.wrench.lin));
  }
  return measure_gauge(w.sets[foot], impulse, w.gauge);
}

void list_contacts(const World&, const GranularContact&,
                   std::vector<ContactPoint<double>>& listed) {
  listed.clear();
}

void commit_contacts(const World& world, const RobotStep<double>&, const GranularContact& w,
                     ContactMemory<double>& memory) {
  std::fill(memory.normal_force.begin(), memory.normal_force.end(), 0.0);
  memory.wrench_vertices.assign(w.contacts.size() * kMaxCorral, kNoVertex);
  for (std::size_t i = 0; i < w.active.size(); ++i) {
    const int foot = w.active[i];
    const WrenchContact& contact = w.contacts[foot];
    const int point = world.soles.groups[world.soles.feet[foot].group].first_point;
    memory.normal_force[point] = dot(contact.place.R_WC.z, contact.wrench.lin);
    std::copy_n(&w.corrals[i * kMaxCorral], kMaxCorral,
                &memory.wrench_vertices[static_cast<std::size_t>(foot) * kMaxCorral]);
  }
}

}  // namespace footfall
