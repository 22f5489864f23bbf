// Tables 9 to 12: what the paper identifies, from the numbers that it prints, or where it prints only
// the result, from data made with that result and noise added.
#include <fmt/format.h>

#include <numeric>
#include <random>

#include "footfall/identify/normal.hpp"
#include "footfall/identify/tangential.hpp"
#include "reproduce/ding2013_parts.hpp"

namespace footfall::ding2013 {
namespace {

// ---- Table 9: states at rest of the soft foot on marble, five times each ----

constexpr double kTable9Force[5][5] = {{110.81, 111.13, 111.05, 111.53, 112.60},  // F_N^m [N]
                                       {178.70, 179.21, 178.63, 178.54, 179.04},
                                       {251.97, 252.29, 251.64, 251.73, 252.43},
                                       {298.59, 298.13, 297.74, 298.21, 297.81},
                                       {338.85, 339.31, 338.54, 339.48, 339.00}};
constexpr double kTable9Sinkage[5][5] = {{4.79, 4.81, 4.88, 4.89, 4.96},  // −z [mm]
                                         {10.57, 10.56, 10.55, 10.53, 10.56},
                                         {16.61, 16.61, 16.58, 16.59, 16.59},
                                         {20.80, 20.80, 20.76, 20.79, 20.81},
                                         {23.81, 23.84, 23.52, 23.86, 23.75}};
constexpr double kTable9Averages[2][5] = {{111.42, 178.82, 252.01, 298.09, 339.04},
                                          {4.86, 10.55, 16.60, 20.79, 23.75}};

// What is left of a number whose further digits are dropped.
double cut_off(double value, double last_digit) {
  return last_digit * std::floor(value / last_digit + 1e-9);
}

double average(const double (&values)[5]) { return std::accumulate(values, values + 5, 0.0) / 5; }

RigTest rest_points(const std::string& name, const std::vector<double>& sinkage_mm,
                    const std::vector<double>& force) {
  RigTest test;
  test.name = name;
  test.kind = TestKind::points;
  test.recording.file = name;
  test.recording.zero_is_known = true;
  test.recording.normal_force = force;
  for (std::size_t i = 0; i < force.size(); ++i) {
    test.recording.rows.push_back(static_cast<long>(i) + 1);
    test.recording.sinkage.push_back(1e-3 * sinkage_mm[i]);
  }
  test.sinkage = test.recording.sinkage;
  test.rate.assign(force.size(), 0);
  test.phase.assign(force.size(), Phase::holding);
  return test;
}

// k_FN and m_F g by (59), n = 1.
FittedLaw fit_spring(const std::vector<RigTest>& tests) {
  NormalOptions options;
  options.model = NormalModel::spring;
  options.free = {"foot_weight"};
  return fit_equilibrium(tests, options);
}

std::string interval_text(const Estimate& e, double factor = 1) {
  return fmt::format("95 % interval {:.5g} to {:.5g}", factor * e.lower, factor * e.upper);
}

void add_table_9(Reproduction& out) {
  for (int i = 0; i < 5; ++i) {
    const std::string load = fmt::format(", load {}", i + 1);
    const auto add = [&](const char* symbol, const char* unit, double paper, double ours,
                         bool cut) {
      const Comparison item = compared("Table 9", symbol + load, unit, paper, ours);
      out.add(cut ? is_papers_error(item, cut_off(ours, 0.01), "cut off, not rounded")
                  : adds_up(item, printed(0.01)));
    };
    add("average F_N", "N", kTable9Averages[0][i], average(kTable9Force[i]), i == 3);
    add("average -z", "mm", kTable9Averages[1][i], average(kTable9Sinkage[i]), i == 0 || i == 4);
  }
  const std::vector<double> force(kTable9Averages[0], kTable9Averages[0] + 5);
  const std::vector<double> sinkage(kTable9Averages[1], kTable9Averages[1] + 5);
  const Fit fit = fit_spring({rest_points("averages", sinkage, force)}).fit;
  // The averages are printed to 0.005 mm and N: what that can do to the line, at worst.
  const double middle = average(kTable9Averages[1]);
  double away = 0, squares = 0;
  for (const double z : kTable9Averages[1]) {
    away += std::abs(z - middle);
    squares += (z - middle) * (z - middle);
  }
  const double k = fit.value("k");
  const double slope = 0.005 * (k + 1e3) * away / squares;  // 1e3: N/mm, of the force's digits
  const double foot = slope * 1e-3 * middle + 0.005e-3 * k + 0.005;
  const char* digits = "printed digits, of the averages too";
  out.add(reproduces(
      compared("Table 9", "k_FN by (59)", "N/m", 1.194e4, k, interval_text(fit.find("k"))),
      scatter(5 + slope, digits)));
  out.add(reproduces(compared("Table 9", "m_F g by (59)", "N", 53.01, fit.value("foot_weight"),
                              interval_text(fit.find("foot_weight"))),
                     scatter(0.005 + foot, digits)));
}

// ---- Tables 10 and 12: averages over single experiments ----

constexpr double kSandModulus[5] = {3.72, 5.45, 4.78, 6.15, 5.18};        // k_TN [N/mm^n_TN]
constexpr double kSandExponent[5] = {1.232, 1.109, 1.151, 1.068, 1.099};  // n_TN
constexpr double kSandAverage[2] = {5.06, 1.132};                         // as printed

void add_averages(Reproduction& out) {
  constexpr double kSpring[5] = {12.14, 11.83, 11.79, 11.87, 11.96};  // Table 10 [kN/m]
  constexpr double kWeight[5] = {50.51, 52.17, 55.47, 48.88, 49.33};  // [N]
  const auto add = [&](const Comparison& made, double digit) {
    out.add(adds_up(made, printed(digit)));
  };
  add(compared("Table 10", "average k_FN", "kN/m", 11.92, average(kSpring)), 0.01);
  add(compared("Table 10", "average m_F g", "N", 51.27, average(kWeight)), 0.01);
  Comparison text =
      compared("Section 5.2", "average k_FN in the text", "kN/m", 11.91, average(kSpring));
  out.add(is_papers_error(text, cut_off(average(kSpring), 0.01),
                          "cut off, not rounded: the table has 11.92"));
  add(compared("Table 12", "average k_TN", "N/mm^n", 5.06, average(kSandModulus)), 0.01);
  add(compared("Table 12", "average n_TN", "", 1.132, average(kSandExponent)), 0.001);
}

// k_TN is in N/mm^n_TN. As printed, in kN/m^n_TN, the five curves of one sand are far apart. For n = 1
// (Table 10) the two units are the same, which hides it.
void add_unit_of_table_12(Reproduction& out) {
  const auto spread = [](double depth) {  // largest over smallest force, depth in the unit of k_TN
    double least = 1e300, most = 0;
    for (int i = 0; i < 5; ++i) {
      const double force = kSandModulus[i] * std::pow(depth, kSandExponent[i]);
      least = std::min(least, force);
      most = std::max(most, force);
    }
    return most / least;
  };
  const double si = kSandAverage[0] * std::pow(1e3, kSandAverage[1]);
  const Comparison match = claimed("Fig. 22", "largest over smallest force of 5 tests, 20 mm", "",
                                   "almost match together", spread(20));
  out.add(agrees(match, spread(20) < 1.1));
  Comparison unit = match;
  unit.place = "Table 12";
  unit.reason = fmt::format("k_TN is in N/mm^n, {:.4g} N/m^n: in kN/m^n, as printed, it is {:.2f}",
                            si, spread(0.020));
  out.add(contradicts_itself(unit, spread(0.020) < 1.1, spread(20) < 1.1));
}

// The five curves of Table 12, each up to its load in Table 8, and one law for all of them: each curve counts alike,
// whatever its load. The misfit is measured so too.
void add_joint_sand(Reproduction& out) {
  constexpr double kLoads[5] = {40, 120, 200, 250, 300};  // [N]
  constexpr double kDepth = 20;                           // where forces are compared [mm]
  const auto by_averages = [](double depth_mm) {
    return kSandAverage[0] * std::pow(depth_mm, kSandAverage[1]);
  };
  std::vector<RigTest> tests;
  for (int i = 0; i < 5; ++i) {
    const double deepest = std::pow(kLoads[i] / kSandModulus[i], 1 / kSandExponent[i]);
    std::vector<double> sinkage, force;
    for (int k = 1; k <= 100; ++k) {
      sinkage.push_back(deepest * k / 100);
      force.push_back(kSandModulus[i] * std::pow(sinkage.back(), kSandExponent[i]));
    }
    tests.push_back(rest_points(fmt::format("test {}", i + 1), sinkage, force));
    tests.back().kind = TestKind::press;
    tests.back().phase.assign(force.size(), Phase::loading);
    tests.back().recording.time = sinkage;  // slowly, one mm per second
  }
  NormalOptions options;
  options.model = NormalModel::hertz;
  const Fit joint = fit_static(tests, options).fit;
  const double k = joint.value("k"), n = joint.value("n");
  const auto jointly = [&](double depth_mm) { return k * std::pow(1e-3 * depth_mm, n); };
  const auto misfit =
      [&](const auto& law) {  // root of the mean over tests of Σ (law − force)²/Σ force² [%]
        double sum = 0;
        for (const RigTest& test : tests) {
          double off = 0, size = 0;
          for (std::size_t i = 0; i < test.sinkage.size(); ++i) {
            const double force = test.recording.normal_force[i];
            off += std::pow(law(1e3 * test.sinkage[i]) - force, 2);
            size += force * force;
          }
          sum += off / size / static_cast<double>(tests.size());
        }
        return 100 * std::sqrt(sum);
      };
  Comparison item = compared("Table 12", "force of the averages at 20 mm; ours: fitted jointly",
                             "N", by_averages(kDepth), jointly(kDepth));
  out.add(
      is_difference(item, formula(*item.paper),
                    fmt::format("averages of parameters are no fit: k_TN = {:.2f} N/mm^n, n_TN "
                                "= {:.3f} are off by {:.2f} %, the averages by {:.2f} %",
                                k / std::pow(1e3, n), n, misfit(jointly), misfit(by_averages))));
}

// ---- Table 11: the soft foot dragged over hard ground ----

struct Drag {
  const char* ground;
  double normal_force;                // F_TN [N]
  double friction[2], modulus_mm[2];  // μ and K by (61): exponential, tanh
};
constexpr Drag kDrags[] = {{"brick", 120.70, {0.634, 0.618}, {23.320, 20.023}},
                           {"marble", 143.78, {0.407, 0.406}, {11.388, 11.280}},
                           {"steel", 124.53, {0.469, 0.468}, {16.070, 14.009}}};
constexpr double kDragNoise = 2;       // uniform, ± [N]
constexpr double kDragDistance = 0.1;  // [m], at 20 mm/s and 50 Hz: 250 samples
constexpr double kDragSample = 0.02 / 50;

RigTest make_drag(const Drag& drag, int method, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(-kDragNoise, kDragNoise);
  PlasticSoil soil;
  soil.shear = method == 0 ? ShearForm::exponential : ShearForm::tanh;
  soil.shear_modulus = 1e-3 * drag.modulus_mm[method];
  RigTest test;
  test.name = drag.ground;
  test.kind = TestKind::drag;
  test.recording.file = drag.ground;
  test.recording.zero_is_known = test.recording.shear_zero_is_known = true;
  for (int i = 0; kDragSample * i <= kDragDistance; ++i) {
    const double j = kDragSample * i;
    const double force = drag.friction[method] * drag.normal_force * mobilized_shear(soil, j);
    test.recording.rows.push_back(i + 1);
    test.recording.time.push_back(j / 0.02);
    test.recording.shear_displacement.push_back(j);
    test.recording.tangential_force.push_back(force + noise(random));
    test.recording.normal_force.push_back(drag.normal_force);
  }
  const std::size_t count = test.recording.time.size();
  test.recording.sinkage.assign(count, 0);
  test.sinkage = test.rate = test.recording.sinkage;
  test.phase.assign(count, Phase::sliding);
  return test;
}

void add_table_11(Reproduction& out) {
  unsigned seed = 1;
  for (const Drag& drag : kDrags) {
    for (int method = 0; method < 2; ++method) {
      TangentialOptions options;
      options.model = TangentialModel::friction;
      options.form = method == 0 ? ShearForm::exponential : ShearForm::tanh;
      const Fit fit = fit_tangential({make_drag(drag, method, seed++)}, options).fit;
      const char* form = method == 0 ? "1 - exp(-j/K)" : "tanh(j/1.5K)";
      const auto add = [&](const char* symbol, const char* unit, double paper, double factor) {
        const Estimate& e = fit.find(symbol);
        Comparison item = compared("Table 11", fmt::format("{}, {}, {}", drag.ground, form, symbol),
                                   unit, paper, factor * e.value);
        // one in 16,000 of such intervals misses
        out.add(returns(item, scatter(4 * factor * e.standard_error,
                                      "four standard errors, with noise of ±2 N")));
        out.items.back().reason = interval_text(e, factor);
      };
      add("mu", "", drag.friction[method], 1);
      add("K", "mm", drag.modulus_mm[method], 1e3);
    }
  }
}

}  // namespace

void add_identified_tables(Reproduction& out) {
  add_table_9(out);
  add_averages(out);
  add_joint_sand(out);
  add_unit_of_table_12(out);
  add_table_11(out);
}

}  // namespace footfall::ding2013
