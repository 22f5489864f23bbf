#include "footfall/identify/series_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "footfall/identify/part.hpp"
#include "footfall/identify/rig_test.hpp"
#include "identify/normal_bearing.hpp"
#include "identify/rig_test_parts.hpp"
#include "identify/series_law.hpp"
#include "input_error.hpp"
#include "signal/noise.hpp"

namespace footfall {
namespace {

inline constexpr int kLoading = -1;  // in place of a turn

struct PressSample {
  double deflection = 0;  // z, since the touch [m]
  double force = 0;       // F [N]
  int test = 0;           // of those that are pressed
  int turn = kLoading;    // from which it is lifted
};

struct Presses {
  std::vector<PressSample> samples;
  // per test that is pressed
  std::vector<std::string> names;
  std::vector<FootSole> soles;
  std::vector<bool> touch_is_known;
  std::vector<double> deepest;  // largest deflection [m]
  // per turn
  std::vector<double> turns;  // deflection [m]
  std::vector<int> turn_test;
};

constexpr double kTurn = 8;         // noises of the deflection that a turn must exceed
constexpr double kRoundOff = 1e-6;  // of the largest deflection, likewise
constexpr double kAtTop = 0.005;    // of it: a foot at rest within is held, deeper it is lifted

// What body and ground approached each other by: of the body where that was measured.
std::vector<double> find_deflections(const RigTest& test) {
  const Recording& r = test.recording;
  if (r.body_sinkage.empty()) return test.sinkage;
  const bool known = test.contact_error == 0;
  const double zero =
      known ? test.contact_sinkage : r.body_sinkage[static_cast<std::size_t>(test.contact)];
  std::vector<double> deflections = r.body_sinkage;
  for (double& z : deflections) z -= zero;
  return deflections;
}

// Phases of the total deflection. Those of the test are the foot's, which hardly moves while the pad
// is relieved: it seems to be held then.
std::vector<Phase> judge_phases(const RigTest& test, const std::vector<double>& z) {
  const auto first = static_cast<std::size_t>(test.contact);
  const double most = *std::max_element(z.begin(), z.end());
  const double hysteresis = std::max(kTurn * noise_of(z), kRoundOff * most);
  const std::vector<int> ways = find_ways(z, first, hysteresis);
  std::vector<Phase> phase(z.size(), Phase::air);
  double deepest = 0, before = 0;  // so far, and before this way down
  for (std::size_t i = first; i < z.size(); ++i) {
    if (i > first && ways[i] > 0 && ways[i - 1] < 0) before = deepest;
    deepest = std::max(deepest, z[i]);
    const Phase foot = test.phase[i];
    if (foot == Phase::air || foot == Phase::impact || foot == Phase::sliding) {
      phase[i] = foot;
    } else if (foot == Phase::holding && z[i] >= deepest - std::max(hysteresis, kAtTop * most)) {
      phase[i] = Phase::holding;
    } else if (ways[i] < 0) {
      phase[i] = Phase::unloading;
    } else {
      phase[i] = z[i] > before ? Phase::loading : Phase::reloading;
    }
  }
  return phase;
}

// Follows a test: which samples are on the way down, and from which depth the others come up. Where
// the foot stood before it was lifted, the mean of that counts, else the deepest sample.
class PressReader {
 public:
  PressReader(const RigTest& test, Presses& presses)
      : test_(test), presses_(presses), deflection_(find_deflections(test)),
        phase_(judge_phases(test, deflection_)) {}

  void read() {
    for (std::size_t i = 0; i < phase_.size(); ++i) {
      switch (phase_[i]) {
      case Phase::loading:
        deepest_ = std::max(deepest_, deflection_[i]);
        held_sum_ = held_count_ = 0;
        turn_ = kLoading;
        add(i);
        break;
      case Phase::holding:
        if (turn_ != kLoading) break;  // on the way up the depth of the turn stays
        held_sum_ += deflection_[i];
        ++held_count_;
        break;
      case Phase::unloading:
      case Phase::reloading:
        if (!(deepest_ > 0)) break;
        if (turn_ == kLoading) turn_round();
        add(i);
        break;
      case Phase::air:
      case Phase::impact:
      case Phase::sliding:
        break;
      }
    }
    presses_.deepest.push_back(deepest_);
  }

 private:
  void add(std::size_t i) {
    const int test = static_cast<int>(presses_.names.size());
    presses_.samples.push_back({deflection_[i], test_.recording.normal_force[i], test, turn_});
  }
  void turn_round() {
    turn_ = static_cast<int>(presses_.turns.size());
    presses_.turns.push_back(held_count_ > 0 ? held_sum_ / held_count_ : deepest_);
    presses_.turn_test.push_back(static_cast<int>(presses_.names.size()));
  }

  const RigTest& test_;
  Presses& presses_;
  std::vector<double> deflection_;
  std::vector<Phase> phase_;
  double deepest_ = 0, held_sum_ = 0;
  int held_count_ = 0, turn_ = kLoading;
};

void add_press(const RigTest& test, Presses& presses) {
  if (std::count(test.phase.begin(), test.phase.end(), Phase::loading) == 0) return;
  if (test.recording.normal_force.size() != test.phase.size()) {
    throw input_error("{}: no column normal_force, expected the force on the ground [N]",
                      test.name);
  }
  if (!test.sole) {
    throw input_error("{}: no foot was given, and soil bears a foot by its shape; give the foot",
                      test.name);
  }
  PressReader(test, presses).read();
  if (!(presses.deepest.back() > 0)) {
    throw input_error("{}: the deflection never exceeds zero while loading, expected body_sinkage "
                      "(or sinkage) to rise: is its sign right?",
                      test.name);
  }
  presses.names.push_back(test.name);
  presses.soles.push_back(*test.sole);
  presses.touch_is_known.push_back(test.contact_error == 0);
}

// Throws InputError where nothing is pressed, or sole or force are missing.
Presses collect_presses(const std::vector<RigTest>& tests) {
  Presses presses;
  for (const RigTest& test : tests) add_press(test, presses);
  if (presses.names.empty()) {
    throw InputError(
        "no test has samples of loading: expected a foot pressed into the ground, with "
        "body_sinkage (or sinkage) and normal_force");
  }
  return presses;
}

std::string per_file_name(const std::string& base, std::size_t file, std::size_t files) {
  return files == 1 ? base : fmt::format("{}_{}", base, file + 1);
}

// What fixes or frees the name without a number does so in all files.
LawFitOptions for_all_files(LawFitOptions options, const std::string& base, std::size_t files) {
  if (files == 1) return options;
  if (const auto all = options.fix.find(base); all != options.fix.end()) {
    for (std::size_t i = 0; i < files; ++i) {
      options.fix.try_emplace(per_file_name(base, i, files), all->second);
    }
    options.fix.erase(all);
  }
  if (options.free.erase(base) > 0) {
    for (std::size_t i = 0; i < files; ++i) options.free.insert(per_file_name(base, i, files));
  }
  return options;
}

constexpr double kStrongCorrelation = 0.95;  // beyond it pad and soil are hardly told apart

// ---- starts ----

double fixed_or(const SeriesOptions& options, const char* name, double value) {
  const auto fixed = options.fix.find(name);
  return fixed == options.fix.end() ? value : fixed->second;
}

// The slope of the upper part of a way, dF/dz by regression of z on F [N/m]; 0 where there is none.
double find_slope(const Presses& presses, bool lifted) {
  double most = 0;
  for (const PressSample& s : presses.samples) most = std::max(most, s.force);
  double count = 0, f = 0, z = 0, ff = 0, fz = 0;
  for (const PressSample& s : presses.samples) {
    const bool up = s.turn != kLoading;
    if (up != lifted || s.force < 0.4 * most || s.test != 0 || s.turn > 0) continue;
    count += 1, f += s.force, z += s.deflection, ff += s.force * s.force,
        fz += s.force * s.deflection;
  }
  const double spread = ff - f * f / std::max(count, 1.0), rise = fz - f * z / std::max(count, 1.0);
  return count >= 2 && rise > 0 && spread > 0 ? spread / rise : 0;
}

// The pad from the way up, or half of all compliance; the soil from what is left of the deepest
// point and of that with a quarter of its force.
SeriesParameters guess(const Presses& presses, const SeriesOptions& options) {
  SeriesParameters p;
  p.foot_weight = fixed_or(options, "foot_weight", 0);
  p.pad_exponent = fixed_or(options, "n_F", 1);
  const PressSample* top = nullptr;
  for (const PressSample& s : presses.samples) {
    if (s.test == 0 && s.turn == kLoading && (top == nullptr || s.force > top->force)) top = &s;
  }
  const double load = std::max(top->force - p.foot_weight, 0.1 * std::abs(top->force) + 1e-3);
  const double slope = find_slope(presses, true);
  const double least = load / (0.95 * top->deflection);  // the soil takes some of it
  const double stiffness = std::max(slope > 0 ? slope : 2 * load / top->deflection, least);
  p.pad_stiffness = fixed_or(options, "k_F", load / std::pow(load / stiffness, p.pad_exponent));

  const auto sinkage = [&](const PressSample& s) {
    const double P = std::max(s.force - p.foot_weight, 0.0);
    const double left = s.deflection - std::pow(P / p.pad_stiffness, 1 / p.pad_exponent);
    return std::max(left, 0.02 * s.deflection);
  };
  const PressSample* low = top;
  for (const PressSample& s : presses.samples) {
    if (s.test != 0 || s.turn != kLoading || !(s.deflection > 0)) continue;
    if (std::abs(s.force - 0.25 * top->force) < std::abs(low->force - 0.25 * top->force)) low = &s;
  }
  const SoleShape shape = presses.soles[0].shape;
  const double shape_exponent = shape == SoleShape::sphere     ? 1
                                : shape == SoleShape::cylinder ? 0.5
                                                               : 0;
  double exponent = 0.8;
  if (low->force > 0 && low->force < 0.9 * top->force && sinkage(*low) < sinkage(*top)) {
    exponent = std::log(top->force / low->force) / std::log(sinkage(*top) / sinkage(*low)) -
               shape_exponent;
  }
  p.exponent = fixed_or(options, "n", std::clamp(exponent, 0.2, 2.0));
  p.modulus = 1;
  PlasticSoil unit;
  unit.pressure = {
      .law = PressureLaw::bernstein, .exponent = p.exponent, .sinkage_modulus = p.modulus};
  const double bearing = normal_force(presses.soles[0], unit, sinkage(*top), options.form).force;
  p.modulus = std::clamp(top->force / bearing, 1e2, 1e11);
  return p;
}

std::vector<FitParameter> list_parameters(const Presses& presses, const SeriesOptions& options) {
  const SeriesParameters p = guess(presses, options);
  std::vector<FitParameter> list(kOffset);
  list[kPadStiffness] = {.name = "k_F",
                         .unit = "N/m^n_F",
                         .start = p.pad_stiffness,
                         .lower = 1,
                         .upper = 1e12,
                         .logarithmic = true,
                         .starts = {0.5 * p.pad_stiffness, 3 * p.pad_stiffness}};
  list[kPadExponent] = {
      .name = "n_F", .unit = "", .start = p.pad_exponent, .lower = 0.2, .upper = 5, .fixed = true};
  list[kSoilModulus] = {.name = "k",
                        .unit = "Pa/m^n",
                        .start = p.modulus,
                        .lower = 1,
                        .upper = 1e14,
                        .logarithmic = true};
  list[kSoilExponent] = {.name = "n",
                         .unit = "",
                         .start = p.exponent,
                         .lower = 0.05,
                         .upper = 3,
                         .starts = {0.5, 1.2}};
  list[kFootWeight] = {
      .name = "foot_weight", .unit = "N", .start = p.foot_weight, .upper = 1e5, .fixed = true};
  for (std::size_t i = 0; i < presses.names.size(); ++i) {
    const double reach = std::max(0.1 * presses.deepest[i], 1e-3);
    list.push_back({.name = per_file_name("contact_offset", i, presses.names.size()),
                    .unit = "m",
                    .lower = -reach,
                    .upper = reach,
                    .fixed = presses.touch_is_known[i],
                    .nuisance = true});
  }
  return list;
}

// ---- the law over all tests ----

SeriesParameters read_parameters(std::span<const double> x) {
  return {.pad_stiffness = x[kPadStiffness],
          .pad_exponent = x[kPadExponent],
          .modulus = x[kSoilModulus],
          .exponent = x[kSoilExponent],
          .foot_weight = x[kFootWeight]};
}

double offset_of(std::span<const double> x, int test) {
  return x[kOffset + static_cast<std::size_t>(test)];
}

// Force and derivatives at every sample, in order: `visit(i, value)`.
template <class Visit>
void evaluate_all(const Presses& presses, std::vector<SoleBearing>& bearings,
                  std::span<const double> x, const Visit& visit) {
  std::vector<SeriesLaw> laws;
  for (SoleBearing& bearing : bearings) {
    bearing.set(x[kSoilExponent]);
    laws.emplace_back(bearing, read_parameters(x));
  }
  std::vector<SeriesTurn> turns;
  for (std::size_t i = 0; i < presses.turns.size(); ++i) {
    const int test = presses.turn_test[i];
    turns.push_back(
        laws[static_cast<std::size_t>(test)].turn(presses.turns[i] + offset_of(x, test)));
  }
  double near = 0, near_slope = 0, near_z = 0;  // δ_T of the sample before, for a good guess
  for (std::size_t i = 0; i < presses.samples.size(); ++i) {
    const PressSample& s = presses.samples[i];
    const SeriesLaw& law = laws[static_cast<std::size_t>(s.test)];
    const double z = s.deflection + offset_of(x, s.test);
    if (s.turn == kLoading) {
      const SeriesLaw::Loaded loaded = law.load(z, near + near_slope * (z - near_z));
      near = loaded.sinkage.value, near_slope = loaded.sinkage.gradient[kOffset], near_z = z;
      visit(i, loaded.force);
    } else {
      visit(i, law.unload(turns[static_cast<std::size_t>(s.turn)], z));
    }
  }
}

void copy_gradient(const SeriesGradient& gradient, int test, double* row) {
  std::copy_n(gradient.data(), static_cast<int>(kOffset), row);
  row[kOffset + test] = gradient[kOffset];
}

FitProblem make_problem(const Presses& presses, std::vector<SoleBearing>& bearings,
                        std::vector<FitParameter> parameters) {
  FitProblem problem;
  const std::size_t width = parameters.size();
  problem.parameters = std::move(parameters);
  problem.residual_count = static_cast<int>(presses.samples.size());
  problem.groups = presses.names;
  for (const PressSample& s : presses.samples) problem.group.push_back(s.test);
  problem.evaluate = [&presses, &bearings, width](std::span<const double> x,
                                                  std::span<double> residuals, double* jacobian) {
    if (jacobian != nullptr) std::fill_n(jacobian, width * residuals.size(), 0.0);
    bool finite = true;
    evaluate_all(presses, bearings, x, [&](std::size_t i, const SeriesValue& force) {
      const PressSample& s = presses.samples[i];
      residuals[i] = force.value - s.force;
      finite = finite && std::isfinite(force.value) && force.gradient.allFinite();
      if (jacobian != nullptr) copy_gradient(force.gradient, s.test, jacobian + width * i);
    });
    return finite;
  };
  return problem;
}

// ---- what was found ----

// The strongest tie between a parameter of the pad and one of the soil.
double find_tie(const Fit& fit) {
  double tie = 0;
  for (const SeriesIndex pad : {kPadStiffness, kPadExponent}) {
    for (const SeriesIndex soil : {kSoilModulus, kSoilExponent}) {
      const auto a = static_cast<std::size_t>(pad), b = static_cast<std::size_t>(soil);
      if (fit.parameters[a].fixed || fit.parameters[b].fixed) continue;
      const double c = fit.correlation(pad, soil);
      if (!std::isfinite(c)) return 1;
      if (std::abs(c) > std::abs(tie)) tie = c;
    }
  }
  return tie;
}

void warn_of_ties(const Presses& presses, Fit& fit) {
  const bool pad_known = fit.find("k_F").fixed && fit.find("n_F").fixed;
  const bool soil_known = fit.find("k").fixed && fit.find("n").fixed;
  if (pad_known || soil_known) return;
  const double tie = find_tie(fit);
  if (presses.turns.empty()) {
    fit.warnings.push_back(
        fmt::format("pad and soil cannot be told apart from loading alone (correlation {:.4f}): "
                    "lift the foot, or press the pad on hard ground and fix k_F",
                    tie));
  } else if (std::abs(tie) > kStrongCorrelation) {
    fit.warnings.push_back(
        fmt::format("pad and soil are hardly told apart (correlation {:.4f}): record more of the "
                    "way up, or press the pad on hard ground and fix k_F",
                    tie));
  }
}

std::vector<FitCurve> draw_curves(const Presses& presses, std::vector<SoleBearing>& bearings,
                                  const Fit& fit, std::span<const double> x) {
  std::vector<FitCurve> curves(presses.names.size());
  for (std::size_t i = 0; i < curves.size(); ++i) curves[i].name = presses.names[i];
  std::vector<double> row(x.size());
  evaluate_all(presses, bearings, x, [&](std::size_t i, const SeriesValue& force) {
    const PressSample& s = presses.samples[i];
    FitCurve& curve = curves[static_cast<std::size_t>(s.test)];
    std::fill(row.begin(), row.end(), 0.0);
    copy_gradient(force.gradient, s.test, row.data());
    curve.x.push_back(s.deflection);
    curve.data.push_back(s.force);
    curve.model.push_back(force.value);
    curve.half_width.push_back(band_half_width(fit, row));
  });
  return curves;
}

// δ_F/z of the first test at its deepest.
Estimate find_pad_share(const Presses& presses, SoleBearing& bearing, const Fit& fit,
                        std::span<const double> x) {
  bearing.set(x[kSoilExponent]);
  const double z = presses.deepest[0] + offset_of(x, 0);
  const SeriesLaw::Loaded deepest = SeriesLaw(bearing, read_parameters(x)).load(z, 0);
  std::vector<double> row(x.size(), 0);
  SeriesGradient slope = -deepest.sinkage.gradient / z;
  slope[kOffset] += deepest.sinkage.value / (z * z);
  copy_gradient(slope, 0, row.data());
  const double half = band_half_width(fit, row);
  Estimate share;
  share.name = "pad_share";
  share.value = 1 - deepest.sinkage.value / z;
  share.standard_error = fit.t_quantile > 0 ? half / fit.t_quantile : 0;
  share.lower = share.value - half;
  share.upper = share.value + half;
  return share;
}

}  // namespace

FittedLaw fit_series(const std::vector<RigTest>& tests, const SeriesOptions& options) {
  const Presses presses = collect_presses(tests);
  std::vector<FitParameter> parameters = list_parameters(presses, options);
  apply_options(for_all_files(options, "contact_offset", presses.names.size()), parameters);
  std::vector<SoleBearing> bearings;
  bearings.reserve(presses.soles.size());
  for (const FootSole& sole : presses.soles) bearings.emplace_back(sole, options.form);
  const FitProblem problem = make_problem(presses, bearings, std::move(parameters));

  FittedLaw part{.name = "series",
                 .law = "pad and soil in series, z = (P/k_F)^(1/n_F) + δ_T, P + m_F g = k ∫ sⁿ dA",
                 .fit = fit(problem, options.fit),
                 .x_label = "deflection of pad and soil",
                 .x_unit = "m",
                 .curves = {},
                 .derived = {}};
  warn_of_ties(presses, part.fit);
  std::vector<double> x;
  x.reserve(part.fit.parameters.size());
  for (const Estimate& e : part.fit.parameters) x.push_back(e.value);
  part.curves = draw_curves(presses, bearings, part.fit, x);
  part.derived = {find_pad_share(presses, bearings[0], part.fit, x)};
  part.sample_count = static_cast<int>(presses.samples.size());
  return part;
}

}  // namespace footfall
