#include "footfall/solver/minimum_norm.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {

PivotedCholesky::PivotedCholesky(int max_size)
    : max_size_(max_size), L_(static_cast<std::size_t>(max_size) * max_size), gram_(L_.size()),
      rest_(max_size), scratch_(max_size), order_(max_size) {}

int PivotedCholesky::factor(const double* Z, int n, int stride) {
  size_ = n;
  rank_ = 0;
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    order_[i] = i;
    rest_[i] = Z[i * stride + i];
    largest = std::fmax(largest, rest_[i]);
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (rest_[order_[i]] > rest_[order_[pivot]]) pivot = i;
    }
    const int p = order_[pivot];
    if (!(rest_[p] > kRankTolerance * largest)) break;
    std::swap(order_[k], order_[pivot]);
    const double* row_p = &L_[p * max_size_];
    const double root = std::sqrt(rest_[p]), inverse = 1 / root;
    L_[p * max_size_ + k] = root;
    for (int i = k + 1; i < n; ++i) {
      const int r = order_[i];
      double* row = &L_[r * max_size_];
      double sum = Z[r * stride + p];
      for (int j = 0; j < k; ++j) sum -= row[j] * row_p[j];
      row[k] = sum * inverse;
      rest_[r] -= row[k] * row[k];
    }
    ++rank_;
  }
  return rank_;
}

void PivotedCholesky::solve_lower(double* y) const {
  for (int k = 0; k < rank_; ++k) {
    const double* row = &L_[order_[k] * max_size_];
    for (int j = 0; j < k; ++j) y[k] -= row[j] * y[j];
    y[k] /= row[k];
  }
}

void PivotedCholesky::solve_upper(double* y) const {
  for (int k = rank_ - 1; k >= 0; --k) {
    const double* row = &L_[order_[k] * max_size_];
    y[k] /= row[k];
    for (int j = 0; j < k; ++j) y[j] -= row[j] * y[k];
  }
}

void PivotedCholesky::solve(double* b) {
  if (rank_ < size_) {
    solve_deficient(b);
    return;
  }
  for (int k = 0; k < size_; ++k) scratch_[k] = b[order_[k]];
  solve_lower(scratch_.data());
  solve_upper(scratch_.data());
  for (int k = 0; k < size_; ++k) b[order_[k]] = scratch_[k];
}

// Z⁺ = L G⁻¹ G⁻¹ Lᵀ with G = LᵀL, which is regular.
void PivotedCholesky::solve_deficient(double* b) {
  const int r = rank_;
  const auto G = [&](int i, int j) -> double& { return gram_[i * max_size_ + j]; };
  for (int i = 0; i < r; ++i) {
    scratch_[i] = 0;
    for (int j = 0; j <= i; ++j) G(i, j) = 0;
  }
  for (int row = 0; row < size_; ++row) {
    const double* l = &L_[row * max_size_];
    // rows after the rank-th pivot are full, the others end at their own pivot
    const int place =
        static_cast<int>(std::find(order_.begin(), order_.begin() + r, row) - order_.begin());
    const int end = std::min(place + 1, r);
    for (int i = 0; i < end; ++i) {
      scratch_[i] += l[i] * b[row];
      for (int j = 0; j <= i; ++j) G(i, j) += l[i] * l[j];
    }
  }
  for (int i = 0; i < r; ++i) {  // G's own factor, in place
    for (int j = 0; j <= i; ++j) {
      for (int k = 0; k < j; ++k) G(i, j) -= G(i, k) * G(j, k);
      G(i, j) = i == j ? std::sqrt(G(i, i)) : G(i, j) / G(j, j);
    }
  }
  for (int times = 0; times < 2; ++times) {
    for (int i = 0; i < r; ++i) {
      for (int j = 0; j < i; ++j) scratch_[i] -= G(i, j) * scratch_[j];
      scratch_[i] /= G(i, i);
    }
    for (int i = r - 1; i >= 0; --i) {
      scratch_[i] /= G(i, i);
      for (int j = 0; j < i; ++j) scratch_[j] -= G(i, j) * scratch_[i];
    }
  }
  for (int row = 0; row < size_; ++row) {
    const double* l = &L_[row * max_size_];
    const int place =
        static_cast<int>(std::find(order_.begin(), order_.begin() + r, row) - order_.begin());
    b[row] = 0;
    for (int i = 0; i < std::min(place + 1, r); ++i) b[row] += l[i] * scratch_[i];
  }
}

namespace {

double& at(Vec3d& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }
double at(const Vec3d& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

// Rotations of the points about their centroid: T = L Lᵀ by pivots, axes L⁻ᵀ, moments L.
void set_rotations(const Vec3d (&T)[3], double smallest, PointBasis& basis) {
  int order[3] = {0, 1, 2};
  double rest[3] = {T[0].x, T[1].y, T[2].z};
  const double largest = std::max({rest[0], rest[1], rest[2]});
  for (int k = 0; k < 3; ++k) {
    for (int i = k + 1; i < 3; ++i) {
      if (rest[order[i]] > rest[order[k]]) std::swap(order[k], order[i]);
    }
    const int p = order[k];
    if (!(rest[p] > std::fmax(kRankTolerance * largest, smallest))) return;
    Vec3d& l = basis.moment[k];
    l = {0, 0, 0};
    at(l, p) = std::sqrt(rest[p]);
    for (int i = k + 1; i < 3; ++i) {
      const int r = order[i];
      double sum = at(T[r], p);
      for (int j = 0; j < k; ++j) sum -= at(basis.moment[j], r) * at(basis.moment[j], p);
      at(l, r) = sum / at(l, p);
      rest[r] -= at(l, r) * at(l, r);
    }
    // a_k: upper triangular in the pivots' order, with momentᵢ·a_k = δ_ik
    Vec3d& a = basis.axis[k];
    a = {0, 0, 0};
    at(a, p) = 1 / at(l, p);
    for (int i = k - 1; i >= 0; --i) {
      const Vec3d& m = basis.moment[i];
      at(a, order[i]) = -dot(m, a) / at(m, order[i]);
    }
    basis.rotations = k + 1;
  }
}

}  // namespace

PointBasis make_point_basis(const Vec3d* p, int count) {
  PointBasis basis;
  basis.count = count;
  if (count == 0) return basis;
  basis.translation = 1 / std::sqrt(static_cast<double>(count));
  Vec3d sum{0, 0, 0};
  for (int i = 0; i < count; ++i) sum += p[i];
  basis.centroid = (1.0 / count) * sum;
  if (count == 1) return basis;
  Vec3d T[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < count; ++i) {
    const Vec3d r = p[i] - basis.centroid;
    T[0] += Vec3d{r.y * r.y + r.z * r.z, -r.x * r.y, -r.x * r.z};
    T[1] += Vec3d{-r.x * r.y, r.x * r.x + r.z * r.z, -r.y * r.z};
    T[2] += Vec3d{-r.x * r.z, -r.y * r.z, r.x * r.x + r.y * r.y};
  }
  // points closer together than 1e-9 of their distance from O are one
  const double apart = 1e-9 * norm(basis.centroid);
  set_rotations(T, count * apart * apart, basis);
  return basis;
}

void project(const PointBasis& basis, const Vec3d* p, const Vec3d* u, double* parts) {
  Vec3d sum{0, 0, 0}, moment{0, 0, 0};
  for (int i = 0; i < basis.count; ++i) {
    sum += u[i];
    moment += cross(p[i] - basis.centroid, u[i]);
  }
  parts[0] = basis.translation * sum.x;
  parts[1] = basis.translation * sum.y;
  parts[2] = basis.translation * sum.z;
  for (int k = 0; k < basis.rotations; ++k) parts[3 + k] = dot(basis.axis[k], moment);
}

Vec3d point_vector(const PointBasis& basis, const Vec3d& p, const double* x) {
  Vec3d turn{0, 0, 0};
  for (int k = 0; k < basis.rotations; ++k) turn += x[3 + k] * basis.axis[k];
  return basis.translation * Vec3d{x[0], x[1], x[2]} + cross(turn, p - basis.centroid);
}

Wrench<double> basis_wrench(const PointBasis& basis, int k) {
  if (k >= 3) return {basis.moment[k - 3], {0, 0, 0}};
  const double force = basis.translation * basis.count;  // √m
  const Vec3d f{k == 0 ? force : 0, k == 1 ? force : 0, k == 2 ? force : 0};
  return {cross(basis.centroid, f), f};
}

}  // namespace footfall
