#include "footfall/identify/rig_test.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "footfall/rig/drag.hpp"
#include "footfall/rig/drop.hpp"
#include "footfall/rig/press.hpp"
#include "identify/rig_files.hpp"
#include "rig/grounds.hpp"

namespace footfall {
namespace {

using namespace rig_test;
using namespace rig_files;
using testing::HasSubstr;

RigTest prepare(const std::vector<RigSample>& series, const PrepareOptions& options = {}) {
  const File file("");
  write_series(series, file.path);
  std::vector<std::string> warnings;
  RigTest test = prepare_test(read_recording(file.path, {}, warnings), options, warnings);
  EXPECT_THAT(warnings, testing::IsEmpty());
  return test;
}

long count(const RigTest& test, Phase phase) {
  return std::count(test.phase.begin(), test.phase.end(), phase);
}

// "loading 201, unloading 200, …": the stretches and how many samples each has.
std::string stretches(const RigTest& test) {
  std::string text;
  for (std::size_t i = 0; i < test.phase.size();) {
    std::size_t end = i;
    while (end < test.phase.size() && test.phase[end] == test.phase[i]) ++end;
    text += std::string(text.empty() ? "" : ", ") + phase_name(test.phase[i]) + " " +
            std::to_string(end - i);
    i = end;
  }
  return text;
}

TEST(RigTest, CyclesOfThePress) {
  const RigGround ground = on(dry_sand(), make_disc(0.05));
  const PressSettings staged{.load = 300, .cycles = 3, .staged = true, .unload = true};
  const PressResult p = press(ground, {}, staged);
  RigTest test = prepare(p.series);
  EXPECT_EQ(test.kind, TestKind::press);
  EXPECT_EQ(test.contact, 0);
  EXPECT_EQ(test.contact_error, 0);
  EXPECT_EQ(test.cutoff, 0);  // the rate is in the file
  EXPECT_EQ(stretches(test),
            "loading 201, unloading 199, air 1, reloading 2, loading 198, unloading 199, air 1, "
            "reloading 4, loading 196, unloading 199, air 1");
  // Every sample that is called loading is on the virgin curve.
  for (std::size_t i = 0; i < test.phase.size(); ++i) {
    const double virgin = evaluate_ground(ground, {}, test.sinkage[i], 0).force;
    if (test.phase[i] == Phase::loading) {
      EXPECT_NEAR(test.recording.normal_force[i], virgin, 1e-8);
    } else {
      EXPECT_LT(test.recording.normal_force[i], virgin * (1 + 1e-9));
    }
  }
  // The same without the column of the rate.
  Recording r = test.recording;
  r.sinkage_rate.clear();
  std::vector<std::string> warnings;
  const RigTest again = prepare_test(r, {}, warnings);
  EXPECT_EQ(stretches(again), stretches(test));
  EXPECT_GT(again.cutoff, 0);
}

TEST(RigTest, CyclesToOneDepthLoadOnce) {
  const PressSettings settings{.sinkage = 0.02, .cycles = 3};
  EXPECT_EQ(stretches(prepare(press(on(dry_sand(), make_sphere(0.05)), {}, settings).series)),
            "loading 201, unloading 199, air 1, reloading 200, unloading 199, air 1, "
            "reloading 200");
}

TEST(RigTest, DropEndsWhereTheFootStops) {
  const DropResult d =
      drop(on(dry_sand(), make_disc(0.05)), {}, {.mass = 20, .height = 0.02, .duration = 0.3});
  const RigTest test = prepare(d.series);
  EXPECT_EQ(test.kind, TestKind::drop);
  EXPECT_EQ(test.contact, 0);
  EXPECT_EQ(test.contact_time, 0);
  const long impact = count(test, Phase::impact);
  ASSERT_GT(impact, 100);
  for (long i = 0; i < impact; ++i)
    EXPECT_GT(d.series[static_cast<std::size_t>(i)].sinkage_rate, 0);
  EXPECT_LE(d.series[static_cast<std::size_t>(impact)].sinkage_rate, 0);

  // Without the rate, and with noise on position and force, the same to a few samples.
  Recording r = test.recording;
  r.sinkage_rate.clear();
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  for (double& z : r.sinkage) z += 1e-5 * noise(random);
  for (double& F : r.normal_force) F += 5 * noise(random);
  std::vector<std::string> warnings;
  const RigTest noisy = prepare_test(r, {}, warnings);
  EXPECT_EQ(noisy.kind, TestKind::drop);
  EXPECT_NEAR(noisy.cutoff, 100, 1e-6);  // a twentieth of 2 kHz
  EXPECT_NEAR(static_cast<double>(count(noisy, Phase::impact)), static_cast<double>(impact), 6);
  for (int i = 10; i < impact - 10; ++i) {
    EXPECT_NEAR(noisy.rate[static_cast<std::size_t>(i)],
                d.series[static_cast<std::size_t>(i)].sinkage_rate, 0.02);
  }
}

// The moment of the touch is as uncertain as the position is noisy: known where it is not.
TEST(RigTest, NoiseOfThePositionIsThatOfTheTouch) {
  const DropResult d =
      drop(on(dry_sand(), make_disc(0.05)), {}, {.mass = 20, .height = 0.02, .duration = 0.3});
  RigTest test = prepare(d.series);
  EXPECT_EQ(test.contact_time_error, 0);
  Recording r = test.recording;
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  for (double& z : r.sinkage) z += 5e-5 * noise(random);
  std::vector<std::string> warnings;
  test = prepare_test(r, {}, warnings);
  EXPECT_EQ(test.contact_error, 0);  // the surface is where the column says
  EXPECT_NEAR(test.contact_time_error, 5e-5 / d.series[0].sinkage_rate, 1e-5);
}

TEST(RigTest, DragOneWay) {
  const RigGround ground = on(dry_sand(), make_disc(0.05));
  const DragResult d = drag(ground, {}, {.load = 300, .reverse = true});
  const RigTest test = prepare(d.series);
  EXPECT_EQ(test.kind, TestKind::drag);
  EXPECT_EQ(stretches(test), "sliding 501, holding 500");
  EXPECT_EQ(test.slide_start, 0);
  EXPECT_TRUE(test.recording.shear_zero_is_known);
  EXPECT_NEAR(test.recording.tangential_force[500], -d.out.tangential_force.x, 1e-8);
  EXPECT_NEAR(test.recording.shear_displacement[500], d.out.shear_displacement.x, 1e-12);
}

// A press with air, holds and a bit of unloading, from a height whose zero is anywhere, with noise.
struct Scene {
  double noise_m = 0, noise_N = 0, offset_N = 0, rate = 100;
};
constexpr double kSurface = 0.25, kDepth = 0.03;  // [m]
Recording make_press(const Scene& scene) {
  std::mt19937 random(11);
  std::normal_distribution<double> noise;
  Recording r;
  r.file = "made.csv";
  double z = -0.01, deepest = 0;
  const double k = 1.8e4, n = 1.1, k_u = k * std::pow(kDepth, n) / (0.03 * kDepth);
  const auto add = [&] {
    deepest = std::max(deepest, z);
    const double virgin = k * std::pow(deepest, n) - k_u * (deepest - z);
    r.time.push_back(static_cast<double>(r.time.size()) / scene.rate);
    r.rows.push_back(static_cast<long>(r.rows.size()) + 2);
    r.sinkage.push_back(z - kSurface + scene.noise_m * noise(random));
    r.normal_force.push_back((z > 0 ? std::max(virgin, 0.0) : 0) + scene.offset_N +
                             scene.noise_N * noise(random));
  };
  const double step = 2e-3 / scene.rate;
  const auto go = [&](double to) {
    const double from = z;
    const int steps = static_cast<int>(std::abs(to - from) / step);
    for (int i = 1; i <= steps; ++i) {
      z = from + (to - from) * i / steps;
      add();
    }
  };
  const auto hold = [&] {
    for (int i = 0; i < scene.rate; ++i) add();
  };
  go(0.5 * kDepth), hold(), go(0.495 * kDepth), go(kDepth), hold(), go(-0.01);
  return r;
}

TEST(RigTest, FindsContactAndHolds) {
  for (const Scene& scene : {Scene{}, Scene{1e-6, 0.5, 3}, Scene{5e-6, 1, -20}}) {
    std::vector<std::string> warnings;
    const RigTest test = prepare_test(make_press(scene), {}, warnings);
    EXPECT_EQ(test.kind, TestKind::press);
    EXPECT_GT(test.contact_error, 0);
    EXPECT_LT(test.contact_error, 2e-4);
    EXPECT_NEAR(test.contact_sinkage, -kSurface, 3 * test.contact_error + 1e-6);
    EXPECT_NEAR(test.contact_time, 5, 0.1);  // 10 mm at 2 mm/s
    int holds = 0;
    for (std::size_t i = 0; i < test.phase.size();) {
      std::size_t end = i;
      while (end < test.phase.size() && test.phase[end] == test.phase[i]) ++end;
      if (test.phase[i] == Phase::holding) {
        ++holds;
        EXPECT_NEAR(static_cast<double>(end - i), 100, 6) << scene.noise_m;
        EXPECT_NEAR(test.sinkage[i + 50], holds * 0.5 * kDepth, 1e-4);
      }
      i = end;
    }
    EXPECT_EQ(holds, 2);
    EXPECT_EQ(test.phase.front(), Phase::air);
    EXPECT_EQ(test.phase.back(), Phase::air);
  }
}

// The error that is stated covers the contact that is found, over seeds, where noise is large.
TEST(RigTest, ContactInHeavyNoise) {
  std::vector<std::string> warnings;
  const RigTest test = prepare_test(make_press({2e-5, 5, 3}), {}, warnings);
  EXPECT_NEAR(test.contact_sinkage, -kSurface, 1.5e-3);
  EXPECT_NEAR(test.contact_sinkage, -kSurface, 3 * test.contact_error);
}

// Spikes of a load cell, one in fifty, up or down, do not move the contact; nor does one in the air.
TEST(RigTest, SpikesAreNoContact) {
  std::vector<std::string> warnings;
  const double quiet = prepare_test(make_press({1e-6, 2, 0}), {}, warnings).contact_sinkage;
  for (const double size : {60.0, 300.0, -300.0}) {
    Recording r = make_press({1e-6, 2, 0});
    r.normal_force[50] += size;
    EXPECT_NEAR(prepare_test(r, {}, warnings).contact_sinkage, quiet, 1e-5) << size;
    std::mt19937 random(3);
    for (std::size_t i = 0; i < r.normal_force.size(); i += 40 + random() % 20) {
      r.normal_force[i] += i % 2 == 0 ? size : -size;
    }
    const RigTest test = prepare_test(r, {}, warnings);
    EXPECT_NEAR(test.contact_sinkage, -kSurface, 4e-4) << size;
    EXPECT_NEAR(test.contact_sinkage, -kSurface, 3 * test.contact_error) << size;
  }
  EXPECT_THAT(warnings, testing::IsEmpty());
}

// Noise that comes and goes over twenty samples is not a foot that touches.
TEST(RigTest, SlowNoiseIsNoContact) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Recording r = make_press({1e-6, 0, 0});
    std::mt19937 random(seed);
    std::normal_distribution<double> noise;
    std::vector<double> white(r.normal_force.size() + 20);
    for (double& w : white) w = noise(random);
    for (std::size_t i = 0; i < r.normal_force.size(); ++i) {
      for (std::size_t j = 0; j < 20; ++j) r.normal_force[i] += 3 / std::sqrt(20) * white[i + j];
    }
    std::vector<std::string> warnings;
    EXPECT_NEAR(prepare_test(r, {}, warnings).contact_sinkage, -kSurface, 3e-3) << seed;
  }
}

// The force in the air is taken off where it is more than noise, with a sinkage or a height.
TEST(RigTest, Tare) {
  for (const bool known : {false, true}) {
    for (const Scene& scene : {Scene{1e-6, 1, 14}, Scene{1e-6, 1, -14}, Scene{0, 0, 2}}) {
      Recording r = make_press(scene);
      r.zero_is_known = known;
      if (known) {
        for (double& z : r.sinkage) z += kSurface;
      }
      std::vector<std::string> warnings;
      const RigTest test = prepare_test(r, {}, warnings);
      EXPECT_NEAR(test.tare, scene.offset_N, 0.2 * scene.noise_N + 1e-9);
      ASSERT_EQ(warnings.size(), 1u);
      EXPECT_THAT(warnings[0], HasSubstr("made.csv: the force in the air is"));
      EXPECT_THAT(warnings[0], HasSubstr("N, subtracted"));
      EXPECT_NEAR(test.recording.normal_force[700], r.normal_force[700] - test.tare, 1e-12);
      const RigTest kept = prepare_test(r, {.tare = false}, warnings);
      EXPECT_EQ(kept.tare, 0);
      EXPECT_EQ(kept.recording.normal_force, r.normal_force);
      EXPECT_THAT(warnings.back(), HasSubstr("not subtracted, as foot_weight is fixed"));
    }
    std::vector<std::string> warnings;
    EXPECT_EQ(prepare_test(make_press({1e-6, 1, 0}), {}, warnings).tare, 0);
    EXPECT_THAT(warnings, testing::IsEmpty());
  }
}

std::string refusal(Recording r, const PrepareOptions& options = {}) {
  std::vector<std::string> warnings;
  try {
    prepare_test(std::move(r), options, warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(RigTest, NoContact) {
  Recording r = make_press({1e-6, 1, 0});
  std::mt19937 random(2);
  std::normal_distribution<double> noise;
  for (double& F : r.normal_force) F = noise(random);
  const auto [least, most] = std::minmax_element(r.normal_force.begin(), r.normal_force.end());
  EXPECT_THAT(refusal(r), HasSubstr(fmt::format("no contact: the force stays between {:.4g} and "
                                                "{:.4g} N, with a noise of ",
                                                *least, *most)));
  for (double& F : r.normal_force) F = 0;
  EXPECT_THAT(refusal(r), HasSubstr("no contact"));
  r.zero_is_known = true;  // and all heights are above
  EXPECT_THAT(refusal(r), HasSubstr("no contact: the largest sinkage is"));
}

TEST(RigTest, TouchesFromTheStart) {
  Recording r = make_press({});
  const int cut = 600;
  for (auto* v : {&r.time, &r.sinkage, &r.normal_force}) v->erase(v->begin(), v->begin() + cut);
  r.rows.erase(r.rows.begin(), r.rows.begin() + cut);
  EXPECT_THAT(refusal(r), HasSubstr("made.csv:602: the foot touches from the first rows on"));
  Recording noisy = r;
  std::mt19937 random(9);
  std::normal_distribution<double> noise;
  for (double& F : noisy.normal_force) F += 3 * noise(random);
  EXPECT_THAT(refusal(noisy), HasSubstr("made.csv:602: the foot touches from the first rows on"));
  r.zero_is_known = true;
  for (double& z : r.sinkage) z += kSurface;
  EXPECT_EQ(refusal(r), "none");
}

TEST(RigTest, TooFewSamplesOfAnImpact) {
  Recording r;
  r.file = "fast.csv";
  r.zero_is_known = true;
  for (int i = 0; i < 10; ++i) {
    r.rows.push_back(i + 2);
    r.time.push_back(0.01 * i);
    r.sinkage.push_back(i < 3 ? 0.01 * i : 0.02);
    r.sinkage_rate.push_back(i < 2 ? 1 : 0);
    r.normal_force.push_back(i < 3 ? 100 * i : 150);
  }
  EXPECT_THAT(refusal(r), HasSubstr("samples of impact in this drop, expected 5 or more"));
  EXPECT_THAT(refusal(r, {.kind = TestKind::drag}),
              HasSubstr("as a drag, expected columns of way"));
  EXPECT_THAT(refusal(r, {.cutoff = 60}),
              HasSubstr("cutoff = 60 Hz, expected above 0 and below 50"));
}

// An impact between two samples, a flight up, and then at rest: a drop, and no press from the second
// touch on.
TEST(RigTest, ABounceOnHardGroundIsADrop) {
  Recording r;
  r.file = "hard.csv";
  r.zero_is_known = true;
  for (int i = 0; i < 400; ++i) {
    const double t = 5e-4 * i, up = 0.3 * t - 0.5 * 9.81 * t * t;
    const bool flies = i > 0 && up > 0;
    r.rows.push_back(i + 2);
    r.time.push_back(t);
    r.sinkage.push_back(i == 0 ? 0 : flies ? -up : 1e-6);
    r.sinkage_rate.push_back(i == 0 ? 1 : flies ? 9.81 * t - 0.3 : 0);
    r.normal_force.push_back(i == 0 || flies ? 0 : 98.1);
  }
  EXPECT_THAT(refusal(r), HasSubstr("hard.csv: 1 samples of impact in this drop, expected 5 or "
                                    "more: sample faster"));
}

TEST(RigTest, PointsAtRest) {
  std::vector<std::string> warnings;
  const RigTest test =
      prepare_test(read("sinkage_mm,load_N\n5,100\n9,200\n12.5,300\n"), {}, warnings);
  EXPECT_EQ(test.kind, TestKind::points);
  EXPECT_EQ(stretches(test), "holding 3");
  EXPECT_DOUBLE_EQ(test.sinkage[1], 0.009);
  EXPECT_THAT(mistake("z_mm,load_N\n-5,100\n-9,200\n-12.5,300\n"),
              HasSubstr("expected a column of the sinkage from the surface"));
}

TEST(RigTest, WarnsWhereZeroIsNotTheSurface) {
  Recording r = make_press({1e-6, 0.1, 0});
  r.zero_is_known = true;
  for (double& z : r.sinkage) z += kSurface + 0.07;
  std::vector<std::string> warnings;
  prepare_test(r, {}, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("is the zero of the sinkage the surface?"));
  warnings.clear();
  const RigTest test = prepare_test(r, {.contact = ContactRule::find}, warnings);
  EXPECT_THAT(warnings, testing::IsEmpty());
  EXPECT_NEAR(test.contact_sinkage, 0.07, 1e-4);
}

// x whose zero is anywhere, after a pause, with noise; both signs of the force, any direction.
TEST(RigTest, SlideStartIsFound) {
  std::mt19937 random(4);
  std::normal_distribution<double> noise;
  std::string text = "t_s,x_mm,y_mm,Fx_N,Fy_N,Fz_N\n";
  for (int i = 0; i < 400; ++i) {
    const double j = std::max(0, i - 100) * 1e-4, F = 50 * (1 - std::exp(-j / 0.005));
    text += std::to_string(0.01 * i) + "," + std::to_string(40 - 600 * j + 1e-3 * noise(random)) +
            "," + std::to_string(7 + 800 * j + 1e-3 * noise(random)) + "," +
            std::to_string(0.6 * F) + "," + std::to_string(-0.8 * F) + ",100\n";
  }
  std::vector<std::string> warnings;
  const RigTest test = prepare_test(read(text), {}, warnings);
  EXPECT_EQ(test.kind, TestKind::drag);
  EXPECT_TRUE(test.sinkage.empty());
  EXPECT_NEAR(test.slide_start, -0.6 * 0.040 + 0.8 * 0.007, 2e-6);
  EXPECT_NEAR(static_cast<double>(count(test, Phase::sliding)), 300, 3);
  EXPECT_NEAR(test.recording.tangential_force.back(), 50 * (1 - std::exp(-0.0299 / 0.005)), 0.01);
}

// z = 30 − t mm at 1 kHz, the surface at 20 mm: F = 2e4 (20 − z)^1.2 N and noise.
std::string press_with_noise(unsigned seed, bool negative) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 0.3);
  std::string text;
  double process = 0;
  for (int i = 0; i < 1500; ++i) {
    const double z = 30 - 0.02 * i, s = std::max(20 - z, 0.0) * 1e-3;
    process = 0.97 * process + noise(random);
    const double force = s > 0 ? 2e4 * std::pow(s, 1.2) * (1 + 0.01 * process) : 0;
    text += std::to_string(0.001 * i) + "," + std::to_string(negative ? -z : z) + "," +
            std::to_string(force + noise(random)) + "\n";
  }
  return text;
}

TEST(Contact, TheTouchHasTheSignOfTheRecording) {
  const rig_files::File file("time_s,z_mm,force_N\n" + press_with_noise(1, false));
  const rig_files::File mapping("[columns]\ntime = {column = 1, unit = \"s\"}\n"
                                "height = {column = 2, unit = \"mm\", sign = -1}\n"
                                "normal_force = {column = 3, unit = \"N\"}\n",
                                ".toml");
  std::vector<std::string> warnings;
  const RigTest up = prepare_test(read_recording(file.path, {}, warnings), {}, warnings);
  EXPECT_NEAR(up.recording.position_sign * up.contact_sinkage, 0.02, 5e-4);
  const rig_files::File bare(press_with_noise(1, true), ".txt");
  const RigTest down =
      prepare_test(read_recording(bare.path, {.columns = mapping.path}, warnings), {}, warnings);
  EXPECT_NEAR(down.recording.position_sign * down.contact_sinkage, -0.02, 5e-4);
}

TEST(Columns, ATableWithoutHeaderIsReadByNumbers) {
  const auto mapped = [](const std::string& depth) {
    return "[columns]\ntime = {column = 1, unit = \"s\"}\nsinkage = " + depth +
           "\nnormal_force = {column = 3, unit = \"N\"}\n";
  };
  const std::string rows = "0,0,0\n1,1,2\n2,2,5\n3,3,9\n4,4,14\n5,5,20\n";
  const rig_files::File toml(mapped("{column = 2, unit = \"mm\"}"), ".toml");
  const Recording r = rig_files::read(rows, {.columns = toml.path});
  EXPECT_DOUBLE_EQ(r.sinkage.back(), 5e-3);
  EXPECT_DOUBLE_EQ(r.normal_force.back(), 20);
  EXPECT_EQ(r.rows.front(), 1);
  // a comment that is no header
  EXPECT_EQ(rig_files::read("# measured on a Monday\n" + rows, {.columns = toml.path}).rows.front(),
            2);
  EXPECT_THAT(rig_files::mistake(rows), testing::HasSubstr(":1: numbers only, expected a header"));
}

TEST(Columns, ANumberBeyondTheTableIsRefused) {
  const rig_files::File toml("[columns]\ntime = {column = 1, unit = \"s\"}\nsinkage = {column = 9, "
                             "unit = \"mm\"}\nnormal_force = {column = 3, unit = \"N\"}\n",
                             ".toml");
  EXPECT_THAT(
      rig_files::mistake("0,0,0\n1,1,2\n2,2,5\n3,3,9\n4,4,14\n5,5,20\n", {.columns = toml.path}),
      testing::HasSubstr("key 'columns.sinkage.column' = 9, but"));
}

}  // namespace
}  // namespace footfall
