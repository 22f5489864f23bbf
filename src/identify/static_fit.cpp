// (58): force against sinkage of slow tests. (59): one point per state at rest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "identify/normal_problem.hpp"

namespace footfall {
namespace {

constexpr double kHysteresis = 0.05;  // of the largest force: more is no spring

bool counts(Phase phase, bool only_loading) {
  switch (phase) {
  case Phase::loading:
    return true;
  case Phase::holding:
  case Phase::unloading:
  case Phase::reloading:
    return !only_loading;
  default:
    return false;
  }
}

// By how much the force is less on the way up than on the way down, at the same depth: the mean, as a
// share of the largest.
double find_hysteresis(const RigTest& test) {
  std::vector<std::pair<double, double>> down;  // sinkage and force
  const std::vector<double>& force = test.recording.normal_force;
  double largest = 0;
  for (std::size_t i = 0; i < test.sinkage.size(); ++i) {
    if (test.phase[i] != Phase::loading) continue;
    down.emplace_back(test.sinkage[i], force[i]);
    largest = std::max(largest, force[i]);
  }
  if (down.size() < 2 || !(largest > 0)) return 0;
  std::sort(down.begin(), down.end());
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < test.sinkage.size(); ++i) {
    if (test.phase[i] != Phase::unloading || test.sinkage[i] < down.front().first) continue;
    const auto above =
        std::lower_bound(down.begin() + 1, down.end() - 1, std::pair(test.sinkage[i], -HUGE_VAL));
    const auto [z0, f0] = *(above - 1);
    const auto [z1, f1] = *above;
    const double part = z1 > z0 ? std::clamp((test.sinkage[i] - z0) / (z1 - z0), 0.0, 1.0) : 1;
    sum += f0 + part * (f1 - f0) - force[i];
    ++count;
  }
  return count > 0 ? sum / (count * largest) : 0;
}

std::string problem_of(const RigTest& test, bool pressed, double least) {
  if (!pressed) {
    return fmt::format("{}: expected samples while a foot is slowly pressed in; for impacts fit "
                       "dynamic, for tables of points equilibrium",
                       test.name);
  }
  const double deepest = *std::max_element(test.sinkage.begin(), test.sinkage.end());
  return fmt::format("{}: the foot sinks {:.3g} µm at most, and only samples deeper than {:.3g} µm "
                     "count, where soil is past its elastic answer: press the foot deeper",
                     test.name, 1e6 * deepest, 1e6 * least);
}

ForceSamples find_samples(const RigTest& test, std::size_t place, bool yields) {
  ForceSamples s{.test = &test, .sinkage = {}, .rate = {}, .force = {}};
  s.number = file_number(test, place);
  s.follow = true;
  // yielding soil is on its virgin curve only while it sinks deeper
  const double hysteresis = yields ? 0 : find_hysteresis(test);
  const bool only_loading = yields || hysteresis > kHysteresis;
  if (only_loading && !yields) {
    s.note = fmt::format("{}: on the way up the force is less than on the way down at the same "
                         "depth, by {:.0f} % of the largest: no spring does that, so only loading "
                         "is fitted; --foot makes it a soil that yields",
                         test.name, 100 * hysteresis);
  }
  const double least = least_sinkage(test, yields);
  bool pressed = false;
  for (std::size_t i = 0; i < test.sinkage.size(); ++i) {
    if (!counts(test.phase[i], only_loading)) continue;
    pressed = true;
    if (!(test.sinkage[i] > least)) continue;
    s.sinkage.push_back(test.sinkage[i]);
    s.rate.push_back(0);
    s.force.push_back(test.recording.normal_force[i]);
  }
  if (s.sinkage.empty()) s.problem = problem_of(test, pressed, least);
  return s;
}

void append(double sinkage, double force, ForceSamples& out) {
  out.sinkage.push_back(sinkage);
  out.rate.push_back(0);
  out.force.push_back(force);
}

// Means over the stretches of holding. Soil that yields is on its virgin curve only where it rests
// as deep as it ever was, and not after an impact, which presses it deeper than it then carries.
ForceSamples find_rests(const RigTest& test, bool yields) {
  ForceSamples rests{.test = &test, .sinkage = {}, .rate = {}, .force = {}};
  if (yields && test.kind == TestKind::drop) return rests;
  double deepest = 0;
  std::size_t i = 0;
  while (i < test.sinkage.size()) {
    const std::size_t from = i;
    double sinkage = 0, force = 0;
    for (; i < test.sinkage.size() && test.phase[i] == Phase::holding; ++i) {
      sinkage += test.sinkage[i];
      force += test.recording.normal_force[i];
    }
    if (i == from) {
      deepest = std::max(deepest, test.sinkage[i++]);
      continue;
    }
    const auto count = static_cast<double>(i - from);
    sinkage /= count;
    const bool virgin = sinkage >= 0.99 * deepest;
    if (sinkage > 0 && (virgin || !yields)) append(sinkage, force / count, rests);
    deepest = std::max(deepest, sinkage);
  }
  return rests;
}

ForceSamples find_points(const RigTest& test) {
  ForceSamples points{.test = &test, .sinkage = {}, .rate = {}, .force = {}};
  for (std::size_t i = 0; i < test.sinkage.size(); ++i) {
    if (test.sinkage[i] > 0) append(test.sinkage[i], test.recording.normal_force[i], points);
  }
  return points;
}

}  // namespace

std::vector<ForceSamples> find_static_samples(const std::vector<RigTest>& tests, bool yields) {
  std::vector<ForceSamples> samples;
  for (const RigTest& test : tests) {
    require_force(test);
    samples.push_back(find_samples(test, samples.size(), yields));
  }
  require_some(samples);
  return samples;
}

FittedLaw fit_static(const std::vector<RigTest>& tests, const NormalOptions& options) {
  return fit_force("static", find_static_samples(tests, is_soil(options.model)), options, false);
}

// (59): one point per state at rest.

std::vector<ForceSamples> find_rest_samples(const std::vector<RigTest>& tests, bool yields) {
  std::vector<ForceSamples> samples;
  for (const RigTest& test : tests) {
    require_force(test);
    const int number = file_number(test, samples.size());
    samples.push_back(test.kind == TestKind::points ? find_points(test) : find_rests(test, yields));
    samples.back().number = number;
    samples.back().problem =
        fmt::format("{}: expected a table of points, or a test in which the foot rests for a while "
                    "after it was pressed in",
                    test.name);
  }
  require_some(samples);
  return samples;
}

FittedLaw fit_equilibrium(const std::vector<RigTest>& tests, const NormalOptions& options) {
  return fit_force("equilibrium", find_rest_samples(tests, is_soil(options.model)), options, false);
}

}  // namespace footfall
