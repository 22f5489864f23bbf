// Support-vector regression of the even and odd parts. The polynomial is in the kernel: 1 + d d' of the even
// part, φ φ' of the odd one, in shares of the largest. Targets are in shares of the rms of their part.
#include <cmath>
#include <limits>

#include "granular/regression.hpp"
#include "granular/support_vector.hpp"

namespace footfall {
namespace {

// Terms of the polynomial, a row for each configuration.
Eigen::MatrixXd polynomial_terms(const TrainingSet& data, int sign) {
  Eigen::MatrixXd terms(data.size(), sign > 0 ? 2 : 1);
  if (sign > 0) {
    terms.col(0).setOnes();
    terms.col(1) = data.depth / data.deepest;
  } else {
    terms.col(0) = data.tilt / (data.largest_tilt > 0 ? data.largest_tilt : 1);
  }
  return terms;
}

Eigen::MatrixXd fit_part(const TrainingSet& data, const Hyperparameters& h, int sign,
                         const Eigen::MatrixXd& targets, const Eigen::RowVectorXd& scale) {
  const Eigen::MatrixXd terms = polynomial_terms(data, sign);
  const Eigen::MatrixXd kernel =
      kernel_matrix(h, sign, data.depth, data.tilt, data.depth, data.tilt) +
      terms * terms.transpose();
  const Eigen::Index n = data.size();
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(n + terms.cols(), targets.cols());
  for (Eigen::Index column = 0; column < targets.cols(); ++column) {
    if (!data.is_first_of_pair(column) || scale[column] == 0) continue;
    const Eigen::VectorXd target = targets.col(column) / scale[column];
    const Eigen::VectorXd weights =
        solve_support_vectors(kernel, target, h.tube, h.bound).weights * scale[column];
    c.col(column).head(n) = weights;
    c.col(column).tail(terms.cols()) = terms.transpose() * weights;
  }
  return c;
}

// Rms of each part of wrenches over depth, by columns.
Eigen::RowVectorXd part_scales(const TrainingSet& data) {
  const Eigen::Index m = data.columns() / 3;
  Eigen::RowVectorXd scale(data.columns());
  for (Eigen::Index part = 0; part < 3; ++part) {
    const double sum = data.even.middleCols(part * m, m).squaredNorm() +
                       data.odd.middleCols(part * m, m).squaredNorm();
    scale.segment(part * m, m).setConstant(std::sqrt(sum / static_cast<double>(data.size() * m)));
  }
  return scale;
}

}  // namespace

Expansion fit_svr(const TrainingSet& data, const Hyperparameters& h) {
  const Eigen::RowVectorXd scale = part_scales(data);
  Expansion expansion = make_expansion(data, h);
  expansion.even = fit_part(data, h, 1, data.even, scale);
  expansion.odd = fit_part(data, h, -1, data.odd, scale);
  mirror_columns(data, expansion);
  return expansion;
}

// Kernel and lengths are those of the Gaussian process; ε and C by five-fold cross-validation.
Hyperparameters choose_svr(const TrainingSet& data) {
  Hyperparameters h = choose_gp(data), best = h;
  double least = std::numeric_limits<double>::infinity();
  h.noise = 0;
  for (const double tube : {0.005, 0.02, 0.05, 0.1}) {
    for (const double bound : {1.0, 10.0, 100.0}) {
      h.tube = tube;
      h.bound = bound;
      const double error = cross_validation_error(
          data, 5, [&](const TrainingSet& part) { return fit_svr(part, h); });
      if (best.bound == 0 || error < least) {
        least = error;
        best = h;
      }
    }
  }
  return best;
}

}  // namespace footfall
