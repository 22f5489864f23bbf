#include "footfall/report/plot.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <regex>

#include "footfall/error.hpp"
#include "report/plot_axis.hpp"
#include "report/xml_mistake.hpp"

namespace footfall::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PlotLine ramp(const std::string& label, double factor) {
  PlotLine line{.label = label};
  for (int i = 0; i <= 50; ++i) {
    line.x.push_back(0.02 * i);
    line.y.push_back(factor * 0.02 * i);
  }
  return line;
}

Plot sheet() {
  const PlotAxis x{.label = "sinkage", .unit = "mm"};
  return {.title = "A & B < C",
          .subtitle = "two panels",
          .panels = {{.title = "one",
                      .x = x,
                      .y = {.label = "force", .unit = "N"},
                      .lines = {ramp("first", 1), ramp("second", 3)},
                      .bands = {}},
                     {.title = "two",
                      .x = x,
                      .y = {.label = "pressure", .unit = "kPa"},
                      .lines = {ramp("first", 1e6), ramp("third", -2e-7)},
                      .bands = {}}}};
}

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// Texts that reach out of the picture, by a generous estimate of their width.
std::vector<std::string> clipped_texts(const std::string& svg) {
  std::smatch size;
  EXPECT_TRUE(std::regex_search(svg, size, std::regex("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"")));
  const double width = std::stod(size[1]), height = std::stod(size[2]);
  const std::regex text("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" font-size=\"([0-9.]+)\" "
                        "fill=\"#[0-9a-f]+\" text-anchor=\"([a-z]+)\"([^>]*)>([^<]*)</text>");
  std::vector<std::string> out;
  for (std::sregex_iterator i(svg.begin(), svg.end(), text), end; i != end; ++i) {
    const std::smatch& m = *i;
    double x = std::stod(m[1]), y = std::stod(m[2]);
    const double length = 0.6 * std::stod(m[3]) * static_cast<double>(m[6].length());
    const bool upright = m[5].str().find("rotate(-90") != std::string::npos;
    const double before = m[4] == "start" ? 0 : m[4] == "middle" ? length / 2 : length;
    const double after = length - before;
    const bool fits =
        upright ? y - after >= 0 && y + before <= height && x - std::stod(m[3]) >= 0
                : x - before >= 0 && x + after <= width && y <= height && y - std::stod(m[3]) >= 0;
    if (!fits) out.push_back(m[6]);
  }
  return out;
}

TEST(Plot, IsXmlWithAWhiteGroundAndAllItsWords) {
  const std::string svg = draw_plot(sheet());
  EXPECT_EQ(xml_mistake(svg), "");
  EXPECT_THAT(svg, HasSubstr("fill=\"#ffffff\""));
  for (const char* word : {"A &amp; B &lt; C", "two panels", "force [N]", "pressure [kPa]",
                           "sinkage [mm]", "first", "second", "third"}) {
    EXPECT_THAT(svg, HasSubstr(word));
  }
  EXPECT_EQ(count(svg, "<polyline"), 4);
}

TEST(Plot, NothingIsClipped) {
  Plot plot = sheet();
  EXPECT_THAT(clipped_texts(draw_plot(plot)), testing::IsEmpty());
  plot.title = std::string(200, 'W');
  plot.panels[0].title = "a title of a panel that goes on and on until it is much too long for it";
  plot.panels[0].y.label = "the force that the foot feels along the normal of the ground below it";
  plot.panels[0].x.label = "sinkage of the foot below the ground as it was before anything stepped";
  plot.panels[0].lines[0].label = "a label of a line that is wider than the whole panel, and more";
  plot.panels[1].y.label = std::string(90, 'x');
  for (const int columns : {1, 2, 5}) {
    plot.columns = columns;
    EXPECT_THAT(clipped_texts(draw_plot(plot)), testing::IsEmpty()) << columns;
  }
}

TEST(Plot, PanelsWithTheSameLegendShareIt) {
  Plot plot = sheet();
  plot.panels[1].lines[1].label = "second";
  EXPECT_EQ(count(draw_plot(plot), ">second<"), 1);
  plot.panels[1].lines[1].style = LineStyle::dashed;
  EXPECT_EQ(count(draw_plot(plot), ">second<"), 2);
}

TEST(Plot, DrawsStylesAndBands) {
  Plot plot = sheet();
  plot.panels[0].lines[0].style = LineStyle::points;
  plot.panels[0].lines[1].style = LineStyle::dashed;
  plot.panels[0].bands.push_back({"range", {0, 1}, {0, 1}, {1, 2}, 2});
  const std::string svg = draw_plot(plot);
  EXPECT_EQ(count(svg, "<circle"), 51 + 1);  // and one in the legend
  EXPECT_EQ(count(svg, "stroke-dasharray=\"7 5\""), 2);
  EXPECT_EQ(count(svg, "<polygon"), 1);
  EXPECT_THAT(svg, HasSubstr(">range<"));
}

TEST(Plot, BreaksLinesWhereThereIsNoNumber) {
  Plot plot = sheet();
  plot.panels.resize(1);
  plot.panels[0].lines.resize(1);
  PlotLine& line = plot.panels[0].lines[0];
  line.y[20] = std::numeric_limits<double>::quiet_NaN();
  line.y[40] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(count(draw_plot(plot), "<polyline"), 3);
  EXPECT_THAT(draw_plot(plot), Not(HasSubstr("nan")));
  // on a logarithmic axis 0 is no number either
  plot.panels[0].y.log = true;
  EXPECT_EQ(count(draw_plot(plot), "<polyline"), 3);
  EXPECT_EQ(xml_mistake(draw_plot(plot)), "");
}

TEST(Plot, LongRecordsMakeShortFiles) {
  Plot plot = sheet();
  PlotLine& line = plot.panels[0].lines[0];
  line.x.clear();
  line.y.clear();
  for (int i = 0; i < 200000; ++i) {
    line.x.push_back(i * 1e-5);
    line.y.push_back(std::sin(i * 1e-4));
  }
  EXPECT_LT(draw_plot(plot).size(), 60000U);
}

TEST(Plot, EmptyOnesAreDrawnToo) {
  EXPECT_EQ(xml_mistake(draw_plot({})), "");
  EXPECT_EQ(xml_mistake(draw_plot({.panels = {{.title = "none"}}})), "");
}

TEST(Plot, RefusesWhatCannotBeDrawn) {
  Plot plot = sheet();
  plot.panels[0].lines[0].x.pop_back();
  try {
    draw_plot(plot);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "line 'first' has 50 values along x and 51 along y, expected as many");
  }
  plot = sheet();
  plot.panels[0].y.low = 3;
  plot.panels[0].y.high = 2;
  EXPECT_THROW(draw_plot(plot), InputError);
  plot.panels[0].y = {.label = "y", .log = true, .low = 0};
  EXPECT_THROW(draw_plot(plot), InputError);
  EXPECT_THROW(write_plot("/nowhere/plot.svg", sheet()), InputError);
}

TEST(PlotAxis, TicksAreRound) {
  const std::vector<double> values = {0.3, 97.2};
  const picture::Scale linear = picture::make_scale({}, {&values}, true, 5);
  EXPECT_EQ(linear.low, 0);
  EXPECT_EQ(linear.high, 100);
  ASSERT_EQ(linear.ticks.size(), 6U);
  EXPECT_EQ(linear.ticks[1].label, "20");
  EXPECT_DOUBLE_EQ(linear.share(25), 0.25);
  PlotAxis axis;
  axis.log = true;
  const picture::Scale log = picture::make_scale(axis, {&values}, true, 5);
  EXPECT_DOUBLE_EQ(log.low, 0.1);
  EXPECT_DOUBLE_EQ(log.high, 100);
  EXPECT_NEAR(log.share(1), 1.0 / 3, 1e-12);
  EXPECT_EQ(log.ticks.front().label, "0.1");
  EXPECT_EQ(log.ticks.back().label, "100");
}

}  // namespace
}  // namespace footfall::test
