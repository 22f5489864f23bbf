// Section II.A: a ball falls on the ground. Figs. 4 and 5, and the classical model (2) beside them.
//
// The paper says neither mass nor height. Its axes do: height in millimetres from the impact at about
// 0.45 s on, force from 9.81 N to 9.816 N, as a ball of 1 kg has that fell 1 m.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce/rengifo2009_parts.hpp"

namespace footfall::rengifo2009 {
namespace {

constexpr double kRadius = 0.05;  // of robots/ball.xml [m]
constexpr double kDrop = 1;       // [m]
constexpr double kEnd = 2.4;      // of the figures [s]

double impact_speed() { return std::sqrt(2 * kGravity * kDrop); }
double impact_time() { return std::sqrt(2 * kDrop / kGravity); }

struct Flight {
  std::vector<double> time, height, force;  // of steps, from the impact on [s, m, N]
  double deepest = 0;                       // [m]
  double rebound = -1;                      // speed at the first lift-off over that of the impact
  double lift_off = 0;                      // when [s]
  int pulls = 0;                            // steps with a force towards the ground
};

// From the moment of touch, for a while; stops at lift-off where that is all that is asked for.
Flight follow(double mass, const PenaltyModel& model, double h, double duration,
              bool to_lift_off = false, double speed = impact_speed()) {
  RobotModel robot = load_named("ball");
  robot.bodies[1].mass = mass;
  robot.bodies[1].inertia = mass * robot.bodies[1].inertia;
  const World world = make_hard_world(std::move(robot), {.model = model, .timestep = h});
  State<double> state = make_state<double>(world, {0, 0, kRadius - 1e-15, 1, 0, 0, 0});
  state.qvel[2] = -speed;
  StepWorkspace<double> workspace(world);
  const Control<double> none = make_control<double>(world.robot);
  Flight out;
  const int steps = static_cast<int>(std::lround(duration / h));
  for (int k = 0; k < steps; ++k) {
    step(world, none, state, workspace);
    list_results(world, workspace);
    const double height = state.qpos[2] - kRadius;
    out.time.push_back(impact_time() + h * (k + 1));
    out.height.push_back(height);
    out.force.push_back(ground_force(workspace).z);
    out.deepest = std::fmax(out.deepest, -height);
    out.pulls += out.force.back() < 0 ? 1 : 0;
    if (height > 0 && out.rebound < 0) {
      out.rebound = state.qvel[2] / speed;
      out.lift_off = out.time.back();
      if (to_lift_off) break;
    }
  }
  return out;
}

PenaltyModel feedback(double k_p, double k_v) { return {.k_p = k_p, .k_v = k_v, .epsilon = 0}; }

// Braked by k_v and k_p on the way in, thrown back by k_p alone.
double exact_restitution(double k_p, double k_v) {
  if (k_p == 0) return 0;
  const double z = k_v / (2 * std::sqrt(k_p));
  if (z < 1) return std::exp(-z * std::acos(z) / std::sqrt(1 - z * z));
  return std::exp(-z * std::acosh(z) / std::sqrt(z * z - 1));
}

// Every n-th point, for a picture.
PlotLine thinned(const std::string& label, const std::vector<double>& x,
                 const std::vector<double>& y, double scale, LineStyle style) {
  PlotLine line{.label = label, .style = style};
  const std::size_t every = std::max<std::size_t>(1, x.size() / 800);
  for (std::size_t i = 0; i < x.size(); i += every) {
    line.x.push_back(x[i]);
    line.y.push_back(scale * y[i]);
  }
  return line;
}

void add_figures(const std::vector<std::pair<double, Flight>>& flights, Reproduction& out) {
  PlotPanel height{.title = "Fig. 4: height",
                   .x = {.label = "time", .unit = "s", .low = 0.4, .high = kEnd},
                   .y = {.label = "height", .unit = "mm", .low = -1, .high = 2}};
  PlotPanel force{.title = "Fig. 5: force",
                  .x = {.label = "time", .unit = "s", .low = 0.4, .high = kEnd},
                  .y = {.label = "normal force", .unit = "N", .low = 9.809, .high = 9.816}};
  PlotLine fall{.label = "falling"};
  for (const double h : {2e-3, 0.0}) {
    fall.x.push_back(impact_time() - h / impact_speed());
    fall.y.push_back(1e3 * h);
  }
  fall.color = 6;
  height.lines.push_back(fall);
  const LineStyle styles[] = {LineStyle::dashed, LineStyle::solid, LineStyle::solid};
  int i = 0;
  for (const auto& [k_p, flight] : flights) {
    const std::string label = fmt::format("k_p = {:g} 1/s²", k_p);
    height.lines.push_back(thinned(label, flight.time, flight.height, 1e3, styles[i]));
    force.lines.push_back(thinned(label, flight.time, flight.force, 1, styles[i++]));
    height.lines.back().color = force.lines.back().color = i - 1;
  }
  out.figures.push_back({"fig04-05-ball.svg",
                         "a ball of 1 kg falls 1 m, k_v = 5000 1/s",
                         {.title = "Rengifo 2009, Figs. 4 and 5: a ball on the ground",
                          .subtitle = "k_v = 5000 1/s, from 1 m",
                          .panels = {height, force}}});
}

// What the figures show of one k_p.
void add_flight(double k_p, const Flight& f, Reproduction& out) {
  const std::string what = fmt::format("k_p = {:g}: ", k_p);
  const double depth = f.deepest;
  if (k_p == 0) {
    const double stays = 1e3 * impact_speed() / 5000;
    out.add(adds_up(
        compared("Fig. 4", what + "depth that stays, v/k_v", "mm", stays, -1e3 * f.height.back()),
        formula(stays)));
    return;
  }
  const double quarter = impact_time() + 0.5 * M_PI / std::sqrt(k_p);
  out.add(agrees(
      claimed("Fig. 4", what + "out of the ground again", "s", "converges toward zero", f.lift_off),
      std::abs(f.lift_off - quarter) < 5e-3 && std::abs(f.height.back()) < 1e-6));
  const std::size_t settled = f.force.size() / 100;  // braking is over, the rise has just begun
  // it has risen since the turn, by less than a thousandth of its depth
  out.add(adds_up(compared("Fig. 5", what + "force on the way up, m (g + k_p d)", "N",
                           kGravity + k_p * depth, f.force[settled]),
                  scatter(1e-3 * k_p * depth, "risen by a thousandth of its depth")));
}

void add_restitution(Reproduction& out) {
  NumberTable table{.title = "Restitution by k_p/k_v², a ball at 1 m/s, k_v = 250 1/s",
                    .columns = {"k_p [1/s²]", "k_p/k_v²", "ours", "exact"},
                    .names = {},
                    .rows = {}};
  double worst = 0, first = 1, last = 0;
  for (const double k_p : {5e2, 5e3, 5e4, 5e5, 5e6, 5e7}) {
    const double h = std::fmin(1e-5, 1e-3 / std::sqrt(k_p));
    const double ours = follow(1, feedback(k_p, 250), std::fmax(h, 1e-6), 1, true, 1).rebound;
    const double exact = exact_restitution(k_p, 250);
    table.rows.push_back({k_p, k_p / (250 * 250), ours, exact});
    worst = std::fmax(worst, std::abs(ours - exact));
    first = std::fmin(first, ours);
    last = std::fmax(last, ours);
  }
  out.tables.push_back(table);
  out.add(agrees(claimed("II.A", "restitution, k_p/k_v from 2 to 2e5 1/s: largest", "",
                         "varies from 0 to 1", last),
                 first < 0.1 && last > 0.95 && worst < 0.02));
}

void add_mass(Reproduction& out) {
  const Flight one = follow(1, feedback(1, 5000), 2e-5, 0.5);
  double path = 0, force = 0;
  for (const double mass : {0.1, 10.0, 100.0}) {
    const Flight other = follow(mass, feedback(1, 5000), 2e-5, 0.5);
    for (std::size_t i = 0; i < one.height.size(); ++i) {
      path = std::fmax(path, std::abs(other.height[i] - one.height[i]));
      force = std::fmax(force, std::abs(other.force[i] / (mass * one.force[i]) - 1));
    }
  }
  out.add(agrees(claimed("II.A", "0.1 to 100 kg: difference of the way", "mm",
                         "does not depend on the mass", 1e3 * path),
                 path < 1e-14));
  out.add(agrees(claimed("II.A", "0.1 to 100 kg: difference of force over mass", "%",
                         "does not depend on the mass", 100 * force),
                 force < 1e-9));
}

// At rest, with and without a wanted depth. Without it, the ball is at the edge of contact: it leaves,
// falls for a step and comes back with a blow g h, which takes it g h/k_v deep.
void add_rest(Reproduction& out) {
  const double h = 1e-4;
  PenaltyModel model = feedback(500, 250);
  for (const double epsilon : {0.0, -1e-4}) {
    model.epsilon = epsilon;
    const Flight rest = follow(1, model, h, 6, false, 0.1);
    double deepest = 0;
    int impacts = 0;  // in the last two seconds
    for (std::size_t i = 2 * rest.height.size() / 3; i < rest.height.size(); ++i) {
      deepest = std::fmax(deepest, -rest.height[i]);
      impacts += rest.height[i - 1] > 0 && rest.height[i] <= 0 ? 1 : 0;
    }
    const bool wanted = epsilon < 0;
    out.add(agrees(
        claimed(wanted ? "V" : "II.A",
                wanted ? "ε = -0.1 mm: depth at rest" : "k_p = 500, k_v = 250: depth at rest", "mm",
                wanted ? "ε" : "zero", 1e3 * deepest),
        deepest + epsilon <= kGravity * h / model.k_v));
    out.add(
        agrees(claimed(wanted ? "V" : "II.A",
                       wanted ? "ε = -0.1 mm: false impacts in 2 s" : "ε = 0: false impacts in 2 s",
                       "", wanted ? "improved" : "occur", static_cast<double>(impacts)),
               wanted == (impacts == 0)));
  }
}

}  // namespace

void add_ball(Reproduction& out) {
  std::vector<std::pair<double, Flight>> flights;
  double largest = 0, smallest = 1e300;
  for (const double k_p : {0.0, 1.0, 5.0}) {
    flights.emplace_back(k_p, follow(1, feedback(k_p, 5000), 2e-5, kEnd - impact_time()));
    add_flight(k_p, flights.back().second, out);
    // the blow itself, which takes 1/k_v, in fine steps
    const Flight blow = follow(1, feedback(k_p, 5000), 1e-6, 1e-4);
    const double force = *std::max_element(blow.force.begin(), blow.force.end());
    largest = std::fmax(largest, force);
    smallest = std::fmin(smallest, force);
  }
  add_figures(flights, out);
  const double blow = kGravity + 5000 * impact_speed();
  // braked by k_v h during the step in which it is
  out.add(agrees(claimed("II.A", "force of the blow, over the formula, step of 1 µs", "",
                         "m (g + k_v v)", largest / blow),
                 std::abs(largest / blow - 1) < 5000 * 1e-6));
  out.add(agrees(claimed("II.A", "the blow at k_p = 0, 1, 5: largest over smallest", "",
                         "depends only on k_v", largest / smallest),
                 largest / smallest < 1 + 1e-6));
  add_mass(out);
  add_restitution(out);
  add_rest(out);
}

namespace {

// Of a ball of 1 kg that rests in `before` times its weight, when that becomes `after` times it, less than zero: steps in
// which the ground pulls at it, and its rise in the first millisecond [m].
struct Release {
  int pulls = 0;
  double rise = 0;
};
Release release(const PenaltyModel& model, double before, double after) {
  constexpr double h = 1e-4;                                         // [s]
  constexpr int kRest = 30000, kReleased = 1000, kMillisecond = 10;  // steps
  World world = make_hard_world(load_named("ball"), {.model = model, .timestep = h});
  State<double> state = make_state<double>(world, {0, 0, kRadius - 1e-4, 1, 0, 0, 0});
  const Control<double> none = make_control<double>(world.robot);
  Release out;
  for (const bool released : {false, true}) {
    world.robot.gravity = {0, 0, (released ? after : before) * -kGravity};
    StepWorkspace<double> workspace(world);
    const double start = state.qpos[2];
    for (int k = 0; k < (released ? kReleased : kRest); ++k) {
      step(world, none, state, workspace);
      list_results(world, workspace);
      if (!released) continue;
      out.pulls += ground_force(workspace).z < 0 ? 1 : 0;
      if (k < kMillisecond) out.rise = state.qpos[2] - start;
    }
  }
  return out;
}

// The nonlinear damper of the paper's [10], f = δⁿ (k + λ δ̇): a ball of 1 kg in rest is pulled off; instants with a
// force that holds it.
int count_sticking(double pull) {
  constexpr double h = 1e-5, k = 1e6, lambda = 3e6, n = 1.5;  // [s], [N/mⁿ], [N s/mⁿ⁺¹]
  double depth = std::pow(kGravity / k, 1 / n), rate = 0;
  int count = 0;
  while (depth > 0) {
    const double force = std::pow(depth, n) * (k + lambda * rate);
    count += force < 0 ? 1 : 0;
    rate += h * (kGravity - pull - force);
    depth += h * rate;
  }
  return count;
}

// Gains at their limits, and what a load leaves behind.
void add_limits(Reproduction& out) {
  const double k_v = 1e5, h = 1e-6;
  const Flight blow = follow(1, feedback(0, k_v), h, 2e-4);  // twenty times 1/k_v
  double impulse = 0;
  for (const double force : blow.force) impulse += h * (force - kGravity);
  out.add(agrees(claimed("Fig. 2", "k_v to infinity: impulse of the blow over m v", "",
                         "a Dirac delta of weight -m v", impulse / impact_speed()),
                 std::abs(impulse / impact_speed() - 1) < 1e-6));
  const double elastic = follow(1, feedback(5e4, 0), 1e-6, 0.1, true, 1).rebound;
  out.add(agrees(claimed("II.A", "k_v = 0: restitution", "", "k_p/k_v to infinity: 1", elastic),
                 std::abs(elastic - 1) < 1e-3));
  PenaltyModel spring{.kind = PenaltyKind::spring_damper};
  spring.stiffness = 1e4;
  spring.damping = 60;
  spring.guard = false;
  PenaltyModel ours = feedback(500, 250);
  ours.epsilon = -1e-4;
  const auto add = [&](const char* place, const char* what, const char* unit, const char* claim,
                       double value, bool holds) {
    out.add(agrees(claimed(place, what, unit, claim, value), holds));
  };
  const double soft = release(spring, 11, 1).rise, hard = release(ours, 11, 1).rise;
  add("(2)", "ten weights taken off: rise in 1 ms, spring and damper", "mm", "m g/k", 1e3 * soft,
      soft > 1e-5);
  add("(4)", "ten weights taken off: rise in 1 ms", "mm", "does not depend on the mass", 1e3 * hard,
      std::abs(hard) < 1e-8);
  const int sticking = count_sticking(50 * kGravity), pulls = release(spring, 1, -49).pulls,
            held = release(ours, 1, -49).pulls;
  add("I", "nonlinear damper, pulled off by 50 weights: steps of 10 µs that stick", "",
      "sticking forces arise", sticking, sticking > 0);
  add("I", "spring and damper, pulled off: steps with a pull", "", "always appear", pulls,
      pulls > 0);
  add("(4)", "feedback linearisation, pulled off: steps with a pull", "", "f_n > 0", held,
      held == 0);
}

}  // namespace

void add_classical(Reproduction& out) {
  add_limits(out);
  PenaltyModel spring;
  spring.kind = PenaltyKind::spring_damper;
  spring.stiffness = 1e4;
  spring.damping = 60;
  for (const bool guard : {false, true}) {
    spring.guard = guard;
    const Flight f = follow(1, spring, 1e-4, 3, false, 1);
    const char* name = guard ? "with a guard" : "spring and damper";
    out.add(agrees(claimed("(2)", fmt::format("{}: steps with a pull", name), "",
                           guard ? "avoided" : "always appear", static_cast<double>(f.pulls)),
                   (f.pulls > 0) == !guard));
    const double deep = 1e3 * kGravity / spring.stiffness;
    out.add(adds_up(compared("(2)", fmt::format("{}: depth at rest, m g/k", name), "mm", deep,
                             -1e3 * f.height.back()),
                    formula(deep)));
  }
  const Flight ours = follow(1, feedback(500, 250), 1e-4, 3, false, 1);
  out.add(agrees(claimed("(4)", "feedback linearisation: steps with a pull", "", "f_n > 0",
                         static_cast<double>(ours.pulls)),
                 ours.pulls == 0));
}

}  // namespace footfall::rengifo2009
