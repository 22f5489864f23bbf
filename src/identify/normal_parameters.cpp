// Parameters of the laws: names, units, bounds, and starts taken from the tests.
#include <algorithm>
#include <cmath>

#include "identify/normal_bearing.hpp"
#include "identify/normal_problem.hpp"

namespace footfall {
namespace {

constexpr double kWide = 1e9;  // bounds of what has no size of its own, as a factor of its start

// Samples that look static or nearly so, of one test.
struct Points {
  const RigTest* test = nullptr;
  std::vector<double> sinkage, force;
};

// In contact, going down or at rest, and deep enough that the zero of the sinkage hardly counts.
Points choose_points(const RigTest& test) {
  Points points{.test = &test, .sinkage = {}, .force = {}};
  const std::vector<double>& force = test.recording.normal_force;
  if (force.empty() || test.sinkage.empty()) return points;
  const double least = 0.1 * *std::max_element(test.sinkage.begin(), test.sinkage.end());
  for (std::size_t i = 0; i < test.sinkage.size(); ++i) {
    const Phase phase = i < test.phase.size() ? test.phase[i] : Phase::holding;
    const bool down = phase == Phase::loading || phase == Phase::impact || phase == Phase::holding;
    if (!down || !(test.sinkage[i] > least) || !(force[i] > 0)) continue;
    points.sinkage.push_back(test.sinkage[i]);
    points.force.push_back(force[i]);
  }
  return points;
}

// Slope of ln F over ln δ, each test about its own means; 1 where the depths hardly differ.
double find_log_slope(const std::vector<Points>& all) {
  double rise = 0, run = 0;
  for (const Points& points : all) {
    const auto count = static_cast<double>(points.sinkage.size());
    double mean_x = 0, mean_y = 0;
    for (std::size_t i = 0; i < points.sinkage.size(); ++i) {
      mean_x += std::log(points.sinkage[i]) / count;
      mean_y += std::log(points.force[i]) / count;
    }
    for (std::size_t i = 0; i < points.sinkage.size(); ++i) {
      const double x = std::log(points.sinkage[i]) - mean_x;
      rise += x * (std::log(points.force[i]) - mean_y);
      run += x * x;
    }
  }
  return run > 1e-6 ? rise / run : 1;
}

// n_TN − n of the paper's table 7; between those of a mesh.
double shape_exponent(const FootSole& sole) {
  switch (sole.shape) {
  case SoleShape::disc:
  case SoleShape::rectangle:
    return 0;
  case SoleShape::sphere:
    return 1;
  default:
    return 0.5;
  }
}

// K of F = K B by linear least squares.
template <class Base>
double find_factor(const Points& points, const Base& base) {
  double above = 0, below = 0;
  for (std::size_t i = 0; i < points.sinkage.size(); ++i) {
    const double b = base(points.sinkage[i]);
    above += points.force[i] * b;
    below += b * b;
  }
  return below > 0 ? above / below : 0;
}

FitParameter modulus(const char* name, const char* unit, double start) {
  if (!(start > 0)) start = 1;
  return {.name = name,
          .unit = unit,
          .start = start,
          .lower = start / kWide,
          .upper = start * kWide,
          .logarithmic = true};
}

// One of a pair that may be negative.
FitParameter signed_modulus(const char* name, const char* unit, double start, double size) {
  if (!(std::abs(start) > 0.01 * size)) start = 0.01 * size;
  return {
      .name = name, .unit = unit, .start = start, .lower = -kWide * size, .upper = kWide * size};
}

FitParameter exponent(double start) {
  return {.name = "n", .unit = "", .start = std::clamp(start, 0.1, 2.5), .lower = 0.05, .upper = 3};
}

void append_spring(NormalModel model, const std::vector<Points>& points,
                   std::vector<FitParameter>& out) {
  const bool linear = model == NormalModel::spring || model == NormalModel::spring_damper;
  const FitParameter n = exponent(find_log_slope(points));
  const double power = linear ? 1 : n.start;
  double sum = 0;
  for (const Points& p : points)
    sum += find_factor(p, [&](double d) { return std::pow(d, power); });
  const double k = points.empty() ? 0 : sum / static_cast<double>(points.size());
  out.push_back(modulus("k", linear ? "N/m" : "N/m^n", k));
  if (!linear) out.push_back(n);
}

// K_σ = a + b/w (Bekker) or K_σ wⁿ = a w + b (Reece): the line through K of each width w.
struct Pair {
  double by_width = 0, level = 0;  // b and a
};
Pair fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, run = 0, rise = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / count;
    mean_y += y[i] / count;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    run += (x[i] - mean_x) * (x[i] - mean_x);
    rise += (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double slope = run > 1e-6 * mean_x * mean_x ? rise / run : 0;
  return {slope, mean_y - slope * mean_x};
}

void append_soil(NormalModel model, const std::vector<Points>& points,
                 std::vector<FitParameter>& out) {
  double offset = 0;
  for (const Points& p : points) {
    offset += shape_exponent(*p.test->sole) / static_cast<double>(points.size());
  }
  const FitParameter n = exponent(find_log_slope(points) - offset);
  std::vector<double> width, factor;
  double mean = 0, mean_width = 0;
  for (const Points& p : points) {
    SoleBearing bearing(*p.test->sole, {});
    bearing.set(n.start);
    width.push_back(contact_width(*p.test->sole));
    factor.push_back(find_factor(p, [&](double d) { return bearing.evaluate(d).force; }));
    mean += factor.back() / static_cast<double>(points.size());
    mean_width += width.back() / static_cast<double>(points.size());
  }
  if (!(mean > 0)) mean = mean_width = 1;
  std::vector<double> x(width.size()), y(width.size());
  if (model == NormalModel::bernstein) {
    out.push_back(modulus("k", "Pa/m^n", mean));
  } else if (model == NormalModel::bekker) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 / width[i], y[i] = factor[i];
    const Pair line = fit_line(x, y);
    out.push_back(signed_modulus("k_c", "Pa/m^(n-1)", line.by_width, mean * mean_width));
    out.push_back(signed_modulus("k_phi", "Pa/m^n", line.level, mean));
  } else {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = width[i];
      y[i] = factor[i] * std::pow(width[i], n.start);
    }
    const Pair line = fit_line(x, y);
    const double size = mean * std::pow(mean_width, n.start);
    out.push_back(signed_modulus("C", "Pa", line.level, size));
    out.push_back(signed_modulus("G", "Pa/m", line.by_width, size / mean_width));
  }
  out.push_back(n);
}

// The largest force, and sinkage and rate halfway into the fastest test.
struct Impact {
  double force = 0, sinkage = 0.01, rate = 0.1;
};
Impact find_impact(const std::vector<RigTest>& tests) {
  Impact impact{.force = 0, .sinkage = 0, .rate = 0};
  for (const RigTest& test : tests) {
    for (const double f : test.recording.normal_force) impact.force = std::max(impact.force, f);
    for (const double d : test.sinkage) impact.sinkage = std::max(impact.sinkage, 0.5 * d);
    for (std::size_t i = 0; i < test.rate.size(); ++i) {
      if (test.sinkage[i] > 0) impact.rate = std::max(impact.rate, 0.5 * test.rate[i]);
    }
  }
  if (!(impact.force > 0)) impact.force = 1;
  if (!(impact.sinkage > 0)) impact.sinkage = 0.01;
  if (!(impact.rate > 0)) impact.rate = 0.1;
  return impact;
}

// b such that a fifth of the largest force is damping halfway, for several p and q: the sum of
// squares has several valleys. Where damping carries more, the law at rest carries less, and rises more
// steeply than the force did.
void append_damping(NormalModel model, const std::vector<RigTest>& tests,
                    std::vector<FitParameter>& out) {
  struct Powers {
    double p, q;
    double share;  // of the force at rest
    double rise;   // of n
  };
  constexpr Powers kStarts[] = {
      {0.3, 1, 1, 0}, {0.1, 0.2, 0.6, 0.4}, {1, 1, 0.8, 0}, {0.1, 0.6, 0.6, 0.2}};
  const Impact impact = find_impact(tests);
  const auto size = [&](double p, double q) {
    return 0.2 * impact.force / (std::pow(impact.sinkage, p) * std::pow(impact.rate, q));
  };
  if (model == NormalModel::spring_damper) {
    out.push_back(modulus("b", "N s/m", size(0, 1)));
    return;
  }
  if (model == NormalModel::simple_hunt_crossley) {
    out.push_back(modulus("b", "N s/m^(n+1)", size(1, 1)));
    return;
  }
  FitParameter b = modulus("b", "N s^q/m^(p+q)", size(kStarts[0].p, kStarts[0].q));
  FitParameter p{.name = "p", .unit = "", .start = kStarts[0].p, .lower = 0, .upper = 3};
  FitParameter q{.name = "q", .unit = "", .start = kStarts[0].q, .lower = 0.01, .upper = 3};
  for (const Powers& powers : std::span(kStarts).subspan(1)) {
    b.starts.push_back(size(powers.p, powers.q));
    p.starts.push_back(powers.p);
    q.starts.push_back(powers.q);
    for (FitParameter& rest : out) {
      const bool is_exponent = rest.name == "n";
      const double factor = powers.share * std::pow(impact.sinkage, -powers.rise);
      rest.starts.push_back(is_exponent ? std::min(rest.start + powers.rise, 2.9)
                                        : rest.start * factor);
    }
  }
  out.insert(out.end(), {b, p, q});
}

}  // namespace

std::vector<FitParameter> normal_parameters(NormalModel model, bool with_damping,
                                            const std::vector<RigTest>& tests) {
  std::vector<Points> points;
  for (const RigTest& test : tests) {
    Points found = choose_points(test);
    if (!found.sinkage.empty() && (test.sole || !is_soil(model))) points.push_back(found);
  }
  std::vector<FitParameter> parameters;
  if (is_soil(model)) {
    append_soil(model, points, parameters);
  } else {
    append_spring(model, points, parameters);
  }
  if (with_damping && (has_damping(model) || is_soil(model))) {
    append_damping(model, tests, parameters);
  }
  return parameters;
}

int law_parameter_count(NormalModel model, bool with_damping) {
  constexpr int kAtRest[] = {1, 2, 1, 2, 2, 2, 3, 3};
  constexpr int kDamping[] = {0, 0, 1, 1, 3, 3, 3, 3};
  const auto i = static_cast<std::size_t>(model);
  return kAtRest[i] + (with_damping ? kDamping[i] : 0);
}

std::vector<double> pad_parameters(NormalModel model, std::span<const double> x) {
  const int count = law_parameter_count(model, true);
  const int at_rest = law_parameter_count(model, false);
  std::vector<double> padded(x.begin(), x.end());
  if (static_cast<int>(padded.size()) == count) return padded;
  padded.resize(count, 0);
  if (count == at_rest + 3) padded.back() = 1;  // q
  return padded;
}

std::string describe_law(NormalModel model, bool with_damping) {
  constexpr const char* kLaws[] = {"Linear spring, F_N = k δ",
                                   "Hertz, F_N = k δⁿ",
                                   "Spring and damper, F_N = k δ",
                                   "Simple Hunt–Crossley, F_N = k δⁿ",
                                   "Hunt–Crossley, F_N = k δⁿ",
                                   "Bernstein, F_N = k ∫ δⁿ dA",
                                   "Bekker, F_N = (k_c/w + k_phi) ∫ δⁿ dA",
                                   "Reece, F_N = (C + G w) w⁻ⁿ ∫ δⁿ dA"};
  std::string law = kLaws[static_cast<std::size_t>(model)];
  if (!with_damping) return law;
  if (model == NormalModel::spring_damper) return law + " + b δ̇";
  if (model == NormalModel::simple_hunt_crossley) return law + " + b δⁿ δ̇";
  return has_damping(model) || is_soil(model) ? law + " + b δᵖ δ̇^q" : law;
}

}  // namespace footfall
