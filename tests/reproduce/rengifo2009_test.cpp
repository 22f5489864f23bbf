// Every number that the reproduction of Rengifo 2009 prints and a page of ours quotes.
#include "footfall/reproduce/reproduction.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace footfall {
namespace {

TEST(Rengifo2009, EveryVerdictIsTheExpectedOne) {
  const Reproduction done = reproduce_rengifo2009();
  int errors = 0;
  for (const Comparison& i : done.items) {
    EXPECT_EQ(i.verdict, i.expected) << i.place << ": " << i.quantity << ", ours " << i.ours;
    EXPECT_EQ(i.paper.has_value(), i.claim.empty()) << i.place << ": " << i.quantity;
    EXPECT_TRUE(i.verdict != Verdict::differs || !i.reason.empty()) << i.quantity;
    EXPECT_TRUE(std::isfinite(i.ours)) << i.quantity;
    errors += i.verdict == Verdict::papers_error ? 1 : 0;
  }
  EXPECT_EQ(errors, 1);
  EXPECT_EQ(count_of(done, Verdict::reproduced), 0);  // the paper prints no number
  EXPECT_GE(done.items.size(), 34U);
  EXPECT_EQ(done.figures.size(), 6U);
}

}  // namespace
}  // namespace footfall
