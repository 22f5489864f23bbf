// Joint rows: terms on single dofs, such as a joint limit, dry friction or a servo.
#pragma once

#include "footfall/solver/terms.hpp"

namespace footfall {

inline constexpr double kUnbounded = 1e300;

// A force on one dof: gradient of ℓ = clamp(offset + slope·v, lower, upper) [N s or N m s].
template <class T>
struct JointRow {
  int slot;                       // of its dof, see LinkTree::slots
  T offset, slope, lower, upper;  // filled by the row's maker
  T gradient, curvature;          // filled by evaluate_row, at the trial velocity
  T velocity;                     // trial, kept by the list
  T balance;                      // the gradient that the robot's momentum asks for
  T velocity_step, balance_step;  // from the trial to the sweep's solution
};

template <class T>
void evaluate_row(JointRow<T>& row) {
  const T y = row.offset + row.slope * row.velocity;
  row.gradient = min(max(y, row.lower), row.upper);
  row.curvature = select((y > row.lower) & (y < row.upper), row.slope, T(0));
}

// The joint rows of one step, in packs: a list of terms. Room for all that a world can have is made once.
template <class T>
class JointRows {
 public:
  using L = Pack<T>;
  void make_room(int max_rows) { rows_.resize(max_rows); }
  void clear() { count_ = 0; }
  JointRow<L>& next() { return rows_[count_++]; }  // to be filled by the caller
  std::size_t size() const { return count_; }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.begin() + static_cast<std::ptrdiff_t>(count_); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.begin() + static_cast<std::ptrdiff_t>(count_); }

  void start() {
    for (JointRow<L>& r : *this) {
      r.balance = L(0);
      evaluate_row(r);
    }
  }
  void add_to_slots(LinkSweep<T>& sweep) const {
    for (const JointRow<L>& r : *this) {
      sweep.diagonal[r.slot] += r.curvature;
      sweep.generalized[r.slot] -= r.gradient - r.curvature * r.velocity;
    }
  }
  void add_to_links(int, Sym6<L>&, Wrench<L>&) const {}
  void take_first_step(const LinkSweep<T>& sweep, Residual<L>& residual) {
    for (JointRow<L>& r : *this) {
      const L v = sweep.solution[r.slot];
      r.balance = r.gradient + r.curvature * (v - r.velocity);
      r.velocity = v;
      evaluate_row(r);
      measure(r, residual);
    }
  }
  void set_search_steps(const LinkSweep<T>& sweep) {
    for (JointRow<L>& r : *this) {
      r.velocity_step = sweep.solution[r.slot] - r.velocity;
      r.balance_step = r.gradient + r.curvature * r.velocity_step - r.balance;
    }
  }
  void add_start_slope(Slope<L>& slope) const {
    for (const JointRow<L>& r : *this) {
      slope.first += r.velocity_step * (r.gradient - r.balance);
      slope.size += abs(r.velocity_step * r.gradient) + abs(r.velocity_step * r.balance);
    }
  }
  void add_slope(const L& alpha, Slope<L>& slope) {
    for (const JointRow<L>& r : *this) {
      const L y = r.offset + r.slope * (r.velocity + alpha * r.velocity_step);
      const L gradient = min(max(y, r.lower), r.upper);
      const L curvature = select((y > r.lower) & (y < r.upper), r.slope, L(0));
      slope.first += r.velocity_step * (gradient - r.balance - alpha * r.balance_step);
      slope.size += abs(r.velocity_step * gradient) + abs(r.velocity_step * r.balance);
      slope.second += r.velocity_step * (curvature * r.velocity_step - r.balance_step);
    }
  }
  void take_step(const L& alpha, Residual<L>& residual) {
    for (JointRow<L>& r : *this) {
      r.velocity += alpha * r.velocity_step;
      r.balance += alpha * r.balance_step;
      evaluate_row(r);
      measure(r, residual);
    }
  }
  T measure_limit_change() const { return T(0); }
  void update_limits(const Mask<T>&) {}
  void rest(const Mask<T>&) {}

 private:
  static void measure(const JointRow<L>& r, Residual<L>& residual) {
    residual.error = max(residual.error, square(r.gradient - r.balance));
    residual.scale = max(residual.scale, square(r.balance));
  }

  std::vector<JointRow<L>> rows_;
  std::size_t count_ = 0;
};

}  // namespace footfall
