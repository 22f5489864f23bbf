// The root of a rising function, by Newton's rule inside a bracket that grows until it holds it.
#pragma once

#include <cmath>
#include <limits>

namespace footfall {

struct ValueAndSlope {
  double value, slope;
};

// `f(x)` answers with a ValueAndSlope and rises from negative to positive; `scale` is the size of x that
// counts: the root is good to 1e-15 of it, or of itself.
template <class Function>
double solve_increasing(const Function& f, double guess, double scale) {
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  double x = guess, reach = scale;
  for (int i = 0; i < 300; ++i) {
    const ValueAndSlope y = f(x);
    if (y.value == 0) return x;
    (y.value < 0 ? low : high) = x;
    double next = x - y.value / y.slope;
    const bool bracketed = std::isfinite(low) && std::isfinite(high);
    // Newton steps that leave the bracket, or crawl where a kink is ahead, become halvings.
    if (bracketed && (!(next > low && next < high) || i % 8 == 7)) next = 0.5 * (low + high);
    if (!bracketed && !(y.slope > 0 && std::abs(next - x) < 1e3 * reach)) {
      next = y.value < 0 ? x + reach : x - reach;
      reach *= 4;
    }
    if (std::abs(next - x) <= 1e-15 * std::fmax(scale, std::abs(x))) return next;
    x = next;
  }
  return x;
}

}  // namespace footfall
