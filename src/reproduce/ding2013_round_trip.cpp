// Section 4.2: a foot falls on hard ground, its force is measured with and without noise, and the law is
// identified. The rig's own integrator makes the data, so fitting is checked by other code.
//
// The paper says neither how the foot arrives nor how it is sampled: 5 mm of fall, 50 Hz and 2 s here, as
// its experiments (Table 8, section 5.1).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <thread>

#include "footfall/identify/normal.hpp"
#include "footfall/rig/drop.hpp"
#include "identify/trajectory.hpp"
#include "reproduce/ding2013_parts.hpp"

namespace footfall::ding2013 {
namespace {

constexpr std::array<double, 5> kLaw = {1e4, 1.3, 500, 0.3, 1.1};  // k, n, b, p, q
constexpr std::array<const char*, 3> kDamping = {"b", "p", "q"};
constexpr double kMass = 30;                     // M [kg]
constexpr double kWeight = kMass * kRigGravity;  // W, which the paper rounds to 294 N
constexpr double kFallHeight = 0.005;            // [m]
constexpr double kRecorded = 2;                  // [s]
constexpr double kNoise = 10;                    // uniform, ± [N]
constexpr int kSeeds = 200;

struct Motion {
  std::vector<double> time, sinkage, rate, force;
};

Motion fall(double sample_rate) {
  RigGround ground;
  ground.compliant = CompliantGround<double>{.stiffness = kLaw[0],
                                             .exponent = kLaw[1],
                                             .damping = kLaw[2],
                                             .damping_exponent = kLaw[3],
                                             .rate_exponent = kLaw[4],
                                             .shear_stiffness = 0,
                                             .shear_damping = 0,
                                             .friction_coefficient = 0};
  DropSettings settings{.mass = kMass};
  settings.speed = std::sqrt(2 * kRigGravity * kFallHeight);
  settings.duration = kRecorded;
  settings.timestep = 1e-5;  // its error is of second order: 1e-8 of the motion
  settings.sample_rate = sample_rate;
  Motion motion;
  for (const RigSample& s : drop(ground, {}, settings).series) {
    motion.time.push_back(s.time);
    motion.sinkage.push_back(s.sinkage);
    motion.rate.push_back(s.sinkage_rate);
    motion.force.push_back(s.normal_force);
  }
  return motion;
}

RigTest measure(const Motion& motion, double noise, unsigned seed, bool with_sinkage) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> error(-noise, noise);
  RigTest test;
  test.name = "fall";
  test.kind = TestKind::drop;
  test.mass = kMass;
  test.recording.file = test.name;
  test.recording.zero_is_known = true;
  test.recording.time = motion.time;
  if (with_sinkage) test.recording.sinkage = motion.sinkage;
  test.sinkage = motion.sinkage;
  test.rate = motion.rate;
  test.sample_rate = 1 / (motion.time[1] - motion.time[0]);
  for (std::size_t i = 0; i < motion.time.size(); ++i) {
    test.recording.rows.push_back(static_cast<long>(i) + 1);
    test.recording.normal_force.push_back(motion.force[i] + (noise > 0 ? error(random) : 0));
  }
  test.phase.assign(motion.time.size(), Phase::impact);
  return test;
}

DynamicOptions damping_only(bool trajectory) {
  DynamicOptions options;
  options.model = NormalModel::hunt_crossley;
  options.fix = {{"k", kLaw[0]}, {"n", kLaw[1]}};
  options.trajectory = trajectory;
  return options;
}

double largest_error(const Fit& fit, const std::vector<const char*>& names, int first) {
  double largest = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    largest = std::max(largest, std::abs(fit.value(names[i]) / kLaw[first + i] - 1));
  }
  return largest;
}

void add_noise_free(Reproduction& out) {
  const RigTest test = measure(fall(1000), 0, 0, true);
  const Fit three = fit_dynamic({test}, damping_only(true)).fit;
  const Fit direct = fit_dynamic({test}, damping_only(false)).fit;
  DynamicOptions all;
  all.model = NormalModel::hunt_crossley;
  const Fit five = fit_dynamic({test}, all).fit;
  const auto add = [&](const char* quantity, double error) {
    out.add(returns(claimed("Section 4.2", quantity, "", "original values", error), error < 1e-6));
  };
  add("no noise, b, p, q by motion: largest relative error",
      largest_error(three, {"b", "p", "q"}, 2));
  add("no noise, b, p, q by (60): largest relative error",
      largest_error(direct, {"b", "p", "q"}, 2));
  add("no noise, all five by motion: largest relative error",
      largest_error(five, {"k", "n", "b", "p", "q"}, 0));
}

// ---- with noise ----

struct Seeds {
  std::array<std::vector<double>, 3> parameter_error;   // of b, p, q [%]
  std::array<std::vector<double>, 3> prediction_error;  // (64) of sinkage, force, velocity [%]
  int contained = 0, intervals = 0;                     // of the 95 % intervals
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

constexpr double kRare = 2.5;  // [%]

// Share of the values that are at least this.
double share_from(const std::vector<double>& values, double least) {
  const auto count = std::ranges::count_if(values, [&](double v) { return v >= least; });
  return static_cast<double>(count) / static_cast<double>(values.size());
}

double worst_of(const std::vector<double>& truth, const std::vector<double>& predicted) {
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    worst = std::max(worst, std::abs(predicted[i] - truth[i]));
    size = std::max(size, std::abs(truth[i]));
  }
  return 100 * worst / size;
}

// (64) of sinkage, force and velocity when the fall is done again with this law [%].
std::array<double, 3> prediction_errors(const Motion& motion, const std::vector<double>& law) {
  const DropSetup setup{
      .mass = kMass, .pull = kWeight, .impact_speed = std::sqrt(2 * kRigGravity * kFallHeight)};
  const DropCurve again = simulate_drop(NormalModel::hunt_crossley, {}, law, setup, motion.time);
  return {worst_of(motion.sinkage, again.sinkage), worst_of(motion.force, again.force),
          worst_of(motion.rate, again.rate)};
}

void add_seed(const Motion& motion, const Fit& fit, Seeds& seeds) {
  std::vector<double> law(kLaw.begin(), kLaw.end());
  for (std::size_t i = 0; i < 3; ++i) {
    const Estimate& e = fit.find(kDamping[i]);
    law[2 + i] = e.value;
    seeds.parameter_error[i].push_back(100 * std::abs(e.value / kLaw[2 + i] - 1));
    seeds.contained += e.lower <= kLaw[2 + i] && kLaw[2 + i] <= e.upper ? 1 : 0;
    ++seeds.intervals;
  }
  const std::array<double, 3> predicted = prediction_errors(motion, law);
  for (std::size_t i = 0; i < 3; ++i) seeds.prediction_error[i].push_back(predicted[i]);
}

struct FitPair {
  Fit direct, by_motion;
};

// One seed is independent of the others: all processors work.
std::vector<FitPair> fit_seeds(const Motion& motion, const ShareDone& progress) {
  std::vector<FitPair> fits(kSeeds);
  std::atomic<int> next = 0;
  const auto work = [&](bool tells) {
    for (int i = next++; i < kSeeds; i = next++) {
      const auto seed = static_cast<unsigned>(i) + 1;
      fits[i].direct = fit_dynamic({measure(motion, kNoise, seed, true)}, damping_only(false)).fit;
      fits[i].by_motion =
          fit_dynamic({measure(motion, kNoise, seed, false)}, damping_only(true)).fit;
      if (tells) progress(static_cast<double>(i) / kSeeds);
    }
  };
  std::vector<std::jthread> helpers;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) {
    helpers.emplace_back(work, false);
  }
  work(true);
  helpers.clear();
  return fits;
}

// What the paper predicts with the b, p, q that it found, done again with these.
void add_predictions(const Motion& motion, Reproduction& out) {
  constexpr std::array<double, 3> kPrinted = {2.62, 2.05, 3.31};
  constexpr std::array<const char*, 3> kPredicted = {"sinkage", "force", "velocity"};
  const std::array<double, 3> ours =
      prediction_errors(motion, {kLaw[0], kLaw[1], 413.97, 0.21, 1.15});
  for (std::size_t i = 0; i < 3; ++i) {
    out.add(is_difference(
        compared("Section 4.2",
                 fmt::format("b, p, q as found by the paper: error of the {}", kPredicted[i]), "%",
                 kPrinted[i], ours[i]),
        printed(0.01), "cause unknown: no fall from 0 to 50 mm gives it, ours is 5 mm"));
  }
}

void add_noisy(const ShareDone& progress, Reproduction& out) {
  const Motion motion = fall(50);
  add_predictions(fall(1000), out);
  Seeds direct, by_motion;
  const std::vector<FitPair> fits = fit_seeds(motion, progress);
  for (const FitPair& pair : fits) {
    add_seed(motion, pair.direct, direct);
    add_seed(motion, pair.by_motion, by_motion);
  }
  // The paper shows one run with noise: is it one of ours?
  constexpr std::array<double, 3> kPaperErrors = {17.2, 30.0, 4.5};
  double parameters = 0, predictions = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<double>& errors = direct.parameter_error[i];
    const double larger = 100 * share_from(errors, kPaperErrors[i]);
    const bool rare = i == 1;
    const Comparison row = claimed(
        "Section 4.2", fmt::format("±10 N, {} by (60): of {} runs as far off", kDamping[i], kSeeds),
        "%", fmt::format("{} % once", kPaperErrors[i]), larger,
        fmt::format("median {:.2g} %{}", median(errors),
                    rare ? "; fall and sample rate are not given, ours are 5 mm and 50 Hz" : ""));
    const bool holds = larger > kRare && larger < 100 - kRare;
    out.add(rare ? disagrees(row, holds) : agrees(row, holds));
    parameters = std::max(parameters, median(errors));
    predictions = std::max(predictions, median(direct.prediction_error[i]));
  }
  out.add(agrees(claimed("Section 4.2",
                         "±10 N, by (60): largest prediction error over largest of b, p, q", "",
                         "much smaller", predictions / parameters),
                 predictions < 0.5 * parameters));
  NumberTable table{.title =
                        fmt::format("Section 4.2, ±10 N: medians of {} runs, and 95 % intervals "
                                    "that hold the truth",
                                    kSeeds),
                    .columns = {"b [%]", "p [%]", "q [%]", "sinkage [%]", "force [%]",
                                "velocity [%]", "intervals [%]"},
                    .names = {},
                    .rows = {}};
  for (const auto& [seeds, by] : {std::pair{&direct, "(60)"}, std::pair{&by_motion, "motion"}}) {
    table.names.emplace_back(by);
    std::vector<double> row;
    row.reserve(7);
    for (const auto& errors : seeds->parameter_error) row.push_back(median(errors));
    for (const auto& errors : seeds->prediction_error) row.push_back(median(errors));
    row.push_back(100.0 * seeds->contained / seeds->intervals);
    table.rows.push_back(row);
  }
  out.tables.push_back(table);
}

}  // namespace

void add_round_trip(const ShareDone& progress, Reproduction& out) {
  add_noise_free(out);
  add_noisy(progress, out);
}

}  // namespace footfall::ding2013
