// (58): force against sinkage of slow tests.
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

IdentifiedPart fit_static(const std::vector<RigTest>& tests, const NormalOptions& options) {
  return fit_force("static", find_static_samples(tests, is_soil(options.model)), options, false);
}

}  // namespace footfall
