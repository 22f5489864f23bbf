// Lanes<N>: N doubles that move together, one robot per lane.
//
// Kernels are templates on the scalar type T. With T = double they run one robot, with
// T = Lanes<8> eight robots at once. Comparisons give a LaneMask; a kernel never branches on a
// mask but uses select(), or any()/all() where skipping work changes no result.
#pragma once

#include <cmath>
#include <cstdint>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "footfall/version.hpp"

// Compilers warn that vectors wider than the machine's are passed differently by code built for a
// wider machine. version.hpp makes sure that a program and the library are built for the same one.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

// On a kernel: everything it calls becomes part of it. Sanitizers do without, or their checks of so
// large a function take minutes to compile.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FOOTFALL_KERNEL
#else
#define FOOTFALL_KERNEL [[gnu::flatten]]
#endif

namespace footfall {

// The compiler's own vectors. They stand in a struct of their own and as typedefs because g++
// takes a vector_size that depends on N for a plain double inside the template that declares it.
template <int N>
struct NativeVector {
  typedef double Double __attribute__((vector_size(N * sizeof(double))));               // NOLINT
  typedef std::int64_t Integer __attribute__((vector_size(N * sizeof(std::int64_t))));  // NOLINT
};

template <int N>
struct LaneMask {
  using Native = typename NativeVector<N>::Integer;
  Native native;  // -1 where true, 0 where false
};

template <int N>
struct Lanes {
  using Native = typename NativeVector<N>::Double;
  Native native;

  Lanes() = default;
  Lanes(double x) : native(x - Native{}) {}  // NOLINT: a number means that number in every lane
  explicit Lanes(Native x) : native(x) {}

  double operator[](int lane) const { return native[lane]; }
  void set(int lane, double x) { native[lane] = x; }

  friend Lanes operator+(Lanes a, Lanes b) { return Lanes(a.native + b.native); }
  friend Lanes operator-(Lanes a, Lanes b) { return Lanes(a.native - b.native); }
  friend Lanes operator*(Lanes a, Lanes b) { return Lanes(a.native * b.native); }
  friend Lanes operator/(Lanes a, Lanes b) { return Lanes(a.native / b.native); }
  friend Lanes operator-(Lanes a) { return Lanes(-a.native); }
  Lanes& operator+=(Lanes b) { return *this = *this + b; }
  Lanes& operator-=(Lanes b) { return *this = *this - b; }
  Lanes& operator*=(Lanes b) { return *this = *this * b; }
  friend LaneMask<N> operator<(Lanes a, Lanes b) { return {a.native < b.native}; }
  friend LaneMask<N> operator<=(Lanes a, Lanes b) { return {a.native <= b.native}; }
  friend LaneMask<N> operator>(Lanes a, Lanes b) { return {a.native > b.native}; }
  friend LaneMask<N> operator>=(Lanes a, Lanes b) { return {a.native >= b.native}; }
  friend LaneMask<N> operator==(Lanes a, Lanes b) { return {a.native == b.native}; }
};

template <int N>
LaneMask<N> operator&(LaneMask<N> a, LaneMask<N> b) {
  return {a.native & b.native};
}
template <int N>
LaneMask<N> operator|(LaneMask<N> a, LaneMask<N> b) {
  return {a.native | b.native};
}
template <int N>
LaneMask<N> operator!(LaneMask<N> a) {
  return {~a.native};
}
template <int N>
bool any(LaneMask<N> m) {
  // one instruction gathers the lanes' signs where the machine has it; g++ does not find it
#if defined(__AVX512DQ__)
  if constexpr (N == 8) return _mm512_movepi64_mask((__m512i)m.native) != 0;  // NOLINT: same bits
#endif
#if defined(__AVX__)
  if constexpr (N == 4) return _mm256_movemask_pd((__m256d)m.native) != 0;  // NOLINT: same bits
#endif
  std::int64_t bits = 0;
  for (int i = 0; i < N; ++i) bits |= m.native[i];
  return bits != 0;
}
template <int N>
bool all(LaneMask<N> m) {
  return !any(!m);
}
template <int N>
Lanes<N> select(LaneMask<N> m, Lanes<N> yes, Lanes<N> no) {
  return Lanes<N>(m.native ? yes.native : no.native);
}
template <int N>
Lanes<N> sqrt(Lanes<N> x) {
  Lanes<N> y;
  for (int i = 0; i < N; ++i) y.native[i] = std::sqrt(x.native[i]);
  return y;
}

// The kernels' width: one AVX-512 register of doubles. On narrower machines the compiler splits it.
inline constexpr int kLaneCount = 8;
using Lane8 = Lanes<kLaneCount>;

}  // namespace footfall
