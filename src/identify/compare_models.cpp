// Which law do the data ask for?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

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

bool is_one_flat_sole(const std::vector<RigTest>& tests) {
  const auto is_flat = [](const RigTest& t) {
    return t.sole->shape == SoleShape::disc || t.sole->shape == SoleShape::rectangle;
  };
  const double area = cohesive_area(*tests.front().sole, 0);
  return std::all_of(tests.begin(), tests.end(), [&](const RigTest& t) {
    return is_flat(t) && std::abs(cohesive_area(*t.sole, 0) - area) < 1e-9 * area;
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

// Options of one law: what is fixed and freed is meant for the law that was chosen, and goes to those
// that have a parameter of the same name, unit and meaning, and to all where it is no law's own.
DynamicOptions options_for(NormalModel model, const DynamicOptions& options,
                           const std::vector<RigTest>& tests, bool impacts) {
  DynamicOptions own = options;
  own.model = model;
  own.form = is_soil(model) ? options.form : NormalLaw{};
  own.fit.per_group = false;
  std::set<std::string> known = {"foot_weight", "contact_offset"};
  if (impacts && options.trajectory) known.insert({"impact_speed", "contact_time"});
  for (std::size_t i = 0; i < tests.size(); ++i) {
    for (const char* name : {"contact_offset", "impact_speed", "contact_time"}) {
      if (!known.contains(name)) continue;
      known.insert(fmt::format("{}_{}", name, file_number(tests[i], i)));
    }
  }
  const std::vector<FitParameter> chosen = normal_parameters(options.model, impacts, tests);
  for (const FitParameter& p : normal_parameters(model, impacts, tests)) {
    const bool same = std::any_of(chosen.begin(), chosen.end(), [&](const FitParameter& other) {
      return other.name == p.name && other.unit == p.unit;
    });
    if (same && is_soil(model) == is_soil(options.model)) known.insert(p.name);
  }
  std::erase_if(own.fix, [&](const auto& entry) { return !known.contains(entry.first); });
  std::erase_if(own.free, [&](const std::string& name) { return !known.contains(name); });
  return own;
}

// `widths`: for fit_positive, of presses.
FitProblem make_problem(const std::vector<RigTest>& tests, const DynamicOptions& options,
                        bool impacts, std::vector<double>& widths) {
  const bool yields = is_soil(options.model);
  if (impacts && options.trajectory) return make_drop_problem(tests, options);
  if (impacts) {
    return make_force_problem(find_impact_samples(tests, yields), options,
                              has_damping(options.model) || yields);
  }
  const bool points = tests.front().kind == TestKind::points;
  std::vector<ForceSamples> samples =
      points ? find_rest_samples(tests, yields) : find_static_samples(tests, yields);
  widths = widths_of(samples);
  return make_force_problem(std::move(samples), options, false);
}

ModelScore score(const std::vector<RigTest>& tests, const DynamicOptions& options, bool impacts) {
  ModelScore s;
  s.model = normal_model_names()[static_cast<std::size_t>(options.model)];
  try {
    std::vector<double> widths;
    FitProblem problem = make_problem(tests, options, impacts, widths);
    FitOptions fit_options = options.fit;
    if (impacts) fit_options.starts = std::max(fit_options.starts, 4);
    const Fit found = impacts ? fit(problem, fit_options)
                              : fit_positive(problem, widths, options.model, fit_options);
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
  // of one flat sole the integral is its area: with slow tests Hertz's law by another name
  if (!impacts && is_one_flat_sole(tests)) std::erase(models, NormalModel::hertz);
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
  std::vector<ModelScore> scores;
  for (const NormalModel model : list_models(used, impacts)) {
    scores.push_back(score(used, options_for(model, options, used, impacts), impacts));
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
