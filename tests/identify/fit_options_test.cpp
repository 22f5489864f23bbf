// Fixing and freeing parameters by name.
#include <gtest/gtest.h>

#include <cmath>

#include "footfall/error.hpp"
#include "footfall/identify/part.hpp"
#include "identify/fit_problems.hpp"

namespace footfall {
namespace {

std::vector<FitParameter> three_parameters() {
  std::vector<FitParameter> parameters = test::power_parameters();
  parameters.push_back(test::plain("foot_weight", 0, 0, 100));
  parameters.back().unit = "N";
  parameters.back().fixed = true;
  return parameters;
}

std::string message_of(const PartOptions& options) {
  std::vector<FitParameter> parameters = three_parameters();
  try {
    apply_options(options, parameters);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PartOptions, FixAndFree) {
  std::vector<FitParameter> parameters = three_parameters();
  apply_options({.fix = {{"n", 1.2}}, .free = {"foot_weight"}}, parameters);
  EXPECT_FALSE(parameters[0].fixed);
  EXPECT_TRUE(parameters[1].fixed);
  EXPECT_EQ(parameters[1].start, 1.2);
  EXPECT_FALSE(parameters[2].fixed);
}

TEST(PartOptions, ErrorsSayWhatIsThere) {
  EXPECT_EQ(message_of({.fix = {{"m", 1}}}),
            "fix m: this law has no such parameter, expected one of k, n, foot_weight");
  EXPECT_EQ(message_of({.free = {"m"}}),
            "free m: this law has no such parameter, expected one of k, n, foot_weight");
  EXPECT_EQ(message_of({.fix = {{"foot_weight", -5}}}),
            "fix foot_weight = -5, expected a value in [0, 100] N");
  EXPECT_NE(message_of({.fix = {{"n", std::nan("")}}}), "");
  EXPECT_EQ(message_of({.fix = {{"n", 1}}, .free = {"n"}}),
            "n is both fixed and free, expected one of the two");
}

}  // namespace
}  // namespace footfall
