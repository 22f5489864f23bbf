// Lanes<N>: N doubles that move together, one robot per lane.
//
// Kernels are templates on the scalar type T. With T = double they run one robot, with
// T = Lanes<8> eight robots at once. Comparisons give a LaneMask; a kernel never branches on a
// mask but uses select(), or any()/all() where skipping work changes no result.
//
// Lanes are the compiler's own vectors where a register holds them, and two halves of lanes where it does not:
// eight doubles are one register of AVX-512, two of AVX or four of SSE2 and NEON. In memory they are the same on all
// machines: N doubles, aligned to their size. How they are passed to functions is not, so their names are in a
// namespace of the register's width: code for two widths can stand in one program, and cannot take each
// other's functions.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#if defined(__AVX__)
#include <immintrin.h>
#endif

// Compilers warn that vectors wider than the machine's are passed differently by code for a wider machine.
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

// Doubles in a register of the machine that this file is compiled for.
#if defined(__AVX512F__)
#define FOOTFALL_REGISTER_LANES 8
#define FOOTFALL_REGISTER_NAMESPACE registers_of_8
#elif defined(__AVX__)
#define FOOTFALL_REGISTER_LANES 4
#define FOOTFALL_REGISTER_NAMESPACE registers_of_4
#else
#define FOOTFALL_REGISTER_LANES 2
#define FOOTFALL_REGISTER_NAMESPACE registers_of_2
#endif

namespace footfall {
inline namespace FOOTFALL_REGISTER_NAMESPACE {

inline constexpr int kRegisterLanes = FOOTFALL_REGISTER_LANES;

// The compiler's own vectors. They stand in a struct of their own and as typedefs because g++
// takes a vector_size that depends on N for a plain double inside the template that declares it.
template <int N>
struct NativeVector {
  typedef double Double __attribute__((vector_size(N * sizeof(double))));               // NOLINT
  typedef std::int64_t Integer __attribute__((vector_size(N * sizeof(std::int64_t))));  // NOLINT
};

// ---- in one register ----

template <int N>
struct LaneMask {
  using Native = typename NativeVector<N>::Integer;
  using Bits = Native;
  Native native;  // -1 where true, 0 where false
};

template <int N>
struct Lanes {
  using Native = typename NativeVector<N>::Double;
  using Bits = typename LaneMask<N>::Bits;
  Native native;

  Lanes() = default;
  Lanes(double x) : native(x - Native{}) {}  // NOLINT: a number means that number in every lane
  explicit Lanes(Native x) : native(x) {}
  template <class... Values>
  static Lanes of(Values... values) {
    static_assert(sizeof...(Values) == N);
    return Lanes(Native{values...});
  }
  static Lanes from_bits(Bits b) { return Lanes((Native)b); }  // NOLINT: same bits, other type
  Bits bits() const { return (Bits)native; }                   // NOLINT: the same

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

// ---- in two halves ----

template <int N>
  requires(N > kRegisterLanes)
struct alignas(N * sizeof(double)) LaneMask<N> {
  struct Bits {
    using Half = typename LaneMask<N / 2>::Bits;
    Half low, high;
    friend Bits operator&(Bits a, std::int64_t b) { return {a.low & b, a.high & b}; }
    friend Bits operator^(Bits a, Bits b) { return {a.low ^ b.low, a.high ^ b.high}; }
    friend Bits operator+(Bits a, std::int64_t b) { return {a.low + b, a.high + b}; }
    friend Bits operator-(Bits a, std::int64_t b) { return {a.low - b, a.high - b}; }
    friend Bits operator<<(Bits a, int count) { return {a.low << count, a.high << count}; }
    friend Bits operator>>(Bits a, int count) { return {a.low >> count, a.high >> count}; }
  };
  LaneMask<N / 2> low, high;
};

template <int N>
  requires(N > kRegisterLanes)
struct alignas(N * sizeof(double)) Lanes<N> {
  using Half = Lanes<N / 2>;
  using Bits = typename LaneMask<N>::Bits;
  Half low, high;

  Lanes() = default;
  Lanes(double x) : low(x), high(x) {}  // NOLINT: a number means that number in every lane
  Lanes(Half low_half, Half high_half) : low(low_half), high(high_half) {}
  template <class... Values>
  static Lanes of(Values... values) {
    static_assert(sizeof...(Values) == N);
    const double all[N] = {values...};
    return split(all, std::make_index_sequence<N / 2>());
  }
  static Lanes from_bits(Bits b) { return {Half::from_bits(b.low), Half::from_bits(b.high)}; }
  Bits bits() const { return {low.bits(), high.bits()}; }

  double operator[](int lane) const { return lane < N / 2 ? low[lane] : high[lane - N / 2]; }
  void set(int lane, double x) { lane < N / 2 ? low.set(lane, x) : high.set(lane - N / 2, x); }

  friend Lanes operator+(Lanes a, Lanes b) { return {a.low + b.low, a.high + b.high}; }
  friend Lanes operator-(Lanes a, Lanes b) { return {a.low - b.low, a.high - b.high}; }
  friend Lanes operator*(Lanes a, Lanes b) { return {a.low * b.low, a.high * b.high}; }
  friend Lanes operator/(Lanes a, Lanes b) { return {a.low / b.low, a.high / b.high}; }
  friend Lanes operator-(Lanes a) { return {-a.low, -a.high}; }
  Lanes& operator+=(Lanes b) { return *this = *this + b; }
  Lanes& operator-=(Lanes b) { return *this = *this - b; }
  Lanes& operator*=(Lanes b) { return *this = *this * b; }
  friend LaneMask<N> operator<(Lanes a, Lanes b) { return {a.low < b.low, a.high < b.high}; }
  friend LaneMask<N> operator<=(Lanes a, Lanes b) { return {a.low <= b.low, a.high <= b.high}; }
  friend LaneMask<N> operator>(Lanes a, Lanes b) { return {a.low > b.low, a.high > b.high}; }
  friend LaneMask<N> operator>=(Lanes a, Lanes b) { return {a.low >= b.low, a.high >= b.high}; }
  friend LaneMask<N> operator==(Lanes a, Lanes b) { return {a.low == b.low, a.high == b.high}; }

 private:
  template <std::size_t... i>
  static Lanes split(const double* all, std::index_sequence<i...> /*half*/) {
    return {Half::of(all[i]...), Half::of(all[N / 2 + i]...)};
  }
};

// ---- both ----

template <int N>
LaneMask<N> operator&(LaneMask<N> a, LaneMask<N> b) {
  if constexpr (N > kRegisterLanes) {
    return {a.low & b.low, a.high & b.high};
  } else {
    return {a.native & b.native};
  }
}
template <int N>
LaneMask<N> operator|(LaneMask<N> a, LaneMask<N> b) {
  if constexpr (N > kRegisterLanes) {
    return {a.low | b.low, a.high | b.high};
  } else {
    return {a.native | b.native};
  }
}
template <int N>
LaneMask<N> operator!(LaneMask<N> a) {
  if constexpr (N > kRegisterLanes) {
    return {!a.low, !a.high};
  } else {
    return {~a.native};
  }
}
template <int N>
bool any(LaneMask<N> m) {
  if constexpr (N > kRegisterLanes) {
    return any(m.low | m.high);
  } else {
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
}
template <int N>
bool all(LaneMask<N> m) {
  return !any(!m);
}
template <int N>
Lanes<N> select(LaneMask<N> m, Lanes<N> yes, Lanes<N> no) {
  if constexpr (N > kRegisterLanes) {
    return {select(m.low, yes.low, no.low), select(m.high, yes.high, no.high)};
  } else {
    return Lanes<N>(m.native ? yes.native : no.native);
  }
}
template <int N>
Lanes<N> sqrt(Lanes<N> x) {
  if constexpr (N > kRegisterLanes) {
    return {sqrt(x.low), sqrt(x.high)};
  } else {
    Lanes<N> y;
    for (int i = 0; i < N; ++i) y.native[i] = std::sqrt(x.native[i]);
    return y;
  }
}

// Which lane each lane takes.
template <int N>
struct alignas(N * sizeof(double)) LaneIndex {
  std::int64_t from[N];
};
template <int N>
Lanes<N> permute(Lanes<N> x, const LaneIndex<N>& index) {
#if defined(__AVX512F__)
  if constexpr (N == 8) {
    return Lanes<N>((typename Lanes<N>::Native)_mm512_permutexvar_pd(  // NOLINT: same bits
        _mm512_load_si512(index.from), (__m512d)x.native));            // NOLINT: same bits
  }
#endif
  Lanes<N> y;
  for (int i = 0; i < N; ++i) y.set(i, x[static_cast<int>(index.from[i])]);
  return y;
}

// The kernels' width: one AVX-512 register of doubles.
inline constexpr int kLaneCount = 8;
using Lane8 = Lanes<kLaneCount>;
// The same in memory on all machines.
template <class T, std::size_t size>
inline constexpr bool is_laid_out_in = sizeof(T) == size && alignof(T) == size;
static_assert(is_laid_out_in<Lane8, 64> && is_laid_out_in<LaneMask<8>, 64> &&
              is_laid_out_in<Lanes<4>, 32> && is_laid_out_in<LaneMask<4>, 32>);

}  // namespace FOOTFALL_REGISTER_NAMESPACE
}  // namespace footfall
