#include "footfall/identify/tangential.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/soil/plastic.hpp"
#include "identify/normal_problem.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kLeastVariation = 0.02;  // of S_c/F_N, below which c and φ are one unknown
constexpr double kEnoughShear = 1.5;      // in K: 78 % of the strength

struct SlideSample {
  double way = 0;     // from x(0), along the drag [m]
  double force = 0;   // against it [N]
  double normal = 0;  // F_N [N]
  double area = 0;    // S_c [m²]; 0: friction
  int test = 0;       // of those that slide
};

struct Slides {
  std::vector<SlideSample> samples;
  std::vector<std::string> names;       // of the tests that slide
  std::vector<std::string> offsets;     // name of the slide_offset of each
  std::map<int, std::string> left_out;  // tests that do not, by number, and why
  std::vector<bool> start_is_known;     // x(0) of each
};

bool is_flat(const FootSole& sole) {
  return sole.shape == SoleShape::disc || sole.shape == SoleShape::rectangle;
}

// S_c of one sample; all of a flat sole, however deep.
double area_of(const RigTest& test, std::size_t i) {
  return cohesive_area(*test.sole, is_flat(*test.sole) ? 0 : test.sinkage[i]);
}

void check_columns(const RigTest& test, TangentialModel model) {
  const Recording& r = test.recording;
  const auto need = [&](const std::vector<double>& column, const char* name) {
    if (column.size() == test.phase.size()) return;
    throw input_error("{}: the foot slides, but there is no column {}; expected "
                      "shear_displacement, tangential_force and normal_force",
                      test.name, name);
  };
  need(r.shear_displacement, "shear_displacement");
  need(r.tangential_force, "tangential_force");
  need(r.normal_force, "normal_force");
  if (model == TangentialModel::friction) return;
  if (!test.sole) {
    throw input_error("{}: no foot was given, and cohesion acts on the area in contact; give the "
                      "foot, or fit friction (mu, K)",
                      test.name);
  }
  if (!is_flat(*test.sole) && test.sinkage.size() != test.phase.size()) {
    throw input_error(
        "{}: the contact of a round foot grows as it sinks, but there is no column of the sinkage "
        "from the surface ('sinkage_mm'); add it, or fit friction (mu, K)",
        test.name);
  }
}

// The samples of sliding of one test, turned so that both way and force are positive.
void add_slide(const RigTest& test, int number, TangentialModel model, Slides& slides) {
  const Recording& r = test.recording;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < test.phase.size(); ++i) {
    if (test.phase[i] == Phase::sliding) rows.push_back(i);
  }
  if (rows.empty()) {
    slides.left_out[number] = fmt::format("{}: expected samples of sliding, a drag", test.name);
    return;
  }
  check_columns(test, model);
  const double end = r.shear_displacement[rows.back()] - test.slide_start;
  const double direction = end < 0 ? -1 : 1;
  double work = 0;
  for (const std::size_t i : rows) {
    SlideSample s;
    s.way = direction * (r.shear_displacement[i] - test.slide_start);
    s.force = direction * r.tangential_force[i];
    s.normal = r.normal_force[i];
    if (model == TangentialModel::shear) s.area = area_of(test, i);
    s.test = static_cast<int>(slides.names.size());
    work += s.force;
    slides.samples.push_back(s);
  }
  if (work < 0) {
    throw input_error("{}: tangential_force = {:.4g} N on average along the motion, expected "
                      "against it: give the column sign = -1",
                      test.name, -work / static_cast<double>(rows.size()));
  }
  slides.names.push_back(test.name);
  slides.start_is_known.push_back(r.shear_zero_is_known);
}

Slides collect(const std::vector<RigTest>& tests, TangentialModel model) {
  Slides slides;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const int number = file_number(tests[i], i);
    const std::size_t before = slides.names.size();
    add_slide(tests[i], number, model, slides);
    if (slides.names.size() == before) continue;
    slides.offsets.push_back(tests.size() == 1 ? "slide_offset"
                                               : fmt::format("slide_offset_{}", number));
  }
  if (slides.names.empty()) {
    throw InputError("no test has samples of sliding: expected a drag, with shear_displacement, "
                     "tangential_force and normal_force");
  }
  return slides;
}

// m(j) and its slope by y = j/κ. At a corner the slope is that before it.
struct Mobilized {
  double share = 0, slope = 0;
};
Mobilized mobilize(ShearForm form, double y) {
  if (y < 0) return {};
  switch (form) {
  case ShearForm::exponential:
    break;
  case ShearForm::piecewise_linear:
    return y <= 1 ? Mobilized{y, 1} : Mobilized{1, 0};
  case ShearForm::tanh: {
    const double t = std::tanh(y);
    return {t, (1 - t) * (1 + t)};
  }
  }
  return {-std::expm1(-y), std::exp(-y)};
}

// Strength, K and one slide_offset per test; the strength is mu alone, or c and phi.
struct Layout {
  TangentialModel model;
  ShearForm form;
  int K() const { return model == TangentialModel::friction ? 1 : 2; }
  int offset(int test) const { return K() + 1 + test; }
};

// F_T, and its derivatives where `slope` is not null (set to zero before).
double tangential_force(const Layout& at, const SlideSample& s, std::span<const double> x,
                        double* slope) {
  const double K = x[static_cast<std::size_t>(at.K())];
  const double kappa = shear_length(at.form, K);
  const double j = s.way + x[static_cast<std::size_t>(at.offset(s.test))];
  const double y = j / kappa;
  const Mobilized m = mobilize(at.form, y);
  const bool friction = at.model == TangentialModel::friction;
  const double tangent = friction ? x[0] : std::tan(x[1]);
  const double strength = friction ? tangent * s.normal : x[0] * s.area + tangent * s.normal;
  if (slope != nullptr) {
    if (friction) {
      slope[0] = s.normal * m.share;
    } else {
      slope[0] = s.area * m.share;
      slope[1] = s.normal * (1 + tangent * tangent) * m.share;
    }
    slope[at.K()] = -strength * m.slope * y / K;
    slope[at.offset(s.test)] = strength * m.slope / kappa;
  }
  return strength * m.share;
}

// The way after which the force is 63 % of its largest: about K, in all forms.
double guess_shear_modulus(const Slides& slides) {
  double largest = 0, farthest = 0;
  for (const SlideSample& s : slides.samples) {
    largest = std::max(largest, s.force / s.normal);
    farthest = std::max(farthest, s.way);
  }
  double first = farthest;
  for (const SlideSample& s : slides.samples) {
    if (s.way > 0 && s.force / s.normal >= 0.63 * largest) first = std::min(first, s.way);
  }
  return std::clamp(first, 1e-6, 10.0);
}

// With K given the force is linear in c and tanφ: their least squares, kept within bounds.
struct StrengthGuess {
  double cohesion = 0, tangent = 0;
};
StrengthGuess guess_strength(const Slides& slides, ShearForm form, double K, bool with_cohesion) {
  double aa = 0, an = 0, nn = 0, af = 0, nf = 0;
  for (const SlideSample& s : slides.samples) {
    const double m = mobilize(form, s.way / shear_length(form, K)).share;
    const double a = m * s.area, n = m * s.normal;
    aa += a * a, an += a * n, nn += n * n, af += a * s.force, nf += n * s.force;
  }
  if (!(nn > 0)) {
    throw InputError("normal_force is zero while the foot slides, expected the load on the foot");
  }
  const double determinant = aa * nn - an * an;
  StrengthGuess guess{.cohesion = 0, .tangent = std::max(nf / nn, 0.0)};
  if (!with_cohesion || !(determinant > 1e-12 * aa * nn)) return guess;
  const double c = (af * nn - nf * an) / determinant, t = (nf * aa - af * an) / determinant;
  if (c > 0 && t > 0) return {c, t};
  return c > 0 ? StrengthGuess{af / aa, 0} : guess;
}

std::vector<FitParameter> list_parameters(const Slides& slides, const TangentialOptions& options) {
  const double K = guess_shear_modulus(slides);
  const bool shear = options.model == TangentialModel::shear;
  const StrengthGuess guess = guess_strength(slides, options.form, K, shear);
  std::vector<FitParameter> list;
  if (shear) {
    list.push_back({.name = "c", .unit = "Pa", .start = guess.cohesion, .upper = 1e8});
    const double phi = std::clamp(std::atan(guess.tangent), kDegree, 80 * kDegree);
    list.push_back({.name = "phi", .unit = "rad", .start = phi, .upper = 89 * kDegree});
  } else {
    list.push_back({.name = "mu", .unit = "", .start = guess.tangent, .upper = 100});
  }
  list.push_back({.name = "K",
                  .unit = "m",
                  .start = K,
                  .lower = 1e-6,
                  .upper = 10,
                  .logarithmic = true,
                  .starts = {std::max(0.3 * K, 2e-6), std::min(3 * K, 5.0)}});
  std::vector<double> farthest(slides.names.size(), 0);
  for (const SlideSample& s : slides.samples) {
    double& far = farthest[static_cast<std::size_t>(s.test)];
    far = std::max(far, s.way);
  }
  for (std::size_t i = 0; i < slides.names.size(); ++i) {
    const double reach = std::max(0.25 * farthest[i], 1e-3);
    list.push_back({.name = slides.offsets[i],
                    .unit = "m",
                    .lower = -reach,
                    .upper = reach,
                    .fixed = slides.start_is_known[i],
                    .nuisance = true});
  }
  return list;
}

FitProblem make_problem(const Slides& slides, const Layout& at,
                        std::vector<FitParameter> parameters) {
  FitProblem problem;
  const std::size_t width = parameters.size();
  problem.parameters = std::move(parameters);
  problem.residual_count = static_cast<int>(slides.samples.size());
  problem.groups = slides.names;
  problem.shape = at.K();
  problem.advice = "drag further, or under another load";
  for (const SlideSample& s : slides.samples) {
    problem.group.push_back(s.test);
    problem.place.push_back(s.way);
    problem.data.push_back(s.force);
  }
  problem.evaluate = [&slides, at, width](std::span<const double> x, std::span<double> residuals,
                                          double* jacobian) {
    if (jacobian != nullptr) std::fill_n(jacobian, width * residuals.size(), 0.0);
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      double* row = jacobian == nullptr ? nullptr : jacobian + width * i;
      residuals[i] = tangential_force(at, slides.samples[i], x, row) - slides.samples[i].force;
    }
    return true;
  };
  return problem;
}

// By how much S_c/F_N changes between stretches of samples, as a share of its mean, of all tests or of
// one. Single samples would take the scatter of F_N for a change of load.
double find_variation(const Slides& slides, int only = -1) {
  constexpr std::size_t kStretches = 5;  // per test
  double least = HUGE_VAL, most = 0;
  std::size_t begin = 0;
  while (begin < slides.samples.size()) {
    std::size_t end = begin;
    while (end < slides.samples.size() && slides.samples[end].test == slides.samples[begin].test) {
      ++end;
    }
    const std::size_t stretch = std::max<std::size_t>((end - begin) / kStretches, 1);
    const bool counts = only < 0 || slides.samples[begin].test == only;
    for (std::size_t from = begin; counts && from + stretch <= end; from += stretch) {
      double area = 0, normal = 0;
      for (std::size_t i = from; i < from + stretch; ++i) {
        area += slides.samples[i].area;
        normal += slides.samples[i].normal;
      }
      least = std::min(least, area / normal);
      most = std::max(most, area / normal);
    }
    begin = end;
  }
  return most > 0 ? 2 * (most - least) / (most + least) : 0;
}

struct MeanSample {
  double normal = 0, area = 0;
};
MeanSample find_mean(const Slides& slides) {
  MeanSample mean;
  const auto count = static_cast<double>(slides.samples.size());
  for (const SlideSample& s : slides.samples) {
    mean.normal += s.normal / count;
    mean.area += s.area / count;
  }
  return mean;
}

// Throws where c and φ are both unknown and the data know only their sum.
void check_separable(const Slides& slides, const TangentialOptions& options,
                     const FitProblem& problem) {
  if (problem.parameters[0].fixed || problem.parameters[1].fixed) return;
  if (find_variation(slides) >= kLeastVariation) return;
  FitProblem sum = problem;  // c = 0: all strength is friction
  sum.parameters[0].fixed = true;
  sum.parameters[0].start = 0;
  FitOptions plain = options.fit;
  plain.per_group = false;
  const MeanSample mean = find_mean(slides);
  const double tangent = std::tan(fit(sum, plain).value("phi"));
  throw input_error("c and phi are both unknown, with one load and one sinkage: only the sum c S_c "
                    "+ F_N tan(phi) = {:.4g} N is known (S_c = {:.4g} m^2, F_N = {:.4g} N); fix c, "
                    "for example --fix c=460, or add a drag under another load",
                    mean.normal * tangent, mean.area, mean.normal);
}

Estimate make_estimate(const Fit& fit, const char* name, double value,
                       std::span<const double> slope) {
  const double half = band_half_width(fit, slope);
  Estimate e;
  e.name = name;
  e.value = value;
  e.standard_error = fit.t_quantile > 0 ? half / fit.t_quantile : 0;
  e.lower = value - half;
  e.upper = value + half;
  return e;
}

std::vector<Estimate> derive(const Slides& slides, const Fit& fit) {
  std::vector<double> slope(fit.parameters.size(), 0);
  const Estimate& phi = fit.find("phi");
  Estimate angle = phi;
  angle.name = "friction_angle";
  angle.unit = "deg";
  angle.value /= kDegree, angle.standard_error /= kDegree;
  angle.lower /= kDegree, angle.upper /= kDegree;
  const MeanSample mean = find_mean(slides);
  const double tangent = std::tan(phi.value), ratio = mean.area / mean.normal;
  slope[0] = ratio;
  slope[1] = 1 + tangent * tangent;
  return {angle, make_estimate(fit, "mu", fit.value("c") * ratio + tangent, slope)};
}

void warn_of_short_drag(const Slides& slides, Fit& fit) {
  double farthest = 0;
  for (const SlideSample& s : slides.samples) farthest = std::max(farthest, s.way);
  const Estimate& K = fit.find("K");
  if (K.fixed || farthest >= kEnoughShear * K.value) return;
  fit.warnings.push_back(
      fmt::format("the longest drag is {:.3g} mm, {:.2g} of K = {:.3g} mm: the force was still "
                  "rising, so strength and K trade off; drag the foot by {:.3g} mm or more",
                  1e3 * farthest, farthest / K.value, 1e3 * K.value, 3e3 * K.value));
}

// Under one load, and as deep throughout, a file alone knows only the sum of c and φ: c is then that of all.
void mark_inseparable_files(const Slides& slides, FitProblem& problem) {
  if (problem.parameters[0].fixed || problem.parameters[1].fixed) return;
  for (std::size_t i = 0; i < slides.names.size(); ++i) {
    const bool one = find_variation(slides, static_cast<int>(i)) < kLeastVariation;
    problem.untold.push_back(one ? std::vector<int>{0} : std::vector<int>{});
  }
}

std::string describe(const TangentialOptions& options) {
  const char* strength =
      options.model == TangentialModel::friction ? "μ F_N" : "(c S_c + F_N tanφ)";
  switch (options.form) {
  case ShearForm::exponential:
    break;
  case ShearForm::piecewise_linear:
    return fmt::format("piecewise linear, F_T = {} min(j/2K, 1)", strength);
  case ShearForm::tanh:
    return fmt::format("hyperbolic tangent, F_T = {} tanh(j/1.5K)", strength);
  }
  return fmt::format("Janosi–Hanamoto, F_T = {} (1 − e^(−j/K))", strength);
}

std::vector<FitCurve> draw_curves(const Slides& slides, const Layout& at, const Fit& fit) {
  std::vector<double> x, slope(fit.parameters.size());
  for (const Estimate& e : fit.parameters) x.push_back(e.value);
  std::vector<FitCurve> curves(slides.names.size());
  for (std::size_t i = 0; i < curves.size(); ++i) curves[i].name = slides.names[i];
  for (const SlideSample& s : slides.samples) {
    FitCurve& curve = curves[static_cast<std::size_t>(s.test)];
    std::fill(slope.begin(), slope.end(), 0.0);
    curve.x.push_back(s.way);
    curve.data.push_back(s.force);
    curve.model.push_back(tangential_force(at, s, x, slope.data()));
    curve.half_width.push_back(band_half_width(fit, slope));
    if (!fit.runs.known) continue;
    curve.prediction.push_back(prediction_half_width(fit, slope, s.way, curve.model.back()));
  }
  return curves;
}

}  // namespace

FittedLaw fit_tangential(const std::vector<RigTest>& tests, const TangentialOptions& options) {
  const Slides slides = collect(tests, options.model);
  const Layout at{options.model, options.form};
  std::vector<FitParameter> parameters = list_parameters(slides, options);
  apply_options(options, parameters);
  FitProblem problem = make_problem(slides, at, std::move(parameters));
  const bool shear = options.model == TangentialModel::shear;
  if (shear) check_separable(slides, options, problem);
  if (shear) mark_inseparable_files(slides, problem);

  FittedLaw part{.name = shear ? "shear" : "friction",
                 .law = describe(options),
                 .fit = fit(problem, options.fit),
                 .x_label = "shear displacement",
                 .x_unit = "m",
                 .y_label = "tangential force",
                 .curves = {},
                 .derived = {}};
  warn_of_short_drag(slides, part.fit);
  part.left_out = slides.left_out;
  part.curves = draw_curves(slides, at, part.fit);
  if (shear) part.derived = derive(slides, part.fit);
  part.sample_count = static_cast<int>(slides.samples.size());
  return part;
}

}  // namespace footfall
