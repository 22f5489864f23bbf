// Kernels as functions of r², for one number or in lanes.
#pragma once

#include "footfall/ground/wrench_model.hpp"
#include "footfall/math/scalar.hpp"

namespace footfall {

template <Kernel kernel, class T>
T kernel_value(T r2) {
  if constexpr (kernel == Kernel::linear) {
    return -sqrt(r2);
  } else if constexpr (kernel == Kernel::thin_plate) {
    return T(0.5) * r2 * log(max(r2, T(1e-300)));
  } else if constexpr (kernel == Kernel::gaussian) {
    return exp(T(-0.5) * r2);
  } else if constexpr (kernel == Kernel::inverse_multiquadric) {
    return T(1) / sqrt(T(1) + r2);
  } else {
    const T s = sqrt(T(5) * r2);
    return (T(1) + s + T(5.0 / 3) * r2) * exp(-s);
  }
}

// Calls f with the kernel as a constant, which takes the choice out of its loops.
template <class F>
auto with_kernel(Kernel kernel, const F& f) {
  using enum Kernel;
  switch (kernel) {
  case linear:
    return f(std::integral_constant<Kernel, linear>());
  case thin_plate:
    return f(std::integral_constant<Kernel, thin_plate>());
  case gaussian:
    return f(std::integral_constant<Kernel, gaussian>());
  case inverse_multiquadric:
    return f(std::integral_constant<Kernel, inverse_multiquadric>());
  case matern:
    break;
  }
  return f(std::integral_constant<Kernel, matern>());
}

}  // namespace footfall
