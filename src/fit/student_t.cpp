#include "fit/student_t.hpp"

#include <cmath>
#include <limits>

namespace footfall {
namespace {

// Regularized incomplete beta function I_x(a, b) for x < (a + 1)/(a + b + 2) by its continued fraction
// (DLMF 8.17.22), evaluated from the front by Lentz's method.
double incomplete_beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  constexpr int kMostTerms = 100000;  // about √max(a, b) are needed
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x)) /
                       a;
  double c = 1;
  double d = 1 / (1 - (a + b) / (a + 1) * x);
  double fraction = d;
  const auto apply = [&](double term) {
    d = 1 + term * d;
    c = 1 + term / c;
    if (std::abs(d) < kTiny) d = kTiny;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    fraction *= d * c;
    return d * c;
  };
  for (int m = 1; m < kMostTerms; ++m) {
    apply(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    const double factor = apply(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (std::abs(factor - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return front * fraction;
}

// Probability beyond t > 0: ½ I_{ν/(ν + t²)}(ν/2, ½).
double upper_tail(double t, double degrees_of_freedom) {
  const double a = degrees_of_freedom / 2, b = 0.5;
  const double x = degrees_of_freedom / (degrees_of_freedom + t * t);
  if (x < (a + 1) / (a + b + 2)) return 0.5 * incomplete_beta_fraction(x, a, b);
  return 0.5 * (1 - incomplete_beta_fraction(t * t / (degrees_of_freedom + t * t), b, a));
}

}  // namespace

double student_t_probability(double t, double degrees_of_freedom) {
  if (t == 0) return 0.5;
  const double tail = upper_tail(std::abs(t), degrees_of_freedom);
  return t > 0 ? 1 - tail : tail;
}

double student_t_quantile(double probability, double degrees_of_freedom) {
  if (probability == 0.5) return 0;
  if (probability < 0.5) return -student_t_quantile(1 - probability, degrees_of_freedom);
  const double tail = 1 - probability;
  double lower = 0, upper = 1;
  while (upper_tail(upper, degrees_of_freedom) > tail) {
    lower = upper;
    upper *= 2;
  }
  // halves until no number lies between them
  for (double middle = (lower + upper) / 2; middle > lower && middle < upper;
       middle = (lower + upper) / 2) {
    (upper_tail(middle, degrees_of_freedom) > tail ? lower : upper) = middle;
  }
  return (lower + upper) / 2;
}

}  // namespace footfall
