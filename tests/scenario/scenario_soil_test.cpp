// Soils of a scenario: values laid over a file of the library, section by section.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "footfall/error.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/scenario/scenario.hpp"

namespace footfall {
namespace {

const std::filesystem::path kRoot = FOOTFALL_SOURCE_DIR;

const std::string kInline = R"([soil.terramechanics]
pressure_law = "bernstein"
exponent_n = 1
k_kPa = 300
cohesion_kPa = 1
friction_angle_deg = 30
shear_modulus_K_mm = 20
)";

Scenario parse_soil(const std::string& soil, const std::vector<std::string>& overrides = {}) {
  const std::string text = "[robot]\nfile = \"ball\"\n[step]\nduration_s = 1\n" + soil;
  return parse_scenario(text, "t.toml", kRoot / "scenarios", overrides);
}

std::string soil_error_of(const std::string& soil, const std::vector<std::string>& overrides = {}) {
  try {
    parse_soil(soil, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ScenarioSoil, PlasticSoilsComeFromTheLibrary) {
  const SoilChoice soil = parse_soil("[soil]\nname = \"dry-sand\"\n").soils[0];
  const PlasticSoil file = load_soil(kRoot / "soils/dry-sand.toml").plastic.value();
  EXPECT_EQ(soil.name, "dry-sand");
  EXPECT_FALSE(soil.compliant);
  EXPECT_EQ(soil.plastic->pressure.frictional_modulus, file.pressure.frictional_modulus);
  EXPECT_EQ(soil.plastic->shear_modulus, file.shear_modulus);
}

TEST(ScenarioSoil, ValuesBesideTheNameReplaceTheFiles) {
  const SoilChoice soil =
      parse_soil("[soil]\nname = \"dry-sand\"\n[soil.terramechanics]\ncohesion_kPa = 2\n",
                 {"soil.terramechanics.shear=tanh"})
          .soils[0];
  EXPECT_DOUBLE_EQ(soil.plastic->cohesion, 2000);
  EXPECT_EQ(soil.plastic->shear, ShearForm::tanh);
  EXPECT_DOUBLE_EQ(soil.plastic->pressure.cohesive_modulus, 990);
  // another pressure law leaves the file's moduli unused
  const SoilChoice other = parse_soil("[soil]\nname = \"dry-sand\"\n[soil.terramechanics]\n"
                                      "pressure_law = \"bernstein\"\nk_kPa = 5\n")
                               .soils[0];
  EXPECT_DOUBLE_EQ(sinkage_modulus(*other.plastic, 0.1), 5000);
  EXPECT_DOUBLE_EQ(other.plastic->pressure.exponent, 1.1);
}

TEST(ScenarioSoil, AWholeSectionNeedsNoName) {
  const Scenario s = parse_soil(kInline + "[soils.wet]\nname = \"sandy-loam\"\n");
  EXPECT_EQ(s.soils[0].name, "soil");
  EXPECT_FALSE(s.soils[0].compliant);
  EXPECT_DOUBLE_EQ(s.soils[0].plastic->pressure.sinkage_modulus, 300e3);
  EXPECT_EQ(s.soils[1].name, "wet");
  EXPECT_TRUE(s.soils[1].plastic);
}

TEST(ScenarioSoil, ASoilMayHaveBothSections) {
  const SoilChoice soil = parse_soil("[soil]\nname = \"loose-clay\"\n" + kInline).soils[0];
  EXPECT_DOUBLE_EQ(soil.compliant->stiffness, 3.4e5);
  EXPECT_DOUBLE_EQ(soil.plastic->cohesion, 1000);
}

TEST(ScenarioSoil, SaysWhatIsWrong) {
  const std::string named = "[soil]\nname = \"dry-sand\"\n";
  EXPECT_EQ(soil_error_of(named + "cohesion_kPa = 2\n"),
            "t.toml:7:1: unknown key 'soil.cohesion_kPa', did you mean "
            "'soil.terramechanics.cohesion_kPa'?");
  EXPECT_EQ(soil_error_of(named, {"soil.terramechanics.cohesion_kPa=-2"}),
            "--set soil.terramechanics.cohesion_kPa=-2: key 'soil.terramechanics.cohesion_kPa' = "
            "-2, expected 0 to 1e4 kPa");
  EXPECT_EQ(soil_error_of(named + "[soil.terramechanics]\nk_kPa = 2\n"),
            "t.toml:8:1: key 'soil.terramechanics.k_kPa' = 2, expected it left out: pressure_law "
            "is 'bekker', and it belongs to 'bernstein'");
  EXPECT_EQ(soil_error_of(named + "[soil.terramechanics]\nshear_source = \"me\"\n").substr(0, 55),
            "t.toml:8:1: unknown key 'soil.terramechanics.shear_sour");
}

TEST(ScenarioSoil, TheCompliantModelAsksForItsSection) {
  try {
    build_world(parse_soil("[soil]\nname = \"dry-sand\"\n[contact]\nmodel = \"compliant\"\n"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "t.toml:5:2: soil 'dry-sand' has no [compliant] section: use "
                               "contact.model = \"terramechanics\"");
  }
}

}  // namespace
}  // namespace footfall
