// (60), and the same law through the equation of motion (47).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "footfall/rig/foot.hpp"
#include "footfall/soil/plastic.hpp"
#include "identify/normal_problem.hpp"
#include "identify/trajectory.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr int kDirectStarts = 4;
constexpr std::size_t kMostSamples = 2000;  // of a drop: the motion is smooth, and each one costs

bool fits_damping(NormalModel model) { return has_damping(model) || is_soil(model); }

// What was measured in one drop, and where it stands among parameters and residuals.
struct DropSamples {
  const RigTest* test = nullptr;
  DropSetup setup;
  std::vector<double> time;            // since the touch that was found [s]
  std::vector<double> force, sinkage;  // either may be empty
  int number = 0;                      // of the file
};

// Parameters after the law's: foot_weight, then these of each test.
enum OfTest { kSpeed, kTime, kShift, kPerTest };

struct DropModel {
  NormalModel model = NormalModel::hunt_crossley;
  int law_parameters = 0;
  std::vector<DropSamples> drops;
  std::vector<std::unique_ptr<NormalLawFit>> laws;
  std::map<int, std::string> left_out;  // files without samples, and why
};

std::string problem_of(const RigTest& test) {
  return fmt::format("{}: expected an impact: a foot that touches at speed, from the touch to its "
                     "first stop",
                     test.name);
}

bool evaluate_drops(DropModel& m, std::span<const double> x, std::span<double> residuals,
                    double* jacobian) {
  const std::vector<double> law_x = pad_parameters(m.model, x.first(m.law_parameters));
  const int weight = m.law_parameters;
  std::size_t row = 0;
  DropCurve curve;
  std::vector<double> times;
  for (std::size_t d = 0; d < m.drops.size(); ++d) {
    DropSamples& drop = m.drops[d];
    const std::size_t own = weight + 1 + kPerTest * d;
    drop.setup.impact_speed = x[own + kSpeed];
    times = drop.time;
    for (double& t : times) t -= x[own + kTime];
    m.laws[d]->set(law_x);
    if (!integrate_drop(*m.laws[d], m.law_parameters, drop.setup, times, jacobian, curve)) {
      return false;
    }
    const auto put = [&](std::size_t i, double residual, const std::vector<double>& by,
                         std::size_t shift, double shift_slope) {
      residuals[row] = residual;
      if (jacobian) {
        double* line = jacobian + row * x.size();
        std::fill_n(line, x.size(), 0.0);
        const double* from = by.data() + i * curve.columns;
        std::copy_n(from, m.law_parameters, line);
        line[own + kSpeed] = from[m.law_parameters];
        line[own + kTime] = from[m.law_parameters + 1];
        line[shift] = shift_slope;
      }
      ++row;
    };
    for (std::size_t i = 0; i < drop.force.size(); ++i) {
      put(i, curve.force[i] + x[weight] - drop.force[i], curve.force_by, weight, 1);
    }
    for (std::size_t i = 0; i < drop.sinkage.size(); ++i) {
      put(i, curve.sinkage[i] + x[own + kShift] - drop.sinkage[i], curve.sinkage_by, own + kShift,
          1);
    }
  }
  return true;
}

// Every so many of `count` samples: at most kMostSamples.
std::size_t thinning(std::size_t count) { return (count + kMostSamples - 1) / kMostSamples; }

// Where not all of a drop is fitted.
std::string describe_cut(const RigTest& test, bool yields, bool thinned) {
  const std::size_t from = std::max(test.contact, 0), end = find_impact_end(test, yields);
  std::string text;
  if (!yields && end < test.sinkage.size()) {
    text = fmt::format("until the foot lets go a second time or rests, {:.3g} s after the touch",
                       test.recording.time[end] - test.contact_time);
  }
  const std::size_t every = thinning(end - std::min(from, end));
  if (thinned && every > 1) {
    text += fmt::format("{}one sample in {}", text.empty() ? "" : ", ", every);
  }
  return text.empty() ? "" : fmt::format("{}: fitted {}", test.name, text);
}

DropSamples read_drop(const RigTest& test, bool yields) {
  const Recording& r = test.recording;
  if (!test.mass || !(*test.mass > 0)) {
    throw input_error("{}: the equation of motion needs the mass of what falls [kg], and none was "
                      "given: give it, or fit the force directly",
                      test.name);
  }
  const std::size_t from = std::max(test.contact, 0), end = find_impact_end(test, yields);
  if (r.time.size() < end) {
    throw input_error("{}: no time, expected a column time_s: map it under [columns]", test.name);
  }
  DropSamples drop;
  drop.test = &test;
  drop.setup = {.mass = *test.mass,
                .pull = *test.mass * kRigGravity + test.load,
                .impact_speed = 0,
                .yields = yields,
                .tolerance = 1e-10};  // parameters to 1e-7 of themselves
  const std::size_t every = std::max<std::size_t>(thinning(end - std::min(from, end)), 1);
  for (std::size_t i = from; i < end; i += every) {
    drop.time.push_back(r.time[i] - test.contact_time);
    if (!r.normal_force.empty()) drop.force.push_back(r.normal_force[i]);
    if (!r.sinkage.empty()) drop.sinkage.push_back(test.sinkage[i]);
  }
  return drop;
}

void append_drop_parameters(const DropSamples& drop, int number,
                            std::vector<FitParameter>& parameters) {
  const RigTest& test = *drop.test;
  // smoothing lowers the rate at the touch: the largest soon after is nearer
  const std::size_t touch = std::max(test.contact, 0);
  const std::size_t soon = std::min(touch + 5, test.rate.size());
  double speed = 0.01;
  for (std::size_t i = touch; i < soon; ++i) speed = std::max(speed, test.rate[i]);
  parameters.push_back({.name = fmt::format("impact_speed_{}", number),
                        .unit = "m/s",
                        .start = speed,
                        .lower = 1e-3 * speed,
                        .upper = 5 * speed,
                        .nuisance = true});
  const double step = test.sample_rate > 0 ? 1 / test.sample_rate : 1e-3;
  const double error = std::max(test.contact_time_error, test.contact_error / speed);
  const double reach = std::max(20 * error, 3 * step);
  parameters.push_back({.name = fmt::format("contact_time_{}", number),
                        .unit = "s",
                        .lower = -reach,
                        .upper = reach,
                        .fixed = error == 0,
                        .nuisance = true});
  FitParameter offset = contact_offset_parameter(test, number);
  if (drop.sinkage.empty()) offset.fixed = true;  // nothing would depend on it
  parameters.push_back(offset);
}

void append_residuals(const DropSamples& drop, bool any_force, FitProblem& problem) {
  const int number = static_cast<int>(problem.groups.size());
  problem.groups.push_back(drop.test->name);
  const std::size_t count = drop.force.size() + drop.sinkage.size();
  problem.group.insert(problem.group.end(), count, number);
  problem.channel.insert(problem.channel.end(), drop.force.size(), 0);
  problem.channel.insert(problem.channel.end(), drop.sinkage.size(), any_force ? 1 : 0);
  for (const std::vector<double>* values : {&drop.force, &drop.sinkage}) {
    if (values->empty()) continue;
    problem.place.insert(problem.place.end(), drop.time.begin(), drop.time.end());
    problem.data.insert(problem.data.end(), values->begin(), values->end());
  }
}

FitProblem make_motion_problem(const std::vector<RigTest>& tests, const DynamicOptions& options,
                               std::shared_ptr<DropModel>& model) {
  const bool with_damping = fits_damping(options.model);
  model = std::make_shared<DropModel>();
  model->model = options.model;
  model->law_parameters = law_parameter_count(options.model, with_damping);
  bool any_force = false, any_sinkage = false;
  double largest_force = 0;
  for (const RigTest& test : tests) {
    DropSamples drop = read_drop(test, is_soil(options.model));
    drop.number = file_number(test, static_cast<std::size_t>(&test - tests.data()));
    if (drop.time.empty()) {
      model->left_out[drop.number] = problem_of(test);
      continue;
    }
    any_force = any_force || !drop.force.empty();
    any_sinkage = any_sinkage || !drop.sinkage.empty();
    for (const double f : drop.force) largest_force = std::max(largest_force, f);
    model->laws.push_back(make_normal_law(options.model, test.sole, options.form));
    model->drops.push_back(std::move(drop));
  }
  if (!any_force && !any_sinkage) {
    throw InputError("no file has samples of an impact with force or sinkage, expected a foot that "
                     "touches at speed, from the touch to its first stop");
  }
  FitProblem problem;
  problem.advice = kDropAdvice;
  problem.parameters = normal_parameters(options.model, with_damping, tests);
  problem.parameters.push_back(foot_weight_parameter(largest_force));
  problem.channels.clear();
  if (any_force) problem.channels.emplace_back("N");
  if (any_sinkage) problem.channels.emplace_back("m");
  for (const DropSamples& drop : model->drops) {
    append_residuals(drop, any_force, problem);
    append_drop_parameters(drop, drop.number, problem.parameters);
  }
  problem.residual_count = static_cast<int>(problem.group.size());
  problem.evaluate = [model](std::span<const double> x, std::span<double> residuals,
                             double* jacobian) {
    return evaluate_drops(*model, x, residuals, jacobian);
  };
  return problem;
}

// Names that only the trajectory has mean nothing to the direct fit.
DynamicOptions for_direct_fit(const DynamicOptions& options) {
  DynamicOptions direct = options;
  const auto is_other = [](const std::string& name) {
    return name.starts_with("impact_speed") || name.starts_with("contact_time");
  };
  std::erase_if(direct.fix, [&](const auto& entry) { return is_other(entry.first); });
  std::erase_if(direct.free, is_other);
  direct.fit.starts = std::max(options.fit.starts, kDirectStarts);
  return direct;
}

void thin(ForceSamples& s) {
  const std::size_t count = s.sinkage.size(), every = std::max<std::size_t>(thinning(count), 1);
  for (std::vector<double>* values : {&s.sinkage, &s.rate, &s.force}) {
    for (std::size_t i = 0; i * every < count; ++i) (*values)[i] = (*values)[i * every];
    values->resize((count + every - 1) / every);
  }
}

// The direct fit is quick and near: its law is the first start, the usual ones follow.
void start_from_direct_fit(const std::vector<RigTest>& tests, const DynamicOptions& options,
                           std::vector<FitParameter>& parameters) {
  for (const RigTest& test : tests) {
    if (test.recording.normal_force.empty()) return;
  }
  DynamicOptions direct = for_direct_fit(options);
  direct.fit.per_group = false;
  direct.fit.method = FitMethod::least_squares;
  const bool with_damping = fits_damping(options.model);
  std::vector<ForceSamples> samples = find_impact_samples(tests, is_soil(options.model));
  for (ForceSamples& s : samples) thin(s);
  const Fit found = fit(make_force_problem(samples, direct, with_damping), direct.fit);
  for (int i = 0; i < law_parameter_count(options.model, with_damping); ++i) {
    FitParameter& p = parameters[i];
    if (p.fixed) continue;
    p.starts.insert(p.starts.begin(), p.start);
    p.start = std::clamp(found.parameters[i].value, p.lower, p.upper);
  }
}

FitProblem make_started_problem(const std::vector<RigTest>& tests, const DynamicOptions& options,
                                std::shared_ptr<DropModel>& model) {
  FitProblem problem = make_motion_problem(tests, options, model);
  apply_options(options, problem.parameters);
  start_from_direct_fit(tests, options, problem.parameters);
  return problem;
}

FittedLaw fit_trajectory(const std::vector<RigTest>& tests, const DynamicOptions& options) {
  const bool with_damping = fits_damping(options.model);
  std::shared_ptr<DropModel> model;
  const FitProblem problem = make_started_problem(tests, options, model);
  FitOptions fit_options = options.fit;
  fit_options.starts = std::max(fit_options.starts, 2);
  FittedLaw part;
  part.x_label = "time since the touch";
  part.x_unit = "s";
  part.fit = fit(problem, fit_options);
  part.sample_count = problem.residual_count;
  part.left_out = model->left_out;
  std::vector<CurveSource> sources;
  std::vector<const RigTest*> used;
  int first = 0;
  const bool forces = problem.channels.front() == "N";
  if (!forces) {
    part.y_label = "sinkage";
    part.y_unit = "m";
  }
  for (const DropSamples& drop : model->drops) {
    const std::vector<double>& data = forces ? drop.force : drop.sinkage;
    if (!data.empty()) sources.push_back({drop.test->name, first, drop.time, data});
    used.push_back(drop.test);
    const std::string cut = describe_cut(*drop.test, is_soil(options.model), true);
    if (!cut.empty()) part.notes.push_back(cut);
    first += static_cast<int>(drop.force.size() + drop.sinkage.size());
  }
  part.curves = make_curves(problem, part.fit, sources);
  part.derived = derive_foot_forms(used, options, with_damping, part.fit);
  warn_of_one_width(used, options, part.fit);
  return part;
}

// A spring may throw the foot up again and again, and then carries it at rest. Two contacts and a while
// of rest tell all of it.
std::size_t find_spring_end(const RigTest& test) {
  const std::size_t count = test.sinkage.size(), from = std::max(test.contact, 0);
  double deepest = 0, fastest = 0;
  for (std::size_t i = from; i < count; ++i) {
    deepest = std::max(deepest, test.sinkage[i]);
    fastest = std::max(fastest, std::abs(test.rate[i]));
  }
  int lift_offs = 0;
  bool touches = true;
  std::size_t moves = from;  // the last sample that does
  for (std::size_t i = from; i < count; ++i) {
    if (std::abs(test.rate[i]) > 0.01 * fastest) moves = i;
    const bool in_air = test.sinkage[i] < -0.02 * deepest && i > from + 1;
    if (touches && in_air && test.rate[i] < 0 && ++lift_offs == 2) return i;
    touches = touches ? !in_air : test.sinkage[i] > 0.1 * deepest;
  }
  return std::min(count, moves + 1 + std::max<std::size_t>((moves - from) / 4, 20));
}

}  // namespace

std::size_t find_impact_end(const RigTest& test, bool yields) {
  const std::size_t count = test.sinkage.size();
  if (!yields) return find_spring_end(test);
  double fastest = 0;
  std::size_t i = std::max(test.contact, 0);
  for (; i < count && (test.phase[i] == Phase::impact || test.phase[i] == Phase::loading); ++i) {
    fastest = std::max(fastest, test.rate[i]);
    const double slow = std::max(0.1 * fastest, std::min(kSlowSinking, 0.5 * fastest));
    if (test.rate[i] < slow) break;
  }
  return i;
}

std::vector<ForceSamples> find_impact_samples(const std::vector<RigTest>& tests, bool yields) {
  std::vector<ForceSamples> samples;
  for (const RigTest& test : tests) {
    require_force(test);
    ForceSamples s{.test = &test, .sinkage = {}, .rate = {}, .force = {}};
    s.number = file_number(test, samples.size());
    s.follow = true;
    s.problem = problem_of(test);
    s.note = describe_cut(test, yields, false);
    const double least = least_sinkage(test, yields);
    const std::size_t end = find_impact_end(test, yields);
    for (std::size_t i = std::max(test.contact, 0); i < end; ++i) {
      if (!(test.sinkage[i] > least)) continue;
      s.sinkage.push_back(test.sinkage[i]);
      s.rate.push_back(test.rate[i]);
      s.force.push_back(test.recording.normal_force[i]);
    }
    samples.push_back(std::move(s));
  }
  require_some(samples);
  return samples;
}

FitProblem make_drop_problem(const std::vector<RigTest>& tests, const DynamicOptions& options) {
  std::shared_ptr<DropModel> model;
  return make_started_problem(tests, options, model);
}

FittedLaw fit_dynamic(const std::vector<RigTest>& tests, const DynamicOptions& options) {
  const bool with_damping = fits_damping(options.model);
  FittedLaw part;
  if (options.trajectory) {
    part = fit_trajectory(tests, options);
    part.law = describe_law(options.model, with_damping) + ", through M z̈ = M g + W − F_N";
  } else {
    part = fit_force("dynamic", find_impact_samples(tests, is_soil(options.model)),
                     for_direct_fit(options), with_damping);
  }
  part.name = "dynamic";
  return part;
}

}  // namespace footfall
