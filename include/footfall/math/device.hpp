// What kernels need beside the language, the same words on the processor and on a GPU.
//
// On the processor that is the standard library. NVRTC, which compiles kernels for NVIDIA's GPUs while a
// program runs, has none: there, `std::` within namespace footfall means the few things below. Kernels
// carry no marks such as __device__, since NVRTC compiles everything for the device when it is told
// --device-as-default-execution-space. scripts/check_nvrtc.py holds the kernels to it.
#pragma once

#if defined(__CUDACC_RTC__)
#define FOOTFALL_ON_DEVICE 1
#else
#define FOOTFALL_ON_DEVICE 0
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#endif

// Before a function, and before a loop of six turns.
#if FOOTFALL_ON_DEVICE
#define FOOTFALL_KERNEL  // for the processor: lanes.hpp
#define FOOTFALL_INLINE __forceinline__
#define FOOTFALL_APART __noinline__
#define FOOTFALL_UNROLL_6 _Pragma("unroll")
#else
#define FOOTFALL_INLINE [[gnu::always_inline]] inline
#define FOOTFALL_APART                                                                             \
  [[gnu::noinline]]  // large and called in many places: inlined it compiles for minutes
#define FOOTFALL_UNROLL_6 _Pragma("GCC unroll 6")
#endif

#if FOOTFALL_ON_DEVICE
namespace footfall::std {

using size_t = decltype(sizeof(0));
using int64_t = long long;

template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = typename type_identity<T>::type;

template <class To, class From>
constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

template <class T, size_t N>
struct array {
  T elements[N];

  constexpr T& operator[](size_t i) { return elements[i]; }
  constexpr const T& operator[](size_t i) const { return elements[i]; }
  constexpr size_t size() const { return N; }
  constexpr T* begin() { return elements; }
  constexpr T* end() { return elements + N; }
  constexpr const T* begin() const { return elements; }
  constexpr const T* end() const { return elements + N; }
};

template <class T>
struct numeric_limits;
template <>
struct numeric_limits<double> {
  static constexpr double min() { return 2.2250738585072014e-308; }
  static constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000LL); }
};
template <>
struct numeric_limits<float> {
  static constexpr float min() { return 1.17549435e-38F; }
  static constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000); }
};

inline double sqrt(double x) { return ::sqrt(x); }
inline float sqrt(float x) { return ::sqrtf(x); }
inline float abs(float x) { return ::fabsf(x); }
inline float exp(float x) { return ::expf(x); }
inline float log(float x) { return ::logf(x); }
inline float sin(float x) { return ::sinf(x); }
inline float cos(float x) { return ::cosf(x); }

}  // namespace footfall::std
#endif
