// Fixing and freeing parameters by name.
#include <gtest/gtest.h>

#include <cmath>

#include "fit/fit_problems.hpp"
#include "footfall/error.hpp"
#include "footfall/identify/part.hpp"

namespace footfall {
namespace {

std::vector<FitParameter> three_parameters() {
  std::vector<FitParameter> parameters = test::power_parameters();
  parameters.push_back(test::plain("foot_weight", 0, 0, 100));
  parameters.back().unit = "N";
  parameters.back().fixed = true;
  return parameters;
}

std::string message_of(const LawFitOptions& options) {
  std::vector<FitParameter> parameters = three_parameters();
  try {
    apply_options(options, parameters);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LawFitOptions, FixAndFree) {
  std::vector<FitParameter> parameters = three_parameters();
  apply_options({.fix = {{"n", 1.2}}, .free = {"foot_weight"}}, parameters);
  EXPECT_FALSE(parameters[0].fixed);
  EXPECT_TRUE(parameters[1].fixed);
  EXPECT_EQ(parameters[1].start, 1.2);
  EXPECT_FALSE(parameters[2].fixed);
}

TEST(LawFitOptions, ErrorsSayWhatIsThere) {
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

TEST(LawFitOptions, ANameWithoutNumberMeansAllFiles) {
  std::vector<FitParameter> parameters = three_parameters();
  for (const char* name : {"contact_offset_2", "contact_offset_3"}) {
    parameters.push_back(test::plain(name, 0, -1, 1));
    parameters.back().fixed = true;
  }
  std::vector<FitParameter> all = parameters;
  apply_options({.free = {"contact_offset"}}, all);
  EXPECT_FALSE(all[3].fixed || all[4].fixed);
  apply_options({.fix = {{"contact_offset", 0.5}, {"contact_offset_3", 0.25}}}, all);
  EXPECT_EQ(all[3].start, 0.5);
  EXPECT_EQ(all[4].start, 0.25);
  apply_options({.fix = {{"contact_offset_2", 0.1}}, .free = {"contact_offset"}}, parameters);
  EXPECT_TRUE(parameters[3].fixed);
  EXPECT_FALSE(parameters[4].fixed);
  EXPECT_EQ(message_of({.free = {"k"}}), "free k: it is free already, leave it out");
}

// Scatter so large that ± two errors would reach beyond what n may be.
TEST(FitIntervals, EndAtTheBounds) {
  std::vector<double> x, y;
  for (int i = 1; i <= 8; ++i) {
    x.push_back(1 + 0.02 * i);
    y.push_back(100 + (i % 2 == 0 ? 3 : -3));
  }
  const Fit found = fit(test::make_curve_problem(test::power_parameters(), x, y, test::power_law));
  const Estimate& n = found.find("n");
  EXPECT_GT(found.t_quantile * n.standard_error, n.value - 0.1);
  EXPECT_EQ(n.lower, 0.1);
  EXPECT_LE(n.upper, 5);
}

}  // namespace
}  // namespace footfall
