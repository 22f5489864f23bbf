#include "fit/fit_noise.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fit/fit_solve.hpp"

namespace footfall {
namespace {

int group_at(const FitProblem& problem, int residual) {
  return problem.group.empty() ? 0 : problem.group[static_cast<std::size_t>(residual)];
}

// ---- residuals along their place ----

constexpr int kStretches = 40;      // of one channel, over all files
constexpr int kLeastStretches = 8;  // of one file
constexpr int kMoreThanUnknowns = 6;
// Correlation lengths as shares of the way, and noise in variances of the process.
constexpr double kLengths[] = {0.02, 0.05, 0.1, 0.2, 0.4};
constexpr double kNoiseShares[] = {1e-6, 0.1, 0.3, 1, 3, 10};

// Means over stretches of the place, of one channel.
struct Stretches {
  std::vector<int> group;
  std::vector<double> place, count, mean;  // mean: of e
  Eigen::MatrixXd sum;                     // of rows of U
  double range = 0;                        // longest way of a file

  int size() const { return static_cast<int>(count.size()); }
};

Stretches make_stretches(const FitProblem& problem, const Eigen::MatrixXd& U,
                         const Eigen::VectorXd& e, int channel) {
  Stretches s;
  const auto groups = std::max<std::size_t>(problem.groups.size(), 1);
  std::vector<std::vector<int>> rows(groups);
  for (int i = 0; i < problem.residual_count; ++i) {
    if (channel_of(problem, i) == channel) {
      rows[static_cast<std::size_t>(group_at(problem, i))].push_back(i);
    }
  }
  const int most = std::max(kStretches / static_cast<int>(groups), kLeastStretches);
  std::vector<Eigen::VectorXd> sums;
  for (std::size_t g = 0; g < groups; ++g) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const int i : rows[g]) {
      low = std::min(low, problem.place[static_cast<std::size_t>(i)]);
      high = std::max(high, problem.place[static_cast<std::size_t>(i)]);
    }
    s.range = std::max(s.range, high - low);
    std::vector<int> number(static_cast<std::size_t>(most), -1);
    for (const int i : rows[g]) {
      const double at = problem.place[static_cast<std::size_t>(i)];
      const double share = high > low ? (at - low) / (high - low) : 0;
      const int k = std::min(static_cast<int>(share * most), most - 1);
      int& to = number[static_cast<std::size_t>(k)];
      if (to < 0) {
        to = s.size();
        s.group.push_back(static_cast<int>(g));
        s.place.push_back(0);
        s.count.push_back(0);
        s.mean.push_back(0);
        sums.emplace_back(Eigen::VectorXd::Zero(U.cols()));
      }
      const auto t = static_cast<std::size_t>(to);
      s.place[t] += at;
      ++s.count[t];
      s.mean[t] += e[i];
      sums[t] += U.row(i).transpose();
    }
  }
  s.sum.resize(s.size(), U.cols());
  for (int k = 0; k < s.size(); ++k) {
    const auto t = static_cast<std::size_t>(k);
    s.place[t] /= s.count[t];
    s.mean[t] /= s.count[t];
    s.sum.row(k) = sums[t];
  }
  return s;
}

struct WeightedMiddle {
  double log_weight = -HUGE_VAL;
  Eigen::MatrixXd middle;
};

// Restricted likelihood of the means if their covariance is proportional to C, and M then.
WeightedMiddle weigh(const Stretches& s, const Eigen::MatrixXd& C) {
  const Eigen::Index K = s.size(), p = s.sum.cols();
  const Eigen::LLT<Eigen::MatrixXd> factor(C);
  if (factor.info() != Eigen::Success) return {};
  const Eigen::Map<const Eigen::VectorXd> count(s.count.data(), K), mean(s.mean.data(), K);
  const Eigen::MatrixXd X =
      factor.matrixL().solve((s.sum.array().colwise() / count.array()).matrix());
  const Eigen::VectorXd y = factor.matrixL().solve(mean);
  Eigen::MatrixXd H = X.transpose() * X;
  H.diagonal().array() += 1e-12 * H.trace() / static_cast<double>(p);
  const Eigen::LLT<Eigen::MatrixXd> normal(H);
  if (normal.info() != Eigen::Success) return {};
  const Eigen::VectorXd g = X.transpose() * y;
  const double left = y.squaredNorm() - g.dot(normal.solve(g));
  const auto freedom = static_cast<double>(K - p);
  if (!(left > 0)) return {};
  const Eigen::MatrixXd L = factor.matrixL(), N = normal.matrixL();
  const double log_weight = -L.diagonal().array().log().sum() - N.diagonal().array().log().sum() -
                            0.5 * freedom * std::log(left);
  return {log_weight, left / freedom * (s.sum.transpose() * C * s.sum)};
}

// M of one channel, the mean over correlation lengths and shares of noise by their likelihood.
std::optional<Eigen::MatrixXd> find_middle(const Stretches& s) {
  const Eigen::Index K = s.size();
  if (K < s.sum.cols() + kMoreThanUnknowns || !(s.range > 0)) return {};
  const Eigen::Map<const Eigen::VectorXd> count(s.count.data(), K), place(s.place.data(), K);
  const Eigen::MatrixXd white = (count.mean() / count.array()).matrix().asDiagonal();
  std::vector<WeightedMiddle> all = {weigh(s, white)};
  for (const double length : kLengths) {
    Eigen::MatrixXd process(K, K);
    for (Eigen::Index i = 0; i < K; ++i) {
      for (Eigen::Index j = 0; j < K; ++j) {
        const bool same =
            s.group[static_cast<std::size_t>(i)] == s.group[static_cast<std::size_t>(j)];
        process(i, j) = same ? std::exp(-std::abs(place[i] - place[j]) / (length * s.range)) : 0;
      }
    }
    for (const double share : kNoiseShares) {
      all.push_back(weigh(s, process + share * white));
      all.back().log_weight -= std::log(std::size(kNoiseShares));
    }
  }
  double best = -HUGE_VAL, sum = 0;
  for (const WeightedMiddle& w : all) best = std::max(best, w.log_weight);
  if (!std::isfinite(best)) return {};
  Eigen::MatrixXd middle = Eigen::MatrixXd::Zero(s.sum.cols(), s.sum.cols());
  for (const WeightedMiddle& w : all) {
    if (w.middle.size() == 0) continue;
    const double weight = std::exp(w.log_weight - best);
    middle += weight * w.middle;
    sum += weight;
  }
  return middle / sum;
}

// ---- files as clusters ----

constexpr double kLeastFreedom = 2;

}  // namespace

std::optional<NoiseModel> find_place_noise(const FitProblem& problem, const Eigen::MatrixXd& U,
                                           const Eigen::VectorXd& e) {
  if (problem.place.empty()) return {};
  NoiseModel model{.middle = Eigen::MatrixXd::Zero(U.cols(), U.cols()), .freedom = 0};
  for (int channel = 0; channel < static_cast<int>(problem.channels.size()); ++channel) {
    const Stretches s = make_stretches(problem, U, e, channel);
    if (s.size() == 0) continue;
    const std::optional<Eigen::MatrixXd> middle = find_middle(s);
    if (!middle) return {};
    model.middle += *middle;
    model.freedom += s.size();
  }
  model.freedom -= static_cast<double>(U.cols());
  if (!(model.freedom >= 1)) return {};
  return model;
}

std::optional<NoiseModel> find_cluster_noise(const FitProblem& problem, const Eigen::MatrixXd& U,
                                             const Eigen::VectorXd& e, int shared_count,
                                             const std::vector<int>& private_count,
                                             const Eigen::MatrixXd& within) {
  const auto G = static_cast<Eigen::Index>(problem.groups.size());
  // of the shared unknowns all but one (the exponent, K) tell the size of a file's force
  const double freedom = static_cast<double>(G - std::max(1, shared_count - 1));
  if (shared_count == 0 || freedom < kLeastFreedom) return {};
  const Eigen::Index p = U.cols();
  std::vector<Eigen::MatrixXd> share(private_count.size(), Eigen::MatrixXd::Zero(p, p));
  std::vector<Eigen::VectorXd> pull(private_count.size(), Eigen::VectorXd::Zero(p));
  for (int i = 0; i < problem.residual_count; ++i) {
    const auto g = static_cast<std::size_t>(group_at(problem, i));
    share[g].noalias() += U.row(i).transpose() * U.row(i);
    pull[g] += e[i] * U.row(i).transpose();
  }
  NoiseModel model{.middle = Eigen::MatrixXd::Zero(p, p), .freedom = freedom};
  Eigen::MatrixXd own = Eigen::MatrixXd::Zero(p, p);  // projection on what single files tell
  for (std::size_t g = 0; g < share.size(); ++g) {
    // without this file the solution is (1 − share)⁻¹ pull away
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Eigen::MatrixXd::Identity(p, p) -
                                                               share[g]);
    Eigen::VectorXd away = Eigen::VectorXd::Zero(p);
    int alone = 0;
    for (Eigen::Index k = 0; k < p; ++k) {
      const Eigen::VectorXd direction = eigen.eigenvectors().col(k);
      if (eigen.eigenvalues()[k] > kOnlyHere) {
        away += direction * (direction.dot(pull[g]) / eigen.eigenvalues()[k]);
      } else {
        own += direction * direction.transpose();
        ++alone;
      }
    }
    if (alone > private_count[g]) return {};
    model.middle += static_cast<double>(G - 1) / static_cast<double>(G) * away * away.transpose();
  }
  model.middle += own * within * own;
  return model;
}

}  // namespace footfall
