// Adaptive Gauss–Kronrod quadrature: the second route of tests of integrals.
#pragma once

#include <cmath>

namespace footfall::testing {

// ∫ f from a to b to about 1e-14 of `scale`, by 15 points and bisection where they disagree with the
// 7 points among them. Bears powers at the ends.
template <class F>
double integrate(const F& f, double a, double b, double scale, int depth = 0) {
  constexpr double kX[8] = {
      0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
      0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
      0.586087235467691130294144691693919, 0.405845151377397166906606412076961,
      0.207784955007898467600689403773245, 0.0};
  constexpr double kW[8] = {
      0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
      0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
      0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
      0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  constexpr double kG[4] = {
      0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
      0.381830050505118944950369775488975, 0.417959183673469387755102040816327};
  const double center = 0.5 * (a + b), half = 0.5 * (b - a);
  double kronrod = 0, gauss = 0;
  for (int i = 0; i < 8; ++i) {
    const double x = half * kX[i];
    const double sum = i == 7 ? f(center) : f(center - x) + f(center + x);
    kronrod += kW[i] * sum;
    if (i % 2 == 1) gauss += kG[i / 2] * sum;
  }
  if (depth >= 200 || std::abs(half * (kronrod - gauss)) <= 1e-15 * std::abs(scale)) {
    return half * kronrod;
  }
  return integrate(f, a, center, scale, depth + 1) + integrate(f, center, b, scale, depth + 1);
}

}  // namespace footfall::testing
