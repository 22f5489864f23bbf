// Soil files: the values of the library, and what is said when a file is wrong.
#include "footfall/io/soil_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <optional>

#include "footfall/error.hpp"

namespace footfall {
namespace {

using testing::HasSubstr;

const std::filesystem::path kSoils = std::filesystem::path(FOOTFALL_SOURCE_DIR) / "soils";

// A soil file that is removed when the test ends.
class SoilText {
 public:
  explicit SoilText(const std::string& text)
      : path_(std::filesystem::path(testing::TempDir()) /
              ("soil" + std::to_string(getpid()) + ".toml")) {  // tests run side by side
    std::ofstream(path_) << text;
  }
  ~SoilText() { std::filesystem::remove(path_); }
  SoilText(const SoilText&) = delete;
  SoilText& operator=(const SoilText&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// What follows the file's stem in the message of the error; "no error" if there is none.
std::string error_of(const std::string& text) {
  const SoilText file(text);
  try {
    load_soil(file.path());
  } catch (const InputError& error) {
    const std::string message = error.what();
    const std::size_t at = message.find(".toml");
    return at == std::string::npos ? message : message.substr(at);
  }
  return "no error";
}

Soil parsed(const std::string& text) { return load_soil(SoilText(text).path()); }

const std::string kBekker = R"(name = "mud"
[terramechanics]
pressure_law = "bekker"
exponent_n = 0.8
k_c_kPa = 2
k_phi_kPa = 30
cohesion_kPa = 4
friction_angle_deg = 30
shear_modulus_K_mm = 50
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(SoilLibrary, EveryFileLoadsAndSaysWhereItComesFrom) {
  const std::vector<Soil> soils = load_soil_library(kSoils);
  EXPECT_GE(soils.size(), 20U);
  for (const Soil& soil : soils) {
    EXPECT_EQ(soil.name, soil.file.stem().string());
    EXPECT_FALSE(soil.description.empty()) << soil.name;
    EXPECT_FALSE(soil.source.empty()) << soil.name;
    EXPECT_FALSE(soil.validity.empty()) << soil.name;
    EXPECT_TRUE(soil.compliant || soil.plastic) << soil.name;
    EXPECT_EQ(soil.compliant.has_value(), !soil.friction_source.empty()) << soil.name;
    EXPECT_EQ(soil.plastic.has_value(), !soil.shear_source.empty()) << soil.name;
    EXPECT_EQ(&find_soil(soils, soil.name), &soil);
  }
}

// Typed from Table 6 of Ding 2013, in its units.
TEST(SoilLibrary, HoldsTableSix) {
  struct Row {
    const char* name;
    std::optional<double> moisture_percent;
    double n, k_c, k_phi, c, phi;
  };
  const Row table[] = {
      {"dry-sand", 0, 1.10, 0.99, 1528.43, 1.04, 28.0},
      {"sandy-loam", 15, 0.70, 5.27, 1515.04, 1.72, 29.0},
      {"sandy-loam-michigan", 23, 0.40, 11.42, 808.96, 9.65, 35.0},
      {"clayed-soil", 38, 0.50, 13.19, 692.15, 4.14, 13.0},
      {"heavy-clay", 40, 0.11, 1.84, 103.27, 20.69, 6.0},
      {"upland-sandy-loam", 51, 1.10, 74.60, 2080.00, 3.30, 33.7},
      {"lete-sand", std::nullopt, 0.79, 102.00, 5301.00, 1.30, 31.1},
      {"snow-us", std::nullopt, 1.60, 4.37, 196.72, 1.03, 19.7},
      {"snow-sweden", std::nullopt, 1.44, 10.55, 66.08, 6.00, 20.7},
  };
  for (const Row& row : table) {
    SCOPED_TRACE(row.name);
    const Soil soil = load_soil(kSoils / (std::string(row.name) + ".toml"));
    ASSERT_EQ(soil.moisture.has_value(), row.moisture_percent.has_value());
    EXPECT_DOUBLE_EQ(soil.moisture.value_or(0), row.moisture_percent.value_or(0) / 100);
    const PlasticSoil& s = soil.plastic.value();
    EXPECT_EQ(s.pressure.law, PressureLaw::bekker);
    EXPECT_DOUBLE_EQ(s.pressure.exponent, row.n);
    EXPECT_DOUBLE_EQ(s.pressure.cohesive_modulus, row.k_c * 1000);
    EXPECT_DOUBLE_EQ(s.pressure.frictional_modulus, row.k_phi * 1000);
    EXPECT_DOUBLE_EQ(s.cohesion, row.c * 1000);
    EXPECT_DOUBLE_EQ(s.friction_angle, row.phi / 180 * std::numbers::pi);
    EXPECT_EQ(s.shear, ShearForm::exponential);
    EXPECT_EQ(s.damping, 0);
    EXPECT_EQ(s.unload_modulus, 0);
    EXPECT_EQ(s.unload_modulus_slope, 0);
    EXPECT_THAT(soil.shear_source, HasSubstr("representative"));
    // the law in the table's units: pressure [kPa] of a disc of 50 mm at 10 mm
    const double kPa = (row.k_c / 0.05 + row.k_phi) * std::pow(0.01, row.n);
    EXPECT_NEAR(sinkage_modulus(s, 0.05) * std::pow(0.01, s.pressure.exponent), 1000 * kPa,
                1e-12 * 1000 * kPa);
  }
}

// Section 5.3: the foot's measured curve is k_TN δ^1.132, k_TN in N/mm^1.132, and (29c) for c = 0 says
// k_TN = √(2r) b k.
TEST(SoilLibrary, HoldsTheSandOfTheExperiments) {
  const Soil soil = load_soil(kSoils / "standard-sand.toml");
  const PlasticSoil& s = soil.plastic.value();
  EXPECT_EQ(s.pressure.law, PressureLaw::bernstein);
  EXPECT_DOUBLE_EQ(s.pressure.exponent, 0.632);
  const double k_TN = 5.06 * std::pow(1e3, 1.132);
  EXPECT_NEAR(s.pressure.sinkage_modulus * std::sqrt(2 * 0.05) * 0.08, k_TN, 1e-6 * k_TN);
  EXPECT_DOUBLE_EQ(s.cohesion, 460);
  EXPECT_NEAR(std::tan(s.friction_angle), 0.852, 5e-4);
  EXPECT_DOUBLE_EQ(s.shear_modulus, 0.15513);
  EXPECT_DOUBLE_EQ(s.damping, 205.07);
  EXPECT_DOUBLE_EQ(s.damping_exponent, 0.096);
  EXPECT_DOUBLE_EQ(s.rate_exponent, 0.075);
  EXPECT_THAT(soil.shear_source, HasSubstr("bulldozing"));
}

// Table 11, method 1: the spring of (40) is at its limit μ F_N when the foot has moved by 2 K.
TEST(SoilLibrary, HoldsTheHardGroundsOfTableEleven) {
  struct Row {
    const char* name;
    double force, mu, K_mm;
  };
  for (const Row& row : {Row{"brick", 120.70, 0.634, 23.320}, Row{"marble", 143.78, 0.407, 11.388},
                         Row{"steel", 124.53, 0.469, 16.070}}) {
    const Soil soil = load_soil(kSoils / (std::string(row.name) + ".toml"));
    const CompliantGround<double>& g = soil.compliant.value();
    EXPECT_DOUBLE_EQ(g.friction_coefficient, row.mu);
    EXPECT_NEAR(g.shear_stiffness * 2 * row.K_mm * 1e-3, row.mu * row.force,
                5e-5 * row.mu * row.force);
    EXPECT_DOUBLE_EQ(g.stiffness, 3.4e9);
    EXPECT_THAT(soil.notes, HasSubstr("assumed"));
  }
}

TEST(SoilFile, UnitsBecomeSI) {
  const PlasticSoil bekker = parsed(kBekker).plastic.value();
  EXPECT_DOUBLE_EQ(bekker.pressure.cohesive_modulus, 2000);
  EXPECT_DOUBLE_EQ(bekker.pressure.frictional_modulus, 30e3);
  EXPECT_DOUBLE_EQ(bekker.cohesion, 4000);
  EXPECT_DOUBLE_EQ(bekker.friction_angle, std::numbers::pi / 6);
  EXPECT_DOUBLE_EQ(bekker.shear_modulus, 0.05);
  const PlasticSoil more =
      parsed(kBekker + "shear = \"tanh\"\ndamping = 7\ndamping_exponent = 0.5\nrate_exponent = 2\n"
                       "unload_modulus_k0_kPa_per_m = 3\nunload_modulus_slope_Au_kPa_per_m2 = 5\n")
          .plastic.value();
  EXPECT_EQ(more.shear, ShearForm::tanh);
  EXPECT_DOUBLE_EQ(more.damping, 7);
  EXPECT_DOUBLE_EQ(more.damping_exponent, 0.5);
  EXPECT_DOUBLE_EQ(more.rate_exponent, 2);
  EXPECT_DOUBLE_EQ(more.unload_modulus, 3e3);
  EXPECT_DOUBLE_EQ(more.unload_modulus_slope, 5e3);
  const PlasticSoil bernstein = parsed(replaced(replaced(kBekker, "bekker", "bernstein"),
                                                "k_c_kPa = 2\nk_phi_kPa = 30", "k_kPa = 30"))
                                    .plastic.value();
  EXPECT_DOUBLE_EQ(bernstein.pressure.sinkage_modulus, 30e3);
  const PlasticSoil reece =
      parsed(replaced(replaced(kBekker, "bekker", "reece"), "k_c_kPa = 2\nk_phi_kPa = 30",
                      "k_c_prime = 2\nk_phi_prime = 30\nunit_weight_kN_per_m3 = 16"))
          .plastic.value();
  EXPECT_DOUBLE_EQ(reece.pressure.unit_weight, 16e3);
  // (c k'_c + γ b k'_φ)/bⁿ by hand, b = 0.1 m
  EXPECT_NEAR(sinkage_modulus(reece, 0.1), (4000 * 2 + 16e3 * 0.1 * 30) / std::pow(0.1, 0.8), 1e-8);
  EXPECT_DOUBLE_EQ(*parsed("moisture_percent = 12.5\n" + kBekker).moisture, 0.125);
}

TEST(SoilFile, SaysWhatIsWrong) {
  EXPECT_EQ(error_of(kBekker), "no error");
  EXPECT_EQ(error_of(replaced(kBekker, "= 0.8", "= 4")),
            ".toml:4:1: key 'terramechanics.exponent_n' = 4, expected 0.05 to 3");
  EXPECT_EQ(error_of(replaced(kBekker, "= 0.8", "= \"big\"")),
            ".toml:4:1: key 'terramechanics.exponent_n' = \"big\", expected a number, 0.05 to 3");
  EXPECT_EQ(error_of(replaced(kBekker, "= 0.8", "= nan")),
            ".toml:4:1: key 'terramechanics.exponent_n' = nan, expected 0.05 to 3");
  EXPECT_EQ(error_of(replaced(kBekker, "cohesion_kPa = 4", "  cohesion_kPa = -4")),
            ".toml:7:3: key 'terramechanics.cohesion_kPa' = -4, expected 0 to 1e4 kPa");
  EXPECT_EQ(error_of(replaced(kBekker, "= 30\nshear", "= 90\nshear")),
            ".toml:8:1: key 'terramechanics.friction_angle_deg' = 90, expected 0 to 89.9 degrees");
  EXPECT_EQ(error_of(replaced(kBekker, "K_mm = 50", "K_mm = 0")),
            ".toml:9:1: key 'terramechanics.shear_modulus_K_mm' = 0, expected 0.001 to 1e4 mm");
  EXPECT_EQ(error_of(replaced(kBekker, "bekker", "beker")),
            ".toml:3:1: key 'terramechanics.pressure_law' = \"beker\", expected one of: bernstein, "
            "bekker, reece (did you mean 'bekker'?)");
  EXPECT_EQ(error_of(replaced(kBekker, "cohesion_kPa", "cohesion")),
            ".toml:7:1: unknown key 'terramechanics.cohesion', did you mean "
            "'terramechanics.cohesion_kPa'?");
  EXPECT_EQ(
      error_of(replaced(kBekker, "shear_modulus_K_mm = 50\n", "")),
      ".toml:2:2: key 'terramechanics.shear_modulus_K_mm' is missing, expected 0.001 to 1e4 mm");
  EXPECT_EQ(error_of(kBekker + "k_kPa = 1"),
            ".toml:10:1: key 'terramechanics.k_kPa' = 1, expected it left out: pressure_law is "
            "'bekker', and it belongs to 'bernstein'");
  EXPECT_EQ(error_of(kBekker + "damping = 1"),
            ".toml:2:2: key 'terramechanics.damping_exponent' is missing, expected 0 to 5");
  EXPECT_EQ(error_of("moisture_percent = -1\n" + kBekker),
            ".toml:1:1: key 'moisture_percent' = -1, expected 0 to 2000 % of the dry weight");
  EXPECT_EQ(error_of(replaced(kBekker, "name = \"mud\"", "nam = \"mud\"")),
            ".toml:1:1: unknown key 'nam', did you mean 'name'?");
  EXPECT_EQ(error_of(replaced(kBekker, "name = \"mud\"", "")),
            ".toml: key 'name' is missing, expected the soil's name");
  EXPECT_EQ(error_of("name = \"mud\"\n"),
            ".toml: a soil needs a section [compliant] or [terramechanics], which say how it "
            "answers a foot");
  EXPECT_THAT(error_of("name = \"mud\"\n[terramechanics\n"), HasSubstr(".toml:2:"));
  EXPECT_EQ(error_of("name = \"mud\"\ncompliant = 3\n"),
            ".toml:2:1: key 'compliant' = 3, expected a section [compliant]");
}

// k_c < 0 is measured at times; what counts is the pressure under a foot.
TEST(SoilFile, ModuliMayBeNegativeButNotThePressure) {
  EXPECT_EQ(error_of(replaced(kBekker, "k_c_kPa = 2", "k_c_kPa = -0.08")), "no error");
  EXPECT_EQ(error_of(replaced(kBekker, "k_c_kPa = 2", "k_c_kPa = -0.12")),
            ".toml:2:2: section [terramechanics]: the sinkage modulus under a foot 0.003 m wide is "
            "-10000 Pa/m^n, expected above 0 and below 1e12: check the moduli, or give the "
            "measured_width_mm that they hold for");
}

TEST(SoilFile, CarriesTheRangeThatItWasMeasuredIn) {
  const std::string negative = replaced(kBekker, "k_c_kPa = 2", "k_c_kPa = -0.12");
  const PlasticSoil soil = parsed(negative + "measured_width_mm = [60, 120]\n"
                                             "measured_sinkage_mm = 30\n"
                                             "measured_rate_mm_per_s = 5\n")
                               .plastic.value();
  EXPECT_DOUBLE_EQ(soil.measured.least_width, 0.06);
  EXPECT_DOUBLE_EQ(soil.measured.largest_width, 0.12);
  EXPECT_DOUBLE_EQ(soil.measured.largest_sinkage, 0.03);
  EXPECT_DOUBLE_EQ(soil.measured.largest_rate, 0.005);
  EXPECT_EQ(error_of(negative + "measured_width_mm = [3, 120]\n"),
            ".toml:2:2: section [terramechanics]: the sinkage modulus under a foot 0.003 m wide is "
            "-10000 Pa/m^n, expected above 0 and below 1e12: check the moduli");
  for (const char* wrong : {"[120, 60]", "[60]", "60", "[-1, 60]", "[\"a\", 60]"}) {
    EXPECT_THAT(error_of(kBekker + "measured_width_mm = " + wrong + "\n"),
                HasSubstr("key 'terramechanics.measured_width_mm' = "));
  }
  EXPECT_EQ(error_of(kBekker + "measured_sinkage_mm = -3\n"),
            ".toml:10:1: key 'terramechanics.measured_sinkage_mm' = -3, expected 0.001 to 1e5 mm");
}

TEST(SoilLibrary, NamesAreSuggested) {
  const std::vector<Soil> soils = load_soil_library(kSoils);
  try {
    find_soil(soils, "dry-snad");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "soil 'dry-snad' is not in the soil library, did you mean 'dry-sand'?");
  }
  EXPECT_THROW(load_soil_library(kSoils / "nowhere"), InputError);
  EXPECT_THROW(load_soil(kSoils / "nowhere.toml"), InputError);
}

}  // namespace
}  // namespace footfall
