#include "io/soil_text.hpp"

#include <gmock/gmock.h>

#include <random>

#include "footfall/io/soil_library.hpp"

namespace footfall::test {
namespace {

using ::testing::HasSubstr;

void expect_same(const PlasticSoil& a, const PlasticSoil& b) {
  EXPECT_EQ(a.pressure.law, b.pressure.law);
  EXPECT_EQ(a.pressure.exponent, b.pressure.exponent);
  EXPECT_EQ(a.pressure.sinkage_modulus, b.pressure.sinkage_modulus);
  EXPECT_EQ(a.pressure.cohesive_modulus, b.pressure.cohesive_modulus);
  EXPECT_EQ(a.pressure.frictional_modulus, b.pressure.frictional_modulus);
  EXPECT_EQ(a.pressure.reece_cohesive_modulus, b.pressure.reece_cohesive_modulus);
  EXPECT_EQ(a.pressure.reece_frictional_modulus, b.pressure.reece_frictional_modulus);
  EXPECT_EQ(a.pressure.unit_weight, b.pressure.unit_weight);
  EXPECT_EQ(a.cohesion, b.cohesion);
  EXPECT_EQ(a.friction_angle, b.friction_angle);
  EXPECT_EQ(a.shear_modulus, b.shear_modulus);
  EXPECT_EQ(a.shear, b.shear);
  EXPECT_EQ(a.damping, b.damping);
  EXPECT_EQ(a.damping_exponent, b.damping_exponent);
  EXPECT_EQ(a.rate_exponent, b.rate_exponent);
  EXPECT_EQ(a.unload_modulus, b.unload_modulus);
  EXPECT_EQ(a.unload_modulus_slope, b.unload_modulus_slope);
  EXPECT_EQ(a.measured.least_width, b.measured.least_width);
  EXPECT_EQ(a.measured.largest_width, b.measured.largest_width);
  EXPECT_EQ(a.measured.largest_sinkage, b.measured.largest_sinkage);
  EXPECT_EQ(a.measured.largest_rate, b.measured.largest_rate);
}

void expect_same(const CompliantGround<double>& a, const CompliantGround<double>& b) {
  EXPECT_EQ(a.stiffness, b.stiffness);
  EXPECT_EQ(a.exponent, b.exponent);
  EXPECT_EQ(a.damping, b.damping);
  EXPECT_EQ(a.damping_exponent, b.damping_exponent);
  EXPECT_EQ(a.rate_exponent, b.rate_exponent);
  EXPECT_EQ(a.shear_stiffness, b.shear_stiffness);
  EXPECT_EQ(a.shear_damping, b.shear_damping);
  EXPECT_EQ(a.friction_coefficient, b.friction_coefficient);
}

void expect_same(const Soil& a, const Soil& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.validity, b.validity);
  EXPECT_EQ(a.notes, b.notes);
  EXPECT_EQ(a.shear_source, b.shear_source);
  EXPECT_EQ(a.friction_source, b.friction_source);
  EXPECT_EQ(a.moisture, b.moisture);
  ASSERT_EQ(a.plastic.has_value(), b.plastic.has_value());
  ASSERT_EQ(a.compliant.has_value(), b.compliant.has_value());
  if (a.plastic) expect_same(*a.plastic, *b.plastic);
  if (a.compliant) expect_same(*a.compliant, *b.compliant);
}

TEST(SoilText, EverySoilOfTheLibraryComesBackToTheLastDigit) {
  for (const Soil& soil : load_soil_library(FOOTFALL_SOURCE_DIR "/soils")) {
    SCOPED_TRACE(soil.name);
    expect_same(parse_soil(soil_text(soil), "text"), soil);
  }
}

Soil random_soil(std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0, 1);
  PlasticSoil p;
  p.pressure = {.law = PressureLaw::bekker,
                .exponent = 0.1 + 2 * share(random),
                .cohesive_modulus = 1e4 * share(random),
                .frictional_modulus = 1e6 * share(random) + 1e3};
  p.cohesion = 1e4 * share(random);
  p.friction_angle = share(random);
  p.shear_modulus = 0.1 * share(random) + 1e-3;
  p.shear = ShearForm::tanh;
  p.damping = 1e3 * share(random);
  p.damping_exponent = share(random);
  p.rate_exponent = share(random) + 0.01;
  p.unload_modulus = 1e8 * share(random);
  p.unload_modulus_slope = 1e8 * share(random);
  p.measured = {.least_width = 0.01 + 0.1 * share(random),
                .largest_width = 0.2 + share(random),
                .largest_sinkage = 0.001 + share(random),
                .largest_rate = 0.001 + share(random)};
  Soil soil;
  soil.name = "any";
  soil.plastic = p;
  return soil;
}

TEST(SoilText, AnyValueIsARoundingAwayAndWhatWasReadIsExact) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 500; ++i) {
    const Soil soil = random_soil(random);
    const Soil once = parse_soil(soil_text(soil), "text");
    EXPECT_EQ(once.plastic->pressure.exponent, soil.plastic->pressure.exponent);
    EXPECT_DOUBLE_EQ(once.plastic->cohesion, soil.plastic->cohesion);
    EXPECT_DOUBLE_EQ(once.plastic->friction_angle, soil.plastic->friction_angle);
    EXPECT_DOUBLE_EQ(once.plastic->shear_modulus, soil.plastic->shear_modulus);
    expect_same(parse_soil(soil_text(once), "text"), once);
  }
}

TEST(SoilText, WordsAndCommentsSurviveAnyLetter) {
  Soil soil = load_soil(FOOTFALL_SOURCE_DIR "/soils/marble.toml");
  soil.notes = "a \"quoted\" \\ word,\na tab\t and ±0.1 µm\x7f";
  const SoilComments comments{.head = {"first\nline"}, .values = {{"stiffness", "± 3 N/m\nmore"}}};
  const std::string text = soil_text(soil, comments);
  EXPECT_THAT(text, HasSubstr("# first line\n"));
  EXPECT_THAT(text, HasSubstr("stiffness = 3400000000  # ± 3 N/m more\n"));
  expect_same(parse_soil(text, "text"), soil);
}

TEST(SoilText, LawsAreTheShortestThatSayAllValues) {
  const auto law = [](double n, double b, double p, double q) {
    Soil soil;
    soil.name = "ground";
    soil.compliant = CompliantGround<double>{1e4, n, b, p, q, 1e3, 10, 0.5};
    const std::string text = soil_text(soil);
    expect_same(parse_soil(text, "text"), soil);
    return text.substr(text.find("law = "), text.find("\nstiffness") - text.find("law = "));
  };
  EXPECT_EQ(law(1, 0, 0, 1), "law = \"spring\"");
  EXPECT_EQ(law(1.5, 0, 0, 1), "law = \"hertz\"");
  EXPECT_EQ(law(1, 5, 0, 1), "law = \"linear\"");
  EXPECT_EQ(law(1.5, 5, 1.5, 1), "law = \"simplified_hunt_crossley\"");
  EXPECT_EQ(law(1.5, 5, 0.3, 1.1), "law = \"hunt_crossley\"");
  EXPECT_EQ(law(1.5, 0, 0.3, 1.1), "law = \"hunt_crossley\"");
}

TEST(SoilText, NamesAreWordsJoinedByHyphensOrUnderscores) {
  for (const char* good : {"sand", "my-sand", "my_sand", "sand-2", "7"})
    EXPECT_TRUE(is_soil_name(good)) << good;
  for (const char* bad : {"", "My-sand", "-sand", "_sand", "sand-", "a--b", "a-_b", "sand.2"}) {
    EXPECT_FALSE(is_soil_name(bad)) << bad;
  }
}

}  // namespace
}  // namespace footfall::test
