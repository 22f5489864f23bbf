#include "fit/nelder_mead.hpp"

#include <algorithm>
#include <cmath>

namespace footfall {
namespace {

struct Vertex {
  std::vector<double> x;
  double value = 0;
};

class Simplex {
 public:
  Simplex(const std::function<double(std::span<const double>)>& function,
          const std::vector<double>& lower, const std::vector<double>& upper)
      : function_(function), lower_(lower), upper_(upper) {}

  void start_at(const std::vector<double>& x) {
    vertices_.assign(1, evaluate(x));
    if (evaluations_ == 1) first_value_ = vertices_.front().value;
    for (size_t i = 0; i < x.size(); ++i) {
      std::vector<double> moved = x;
      const double step = x[i] != 0 ? 0.05 * x[i] : 0.00025;  // as fminsearch has them
      moved[i] = x[i] + step > upper_[i] || x[i] + step < lower_[i] ? x[i] - step : x[i] + step;
      vertices_.push_back(evaluate(std::move(moved)));
    }
    sort();
  }

  void step() {
    const Vertex& worst = vertices_.back();
    const Vertex reflected = along(1);
    if (reflected.value < vertices_.front().value) {
      const Vertex expanded = along(2);
      replace_worst(expanded.value < reflected.value ? expanded : reflected);
    } else if (reflected.value < vertices_[vertices_.size() - 2].value) {
      replace_worst(reflected);
    } else {
      const bool outside = reflected.value < worst.value;
      Vertex contracted = along(outside ? 0.5 : -0.5);
      if (contracted.value < std::min(reflected.value, worst.value)) {
        replace_worst(std::move(contracted));
      } else {
        shrink();
      }
    }
  }

  bool is_small(double tolerance) const {
    const Vertex& best = vertices_.front();
    // where the least value is zero, the first one says what is small
    const double size_of_value = std::max(std::abs(best.value), tolerance * std::abs(first_value_));
    if (!(vertices_.back().value - best.value <= tolerance * size_of_value)) return false;
    for (const Vertex& vertex : vertices_) {
      for (size_t i = 0; i < best.x.size(); ++i) {
        const double size = std::max(1.0, std::abs(best.x[i]));
        if (std::abs(vertex.x[i] - best.x[i]) > tolerance * size) return false;
      }
    }
    return true;
  }

  const Vertex& best() const { return vertices_.front(); }
  int evaluations() const { return evaluations_; }

 private:
  Vertex evaluate(std::vector<double> x) {
    for (size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], lower_[i], upper_[i]);
    ++evaluations_;
    const double value = function_(x);
    return {std::move(x), value};
  }

  // The point `factor` times as far beyond the middle of the others as the worst is before it.
  Vertex along(double factor) {
    const std::vector<double>& worst = vertices_.back().x;
    std::vector<double> x(worst.size());
    for (size_t i = 0; i < x.size(); ++i) {
      double middle = 0;
      for (size_t v = 0; v + 1 < vertices_.size(); ++v) middle += vertices_[v].x[i];
      middle /= static_cast<double>(x.size());
      x[i] = middle + factor * (middle - worst[i]);
    }
    return evaluate(std::move(x));
  }

  void replace_worst(Vertex vertex) {
    vertices_.back() = std::move(vertex);
    sort();
  }

  void shrink() {
    for (size_t v = 1; v < vertices_.size(); ++v) {
      std::vector<double> x = vertices_[v].x;
      for (size_t i = 0; i < x.size(); ++i) x[i] = (x[i] + vertices_.front().x[i]) / 2;
      vertices_[v] = evaluate(std::move(x));
    }
    sort();
  }

  void sort() { std::ranges::sort(vertices_, {}, &Vertex::value); }

  const std::function<double(std::span<const double>)>& function_;
  const std::vector<double>&lower_, &upper_;
  std::vector<Vertex> vertices_;  // best first
  int evaluations_ = 0;
  double first_value_ = 0;
};

}  // namespace

SimplexResult minimize_by_simplex(const std::function<double(std::span<const double>)>& function,
                                  const std::vector<double>& start,
                                  const std::vector<double>& lower,
                                  const std::vector<double>& upper, const SimplexOptions& options) {
  const int most = options.most_evaluations > 0 ? options.most_evaluations
                                                : 200 * static_cast<int>(start.size());
  Simplex simplex(function, lower, upper);
  SimplexResult result;
  for (int run = 0; run <= options.restarts; ++run) {
    const int first = simplex.evaluations();
    simplex.start_at(run == 0 ? start : result.x);
    const double before = run == 0 ? simplex.best().value : result.value;
    result.converged = simplex.is_small(options.tolerance);
    while (!result.converged && simplex.evaluations() - first < most) {
      simplex.step();
      result.converged = simplex.is_small(options.tolerance);
    }
    result.x = simplex.best().x;
    result.value = simplex.best().value;
    const bool better = result.value < before * (1 - options.tolerance);
    if (run > 0 && result.converged && !better) break;
  }
  result.evaluations = simplex.evaluations();
  return result;
}

}  // namespace footfall
