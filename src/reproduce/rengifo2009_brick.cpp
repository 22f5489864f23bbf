// Section II.B: a brick on a ramp; (20): the friction cone; (10): the balance of forces.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "footfall/terrain/plane.hpp"
#include "reproduce/rengifo2009_parts.hpp"

namespace footfall::rengifo2009 {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// The brick of 100 kg, its weight at the sole: the paper's is a point, without moments.
World make_ramp(double slope, double friction) {
  RobotModel robot = load_named("box");
  robot.bodies[1].com = {0, 0, -0.1};
  return make_hard_world(std::move(robot), {.friction = friction, .terrain = make_slope(slope, 0)});
}

struct Slide {
  std::vector<double> time, speed, way;  // down the ramp [s, m/s, m]
};

Slide slide(const World& world, double slope, double start, double duration) {
  const Vec3d n = world.terrain.plane_normal;
  const Vec3d down{-std::cos(slope), 0, -std::sin(slope)};
  const double z = 0.1 - 1e-4;
  State<double> state = make_state<double>(
      world, {z * n.x, z * n.y, z * n.z, std::cos(slope / 2), 0, -std::sin(slope / 2), 0});
  state.qvel[0] = start * down.x;
  state.qvel[2] = start * down.z;
  StepWorkspace<double> workspace(world);
  const Control<double> none = make_control<double>(world.robot);
  Slide out;
  const double h = world.options.timestep;
  for (int k = 0; k < std::lround(duration / h); ++k) {
    step(world, none, state, workspace);
    out.time.push_back(h * (k + 1));
    out.speed.push_back(dot(down, Vec3d{state.qvel[0], state.qvel[1], state.qvel[2]}));
    out.way.push_back(dot(down, Vec3d{state.qpos[0], state.qpos[1], state.qpos[2]}));
  }
  return out;
}

// (20) as printed: the bounds are cosθ and sinθ themselves.
Vec3d clip_as_printed(const Vec3d& f, double limit) {
  const double theta = std::atan2(f.y, f.x);
  const auto clip = [&](double x, double bound) {
    return std::copysign(1.0, x) * std::fmin(std::abs(x), bound);
  };
  return {clip(f.x, limit * std::cos(theta)), clip(f.y, limit * std::sin(theta)), 0};
}
// Each axis alone to μ f_n.
Vec3d clip_alone(const Vec3d& f, double limit) {
  return {std::fmax(-limit, std::fmin(f.x, limit)), std::fmax(-limit, std::fmin(f.y, limit)), 0};
}

// How far a clipping turns forces around the compass, and the largest force that it leaves.
template <class Clip>
std::vector<double> measure_clipping(Clip&& clip) {
  double turn = 0, largest = 0;
  for (int i = 0; i < 720; ++i) {
    const double theta = (0.5 * i + 0.1) * kDegree;
    const Vec3d f = 3.0 * Vec3d{std::cos(theta), std::sin(theta), 0};
    const Vec3d kept = clip(f);
    turn = std::fmax(turn, std::abs(std::atan2(cross(f, kept).z, dot(f, kept))));
    largest = std::fmax(largest, norm(kept));
  }
  return {turn / kDegree, largest};
}

}  // namespace

void add_brick(Reproduction& out) {
  const double slope = 0.2, mu = 0.5;
  const World world = make_ramp(slope, mu);
  const double h = world.options.timestep, k_v = std::get<PenaltyGround>(world.ground).law.k_v;
  const double braking = kGravity * (mu * std::cos(slope) - std::sin(slope));
  const double v_s = braking / k_v;
  const Slide s = slide(world, slope, 0.1, 0.2);
  double sliding = 0, sticking = 0, before = 0.1, switched = 0;
  for (const double v : s.speed) {
    const double acceleration = (v - before) / h;
    if (v > v_s * (1 + 1e-9)) {
      sliding = std::fmax(sliding, std::abs(acceleration + braking));
    } else {
      sticking = std::fmax(sticking, std::abs(acceleration + k_v * v));
      switched = std::fmax(switched, v);
    }
    before = v;
  }
  out.add(agrees(claimed("(9)", "fastest speed that sticks, over v_s", "", "v_s", switched / v_s),
                 switched <= v_s && switched > v_s - h * braking));
  out.add(
      agrees(claimed("(9)", "faster: error of Coulomb's braking", "m/s²", "μ m g cosα", sliding),
             sliding < 1e-7));
  out.add(agrees(claimed("(9)", "slower: error of the braking k_v v", "m/s²", "-k_v v", sticking),
                 sticking < 1e-7));
  const Slide rest = slide(world, slope, 0.1, 2);
  const double creep = rest.way.back() - rest.way[rest.way.size() / 2];
  out.add(agrees(claimed("II.B", "sticking: creep in a second", "mm", "velocity converges to zero",
                         1e3 * creep),
                 std::abs(creep) < 1e-12));
  const double steep = 1.1 * std::atan(mu);
  const Slide down = slide(make_ramp(steep, mu), steep, 0, 0.5);
  out.add(adds_up(compared("(5)", "10 % steeper than friction holds: acceleration", "m/s²",
                           kGravity * (std::sin(steep) - mu * std::cos(steep)),
                           down.speed.back() / 0.5),
                  formula(1)));
  out.figures.push_back(
      {"brick.svg",
       "a brick is pushed down a ramp, slides and stops",
       {.title = "Rengifo 2009, Section II.B: a brick on a ramp",
        .subtitle = fmt::format("μ = {}, α = {} rad, k_v = {:g} 1/s", mu, slope, k_v),
        .panels = {
            {.title = "Speed",
             .x = {.label = "time", .unit = "s"},
             .y = {.label = "speed", .unit = "m/s", .log = true},
             .lines = {
                 {.label = "ours", .x = s.time, .y = s.speed},
                 {.label = "v_s", .x = {0, 0.2}, .y = {v_s, v_s}, .style = LineStyle::dashed}}}}}});
}

void add_clipping(Reproduction& out) {
  const Vec3d up{0, 0, 1};
  const auto within = [&](const Vec3d& f, Clipping clipping) {
    return saturate(f + up, up, 1, clipping) - up;  // f_n = 1, μ = 1
  };
  const auto radial = measure_clipping([&](const Vec3d& f) { return within(f, Clipping::radial); });
  const auto per_axis =
      measure_clipping([&](const Vec3d& f) { return within(f, Clipping::per_axis); });
  const auto printed = measure_clipping([](const Vec3d& f) { return clip_as_printed(f, 1); });
  const auto alone = measure_clipping([](const Vec3d& f) { return clip_alone(f, 1); });
  out.tables.push_back(
      {"Friction of a force three times too large, from all directions",
       {"largest turn [deg]", "largest force over μ f_n"},
       {"radial", "(20) with |cosθ|, |sinθ|", "(20) as printed", "each axis alone to μ f_n"},
       {radial, per_axis, printed, alone}});
  out.add(agrees(claimed("(20)", "with absolute values: turn of friction", "deg",
                         "|f_t| at most μ f_n", per_axis[0]),
                 per_axis[0] < 1e-12 && per_axis[1] < 1 + 1e-12));
  const double half = std::sqrt(0.5);
  const Vec3d f{-3 * half, 3 * half, 0};
  out.add(is_papers_error(compared("(20)", "f_x of a force at 135 deg, over μ f_n", "", half,
                                   within(f, Clipping::per_axis).x),
                          clip_as_printed(f, 1).x, "cosθ and sinθ need absolute values"));
}

void add_balance(Reproduction& out) {
  const World world = make_hard_world(load_named("biped"), {.timestep = 1e-3});
  const RobotModel& robot = world.robot;
  const double h = world.options.timestep;
  State<double> state = make_state<double>(world, robot.keyframes[0].qpos);
  StepWorkspace<double> workspace(world);
  Control<double> command = make_control<double>(robot);
  for (std::size_t i = 0; i < robot.actuators.size(); ++i) {
    command.position[i] = state.qpos[robot.joints[robot.actuators[i].joint].q_index];
    command.kp[i] = 500;
    command.kd[i] = 10;
  }
  RobotData<double> next(robot);
  double worst = 0;
  for (int k = 0; k < 1000; ++k) {  // stands, sways, falls over
    for (std::size_t i = 0; i < command.control.size(); ++i) {
      command.control[i] = k < 300 ? 0 : 60 * std::sin(0.02 * k * static_cast<double>(i + 1));
    }
    const std::vector<double> qpos = state.qpos;
    step(world, command, state, workspace);
    list_results(world, workspace);
    compute_positions(robot, qpos.data(), next);
    compute_velocities(robot, state.qvel.data(), next);
    Vec3d balance = -ground_force(workspace);
    for (int b = 1; b < robot.body_count(); ++b) {
      const RobotData<double>& data = workspace.data;
      balance += (1 / h) * (data.inertia[b] * (next.V[b] - data.V[b])).lin + body_bias(data, b).lin;
    }
    worst = std::fmax(worst, norm(balance));
  }
  out.add(agrees(claimed("(10)", "biped: ground forces less weight and momentum change", "N",
                         "A q_a + H = Γ + D F", worst),
                 worst < 1e-8));
}

}  // namespace footfall::rengifo2009
