// Every number that the reproduction of Ding 2013 prints and a page of ours quotes.
#include "footfall/reproduce/reproduction.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"

namespace footfall {
namespace {

const Reproduction& done() {
  static const Reproduction reproduction = reproduce_ding2013();
  return reproduction;
}

const Comparison& item(const std::string& place, const std::string& words) {
  for (const Comparison& i : done().items) {
    if (i.place == place && i.quantity.find(words) != std::string::npos) return i;
  }
  throw std::logic_error(place + ": " + words);
}

const NumberTable& table(const std::string& words) {
  for (const NumberTable& t : done().tables) {
    if (t.title.find(words) != std::string::npos) return t;
  }
  throw std::logic_error(words);
}

TEST(Ding2013, EveryVerdictIsTheExpectedOne) {
  for (const Comparison& i : done().items) {
    EXPECT_EQ(i.verdict, i.expected) << i.place << ": " << i.quantity << ", ours " << i.ours;
    EXPECT_EQ(i.paper.has_value(), i.claim.empty()) << i.place << ": " << i.quantity;
    const bool needs_reason = i.verdict == Verdict::differs || i.verdict == Verdict::papers_error;
    EXPECT_TRUE(!needs_reason || !i.reason.empty()) << i.quantity;
    EXPECT_EQ(i.paper.has_value(), i.tolerance.has_value()) << i.quantity;
    EXPECT_TRUE(std::isfinite(i.ours)) << i.quantity;
  }
  EXPECT_TRUE(as_expected(done()));
}

TEST(Ding2013, Figure11) {
  EXPECT_NEAR(item("Fig. 11", "(29a), error over largest").ours, 17.391, 1e-3);
  EXPECT_NEAR(item("Fig. 11", "(29b), error over largest").ours, 4.873, 1e-3);
  EXPECT_NEAR(item("Fig. 11", "(29c), error over largest").ours, 8.791, 1e-3);
  const double low = 100 * (1 - 1 / std::beta(2.1, 0.5));  // terramechanics.md
  for (const char* form :
       {"(29a), error over force", "(29b), error over force", "(29c), error over force"}) {
    EXPECT_NEAR(item("Fig. 11", form).ours, low, 0.01);
  }
  EXPECT_NEAR(item("Fig. 11", "caption").ours, 352.014, 1e-3);
  EXPECT_EQ(item("Fig. 11", "caption").verdict, Verdict::papers_error);
}

TEST(Ding2013, Figure13) {
  EXPECT_NEAR(*item("(33)", "straight").paper, 19.494, 5e-4);
  EXPECT_NEAR(item("(33)", "straight").ours, 9.747, 5e-4);
  EXPECT_EQ(item("(33)", "straight").verdict, Verdict::papers_error);
  EXPECT_NEAR(item("(34)", "10 mm").ours, 13.671, 5e-4);
  EXPECT_NEAR(*item("(34)", "10 mm").paper, 15.345, 5e-4);
  EXPECT_NEAR(*item("(34)", "50 mm").paper / item("(34)", "50 mm").ours, 1.550, 5e-4);
  EXPECT_NEAR(*item("(34)", "heavy clay").paper / item("(34)", "heavy clay").ours, 0.56, 5e-3);
}

// The two tables of docs/theory/terramechanics.md.
TEST(Ding2013, FormsOverTheExactForce) {
  const double cylinder[4][5] = {{1, 0.799, 0.772, 0.774, 0.773},
                                 {10, 30.973, 0.780, 0.808, 0.794},
                                 {30, 168.101, 0.802, 0.898, 0.849},
                                 {50, 352.014, 0.826, 1.019, 0.918}};
  const double sphere[4][4] = {{1, 0.115, 1.057, 1.403},
                               {10, 13.671, 1.122, 1.426},
                               {30, 118.386, 1.302, 1.484},
                               {50, 290.710, 1.550, 1.550}};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_NEAR(table("Cylinder").rows[i][k], cylinder[i][k], 5.01e-4);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(table("Sphere").rows[i][k], sphere[i][k], 5.01e-4);
    }
  }
}

TEST(Ding2013, ShearForms) {
  EXPECT_NEAR(item("Fig. 14", "(39)").ours, 0.5 - 0.5 * std::log(2.0), 1e-5);
  EXPECT_NEAR(item("Fig. 15", "tanh(j/1.5K)").ours, 0.072, 5e-4);
  // (1 − u)u/(1 + u) is largest at u = √2 − 1
  EXPECT_NEAR(item("Fig. 15", "tanh(j/2K), l").ours, 3 - 2 * std::numbers::sqrt2, 1e-5);
  EXPECT_NEAR(item("Fig. 15", "K' that").ours, 1.338, 2e-3);
  const double one_way = 1 - std::exp(-5);
  EXPECT_NEAR(item("(37), (56)", "back").ours, -1 + (1 + one_way) * std::exp(-1), 1e-9);
}

TEST(Ding2013, Springs) {
  EXPECT_NEAR(item("(7)", "k_N").ours, 1.194e4 * 3e4 / 4.194e4, 1e-4);
  const double sand = 1e-3 * std::pow(250 / 5.06, 1 / 1.132), spring = 250 / 1.194e4;
  EXPECT_NEAR(item("(52)", "k_N").ours, 250 / (sand + spring), 0.05);  // k of the soil has 6 digits
  EXPECT_NEAR(item("(68)", "L3: unloading").ours, 11765, 10);
  EXPECT_EQ(item("(68)", "L3: unloading").verdict, Verdict::reproduced);
  EXPECT_EQ(item("(68)", "L2").verdict, Verdict::differs);
  // Spring and sand of n near 1: between the slopes at both ends of the line.
  EXPECT_NEAR(item("(68)", "L2").ours, 5002, 10);
  EXPECT_NEAR(item("(68)", "sunk").ours, 0.99 * std::pow(263.62 / 5.06, 1 / 1.132), 0.05);
}

// Table 12 in N/mm^n: one sand. As printed its curves are a factor of three apart.
TEST(Ding2013, UnitOfTable12) {
  EXPECT_EQ(item("Table 12", "largest over smallest").verdict, Verdict::papers_error);
  EXPECT_THAT(item("Table 12", "largest over smallest").reason, testing::HasSubstr("it is 3.14"));
  EXPECT_THAT(item("Table 12", "largest over smallest").reason, testing::HasSubstr("1.259e+04"));
  EXPECT_NEAR(item("Fig. 22", "largest over smallest").ours, 1.084, 5e-4);
  EXPECT_NEAR(item("Table 12", "fitted jointly").ours, 144.53, 0.05);
}

TEST(Ding2013, Impacts) {
  EXPECT_NEAR(item("Fig. 20", "deflection at rest").ours, 20.938, 0.01);
  EXPECT_NEAR(item("Fig. 20", "largest deflection").ours, 36.556, 2e-3);
  EXPECT_NEAR(item("Fig. 20", "largest force").ours, 513.851, 2e-3);
  EXPECT_NEAR(item("Fig. 23", "force at rest").ours, 303, 0.01);
  EXPECT_NEAR(item("Fig. 23", "largest force").ours, 552.00, 0.01);
  EXPECT_NEAR(item("Fig. 23", "entry angle").ours, 90.83, 0.01);
  EXPECT_LT(item("Fig. 23", "rebound").ours, 1);
  EXPECT_NEAR(item("Fig. 23", "energy").ours, 60.25, 0.05);
  EXPECT_NEAR(item("Fig. 27", "over that on marble").ours, 1.01, 0.005);
}

TEST(Ding2013, FiguresHaveNamesAndCurves) {
  std::vector<std::string> files;
  for (const Figure& figure : done().figures) {
    files.push_back(figure.file);
    EXPECT_FALSE(figure.plot.title.empty());
    EXPECT_FALSE(draw_plot(figure.plot).empty());
  }
  EXPECT_TRUE(std::is_sorted(files.begin(), files.end()));
  EXPECT_EQ(files.size(), 8U);
}

TEST(Reproduction, VerdictsFollowFromTheNumbers) {
  const Comparison plain{.place = "(1)", .quantity = "x", .paper = 10.0, .ours = 10.5};
  const Tolerance wide = printed(1), narrow = printed(0.8);
  EXPECT_EQ(reproduces(plain, wide).verdict, Verdict::reproduced);
  EXPECT_EQ(reproduces(plain, narrow).verdict, Verdict::differs);
  EXPECT_EQ(returns(plain, wide).verdict, Verdict::round_trip);
  EXPECT_EQ(adds_up(plain, wide).verdict, Verdict::arithmetic);
  EXPECT_EQ(adds_up(plain, formula(10)).verdict, Verdict::differs);
  EXPECT_EQ(is_papers_error(plain, 10, "why").verdict, Verdict::papers_error);
  EXPECT_EQ(is_papers_error(plain, 10.1, "why").verdict, Verdict::differs);
  EXPECT_EQ(is_difference(plain, narrow, "why").verdict, Verdict::differs);
  EXPECT_EQ(is_difference(plain, wide, "why").verdict, Verdict::reproduced);
  EXPECT_TRUE(as_expected({.items = {reproduces(plain, wide), is_difference(plain, narrow, "why")},
                           .tables = {},
                           .figures = {}}));
  EXPECT_TRUE(as_expected(is_difference(plain, narrow, "why", 10.5, 1e-9)));
  EXPECT_FALSE(as_expected(is_difference(plain, narrow, "why", 10.6, 1e-3)));  // ours has changed
  EXPECT_FALSE(
      as_expected({.items = {is_difference(plain, wide, "why")}, .tables = {}, .figures = {}}));
}

TEST(Reproduction, WordsHaveVerdictsToo) {
  const Comparison words{.place = "(1)", .quantity = "x", .claim = "small", .ours = 1};
  EXPECT_EQ(agrees(words, true).verdict, Verdict::agrees_in_shape);
  EXPECT_EQ(agrees(words, false).verdict, Verdict::differs);
  EXPECT_FALSE(as_expected(agrees(words, false)));
  EXPECT_TRUE(as_expected(disagrees(words, false)));
  EXPECT_FALSE(as_expected(disagrees(words, true)));
  EXPECT_TRUE(as_expected(contradicts_itself(words, false, true)));
  EXPECT_FALSE(as_expected(contradicts_itself(words, true, true)));    // nothing is wrong
  EXPECT_FALSE(as_expected(contradicts_itself(words, false, false)));  // the reason is wrong
}

TEST(Reproduction, CountsByKind) {
  const Comparison words{.place = "(1)", .quantity = "x", .claim = "small", .ours = 1};
  const Reproduction done{
      .items = {agrees(words, true), agrees(words, true), disagrees(words, false)},
      .tables = {},
      .figures = {}};
  EXPECT_EQ(count_of(done, Verdict::agrees_in_shape), 2);
  EXPECT_EQ(count_of(done, Verdict::reproduced), 0);
  EXPECT_EQ(count_text(done),
            "0 reproduced, 2 agree in shape, 0 round trips, 0 arithmetic of the paper, "
            "0 errors of the paper, 1 differ; all as expected");
}

TEST(Reproduction, UnknownPaperIsNamed) {
  EXPECT_EQ(find_paper("ding2013").name, "ding2013");
  try {
    find_paper("ding2014");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "paper 'ding2014', expected one of ding2013, gora2025, rengifo2009, zhu2019");
  }
}

}  // namespace
}  // namespace footfall
