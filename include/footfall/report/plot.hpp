// Plots: panels of lines in one SVG file that needs nothing else.
//
//   Plot plot{.title = "Dry sand"};
//   plot.panels.push_back({.title = "Pressure and sinkage",
//                          .x = {.label = "sinkage", .unit = "mm"},
//                          .y = {.label = "pressure", .unit = "kPa"},
//                          .lines = {{.label = "disc", .x = depth, .y = pressure}}});
//   write_plot("sand.svg", plot);
//
// Every field has a default, so any may be left out. The background is white, whatever the viewer's. Colours are Okabe and Ito's, which most
// colour-blind people can tell apart; after seven they begin again, dashed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace footfall {

enum class LineStyle { solid, dashed, points };

// Where a value is no number, or not above 0 on a logarithmic axis, a line has a gap.
struct PlotLine {
  std::string label = {};  // in the legend; empty: not in it
  std::vector<double> x = {}, y = {};
  LineStyle style = LineStyle::solid;
  std::optional<int> color = {};  // index of a colour; default: the line's place in its panel
};

// The area between two curves, behind the lines.
struct PlotBand {
  std::string label = {};  // in the legend; empty: not in it
  std::vector<double> x = {}, low = {}, high = {};
  int color = 0;
};

struct PlotAxis {
  std::string label = {};
  std::string unit = {};  // shown as [unit]; empty: none
  bool log = false;
  std::optional<double> low = {}, high = {};  // default: as the values need
};

struct PlotPanel {
  std::string title = {};
  PlotAxis x = {}, y = {};
  std::vector<PlotLine> lines = {};
  std::vector<PlotBand> bands = {};
};

struct Plot {
  std::string title = {};
  std::string subtitle = {};
  std::vector<PlotPanel> panels = {};
  int columns = 2;  // of panels, at most
};

// The text of the SVG file. Panels with the same legend share one. Throws InputError where x and y
// of a line differ in size, or an axis ends before it begins.
std::string draw_plot(const Plot& plot);

// Throws InputError also if the file cannot be written.
void write_plot(const std::filesystem::path& file, const Plot& plot);

}  // namespace footfall
