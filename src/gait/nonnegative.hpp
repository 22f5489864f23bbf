// Least squares with variables that must not be negative: min ½ xᵀHx − gᵀx, x ≥ 0, H positive definite.
//
// Lawson and Hanson (1974), ch. 23, on the normal equations: exact after finitely many changes of the
// set of positive variables. Starts from the x that is given: the last solution is a good one.
#pragma once

#include <Eigen/Dense>

namespace footfall {

inline constexpr int kMaxNonnegative = 96;
using NonnegativeMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxNonnegative, kMaxNonnegative>;
using NonnegativeVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxNonnegative, 1>;

// False: the sets went round in circles (round-off); x is admissible and near the solution then.
bool solve_nonnegative(const NonnegativeMatrix& H, const NonnegativeVector& g,
                       NonnegativeVector& x);

}  // namespace footfall
