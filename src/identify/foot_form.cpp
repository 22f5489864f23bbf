// k_TN and n_TN of Ding 2013, Table 7.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/error.hpp"
#include "identify/normal_problem.hpp"

namespace footfall {
namespace {

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
