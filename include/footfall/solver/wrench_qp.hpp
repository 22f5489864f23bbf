// Impulses of feet in convex sets that are given by their vertices, such that as little motion as possible
// is left: the problem of a step on granular media (Zhu 2019, (2)).
//
//   minimise ½ |b + Σ_i B_i c_i|²   over c_i = Σ_k λ_ik w_ik,  λ_ik ≥ 0,  Σ_k λ_ik ≤ 1
//
// The vertices w_ik of foot i and zero span its set; neither a hull nor half-spaces are needed. It is the
// point nearest to the origin in a sum of polytopes, and the method is Wolfe's (1976) with a corral for
// each foot: vertices whose images B(w − w_ref) are linearly independent, w_ref one of them. From the
// nearest point z of their affine hulls the vertex that leads farthest down, min_k (B_iᵀz)·w_ik, joins its
// foot's corral; where the new nearest point needs a negative λ, the way there ends where the first λ is
// zero, and that vertex leaves. Each corral is met at most once, since |z| falls from one to the next: the
// method is finite, and exact but for rounding. A vertex that leads down is never dependent on its corral
// (z is orthogonal to all of it), so B may be singular: z is unique all the same, c need not be.
//
// The images are kept as Q R with orthonormal Q, so the conditioning is that of B, not of BᵀB.
#pragma once

#include <span>
#include <vector>

#include "footfall/math/lanes.hpp"

namespace footfall {

inline constexpr int kMaxWrenchParts = 6;
inline constexpr int kMaxCorral = kMaxWrenchParts + 1;
// Who is in a corral beside vertices.
inline constexpr int kZeroVertex = -1;
inline constexpr int kNoVertex = -2;

// Vertices of one foot's set, part by part, in whole lanes of eight; what is left over is zero.
class VertexSet {
 public:
  VertexSet() = default;
  VertexSet(int parts, int max_count)
      : stride_((max_count + kLaneCount - 1) / kLaneCount * kLaneCount),
        numbers_(static_cast<std::size_t>(parts) * stride_) {}
  // Of vertices that are all zero.
  void resize(int count);
  int count() const { return count_; }
  double* part(int p) { return &numbers_[static_cast<std::size_t>(p) * stride_]; }
  const double* part(int p) const { return &numbers_[static_cast<std::size_t>(p) * stride_]; }

 private:
  int stride_ = 0, count_ = 0;
  std::vector<double> numbers_;
};

// What a solve came to. Says failure until success is proven.
struct WrenchQpReport {
  bool converged = false;
  int iterations = 0;  // nearest points found
  double gap = 0;      // by which ½|z|² may at most be above its minimum [unit of |b|²]
};

// Made once for the largest size; setting and solving allocate nothing.
class WrenchQp {
 public:
  // parts: of a wrench, 1 to 6.
  WrenchQp(int max_feet, int parts, int max_rows);

  // A problem with all of B and b zero; then fill columns and offset.
  void start(int feet, int rows);
  double* column(int foot, int part) { return &B_[index(foot * parts_ + part)]; }
  double* offset() { return b_.data(); }
  // Turns ½ |z|² of z = b + B c into ½ |z|² + ½ Σ masses (Bᵀz)²: inertia that moves with the feet. B and b
  // become SᵀB and Sᵀb with S Sᵀ = 1 + B masses Bᵀ. `masses` of each foot, part by part, none negative.
  void add_masses(std::span<const double> masses);

  // `sets` has a set for each foot. `corrals`, kMaxCorral vertices of each foot: those to start from
  // (kNoVertex: none; any are good, those of a like problem save time), and afterwards the solution's.
  WrenchQpReport solve(std::span<const VertexSet* const> sets, std::span<int> corrals);

  // of the solution
  double impulse(int foot, int part) const { return c_[foot * parts_ + part]; }
  const double* residual() const { return z_.data(); }  // z
  int feet() const { return feet_; }
  int rows() const { return rows_; }
  int parts() const { return parts_; }

 private:
  using Sets = std::span<const VertexSet* const>;
  struct Member {  // a vertex that is not its foot's reference: a column of Q R
    int foot, vertex;
    double weight;
  };
  struct Reference {
    int vertex;
    double weight;
  };
  struct Support {
    int vertex;
    double value;
  };
  std::size_t index(int column) const { return static_cast<std::size_t>(column) * stride_; }
  void apply_metric(double* x) const;
  void start_corrals(Sets sets, std::span<const int> corrals);
  bool append(Sets sets, const Member& member);
  void remove(Sets sets, int member);
  void change_reference(Sets sets, int foot);
  void find_nearest(Sets sets);
  bool walk(Sets sets);
  Support find_support(const VertexSet& set, int foot) const;
  bool add_best(Sets sets, WrenchQpReport& report);
  void write_solution(Sets sets, std::span<int> corrals);
  void add_image(const VertexSet& set, int foot, int vertex, double factor, double* out) const;
  double image_size(const VertexSet& set, int foot, int vertex) const;

  int parts_, stride_, max_members_;
  int feet_ = 0, rows_ = 0, used_ = 0;  // used_: rows in use, in whole lanes
  std::vector<double> B_, b_, z_, Q_;   // columns, stride_ apart
  std::vector<double> metric_;          // S, rows stride_ apart
  std::vector<double> size_;            // norms of B's columns
  std::vector<double> R_;               // columns, max_members_ apart
  std::vector<Member> members_;
  int count_ = 0;  // of members
  std::vector<Reference> references_;
  std::vector<double> target_, rest_;  // wanted weights of members, of references
  std::vector<Support> supports_;
  std::vector<double> c_;
  double start_size_ = 0;  // |z| before the corrals' parts are taken out of it
};

}  // namespace footfall
