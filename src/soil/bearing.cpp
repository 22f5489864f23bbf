#include "footfall/soil/bearing.hpp"

#include <array>
#include <cmath>
#include <numbers>

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

}  // namespace

double rim_integral(double exponent, double ratio) {
  if (!(ratio > 0)) return 0;
  // ∫₀^{θ₁} (ε − 1 + cosθ)ⁿ cosθ dθ with θ = θ₁(1 − t); tanh–sinh in t ∈ (0, 1) bears the
  // (n < 1) infinite slope at θ₁. ε − 1 + cosθ = cosθ − cosθ₁ is written as a product of sines.
  const double top = std::acos(std::fmax(1 - ratio, 0.0));
  const double beyond = std::fmax(ratio - 1, 0.0);
  double sum = 0;
  constexpr double kStep = 1.0 / 32;
  for (int i = -160; i <= 160; ++i) {
    const double s = i * kStep;
    const double g = 0.5 * kPi * std::sinh(s);
    const double t = 1 / (1 + std::exp(-2 * g));  // distance from θ₁, of θ₁
    const double weight = 0.5 * kPi * std::cosh(s) / (std::cosh(g) * std::cosh(g)) * 0.5;
    if (!(t > 0) || !(weight > 0)) continue;
    const double theta = top * (1 - t);
    const double depth = beyond + 2 * std::sin(top * (1 - 0.5 * t)) * std::sin(0.5 * top * t);
    sum += weight * std::pow(depth, exponent) * std::cos(theta);
  }
  return sum * kStep * top;
}

RimSeries make_rim_series(double n) {
  RimSeries series{};
  // at ε → 0: φ = ε^{n+1/2} B(n+1, ½)/√2; at ε → ∞: φ = εⁿ
  const double first =
      std::exp(std::lgamma(n + 1) + std::lgamma(0.5) - std::lgamma(n + 1.5)) / std::sqrt(2.0);
  fit_polynomial(
      [&](double e) { return e > 0 ? rim_integral(n, e) / std::pow(e, n + 0.5) : first; },
      series.p);
  fit_polynomial([&](double x) { return x > 0 ? rim_integral(n, 1 / x) * std::pow(x, n) : 1.0; },
                 series.q);
  return series;
}

}  // namespace footfall
