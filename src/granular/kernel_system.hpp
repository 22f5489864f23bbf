// The linear system of interpolation and of Gaussian processes, with a polynomial of first degree:
//
//   (K + ½ν I   F) (c)   (t)
//   (Fᵀ         0) (b) = (0)
//
// for the even and for the odd part. ν is the noise's variance over the function's, of a single measurement;
// even and odd part are means of two. F holds 1 and d, or φ, in shares of the largest.
#pragma once

#include "granular/regression.hpp"

namespace footfall {

struct KernelSystem {
  std::vector<Eigen::Index>
      rows;                // of the data that it is about; of the odd part without upright feet
  Eigen::Index terms = 0;  // of the polynomial
  Eigen::MatrixXd inverse;
  double log_determinant = 0;  // of its absolute value
  bool regular = false;
};

KernelSystem solve_kernel_system(const LearningData& data, const Hyperparameters& h, int sign);

// c of `rows`, for all columns.
Eigen::MatrixXd kernel_weights(const KernelSystem& system, const Eigen::MatrixXd& targets);

// All that an expansion needs: interpolation without noise, a Gaussian process's mean with it.
Expansion fit_kernel_systems(const LearningData& data, const Hyperparameters& h);

}  // namespace footfall
