// Small vectors, rotations and spatial (six-component) algebra, templated on the scalar.
//
// A Twist or Wrench is written about one point O shared by all bodies of a tree and along world
// axes. Then no transform stands between links: twists add along a chain, wrenches add at a
// joint, and inertias add in the articulated sweep. `ang` is angular velocity or moment about O;
// `lin` is the velocity of the body-fixed point at O, or force.
#pragma once

#include "footfall/math/scalar.hpp"

namespace footfall {

template <class T>
struct Vec3 {
  T x, y, z;

  friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend Vec3 operator*(const T& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Vec3 operator*(const Vec3& a, const T& s) { return s * a; }
  Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
};
using Vec3d = Vec3<double>;

template <class T>
Vec3<T> broadcast(const Vec3d& a) {
  return {T(a.x), T(a.y), T(a.z)};
}
template <class T>
Vec3<T> zero3() {
  return {T(0), T(0), T(0)};
}
template <class T>
T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}
template <class T>
Vec3<T> select(const Mask<T>& m, const Vec3<T>& yes, const Vec3<T>& no) {
  return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}

// A 3×3 matrix by columns; of a rotation R_WB the columns are B's axes in W.
template <class T>
struct Mat3 {
  Vec3<T> x, y, z;  // columns

  friend Vec3<T> operator*(const Mat3& m, const Vec3<T>& a) {
    return {m.x.x * a.x + m.y.x * a.y + m.z.x * a.z, m.x.y * a.x + m.y.y * a.y + m.z.y * a.z,
            m.x.z * a.x + m.y.z * a.y + m.z.z * a.z};
  }
  friend Mat3 operator*(const Mat3& a, const Mat3& b) { return {a * b.x, a * b.y, a * b.z}; }
  Mat3& operator+=(const Mat3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
};
using Mat3d = Mat3<double>;

template <class T>
Mat3<T> broadcast(const Mat3d& a) {
  return {broadcast<T>(a.x), broadcast<T>(a.y), broadcast<T>(a.z)};
}
template <class T>
Mat3<T> identity3() {
  return {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}};
}
template <class T>
Vec3<T> transpose_times(const Mat3<T>& m, const Vec3<T>& a) {
  return {dot(m.x, a), dot(m.y, a), dot(m.z, a)};
}

// A unit quaternion, real part first, as MuJoCo stores it.
template <class T>
struct Quat {
  T w, x, y, z;
};
using Quatd = Quat<double>;

template <class T>
Quat<T> operator*(const Quat<T>& a, const Quat<T>& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
Quat<T> normalized(const Quat<T>& q) {
  const T s = T(1) / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}
template <class T>
Mat3<T> to_matrix(const Quat<T>& q) {
  const T two(2), one(1);
  return {{one - two * (q.y * q.y + q.z * q.z), two * (q.x * q.y + q.w * q.z),
           two * (q.x * q.z - q.w * q.y)},
          {two * (q.x * q.y - q.w * q.z), one - two * (q.x * q.x + q.z * q.z),
           two * (q.y * q.z + q.w * q.x)},
          {two * (q.x * q.z + q.w * q.y), two * (q.y * q.z - q.w * q.x),
           one - two * (q.x * q.x + q.y * q.y)}};
}
// The rotation by the vector `rotation` [rad], after q, in q's own (body) frame.
template <class T>
Quat<T> integrate_quat(const Quat<T>& q, const Vec3<T>& rotation) {
  const T angle = norm(rotation);
  T s, c;
  sincos(angle * T(0.5), s, c);
  const T tiny(1e-15);
  const T k = select(angle > tiny, s / max(angle, tiny), T(0.5));
  return normalized(q * Quat<T>{c, k * rotation.x, k * rotation.y, k * rotation.z});
}

// A symmetric 3×3 matrix.
template <class T>
struct Sym3 {
  T xx, xy, xz, yy, yz, zz;

  friend Vec3<T> operator*(const Sym3& m, const Vec3<T>& a) {
    return {m.xx * a.x + m.xy * a.y + m.xz * a.z, m.xy * a.x + m.yy * a.y + m.yz * a.z,
            m.xz * a.x + m.yz * a.y + m.zz * a.z};
  }
  friend Sym3 operator+(const Sym3& a, const Sym3& b) {
    return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
  }
  friend Sym3 operator*(const T& s, const Sym3& a) {
    return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
  }
  Sym3& operator+=(const Sym3& b) { return *this = *this + b; }
};

template <class T>
Sym3<T> broadcast(const Sym3<double>& a) {
  return {T(a.xx), T(a.xy), T(a.xz), T(a.yy), T(a.yz), T(a.zz)};
}
template <class T>
Sym3<T> outer(const Vec3<T>& a) {
  return {a.x * a.x, a.x * a.y, a.x * a.z, a.y * a.y, a.y * a.z, a.z * a.z};
}
template <class T>
Sym3<T> diagonal3(T s) {
  return {s, T(0), T(0), s, T(0), s};
}
// R S Rᵀ
template <class T>
FOOTFALL_INLINE Sym3<T> rotate(const Mat3<T>& r, const Sym3<T>& s) {
  const Vec3<T> a = s.xx * r.x + s.xy * r.y + s.xz * r.z;  // columns of R S
  const Vec3<T> b = s.xy * r.x + s.yy * r.y + s.yz * r.z;
  const Vec3<T> c = s.xz * r.x + s.yz * r.y + s.zz * r.z;
  return {a.x * r.x.x + b.x * r.y.x + c.x * r.z.x, a.x * r.x.y + b.x * r.y.y + c.x * r.z.y,
          a.x * r.x.z + b.x * r.y.z + c.x * r.z.z, a.y * r.x.y + b.y * r.y.y + c.y * r.z.y,
          a.y * r.x.z + b.y * r.y.z + c.y * r.z.z, a.z * r.x.z + b.z * r.y.z + c.z * r.z.z};
}

// The same for a diagonal S.
template <class T>
FOOTFALL_INLINE Sym3<T> rotate_diagonal(const Mat3<T>& r, const Sym3<T>& s) {
  const Vec3<T> a = s.xx * r.x, b = s.yy * r.y, c = s.zz * r.z;
  return {a.x * r.x.x + b.x * r.y.x + c.x * r.z.x, a.x * r.x.y + b.x * r.y.y + c.x * r.z.y,
          a.x * r.x.z + b.x * r.y.z + c.x * r.z.z, a.y * r.x.y + b.y * r.y.y + c.y * r.z.y,
          a.y * r.x.z + b.y * r.y.z + c.y * r.z.z, a.z * r.x.z + b.z * r.y.z + c.z * r.z.z};
}

// A twist, a wrench, or another pair of an angular and a linear vector about O.
template <class T>
struct Spatial {
  Vec3<T> ang, lin;

  friend Spatial operator+(const Spatial& a, const Spatial& b) {
    return {a.ang + b.ang, a.lin + b.lin};
  }
  friend Spatial operator-(const Spatial& a, const Spatial& b) {
    return {a.ang - b.ang, a.lin - b.lin};
  }
  friend Spatial operator*(const T& s, const Spatial& a) { return {s * a.ang, s * a.lin}; }
  Spatial& operator+=(const Spatial& b) { return *this = *this + b; }
  Spatial& operator-=(const Spatial& b) { return *this = *this - b; }
};
template <class T>
using Twist = Spatial<T>;
template <class T>
using Wrench = Spatial<T>;

template <class T>
Spatial<T> zero6() {
  return {zero3<T>(), zero3<T>()};
}
template <class T>
T dot(const Spatial<T>& a, const Spatial<T>& b) {
  return dot(a.ang, b.ang) + dot(a.lin, b.lin);
}
template <class T>
Spatial<T> select(const Mask<T>& m, const Spatial<T>& yes, const Spatial<T>& no) {
  return {select<T>(m, yes.ang, no.ang), select<T>(m, yes.lin, no.lin)};
}
// v × m: rate of change of a motion vector m that moves with twist v.
template <class T>
Twist<T> cross_motion(const Twist<T>& v, const Twist<T>& m) {
  return {cross(v.ang, m.ang), cross(v.ang, m.lin) + cross(v.lin, m.ang)};
}
// v ×* f: rate of change of a force vector f that moves with twist v.
template <class T>
Wrench<T> cross_force(const Twist<T>& v, const Wrench<T>& f) {
  return {cross(v.ang, f.ang) + cross(v.lin, f.lin), cross(v.ang, f.lin)};
}

// Twist about O of unit rotation about `axis` through a point with p_OP = arm.
template <class T>
Twist<T> revolute_twist(const Vec3<T>& axis, const Vec3<T>& arm) {
  return {axis, cross(arm, axis)};
}

// A rigid body's inertia about O: mass, first moment m·c and second moment.
template <class T>
struct RigidInertia {
  T mass;
  Vec3<T> moment;  // mass × (centre of mass − O) [kg m]
  Sym3<T> second;  // rotational inertia about O [kg m²]

  friend Wrench<T> operator*(const RigidInertia& i, const Twist<T>& v) {
    return {i.second * v.ang + cross(i.moment, v.lin), i.mass * v.lin - cross(i.moment, v.ang)};
  }
  RigidInertia& operator+=(const RigidInertia& b) {
    mass += b.mass;
    moment += b.moment;
    second += b.second;
    return *this;
  }
};

// Inertia about O of a mass m at c = p_OCm, from its inertia about its own centre.
template <class T>
RigidInertia<T> shift_inertia(const T& m, const Vec3<T>& c, const Sym3<T>& I) {
  const Vec3<T> mc = m * c;
  const T xx = mc.x * c.x, yy = mc.y * c.y, zz = mc.z * c.z;
  return {m,
          {mc.x, mc.y, mc.z},
          {I.xx + yy + zz, I.xy - mc.x * c.y, I.xz - mc.x * c.z, I.yy + xx + zz, I.yz - mc.y * c.z,
           I.zz + xx + yy}};
}

// A symmetric 6×6 matrix, in blocks [angular, coupling; couplingᵀ, linear].
template <class T>
struct Sym6 {
  Sym3<T> angular;
  Mat3<T> coupling;
  Sym3<T> linear;

  static Sym6 from_blocks(const Sym3<T>& angular, const Mat3<T>& coupling, const Sym3<T>& linear) {
    return {angular, coupling, linear};
  }
  friend Wrench<T> operator*(const Sym6& m, const Twist<T>& v) {
    return {m.angular * v.ang + m.coupling * v.lin,
            transpose_times(m.coupling, v.ang) + m.linear * v.lin};
  }
  Sym6& operator+=(const Sym6& b) {
    angular += b.angular;
    coupling += b.coupling;
    linear += b.linear;
    return *this;
  }
  void add_rigid(const RigidInertia<T>& b) {
    const Vec3<T>& c = b.moment;
    angular += b.second;
    coupling.x.y += c.z;
    coupling.x.z -= c.y;
    coupling.y.x -= c.z;
    coupling.y.z += c.x;
    coupling.z.x += c.y;
    coupling.z.y -= c.x;
    linear.xx += b.mass;
    linear.yy += b.mass;
    linear.zz += b.mass;
  }
  // adds s·u uᵀ
  void add_outer(const T& s, const Spatial<T>& u) {
    const Spatial<T> su = s * u;
    angular += Sym3<T>{su.ang.x * u.ang.x, su.ang.x * u.ang.y, su.ang.x * u.ang.z,
                       su.ang.y * u.ang.y, su.ang.y * u.ang.z, su.ang.z * u.ang.z};
    coupling += Mat3<T>{su.lin.x * u.ang, su.lin.y * u.ang, su.lin.z * u.ang};
    linear += Sym3<T>{su.lin.x * u.lin.x, su.lin.x * u.lin.y, su.lin.x * u.lin.z,
                      su.lin.y * u.lin.y, su.lin.y * u.lin.z, su.lin.z * u.lin.z};
  }
  // the lower triangle, row by row
  void get_lower(T (&a)[6][6]) const {
    const Sym3<T>&m = angular, &n = linear;
    const Mat3<T>& k = coupling;
    a[0][0] = m.xx, a[1][0] = m.xy, a[1][1] = m.yy, a[2][0] = m.xz, a[2][1] = m.yz, a[2][2] = m.zz;
    a[3][0] = k.x.x, a[3][1] = k.x.y, a[3][2] = k.x.z, a[3][3] = n.xx;
    a[4][0] = k.y.x, a[4][1] = k.y.y, a[4][2] = k.y.z, a[4][3] = n.xy, a[4][4] = n.yy;
    a[5][0] = k.z.x, a[5][1] = k.z.y, a[5][2] = k.z.z, a[5][3] = n.xz, a[5][4] = n.yz;
    a[5][5] = n.zz;
  }
};

template <class T>
Sym6<T> to_sym6(const RigidInertia<T>& i) {
  const Vec3<T>& c = i.moment;
  return Sym6<T>::from_blocks(
      i.second, {{T(0), c.z, -c.y}, {-c.z, T(0), c.x}, {c.y, -c.x, T(0)}},  // columns of [c]×
      diagonal3(i.mass));
}

// Solves m x = b by LDLᵀ; m must be positive definite. Returns x.
template <class T>
Spatial<T> solve(const Sym6<T>& m, const Spatial<T>& b) {
  T a[6][6];
  m.get_lower(a);
  T x[6] = {b.ang.x, b.ang.y, b.ang.z, b.lin.x, b.lin.y, b.lin.z};
  T inverse[6];
  // Unrolled, so that the matrix stays in registers. Right-looking: column j, then the rest.
  FOOTFALL_UNROLL_6
  for (int j = 0; j < 6; ++j) {
    inverse[j] = T(1) / a[j][j];
    FOOTFALL_UNROLL_6
    for (int i = j + 1; i < 6; ++i) {
      const T l = a[i][j] * inverse[j];
      FOOTFALL_UNROLL_6
      for (int k = j + 1; k <= i; ++k) a[i][k] -= l * a[k][j];
      x[i] -= l * x[j];
    }
  }
  FOOTFALL_UNROLL_6
  for (int i = 5; i >= 0; --i) {
    FOOTFALL_UNROLL_6
    for (int k = i + 1; k < 6; ++k) x[i] -= a[k][i] * x[k];
    x[i] *= inverse[i];
  }
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

}  // namespace footfall
