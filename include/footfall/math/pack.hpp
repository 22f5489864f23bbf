// Packs: the links, contact points or joint rows that a kernel handles at once.
//
// One robot (T = double) has several links of a kind: the four thighs of a quadruped, say. Four of
// them stand in the lanes of one pack and go through the kernel together. Robots in lanes
// (T = Lane8) fill the registers already, so there a pack is one link of each. Kernels are written
// once, on L = Pack<T>, with the robot's constants of type PackConstant<T>. On a GPU a robot is spread over
// threads, and a pack is one link too.
#pragma once

#include "footfall/math/spatial.hpp"

namespace footfall {

template <class T>
struct PackTraits {
  using Pack = T;
  using Constant = double;
  static constexpr int size = 1;
};
template <>
struct PackTraits<float> {
  using Pack = float;
  using Constant = float;
  static constexpr int size = 1;
};
#if !FOOTFALL_ON_DEVICE
template <>
struct PackTraits<double> {
  using Pack = Lanes<4>;
  using Constant = Lanes<4>;
  static constexpr int size = 4;
};
#endif
template <class T>
using Pack = typename PackTraits<T>::Pack;
template <class T>
using PackConstant = typename PackTraits<T>::Constant;
template <class T>
inline constexpr int pack_size = PackTraits<T>::size;

// For each item of a pack an index, of a dof or a coordinate or a point.
template <class T>
using PackIndex = std::array<int, pack_size<T>>;

// The constant of all items as kernels calculate with it.
template <class L, class C>
Vec3<L> spread(const Vec3<C>& a) {
  return {L(a.x), L(a.y), L(a.z)};
}
template <class L, class C>
Mat3<L> spread(const Mat3<C>& a) {
  return {spread<L>(a.x), spread<L>(a.y), spread<L>(a.z)};
}
template <class L, class C>
Sym3<L> spread(const Sym3<C>& a) {
  return {L(a.xx), L(a.xy), L(a.xz), L(a.yy), L(a.yz), L(a.zz)};
}

// One item of a pack.
template <class T>
T get_item(const Pack<T>& pack, int item) {
  if constexpr (pack_size<T> == 1) {
    return pack;
  } else {
    return pack[item];
  }
}
template <class T>
Vec3<T> get_item(const Vec3<Pack<T>>& a, int item) {
  return {get_item<T>(a.x, item), get_item<T>(a.y, item), get_item<T>(a.z, item)};
}
template <class T>
Mat3<T> get_item(const Mat3<Pack<T>>& a, int item) {
  return {get_item<T>(a.x, item), get_item<T>(a.y, item), get_item<T>(a.z, item)};
}
template <class T>
Spatial<T> get_item(const Spatial<Pack<T>>& a, int item) {
  return {get_item<T>(a.ang, item), get_item<T>(a.lin, item)};
}
template <class T>
void set_item(Pack<T>& pack, int item, const T& value) {
  if constexpr (pack_size<T> == 1) {
    pack = value;
  } else {
    pack.set(item, value);
  }
}
template <class T>
void add_item(Pack<T>& pack, int item, const T& value) {
  set_item<T>(pack, item, get_item<T>(pack, item) + value);
}
template <class T>
void set_item(Vec3<Pack<T>>& pack, int item, const Vec3<T>& value) {
  set_item<T>(pack.x, item, value.x);
  set_item<T>(pack.y, item, value.y);
  set_item<T>(pack.z, item, value.z);
}

// values[index[i]] as item i. A pack's empty items have a valid index too, and no effect.
template <class T>
Pack<T> gather(const T* values, const PackIndex<T>& index) {
  if constexpr (pack_size<T> == 1) {
    return values[index[0]];
  } else {
    return Pack<T>::of(values[index[0]], values[index[1]], values[index[2]], values[index[3]]);
  }
}

template <class T>
Vec3<Pack<T>> gather(const Vec3<T>* values, const PackIndex<T>& index) {
  if constexpr (pack_size<T> == 1) {
    return values[index[0]];
  } else {
    const Vec3<T>&a = values[index[0]], &b = values[index[1]], &c = values[index[2]],
          &d = values[index[3]];
    return {Pack<T>::of(a.x, b.x, c.x, d.x), Pack<T>::of(a.y, b.y, c.y, d.y),
            Pack<T>::of(a.z, b.z, c.z, d.z)};
  }
}
// The same of numbers that are the same for all robots.
template <class T, class Values>
Pack<T> gather_constant(const Values& values, const PackIndex<T>& index) {
  if constexpr (pack_size<T> == 1) {
    return T(values[index[0]]);
  } else {
    return gather(&values[0], index);
  }
}
// Item i to values[index[i]]; a negative index: nowhere.
template <class T>
void scatter(const Pack<T>& pack, const PackIndex<T>& index, T* values) {
  for (int i = 0; i < pack_size<T>; ++i) {
    if (index[i] >= 0) values[index[i]] = get_item<T>(pack, i);
  }
}

#if !FOOTFALL_ON_DEVICE
// The sum of all items, as every item.
inline Lanes<4> sum_of_items(Lanes<4> x) {
#if FOOTFALL_REGISTER_LANES >= 4
  const auto y = x.native + __builtin_shufflevector(x.native, x.native, 2, 3, 0, 1);
  return Lanes<4>(y + __builtin_shufflevector(y, y, 1, 0, 3, 2));
#else
  const auto y = (x.low + x.high).native;
  const Lanes<2> sum(y + __builtin_shufflevector(y, y, 1, 0));
  return {sum, sum};
#endif
}
#endif
// Sum of all items.
template <class T>
T sum_items(const Pack<T>& pack) {
  if constexpr (pack_size<T> == 1) {
    return pack;
  } else {
    return (pack[0] + pack[1]) + (pack[2] + pack[3]);
  }
}
// Largest of all items; a NaN among them gives NaN.
template <class T>
T max_item(const Pack<T>& pack) {
  if constexpr (pack_size<T> == 1) {
    return pack;
  } else {
    const double largest = max(max(pack[0], pack[1]), max(pack[2], pack[3]));
    const double sum = sum_items<T>(pack);
    return sum == sum ? largest : sum;
  }
}

// A mask of robots as the mask of a pack's items.
template <class T>
Mask<Pack<T>> spread_mask(const Mask<T>& mask) {
  if constexpr (pack_size<T> == 1) {
    return mask;
  } else {
    return Pack<T>(mask ? 1.0 : 0.0) > Pack<T>(0);
  }
}

// Copies number by number. g++ moves whole structs through memory in pieces of another size than
// they were written in, and the processor has to wait for each.
#if !FOOTFALL_ON_DEVICE
template <int N>
void store(const Lanes<N>& from, Lanes<N>& to) {
  to = from;
}
#endif
template <class L>
void store(const Vec3<L>& from, Vec3<L>& to) {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
}
template <class L>
void store(const Spatial<L>& from, Spatial<L>& to) {
  store(from.ang, to.ang);
  store(from.lin, to.lin);
}
template <class L>
void store(const Sym3<L>& from, Sym3<L>& to) {
  to.xx = from.xx;
  to.xy = from.xy;
  to.xz = from.xz;
  to.yy = from.yy;
  to.yz = from.yz;
  to.zz = from.zz;
}
template <class L>
void store(const Sym6<L>& from, Sym6<L>& to) {
  store(from.angular, to.angular);
  store(from.coupling.x, to.coupling.x);
  store(from.coupling.y, to.coupling.y);
  store(from.coupling.z, to.coupling.z);
  store(from.linear, to.linear);
}
template <class L>
void store(const RigidInertia<L>& from, RigidInertia<L>& to) {
  to.mass = from.mass;
  store(from.moment, to.moment);
  store(from.second, to.second);
}

}  // namespace footfall
