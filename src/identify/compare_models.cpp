// Which law do the data ask for?
#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/error.hpp"
#include "identify/normal_problem.hpp"

namespace footfall {
namespace {

bool has_soles(const std::vector<RigTest>& tests) {
  return std::all_of(tests.begin(), tests.end(), [](const RigTest& t) { return bool(t.sole); });
}

bool has_two_widths(const std::vector<RigTest>& tests) {
  const double first = contact_width(*tests.front().sole);
  return std::any_of(tests.begin(), tests.end(), [&](const RigTest& t) {
    return std::abs(contact_width(*t.sole) - first) > 1e-3 * first;
  });
}

template <class T>
void cut(std::vector<T>& values, std::size_t count) {
  if (values.size() > count) values.resize(count);
}

// All laws must explain the same samples: with soils among them only what soils explain, the way down.
void keep_way_down(RigTest& test, bool impacts) {
  if (test.kind == TestKind::points) return;
  const double least = least_sinkage(test, true);
  if (!impacts) {
    for (std::size_t i = 0; i < test.phase.size(); ++i) {
      const bool counts = test.phase[i] == Phase::loading && test.sinkage[i] > least;
      test.phase[i] = counts ? Phase::loading : Phase::air;
    }
    return;
  }
  const std::size_t end = find_impact_end(test, true);
  test.contact = std::max(test.contact, 0);
  while (test.contact + 1 < static_cast<int>(end) && !(test.sinkage[test.contact] > least)) {
    ++test.contact;
  }
  cut(test.sinkage, end);
  cut(test.rate, end);
  cut(test.phase, end);
  cut(test.recording.time, end);
  cut(test.recording.sinkage, end);
  cut(test.recording.normal_force, end);
}

// Fixed and freed parameters that all laws share.
DynamicOptions shared_options(const DynamicOptions& options) {
  DynamicOptions shared = options;
  const auto is_own = [](const std::string& name) {
    return !(name == "foot_weight" || name.starts_with("contact_") ||
             name.starts_with("impact_speed"));
  };
  std::erase_if(shared.fix, [&](const auto& entry) { return is_own(entry.first); });
  std::erase_if(shared.free, is_own);
  shared.fit.per_group = false;
  return shared;
}

FitProblem make_problem(const std::vector<RigTest>& tests, const DynamicOptions& options,
                        bool impacts) {
  const bool yields = is_soil(options.model);
  if (impacts && options.trajectory) return make_drop_problem(tests, options);
  if (impacts) {
    return make_force_problem(find_impact_samples(tests, yields), options,
                              has_damping(options.model) || yields);
  }
  const bool points = tests.front().kind == TestKind::points;
  return make_force_problem(points ? find_rest_samples(tests, yields)
                                   : find_static_samples(tests, yields),
                            options, false);
}

ModelScore score(const std::vector<RigTest>& tests, const DynamicOptions& options, bool impacts) {
  ModelScore s;
  s.model = normal_model_names()[static_cast<std::size_t>(options.model)];
  try {
    FitProblem problem = make_problem(tests, options, impacts);
    FitOptions fit_options = options.fit;
    if (impacts) fit_options.starts = std::max(fit_options.starts, 4);
    const Fit found = fit(problem, fit_options);
    for (const Estimate& e : found.parameters) s.unknowns += e.fixed ? 0 : 1;
    s.rms_residual_N = found.rms_residual;
    s.aicc = found.aicc;
    // left-out data are fitted from the solution on: it is near
    for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
      problem.parameters[i].start = found.parameters[i].value;
    }
    fit_options.starts = 1;
    s.cross_validation_rms_N = cross_validate(problem, fit_options);
  } catch (const InputError& error) {
    s.note = error.what();
    s.aicc = std::numeric_limits<double>::infinity();
  }
  return s;
}

std::vector<NormalModel> list_models(const std::vector<RigTest>& tests, bool impacts) {
  std::vector<NormalModel> models{NormalModel::spring, NormalModel::hertz};
  if (impacts) {
    models.insert(models.end(), {NormalModel::spring_damper, NormalModel::simple_hunt_crossley,
                                 NormalModel::hunt_crossley});
  }
  if (!has_soles(tests)) return models;
  models.push_back(NormalModel::bernstein);
  // of one width both pairs are one number, and that is Bernstein's
  if (has_two_widths(tests)) {
    models.insert(models.end(), {NormalModel::bekker, NormalModel::reece});
  }
  return models;
}

}  // namespace

std::vector<ModelScore> compare_models(const std::vector<RigTest>& tests,
                                       const DynamicOptions& options) {
  std::vector<RigTest> used;
  const auto is_drop = [](const RigTest& t) { return t.kind == TestKind::drop; };
  const bool impacts = std::any_of(tests.begin(), tests.end(), is_drop);
  for (const RigTest& test : tests) {
    if (!impacts || is_drop(test)) used.push_back(test);
  }
  if (used.empty()) throw InputError("no test to compare laws by, expected at least one");
  if (has_soles(used)) {
    for (RigTest& test : used) keep_way_down(test, impacts);
  }
  DynamicOptions own = shared_options(options);
  std::vector<ModelScore> scores;
  for (const NormalModel model : list_models(used, impacts)) {
    own.model = model;
    own.form = is_soil(model) ? options.form : NormalLaw{};
    scores.push_back(score(used, own, impacts));
  }
  std::stable_sort(scores.begin(), scores.end(),
                   [](const ModelScore& a, const ModelScore& b) { return a.aicc < b.aicc; });
  double sum = 0;
  for (ModelScore& s : scores) {
    s.delta_aicc = std::isfinite(s.aicc) ? s.aicc - scores.front().aicc : s.aicc;
    s.weight = std::exp(-0.5 * s.delta_aicc);
    sum += s.weight;
  }
  for (ModelScore& s : scores) s.weight = sum > 0 ? s.weight / sum : 0;
  return scores;
}

}  // namespace footfall
