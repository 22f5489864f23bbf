// Integrals over (0, 1) of functions that are smooth but for a power at 0: t^a, a > −1.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace footfall {

// Tanh–sinh (double-exponential) points: t with its own digits near 0, where powers need them.
struct Quadrature {
  static constexpr int kHalf = 160;
  std::array<double, 2 * kHalf + 1> t{}, weight{};
};

inline const Quadrature& edge_quadrature() {
  static const Quadrature made = [] {
    Quadrature q;
    constexpr double kStep = 1.0 / 32;
    for (int i = 0; i <= 2 * Quadrature::kHalf; ++i) {
      const double s = (i - Quadrature::kHalf) * kStep;
      const double g = 0.5 * std::numbers::pi * std::sinh(s);
      q.t[i] = 1 / (1 + std::exp(-2 * g));
      q.weight[i] = kStep * 0.25 * std::numbers::pi * std::cosh(s) / std::cosh(g) / std::cosh(g);
    }
    return q;
  }();
  return made;
}

// ∫₀¹ f(t) dt
template <class F>
double integrate_from_edge(const F& f) {
  const Quadrature& q = edge_quadrature();
  double sum = 0;
  for (size_t i = 0; i < q.t.size(); ++i) {
    // beyond 1e-20 of the sum at the far end nothing is added
    if (q.weight[i] > 1e-20 || q.t[i] < 0.5) sum += q.weight[i] * f(q.t[i]);
  }
  return sum;
}

}  // namespace footfall
