// Figs. 2 to 4: a ball and a box fall on soft ground in real MuJoCo.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/log.hpp"
#include "footfall/rig/ground.hpp"
#include "footfall/soft/soft_curve.hpp"
#include "reproduce/gora2025_parts.hpp"

namespace footfall::gora2025 {
namespace {

constexpr double kTimestep = 1e-4;  // [s]
constexpr double kDuration = 1.5;   // [s]
// Hunt–Crossley law of Fig. 3, exponents put right.
constexpr HuntCrossley kHuntCrossley{9810, 1.5, 19620, 1.5, 1};

struct Body {
  const char* name;
  const char* geom;  // attributes
  double centre;     // above the ground when it touches [m]
};
constexpr Body kBall{"ball", R"(type="sphere" size="0.01")", 0.01};
constexpr Body kBox{"box", R"(type="box" size="0.025 0.02 0.01")", 0.01};

struct Fall {
  std::vector<double> sinkage;   // [m]
  std::vector<double> force;     // [N]
  double deepest = 0, rest = 0;  // [m]
  double largest_force = 0;      // [N]
};

MjModelPtr make_model(const Body& body, const SoftReference& r, const SoftImpedance& i) {
  const std::string text = fmt::format(
      R"(<mujoco><option timestep="{}" cone="elliptic"/><worldbody>
  <geom type="plane" size="1 1 1" priority="1" solref="{} {}" solimp="{} {} {} {} {}"/>
  <body pos="0 0 {}"><freejoint/><geom {} mass="1"/></body></worldbody></mujoco>)",
      kTimestep, r.first, r.second, i.d0, i.d_width, i.width, i.midpoint, i.power,
      body.centre + 0.01, body.geom);
  std::array<char, 1000> error{};
  mjSpec* spec =
      mj_parseXMLString(text.c_str(), nullptr, error.data(), static_cast<int>(error.size()));
  if (spec == nullptr) throw MujocoError(error.data());
  MjModelPtr model(mj_compile(spec, nullptr));
  mj_deleteSpec(spec);
  if (!model) throw MujocoError("MuJoCo does not compile the scene of Gora 2025");
  return model;
}

double contact_force(const mjModel& m, const mjData& d) {
  double sum = 0;
  for (int i = 0; i < d.ncon; ++i) {
    std::array<mjtNum, 6> force{};
    mj_contactForce(&m, &d, i, force.data());
    sum += force[0];
  }
  return sum;
}

// Released so that its centre is 10 mm higher than at the touch: 2 cm for the ball.
Fall drop(const Body& body, const SoftReference& r, const SoftImpedance& i) {
  const MujocoLogScope log;
  const MjModelPtr m = make_model(body, r, i);
  const MjDataPtr d = make_mujoco_data(*m);
  Fall fall;
  const int steps = static_cast<int>(std::lround(kDuration / kTimestep));
  for (int k = 0; k < steps; ++k) {
    mj_step1(m.get(), d.get());
    const double sinkage = body.centre - d->qpos[2];
    mj_step2(m.get(), d.get());
    const double force = contact_force(*m, *d);
    if (sinkage > 0 && k < steps / 3) {
      fall.sinkage.push_back(sinkage);
      fall.force.push_back(force);
    }
    fall.deepest = std::max(fall.deepest, sinkage);
    fall.largest_force = std::max(fall.largest_force, force);
    fall.rest = sinkage;
  }
  return fall;
}

// mj_inverse at rest: what the ground carries at a sinkage [N].
std::vector<double> inverse_curve(const Body& body, const SoftReference& r, const SoftImpedance& i,
                                  const std::vector<double>& sinkages) {
  const MujocoLogScope log;
  const MjModelPtr m = make_model(body, r, i);
  const MjDataPtr d = make_mujoco_data(*m);
  std::vector<double> forces;
  for (const double sinkage : sinkages) {
    d->qpos[2] = body.centre - sinkage;
    mj_inverse(m.get(), d.get());
    forces.push_back(contact_force(*m, *d));
  }
  return forces;
}

PlotLine line_of(const std::string& label, const Fall& fall) {
  PlotLine line{.label = label, .y = fall.force};
  for (const double s : fall.sinkage) line.x.push_back(1e3 * s);
  return line;
}

PlotPanel make_panel(const std::string& title) {
  return {.title = title,
          .x = {.label = "sinkage", .unit = "mm"},
          .y = {.label = "normal force", .unit = "N"}};
}

// ---- Fig. 2 ----

void add_sweeps(Reproduction& out) {
  const SoftImpedance standard{};
  PlotPanel time = make_panel("Time constant, damping ratio 1");
  PlotPanel damping = make_panel("Damping ratio, time constant 20 ms");
  NumberTable table{.title = "Fig. 2: 1 kg ball on MuJoCo's default solimp",
                    .columns = {"time constant [ms]", "damping ratio", "deepest [mm]", "rest [mm]",
                                "largest force [N]", "rest by the static law [mm]"},
                    .names = {},
                    .rows = {}};
  double least = 1e9;
  const auto add = [&](double t, double ratio, PlotPanel& panel, const std::string& label) {
    const Fall fall = drop(kBall, {t, ratio}, standard);
    panel.lines.push_back(line_of(label, fall));
    const SoftLaw<double> law = make_soft_law({t, ratio}, standard, {kTimestep, true});
    table.rows.push_back({1e3 * t, ratio, 1e3 * fall.deepest, 1e3 * fall.rest, fall.largest_force,
                          1e3 * find_rest_sinkage(law, 1, kGravity)});
    least = std::min(least, fall.deepest / fall.rest);
  };
  for (const double t : {0.01, 0.02, 0.04}) add(t, 1, time, fmt::format("{:.0f} ms", 1e3 * t));
  for (const double ratio : {0.5, 1.0, 2.0}) add(0.02, ratio, damping, fmt::format("{}", ratio));
  for (PlotPanel* panel : {&time, &damping}) {
    panel->lines.push_back(
        {.label = "weight", .x = {0, 6}, .y = {kGravity, kGravity}, .style = LineStyle::dashed});
  }
  out.tables.push_back(table);
  out.add(agrees(
      claimed("Fig. 2", "deepest over rest, least of six", "", "significantly greater", least),
      least > 1.5));
  out.figures.push_back(
      {"fig2-solref.svg",
       "a 1 kg ball on MuJoCo's default ground, time constants and damping ratios",
       {.title = "Gora 2025, Fig. 2: force and sinkage of a falling ball",
        .subtitle = "1 kg, radius 10 mm, released with its centre 20 mm up",
        .panels = {time, damping}}});
}

// ---- Figs. 3 and 4 ----

// The ball on Hunt–Crossley ground, small steps of Euler's method (the same as MuJoCo's).
Fall drop_on_hunt_crossley() {
  Fall fall;
  double z = -0.01, v = 0;
  for (int k = 0; k < static_cast<int>(kDuration / kTimestep); ++k) {
    const double force = evaluate_hunt_crossley(kHuntCrossley, std::max(z, 0.0), v).force;
    v += kTimestep * (kGravity - force);
    if (z > 0) {
      fall.sinkage.push_back(z);
      fall.force.push_back(force);
    }
    z += kTimestep * v;
    fall.deepest = std::max(fall.deepest, z);
    fall.rest = z;
  }
  return fall;
}

struct BodyTest {
  Body body;
  const char* place;
  const char* file;
  SoftReference solref;
  SoftImpedance solimp;
  double wanted;  // sinkage [m]
  int contacts;
};

// mj_inverse over sinkages against the static law: the lines, and the largest relative difference.
double add_rest_lines(const BodyTest& t, const std::vector<double>& sinkages, PlotPanel& panel) {
  const std::vector<double> inverse = inverse_curve(t.body, t.solref, t.solimp, sinkages);
  const SoftLaw<double> law = make_soft_law(t.solref, t.solimp, {});
  double error = 0;
  PlotLine closed{.label = "closed form, three ranges", .style = LineStyle::dashed};
  PlotLine from_mujoco{.label = "mj_inverse at rest", .y = inverse};
  for (std::size_t k = 0; k < sinkages.size(); ++k) {
    const double ours = static_force(law, t.contacts, sinkages[k]);
    error = std::max(error, std::abs(inverse[k] - ours) / (1e-3 + ours));
    from_mujoco.x.push_back(1e3 * sinkages[k]);
    closed.x.push_back(1e3 * sinkages[k]);
    closed.y.push_back(ours);
  }
  panel.lines = {from_mujoco, closed};
  return error;
}

void add_hunt_crossley(const BodyTest& t, const std::vector<double>& sinkages, PlotPanel& falling,
                       PlotPanel& still, Reproduction& out) {
  const Fall fall = drop_on_hunt_crossley();
  falling.lines.push_back(line_of("Hunt-Crossley, exponent 3/2", fall));
  PlotLine line{.label = "Hunt-Crossley, exponent 3/2"};
  for (const double s : sinkages) {
    line.x.push_back(1e3 * s);
    line.y.push_back(evaluate_hunt_crossley(kHuntCrossley, s, 0).force);
  }
  still.lines.push_back(line);
  out.add(adds_up(
      compared(t.place, "Hunt-Crossley ball at rest", "mm", 1e3 * t.wanted, 1e3 * fall.rest),
      printed(1)));
}

void add_body(const BodyTest& t, Reproduction& out) {
  const std::string name = t.body.name;
  const Fall fall = drop(t.body, t.solref, t.solimp);
  PlotPanel falling = make_panel("Falling"), still = make_panel("At rest");
  falling.lines.push_back(line_of("MuJoCo", fall));
  still.y.log = true;  // from grams to a hundred times the weight
  still.y.low = 1e-2;
  std::vector<double> sinkages;
  for (int k = 0; k <= 120; ++k) sinkages.push_back(2.5 * t.wanted * k / 120);
  const double error = add_rest_lines(t, sinkages, still);
  const double at_rest = inverse_curve(t.body, t.solref, t.solimp, {t.wanted})[0];
  out.add(
      returns(compared(t.place, name + " at rest, mj_step", "mm", 1e3 * t.wanted, 1e3 * fall.rest),
              printed(1)));
  out.add(returns(
      compared(t.place, name + " at the wanted sinkage, mj_inverse", "N", kGravity, at_rest),
      printed(0.01)));
  out.add(agrees(claimed(t.place, name + ": mj_inverse off the closed form", "%",
                         "three ranges, (22) put right", 100 * error),
                 100 * error < 1e-7));
  if (name == "box") {  // MuJoCo's stiffness for the wanted sinkage: force is proportional to it
    out.add(is_papers_error(compared("(29)", "box by (29) as printed; ours: mj_inverse", "1/s²",
                                     printed_stiffness(t.wanted, t.solimp),
                                     -t.solref.first * kGravity / at_rest),
                            -4 * t.solref.first * kGravity / at_rest,
                            "a box has four contacts, each with a quarter of the load",
                            1e-3));  // MuJoCo raises d0 = 0 to 0.0001
  }
  if (name == "ball") add_hunt_crossley(t, sinkages, falling, still, out);
  out.figures.push_back(
      {t.file,
       "a " + name + " on ground for its sinkage, falling and at rest",
       {.title = fmt::format("Gora 2025, {}: a {} on soft ground", t.place, name),
        .subtitle = fmt::format("solref {} {}, 1 kg", t.solref.first, t.solref.second),
        .panels = {falling, still}}});
}

}  // namespace

void add_bodies(Reproduction& out) {
  add_sweeps(out);
  add_body({kBall, "Fig. 3", "fig3-ball.svg", kBallReference, kBallImpedance, kBallSinkage, 1},
           out);
  add_body({kBox, "Fig. 4", "fig4-box.svg", kBoxReference, kBoxImpedance, kBoxSinkage, 4}, out);
}

}  // namespace footfall::gora2025
