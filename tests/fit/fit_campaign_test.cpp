// What fits say about campaigns of several runs: intervals and bands against how often they hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

TEST(FitCampaign, BandsHoldNewRunsAsOftenAsTheySay) {
  for (const int runs : {4, 9}) {
    int held = 0, law_held = 0, n_held = 0;
    constexpr int kCampaigns = 200, kNewRuns = 5;
    for (int c = 0; c < kCampaigns; ++c) {
      Chance chance(1000 * runs + c);
      std::vector<PressRun> measured;
      for (int r = 0; r < runs; ++r) measured.push_back(press_once({}, 80, chance));
      const Fit found = fit(make_campaign(measured), {.per_group = false});
      ASSERT_EQ(found.errors, ErrorModel::between_files);
      ASSERT_EQ(found.error_freedom, runs - 1);
      std::vector<double> slopes(2);
      const std::vector<double> x = {found.value("k"), found.value("n")};
      const double law = test::power_law(x, kDepth, slopes.data());
      const double width = prediction_half_width(found, slopes, kDepth, law);
      for (int i = 0; i < kNewRuns; ++i) {
        held += std::abs(press_once({}, 80, chance).y.back() - law) <= width;
      }
      const double mean = kStiffness * std::pow(kDepth, kExponent) * std::exp(0.5 * 0.08 * 0.08);
      law_held += std::abs(law - mean) <= band_half_width(found, slopes);
      n_held += found.find("n").lower <= kExponent && kExponent <= found.find("n").upper;
    }
    EXPECT_NEAR(held / double(kCampaigns * kNewRuns), 0.95, 0.02) << runs;
    EXPECT_NEAR(law_held / double(kCampaigns), 0.95, 0.04) << runs;
    EXPECT_NEAR(n_held / double(kCampaigns), 0.95, 0.04) << runs;
  }
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
