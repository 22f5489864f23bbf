#include "identify/normal_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "input_error.hpp"

namespace footfall {
namespace {

// What evaluating needs, kept alive by the problem's function.
struct ForceModel {
  NormalModel model = NormalModel::hertz;
  int law_parameters = 0;
  std::vector<ForceSamples> samples;
  std::vector<std::unique_ptr<NormalLawFit>> laws;  // one per test
};

bool evaluate_force(ForceModel& m, std::span<const double> x, std::span<double> residuals,
                    double* jacobian) {
  const std::vector<double> law_x = pad_parameters(m.model, x.first(m.law_parameters));
  const int weight = m.law_parameters;
  std::size_t row = 0;
  for (std::size_t test = 0; test < m.samples.size(); ++test) {
    const ForceSamples& s = m.samples[test];
    const std::size_t offset = weight + 1 + test;
    m.laws[test]->set(law_x);
    for (std::size_t i = 0; i < s.sinkage.size(); ++i, ++row) {
      const NormalLawFit::Value v = m.laws[test]->evaluate(s.sinkage[i] - x[offset], s.rate[i]);
      residuals[row] = v.force + x[weight] - s.force[i];
      if (!jacobian) continue;
      double* line = jacobian + row * x.size();
      std::fill_n(line, x.size(), 0.0);
      std::copy_n(v.slope, m.law_parameters, line);
      line[weight] = 1;
      line[offset] = -v.sinkage_slope;
    }
    if (row > 0 && !std::isfinite(residuals[row - 1])) return false;
  }
  return true;
}

std::vector<RigTest> copy_tests(const std::vector<ForceSamples>& samples) {
  std::vector<RigTest> tests;
  tests.reserve(samples.size());
  for (const ForceSamples& s : samples) tests.push_back(*s.test);
  return tests;
}

// Runs differ in proportion to their force, so small plates count as much as large ones: by the size of the largest.
std::vector<double> weigh_files(const std::vector<ForceSamples>& samples) {
  std::vector<double> size;
  for (const ForceSamples& s : samples) {
    double sum = 0;
    for (const double f : s.force) sum += f * f / static_cast<double>(s.force.size());
    size.push_back(std::sqrt(sum));
  }
  const double largest = *std::ranges::max_element(size);
  std::vector<double> weight;
  weight.reserve(size.size());
  for (const double s : size) weight.push_back(s > 1e-6 * largest ? largest / s : 1);
  return weight;
}

void keep_filled(std::vector<ForceSamples>& samples) {
  std::erase_if(samples, [](const ForceSamples& s) { return s.sinkage.empty(); });
}

// n_TN − n. A mesh has none in the paper: the slope of its curve on double-logarithmic paper.
double added_exponent(const FootSole& sole, double log_slope, double n) {
  switch (sole.shape) {
  case SoleShape::disc:
  case SoleShape::rectangle:
    return 0;
  case SoleShape::cylinder:
    return 0.5;
  case SoleShape::sphere:
    return 1;
  case SoleShape::hull:
    break;
  }
  return log_slope - n;
}

bool same_sole(const FootSole& a, const FootSole& b) {
  return a.shape == b.shape && a.radius == b.radius && a.length == b.length && a.width == b.width &&
         a.elements.size() == b.elements.size();
}

double standard_error(const Fit& fit, const std::vector<double>& gradient) {
  const Eigen::Map<const Eigen::VectorXd> g(gradient.data(),
                                            static_cast<Eigen::Index>(gradient.size()));
  return std::sqrt(std::max(0.0, g.dot(fit.covariance * g)));
}

// Both of one sole at `sinkage`, into `out`.
void derive_one(const NormalLawFit& law, const FootSole& sole, double sinkage, int n_index,
                const std::string& suffix, const Fit& fit, std::vector<Estimate>& out) {
  const double n = fit.parameters[n_index].value;
  const NormalLawFit::Value v = law.evaluate(sinkage, 0);
  const double n_TN = n + added_exponent(sole, sinkage * v.sinkage_slope / v.force, n);
  const double power = std::pow(sinkage, n_TN), k_TN = v.force / power;
  std::vector<double> k_gradient(fit.parameters.size(), 0.0), n_gradient = k_gradient;
  for (int i = 0; i <= n_index; ++i) k_gradient[i] = v.slope[i] / power;
  k_gradient[n_index] -= k_TN * std::log(sinkage);
  n_gradient[n_index] = 1;
  const double k_error = standard_error(fit, k_gradient), n_error = standard_error(fit, n_gradient);
  const double factor = std::exp(fit.t_quantile * k_error / k_TN);
  out.push_back({.name = "k_TN" + suffix,
                 .unit = "N/m^n_TN",
                 .value = k_TN,
                 .standard_error = k_error,
                 .lower = k_TN / factor,
                 .upper = k_TN * factor});
  out.push_back({.name = "n_TN" + suffix,
                 .unit = "",
                 .value = n_TN,
                 .standard_error = n_error,
                 .lower = n_TN - fit.t_quantile * n_error,
                 .upper = n_TN + fit.t_quantile * n_error});
}

}  // namespace

std::vector<double> widths_of(const std::vector<ForceSamples>& samples) {
  std::vector<double> widths;
  for (const ForceSamples& s : samples) {
    if (!s.sinkage.empty() && s.test->sole) widths.push_back(contact_width(*s.test->sole));
  }
  return widths;
}

void require_force(const RigTest& test) {
  const std::size_t count = test.recording.normal_force.size();
  if (count > 0 && count == test.sinkage.size()) return;
  throw input_error("{}: no normal force, expected a column normal_force_N beside the sinkage: map "
                    "it under [columns]",
                    test.name);
}

void require_some(const std::vector<ForceSamples>& samples) {
  std::string problems;
  for (const ForceSamples& s : samples) {
    if (!s.sinkage.empty()) return;
    problems += (problems.empty() ? "" : "; ") + s.problem;
  }
  throw InputError(problems);
}

int file_number(const RigTest& test, std::size_t place) {
  return test.number > 0 ? test.number : static_cast<int>(place) + 1;
}

double least_sinkage(const RigTest& test, bool yields) {
  const double largest = *std::max_element(test.sinkage.begin(), test.sinkage.end());
  return std::max(yields ? 2e-5 : 0, 1e-3 * largest);
}

FitParameter foot_weight_parameter(double largest_force) {
  const double size = largest_force > 0 ? largest_force : 1;
  return {.name = "foot_weight", .unit = "N", .lower = -size, .upper = size, .fixed = true};
}

FitParameter contact_offset_parameter(const RigTest& test, int number) {
  const double largest = *std::max_element(test.sinkage.begin(), test.sinkage.end());
  // what was found is a guess of the first rise: the law through all samples decides
  const double reach = std::clamp(20 * test.contact_error, std::max(0.1 * largest, 1e-5),
                                  std::max(0.5 * largest, 1e-5));
  return {.name = fmt::format("contact_offset_{}", number),
          .unit = "m",
          .lower = -reach,
          .upper = reach,
          .fixed = test.contact_error == 0,
          .nuisance = true};
}

FitProblem make_force_problem(std::vector<ForceSamples> samples, const NormalOptions& options,
                              bool with_damping) {
  keep_filled(samples);
  auto model = std::make_shared<ForceModel>();
  model->model = options.model;
  model->law_parameters = law_parameter_count(options.model, with_damping);
  model->samples = samples;
  FitProblem problem;
  double largest_force = 0;
  for (const ForceSamples& s : samples) {
    model->laws.push_back(make_normal_law(options.model, s.test->sole, options.form));
    const int number = static_cast<int>(problem.groups.size());
    problem.groups.push_back(s.test->name);
    problem.group.insert(problem.group.end(), s.sinkage.size(), number);
    for (const double f : s.force) largest_force = std::max(largest_force, f);
  }
  problem.parameters = normal_parameters(options.model, with_damping, copy_tests(samples));
  problem.parameters.push_back(foot_weight_parameter(largest_force));
  for (const ForceSamples& s : samples) {
    problem.parameters.push_back(contact_offset_parameter(*s.test, s.number));
  }
  apply_options(options, problem.parameters);
  problem.residual_count = static_cast<int>(problem.group.size());
  const bool linear =
      options.model == NormalModel::spring || options.model == NormalModel::spring_damper;
  problem.shape = linear ? -1 : law_parameter_count(options.model, false) - 1;  // n
  if (!with_damping) problem.weight = weigh_files(samples);
  const bool follow = std::ranges::all_of(samples, &ForceSamples::follow);
  for (const ForceSamples& s : samples) {
    if (!follow) break;
    problem.place.insert(problem.place.end(), s.sinkage.begin(), s.sinkage.end());
    problem.data.insert(problem.data.end(), s.force.begin(), s.force.end());
  }
  problem.evaluate = [model](std::span<const double> x, std::span<double> residuals,
                             double* jacobian) {
    return evaluate_force(*model, x, residuals, jacobian);
  };
  return problem;
}

std::vector<FitCurve> make_curves(const FitProblem& problem, const Fit& fit,
                                  const std::vector<CurveSource>& sources) {
  const std::size_t width = problem.parameters.size();
  std::vector<double> x, residuals(problem.residual_count);
  for (const Estimate& e : fit.parameters) x.push_back(e.value);
  std::vector<double> jacobian(width * residuals.size());
  std::vector<FitCurve> curves;
  if (!problem.evaluate(x, residuals, jacobian.data())) return curves;
  for (const CurveSource& source : sources) {
    FitCurve curve{.name = source.name,
                   .x = source.x,
                   .data = source.data,
                   .model = {},
                   .half_width = {},
                   .prediction = {}};
    for (std::size_t i = 0; i < source.x.size(); ++i) {
      const std::size_t row = source.first + i;
      curve.model.push_back(source.data[i] + residuals[row]);
      const auto gradient = std::span(jacobian).subspan(row * width, width);
      curve.half_width.push_back(band_half_width(fit, gradient));
      if (!fit.runs.known) continue;
      curve.prediction.push_back(
          prediction_half_width(fit, gradient, source.x[i], curve.model.back()));
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

FittedLaw fit_force(const std::string& name, std::vector<ForceSamples> samples,
                    const NormalOptions& options, bool with_damping) {
  FittedLaw part;
  for (const ForceSamples& s : samples) {
    if (s.sinkage.empty()) part.left_out[s.number] = s.problem;
    if (!s.note.empty()) part.notes.push_back(s.note);
  }
  keep_filled(samples);
  FitProblem problem = make_force_problem(samples, options, with_damping);
  if (name == "dynamic") problem.advice = kDropAdvice;
  part.name = name;
  part.law = describe_law(options.model, with_damping);
  part.x_label = "sinkage";
  part.x_unit = "m";
  part.fit = fit_positive(problem, widths_of(samples), options.model, options.fit);
  part.sample_count = problem.residual_count;
  std::vector<CurveSource> sources;
  std::vector<const RigTest*> tests;
  int first = 0;
  for (const ForceSamples& s : samples) {
    sources.push_back({s.test->name, first, s.sinkage, s.force});
    tests.push_back(s.test);
    first += static_cast<int>(s.sinkage.size());
  }
  part.curves = make_curves(problem, part.fit, sources);
  part.derived = derive_foot_forms(tests, options, with_damping, part.fit);
  warn_of_one_width(tests, options, part.fit);
  return part;
}

void warn_of_one_width(const std::vector<const RigTest*>& tests, const NormalOptions& options,
                       Fit& fit) {
  const bool bekker = options.model == NormalModel::bekker;
  if (!bekker && options.model != NormalModel::reece) return;
  const char* first = bekker ? "k_c" : "C";
  const char* second = bekker ? "k_phi" : "G";
  if (fit.find(first).fixed || fit.find(second).fixed) return;
  const double width = contact_width(*tests.front()->sole);
  for (const RigTest* test : tests) {
    if (std::abs(contact_width(*test->sole) - width) > 1e-3 * width) return;
  }
  fit.warnings.push_back(fmt::format("all feet are {:.4g} mm wide: {} and {} cannot be told apart; "
                                     "add a foot of another width, or fit bernstein",
                                     1e3 * width, first, second));
}

// k_TN and n_TN of Ding 2013, Table 7.

FootForm foot_form(const FootSole& sole, const PlasticSoil& soil, double sinkage) {
  check_range("sinkage", sinkage, 1e-9, 10, "above 0 m, where both laws can agree");
  const Bearing<double> b = normal_force(sole, soil, sinkage);
  const double n = soil.pressure.exponent;
  const double exponent = n + added_exponent(sole, sinkage * b.slope / b.force, n);
  return {.stiffness = b.force / std::pow(sinkage, exponent), .exponent = exponent};
}

std::vector<Estimate> derive_foot_forms(const std::vector<const RigTest*>& tests,
                                        const NormalOptions& options, bool with_damping,
                                        const Fit& fit) {
  std::vector<Estimate> derived;
  if (!is_soil(options.model)) return derived;
  std::vector<double> x(law_parameter_count(options.model, with_damping));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = fit.parameters[i].value;
  const int n_index = law_parameter_count(options.model, false) - 1;
  const bool one_sole = std::all_of(tests.begin(), tests.end(), [&](const RigTest* test) {
    return same_sole(*test->sole, *tests.front()->sole);
  });
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const FootSole& sole = *tests[i]->sole;
    const auto seen = std::any_of(tests.begin(), tests.begin() + static_cast<std::ptrdiff_t>(i),
                                  [&](const RigTest* t) { return same_sole(*t->sole, sole); });
    if (seen) continue;
    double deepest = 0;
    for (const RigTest* test : tests) {
      if (!same_sole(*test->sole, sole)) continue;
      deepest = std::max(deepest, *std::max_element(test->sinkage.begin(), test->sinkage.end()));
    }
    const auto law = make_normal_law(options.model, sole, options.form);
    law->set(pad_parameters(options.model, x));
    derive_one(*law, sole, deepest, n_index, one_sole ? "" : fmt::format("_{}", i + 1), fit,
               derived);
  }
  return derived;
}

}  // namespace footfall
