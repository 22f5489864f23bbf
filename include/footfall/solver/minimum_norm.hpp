// Forces on the points of bodies that give the points wanted velocities: the minimum-norm solution of
// a system that has more points than the bodies have ways to move.
//
// The points of one body move as its twist says, so their 3m velocities fill at most six dimensions.
// About the points' centroid, translations and rotations of them are orthogonal, and an orthonormal
// basis Q of these velocities is at hand without a decomposition of a 3m×3m matrix:
//
//   translation k   every point moves by e_k/√m
//   rotation k      point i moves by a_k × ρ_i, with aᵢᵀ T a_k = δ_ik, T = Σ |ρ|² 1 − ρρᵀ
//
// One point has rank 3, points on a line 5, all others 6: a matter of geometry alone. With W = J A⁻¹ Jᵀ
// and Z = Qᵀ W Q follows W = Q Z Qᵀ and, since QᵀQ = 1, the pseudo-inverse W⁺ = Q Z⁺ Qᵀ. Z has at most
// six rows per body. It is singular itself where the robot cannot move the points that way (planar
// robots, two feet of a robot with few joints); a pivoted Cholesky factor finds the rank.
#pragma once

#include <vector>

#include "footfall/math/spatial.hpp"

namespace footfall {

// What is less than this share of the largest pivot counts as zero. Rounding is 1e-16. A direction in
// which the points seem 1e7 times as heavy as in another is one that the robot cannot move them in (a
// leg all but straight): to ask for it would cost forces without bound and move nothing.
inline constexpr double kRankTolerance = 1e-7;

// Z = L Lᵀ of a positive semidefinite matrix, rows taken in the order of the largest pivot. Made once
// for the largest size; factor and solve allocate nothing.
class PivotedCholesky {
 public:
  explicit PivotedCholesky(int max_size);
  // Of n×n numbers, rows `stride` apart, which are kept. Returns the rank.
  int factor(const double* Z, int n, int stride);
  // x = Z⁺ b in place of b; n as in factor.
  void solve(double* b);

 private:
  // y = R⁻¹ y or R⁻ᵀ y with the rank×rank lower triangle of the first rows in the pivots' order
  void solve_lower(double* y) const;
  void solve_upper(double* y) const;
  void solve_deficient(double* b);

  int max_size_, size_ = 0, rank_ = 0;
  std::vector<double> L_;        // size × rank, rows max_size_ apart, in Z's order
  std::vector<double> gram_;     // LᵀL and then its factor, where the rank is short
  std::vector<double> rest_;     // of each row: what is left of its diagonal
  std::vector<double> scratch_;  // the solution on its way
  std::vector<int> order_;       // rows of Z by pivots
};

// The basis of one body's points.
struct PointBasis {
  int count = 0;           // m
  int rotations = 0;       // 0, 2 or 3
  Vec3d centroid{};        // of the points, about O, world axes [m]
  Vec3d axis[3]{};         // a_k [1/m]
  Vec3d moment[3]{};       // T a_k: the moment about the centroid of forces a_k × ρ_i [m]
  double translation = 0;  // 1/√m

  int rank() const { return count == 0 ? 0 : 3 + rotations; }
};
// Of the points at `p`, about O.
PointBasis make_point_basis(const Vec3d* p, int count);
// Qᵀ u: parts of the points' vectors u along the basis, rank() numbers.
void project(const PointBasis& basis, const Vec3d* p, const Vec3d* u, double* parts);
// Point i of Q x.
Vec3d point_vector(const PointBasis& basis, const Vec3d& p, const double* x);
// The wrench about O of the forces on all points that basis vector k stands for.
Wrench<double> basis_wrench(const PointBasis& basis, int k);

}  // namespace footfall
