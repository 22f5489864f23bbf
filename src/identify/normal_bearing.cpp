#include "identify/normal_bearing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "soil/quadrature.hpp"

namespace footfall {
namespace {

constexpr double kPiece = 1e-4;   // of the table [m]
constexpr double kMargin = 3e-4;  // points sunk less than that are no cubic over a piece [m]
constexpr double kBin = 5e-6;     // heights of a mesh that count as one [m]
constexpr double kDeepest = 10;   // of the table [m]
constexpr double kNudge = 4e-3;   // of n, for differences: error about its fourth power / 30

// The soil with K_σ = 1 under any width.
SoleLaw unit_law(const FootSole& sole, const NormalLaw& form, double exponent) {
  PlasticSoil soil;
  soil.pressure = {.law = PressureLaw::bernstein, .exponent = exponent, .sinkage_modulus = 1};
  return make_sole_law(sole, soil, form);
}

// d/dn of the closed form of a ball, see soil/bearing.hpp.
double ball_exponent_slope(double R, double n, double sinkage) {
  const double n1 = n + 1, n2 = n + 2;
  const double log_d = std::log(sinkage);
  const double d1 = std::pow(sinkage, n1), d2 = sinkage * d1;
  const double s = std::max(sinkage - R, 0.0);
  const double s2 = std::pow(s, n2);
  const double s2_log = s > 0 ? s2 * std::log(s) : 0;
  return 2 * std::numbers::pi *
         (R * d1 * (log_d - 1 / n1) / n1 - (d2 * log_d - s2_log) / (n1 * n2) +
          (d2 - s2) * (1 / n1 + 1 / n2) / (n1 * n2));
}

}  // namespace

SoleBearing::SoleBearing(const FootSole& sole, const NormalLaw& form)
    : law_(unit_law(sole, form, 1)) {
  find_rim_slope();
  if (form.form != ForceForm::exact) return;
  if (sole.shape == SoleShape::hull) {
    for (const SoleElement& e : sole.elements) add_element(e.position.z, e.plan_area);
  }
  if (sole.shape == SoleShape::cylinder) {
    // ∫₀^{π/2} (δ − R + R cosθ)ⁿ cosθ dθ with θ = (π/2)(1 − t)
    const Quadrature& q = edge_quadrature();
    const double top = 0.5 * std::numbers::pi;
    for (std::size_t i = 0; i < q.t.size(); ++i) {
      const double share = std::sin(top * q.t[i]);  // cosθ
      const double area = 2 * sole.width * sole.radius * top * q.weight[i] * share;
      points_.push_back({sole.radius * (1 - share), area});
    }
    std::sort(points_.begin(), points_.end(),
              [](const Point& a, const Point& b) { return a.height < b.height; });
  }
}

// Elements of nearly one height are one point at their mean height.
void SoleBearing::add_element(double height, double area) {
  if (!points_.empty() && height - bin_start_ < kBin) {
    Point& last = points_.back();
    last.height += (height - last.height) * area / (last.area + area);
    last.area += area;
    return;
  }
  points_.push_back({height, area});
  bin_start_ = height;
}

void SoleBearing::set(double exponent) {
  if (exponent == law_.exponent) return;
  law_ = unit_law(law_.sole, law_.law, exponent);
  pieces_.clear();
  find_rim_slope();
}

void SoleBearing::find_rim_slope() {
  const double exponent = law_.exponent;
  if (law_.sole.shape != SoleShape::cylinder || law_.law.form != ForceForm::exact) return;
  const RimSeries below = make_rim_series(exponent - kNudge);
  const RimSeries above = make_rim_series(exponent + kNudge);
  const RimSeries far_below = make_rim_series(exponent - 2 * kNudge);
  const RimSeries far_above = make_rim_series(exponent + 2 * kNudge);
  for (int k = 0; k < RimSeries::kTerms; ++k) {
    rim_slope_[k] =
        (8 * (above.p[k] - below.p[k]) - (far_above.p[k] - far_below.p[k])) / (12 * kNudge);
  }
}

void SoleBearing::add_points(std::size_t from, std::size_t to, double sinkage, Sum& sum) const {
  const double n = law_.exponent;
  for (std::size_t i = from; i < to; ++i) {
    const double depth = sinkage - points_[i].height;
    if (!(depth > 0)) return;
    const double log_depth = std::log(depth);
    const double force = law_.modulus * points_[i].area * std::exp(n * log_depth);
    sum.force += force;
    sum.slope += n * force / depth;
    sum.exponent_slope += force * log_depth;
    sum.mixed_slope += force * (1 + n * log_depth) / depth;
  }
}

const SoleBearing::Piece& SoleBearing::find_piece(std::size_t number) const {
  if (pieces_.size() <= number) pieces_.resize(number + 1);
  Piece& piece = pieces_[number];
  if (piece.made) return piece;
  const double start = kPiece * static_cast<double>(number);
  const auto shallow = std::partition_point(
      points_.begin(), points_.end(), [&](const Point& p) { return p.height < start - kMargin; });
  piece.deep = static_cast<std::size_t>(shallow - points_.begin());
  add_points(0, piece.deep, start, piece.from);
  add_points(0, piece.deep, start + kPiece, piece.to);
  piece.made = true;
  return piece;
}

BearingValue SoleBearing::add_up(double sinkage) const {
  Sum sum;
  std::size_t deep = 0;
  if (sinkage < kDeepest) {
    const auto number = static_cast<std::size_t>(sinkage / kPiece);
    const Piece& piece = find_piece(number);
    deep = piece.deep;
    const double t = sinkage / kPiece - static_cast<double>(number);
    const Sum &a = piece.from, &b = piece.to;
    // Hermite's cubic: value, and derivative by t
    const auto cubic = [&](double from, double to, double from_slope, double to_slope) {
      const double rise = to - from;
      const double p = kPiece * from_slope - rise, q = rise - kPiece * to_slope;
      const double bow = (1 - t) * p + t * q;
      return std::pair{from + t * rise + t * (1 - t) * bow,
                       rise + (1 - 2 * t) * bow + t * (1 - t) * (q - p)};
    };
    const auto [force, force_slope] = cubic(a.force, b.force, a.slope, b.slope);
    sum.force = force;
    sum.slope = force_slope / kPiece;
    sum.exponent_slope =
        cubic(a.exponent_slope, b.exponent_slope, a.mixed_slope, b.mixed_slope).first;
  }
  add_points(deep, points_.size(), sinkage, sum);
  return {sum.force, sum.slope, sum.exponent_slope};
}

double SoleBearing::exponent_slope(double sinkage, double force) const {
  const FootSole& sole = law_.sole;
  if (law_.law.form != ForceForm::exact) return force * std::log(sinkage);
  if (sole.shape == SoleShape::sphere) {
    return law_.modulus * ball_exponent_slope(sole.radius, law_.exponent, sinkage);
  }
  double sum = 0;
  if (sole.shape == SoleShape::cylinder) {
    const double x = sinkage / sole.radius;
    for (int k = RimSeries::kTerms - 1; k >= 0; --k) sum = sum * x + rim_slope_[k];
    sum *= 2 * law_.modulus * sole.width * std::pow(sinkage, law_.exponent) *
           std::sqrt(sole.radius * sinkage);
  }
  return force * std::log(sinkage) + sum;
}

BearingValue SoleBearing::evaluate(double sinkage) const {
  if (!(sinkage > 0)) return {};
  const bool rim = law_.sole.shape == SoleShape::cylinder;
  if (!points_.empty() && !(rim && sinkage <= law_.sole.radius)) return add_up(sinkage);
  const Bearing<double> b = normal_force(law_, sinkage);
  return {b.force, b.slope, exponent_slope(sinkage, b.force)};
}

}  // namespace footfall
