// (58): force against sinkage of slow tests.
#include "identify/normal_problem.hpp"

namespace footfall {
namespace {

bool counts(Phase phase, bool yields) {
  switch (phase) {
  case Phase::loading:
    return true;
  case Phase::holding:
  case Phase::unloading:
  case Phase::reloading:
    return !yields;  // yielding soil is on its virgin curve only while it sinks deeper
  default:
    return false;
  }
}

}  // namespace

std::vector<ForceSamples> find_static_samples(const std::vector<RigTest>& tests, bool yields) {
  std::vector<ForceSamples> samples;
  for (const RigTest& test : tests) {
    require_force(test);
    ForceSamples s{.test = &test, .sinkage = {}, .rate = {}, .force = {}};
    const double least = least_sinkage(test, yields);
    for (std::size_t i = 0; i < test.sinkage.size(); ++i) {
      if (!counts(test.phase[i], yields) || !(test.sinkage[i] > least)) continue;
      s.sinkage.push_back(test.sinkage[i]);
      s.rate.push_back(0);
      s.force.push_back(test.recording.normal_force[i]);
    }
    samples.push_back(std::move(s));
  }
  keep_filled(samples, "samples while a foot is slowly pressed in; for impacts fit dynamic, for "
                       "tables of points equilibrium");
  return samples;
}

IdentifiedPart fit_static(const std::vector<RigTest>& tests, const NormalOptions& options) {
  return fit_force("static", find_static_samples(tests, is_soil(options.model)), options, false);
}

}  // namespace footfall
