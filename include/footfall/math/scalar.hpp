// What a kernel may do with its scalar T, the same words for double, float and Lanes<N>:
// select, any, all, min, max, abs, sqrt, sincos, exp, log, pow, lane access.
//
// sincos, exp, log and pow are our own because the C library's have data-dependent branches and no
// lanes. They are polynomial after argument reduction; tests/math bounds their errors:
// sincos below 1 ulp of 1 for |x| < 1e5; exp and log below 5e-16 relative; pow(x, y), which
// carries the rounding of its exponent, below 3e-16·(1 + |y log x|). A float, which is for GPUs, takes the
// library's there.
#pragma once

#include "footfall/math/device.hpp"
#if !FOOTFALL_ON_DEVICE
#include "footfall/math/lanes.hpp"
#endif

namespace footfall {

// ---- double and float as scalars of one lane ----
inline bool any(bool m) { return m; }
inline bool all(bool m) { return m; }
inline double select(bool m, double yes, double no) { return m ? yes : no; }
inline double sqrt(double x) { return std::sqrt(x); }
inline float select(bool m, float yes, float no) { return m ? yes : no; }
inline float sqrt(float x) { return std::sqrt(x); }

template <class T>
struct ScalarTraits;
template <>
struct ScalarTraits<double> {
  using Number = double;
  using Mask = bool;
  using Bits = std::int64_t;
  static constexpr int lane_count = 1;
  static Bits bits(double x) { return std::bit_cast<Bits>(x); }
  static double from_bits(Bits b) { return std::bit_cast<double>(b); }
  static double lane(double x, int) { return x; }
  static void set_lane(double& x, int, double value) { x = value; }
};
#if !FOOTFALL_ON_DEVICE
template <int N>
struct ScalarTraits<Lanes<N>> {
  using Mask = LaneMask<N>;
  using Bits = typename Lanes<N>::Bits;
  static constexpr int lane_count = N;
  static Bits bits(Lanes<N> x) { return x.bits(); }
  static Lanes<N> from_bits(Bits b) { return Lanes<N>::from_bits(b); }
  static double lane(Lanes<N> x, int i) { return x[i]; }
  static void set_lane(Lanes<N>& x, int i, double value) { x.set(i, value); }
  using Number = double;
};
#endif
template <>
struct ScalarTraits<float> {
  using Number = float;
  using Mask = bool;
  static constexpr int lane_count = 1;
  static double lane(float x, int) { return static_cast<double>(x); }
  static void set_lane(float& x, int, double value) { x = static_cast<float>(value); }
};
template <class T>
using Mask = typename ScalarTraits<T>::Mask;
template <class T>
inline constexpr int lane_count = ScalarTraits<T>::lane_count;
template <class T>
double lane(const T& x, int i) {
  return ScalarTraits<T>::lane(x, i);
}
template <class T>
void set_lane(T& x, int i, double value) {
  ScalarTraits<T>::set_lane(x, i, value);
}

// A number so small that it only keeps a divisor from being zero.
template <class T>
inline constexpr typename ScalarTraits<T>::Number kTiny = 1e-300;
template <>
inline constexpr float kTiny<float> = 1e-30F;

// A NaN in b comes through max and min, a NaN in a does not (as in the processor's instructions).
template <class T>
T max(T a, std::type_identity_t<T> b) {
  return select(a > b, a, b);
}
template <class T>
T min(T a, std::type_identity_t<T> b) {
  return select(a < b, a, b);
}
template <class T>
T abs(T a) {
  using S = ScalarTraits<T>;
  return S::from_bits(S::bits(a) & 0x7fffffffffffffff);  // without the sign
}
inline float abs(float a) { return std::abs(a); }
template <class T>
T square(T a) {
  return a * a;
}

// 1.5·2^52. Adding it leaves no bits for a fraction, and for an integer k with |k| < 2^51 the
// bits of k + kMagic are those of kMagic plus k: integers pass to and from T without converting.
inline constexpr double kMagic = 6755399441055744.0;

// Nearest integer as T, for |x| < 2^51.
template <class T>
T round_to_integer(T x) {
  return (x + T(kMagic)) - T(kMagic);
}

// sin and cos together. Cody–Waite reduction to [−π/4, π/4] in three parts of π/2, then the
// polynomials of fdlibm (Sun Microsystems, 1993).
template <class T>
FOOTFALL_INLINE void sincos(T x, T& sin_x, T& cos_x) {
  const T k = round_to_integer(x * T(0.63661977236758134308));
  const T r = ((x - k * T(1.57079632673412561417e+00)) - k * T(6.07710050630396597660e-11)) -
              k * T(2.02226624879595063154e-21);
  const T z = r * r;
  const T s = r + r * z *
                      (T(-1.66666666666666324348e-01) +
                       z * (T(8.33333333332248946124e-03) +
                            z * (T(-1.98412698298579493134e-04) +
                                 z * (T(2.75573137070700676789e-06) +
                                      z * (T(-2.50507602534068634195e-08) +
                                           z * T(1.58969099521155010221e-10))))));
  const T c = T(1) - T(0.5) * z +
              z * z *
                  (T(4.16666666666666019037e-02) +
                   z * (T(-1.38888888888741095749e-03) +
                        z * (T(2.48015872894767294178e-05) +
                             z * (T(-2.75573143513906633035e-07) +
                                  z * (T(2.08757232129817482790e-09) +
                                       z * T(-1.13596475577881948265e-11))))));
  // k mod 4 is the quadrant: its low bit swaps sine and cosine, the next one is the sign
  using S = ScalarTraits<T>;
  const auto bits = S::bits(k + T(kMagic));
  const auto odd = S::from_bits((bits & 1) << 52) > T(0);
  sin_x = S::from_bits(S::bits(select(odd, c, s)) ^ ((bits & 2) << 62));
  cos_x = S::from_bits(S::bits(select(odd, s, c)) ^ (((bits + 1) & 2) << 62));
}

FOOTFALL_INLINE void sincos(float x, float& sin_x, float& cos_x) {
  sin_x = std::sin(x);
  cos_x = std::cos(x);
}

// exp(x) for |x| < 700; beyond that it saturates. NaN gives NaN.
template <class T>
T exp(T x) {
  using S = ScalarTraits<T>;
  x = min(T(700), max(T(-700), x));
  const T k = round_to_integer(x * T(1.44269504088896338700));
  const T r = (x - k * T(6.93147180369123816490e-01)) - k * T(1.90821492927058770002e-10);
  T p = T(1.0 / 6227020800.0);  // Taylor: |r| ≤ 0.347, the term after r¹³ is below 5e-18
  p = p * r + T(1.0 / 479001600.0);
  p = p * r + T(1.0 / 39916800.0);
  p = p * r + T(1.0 / 3628800.0);
  p = p * r + T(1.0 / 362880.0);
  p = p * r + T(1.0 / 40320.0);
  p = p * r + T(1.0 / 5040.0);
  p = p * r + T(1.0 / 720.0);
  p = p * r + T(1.0 / 120.0);
  p = p * r + T(1.0 / 24.0);
  p = p * r + T(1.0 / 6.0);
  p = p * r + T(0.5);
  p = p * r + T(1);
  p = p * r + T(1);
  return p * S::from_bits((S::bits(k + T(kMagic)) + 1023) << 52);  // p·2^k
}

inline float exp(float x) { return std::exp(x); }

// log(x) for normal x > 0: x = 2^e·m with m in [√½, √2), then log m = 2 atanh((m−1)/(m+1)).
// NaN and infinity give themselves.
template <class T>
T log(T x) {
  using S = ScalarTraits<T>;
  constexpr std::int64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  const auto shifted = S::bits(x) - kSqrtHalf;
  const T e = S::from_bits((shifted >> 52) + std::bit_cast<std::int64_t>(kMagic)) - T(kMagic);
  const T m = S::from_bits((shifted & 0x000fffffffffffff) + kSqrtHalf);
  const T s = (m - T(1)) / (m + T(1));
  const T z = s * s;
  T p = T(2.0 / 21.0);  // |s| ≤ 0.1716: the term after s²¹ is below 4e-19
  p = p * z + T(2.0 / 19.0);
  p = p * z + T(2.0 / 17.0);
  p = p * z + T(2.0 / 15.0);
  p = p * z + T(2.0 / 13.0);
  p = p * z + T(2.0 / 11.0);
  p = p * z + T(2.0 / 9.0);
  p = p * z + T(2.0 / 7.0);
  p = p * z + T(2.0 / 5.0);
  p = p * z + T(2.0 / 3.0);
  const T log_x = e * T(6.93147180369123816490e-01) +
                  (T(2) * s + (s * z * p + e * T(1.90821492927058770002e-10)));
  return select(x < T(std::numeric_limits<double>::infinity()), log_x, x);
}

inline float log(float x) { return std::log(x); }

// x^y for x ≥ 0, with 0^0 = 1 and 0^y = 0 for y > 0. Whole and half powers that foot–ground laws
// use most skip the logarithm when every lane has them, so that linear and Hertz ground are exact.
template <class T>
T pow(T x, T y) {
  if (all(y == T(0))) return T(1);
  if (all(y == T(1))) return x;
  if (all(y == T(0.5))) return sqrt(x);
  if (all(y == T(1.5))) return x * sqrt(x);
  const auto vanishes = x < T(std::numeric_limits<typename ScalarTraits<T>::Number>::min());
  const T power = exp(y * log(select(vanishes, T(1), x)));
  return select(vanishes, select(y == T(0), T(1), T(0)), power);
}

}  // namespace footfall
