#include "fit/least_squares.hpp"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/fit_solve.hpp"

namespace footfall {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// ‖r + J d‖² about a place, as ‖c + R d‖² and a number that does not change.
struct LinearSquares {
  MatrixXd r;
  VectorXd c;
  VectorXd size;  // D: lengths of J's columns
  Index residual_count;

  LinearSquares(const RowMatrix& jacobian, const VectorXd& residuals)
      : residual_count(residuals.size()) {
    const Index n = jacobian.cols();
    const Eigen::HouseholderQR<MatrixXd> qr(jacobian);
    r = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
    c = (qr.householderQ().adjoint() * residuals).head(n);
    size = jacobian.colwise().norm();
    const double least = 1e-6 * size.maxCoeff();
    size = size.cwiseMax(least > 0 ? least : 1);
  }

  // By how much ‖c + R d‖² falls.
  double decrease(const VectorXd& d) const {
    const VectorXd change = r * d;
    return -change.dot(2 * c + change);
  }

  // The damped step, within `low` and `high`.
  VectorXd step(double radius, const VectorXd& low, const VectorXd& high) const {
    const Index n = r.cols();
    VectorXd d = VectorXd::Zero(n);
    std::vector<Index> free(n);
    for (Index i = 0; i < n; ++i) free[i] = i;
    while (!free.empty()) {
      const Index count = static_cast<Index>(free.size());
      MatrixXd rows = MatrixXd::Zero(n + count, count);
      VectorXd right = VectorXd::Zero(n + count);
      for (const Index i : free) d[i] = 0;
      right.head(n) = -(c + r * d);
      for (Index k = 0; k < count; ++k) {
        rows.col(k).head(n) = r.col(free[k]);
        rows(n + k, k) = size[free[k]] / std::sqrt(radius);
      }
      const VectorXd found = rows.householderQr().solve(right);
      for (Index k = 0; k < count; ++k) d[free[k]] = found[k];
      const auto leaves = [&](Index i) { return !(d[i] >= low[i] && d[i] <= high[i]); };
      std::vector<Index> inside;
      for (const Index i : free) {
        if (!leaves(i)) inside.push_back(i);
      }
      if (inside.size() == free.size()) break;
      for (const Index i : free) d[i] = std::clamp(d[i], low[i], high[i]);
      free = std::move(inside);
    }
    return d;
  }
};

// Where the sum shows no change any more, undamped steps that get shorter still bring digits of y.
void polish(const EvaluateSquares& evaluate, const VectorXd& lower, const VectorXd& upper,
            LinearSquares& model, double cost, std::vector<double>& y, SquaresResult& result) {
  constexpr int kMostSteps = 5;
  constexpr double kFree =
      1e16;  // radius: damped by less than round-off, also where J has no full rank
  constexpr double kRise = 1e-12;  // of the sum by itself: round-off
  const Index n = static_cast<Index>(y.size());
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostSteps; ++k) {
    const Eigen::Map<const VectorXd> at(y.data(), n);
    const VectorXd step = model.step(kFree, lower - at, upper - at);
    const double length = step.norm();
    if (!(length < 0.5 * last) || length == 0) return;
    std::vector<double> next(y);
    for (Index i = 0; i < n; ++i) next[i] = std::clamp(y[i] + step[i], lower[i], upper[i]);
    VectorXd residuals(model.residual_count);
    RowMatrix jacobian(model.residual_count, n);
    if (!evaluate(next.data(), residuals.data(), jacobian.data())) return;
    if (!(residuals.squaredNorm() <= (1 + kRise) * cost)) return;
    ++result.iterations;
    y = std::move(next);
    model = LinearSquares(jacobian, residuals);
    last = length;
  }
}

}  // namespace

SquaresResult minimize_squares(const EvaluateSquares& evaluate, int residual_count,
                               const std::vector<double>& lower, const std::vector<double>& upper,
                               std::vector<double>& y, const SquaresOptions& options) {
  const Index n = static_cast<Index>(y.size());
  const auto vector = [n](const std::vector<double>& v) {
    return Eigen::Map<const VectorXd>(v.data(), n);
  };
  VectorXd residuals(residual_count);
  RowMatrix jacobian(residual_count, n);
  SquaresResult result;
  if (!evaluate(y.data(), residuals.data(), jacobian.data())) return result;
  LinearSquares model(jacobian, residuals);
  double cost = residuals.squaredNorm();
  double radius = 1e4, shrink = 2;
  int invalid = 0;
  const auto trust_less = [&] {
    radius /= shrink;
    shrink *= 2;
  };
  while (result.iterations < options.most_iterations && invalid <= options.most_invalid_steps) {
    ++result.iterations;
    const VectorXd step = model.step(radius, vector(lower) - vector(y), vector(upper) - vector(y));
    const double moved = model.size.cwiseProduct(step).norm();
    const double whole = model.size.cwiseProduct(vector(y)).norm();
    result.converged = moved <= options.parameter_tolerance * whole || radius < 1e-32 || cost == 0;
    if (result.converged) return result;
    const double foretold = model.decrease(step);
    if (foretold >= 0 && foretold <= options.cost_tolerance * cost) {
      result.converged = true;
      polish(evaluate, vector(lower), vector(upper), model, cost, y, result);
      return result;
    }
    std::vector<double> next(y);
    for (Index i = 0; i < n; ++i) next[i] = std::clamp(y[i] + step[i], lower[i], upper[i]);
    if (!(foretold > 0) || !evaluate(next.data(), residuals.data(), nullptr)) {
      ++invalid;
      trust_less();
      continue;
    }
    invalid = 0;
    const double change = cost - residuals.squaredNorm();
    result.converged = std::abs(change) <= options.cost_tolerance * cost;
    const double quality = change / foretold;
    if (quality > 1e-3) {
      y = std::move(next);
      const bool stands_still = result.converged;
      if (!evaluate(y.data(), residuals.data(), jacobian.data())) return result;
      model = LinearSquares(jacobian, residuals);
      cost = residuals.squaredNorm();
      if (stands_still) {
        polish(evaluate, vector(lower), vector(upper), model, cost, y, result);
        return result;
      }
      radius = std::min(radius / std::max(1.0 / 3, 1 - std::pow(2 * quality - 1, 3)), 1e16);
      shrink = 2;
    } else {
      if (result.converged) return result;
      trust_less();
    }
  }
  return result;
}

}  // namespace footfall
