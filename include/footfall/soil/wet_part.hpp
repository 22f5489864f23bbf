// The part of a triangle that is below the ground, by its second moments
//
//   Mᵢₖ = mean(λᵢ λₖ over what is below, zero elsewhere)
//
// of the shares λ of the corners. Depth is z = Σ λᵢ zᵢ, so where pressure is linear in depth everything is exact:
//
//   mean(λᵢ z₊) = Σₖ Mᵢₖ zₖ,   ∂ mean(λᵢ z₊)/∂zₖ = Mᵢₖ
//
// A level surface cuts off one corner a, if any: that whose depth has another sign than those of both others,
// b and c. What it cuts off is a triangle with corners at s = zₐ/(zₐ − z_b) of the way to b and t = zₐ/(zₐ − z_c)
// of that to c, of which st of the whole is the area; below is that triangle, or all but it. Over the whole and
// over what is cut off, with zₐ instead of Σz there, zₐ² instead of Σz²:
//
//   mean(z) = Σz/3,   mean(z²) = (Σz² + (Σz)²)/12
//
// | symbol | meaning                                  | unit |
// |--------|------------------------------------------|------|
// | zᵢ     | depth of a corner, negative above        | m    |
// | λᵢ     | share of a corner, linear, 1 at it       | –    |
//
// Valid for any depths. Moments of a triangle: M = A/12 (Σ pₖ pₖᵀ + Σpₖ Σpₖᵀ) with its corners pₖ.
#pragma once

#include "footfall/math/spatial.hpp"

namespace footfall {

// The share that is below, and the means of z₊ and z₊² [m, m²].
template <class T>
struct WetMeans {
  T share, first, second;
};

// Of depths that are sorted.
template <class T>
WetMeans<T> wet_means(const T& low, const T& mid, const T& high) {
  const auto is_wet_cut = mid <= T(0);  // is what is cut off below?
  const T a = select(is_wet_cut, max(high, T(0)), min(low, T(0)));
  const T b = select(is_wet_cut, low, high);
  const T cut = a * a / max((a - b) * (a - mid), T(kTiny<T>));
  const T first = T(1.0 / 3) * cut * a, second = T(1.0 / 6) * cut * a * a;
  const T sum = low + mid + high;
  const T squares = low * low + mid * mid + high * high + sum * sum;
  return {select(is_wet_cut, cut, T(1) - cut),
          max(select(is_wet_cut, first, T(1.0 / 3) * sum - first), T(0)),
          max(select(is_wet_cut, second, T(1.0 / 12) * squares - second), T(0))};
}

template <class T>
Sym3<T> wet_moments(const Vec3<T>& z) {
  const auto wet_x = z.x > T(0), wet_y = z.y > T(0), wet_z = z.z > T(0);
  using M = Mask<T>;
  const auto alike = [](const M& a, const M& b) -> M { return (a & b) | !(a | b); };
  const M by_x = alike(wet_y, wet_z), by_y = alike(wet_x, wet_z);
  const M whole = by_x & by_y;
  const T twelfth(1.0 / 12);
  if (all(whole)) {
    const T off = select(wet_x, twelfth, T(0)), diagonal = off + off;
    return {diagonal, off, off, diagonal, off, diagonal};
  }
  // the corner that is cut off, and the next two in turn
  const auto turn = [&](const T& x, const T& y, const T& w) {
    return select(by_x, x, select(by_y, y, w));
  };
  const T a = turn(z.x, z.y, z.z), b = turn(z.y, z.z, z.x), c = turn(z.z, z.x, z.y);
  const T cut = select(whole, T(0), a);
  const T s = cut / select(whole, T(1), a - b), t = cut / select(whole, T(1), a - c);
  const T area = twelfth * s * t;
  const T rest = T(3) - s - t;
  const M all_but = alike(a > T(0), whole);
  const T sign = select(all_but, -area, area);
  const T off = select(all_but, twelfth, T(0)), diagonal = off + off;
  const T aa = diagonal + sign * (T(1) + square(T(1) - s) + square(T(1) - t) + rest * rest);
  const T bb = diagonal + T(2) * sign * s * s, cc = diagonal + T(2) * sign * t * t;
  const T ab = off + sign * s * (rest + T(1) - s), ac = off + sign * t * (rest + T(1) - t);
  const T bc = off + sign * s * t;
  return {turn(aa, cc, bb), turn(ab, ac, bc), turn(ac, bc, ab),
          turn(bb, aa, cc), turn(bc, ab, ac), turn(cc, bb, aa)};
}

}  // namespace footfall
