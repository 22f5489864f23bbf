// ContactProblem: what the solver of a step works on, contacts and joint rows in packs.
#pragma once

#include <vector>

#include "footfall/ground/evaluate.hpp"
#include "footfall/soft/soft_point.hpp"

namespace footfall {

// A force on one dof: gradient of ℓ = clamp(offset + slope·v, lower, upper) [N s or N m s].
template <class T>
struct JointRow {
  int slot;                       // of its dof, see LinkTree::slots
  T offset, slope, lower, upper;  // filled by the row's maker
  T gradient, curvature;          // filled by evaluate_row, at the trial velocity
  T velocity;                     // trial, kept by the solver
  T balance;                      // as in ContactPoint
};

template <class T>
void evaluate_row(JointRow<T>& row) {
  const T y = row.offset + row.slope * row.velocity;
  row.gradient = min(max(y, row.lower), row.upper);
  row.curvature = select((y > row.lower) & (y < row.upper), row.slope, T(0));
}

namespace solver_detail {

// Where a search step leads from the current trial: all that φ' needs of a point.
template <class T>
struct PointStep {
  Vec3<T> velocity;  // Δu [m/s]
  T spin;            // [rad/s]
  Vec3<T> balance;   // Δλ [N s]
  T spin_balance;
};
template <class T>
struct RowStep {
  T velocity;
  T balance;
};

}  // namespace solver_detail

// The joint rows of one step, in packs. Room for all that a world can have is made once.
template <class T>
class JointRows {
 public:
  explicit JointRows(int max_rows) : rows_(max_rows) {}
  void clear() { count_ = 0; }
  JointRow<Pack<T>>& next() { return rows_[count_++]; }  // to be filled by the caller
  std::size_t size() const { return count_; }
  JointRow<Pack<T>>& operator[](std::size_t i) { return rows_[i]; }
  const JointRow<Pack<T>>& operator[](std::size_t i) const { return rows_[i]; }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.begin() + static_cast<std::ptrdiff_t>(count_); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.begin() + static_cast<std::ptrdiff_t>(count_); }

 private:
  std::vector<JointRow<Pack<T>>> rows_;
  std::size_t count_ = 0;
};

// Where a pack of points is: on items of a group of links.
struct PackPlace {
  int sole_pack = 0;  // see SolePlan
  int group = 0;
  int item = -1;  // all points are on this item's link; −1: point i is on item i
};

namespace solver_detail {
template <class T>
struct SoftStep {
  Spatial<T> velocity;  // Δu, frame C
  Spatial<T> balance;   // Δλ
};
}  // namespace solver_detail

// The soft contacts of one step, in packs, those of one group of links together.
template <class T>
struct SoftProblem {
  using L = Pack<T>;
  SoftProblem(int max_packs, int group_count)
      : contacts(max_packs), places(max_packs), first_pack(group_count + 1), steps(max_packs) {}
  int count = 0;  // of packs in use
  std::vector<SoftPoint<L>> contacts;
  std::vector<PackPlace> places;  // sole_pack: of SoftPlan
  std::vector<int> first_pack;    // of each group of links
  std::vector<solver_detail::SoftStep<L>> steps;
};

// The contacts and rows of one step, and the search steps over them. Made once, never grown.
template <class T>
struct ContactProblem {
  using L = Pack<T>;
  ContactProblem(int max_points, int max_packs, int max_soft_packs, int group_count, int max_rows)
      : points(max_points), first_pack(group_count + 1), places(max_packs), rows(max_rows),
        soft(max_soft_packs, group_count), packs_(max_packs), point_steps(max_packs),
        row_steps(max_rows) {}
  // Points that may touch, in packs, those of one group of links together.
  std::vector<ContactPoint<L>>& packs() {
    if constexpr (pack_size<T> == 1) {
      return points;
    } else {
      return packs_;
    }
  }
  const std::vector<ContactPoint<L>>& packs() const {
    return const_cast<ContactProblem*>(this)->packs();
  }

  // for readers: the points one by one, written after the solve (list_points)
  std::vector<ContactPoint<T>> points;
  int point_count = 0;  // of points in use

  int pack_count = 0;           // of packs in use
  std::vector<int> first_pack;  // of each group of links
  std::vector<PackPlace> places;
  JointRows<T> rows;
  SoftProblem<T> soft;  // in place of the points where contact = "soft_constraint"

 private:
  std::vector<ContactPoint<L>> packs_;

 public:
  std::vector<solver_detail::PointStep<L>> point_steps;
  std::vector<solver_detail::RowStep<L>> row_steps;
};

}  // namespace footfall
