// Every number that the reproduction of Zhu 2019 prints and a page of ours quotes.
#include "footfall/reproduce/reproduction.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace footfall {
namespace {

TEST(Zhu2019, EveryVerdictIsTheExpectedOne) {
  const Reproduction done = reproduce_zhu2019();
  for (const Comparison& i : done.items) {
    EXPECT_EQ(i.verdict, i.expected) << i.place << ": " << i.quantity << ", ours " << i.ours;
    EXPECT_EQ(i.paper.has_value(), i.claim.empty()) << i.place << ": " << i.quantity;
    EXPECT_TRUE(i.verdict != Verdict::differs || !i.reason.empty()) << i.quantity;
    EXPECT_TRUE(std::isfinite(i.ours)) << i.quantity;
  }
  EXPECT_GE(done.items.size(), 38U);
  ASSERT_FALSE(done.tables.empty());
  for (const std::vector<double>& row : done.tables.back().rows) {
    EXPECT_EQ(row, std::vector<double>{0}) << "a foot left the data";
  }
  EXPECT_EQ(done.figures.size(), 9U);
}

}  // namespace
}  // namespace footfall
