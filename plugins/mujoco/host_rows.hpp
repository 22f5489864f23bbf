// HostRows: constraints of another engine as terms of the solver, so that its joints' limits, dry friction, loops and
// contacts hold while the feet find their forces.
//
// A row is a convex function of u = J v at the end of the step, as MuJoCo has it: with r = (u − u_start)/h − a_ref
// the cost h² s(r) is
//
//   equality    ½ D r²
//   friction    ½ D r², beyond |D r| = limit straight: a Huber function
//   one_sided   ½ D r² for r < 0, else 0
//   cone        of a normal row and `dim − 1` along the surface: 0 inside of the dual cone, ½ Σ D r² below the
//               polar one, between them ½ D₀/(μ²(1+μ²)) (N − μT)², N = μ r₀, T = |f_j r_j|
//
// Their velocities are those of a dense problem, HostRows::solution, not of the sweep.
#pragma once

#include <array>

#include "footfall/solver/terms.hpp"

namespace footfall {

struct CarriedFeet;

enum class HostRowKind { equality, friction, one_sided, cone };

// Rows that have one cost together: one, or those of a cone.
struct HostBlock {
  HostRowKind kind = HostRowKind::equality;
  int first = 0, dim = 1;
  double mu = 0;                       // of the regularised cone
  std::array<double, 5> friction{};    // f_j of the rows along the surface
  std::array<double, 36> curvature{};  // ∇²ℓ at the trial, dim × dim
};

class HostRows {
 public:
  using L = Pack<double>;
  static constexpr int kMaxDim = 6;

  void start_step(double timestep, int dofs) {
    h_ = timestep;
    dofs_ = dofs;
    blocks_.clear();
    rows_.clear();
    jacobian_.clear();
  }
  // Begins a block; its rows follow.
  HostBlock& add_block(HostRowKind kind, int dim) {
    HostBlock& block = blocks_.emplace_back();
    block.kind = kind;
    block.first = static_cast<int>(rows_.size());
    block.dim = dim;
    return block;
  }
  // A row of the last block: returns its Jacobian to be filled, zeros. `start` is J v at the step's start.
  double* add_row(double D, double limit, double start, double reference) {
    rows_.push_back({D, limit, start / h_ + reference, start});
    jacobian_.resize(jacobian_.size() + dofs_, 0.0);
    return jacobian_.data() + jacobian_.size() - dofs_;
  }
  bool empty() const { return rows_.empty(); }
  // Whose problem it is: the solver's linearised step is dense where these rows are among its lists.
  CarriedFeet* feet = nullptr;
  // That step's solution.
  const double* solution = nullptr;

  // Adds Jᵀ ∇²ℓ J to the lower triangle of K, with `stride` numbers in a row, and Jᵀ(∇²ℓ u − ∇ℓ) to `right`.
  void add_to(double* K, int stride, double* right) const {
    for (const HostBlock& b : blocks_) {
      for (int i = 0; i < b.dim; ++i) {
        const Row& row = rows_[b.first + i];
        double pull = -row.gradient;
        for (int k = 0; k < b.dim; ++k) pull += b.curvature[i * b.dim + k] * rows_[b.first + k].u;
        const double* J = jacobian_of(b.first + i);
        for (int j = 0; j < dofs_; ++j) right[j] += pull * J[j];
        for (int k = 0; k < b.dim; ++k) {
          add_product(b.curvature[i * b.dim + k], J, jacobian_of(b.first + k), K, stride);
        }
      }
    }
  }

  // ---- a list of terms, see terms.hpp ----
  void start() {
    for (Row& row : rows_) {
      row.u = row.start;
      row.balance = 0;
    }
    evaluate_all();
  }
  void add_to_slots(LinkSweep<double>&) const {}
  void rest(const Mask<double>&) {}
  void add_to_links(int, Sym6<L>&, Wrench<L>&) const {}
  void take_first_step(const LinkSweep<double>&, Residual<L>& residual) {
    find_targets();
    for (Row& row : rows_) {
      row.u += row.step;
      row.balance += row.balance_step;
    }
    evaluate_all();
    measure(residual);
  }
  void set_search_steps(const LinkSweep<double>&) { find_targets(); }
  void add_start_slope(Slope<L>& slope) const {
    for (const Row& row : rows_) {
      slope.first += one(row.step * (row.gradient - row.balance));
      slope.size += one(std::abs(row.step * row.gradient) + std::abs(row.step * row.balance));
    }
  }
  void add_slope(const L& alpha, Slope<L>& slope) {
    const double a = get_item<double>(alpha, 0);
    std::array<double, kMaxDim> u{}, gradient{};
    std::array<double, 36> H{};
    for (const HostBlock& b : blocks_) {
      for (int i = 0; i < b.dim; ++i) u[i] = rows_[b.first + i].u + a * rows_[b.first + i].step;
      evaluate(b, u.data(), gradient.data(), H.data());
      for (int i = 0; i < b.dim; ++i) {
        const Row& row = rows_[b.first + i];
        double along = -row.balance_step;
        for (int k = 0; k < b.dim; ++k) along += H[i * b.dim + k] * rows_[b.first + k].step;
        slope.first += one(row.step * (gradient[i] - row.balance - a * row.balance_step));
        slope.second += one(row.step * along);
        slope.size += one(std::abs(row.step * gradient[i]) + std::abs(row.step * row.balance));
      }
    }
  }
  void take_step(const L& alpha, Residual<L>& residual) {
    const double a = get_item<double>(alpha, 0);
    for (Row& row : rows_) {
      row.u += a * row.step;
      row.balance += a * row.balance_step;
    }
    evaluate_all();
    measure(residual);
  }
  double measure_limit_change() const { return 0; }
  void update_limits(const Mask<double>&) {}

 private:
  struct Row {
    double D, limit;
    double offset;  // u_start/h + a_ref: r = u/h − offset
    double start;
    double u = 0, gradient = 0, balance = 0;  // at the trial
    double step = 0, balance_step = 0;        // from it to the solution
  };

  // A number as one item of a pack.
  static L one(double value) {
    L pack(0);
    set_item<double>(pack, 0, value);
    return pack;
  }
  const double* jacobian_of(int row) const {
    return jacobian_.data() + static_cast<std::size_t>(row) * dofs_;
  }
  void add_product(double s, const double* a, const double* b, double* K, int stride) const {
    if (s == 0) return;
    for (int i = 0; i < dofs_; ++i) {
      if (a[i] == 0) continue;
      const double sa = s * a[i];
      for (int j = 0; j <= i; ++j) K[i * stride + j] += sa * b[j];
    }
  }
  void find_targets() {
    for (const HostBlock& b : blocks_) {
      for (int i = 0; i < b.dim; ++i) {
        Row& row = rows_[b.first + i];
        const double* J = jacobian_of(b.first + i);
        double u = 0;
        for (int j = 0; j < dofs_; ++j) u += J[j] * solution[j];
        row.step = u - row.u;
      }
      for (int i = 0; i < b.dim; ++i) {
        Row& row = rows_[b.first + i];
        row.balance_step = row.gradient - row.balance;
        for (int k = 0; k < b.dim; ++k) {
          row.balance_step += b.curvature[i * b.dim + k] * rows_[b.first + k].step;
        }
      }
    }
  }
  void evaluate_all() {
    std::array<double, kMaxDim> u{}, gradient{};
    for (HostBlock& b : blocks_) {
      for (int i = 0; i < b.dim; ++i) u[i] = rows_[b.first + i].u;
      evaluate(b, u.data(), gradient.data(), b.curvature.data());
      for (int i = 0; i < b.dim; ++i) rows_[b.first + i].gradient = gradient[i];
    }
  }
  void measure(Residual<L>& residual) const {
    for (const Row& row : rows_) {
      residual.error = max(residual.error, L(square(row.gradient - row.balance)));
      residual.scale = max(residual.scale, L(square(row.balance)));
    }
  }

  // ∇ℓ and ∇²ℓ of a block.
  void evaluate(const HostBlock& b, const double* u, double* gradient, double* H) const {
    if (b.kind == HostRowKind::cone) return evaluate_cone(b, u, gradient, H);
    const Row& row = rows_[b.first];
    const double slope = row.D * (u[0] / h_ - row.offset);
    gradient[0] = h_ * slope;
    H[0] = row.D;
    const bool slides = b.kind == HostRowKind::friction && std::abs(slope) >= row.limit;
    const bool clear = b.kind == HostRowKind::one_sided && slope >= 0;
    if (slides) gradient[0] = h_ * std::copysign(row.limit, slope);
    if (clear) gradient[0] = 0;
    if (slides || clear) H[0] = 0;
  }
  void evaluate_cone(const HostBlock& b, const double* u, double* gradient, double* H) const {
    std::array<double, kMaxDim> r{}, U{};
    double T2 = 0;
    for (int i = 0; i < b.dim; ++i) {
      r[i] = u[i] / h_ - rows_[b.first + i].offset;
      U[i] = r[i] * (i == 0 ? b.mu : b.friction[i - 1]);
      if (i > 0) T2 += U[i] * U[i];
      gradient[i] = 0;
    }
    for (int i = 0; i < b.dim * b.dim; ++i) H[i] = 0;
    const double mu = b.mu, N = U[0], T = std::sqrt(T2);
    if (N >= mu * T) return;
    if (mu * N + T <= 0) {
      for (int i = 0; i < b.dim; ++i) {
        gradient[i] = h_ * rows_[b.first + i].D * r[i];
        H[i * b.dim + i] = rows_[b.first + i].D;
      }
      return;
    }
    const double D = rows_[b.first].D / (mu * mu * (1 + mu * mu)), off = N - mu * T;
    std::array<double, kMaxDim> a{};  // ∂(N − μT)/∂r
    a[0] = mu;
    for (int i = 1; i < b.dim; ++i) a[i] = -mu * b.friction[i - 1] * U[i] / T;
    for (int i = 0; i < b.dim; ++i) {
      gradient[i] = h_ * D * off * a[i];
      for (int k = 0; k < b.dim; ++k) {
        double bend = 0;
        if (i > 0 && k > 0) {
          const double f = b.friction[i - 1] * b.friction[k - 1];
          bend = -mu * f * ((i == k ? 1 : 0) / T - U[i] * U[k] / (T2 * T));
        }
        H[i * b.dim + k] = D * (a[i] * a[k] + off * bend);
      }
    }
  }

  double h_ = 0;
  int dofs_ = 0;
  std::vector<HostBlock> blocks_;
  std::vector<Row> rows_;
  std::vector<double> jacobian_;  // of each row, dense
};

}  // namespace footfall
