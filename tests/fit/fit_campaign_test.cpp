// What fits say about campaigns of several runs: intervals and bands against how often they hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fit/fit_problems.hpp"

namespace footfall {
namespace {

using test::Chance;
using test::evenly;

constexpr double kStiffness = 1e5, kExponent = 1.3, kDepth = 0.02;

struct PressRun {
  std::vector<double> x, y;
};

// Runs of k xⁿ as one problem, one group each.
FitProblem make_campaign(const std::vector<PressRun>& runs) {
  PressRun all;
  FitProblem problem;
  std::vector<int> group;
  std::vector<std::string> names;
  for (std::size_t g = 0; g < runs.size(); ++g) {
    all.x.insert(all.x.end(), runs[g].x.begin(), runs[g].x.end());
    all.y.insert(all.y.end(), runs[g].y.begin(), runs[g].y.end());
    group.insert(group.end(), runs[g].x.size(), static_cast<int>(g));
    names.push_back("run " + std::to_string(g));
  }
  problem = test::make_curve_problem(test::power_parameters(), all.x, all.y, test::power_law);
  problem.groups = names;
  problem.group = group;
  problem.place = all.x;
  problem.data = all.y;
  return problem;
}

// A process along x with this correlation length, of scatter 1.
std::vector<double> make_process(const std::vector<double>& x, double length, Chance& chance) {
  std::vector<double> process = {chance.normal()};
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double rho = std::exp(-(x[i] - x[i - 1]) / length);
    process.push_back(rho * process.back() + std::sqrt(1 - rho * rho) * chance.normal());
  }
  return process;
}

struct Soilbed {
  double stiffness_scatter = 0.08, exponent_scatter = 0.02;  // from run to run
  double process = 0.01, noise = 0.003;                      // of the deepest force
};

// One run: k and n of its own (about the deepest point, as soil differs), a process and noise.
PressRun press_once(const Soilbed& bed, int samples, Chance& chance) {
  const double factor = std::exp(bed.stiffness_scatter * chance.normal());
  const double n = kExponent + bed.exponent_scatter * chance.normal();
  PressRun run{.x = evenly(kDepth / samples, kDepth, samples), .y = {}};
  const std::vector<double> process = make_process(run.x, 1e-3, chance);
  const double deepest = kStiffness * std::pow(kDepth, kExponent);
  for (int i = 0; i < samples; ++i) {
    const double force = factor * deepest * std::pow(run.x[i] / kDepth, n);
    run.y.push_back(force + deepest * (bed.process * process[i] + bed.noise * chance.normal()));
  }
  return run;
}

// Runs of plates of several widths on soil of Bekker's kind, (k_c/w + k_phi) δⁿ S with S ∝ w².
constexpr double kCohesive = 1e3, kFrictional = 1e6;

double plate_law(std::span<const double> p, double w, double x, double* slopes) {
  const double unit = w * w * std::pow(x, p[2]);
  slopes[0] = unit / w;
  slopes[1] = unit;
  const double force = (p[0] / w + p[1]) * unit;
  slopes[2] = force * std::log(x);
  return force;
}

double plate_force(double w) {
  double slopes[3];
  return plate_law(std::vector{kCohesive, kFrictional, kExponent}, w, kDepth, slopes);
}

// k_c, k_phi and n; every file counts as much as that of the largest plate.
FitProblem make_plate_campaign(const std::vector<PressRun>& runs,
                               const std::vector<double>& widths) {
  FitProblem problem = make_campaign(runs);
  problem.parameters = {test::plain("k_c", 500, -1e9, 1e9), test::plain("k_phi", 5e5, -1e9, 1e9),
                        test::plain("n", 1, 0.1, 5)};
  problem.shape = 2;
  for (const double w : widths) problem.weight.push_back(plate_force(0.08) / plate_force(w));
  problem.evaluate = [runs, widths](std::span<const double> at, std::span<double> residuals,
                                    double* jacobian) {
    double slopes[3];
    std::size_t row = 0;
    for (std::size_t g = 0; g < runs.size(); ++g) {
      for (std::size_t i = 0; i < runs[g].x.size(); ++i, ++row) {
        residuals[row] = plate_law(at, widths[g], runs[g].x[i], slopes) - runs[g].y[i];
        if (jacobian) jacobian = std::copy(slopes, slopes + 3, jacobian);
      }
    }
    return true;
  };
  return problem;
}

struct Campaign {
  const char* name;
  std::vector<double> widths;  // one per run
  double freedom;
};

// Deepest forces of new runs, under every plate of the campaign.
TEST(FitCampaign, BandsHoldNewRunsAsOftenAsTheySay) {
  const std::vector<double> plates = {0.02, 0.04, 0.08}, four = {0.02, 0.04, 0.06, 0.08};
  const std::vector<Campaign> all = {
      {"two runs", {0.04, 0.04}, 1},
      {"three runs", {0.04, 0.04, 0.04}, 2},
      {"four runs", {0.04, 0.04, 0.04, 0.04}, 3},
      {"nine runs", std::vector<double>(9, 0.04), 8},
      {"three plates once", plates, 1},
      {"four plates once", four, 2},
      {"two plates twice", {0.02, 0.02, 0.08, 0.08}, 2},
      {"three plates, one twice", {0.02, 0.04, 0.08, 0.08}, 2},
      {"three plates three times", {0.02, 0.04, 0.08, 0.02, 0.04, 0.08, 0.02, 0.04, 0.08}, 7},
  };
  constexpr int kNewRuns = 5;
  for (const Campaign& campaign : all) {
    SCOPED_TRACE(campaign.name);
    const int campaigns =
        campaign.freedom < 2 ? 600 : 200;  // of one degree of freedom bands differ tenfold
    const bool several = campaign.widths.front() != campaign.widths.back();
    double held = 0, tried = 0, n_held = 0;
    for (int c = 0; c < campaigns; ++c) {
      Chance chance(10000 * campaign.widths.size() + c);
      const auto press = [&](double w) {
        PressRun run = press_once({}, 60, chance);
        for (double& y : run.y) y *= plate_force(w) / plate_force(0.08);
        return run;
      };
      std::vector<PressRun> measured;
      for (const double w : campaign.widths) measured.push_back(press(w));
      const FitProblem problem =
          several ? make_plate_campaign(measured, campaign.widths) : make_campaign(measured);
      const Fit found = fit(problem, {.per_group = false});
      ASSERT_EQ(found.errors, ErrorModel::between_files);
      ASSERT_NEAR(found.error_freedom, campaign.freedom, 1e-6);
      n_held += found.find("n").lower <= kExponent && kExponent <= found.find("n").upper;
      std::vector<double> x, slopes(problem.parameters.size());
      for (const Estimate& e : found.parameters) x.push_back(e.value);
      for (const double w : std::set(campaign.widths.begin(), campaign.widths.end())) {
        const double law = several ? plate_law(x, w, kDepth, slopes.data())
                                   : test::power_law(x, kDepth, slopes.data());
        const double width = prediction_half_width(found, slopes, kDepth, law);
        for (int i = 0; i < kNewRuns; ++i, ++tried) {
          held += std::abs(press(w).y.back() - law) <= width;
        }
      }
    }
    EXPECT_NEAR(held / tried, 0.95, 0.02);
    EXPECT_NEAR(n_held / campaigns, 0.95, 0.04);
  }
}

// As many unknown sizes as files: nothing says how runs differ, and no band is claimed.
TEST(FitCampaign, FilesThatDoNotTellHowRunsDiffer) {
  Chance chance(1);
  const PressRun one = press_once({}, 60, chance), other = press_once({}, 60, chance);
  for (const FitProblem& problem :
       {make_campaign({one}), make_plate_campaign({one, other}, {0.02, 0.08})}) {
    const Fit found = fit(problem, {.per_group = false});
    EXPECT_FALSE(found.runs.known);
    EXPECT_EQ(found.errors, ErrorModel::along_place);
    const std::vector<double> slopes(problem.parameters.size(), 1);
    EXPECT_TRUE(std::isinf(prediction_half_width(found, slopes, kDepth, 1)));
  }
}

// A file that is off as a whole has no outliers, one with a jump has.
TEST(FitCampaign, RunsThatDifferAreNoOutliers) {
  Chance chance(2);
  std::vector<PressRun> runs;
  for (int i = 0; i < 4; ++i) {
    runs.push_back(press_once({.stiffness_scatter = 0, .process = 0}, 80, chance));
  }
  for (double& y : runs[3].y) y *= 1.3;
  EXPECT_LE(fit(make_campaign(runs)).diagnostics.outliers, 1);
  runs[2].y[40] *= 1.5;
  EXPECT_GE(fit(make_campaign(runs)).diagnostics.outliers, 1);
  EXPECT_LE(fit(make_campaign(runs)).diagnostics.outliers, 3);
}

// The mean over ten neighbours, and every so many of them.
PressRun smoothed(const PressRun& run, std::size_t every) {
  constexpr std::size_t kWindow = 10;
  PressRun out;
  for (std::size_t i = 0; i + kWindow <= run.x.size(); i += every) {
    double x = 0, y = 0;
    for (std::size_t k = i; k < i + kWindow; ++k) x += run.x[k] / kWindow, y += run.y[k] / kWindow;
    out.x.push_back(x);
    out.y.push_back(y);
  }
  return out;
}

PressRun thinned(const PressRun& run, std::size_t every) {
  PressRun out;
  for (std::size_t i = every / 2; i < run.x.size(); i += every) {
    out.x.push_back(run.x[i]);
    out.y.push_back(run.y[i]);
  }
  return out;
}

// One file: 4 s at 500 Hz, the same at 50 Hz, and smoothed.
TEST(FitCampaign, SampleRateAndFilterDoNotChangeTheIntervals) {
  constexpr int kTests = 60;
  std::vector<double> ratios;
  int held = 0;
  double before = 0;
  for (int seed = 0; seed < kTests; ++seed) {
    Chance chance(seed);
    const PressRun raw = press_once({.stiffness_scatter = 0, .exponent_scatter = 0}, 2000, chance);
    double least = HUGE_VAL, most = 0;
    for (const PressRun& run : {raw, thinned(raw, 10), smoothed(raw, 1), smoothed(raw, 10)}) {
      const Fit found = fit(make_campaign({run}));
      ASSERT_EQ(found.errors, ErrorModel::along_place);
      least = std::min(least, found.find("n").standard_error);
      most = std::max(most, found.find("n").standard_error);
      if (run.x.size() != raw.x.size()) continue;
      held += found.find("n").lower <= kExponent && kExponent <= found.find("n").upper;
      before = std::max(before, found.diagnostics.inflation);
    }
    ratios.push_back(most / least);
  }
  std::ranges::sort(ratios);
  EXPECT_LT(ratios[kTests / 2], 1.1);
  EXPECT_LT(ratios[kTests * 9 / 10], 1.2);
  EXPECT_GT(held, 0.9 * kTests);
  EXPECT_GT(before, 5);  // what independent samples would have claimed
}

// Two routes to the error of the mean law: files as clusters, and a bootstrap over files.
TEST(FitCampaign, ErrorsBetweenFilesAreThoseOfABootstrapOverFiles) {
  Chance chance(5);
  std::vector<PressRun> runs;
  for (int r = 0; r < 9; ++r) runs.push_back(press_once({}, 100, chance));
  const Fit found = fit(make_campaign(runs), {.per_group = false});
  constexpr int kDraws = 400;
  double sum = 0, squares = 0;
  for (int d = 0; d < kDraws; ++d) {
    std::vector<PressRun> drawn;
    for (int r = 0; r < 9; ++r)
      drawn.push_back(runs[static_cast<std::size_t>(9 * chance.uniform())]);
    const double n = fit(make_campaign(drawn), {.per_group = false}).value("n");
    sum += n / kDraws, squares += n * n / kDraws;
  }
  const double bootstrap = std::sqrt((squares - sum * sum) * 9 / 8);
  EXPECT_NEAR(found.find("n").standard_error / bootstrap, 1, 0.15);
}

}  // namespace
}  // namespace footfall
