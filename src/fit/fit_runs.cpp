// How runs differ: each is off the common law by a factor and by its shape, and these scatter.
//
// Z_g = (F, q) are the two columns by which file g may be off (RunScatter, fit/fit.hpp), N_g those of the unknowns
// that only this file has (the depth of its touch). Off by u_g, file g leaves the residuals r_g; with M the
// projection that takes N_g out,
//
//   u_g = (Z_gᵀ M Z_g)⁻¹ Z_gᵀ M r_g,      X_g = (Z_gᵀ M Z_g)⁻¹ Z_gᵀ M A_g: what the common unknowns do to u_g
//
// The u_g of all files hold everything but what X can follow. So with Q the projection that takes X out (every file
// counts the same, however large its forces) Q u is free of the fit's own choice, and
//
//   Ω = Σ (Q u)_g (Q u)_gᵀ by degrees of freedom ν_a = tr Q_aa, ν_b = tr Q_bb: G − 1 for one foot, of factors G − 2 where
//   two moduli share the size of the force
//
// is how runs differ. The fit follows them by M = Σ_g U_gᵀ Z_g Ω Z_gᵀ U_g, which knows that files of large forces pull
// harder. Noise within files is in u_g, so it counts once; only what single files alone tell adds its own.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fit/fit_noise.hpp"
#include "fit/fit_solve.hpp"

namespace footfall {
namespace {

constexpr double kCaptured = 0.1;  // of a column's square: more beside Z is no factor and no shape
constexpr double kRank = 1e-6;     // of X
constexpr double kLeastRunFreedom =
    0.5;  // whole numbers but for rounding, and for shapes that differ a little
constexpr double kLeastPlace = 1e-3;  // of the farthest: nearer ones count as this

// One file: its rows, and a basis of what only it has.
struct FileRows {
  std::vector<int> rows;
  Eigen::MatrixXd own;  // N_g, orthonormal

  Eigen::MatrixXd without_own(const Eigen::MatrixXd& all) const {
    Eigen::MatrixXd part = all(rows, Eigen::all);
    part -= own * (own.transpose() * part);
    return part;
  }
};

bool is_private(const FitProblem& problem, int parameter) {
  return problem.parameters[static_cast<std::size_t>(parameter)].nuisance;
}

std::vector<FileRows> list_files(const FitProblem& problem, const RowMatrix& A,
                                 const std::vector<int>& free) {
  std::vector<FileRows> files(problem.groups.size());
  for (int i = 0; i < problem.residual_count; ++i) {
    files[static_cast<std::size_t>(problem.group[static_cast<std::size_t>(i)])].rows.push_back(i);
  }
  for (FileRows& file : files) {
    std::vector<Eigen::Index> columns;
    for (std::size_t j = 0; j < free.size(); ++j) {
      const auto column = static_cast<Eigen::Index>(j);
      if (file.rows.empty() || !is_private(problem, free[j])) continue;
      if (A(file.rows, column).cwiseAbs().maxCoeff() > 0) {
        columns.push_back(column);
      }
    }
    file.own.resize(static_cast<Eigen::Index>(file.rows.size()), 0);
    if (columns.empty()) continue;
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A(file.rows, columns));
    file.own = Eigen::MatrixXd(qr.householderQ()).leftCols(qr.rank());
  }
  return files;
}

// What the common unknowns do to the files' factors and shapes, 2G rows; none where they do more than that.
std::optional<Eigen::MatrixXd> find_reach(const std::vector<FileRows>& files, const RunBasis& Z,
                                          const Eigen::MatrixXd& common) {
  Eigen::MatrixXd X(2 * static_cast<Eigen::Index>(files.size()), common.cols());
  Eigen::VectorXd beside = Eigen::VectorXd::Zero(common.cols()), whole = beside;
  for (std::size_t g = 0; g < files.size(); ++g) {
    const Eigen::MatrixXd z = files[g].without_own(Z), a = files[g].without_own(common);
    const Eigen::MatrixXd x = z.completeOrthogonalDecomposition().solve(a);
    X.middleRows(2 * static_cast<Eigen::Index>(g), 2) = x;
    beside += (a - z * x).colwise().squaredNorm();
    whole += a.colwise().squaredNorm();
  }
  if ((beside.array() > kCaptured * whole.array()).any()) return {};
  return X;
}

// Orthonormal columns that span those of X.
Eigen::MatrixXd span_of(Eigen::MatrixXd X) {
  for (Eigen::Index j = 0; j < X.cols(); ++j) X.col(j).normalize();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(X);
  qr.setThreshold(kRank);
  return Eigen::MatrixXd(qr.householderQ()).leftCols(qr.rank());
}

// Projection on the directions that only this file tells.
Eigen::MatrixXd only_here(const Eigen::MatrixXd& U_g) {
  const Eigen::Index p = U_g.cols();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Eigen::MatrixXd::Identity(p, p) -
                                                             U_g.transpose() * U_g);
  Eigen::MatrixXd own = Eigen::MatrixXd::Zero(p, p);
  for (Eigen::Index k = 0; k < p; ++k) {
    if (eigen.eigenvalues()[k] > kOnlyHere) continue;
    own += eigen.eigenvectors().col(k) * eigen.eigenvectors().col(k).transpose();
  }
  return own;
}

}  // namespace

RunBasis make_run_basis(const FitProblem& problem, const RowMatrix& jacobian, Fit& fit) {
  RunBasis Z = RunBasis::Zero(problem.residual_count, 2);
  RunScatter& runs = fit.runs;
  runs.shape = problem.shape;
  const double farthest = *std::ranges::max_element(problem.place);
  double product = 0, square = 0;
  for (int i = 0; i < problem.residual_count; ++i) {
    if (channel_of(problem, i) != 0) continue;
    const auto at = static_cast<std::size_t>(i);
    const double place = std::max(problem.place[at], kLeastPlace * farthest);
    Z(i, 0) = weight_of(problem, i) * problem.data[at] + fit.residuals[at];
    Z(i, 1) = runs.shape >= 0 ? jacobian(i, runs.shape) : Z(i, 0) * std::log(place);
    product += Z(i, 0) * Z(i, 1);
    square += Z(i, 0) * Z(i, 0);
  }
  runs.centre = square > 0 ? product / square : 0;
  Z.col(1) -= runs.centre * Z.col(0);
  return Z;
}

std::vector<Eigen::Vector2d> find_run_offsets(const FitProblem& problem, const RunBasis& Z,
                                              const RowMatrix& A, const std::vector<int>& free,
                                              const Eigen::VectorXd& e) {
  std::vector<Eigen::Vector2d> offsets;
  for (const FileRows& file : list_files(problem, A, free)) {
    offsets.emplace_back(
        file.without_own(Z).completeOrthogonalDecomposition().solve(file.without_own(e)));
  }
  return offsets;
}

std::optional<NoiseModel> find_run_noise(const FitProblem& problem, const RunBasis& Z,
                                         const RowMatrix& A, const std::vector<int>& free,
                                         const Eigen::MatrixXd& U, const Eigen::VectorXd& e,
                                         const Eigen::MatrixXd& within, Eigen::Matrix2d& between) {
  const std::vector<FileRows> files = list_files(problem, A, free);
  std::vector<Eigen::Index> common;
  for (std::size_t j = 0; j < free.size(); ++j) {
    if (!is_private(problem, free[j])) common.push_back(static_cast<Eigen::Index>(j));
  }
  if (common.empty()) return {};
  const std::optional<Eigen::MatrixXd> X = find_reach(files, Z, A(Eigen::all, common));
  if (!X) return {};
  const Eigen::MatrixXd W = span_of(*X);
  const auto G = static_cast<Eigen::Index>(files.size());
  const auto freedom = [&](Eigen::Index k) {
    return static_cast<double>(G) - W(Eigen::seqN(k, G, 2), Eigen::all).squaredNorm();
  };
  const Eigen::Vector2d nu(freedom(0), freedom(1));
  if (!(nu.minCoeff() > kLeastRunFreedom)) return {};

  const std::vector<Eigen::Vector2d> offsets = find_run_offsets(problem, Z, A, free, e);
  Eigen::VectorXd u(2 * G);
  for (Eigen::Index g = 0; g < G; ++g) u.segment(2 * g, 2) = offsets[static_cast<std::size_t>(g)];
  u -= W * (W.transpose() * u);
  between.setZero();
  for (Eigen::Index g = 0; g < G; ++g)
    between += u.segment(2 * g, 2) * u.segment(2 * g, 2).transpose();
  const Eigen::Vector2d scale = nu.cwiseSqrt().cwiseInverse();
  between = scale.asDiagonal() * between * scale.asDiagonal();

  const Eigen::Index p = U.cols();
  NoiseModel model{.middle = Eigen::MatrixXd::Zero(p, p), .freedom = nu[0]};
  model.shape_middle = model.middle;
  model.shape_freedom = nu[1];
  Eigen::MatrixXd own = model.middle;
  for (const FileRows& file : files) {
    const Eigen::MatrixXd U_g = U(file.rows, Eigen::all);
    const Eigen::MatrixXd pull = U_g.transpose() * Z(file.rows, Eigen::all);
    model.middle += pull * between * pull.transpose();
    model.shape_middle += between(1, 1) * pull.col(1) * pull.col(1).transpose();
    if (!file.own.cols()) continue;
    const Eigen::MatrixXd here = only_here(U_g);
    own += here * within * here;
  }
  model.middle += own;
  return model;
}

}  // namespace footfall
