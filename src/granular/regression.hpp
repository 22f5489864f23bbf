// Regressions over configurations: even and odd parts of w/d in φ, each a sum over kernels.
//
// The mirror image of a measurement is a measurement too. So the function that direction i and its mirror
// i' share, f(d, φ) = w_i(d, φ)/d = M w_i'(d, −φ)/d with M = diag(−1, 1, −1), is known at (d_j, φ_j) and
// (d_j, −φ_j); its even part (f(φ) + f(−φ))/2 and its odd part (f(φ) − f(−φ))/2 are two problems of n
// configurations instead of one of 2n. An upright configuration has no odd part: what was measured of one
// is noise.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <vector>

#include "footfall/granular/learning.hpp"

namespace footfall {

// Columns are [part · m + direction], parts force_x, force_z, torque_y.
struct TrainingSet {
  Eigen::VectorXd depth;                 // of n configurations [m]
  Eigen::VectorXd tilt;                  // [rad], 0 or more
  Eigen::MatrixXd even, odd;             // of wrenches over depth [N/m, N/m, N], n × 3m
  double deepest = 0, largest_tilt = 0;  // of the whole database, also where this is a part of it
  std::vector<int> mirrored = {};        // directions

  Eigen::Index size() const { return depth.size(); }
  Eigen::Index columns() const { return even.cols(); }
  // Mirrored directions have the same function but for signs.
  bool is_first_of_pair(Eigen::Index column) const {
    const auto direction = static_cast<std::size_t>(column) % mirrored.size();
    return mirrored[direction] >= static_cast<int>(direction);
  }
};

// Configurations that lean the other way are mirrored; where both are there, or a configuration is upright,
// the mean is taken. Throws InputError.
TrainingSet make_training_set(const WrenchDatabase& database);
TrainingSet select_rows(const TrainingSet& data, const std::vector<Eigen::Index>& rows);

// What a regression comes to. Rows of `even`: n kernels, 1, d over the deepest; of `odd`: n kernels, φ over
// the largest.
struct Expansion {
  Hyperparameters hyperparameters;
  Eigen::VectorXd depth, tilt;
  double deepest = 1, largest_tilt = 1;
  Eigen::MatrixXd even, odd;
};

// Without coefficients.
Expansion make_expansion(const TrainingSet& data, const Hyperparameters& h);

// Lengths in shares of the deepest and of the largest tilt.
Hyperparameters make_hyperparameters(const TrainingSet& data, Kernel kernel, double depth_share,
                                     double tilt_share);

// k^±(θ_i, θ_j) of rows θ_i and columns θ_j.
Eigen::MatrixXd kernel_matrix(const Hyperparameters& h, int sign, const Eigen::VectorXd& row_depth,
                              const Eigen::VectorXd& row_tilt, const Eigen::VectorXd& depth,
                              const Eigen::VectorXd& tilt);

// Wrenches at θ, by columns as in TrainingSet: plainly, as a witness of WrenchModel::predict.
Eigen::RowVectorXd evaluate_expansion(const Expansion& expansion, const FootConfiguration& at);

// The second direction of each pair from the first, to the bit: sums over matrices round by the column's
// place.
void mirror_columns(const TrainingSet& data, Expansion& expansion);

Expansion learn_expansion(const TrainingSet& data, Regression regression);

// One over the rms of each part of the wrenches, by columns.
Eigen::RowVectorXd part_weights(const TrainingSet& data);

// Rows that are left out, and those that are kept, in the order of a fixed shuffle.
struct Fold {
  std::vector<Eigen::Index> kept, left;
};
std::vector<Fold> make_folds(Eigen::Index size, int folds);
// What a share of the configurations says of the others: the sum of squares of errors, each part over its rms.
using FitExpansion = std::function<Expansion(const TrainingSet&)>;
double cross_validation_error(const TrainingSet& data, int folds, const FitExpansion& fit);

// Sums of kernels by a linear system: interpolation without noise, a Gaussian process's mean with it.
Expansion fit_kernels(const TrainingSet& data, const Hyperparameters& h);

// ---- RBF interpolation: through all data, with a polynomial of first degree ----
// Sum of squares of what leaving one configuration out gets wrong, each part over its rms; infinite where
// the others do not determine the function.
double rbf_leave_one_out(const TrainingSet& data, const Hyperparameters& h);
Hyperparameters choose_rbf(const TrainingSet& data);

// ---- Gaussian process: its mean ----
// Logarithm of the likelihood, but for a constant.
double gp_likelihood(const TrainingSet& data, const Hyperparameters& h);
Hyperparameters choose_gp(const TrainingSet& data);

// ---- support vectors ----
Expansion fit_svr(const TrainingSet& data, const Hyperparameters& h);
Hyperparameters choose_svr(const TrainingSet& data);

}  // namespace footfall
