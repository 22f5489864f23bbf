// A cell of a flat sole: a triangle that may be tilted and partly above the ground. With depth z linear
// over it, the mean of z₊ⁿ is exact at any tilt (Hermite–Genocchi, with f'' = zⁿ₊):
//
//   mean(z₊ⁿ) = 2 f[z₁, z₂, z₃],   f(z) = z₊^{n+2} / ((n+1)(n+2))
//
// where f[…] is the second divided difference at the depths of the three corners. Its slope by a common
// sinkage is the same with f' in place of f. The pressure's centre has the weights
//
//   λᵢ = f₃[zᵢ, z₁, z₂, z₃] / Σ,   f₃''' = zⁿ₊   (corner i counted twice)
//
// Divided differences lose digits where depths are equal. So corners that are nearer to each other than
// 1e-2 of the part of the cell's height that is below the ground are moved apart symmetrically, which
// changes the mean by 1e-5 of itself, and the centre is interpolated between them. A cell that is deeper
// than six times its height difference takes the series about its middle, to 1e-7:
//
//   mean(zⁿ) = Σₖ C(n,k) z̄^{n−k} μₖ,   μ₂ = Σdᵢ²/12, μ₃ = Σdᵢ³/30, μ₄ = (Σdᵢ⁴/4 + (Σdᵢ²)²/8)/15
//
// with dᵢ = zᵢ − z̄ and k up to 4.
//
// Where n is 1, as on linear springs, all that is polynomial over the part below the ground (wet_part.hpp).
//
// | symbol | meaning                               | unit |
// |--------|---------------------------------------|------|
// | zᵢ     | depth of a corner, negative above     | m    |
// | z̄      | their mean                            | m    |
// | n      | exponent of the pressure law, ≥ 0     | –    |
//
// Valid for any n ≥ 0 and any depths. Hermite–Genocchi: de Boor 2005, "Divided differences".
#pragma once

#include "footfall/math/spatial.hpp"
#include "footfall/soil/bearing.hpp"
#include "footfall/soil/wet_part.hpp"

namespace footfall {

inline constexpr double kDeepCell = 6;         // deeper than this many height differences: series
inline constexpr double kCornersApart = 1e-2;  // least distance of two depths, of the wet height

// Depths of a cell's corners beyond a reference that moves with it, sorted [m].
template <class T>
struct Cell {
  bool any = false;  // is the point a cell at all?
  T low, mid, high;
};

namespace cell_detail {

// zⁿ for z ≥ 0, cheap where n is a small whole number, as for linear springs.
template <class T>
struct Power {
  explicit Power(const T& n) : exponent(n) {
    for (int k = 1; k <= 4; ++k) {
      if (all(n == T(k))) whole = k;
    }
  }
  T operator()(const T& z) const {
    switch (whole) {
    case 1:
      return z;
    case 2:
      return z * z;
    case 3:
      return z * z * z;
    case 4:
      return square(z * z);
    default:
      return pow(z, exponent);
    }
  }
  T exponent;
  int whole = 0;
};

template <class T>
void sort_pair(T& low, T& high) {
  const T a = min(low, high);
  high = max(low, high);
  low = a;
}

// Corners kept apart, and what divided differences need of them.
template <class T>
struct Apart {
  T low, mid, high;              // [m]
  T per_low, per_high, per_all;  // 1/(mid − low), 1/(high − mid), 1/(high − low) [1/m]

  // 2 f[z₁, z₂, z₃] of values at the three corners.
  T second_difference(const T& at_low, const T& at_mid, const T& at_high) const {
    return T(2) * per_all * (per_high * (at_high - at_mid) - per_low * (at_mid - at_low));
  }
};

template <class T>
Apart<T> keep_apart(const T& low, const T& mid, const T& high) {
  const T height = high - low;
  const T wet = max(min(height, high), T(kCornersApart) * height);
  const T least = T(kCornersApart) * max(wet, T(1e-12));
  const T move_low = T(0.5) * max(least - (mid - low), T(0));
  const T move_high = T(0.5) * max(least - (high - mid), T(0));
  Apart<T> out;
  out.low = low - move_low;
  out.mid = mid + move_low - move_high;
  out.high = high + move_high;
  out.per_low = T(1) / max(out.mid - out.low, T(0.5) * least);
  out.per_high = T(1) / max(out.high - out.mid, T(0.5) * least);
  out.per_all = T(1) / (out.high - out.low);
  return out;
}

template <class T>
Mask<T> is_deep(const T& low, const T& high) {
  return low > T(kDeepCell) * (high - low);
}

template <class T>
Bearing<T> mean_by_series(const T& low, const T& mid, const T& high, const T& n) {
  const T z = max(T(1.0 / 3) * (low + mid + high), T(kTiny<T>));
  const T per = T(1) / z;
  const T a = (low - z) * per, b = (mid - z) * per, c = (high - z) * per;
  const T a2 = a * a, b2 = b * b, c2 = c * c, p2 = a2 + b2 + c2;
  const T n1 = n - T(1), n2 = n - T(2), n3 = n - T(3);
  const T s2 = T(1.0 / 24) * n * n1 * p2;
  const T s3 = T(1.0 / 180) * n * n1 * n2 * (a * a2 + b * b2 + c * c2);
  const T s4 = T(1.0 / 360) * n * n1 * n2 * n3 *
               (T(0.25) * (a2 * a2 + b2 * b2 + c2 * c2) + T(0.125) * p2 * p2);
  const T power = Power<T>(n)(z);
  return {power * (T(1) + s2 + s3 + s4), power * per * (n + n2 * s2 + n3 * s3 + (n - T(4)) * s4)};
}

template <class T>
Bearing<T> mean_by_differences(const T& low, const T& mid, const T& high, const T& n) {
  const Apart<T> at = keep_apart(low, mid, high);
  const T z1 = max(at.low, T(0)), z2 = max(at.mid, T(0)), z3 = max(at.high, T(0));
  const T n1 = n + T(1);
  const Power<T> power(n1);
  const T p1 = power(z1), p2 = power(z2), p3 = power(z3);
  const T force = at.second_difference(p1 * z1, p2 * z2, p3 * z3) / (n1 * (n1 + T(1)));
  const T slope = at.second_difference(p1, p2, p3) / n1;
  return {max(force, T(0)), max(slope, T(0))};
}

// n = 1 and 2
template <class T>
Bearing<T> mean_of_wet_part(const T& low, const T& mid, const T& high, const T& n) {
  const WetMeans<T> wet = wet_means(low, mid, high);
  const auto linear = n < T(1.5);
  return {select(linear, wet.first, wet.second), select(linear, wet.share, T(2) * wet.first)};
}

}  // namespace cell_detail

// The cell whose corners are at depths z₁, z₂, z₃ when its reference is at `depth`.
template <class T>
Cell<T> make_cell(const T& z1, const T& z2, const T& z3, const T& depth) {
  Cell<T> cell{true, z1 - depth, z2 - depth, z3 - depth};
  cell_detail::sort_pair(cell.low, cell.mid);
  cell_detail::sort_pair(cell.mid, cell.high);
  cell_detail::sort_pair(cell.low, cell.mid);
  return cell;
}

// mean(z₊ⁿ) over the cell and its slope by depth, with the reference at `depth`.
template <class T>
FOOTFALL_APART Bearing<T> mean_power(const Cell<T>& cell, const T& n, const T& depth) {
  using namespace cell_detail;
  const T low = depth + cell.low, mid = depth + cell.mid, high = depth + cell.high;
  const auto deep = is_deep(low, high);
  const auto dry = high <= T(0);
  if (all(dry)) return {T(0), T(0)};
  if (all((n == T(1)) | (n == T(2)))) return mean_of_wet_part(low, mid, high, n);
  if (all(deep | dry)) {
    const Bearing<T> b = mean_by_series(low, mid, high, n);
    return {select(dry, T(0), b.force), select(dry, T(0), b.slope)};
  }
  const Bearing<T> b = mean_by_differences(low, mid, high, n);
  if (!any(deep)) return b;
  const Bearing<T> series = mean_by_series(low, mid, high, n);
  return {select(deep, series.force, b.force), select(deep, series.slope, b.slope)};
}

// Part of the cell that is below the ground.
template <class T>
FOOTFALL_APART T wet_share(const Cell<T>& cell, const T& depth) {
  const T low = depth + cell.low;
  if (all(low >= T(0))) return T(1);
  return min(max(wet_means(low, depth + cell.mid, depth + cell.high).share, T(0)), T(1));
}

// λ of the corners, in the order in which they are given: the centre of the pressure zⁿ₊. A cell that is
// above the ground counts as if it just touched.
template <class T>
struct CornerShares {
  T a, b, c;
};

// Of a cell whose corners move on their own: mean(λᵢ z₊ⁿ), the part of the mean that acts at corner i, and
// its slopes by the depths of the corners, n mean(λᵢ λₖ z₊ⁿ⁻¹). Both follow from the potential
// mean(z₊ⁿ⁺¹)/(n+1), which is convex. The slopes are for Newton's method: to 1e-4 of the largest.
template <class T>
struct CornerResponse {
  Vec3<T> force;
  Sym3<T> slope;
};

namespace cell_detail {

// n = 1
template <class T>
CornerResponse<T> response_of_wet_part(const Vec3<T>& z) {
  const Sym3<T> m = wet_moments(z);
  const Vec3<T> force = m * z;
  return {{max(force.x, T(0)), max(force.y, T(0)), max(force.z, T(0))}, m};
}

template <class T>
CornerShares<T> center_by_series(const T& z1, const T& z2, const T& z3, const T& n) {
  const T z = T(1.0 / 3) * (z1 + z2 + z3), per = T(1) / max(z, T(kTiny<T>));
  const T a = (z1 - z) * per, b = (z2 - z) * per, c = (z3 - z) * per;
  const T p2 = a * a + b * b + c * c, half = T(0.5) * (n - T(1));
  const auto share = [&](const T& d) {
    return T(1.0 / 3) + n * (T(1.0 / 12) * d + half * (T(1.0 / 60) * p2 + T(1.0 / 30) * d * d));
  };
  return {share(a), share(b), share(c)};
}

template <class T>
CornerShares<T> center_by_differences(const T& z1, const T& z2, const T& z3, const T& n) {
  const Cell<T> sorted = make_cell(z1, z2, z3, T(0));
  const Apart<T> at = keep_apart(sorted.low, sorted.mid, sorted.high);
  const T n2 = n + T(2), per = T(1) / (n + T(3));
  const T low = max(at.low, T(0)), mid = max(at.mid, T(0)), high = max(at.high, T(0));
  const Power<T> power(n2);
  const T d1 = power(low), d2 = power(mid), d3 = power(high);
  const T d12 = per * (d2 * mid - d1 * low) * at.per_low,
          d23 = per * (d3 * high - d2 * mid) * at.per_high;
  const T d123 = (d23 - d12) * at.per_all;
  T low_share = d123 - (d12 - d1) * at.per_low;
  T mid_share = (d23 - d2) * at.per_high - (d2 - d12) * at.per_low;
  T high_share = (d3 - d23) * at.per_high - d123;
  // between corners that were moved apart
  const T apart_low = min((sorted.mid - sorted.low) * at.per_low, T(1)),
          apart_high = min((sorted.high - sorted.mid) * at.per_high, T(1));
  const T half_low = T(0.5) * (T(1) - apart_low) * (mid_share - low_share);
  low_share += half_low;
  mid_share -= half_low;
  const T half_high = T(0.5) * (T(1) - apart_high) * (high_share - mid_share);
  mid_share += half_high;
  high_share -= half_high;
  const auto share = [&](const T& z) {
    return select(z <= sorted.low, low_share, select(z >= sorted.high, high_share, mid_share));
  };
  return {share(z1), share(z2), share(z3)};
}

}  // namespace cell_detail

template <class T>
FOOTFALL_APART CornerShares<T> pressure_center(T z1, T z2, T z3, const T& n) {
  using namespace cell_detail;
  constexpr double kTouch = 1e-5;  // [m]
  const T highest = max(z1, max(z2, z3)), lowest = min(z1, min(z2, z3));
  const T lift = max(T(kTouch) - highest, T(0));
  z1 += lift;
  z2 += lift;
  z3 += lift;
  CornerShares<T> out{};
  if (all(n == T(1))) {
    const Vec3<T> force = response_of_wet_part<T>({z1, z2, z3}).force;
    out = {force.x, force.y, force.z};
  } else {
    const auto deep = is_deep(lowest + lift, highest + lift);
    if (any(deep)) out = center_by_series(z1, z2, z3, n);
    if (!all(deep)) {
      const CornerShares<T> b = center_by_differences(z1, z2, z3, n);
      out = {select(deep, out.a, b.a), select(deep, out.b, b.b), select(deep, out.c, b.c)};
    }
  }
  const T whole = T(1) / max(out.a + out.b + out.c, T(kTiny<T>));
  return {out.a * whole, out.b * whole, out.c * whole};
}

namespace cell_detail {

template <class T>
CornerResponse<T> response_by_series(const Vec3<T>& z, const T& n) {
  const CornerShares<T> share = center_by_series(z.x, z.y, z.z, n);
  const T middle = max(T(1.0 / 3) * (z.x + z.y + z.z), T(kTiny<T>));
  const T power = Power<T>(n)(middle), slope = T(1.0 / 12) * n * power / middle;
  const T twice = slope + slope;
  return {{power * share.a, power * share.b, power * share.c},
          {twice, slope, slope, twice, slope, twice}};
}

// One of three by rank.
template <class T>
T pick(const T& rank, const T& low, const T& mid, const T& high) {
  return select(rank < T(0.5), low, select(rank < T(1.5), mid, high));
}

template <class T>
CornerResponse<T> response_by_differences(const Vec3<T>& z, const T& n) {
  const auto one = [](const Mask<T>& m) { return select(m, T(1), T(0)); };
  const T x_over_y = one(z.y < z.x), x_over_z = one(z.z < z.x), y_over_z = one(z.z < z.y);
  const T rx = x_over_y + x_over_z, ry = T(1) - x_over_y + y_over_z,
          rz = T(2) - x_over_z - y_over_z;
  const Cell<T> sorted = make_cell(z.x, z.y, z.z, T(0));
  const Apart<T> at = keep_apart(sorted.low, sorted.mid, sorted.high);
  const T a = max(at.low, T(0)), b = max(at.mid, T(0)), c = max(at.high, T(0));
  const T n1 = n + T(1), n2 = n + T(2), n3 = n + T(3);
  const Power<T> power(n1);
  const T pa = power(a), pb = power(b), pc = power(c);
  // f₃ and its derivatives; f₃[z, z, z] is half the second
  const T k2 = T(0.5) / n1, k1 = T(1) / (n1 * n2), k0 = k1 / n3;
  const T aaa = k2 * pa, bbb = k2 * pb, ccc = k2 * pc;
  const T aa = k1 * pa * a, bb = k1 * pb * b, cc = k1 * pc * c;
  const T ab = k0 * (pb * b * b - pa * a * a) * at.per_low,
          bc = k0 * (pc * c * c - pb * b * b) * at.per_high;
  const T aab = (ab - aa) * at.per_low, abb = (bb - ab) * at.per_low, abc = (bc - ab) * at.per_all,
          bbc = (bc - bb) * at.per_high, bcc = (cc - bc) * at.per_high;
  const T aaab = (aab - aaa) * at.per_low, aabb = (abb - aab) * at.per_low,
          abbb = (bbb - abb) * at.per_low, bbbc = (bbc - bbb) * at.per_high,
          bbcc = (bcc - bbc) * at.per_high, bccc = (ccc - bcc) * at.per_high;
  const T aabc = (abc - aab) * at.per_all, abbc = (bbc - abb) * at.per_all,
          abcc = (bcc - abc) * at.per_all;
  const T two_per = T(2) * at.per_all;
  const T haa = T(2) * two_per * (aabc - aaab), hab = two_per * (abbc - aabb),
          hac = two_per * (abcc - aabc), hbb = T(2) * two_per * (bbbc - abbb),
          hbc = two_per * (bbcc - abbc), hcc = T(2) * two_per * (bccc - abcc);
  T low = T(2) * aabc, mid = T(2) * abbc, high = T(2) * abcc;
  // between corners that were moved apart
  const T half_low =
      T(0.5) * (T(1) - min((sorted.mid - sorted.low) * at.per_low, T(1))) * (mid - low);
  low += half_low;
  mid -= half_low;
  const T half_high =
      T(0.5) * (T(1) - min((sorted.high - sorted.mid) * at.per_high, T(1))) * (high - mid);
  mid += half_high;
  high -= half_high;
  const auto force = [&](const T& rank) { return max(pick(rank, low, mid, high), T(0)); };
  const auto slope = [&](const T& i, const T& k) {
    return pick(i, pick(k, haa, hab, hac), pick(k, hab, hbb, hbc), pick(k, hac, hbc, hcc));
  };
  return {{force(rx), force(ry), force(rz)},
          {max(slope(rx, rx), T(0)), slope(rx, ry), slope(rx, rz), max(slope(ry, ry), T(0)),
           slope(ry, rz), max(slope(rz, rz), T(0))}};
}

}  // namespace cell_detail

template <class T>
FOOTFALL_APART CornerResponse<T> corner_response(const Vec3<T>& z, const T& n) {
  using namespace cell_detail;
  const T high = max(z.x, max(z.y, z.z)), low = min(z.x, min(z.y, z.z));
  const auto deep = is_deep(low, high);
  const auto dry = high <= T(0);
  if (all(dry)) return {zero3<T>(), {T(0), T(0), T(0), T(0), T(0), T(0)}};
  if (all(n == T(1))) return response_of_wet_part(z);
  CornerResponse<T> out =
      all(deep | dry) ? response_by_series(z, n) : response_by_differences(z, n);
  if (any(deep) && !all(deep | dry)) {
    const CornerResponse<T> s = response_by_series(z, n);
    const auto mix = [&](T& to, const T& from) { to = select(deep, from, to); };
    mix(out.force.x, s.force.x);
    mix(out.force.y, s.force.y);
    mix(out.force.z, s.force.z);
    mix(out.slope.xx, s.slope.xx);
    mix(out.slope.xy, s.slope.xy);
    mix(out.slope.xz, s.slope.xz);
    mix(out.slope.yy, s.slope.yy);
    mix(out.slope.yz, s.slope.yz);
    mix(out.slope.zz, s.slope.zz);
  }
  if (any(dry)) {
    const auto keep = [&](T& value) { value = select(dry, T(0), value); };
    keep(out.force.x);
    keep(out.force.y);
    keep(out.force.z);
    keep(out.slope.xx);
    keep(out.slope.xy);
    keep(out.slope.xz);
    keep(out.slope.yy);
    keep(out.slope.yz);
    keep(out.slope.zz);
  }
  return out;
}

}  // namespace footfall
