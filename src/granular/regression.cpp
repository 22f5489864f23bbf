#include "granular/regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "footfall/error.hpp"
#include "granular/kernel.hpp"

namespace footfall {
namespace {

constexpr int kParts = 3;
constexpr std::array<double, kParts> kMirror{-1, 1, -1};  // of force_x, force_z, torque_y

double part_of(const PlanarWrench& w, int part) {
  return part == 0 ? w.force_x : part == 1 ? w.force_z : w.torque_y;
}

// Even and odd part of one configuration, φ ≥ 0, to be added to row j.
void add_parts(const WrenchDatabase& database, const std::vector<int>& mirrored,
               std::size_t configuration, Eigen::Index j, LearningData& data) {
  const FootConfiguration& at = database.configurations[configuration];
  const double side = at.tilt < 0 ? -1 : 1;
  const auto m = static_cast<Eigen::Index>(mirrored.size());
  for (Eigen::Index i = 0; i < m; ++i) {
    const PlanarWrench& w = database.at(configuration, static_cast<std::size_t>(i));
    const auto opposite = static_cast<std::size_t>(mirrored[static_cast<std::size_t>(i)]);
    const PlanarWrench& u = database.at(configuration, opposite);
    for (int part = 0; part < kParts; ++part) {
      const double here = part_of(w, part) / at.depth;
      const double image = kMirror[static_cast<std::size_t>(part)] * part_of(u, part) / at.depth;
      data.even(j, part * m + i) += 0.5 * (here + image);
      data.odd(j, part * m + i) += side * 0.5 * (here - image);
    }
  }
}

}  // namespace

LearningData make_learning_data(const WrenchDatabase& database) {
  if (database.configurations.empty()) {
    throw InputError("wrench database has no configurations, expected at least one");
  }
  const std::vector<int> mirrored = mirrored_directions(database.directions);
  std::map<std::pair<double, double>, std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < database.configurations.size(); ++k) {
    const FootConfiguration& at = database.configurations[k];
    groups[{at.depth, std::abs(at.tilt)}].push_back(k);
  }
  const auto n = static_cast<Eigen::Index>(groups.size());
  const auto columns = static_cast<Eigen::Index>(kParts * mirrored.size());
  LearningData data{.depth = Eigen::VectorXd(n),
                    .tilt = Eigen::VectorXd(n),
                    .even = Eigen::MatrixXd::Zero(n, columns),
                    .odd = Eigen::MatrixXd::Zero(n, columns)};
  Eigen::Index j = 0;
  for (const auto& [at, members] : groups) {
    data.depth[j] = at.first;
    data.tilt[j] = at.second;
    for (const std::size_t k : members) add_parts(database, mirrored, k, j, data);
    data.even.row(j) /= static_cast<double>(members.size());
    data.odd.row(j) /= static_cast<double>(members.size());
    if (at.second == 0) data.odd.row(j).setZero();
    ++j;
  }
  data.deepest = data.depth.maxCoeff();
  data.largest_tilt = data.tilt.maxCoeff();
  return data;
}

LearningData select_rows(const LearningData& data, const std::vector<Eigen::Index>& rows) {
  return {data.depth(rows),           data.tilt(rows), data.even(rows, Eigen::all),
          data.odd(rows, Eigen::all), data.deepest,    data.largest_tilt};
}

Eigen::MatrixXd kernel_matrix(const Hyperparameters& h, int sign, const Eigen::VectorXd& row_depth,
                              const Eigen::VectorXd& row_tilt, const Eigen::VectorXd& depth,
                              const Eigen::VectorXd& tilt) {
  Eigen::MatrixXd k(row_depth.size(), depth.size());
  with_kernel(h.kernel, [&](auto kernel) {
    const auto value = [](double r2) { return kernel_value<decltype(kernel)::value>(r2); };
    for (Eigen::Index j = 0; j < k.cols(); ++j) {
      for (Eigen::Index i = 0; i < k.rows(); ++i) {
        const double x2 = square((row_depth[i] - depth[j]) / h.depth_length);
        const double here = value(x2 + square((row_tilt[i] - tilt[j]) / h.tilt_length));
        const double image = value(x2 + square((row_tilt[i] + tilt[j]) / h.tilt_length));
        k(i, j) = 0.5 * (here + sign * image);
      }
    }
  });
  return k;
}

Eigen::RowVectorXd evaluate_expansion(const Expansion& expansion, const FootConfiguration& at) {
  const Eigen::VectorXd depth = Eigen::VectorXd::Constant(1, at.depth);
  const Eigen::VectorXd tilt = Eigen::VectorXd::Constant(1, at.tilt);
  const Eigen::Index n = expansion.depth.size();
  Eigen::RowVectorXd even(n + 2), odd(n + 1);
  const Hyperparameters& h = expansion.hyperparameters;
  even << kernel_matrix(h, 1, depth, tilt, expansion.depth, expansion.tilt), 1,
      at.depth / expansion.deepest;
  odd << kernel_matrix(h, -1, depth, tilt, expansion.depth, expansion.tilt),
      at.tilt / expansion.largest_tilt;
  return at.depth * (even * expansion.even + odd * expansion.odd);
}

Expansion learn_expansion(const LearningData& data, Regression) {
  return fit_rbf(data, choose_rbf(data));
}

}  // namespace footfall
