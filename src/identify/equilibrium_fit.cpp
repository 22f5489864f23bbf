// (59): one point per state at rest.
#include <fmt/format.h>

#include <algorithm>

#include "identify/normal_problem.hpp"

namespace footfall {
namespace {

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

IdentifiedPart fit_equilibrium(const std::vector<RigTest>& tests, const NormalOptions& options) {
  return fit_force("equilibrium", find_rest_samples(tests, is_soil(options.model)), options, false);
}

}  // namespace footfall
