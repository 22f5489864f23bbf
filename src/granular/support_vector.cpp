#include "granular/support_vector.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace footfall {
namespace {

constexpr double kSettled = 1e-11;  // violation, in shares of the largest target
constexpr int kFirstSweeps = 8;

using Index = Eigen::Index;

// How far a weight is from its condition.
double violation_of(double r, double weight, double tube, double bound) {
  if (weight == 0) return std::abs(r) - tube;
  if (std::abs(weight) < bound) return std::abs(r - std::copysign(tube, weight));
  return tube - (weight > 0 ? r : -r);
}

// Each weight's best while the others stay.
void sweep_weights(const Eigen::MatrixXd& kernel, double tube, double bound,
                   Eigen::VectorXd& weights, Eigen::VectorXd& residual) {
  for (Index j = 0; j < weights.size(); ++j) {
    const double k = kernel(j, j);
    if (!(k > 0)) continue;
    const double pull = residual[j] + k * weights[j];
    const double shrunk = std::copysign(std::max(std::abs(pull) - tube, 0.0), pull);
    const double b = std::clamp(shrunk / k, -bound, bound);
    residual -= (b - weights[j]) * kernel.col(j);
    weights[j] = b;
  }
}

// Which weights are between zero and the bound, and on which side of zero.
struct FreeWeights {
  std::vector<Index> index;
  std::vector<double> side;

  void add(Index j, double s) {
    index.push_back(j);
    side.push_back(s);
  }
  void remove(std::size_t k) {
    index.erase(index.begin() + static_cast<std::ptrdiff_t>(k));
    side.erase(side.begin() + static_cast<std::ptrdiff_t>(k));
  }
};

// Moves the free weights to their best, or until the first of them meets zero or the bound: that one is
// free no more. True: all the way.
bool move_free_weights(const Eigen::MatrixXd& kernel, const Eigen::VectorXd& target, double tube,
                       double bound, FreeWeights& free, Eigen::VectorXd& weights) {
  if (free.index.empty()) return true;
  Eigen::VectorXd right = (target - kernel * weights)(free.index);
  for (std::size_t k = 0; k < free.index.size(); ++k) {
    right[static_cast<Index>(k)] -= free.side[k] * tube;
  }
  const Eigen::VectorXd step = kernel(free.index, free.index).ldlt().solve(right);
  double share = 1, end = 0;
  std::size_t met = free.index.size();
  for (std::size_t k = 0; k < free.index.size(); ++k) {
    const double from = free.side[k] * weights[free.index[k]];  // within [0, bound]
    const double along = free.side[k] * step[static_cast<Index>(k)];
    const double limit = along < 0 ? 0 : bound;
    if (along == 0 || (limit - from) / along >= share) continue;
    share = (limit - from) / along;
    end = free.side[k] * limit;
    met = k;
  }
  weights(free.index) += std::max(share, 0.0) * step;
  if (met == free.index.size()) return true;
  weights[free.index[met]] = end;
  free.remove(met);
  return false;
}

}  // namespace

SupportVectors solve_support_vectors(const Eigen::MatrixXd& kernel, const Eigen::VectorXd& target,
                                     double tube, double bound) {
  const Index n = target.size();
  SupportVectors out{Eigen::VectorXd::Zero(n)};
  const double largest = n > 0 ? target.cwiseAbs().maxCoeff() : 0;
  if (largest <= tube) return out;
  Eigen::VectorXd& weights = out.weights;
  Eigen::VectorXd residual = target;
  for (int i = 0; i < kFirstSweeps; ++i) sweep_weights(kernel, tube, bound, weights, residual);
  FreeWeights free;
  for (Index j = 0; j < n; ++j) {
    if (weights[j] != 0 && std::abs(weights[j]) < bound) free.add(j, weights[j] > 0 ? 1 : -1);
  }
  for (const Index most = 50 * (n + 1); out.steps < most; ++out.steps) {
    if (!move_free_weights(kernel, target, tube, bound, free, weights)) continue;
    residual = target - kernel * weights;
    Index worst = 0;
    out.violation = 0;
    for (Index j = 0; j < n; ++j) {
      const double v = violation_of(residual[j], weights[j], tube, bound) / largest;
      if (v > out.violation) {
        out.violation = v;
        worst = j;
      }
    }
    if (out.violation <= kSettled) break;
    if (std::find(free.index.begin(), free.index.end(), worst) != free.index.end()) break;
    const double side = weights[worst] != 0 ? weights[worst] : residual[worst];
    free.add(worst, side > 0 ? 1 : -1);
  }
  return out;
}

}  // namespace footfall
