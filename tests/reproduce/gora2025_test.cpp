// Every number that the reproduction of Gora 2025 prints and a page of ours quotes.
#include "footfall/reproduce/reproduction.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace footfall {
namespace {

const Comparison& item(const Reproduction& done, const std::string& place,
                       const std::string& words) {
  for (const Comparison& i : done.items) {
    if (i.place == place && i.quantity.find(words) != std::string::npos) return i;
  }
  throw std::logic_error(place + ": " + words);
}

void expect_ball_and_box(const Reproduction& done) {
  EXPECT_NEAR(item(done, "(29)", "ball, 10 mm").ours, 2060.10, 5e-3);
  EXPECT_NEAR(item(done, "(29)", "MuJoCo's bounds").ours, 2059.47, 5e-3);
  EXPECT_NEAR(item(done, "III.B", "box, 6 mm").ours, 858.375, 5e-4);
  EXPECT_EQ(item(done, "(29)", "as printed").verdict, Verdict::papers_error);
  EXPECT_NEAR(item(done, "(29)", "as printed").ours, 858.11, 0.01);
  EXPECT_EQ(item(done, "(22)", "beyond the width").verdict, Verdict::papers_error);
  EXPECT_NEAR(item(done, "III.B", "Hunt-Crossley").ours, 9.81, 1e-12);
  EXPECT_NEAR(item(done, "III.C", "what sinks 8.66 mm").ours, 9420.6, 0.1);
}

void expect_humanoid(const Reproduction& done) {
  for (const char* feet : {"both feet: left", "both feet: right", "knees bent: left",
                           "knees bent: right", "one foot: left"}) {
    EXPECT_NEAR(item(done, "Fig. 5b", feet).ours, 6, 0.06) << feet;
  }
  EXPECT_NEAR(item(done, "Fig. 5a", "both feet: sinkage").ours, 7.426, 1e-3);
  EXPECT_NEAR(item(done, "Fig. 5a", "one foot: sinkage").ours, 8.264, 1e-3);
  EXPECT_NEAR(item(done, "III.C", "stiffness of the robot").ours, 3444.04, 0.01);
}

// One test, because each test is a process of its own and the robot settles a dozen times.
TEST(Gora2025, EveryVerdictIsTheExpectedOne) {
  const Reproduction done = reproduce_gora2025();
  for (const Comparison& i : done.items) {
    EXPECT_TRUE(i.known || i.expected != Verdict::differs) << i.quantity;
    EXPECT_EQ(i.verdict, i.expected) << i.place << ": " << i.quantity << ", ours " << i.ours;
    EXPECT_EQ(i.paper.has_value(), i.claim.empty()) << i.place << ": " << i.quantity;
    EXPECT_TRUE(i.verdict != Verdict::differs || !i.reason.empty()) << i.quantity;
    EXPECT_EQ(i.paper.has_value(), i.tolerance.has_value()) << i.quantity;
    EXPECT_TRUE(std::isfinite(i.ours)) << i.quantity;
  }
  EXPECT_TRUE(as_expected(done));
  expect_ball_and_box(done);
  expect_humanoid(done);
  EXPECT_EQ(done.figures.size(), 4U);
  for (const Figure& figure : done.figures) EXPECT_FALSE(draw_plot(figure.plot).empty());
}

TEST(Gora2025, ListedAmongThePapers) {
  EXPECT_EQ(find_paper("gora2025").reproduce, &reproduce_gora2025);
}

}  // namespace
}  // namespace footfall
