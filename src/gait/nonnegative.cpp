#include "gait/nonnegative.hpp"

#include <algorithm>
#include <array>

namespace footfall {
namespace {

using Index = Eigen::Index;

// The minimum over the positive variables alone, the others zero.
NonnegativeVector minimum_on(const NonnegativeMatrix& H, const NonnegativeVector& g,
                             const std::array<int, kMaxNonnegative>& set, int count) {
  NonnegativeMatrix A(count, count);
  NonnegativeVector b(count);
  for (int i = 0; i < count; ++i) {
    b[i] = g[set[i]];
    for (int k = 0; k < count; ++k) A(i, k) = H(set[i], set[k]);
  }
  const NonnegativeVector s = A.llt().solve(b);
  NonnegativeVector out = NonnegativeVector::Zero(g.size());
  for (int i = 0; i < count; ++i) out[set[i]] = s[i];
  return out;
}

// Goes from x towards `goal` until the first variable is zero; those leave the set.
void step_to_bound(const NonnegativeVector& goal, NonnegativeVector& x,
                   std::array<int, kMaxNonnegative>& set, int& count) {
  double share = 1;
  for (int i = 0; i < count; ++i) {
    const double from = x[set[i]], to = goal[set[i]];
    if (to <= 0) share = std::min(share, from / std::max(from - to, 1e-300));
  }
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const int v = set[i];
    const double from = x[v], to = goal[v];
    x[v] = from + share * (to - from);
    const bool leaves = to <= 0 && from <= share * (from - to) * (1 + 1e-12);
    if (leaves || x[v] <= 0) {
      x[v] = 0;
    } else {
      set[kept++] = v;
    }
  }
  count = kept;
}

}  // namespace

bool solve_nonnegative(const NonnegativeMatrix& H, const NonnegativeVector& g,
                       NonnegativeVector& x) {
  const int n = static_cast<int>(g.size());
  if (x.size() != g.size()) x = NonnegativeVector::Zero(n);
  std::array<int, kMaxNonnegative> set{};
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0) set[count++] = i;
  }
  const double tolerance = 1e-12 * std::max(g.cwiseAbs().maxCoeff(), 1e-300);
  for (int round = 0; round < 10 * n; ++round) {
    const NonnegativeVector goal = minimum_on(H, g, set, count);
    bool inside = true;
    for (int i = 0; i < count; ++i) inside = inside && goal[set[i]] > 0;
    if (!inside) {
      step_to_bound(goal, x, set, count);
      continue;
    }
    x = goal;
    const NonnegativeVector slope = g - H * x;
    int best = -1;
    for (int i = 0; i < n; ++i) {
      if (x[i] > 0 || slope[i] <= tolerance) continue;
      if (best < 0 || slope[i] > slope[best]) best = i;
    }
    if (best < 0) return true;
    set[count++] = best;
  }
  return false;
}

}  // namespace footfall
