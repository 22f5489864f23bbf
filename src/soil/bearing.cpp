#include "footfall/soil/bearing.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "soil/quadrature.hpp"

namespace footfall {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kTerms = RimSeries::kTerms;

// Coefficients of the polynomial of degree kTerms − 1 through f at the Chebyshev points of [0, 1]
// with both ends, by Newton's divided differences in long double (the points are few and the powers
// of a number in [0, 1] tame: rounding stays below 1e-12).
template <class F>
void fit_polynomial(const F& f, double (&out)[kTerms]) {
  std::array<long double, kTerms> x{}, d{};
  for (int i = 0; i < kTerms; ++i) {
    x[i] = 0.5L * (1 - std::cos(kPi * i / (kTerms - 1)));
    d[i] = f(static_cast<double>(x[i]));
  }
  for (int order = 1; order < kTerms; ++order) {
    for (int i = kTerms - 1; i >= order; --i) d[i] = (d[i] - d[i - 1]) / (x[i] - x[i - order]);
  }
  std::array<long double, kTerms> c{};  // nested form multiplied out
  for (int i = kTerms - 1; i >= 0; --i) {
    for (int k = kTerms - 1; k > 0; --k) c[k] = c[k - 1] - x[i] * c[k];
    c[0] = d[i] - x[i] * c[0];
  }
  for (int k = 0; k < kTerms; ++k) out[k] = static_cast<double>(c[k]);
}

// ln Γ(x) of x > 0. std::lgamma writes a global sign, and threads make their series at once.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace

double rim_integral(double exponent, double ratio) {
  if (!(ratio > 0)) return 0;
  // ∫₀^{θ₁} (ε − 1 + cosθ)ⁿ cosθ dθ with θ = θ₁(1 − t): t = 0 is where the slope is infinite for
  // n < 1. ε − 1 + cosθ = cosθ − cosθ₁ is written as a product of sines.
  const double top = 2 * std::asin(std::sqrt(0.5 * std::fmin(ratio, 1.0)));
  const double beyond = std::fmax(ratio - 1, 0.0);
  return top * integrate_from_edge([&](double t) {
           const double depth =
               beyond + 2 * std::sin(top * (1 - 0.5 * t)) * std::sin(0.5 * top * t);
           return std::pow(depth, exponent) * std::cos(top * (1 - t));
         });
}

RimSeries make_rim_series(double n) {
  RimSeries series{};
  // at ε → 0: φ = ε^{n+1/2} B(n+1, ½)/√2; at ε → ∞: φ = εⁿ
  const double first =
      std::exp(log_gamma(n + 1) + log_gamma(0.5) - log_gamma(n + 1.5)) / std::sqrt(2.0);
  fit_polynomial(
      [&](double e) { return e > 0 ? rim_integral(n, e) / std::pow(e, n + 0.5) : first; },
      series.p);
  fit_polynomial([&](double x) { return x > 0 ? rim_integral(n, 1 / x) * std::pow(x, n) : 1.0; },
                 series.q);
  return series;
}

}  // namespace footfall
