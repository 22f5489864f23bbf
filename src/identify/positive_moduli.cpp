// Pairs of moduli that keep the pressure positive under every width that was measured.
//
//   Bekker K = k_c/w + k_phi,   Reece K wⁿ = C + G w:   both are L = x₀ c₀(w) + x₁ c₁(w), and F = L B
//
// Least squares may give L ≤ 0 under the least or the largest width, where pressure grows or falls with the width
// faster than the law can. Then the pair is held on the line where that end has L = ε L(other end), with ε a quarter of
// what the files themselves show: x₀ c₀ + x₁ c₁ = 0 with c = c(end) − ε c(other end), one unknown less.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "identify/normal_problem.hpp"

namespace footfall {
namespace {

constexpr double kLeastShare =
    0.25;  // of L as the files of a width have it, by that of the other end

struct Line {
  double c[2];  // of L by the two moduli
  double at(double x0, double x1) const { return c[0] * x0 + c[1] * x1; }
};

Line line_of(NormalModel model, double width) {
  return model == NormalModel::bekker ? Line{{1 / width, 1}} : Line{{1, width}};
}

// L of the files of one width alone, at the fit's exponent: ∂F/∂x is B where c is 1.
double find_measured(const FitProblem& problem, const Fit& fit, const std::vector<double>& widths,
                     NormalModel model, double width) {
  const std::size_t count = problem.parameters.size();
  std::vector<double> x, residuals(problem.residual_count),
      jacobian(count * static_cast<std::size_t>(problem.residual_count));
  for (const Estimate& e : fit.parameters) x.push_back(e.value);
  if (!problem.evaluate(x, residuals, jacobian.data())) return 0;
  const std::size_t unit = model == NormalModel::bekker ? 1 : 0;
  const double law = line_of(model, width).at(x[0], x[1]);
  double product = 0, square = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    if (std::abs(widths[static_cast<std::size_t>(problem.group[i])] - width) > 1e-9 * width) {
      continue;
    }
    const double B = jacobian[i * count + unit];
    product += (law * B - residuals[i]) * B;
    square += B * B;
  }
  return square > 0 ? product / square : 0;
}

// x[lost] = ratio x[kept].
struct Tie {
  std::size_t kept = 0, lost = 0;
  double ratio = 0;
  double width = 0, wanted = 0;  // the end that is held, and L there without
};

std::optional<Tie> find_tie(const FitProblem& problem, const Fit& fit,
                            const std::vector<double>& widths, NormalModel model) {
  const auto [least, largest] = std::ranges::minmax(widths);
  const double x0 = fit.parameters[0].value, x1 = fit.parameters[1].value;
  for (const auto& [end, other] : {std::pair(least, largest), std::pair(largest, least)}) {
    const Line here = line_of(model, end), there = line_of(model, other);
    const double ours = find_measured(problem, fit, widths, model, end);
    const double theirs = find_measured(problem, fit, widths, model, other);
    if (!(ours > 0 && theirs > 0)) continue;
    const double share = kLeastShare * ours / theirs;
    if (here.at(x0, x1) >= share * there.at(x0, x1)) continue;
    const double c0 = here.c[0] - share * there.c[0], c1 = here.c[1] - share * there.c[1];
    const bool first = std::abs(c0 / there.c[0]) >= std::abs(c1 / there.c[1]);
    return Tie{first ? 1UL : 0UL, first ? 0UL : 1UL, first ? -c1 / c0 : -c0 / c1, end,
               here.at(x0, x1)};
  }
  return {};
}

void tie(const Tie& t, FitProblem& problem) {
  problem.parameters[t.lost].fixed = true;
  problem.parameters[t.lost].start = t.ratio * problem.parameters[t.kept].start;
  const std::size_t count = problem.parameters.size();
  problem.evaluate = [inner = std::move(problem.evaluate), t, count](std::span<const double> at,
                                                                     std::span<double> residuals,
                                                                     double* jacobian) {
    std::vector<double> x(at.begin(), at.end());
    x[t.lost] = t.ratio * x[t.kept];
    if (!inner(x, residuals, jacobian)) return false;
    for (std::size_t i = 0; jacobian != nullptr && i < residuals.size(); ++i) {
      double* row = jacobian + i * count;
      row[t.kept] += t.ratio * row[t.lost];
      row[t.lost] = 0;
    }
    return true;
  };
}

void follow(const Tie& t, const Estimate& kept, Estimate& lost) {
  lost.value = t.ratio * kept.value;
  lost.standard_error = std::abs(t.ratio) * kept.standard_error;
  lost.lower = t.ratio * (t.ratio > 0 ? kept.lower : kept.upper);
  lost.upper = t.ratio * (t.ratio > 0 ? kept.upper : kept.lower);
  lost.freedom = kept.freedom;
  lost.fixed = kept.fixed;
}

// Value and errors of the modulus that follows the other.
void fill_lost(const Tie& t, Fit& fit) {
  const auto kept = static_cast<Eigen::Index>(t.kept), lost = static_cast<Eigen::Index>(t.lost);
  follow(t, fit.parameters[t.kept], fit.parameters[t.lost]);
  fit.parameters[t.kept].at_bound = fit.parameters[t.lost].at_bound = true;
  for (GroupFit& group : fit.groups) {
    if (!group.alone.empty()) follow(t, group.alone[t.kept], group.alone[t.lost]);
  }
  if (!fit.spread.empty()) fit.spread[t.lost] = std::abs(t.ratio) * fit.spread[t.kept];
  fit.covariance.row(lost) = t.ratio * fit.covariance.row(kept);
  fit.covariance.col(lost) = t.ratio * fit.covariance.col(kept);
  const double sign = t.ratio < 0 ? -1 : 1;
  fit.correlation.row(lost) = sign * fit.correlation.row(kept);
  fit.correlation.col(lost) = sign * fit.correlation.col(kept);
}

// Widths under which the law is far from what their own files show, as text; empty: none.
std::string misfit_text(const FitProblem& problem, const std::vector<double>& widths,
                        NormalModel model, const Fit& fit) {
  constexpr double kFar = 0.2;
  std::string text;
  std::set<double> told;
  for (const double width : widths) {
    if (!told.insert(width).second) continue;
    const double law = line_of(model, width).at(fit.parameters[0].value, fit.parameters[1].value);
    const double share = law / find_measured(problem, fit, widths, model, width);
    if (!(std::abs(share - 1) > kFar)) continue;
    text += fmt::format("{}{:.2g} times what was measured under {:.4g} mm",
                        text.empty() ? "it gives " : ", ", share, 1e3 * width);
  }
  return text;
}

}  // namespace

Fit fit_positive(FitProblem& problem, const std::vector<double>& widths, NormalModel model,
                 const FitOptions& options) {
  const bool pair = model == NormalModel::bekker || model == NormalModel::reece;
  if (!pair || problem.parameters[0].fixed || problem.parameters[1].fixed) {
    return fit(problem, options);
  }
  FitOptions first = options;
  first.per_group = false;
  Fit found = fit(problem, first);
  const std::optional<Tie> t = find_tie(problem, found, widths, model);
  if (!t) {
    if (options.per_group) found = fit(problem, options);
    const std::string misfit = misfit_text(problem, widths, model, found);
    const bool several = std::set(widths.begin(), widths.end()).size() > 2;  // a pair follows two
    if (several && !misfit.empty()) {
      found.warnings.push_back(
          fmt::format("the law does not follow these widths: {}; {}, or fit fewer widths", misfit,
                      model == NormalModel::bekker ? "try --model reece" : "try --model bekker"));
    }
    return found;
  }
  for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
    if (!problem.parameters[i].fixed) problem.parameters[i].start = found.parameters[i].value;
  }
  FitParameter& kept = problem.parameters[t->kept];
  kept.start = std::abs(kept.start);
  tie(*t, problem);
  found = fit(problem, options);
  fill_lost(*t, found);
  const bool bekker = model == NormalModel::bekker;
  found.warnings.insert(
      found.warnings.begin(),
      fmt::format(
          "the pressure changes with the width more than {} law can: {} would be {:.3g} {} under "
          "{:.4g} mm, and is held at a quarter of what was measured there; {}. {}, or fit each "
          "width apart",
          bekker ? "Bekker's" : "Reece's", bekker ? "k_c/w + k_phi" : "C + G w", t->wanted,
          bekker ? "Pa/m^n" : "Pa", 1e3 * t->width, misfit_text(problem, widths, model, found),
          bekker ? "Try --model reece" : "Try --model bekker"));
  return found;
}

}  // namespace footfall
