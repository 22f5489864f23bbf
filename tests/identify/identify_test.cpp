// From files to a soil: each test measures with the rig, writes the file, and identifies it.
#include "footfall/identify/identify.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "footfall/error.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/rig/drag.hpp"
#include "footfall/rig/drop.hpp"
#include "footfall/rig/press.hpp"
#include "footfall/soil/measured_range.hpp"

namespace footfall::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// A folder of its own per test, gone with it.
class Identify : public ::testing::Test {
 protected:
  Identify()
      : folder_(std::filesystem::temp_directory_path() /
                fmt::format("footfall_identify_{}_{}", ::getpid(),
                            ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
  }
  ~Identify() override { std::filesystem::remove_all(folder_); }

  IdentifyInput press_of(const char* soil, const std::optional<FootSole>& sole, double sinkage) {
    return press_on(named(soil), sole, sinkage);
  }
  IdentifyInput press_on(const Soil& soil, const std::optional<FootSole>& sole, double sinkage) {
    const RigGround ground = make_rig_ground(sole, soil);
    return written(press(ground, {}, {.sinkage = sinkage}).series, sole);
  }
  IdentifyInput drag_of(const char* soil, const std::optional<FootSole>& sole, double load) {
    const RigGround ground = make_rig_ground(sole, named(soil));
    return written(drag(ground, {}, {.load = load}).series, sole);
  }
  IdentifyInput drop_of(const char* soil, const std::optional<FootSole>& sole, double height) {
    const RigGround ground = make_rig_ground(sole, named(soil));
    IdentifyInput input =
        written(drop(ground, {}, {.mass = 20, .height = height, .duration = 0.3}).series, sole);
    input.mass = 20;
    return input;
  }
  IdentifyInput text_of(const std::string& text) {
    const std::filesystem::path file = folder_ / fmt::format("test{}.csv", ++files_);
    std::ofstream(file) << text;
    return {.file = file, .sole = make_disc(0.05)};
  }
  static Soil named(const std::string& soil) {
    return load_soil(FOOTFALL_SOURCE_DIR "/soils/" + soil + ".toml");
  }

 private:
  IdentifyInput written(const std::vector<RigSample>& series, const std::optional<FootSole>& sole) {
    const std::filesystem::path file = folder_ / fmt::format("test{}.csv", ++files_);
    write_series(series, file);
    return {.file = file, .sole = sole};
  }

  std::filesystem::path folder_;
  int files_ = 0;
};

std::string error_of(const IdentifyRequest& request) {
  try {
    identify(request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_F(Identify, BodySinkageAloneServesASeries) {
  IdentifyRequest request;
  std::string text = "t_s,body_sinkage_mm,F_N\n";
  for (int i = 0; i < 20; ++i) text += fmt::format("{},{},{}\n", i, i, 10 * i);
  request.inputs = {text_of(text)};
  request.parts = {FitKind::series};
  std::vector<std::string> warnings;
  const std::vector<RigTest> tests = load_tests(request, warnings);
  EXPECT_EQ(tests.at(0).sinkage, tests.at(0).recording.body_sinkage);
  request.parts = {FitKind::statics};
  EXPECT_THAT(error_of(request), HasSubstr("that of the body alone serves --fit series only"));
}

// A load cell that shows 14 N in the air: off, unless the user has given that as the foot's weight.
TEST_F(Identify, TareOrFootWeight) {
  IdentifyRequest request;
  std::string text = "t_s,sinkage_mm,F_N\n";
  for (int i = -20; i < 80; ++i) {
    const double F = i > 0 ? 1.2e4 * std::pow(2e-4 * i, 1.1) : 0;
    text += fmt::format("{},{},{}\n", 0.1 * i, 0.2 * i, 14 + F);
  }
  request.inputs = {text_of(text)};
  request.model = NormalModel::hertz;
  const Identification without = identify(request);
  EXPECT_NEAR(without.tests[0].tare, 14, 1e-9);
  EXPECT_NEAR(without.parts[0].fit.value("n"), 1.1, 1e-8);
  request.fix = {{"foot_weight", 14}};
  const Identification with = identify(request);
  EXPECT_EQ(with.tests[0].tare, 0);
  EXPECT_NEAR(with.parts[0].fit.value("n"), 1.1, 1e-8);
}

TEST_F(Identify, OnePlateIsBernsteinAndSeveralAreBekker) {
  const IdentifyInput small = press_of("dry-sand", make_disc(0.03), 0.02);
  const IdentifyInput large = press_of("dry-sand", make_disc(0.06), 0.02);
  const Identification one = identify({.inputs = {small}});
  EXPECT_EQ(one.model, NormalModel::bernstein);
  EXPECT_NEAR(one.parts[0].fit.value("n"), 1.1, 1e-9);
  const Identification two = identify({.inputs = {small, large}});
  EXPECT_EQ(two.model, NormalModel::bekker);
  EXPECT_NEAR(two.parts[0].fit.value("k_c"), 990, 1e-4);
  EXPECT_NEAR(two.parts[0].fit.value("k_phi"), 1528430, 1e-2);
}

TEST_F(Identify, WithoutFootTheLawIsThatOfThisFoot) {
  const IdentifyInput input = press_of("soft-ground", {}, 0.02);
  const Identification found = identify({.inputs = {input}});
  EXPECT_EQ(found.model, NormalModel::hertz);
  ASSERT_TRUE(found.soil && found.soil->compliant);
  EXPECT_NEAR(found.soil->compliant->stiffness, 1e4, 1e-4);
  EXPECT_NEAR(found.soil->compliant->exponent, 1.3, 1e-9);
  EXPECT_EQ(found.soil->compliant->damping, 500);  // of the base, which is soft-ground too
  EXPECT_THAT(found.from_base, Contains("damping"));
}

TEST_F(Identify, ASpringOnHardGroundMakesASoil) {
  const Identification found = identify({.inputs = {press_of("marble", {}, 1e-7)}});
  ASSERT_TRUE(found.soil) << found.soil_problem;
  EXPECT_EQ(found.soil->compliant->exponent, 1);
  EXPECT_NEAR(found.soil->compliant->stiffness / 3.4e9, 1, 1e-6);
}

TEST_F(Identify, StaticPartGivesItsValuesToTheDynamicOne) {
  const FootSole sole = make_cylinder(0.05, 0.08);
  const IdentifyInput slow = press_of("standard-sand", sole, 0.05);
  const IdentifyInput fast = drop_of("standard-sand", sole, 0.02);
  const Identification found = identify({.inputs = {fast, slow}, .starts = 1});
  ASSERT_EQ(found.parts.size(), 2U);
  EXPECT_EQ(found.parts[0].name, "static");
  EXPECT_EQ(found.parts[1].name, "dynamic");
  EXPECT_TRUE(found.parts[1].fit.find("k").fixed);
  EXPECT_EQ(found.parts[1].fit.value("n"), found.parts[0].fit.value("n"));
  EXPECT_THAT(found.notes, Contains(HasSubstr("k, n are fixed at the values of the static part")));
  EXPECT_NEAR(found.soil->plastic->damping, 205.07, 1e-3);
  const std::vector<NamedEstimate> all = all_parameters(found.parts);
  EXPECT_EQ(all[0].part, "static");  // not the fixed one of the dynamic part
  EXPECT_FALSE(all[0].estimate.fixed);
}

TEST_F(Identify, ANamedSoilIsKnown) {
  const FootSole sole = make_disc(0.05);
  IdentifyRequest request{.inputs = {drop_of("standard-sand", sole, 0.02)}, .starts = 1};
  request.known = named("standard-sand");
  const Identification found = identify(request);
  EXPECT_EQ(found.parts[0].fit.value("n"), 0.632);
  EXPECT_EQ(found.parts[0].fit.value("k"), request.known->plastic->pressure.sinkage_modulus);
  request.known = named("marble");
  EXPECT_THAT(error_of(request), HasSubstr("--soil marble has no section [terramechanics]"));
  request.inputs = {press_of("dry-sand", sole, 0.01)};
  EXPECT_EQ(error_of(request), "--soil is for the dynamic fit, which needs a drop");
}

TEST_F(Identify, TheSoilIsWhatItsFileSays) {
  const FootSole sole = make_disc(0.05);
  IdentifyRequest request{.inputs = {press_of("sandy-loam", sole, 0.02),
                                     drag_of("sandy-loam", sole, 100),
                                     drag_of("sandy-loam", sole, 300)},
                          .soil_name = "my-loam"};
  request.base = named("standard-sand");
  const Identification found = identify(request);
  const PlasticSoil truth = *named("sandy-loam").plastic;
  ASSERT_TRUE(found.soil) << found.soil_problem;
  const PlasticSoil& soil = *found.soil->plastic;
  EXPECT_NEAR(soil.cohesion / truth.cohesion, 1, 1e-6);
  EXPECT_NEAR(soil.friction_angle, truth.friction_angle, 1e-7);
  EXPECT_NEAR(soil.shear_modulus / truth.shear_modulus, 1, 1e-6);
  EXPECT_NEAR(sinkage_modulus(soil, 0.05) / sinkage_modulus(truth, 0.05), 1, 1e-6);
  EXPECT_EQ(soil.damping, 205.07);  // of the base
  EXPECT_THAT(found.from_base, Contains("damping"));
  EXPECT_THAT(found.soil->notes, HasSubstr("not identified, so those of standard-sand: damping"));
  EXPECT_EQ(found.soil->shear_source, "identified, shear fit");
  const Soil again = parse_soil(found.soil_text, "text");
  EXPECT_EQ(again.name, "my-loam");
  EXPECT_EQ(again.plastic->cohesion, soil.cohesion);
  EXPECT_EQ(again.plastic->friction_angle, soil.friction_angle);
  EXPECT_EQ(again.plastic->pressure.sinkage_modulus, soil.pressure.sinkage_modulus);
  EXPECT_THAT(found.soil_text, HasSubstr("damping = 205.07  # not identified: of standard-sand\n"));
}

TEST_F(Identify, ReeceIsWrittenAsItWasFitted) {
  const IdentifyInput small = press_of("dry-sand", make_disc(0.03), 0.02);
  const IdentifyInput large = press_of("dry-sand", make_disc(0.06), 0.02);
  IdentifyRequest request{.inputs = {small, large}, .model = NormalModel::reece};
  request.fix = {{"C", 100}};  // dry sand alone would ask for less than none
  const Identification found = identify(request);
  ASSERT_TRUE(found.soil) << found.soil_problem;
  const Fit& fit = found.parts[0].fit;
  for (const double w : {0.03, 0.06}) {
    const double modulus = (fit.value("C") + fit.value("G") * w) * std::pow(w, -fit.value("n"));
    EXPECT_NEAR(sinkage_modulus(*found.soil->plastic, w) / modulus, 1, 1e-12);
  }
}

// Small plates in real sand press less than k_φ alone would: k_c < 0.
TEST_F(Identify, ANegativeCohesiveModulusIsASoilWithItsRange) {
  Soil sand = named("dry-sand");
  sand.plastic->pressure.cohesive_modulus = -0.02 * sand.plastic->pressure.frictional_modulus;
  sand.plastic->measured = {.least_width = 0.025, .largest_width = 0.1};
  IdentifyRequest request;
  for (const double radius : {0.03, 0.045, 0.06}) {
    request.inputs.push_back(press_on(sand, make_disc(radius), 0.02));
  }
  const Identification found = identify(request);
  EXPECT_LT(found.parts[0].fit.value("k_c"), 0);
  ASSERT_TRUE(found.soil) << found.soil_problem;
  const PlasticSoil& soil = *found.soil->plastic;
  EXPECT_NEAR(soil.measured.least_width, 0.03, 1e-12);
  EXPECT_NEAR(soil.measured.largest_width, 0.06, 1e-12);
  EXPECT_NEAR(soil.measured.largest_sinkage, 0.02, 1e-6);
  EXPECT_GT(soil.measured.largest_rate, 0);
  for (const double w : {0.001, 0.03, 0.04, 0.06, 1.0}) EXPECT_GT(sinkage_modulus(soil, w), 0);
  EXPECT_NEAR(sinkage_modulus(soil, 0.04) / sinkage_modulus(*sand.plastic, 0.04), 1, 1e-6);
  EXPECT_THAT(outside_measured_range(soil, 0.02, 0.01, 0), HasSubstr("contact width 20 mm"));
  EXPECT_THAT(found.soil_text, HasSubstr("measured_width_mm = [30, 60]"));
  EXPECT_THAT(found.soil->validity, Not(HasSubstr("one contact width")));
  // one width does not tell k_c: with that of all files, each tells k_phi and n
  const Fit& fit = found.parts[0].fit;
  ASSERT_EQ(fit.spread.size(), fit.parameters.size());
  for (const GroupFit& group : fit.groups) {
    ASSERT_FALSE(group.alone.empty());
    EXPECT_TRUE(group.alone[0].fixed);
    EXPECT_NEAR(group.alone[2].value, 1.1, 1e-6);
  }
  request.model = NormalModel::bernstein;
  EXPECT_THAT(identify(request).soil->validity, HasSubstr("one modulus for all of these widths"));
}

TEST_F(Identify, FrictionIsASpringAcross) {
  const Identification found =
      identify({.inputs = {drag_of("marble", {}, 143.78)}, .base = named("marble")});
  EXPECT_EQ(found.parts[0].name, "friction");
  ASSERT_TRUE(found.soil && found.soil->compliant) << found.soil_problem;
  const CompliantGround<double>& g = *found.soil->compliant;
  const double K = found.parts[0].fit.value("K");
  EXPECT_NEAR(g.shear_stiffness, g.friction_coefficient * 143.78 / (2 * K),
              1e-6 * g.shear_stiffness);
  EXPECT_NEAR(g.shear_damping / g.shear_stiffness, 25.7 / 2569.3, 1e-12);
  EXPECT_EQ(g.stiffness, 3.4e9);
}

TEST_F(Identify, FixAndFreeGoToThePartThatKnowsThem) {
  const FootSole sole = make_disc(0.05);
  IdentifyRequest request{
      .inputs = {press_of("dry-sand", sole, 0.02), drag_of("dry-sand", sole, 100)}};
  request.fix = {{"c", 1040}};
  request.free = {"foot_weight", "contact_offset"};
  const Identification found = identify(request);
  EXPECT_FALSE(found.parts[0].fit.find("foot_weight").fixed);
  EXPECT_FALSE(found.parts[0].fit.find("contact_offset_1").fixed);
  EXPECT_TRUE(found.parts[1].fit.find("c").fixed);
  EXPECT_NEAR(found.parts[1].fit.value("phi"), named("dry-sand").plastic->friction_angle, 1e-8);
  request.fix = {{"z", 1}};
  EXPECT_THAT(error_of(request), HasSubstr("fix z: this law has no such parameter"));
}

TEST_F(Identify, PartsNeedTheirTests) {
  IdentifyRequest request{.inputs = {press_of("dry-sand", make_disc(0.05), 0.02)}};
  request.parts = {FitKind::dynamics};
  EXPECT_EQ(error_of(request),
            "--fit dynamic needs a drop, but test1.csv is a press; --kind says so "
            "where it was misread");
  request.parts = {FitKind::shear};
  EXPECT_THAT(error_of(request), HasSubstr("--fit shear needs a drag"));
  request.inputs.clear();
  EXPECT_THAT(error_of(request), HasSubstr("needs a file"));
}

TEST_F(Identify, ProgressEndsAtOne) {
  std::vector<double> shares;
  IdentifyRequest request{.inputs = {press_of("dry-sand", make_disc(0.05), 0.02)}};
  request.progress = [&](double share) { shares.push_back(share); };
  identify(request);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
}

}  // namespace
}  // namespace footfall::test
