// Section IV.C.1, Figs. 7 and 8: a foot is led along a path by a PID controller, and what it meets by W(θ) is
// compared with what a foot meets that is driven on that path.
//
// The paper's recordings are pictures only. Ours are of two kinds. Grains one by one, media/paths/: a foot
// driven through the beads from whose wrenches W was learned, in a bed of another seed. And resistive force
// theory, from which play sand was learned: it has no memory and knows all directions, not only the 26
// that were sampled, so what differs is what learning, convexity and maximum dissipation do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "footfall/dem/record.hpp"
#include "footfall/granular/resistive_force.hpp"
#include "footfall/run/led_foot.hpp"
#include "io/data_folders.hpp"
#include "reproduce/zhu2019_parts.hpp"

namespace footfall::zhu2019 {
namespace {

// What a foot met on its way, a sample for each time.
struct Met {
  std::vector<double> time, x, depth;
  std::array<std::vector<double>, 3> wrench;  // f_x, f_z, torque about p_r
};

struct Course {
  std::string medium;
  std::function<LedPose(double time)> path;
  double step = 1e-3, interval = 0.025;  // of the simulation, between samples [s]
  Met driven;                            // on the path, exactly
};

// ---- paths by the theory: 60 mm deep and along in 5 s ----

constexpr double kDuration = 5;  // [s]

LedPose straight_path(double t) {
  const double v = 0.06 / kDuration;
  return {{v * t, v * t, 0}, {v, v, 0}};
}
// Straight down at first, level in the end: an arc of a circle at even speed.
LedPose curved_path(double t) {
  const double r = 0.06, rate = 0.5 * std::numbers::pi / kDuration, a = rate * t;
  return {{r * (1 - std::cos(a)), r * std::sin(a), 0},
          {r * rate * std::sin(a), r * rate * std::cos(a), 0}};
}

Course drive_by_theory(const WrenchDatabase& medium, LedPose (*path)(double)) {
  Course out{.medium = medium.medium, .path = path, .driven = {}};
  const double scale = fit_resistive_scale(medium).scale;
  for (double t = out.interval; t < kDuration + 1e-9; t += out.interval) {
    const LedPose led = path(t);
    const PlanarWrench w = evaluate_resistive_wrench(medium.foot, {led.place[1], led.place[2]},
                                                     {led.rate[0], -led.rate[1], led.rate[2]});
    out.driven.time.push_back(t);
    out.driven.x.push_back(led.place[0]);
    out.driven.depth.push_back(led.place[1]);
    out.driven.wrench[0].push_back(scale * w.force_x);
    out.driven.wrench[1].push_back(scale * w.force_z);
    out.driven.wrench[2].push_back(scale * w.torque_y);
  }
  return out;
}

// ---- paths through grains ----

// Means over 50 ms: single grains slip.
std::vector<double> smoothed(const std::vector<double>& values, double interval) {
  const int half = static_cast<int>(std::lround(0.025 / interval));
  const int n = static_cast<int>(values.size());
  std::vector<double> out;
  for (int i = 0; i < n; ++i) {
    const int first = std::max(0, i - half), last = std::min(n - 1, i + half);
    double sum = 0;
    for (int k = first; k <= last; ++k) sum += values[k];
    out.push_back(sum / (last - first + 1));
  }
  return out;
}

Course drive_through_grains(const std::string& file) {
  const std::vector<GrainSample> samples =
      read_grain_samples(find_file({"recording", "media/paths", {".csv"}}, file, ".", "zhu2019"));
  Course out{.medium = "beads",
             .path = {},
             .step = 5e-4,
             .interval = samples[1].pose.time - samples[0].pose.time,
             .driven = {}};
  for (const GrainSample& s : samples) {
    if (s.pose.time == 0) continue;  // the simulation's first step ends later
    out.driven.time.push_back(s.pose.time);
    out.driven.x.push_back(s.pose.x);
    out.driven.depth.push_back(s.pose.depth);
    out.driven.wrench[0].push_back(s.force[0]);
    out.driven.wrench[1].push_back(s.force[2]);
    out.driven.wrench[2].push_back(s.torque[1]);
  }
  for (std::vector<double>& part : out.driven.wrench) part = smoothed(part, out.interval);
  out.path = [samples, interval = out.interval](double t) {
    const std::size_t k = std::min(static_cast<std::size_t>(t / interval), samples.size() - 2);
    const FootPose &a = samples[k].pose, &b = samples[k + 1].pose;
    const double dt = b.time - a.time, u = (t - a.time) / dt;
    const auto between = [u](double from, double to) { return from + u * (to - from); };
    return LedPose{{between(a.x, b.x), between(a.depth, b.depth), between(a.tilt, b.tilt)},
                   {(b.x - a.x) / dt, (b.depth - a.depth) / dt, (b.tilt - a.tilt) / dt}};
  };
  return out;
}

// ---- the simulated foot ----

Met simulate_course(const Course& course) {
  LedFootOptions options;
  options.timestep = course.step;
  options.interval = course.interval;
  Met out;
  for (const LedSample& sample :
       lead_foot(course.medium, ".", course.path, course.driven.time.back(), options)) {
    out.time.push_back(sample.time);
    out.x.push_back(sample.x);
    out.depth.push_back(sample.at.depth);
    out.wrench[0].push_back(sample.wrench.force_x);
    out.wrench[1].push_back(sample.wrench.force_z);
    out.wrench[2].push_back(sample.wrench.torque_y);
  }
  return out;
}

// ---- comparison ----

double peak_of(const std::vector<double>& values) {
  double peak = 0;
  for (const double v : values) peak = std::fmax(peak, std::abs(v));
  return peak;
}

// Root of the mean square of the difference, over the recording's peak [%].
double error_share(const std::vector<double>& ours, const std::vector<double>& recorded) {
  double sum = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    sum += (ours[i] - recorded[i]) * (ours[i] - recorded[i]);
  }
  return 100 * std::sqrt(sum / static_cast<double>(ours.size())) / peak_of(recorded);
}

constexpr std::array<const char*, 3> kParts = {"force x", "force z", "torque"};
constexpr std::array<const char*, 3> kPartUnits = {"N", "N", "N m"};

struct Compared {
  const char* place;  // in the paper
  const char* name;   // "straight"
  const char* claim;
  double limit;  // of an error that is as claimed [%]
  const char* file;
  std::string title;
};

void add_comparison(const Compared& as, const Course& course, const Met& met, Reproduction& out) {
  for (std::size_t i = 0; i < 3; ++i) {
    const double error = error_share(met.wrench[i], course.driven.wrench[i]);
    out.add(agrees(
        claimed(as.place,
                fmt::format("{}, {}, {}: error over its peak", course.medium, as.name, kParts[i]),
                "%", as.claim, error),
        error < as.limit));
  }
  const auto scaled = [](std::vector<double> values, double factor) {
    for (double& v : values) v *= factor;
    return values;
  };
  const auto lines = [](const std::vector<double>& x, const std::vector<double>& y,
                        const std::vector<double>& driven_x, const std::vector<double>& driven_y) {
    return std::vector<PlotLine>{
        {.label = "simulated", .x = x, .y = y},
        {.label = "driven", .x = driven_x, .y = driven_y, .style = LineStyle::dashed}};
  };
  Plot plot{.title = as.title, .subtitle = course.medium + ", PID foot of 7.357 kg"};
  plot.panels.push_back(
      {.title = "path of the sole",
       .x = {.label = "x", .unit = "mm"},
       .y = {.label = "height", .unit = "mm"},
       .lines = lines(scaled(met.x, 1e3), scaled(met.depth, -1e3), scaled(course.driven.x, 1e3),
                      scaled(course.driven.depth, -1e3))});
  for (std::size_t i = 0; i < 3; ++i) {
    plot.panels.push_back(
        {.title = kParts[i],
         .x = {.label = "time", .unit = "s"},
         .y = {.label = kParts[i], .unit = kPartUnits[i]},
         .lines = lines(met.time, met.wrench[i], course.driven.time, course.driven.wrench[i])});
  }
  out.figures.push_back({as.file, as.title, plot});
}

// Where the path is deepest and the foot goes level: what it still meets upwards, over its own peak, less the
// same of the driven foot.
void add_late_force(const Course& course, const Met& met, Reproduction& out) {
  const std::vector<double>& depth = course.driven.depth;
  const auto deepest = std::max_element(depth.begin(), depth.end()) - depth.begin();
  const auto left = [&](const Met& of) {
    return 100 * of.wrench[1][static_cast<std::size_t>(deepest)] / peak_of(of.wrench[1]);
  };
  const double more = left(met) - left(course.driven);
  out.add(agrees(claimed("Fig. 8",
                         fmt::format("{}: force z of its peak where level, less the driven foot's",
                                     course.medium),
                         "%", "stays high as the downward movement slows", more),
                 more > 10));
}

}  // namespace

void add_rig(Reproduction& out) {
  const WrenchDatabase sand = load_medium("play-sand");
  const char *good = "a good match", *trend = "general trend and approximate magnitudes";
  const Course straight = drive_by_theory(sand, straight_path);
  add_comparison({"Fig. 7", "straight", good, 10, "fig07-straight-sand.svg",
                  "Zhu 2019, Fig. 7: a straight path in sand"},
                 straight, simulate_course(straight), out);
  const Course beads = drive_through_grains("beads_straight");
  add_comparison({"Fig. 7", "straight", good, 25, "fig07-straight-beads.svg",
                  "Zhu 2019, Fig. 7: a straight path in beads"},
                 beads, simulate_course(beads), out);
  const Course curved = drive_by_theory(sand, curved_path);
  const Met met = simulate_course(curved);
  add_comparison({"Fig. 8", "curved", trend, 35, "fig08-curved-sand.svg",
                  "Zhu 2019, Fig. 8: a curved path in sand"},
                 curved, met, out);
  add_late_force(curved, met, out);
  const Course round = drive_through_grains("beads_curved");
  const Met round_met = simulate_course(round);
  add_comparison({"Fig. 8", "curved", trend, 35, "fig08-curved-beads.svg",
                  "Zhu 2019, Fig. 8: a curved path in beads"},
                 round, round_met, out);
  add_late_force(round, round_met, out);
}

}  // namespace footfall::zhu2019
