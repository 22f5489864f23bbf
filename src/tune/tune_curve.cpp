// solref and solimp from a measured force–deformation curve, by the identification engine.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "footfall/rig/press.hpp"
#include "footfall/soft/soft_curve.hpp"
#include "footfall/tune/tune.hpp"
#include "input_error.hpp"
#include "tune/soft_scene.hpp"

namespace footfall {
namespace {

constexpr double kMidpoint = 0.5;  // trades off with width and power, so it is not asked for
constexpr double kDifference = 1e-6;
// Of d: nearer to 1 the contact follows its reference whatever the load, with the little stiffness that then
// carries, and a robot that was pushed creeps for a minute.
constexpr double kHardest = 0.99;

enum Place { stiffness, d0, d_width, width, power, damping, place_count };
using Values = std::array<double, place_count>;

struct Sample {
  double sinkage, rate, force;
};

SoftImpedance impedance_of(const Values& x) {
  return {x[d0], x[d_width], x[width], kMidpoint, x[power]};
}

double force_at(const Values& x, double share, const Sample& s) {
  const SoftLaw<double> law = make_soft_law({-x[stiffness], -x[damping]}, impedance_of(x), {});
  return moving_force(law, share, s.sinkage, s.rate, 0);
}

std::vector<Sample> take_samples(const Recording& recording) {
  if (recording.normal_force.empty() || recording.sinkage.empty()) {
    throw input_error(
        "'{}' has no force or no sinkage, expected columns sinkage_m and normal_force_N",
        recording.file.string());
  }
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < recording.sinkage.size(); ++i) {
    if (!(recording.sinkage[i] > 0)) continue;  // in the air the law says nothing
    const double rate = recording.sinkage_rate.empty() ? 0 : recording.sinkage_rate[i];
    samples.push_back({recording.sinkage[i], rate, recording.normal_force[i]});
  }
  return samples;
}

// Damping shows only where samples of one depth, or nearly, have several rates: of a press at one speed
// d/(1 − d) B δ̇ is a force like any other, and takes the place of the stiffness.
bool rates_differ(const std::vector<Sample>& samples) {
  constexpr double kDifferent = 0.2;  // of the mean
  double mean = 0, squares = 0;
  const auto count = static_cast<double>(samples.size());
  for (const Sample& s : samples) mean += std::abs(s.rate) / count;
  for (const Sample& s : samples) squares += std::pow(std::abs(s.rate) - mean, 2) / count;
  return std::sqrt(squares) > kDifferent * mean;
}

// Stiffness that carries the largest force at its depth, for a shape.
double guess_stiffness(Values x, double share, const Sample& top) {
  x[stiffness] = 1;
  x[damping] = 0;
  return std::max(top.force, 1e-9) / std::max(force_at(x, share, top), 1e-30);
}

FitProblem make_problem(std::vector<Sample> samples, double share, bool rates,
                        const std::string& file) {
  const Sample top =
      *std::max_element(samples.begin(), samples.end(),
                        [](const Sample& a, const Sample& b) { return a.sinkage < b.sinkage; });
  FitProblem problem;
  problem.parameters.resize(place_count);
  auto& p = problem.parameters;
  p[stiffness] = {.name = "stiffness", .unit = "1/s^2", .lower = 1e-6, .upper = 1e12};
  p[stiffness].logarithmic = true;
  p[d0] = {.name = "d0", .unit = "", .lower = kMinImpedance, .upper = kHardest};
  p[d_width] = {.name = "d_width", .unit = "", .lower = kMinImpedance, .upper = kHardest};
  p[width] = {.name = "width", .unit = "m", .lower = 0.05 * top.sinkage, .upper = 20 * top.sinkage};
  p[width].logarithmic = true;
  p[power] = {.name = "power", .unit = "", .lower = 1, .upper = 8};
  p[damping] = {.name = "damping", .unit = "1/s", .start = 0, .lower = 0, .upper = 1e6};
  p[damping].fixed = !rates;
  // Hardening, nearly linear and softening ground.
  const Values shapes[] = {{0, 0.01, 0.9, 1.5 * top.sinkage, 2, 0},
                           {0, 0.3, 0.9, top.sinkage, 2, 0},
                           {0, 0.8, 0.5, top.sinkage, 2, 0},
                           {0, 0.1, 0.5, 3 * top.sinkage, 1.5, 0}};
  bool first = true;
  for (const Values& shape : shapes) {
    Values start = shape;
    start[stiffness] = guess_stiffness(shape, share, top);
    start[damping] = rates ? std::sqrt(start[stiffness]) : 0;
    for (int i = 0; i < place_count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (first) p[k].start = start[k];
      if (!first) p[k].starts.push_back(start[k]);
    }
    first = false;
  }
  problem.residual_count = static_cast<int>(samples.size());
  problem.groups = {file};
  problem.group.assign(samples.size(), 0);
  problem.evaluate = [samples = std::move(samples), share, p](std::span<const double> at,
                                                              std::span<double> residuals,
                                                              double* jacobian) {
    Values x{};
    std::copy_n(at.begin(), place_count, x.begin());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      residuals[i] = force_at(x, share, samples[i]) - samples[i].force;
      for (std::size_t k = 0; jacobian != nullptr && k < place_count; ++k) {
        const double step = kDifference * std::max(std::abs(x[k]), 1e-3);
        Values plus = x, minus = x;
        plus[k] = std::min(x[k] + step, p[k].upper);
        minus[k] = std::max(x[k] - step, p[k].lower);
        *jacobian++ = (force_at(plus, share, samples[i]) - force_at(minus, share, samples[i])) /
                      (plus[k] - minus[k]);
      }
    }
    return true;
  };
  return problem;
}

// The curve's sinkage under a load, between the samples that hold it; NaN beyond them.
double sinkage_under(const Recording& recording, double load) {
  std::vector<Sample> samples = take_samples(recording);
  samples.push_back({0, 0, 0});
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.sinkage < b.sinkage; });
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const Sample& a = samples[i - 1];
    const Sample& b = samples[i];
    if (a.force <= load && load <= b.force && b.force > a.force) {
      return a.sinkage + (b.sinkage - a.sinkage) * (load - a.force) / (b.force - a.force);
    }
  }
  return std::nan("");
}

// What of the curve the robot stands on: to twice the load of a foot. Of a curve with hardly a sample there, points
// between its samples.
constexpr int kMostScalings = 4;          // of the stiffness, for a robot on it
constexpr double kReach = 2;              // of a foot's load
constexpr std::size_t kLeastSamples = 8;  // a law of five numbers has

struct Stretch {
  std::vector<Sample> samples;
  bool between = false;    // points between samples: no measurements
  std::string notes = {};  // what was taken
};

Stretch take_loads_below(const Recording& recording, double force) {
  const std::vector<Sample> all = take_samples(recording);
  if (!(force > 0)) return {all};
  Stretch taken;
  for (const Sample& s : all) {
    if (s.force <= force) taken.samples.push_back(s);
  }
  const std::size_t count = taken.samples.size();
  if (count == all.size()) return taken;
  if (count >= kLeastSamples) {
    taken.notes =
        fmt::format("fitted to the curve up to {:.4g} N, twice what a foot carries: {} of "
                    "{} samples, since the law does not follow all of it as well",
                    force, count, all.size());
    return taken;
  }
  std::vector<Sample> points;
  constexpr int kPoints = 24;
  for (int i = 1; i <= kPoints; ++i) {
    const double load = force * i / kPoints;
    const double sinkage = sinkage_under(recording, load);
    if (sinkage > 0) points.push_back({sinkage, 0, load});
  }
  if (points.size() < kLeastSamples) return {all};
  taken = {std::move(points), true};
  taken.notes = fmt::format("the curve has {} samples below {:.4g} N, twice what a foot carries, "
                            "expected at least {}: between them it is taken as straight, and no "
                            "interval is known; a press to that load with more samples would tell "
                            "more",
                            count, force, kLeastSamples);
  return taken;
}

// Five numbers for a curve that may have the shape of two: those that it does not tell are fixed where
// the fit has them, the least known first, until the rest is known.
Fit fit_what_shows(FitProblem problem, FitOptions options) {
  constexpr double kHardlyKnown = 1;  // standard error by value
  Fit found = fit(problem, options);
  std::string fixed;
  while (true) {
    std::size_t worst = place_count;
    // an unknown stiffness is one that the shape makes up for
    const Estimate& k = found.parameters[stiffness];
    double share = k.standard_error > kHardlyKnown * k.value ? 0 : kHardlyKnown;
    for (const std::size_t i :
         {std::size_t(d0), std::size_t(d_width), std::size_t(width), std::size_t(power)}) {
      const Estimate& e = found.parameters[i];
      // d/(1 − d) is what carries: near 1 it is 1 − d that counts
      const bool is_impedance = i == d0 || i == d_width;
      const double size = is_impedance ? std::min(e.value, 1 - e.value) : e.value;
      const double unknown = e.standard_error / size;
      if (e.fixed || !(unknown > share)) continue;
      share = unknown;
      worst = i;
    }
    if (worst == place_count) break;
    for (std::size_t i = 0; i < place_count; ++i) {
      problem.parameters[i].start = found.parameters[i].value;
      problem.parameters[i].starts.clear();
    }
    problem.parameters[worst].fixed = true;
    fixed += fmt::format("{}{} = {:.4g}", fixed.empty() ? "" : ", ", found.parameters[worst].name,
                         found.parameters[worst].value);
    options.starts = 1;
    found = fit(problem, options);
  }
  if (!fixed.empty()) {
    found.warnings.push_back(fmt::format(
        "the curve does not tell {}: others carry it as well, with another stiffness, and the "
        "intervals hold for that value only; a deeper press would tell more",
        fixed));
  }
  return found;
}

constexpr double kFollowed = 0.08;  // of the curve's sinkage: more is worth a word

// MuJoCo's law hardens with depth, or softens a little: it has no shape for clay, whose force hardly grows.
void warn_of_other_shape(const Recording& recording, double share, double reach, SoftFit& result) {
  const SoftLaw<double> law = make_soft_law(result.solref, result.solimp, {});
  double largest = *std::max_element(recording.normal_force.begin(), recording.normal_force.end());
  if (reach > 0) largest = std::min(largest, reach);
  double worst = kFollowed, at = 0, ours = 0, wanted = 0;
  for (const double part : {0.3, 0.6, 0.9}) {
    const double curve = sinkage_under(recording, part * largest);
    const double rest = find_rest_sinkage(law, share, part * largest);
    if (!(std::abs(rest / curve - 1) > worst)) continue;
    worst = std::abs(rest / curve - 1);
    at = part * largest, ours = rest, wanted = curve;
  }
  if (at == 0) return;
  result.fit.warnings.push_back(
      fmt::format("MuJoCo's law cannot follow this curve: under {:.4g} N it sinks {:.4g} mm, the "
                  "curve {:.4g} mm; tune to one load with --sinkage-mm",
                  at, 1e3 * ours, 1e3 * wanted));
}

}  // namespace

namespace {

SoftFit fit_samples(const Recording& recording, std::vector<Sample> samples, double share,
                    double damping_ratio) {
  const bool measured = !recording.sinkage_rate.empty();
  const bool rates = measured && rates_differ(samples);
  const FitProblem problem =
      make_problem(std::move(samples), share, rates, recording.file.filename().string());
  FitOptions options;
  options.starts = 4;
  SoftFit result;
  result.fit = fit_what_shows(problem, options);
  if (measured && !rates) {
    result.fit.warnings.push_back(fmt::format(
        "all samples sink at nearly the same rate, which cannot tell damping from stiffness: the "
        "damping is that of the damping ratio {:g}; a drop, or presses at several speeds, would "
        "tell it",
        damping_ratio));
  }
  const Fit& f = result.fit;
  const double k = f.value("stiffness");
  const double b = rates ? f.value("damping") : 2 * damping_ratio * std::sqrt(k);
  result.solref = {-k, -b};
  result.solimp = {f.value("d0"), f.value("d_width"), f.value("width"), kMidpoint,
                   f.value("power")};
  return result;
}

double rms_of(const SoftFit& found, const std::vector<Sample>& samples, double share) {
  const SoftLaw<double> law = make_soft_law(found.solref, found.solimp, {});
  const bool rates = !found.fit.find("damping").fixed;
  double squares = 0;
  for (const Sample& s : samples) {
    const double off = moving_force(law, share, s.sinkage, rates ? s.rate : 0, 0) - s.force;
    squares += off * off / static_cast<double>(samples.size());
  }
  return std::sqrt(squares);
}

}  // namespace

// The whole curve tells more than its beginning, on which the robot stands. The beginning is fitted alone only where
// the law of the whole is off there.
SoftFit fit_soft_ground(const Recording& recording, double share, double damping_ratio,
                        double load) {
  constexpr double kAsWell = 1.5, kClose = 0.01;  // of the other's residuals; of the force
  const std::vector<Sample> all = take_samples(recording);
  if (all.size() < kLeastSamples) {
    throw input_error("'{}' has {} samples in the ground, expected at least {}",
                      recording.file.string(), all.size(), kLeastSamples);
  }
  const double reach = kReach * load;
  SoftFit result = fit_samples(recording, all, share, damping_ratio);
  const Stretch below = take_loads_below(recording, reach);
  if (below.samples.size() < all.size() || below.between) {
    SoftFit beginning = fit_samples(recording, below.samples, share, damping_ratio);
    const double enough =
        std::max(kAsWell * rms_of(beginning, below.samples, share), kClose * reach);
    if (rms_of(result, below.samples, share) > enough) {
      result = std::move(beginning);
      result.notes.push_back(below.notes);
      for (Estimate& e : result.fit.parameters) {
        if (below.between && !e.fixed) e.standard_error = std::numeric_limits<double>::infinity();
      }
    }
  }
  warn_of_other_shape(recording, share, reach, result);
  return result;
}

namespace {

// S of the first foot, as deep as the curve goes at its load: all its contacts, a shank that the ground has reached
// too, each as deep as it then is.
double share_of_foot(SoftScene& scene, double sinkage) {
  place(scene, lift_for_sinkage(scene, std::isnan(sinkage) ? 1e-3 : std::max(sinkage, 1e-5)));
  missing_force(scene);
  const std::vector<ContactMeasure> contacts = measure_contacts(scene);
  double deepest = 0, share = 0;
  for (const ContactMeasure& c : contacts) deepest = std::max(deepest, c.sinkage);
  for (const ContactMeasure& c : contacts) {
    if (c.body == contacts[0].body) share += c.share * std::clamp(c.sinkage / deepest, 0.0, 1.0);
  }
  return share;
}

// Beyond two steps per time constant contacts chatter, and a robot does not come to rest.
void limit_damping(double timestep, SoftFit& fit) {
  const double most = 1 / timestep;
  if (!(-fit.solref.second > most)) return;
  fit.notes.push_back(fmt::format("damping {:.4g} 1/s would need a timestep below {:.3g} ms: it is "
                                  "{:.4g} 1/s, what the file's {:.3g} ms "
                                  "allow",
                                  -fit.solref.second, -1e3 / fit.solref.second, most,
                                  1e3 * timestep));
  fit.solref.second = -most;
}

// Ground for a timestep h on which robots come to rest, however stiff the curve: one impedance d near 1, where
// F = S k δ/(1 − d), and k = 1/h² or less. A contact that decides alone accelerates by (b v + k δ)/d, with v of the
// step's beginning; from 2hb + h²k = 4d on it bounces higher from step to step, and b is 1/h at most.
constexpr double kImpedance = 0.95;

double least_sinkage(double timestep, double load, double share) {
  return load * (1 - kImpedance) * timestep * timestep / share;
}

void take_one_impedance(double timestep, double load, double share, double damping_ratio,
                        double sinkage, SoftFit& fit) {
  const double k = load * (1 - kImpedance) / (share * sinkage);
  fit.solimp = {kImpedance, kImpedance, 1e-3, kMidpoint, 1};
  fit.solref = {-k, -std::min(2 * damping_ratio * std::sqrt(k), 1 / timestep)};
}

bool may_bounce(double timestep, const SoftReference& solref) {
  const double h = timestep;
  return -2 * h * solref.second - h * h * solref.first > 1;
}

// A robot that cannot stand at all says so on other ground too.
bool comes_to_rest(const std::filesystem::path& robot, const SoftFit& fit,
                   const TuneOptions& options) {
  try {
    return try_soft_ground(robot, fit.solref, fit.solimp, options).settled;
  } catch (const InputError&) {
    return false;
  }
}

// Puts what the timestep does not hold right. True: the ground is softer than the curve.
bool limit_stiffness(const std::filesystem::path& robot, double timestep, double load, double share,
                     const TuneOptions& options, SoftFit& fit) {
  const double least = least_sinkage(timestep, load, share);
  const double rest = find_rest_sinkage(make_soft_law(fit.solref, fit.solimp, {}), share, load);
  if (rest < least) {
    SoftFit softest = fit;
    double held = least;
    for (const double softer : {1.0, 4.0, 16.0}) {  // heavier robots rock on the stiffest for long
      take_one_impedance(timestep, load, share, options.damping_ratio, softer * least, softest);
      held = softer * least;
      if (comes_to_rest(robot, softest, options)) break;
    }
    fit.solref = softest.solref;
    fit.solimp = softest.solimp;
    fit.notes.push_back(fmt::format(
        "the curve sinks {:.2g} mm under a foot's {:.4g} N, less than MuJoCo holds at a timestep "
        "of {:.3g} ms: the ground is softer, by {:.2g} mm",
        1e3 * rest, load, 1e3 * timestep, 1e3 * (held - rest)));
    return true;
  }
  if (may_bounce(timestep, fit.solref) && !comes_to_rest(robot, fit, options)) {
    fit.notes.push_back(fmt::format(
        "on stiffness {:.4g} 1/s^2 and damping {:.4g} 1/s the robot does not come to rest at a "
        "timestep of {:.3g} ms: the ground has one impedance, and sinks as the curve under a "
        "foot's {:.4g} N only",
        -fit.solref.first, -fit.solref.second, 1e3 * timestep, load));
    take_one_impedance(timestep, load, share, options.damping_ratio, rest, fit);
  }
  return false;
}

// Fills the feet's wanted sinkages from the curve. The answer: means over the feet [m].
struct Sinkages {
  double wanted = 0, achieved = 0;
};
Sinkages compare_with_curve(const Recording& recording, Tuned& tuned) {
  Sinkages mean;
  const auto count = static_cast<double>(tuned.feet.size());
  for (TunedFoot& foot : tuned.feet) {
    foot.wanted_sinkage = sinkage_under(recording, foot.load);
    if (std::isnan(foot.wanted_sinkage)) {
      tuned.warnings.push_back(fmt::format(
          "{} carries {:.4g} N, which the curve does not reach: its sinkage is extrapolated",
          foot.name, foot.load));
      foot.wanted_sinkage = foot.inverse_sinkage;
    }
    mean.wanted += foot.wanted_sinkage / count;
    mean.achieved += foot.achieved_sinkage / count;
  }
  return mean;
}

}  // namespace

TunedToCurve tune_to_curve(const std::filesystem::path& robot, const Recording& recording,
                           const TuneOptions& options) {
  SoftScene scene = make_soft_scene(robot, options.keyframe, options.ground, {}, options.edit);
  find_loads(scene);
  double load = 0;  // of the foot that carries most
  for (const FootMeasure& foot : measure_feet(scene)) load = std::max(load, foot.load);
  const double share = share_of_foot(scene, sinkage_under(recording, load));
  TunedToCurve result{fit_soft_ground(recording, share, options.damping_ratio, load), {}};
  const double timestep = scene.model->opt.timestep;
  limit_damping(timestep, result.fit);
  const bool limited = limit_stiffness(robot, timestep, load, share, options, result.fit);
  for (int correction = 0;; ++correction) {
    result.tuned = try_soft_ground(robot, result.fit.solref, result.fit.solimp, options);
    const Sinkages mean = compare_with_curve(recording, result.tuned);
    if (std::abs(mean.achieved - mean.wanted) <= kFollowed * mean.wanted) {
      if (correction > 0) {
        result.fit.notes.push_back(fmt::format("the stiffness was scaled to {:.4g} 1/s^2, so that "
                                               "this robot sinks as the curve says under its own "
                                               "loads: its feet are not all of what touches, or "
                                               "the curve has another shape than MuJoCo's law",
                                               -result.fit.solref.first));
      }
      break;
    }
    if (limited) break;  // a note says so
    if (correction == kMostScalings) {
      result.tuned.warnings.push_back(
          fmt::format("the robot sinks {:.3g} mm, where the curve sinks {:.3g} mm under its loads",
                      1e3 * mean.achieved, 1e3 * mean.wanted));
      break;
    }
    const SoftLaw<double> law = make_soft_law(result.fit.solref, result.fit.solimp, {});
    result.fit.solref.first *=
        moving_force(law, share, mean.achieved, 0, 0) / moving_force(law, share, mean.wanted, 0, 0);
  }
  for (const std::string& text : result.fit.notes) result.tuned.warnings.push_back(text);
  for (const std::string& text : result.fit.fit.warnings) result.tuned.warnings.push_back(text);
  return result;
}

}  // namespace footfall
