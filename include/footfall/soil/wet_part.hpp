// The part of a triangle that is below the ground, by its second moments
//
//   Mᵢₖ = mean(λᵢ λₖ over what is below, zero elsewhere)
//
// of the shares λ of the corners. Depth is z = Σ λᵢ zᵢ, so where pressure is linear in depth everything is exact:
//
//   mean(λᵢ z₊) = Σₖ Mᵢₖ zₖ,   ∂ mean(λᵢ z₊)/∂zₖ = Mᵢₖ
//
// A level surface cuts off one corner a, if any: that whose depth has another sign than those of both others,
// b and c. It cuts the edges to them at s = zₐ/(zₐ − z_b) and t = zₐ/(zₐ − z_c) of the way. Where a is below, the
// part is a triangle; else it is two, between b, c and the cuts. So nothing is subtracted, and what is small is
// as exact as what is large. Over each triangle, with the depths z of its own corners,
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
  const auto one = mid <= T(0), whole = low >= T(0);  // how many corners are below
  const T a = min(low, T(0)), c = max(high, T(0));
  const T t = c / max(high - a, T(kTiny<T>));  // the way from high to low that is below
  const T b = select(one, c, mid), other = select(one, mid, a);
  const T s =
      b / max(b - other, T(kTiny<T>));  // the same between mid and its neighbour that is above
  const T tip = select(one, s * t, t * (T(1) - s));  // triangles with depths 0, 0, c and 0, b, c
  const T body = select(one, T(0), s);
  const T sum = low + mid + high, squares = low * low + mid * mid + high * high;
  return {select(whole, T(1), tip + body),
          T(1.0 / 3) * select(whole, sum, tip * c + body * (b + c)),
          select(whole, T(1.0 / 12) * (squares + sum * sum),
                 T(1.0 / 6) * (tip * c * c + body * (b * b + b * c + c * c)))};
}

template <class T>
Sym3<T> wet_moments(const Vec3<T>& z) {
  const auto wet_x = z.x > T(0), wet_y = z.y > T(0), wet_z = z.z > T(0);
  using M = Mask<T>;
  const auto alike = [](const M& a, const M& b) -> M { return (a & b) | !(a | b); };
  const M by_x = alike(wet_y, wet_z), by_y = alike(wet_x, wet_z);
  const M whole = by_x & by_y;
  const T twelfth(1.0 / 12);
  const T off = select(wet_x, twelfth, T(0)), diagonal = off + off;
  if (all(whole)) return {diagonal, off, off, diagonal, off, diagonal};
  // the corner that is cut off, and the next two in turn
  const auto turn = [&](const T& x, const T& y, const T& w) {
    return select(by_x, x, select(by_y, y, w));
  };
  const T a = turn(z.x, z.y, z.z), b = turn(z.y, z.z, z.x), c = turn(z.z, z.x, z.y);
  const T per_b = T(1) / select(whole, T(1), a - b), per_c = T(1) / select(whole, T(1), a - c);
  const T s = a * per_b, t = a * per_c;  // the edges' parts on a's side, and on the others'
  const T u = -b * per_b, v = -c * per_c;
  const M is_tip = a > T(0);
  const T tip = twelfth * s * t, first = twelfth * u, second = twelfth * v * s;
  const T rest = T(1) + u + v;
  const auto either = [&](const T& at_tip, const T& at_first, const T& at_second) {
    return select(is_tip, tip * at_tip, first * at_first + second * at_second);
  };
  const T aa =
      either(T(1) + u * u + v * v + rest * rest, T(2) * u * u, T(2) * (u * u + u * v + v * v));
  const T bb = either(T(2) * s * s, T(1) + s * s + square(T(1) + s), T(2) * s * s);
  const T cc = either(T(2) * t * t, T(2), T(1) + t * t + square(T(1) + t));
  const T ab = either(s * (rest + u), u * (T(1) + T(2) * s), s * (T(2) * u + v));
  const T ac = either(t * (rest + v), u, v * t + (u + v) * (T(1) + t));
  const T bc = either(s * t, T(1) + s, s * (T(1) + t));
  const auto put = [&](const T& x, const T& y, const T& w, const T& if_whole) {
    return select(whole, if_whole, turn(x, y, w));
  };
  return {put(aa, cc, bb, diagonal), put(ab, ac, bc, off), put(ac, bc, ab, off),
          put(bb, aa, cc, diagonal), put(bc, ab, ac, off), put(cc, bb, aa, diagonal)};
}

}  // namespace footfall
