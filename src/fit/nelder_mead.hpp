// Nelder and Mead's simplex: the smallest value of a function without its derivatives.
//
// n + 1 points move downhill by reflection (1), expansion (2), contraction (½) and shrinking (½), from a
// first simplex 5 % away from the start along each axis, as in Matlab's fminsearch (Lagarias et al.
// 1998), which Ding 2013 uses. Points beyond the bounds are put on them.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace footfall {

struct SimplexOptions {
  double tolerance = 1e-4;   // size of the simplex by that of x, and spread of values by the least
  int most_evaluations = 0;  // per run; 0: 200 times the number of parameters
  int restarts = 0;          // new simplices about the best point, while they still find better
};

struct SimplexResult {
  std::vector<double> x;
  double value = 0;
  int evaluations = 0;
  bool converged = false;
};

// `function` may be infinite, but not at the start. `lower` and `upper` as long as `start`.
SimplexResult minimize_by_simplex(const std::function<double(std::span<const double>)>& function,
                                  const std::vector<double>& start,
                                  const std::vector<double>& lower,
                                  const std::vector<double>& upper,
                                  const SimplexOptions& options = {});

}  // namespace footfall
