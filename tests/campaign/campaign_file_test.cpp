// What a campaign's file may say.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <memory>

#include "footfall/campaign/campaign.hpp"
#include "footfall/error.hpp"

namespace footfall {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr const char* kBeads = R"(
medium = "beads"
[grains]
radius_m = 0.01
density_kg_per_m3 = 1631
youngs_modulus_Pa = 1e7
poisson_ratio = 0.3
friction_coefficient = 0.577
restitution = 0.5
[bed]
length_x_m = 0.50
width_y_m = 0.40
depth_m = 0.26
[foot]
shape = "cylinder"
radius_m = 0.04
height_m = 0.308
[sampling]
depths_m = [0.03, 0.12]
tilts_rad = [0, 0.9]
speed_x_m_per_s = 0.2
speed_z_m_per_s = 0.2
tilt_rate_rad_per_s = 0.6
duration_s = 0.25
sample_interval_s = 0.0025
filter_cutoff_Hz = 12
)";

Campaign read_beads(const std::vector<std::string>& overrides = {}) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("footfall-campaign-{}.toml", ::getpid());
  std::ofstream(file) << kBeads;
  const auto remove = [](const std::filesystem::path* path) { std::filesystem::remove(*path); };
  const std::unique_ptr<const std::filesystem::path, decltype(remove)> guard(&file, remove);
  return read_campaign(file, overrides);
}

TEST(CampaignFile, TheOneOfTheLibraryIsRead) {
  EXPECT_EQ(read_campaign(FOOTFALL_SOURCE_DIR "/media/beads.toml").medium, "beads");
}

TEST(CampaignFile, BeadsAreRead) {
  const Campaign c = read_beads({"sampling.directions=58", "engine.bed_processes=2"});
  EXPECT_EQ(c.medium, "beads");
  EXPECT_EQ(c.foot.shape, GrainFootShape::cylinder);
  EXPECT_EQ(c.bed.grains.density, 1631);
  EXPECT_EQ(c.sampling.direction_count, 58);
  EXPECT_EQ(c.bed_processes, 2);
  EXPECT_EQ(c.processes, 1);
}

TEST(CampaignFile, EverythingWrongIsSaidWithKeyValueAndRange) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"grains.radius=0.01", "unknown key 'grains.radius', did you mean 'grains.radius_m'?"},
      {"grains.radius_m=-1", "key 'grains.radius_m' = -1, expected 1e-5 to 1 m"},
      {"grains.poisson_ratio=0.6", "expected 0 to 0.5"},
      {"bed.seed=1.5", "expected a whole number"},
      {"bed.length_x_m=0.2", "key 'bed.length_x_m' = 0.2, expected at least"},
      {"bed.width_y_m=0.1", "key 'bed.width_y_m' = 0.1, expected at least 0.16 m: so wide is"},
      {"bed.depth_m=0.15", "so deep the foot's lowest point comes"},
      {"foot.shape='box'", "key 'foot.radius_m' = 0.04, expected none: a box has no such size"},
      {"foot.shape='cilinder'", "did you mean 'cylinder'?"},
      {"sampling.depths_m=[]", "expected a list of rising numbers"},
      {"sampling.depths_m=[0, 0.03]", "above 0 m"},
      {"sampling.depths_m=[0.03, 0.03]", "expected a list of rising numbers"},
      {"sampling.tilts_rad=[-0.3, 0]", "others come by symmetry"},
      {"sampling.tilts_rad=[0, 1.5]", "none above 1.451 rad: a path starts at most 0.12 rad"},
      {"sampling.directions=27", "key 'sampling.directions' = 27, expected 26 or 58"},
      {"sampling.only_directions=[26]", "each 0 to 25"},
      {"sampling.only_directions=[3, 3]", "no one twice"},
      {"sampling.duration_s=0", "1e-4 to 1000 s"},
      {"sampling.sample_interval_s=0.1", "at most 0.005 s"},
      {"sampling.filter_cutoff_Hz=5", "expected 10 Hz (half a period"},
      {"sampling.filter_cutoff_Hz=201", "to 200 Hz (half the sampling rate)"},
      {"sampling.repeats=0", "1 to 1000"},
      {"engine.name='yade'", "expected one of: lammps"},
      {"engine.processes=0", "1 or more"},
      {"medium=''", "the medium's name"},
  };
  for (const auto& [setting, message] : wrong) {
    EXPECT_THAT([&] { read_beads({setting}); }, ThrowsMessage<InputError>(HasSubstr(message)))
        << setting;
  }
  EXPECT_THAT([] { read_campaign("no-such.toml"); },
              ThrowsMessage<InputError>(HasSubstr("no-such.toml")));
}

// The foot in the grains is centred, and a path's reach is that of its outline.
TEST(CampaignFile, ReachIsThatOfTheFootOnItsPath) {
  Campaign c = read_beads();
  c.sampling.depths = {0.1};
  c.sampling.tilts = {0};
  c.sampling.only = {9, 11, 13};  // down, sideways, up
  CampaignReach reach = measure_reach(c);
  // 0.25 s at 0.2 m/s sideways; upwards it starts 0.04 m deeper, downwards it ends 0.01 m deeper
  EXPECT_NEAR(reach.half_length_x, 0.04 + 0.5 * 0.25 * 0.2, 1e-12);
  EXPECT_NEAR(reach.half_width_y, 0.04, 1e-15);
  EXPECT_NEAR(reach.depth, 0.14, 1e-12);
  // leaning, only what is in the grains counts, with a heap of two diameters
  c.sampling.tilts = {0.5};
  c.sampling.only = {9};  // straight down
  reach = measure_reach(c);
  const double low = -0.04 * std::cos(0.5), rise = (0.11 + 0.04) / std::cos(0.5);
  const double high = 0.04 * std::cos(0.5) + (rise + 0.04 * std::tan(0.5)) * std::sin(0.5);
  EXPECT_NEAR(reach.half_length_x, 0.5 * (high - low), 1e-12);
  EXPECT_NEAR(reach.depth, 0.11 + 0.04 * std::sin(0.5), 1e-12);
}

}  // namespace
}  // namespace footfall
