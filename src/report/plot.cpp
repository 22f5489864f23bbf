#include "footfall/report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "input_error.hpp"
#include "io/text_file.hpp"
#include "report/plot_axis.hpp"
#include "report/svg.hpp"

namespace footfall {
namespace picture {
namespace {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;  // pixels
};

constexpr const char* kInk = "#22303c";      // titles
constexpr const char* kSoftInk = "#5b6873";  // labels
constexpr const char* kAxisInk = "#9aa5ae";  // axes
constexpr const char* kRule = "#d9dee2";     // lines of grids and frames

// Okabe and Ito's colours, which most colour-blind people can tell apart; yellow is left out.
// They begin again after kColorCount.
constexpr int kColorCount = 7;
Color series_color(int index) {
  constexpr Color colors[kColorCount] = {
      {0.000, 0.447, 0.698}, {0.835, 0.369, 0.000}, {0.000, 0.620, 0.451}, {0.800, 0.475, 0.655},
      {0.902, 0.624, 0.000}, {0.337, 0.706, 0.914}, {0.250, 0.250, 0.250}};
  return colors[index % kColorCount];
}

constexpr double kPanelWidth = 400, kSheetMargin = 28, kColumnGap = 30, kRowGap = 18;
constexpr double kTitleSize = 20, kPanelTitleSize = 14.5, kTextSize = 13, kTickSize = 11.5;
constexpr double kLineHeight = 17;
constexpr double kAxisWidth = 300, kAxisHeight = 224;  // the least width; the height
constexpr double kLegendRow = 20, kMarkLength = 24;

// An upper bound of a text's width, for any of the fonts that a viewer may have [pixels].
double text_width(const std::string& text, double size) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  });
  return 0.63 * size * static_cast<double>(letters);
}

// The size at which a text fits.
double fitting_size(const std::string& text, double size, double space) {
  return std::min(size, size * space / std::max(1.0, text_width(text, size)));
}

// The text in lines that fit, broken between words; a word that is too long stays as it is.
std::vector<std::string> wrapped(const std::string& text, double size, double space) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string longer = lines.empty() ? word : lines.back() + " " + word;
    if (!lines.empty() && text_width(longer, size) <= space) {
      lines.back() = longer;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

// Lines of text one under the other, turned about `at` as the font says.
void draw_lines(const std::vector<std::string>& lines, Point at, double space, Font font,
                Svg& svg) {
  const double size = font.size;
  for (const std::string& line : lines) {
    font.size = fitting_size(line, size, space);
    svg.text(at, line, font);
    (font.turn == 0 ? at.y : at.x) += kLineHeight;
  }
}

std::string axis_title(const PlotAxis& axis) {
  return axis.unit.empty() ? axis.label : fmt::format("{} [{}]", axis.label, axis.unit);
}

// ---- legends ----

struct Mark {
  std::string label;
  int color;
  LineStyle style;
  bool band;
  bool operator==(const Mark&) const = default;
};

std::vector<Mark> marks_of(const PlotPanel& panel) {
  std::vector<Mark> marks;
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    const PlotLine& line = panel.lines[i];
    if (line.label.empty()) continue;
    marks.push_back({line.label, line.color.value_or(static_cast<int>(i)), line.style, false});
  }
  for (const PlotBand& band : panel.bands) {
    if (!band.label.empty()) marks.push_back({band.label, band.color, LineStyle::solid, true});
  }
  return marks;
}

std::string dash_of(LineStyle style, int color) {
  if (style == LineStyle::dashed) return "7 5";
  return color >= kColorCount ? "10 3 2 3" : "";
}

void draw_mark(const Mark& mark, const Point& at, Svg& svg) {
  const std::string color = hex(series_color(mark.color));
  if (mark.band) {
    svg.rectangle({at.x, at.y - 9}, kMarkLength, 10, 2, {.fill = color, .opacity = 0.2});
  } else if (mark.style == LineStyle::points) {
    svg.circle({at.x + kMarkLength / 2, at.y - 4}, 3, {.fill = color});
  } else {
    svg.line({at.x, at.y - 4}, {at.x + kMarkLength, at.y - 4},
             {.stroke = color, .width = 2.2, .dash = dash_of(mark.style, mark.color)});
  }
}

// Marks in columns of equal width; returns the height. Without `svg` nothing is drawn.
double draw_legend(const std::vector<Mark>& marks, const Point& at, double width, Svg* svg) {
  if (marks.empty()) return 0;
  double widest = 0;
  for (const Mark& m : marks) widest = std::max(widest, text_width(m.label, kTextSize));
  const double column = std::min(width, kMarkLength + 8 + widest + 16);
  const int columns = std::max(1, static_cast<int>(width / column));
  const double space = column - kMarkLength - 8;
  for (std::size_t i = 0; svg != nullptr && i < marks.size(); ++i) {
    const int row = static_cast<int>(i) / columns, place = static_cast<int>(i) % columns;
    const Point p{at.x + place * column, at.y + kLegendRow * row + 14};
    draw_mark(marks[i], p, *svg);
    svg->text({p.x + kMarkLength + 8, p.y}, marks[i].label,
              {.size = fitting_size(marks[i].label, kTextSize, space), .color = kSoftInk});
  }
  return kLegendRow * std::ceil(static_cast<double>(marks.size()) / columns) + 4;
}

// ---- one panel ----

// Values and pixels of a panel: `box` is the area within the axes.
struct Frame {
  Box box;
  Scale x, y;

  Point place(double vx, double vy) const {
    // far outside is as good as just outside, and keeps the file's numbers short
    const double sx = std::clamp(x.share(vx), -2.0, 3.0), sy = std::clamp(y.share(vy), -2.0, 3.0);
    return {box.x + box.width * sx, box.y + box.height * (1 - sy)};
  }
};

void check_sizes(const std::string& label, std::size_t x, std::size_t y) {
  if (x == y) return;
  throw input_error("line '{}' has {} values along x and {} along y, expected as many", label, x,
                    y);
}

Scale scale_of(const PlotPanel& panel, bool vertical) {
  std::vector<const std::vector<double>*> values;
  for (const PlotLine& line : panel.lines) {
    check_sizes(line.label, line.x.size(), line.y.size());
    values.push_back(vertical ? &line.y : &line.x);
  }
  for (const PlotBand& band : panel.bands) {
    check_sizes(band.label, band.x.size(), band.low.size());
    check_sizes(band.label, band.x.size(), band.high.size());
    values.push_back(vertical ? &band.low : &band.x);
    if (vertical) values.push_back(&band.high);
  }
  return make_scale(vertical ? panel.y : panel.x, values, vertical, vertical ? 5 : 6);
}

// Ticks and titles of both axes, within the box that the frame left for them.
void draw_axes(const PlotPanel& panel, const Frame& f, const std::vector<std::string>& up,
               double left, Svg& svg) {
  const Box& b = f.box;
  const double bottom = b.y + b.height, right = b.x + b.width;
  for (const Tick& t : f.y.ticks) {
    const double y = b.y + b.height * (1 - f.y.share(t.value));
    if (t.label.empty()) {
      svg.line({b.x, y}, {b.x + 4, y}, {.stroke = kAxisInk, .width = 1});
      continue;
    }
    svg.line({b.x, y}, {right, y}, {.stroke = kRule, .width = 1});
    svg.text({b.x - 7, y + 4}, t.label,
             {.size = kTickSize, .color = kSoftInk, .anchor = Anchor::end});
  }
  for (const Tick& t : f.x.ticks) {
    const double x = b.x + b.width * f.x.share(t.value);
    svg.line({x, bottom}, {x, bottom + (t.label.empty() ? 3 : 5)},
             {.stroke = kAxisInk, .width = 1});
    if (!t.label.empty()) {
      svg.line({x, b.y}, {x, bottom}, {.stroke = kRule, .width = 0.6});
      svg.text({x, bottom + 18}, t.label,
               {.size = kTickSize, .color = kSoftInk, .anchor = Anchor::middle});
    }
  }
  svg.line({b.x, bottom}, {right, bottom}, {.stroke = kAxisInk, .width = 1.2});
  svg.line({b.x, b.y}, {b.x, bottom}, {.stroke = kAxisInk, .width = 1.2});
  draw_lines(wrapped(axis_title(panel.x), kTextSize, kAxisWidth), {b.x + b.width / 2, bottom + 38},
             b.width, {.size = kTextSize, .color = kInk, .anchor = Anchor::middle}, svg);
  draw_lines(up, {left + kTextSize, b.y + b.height / 2}, b.height,
             {.size = kTextSize, .color = kInk, .anchor = Anchor::middle, .turn = -90}, svg);
}

// The line's pieces between gaps, without points that fall onto the one before.
std::vector<std::vector<Point>> pieces(const PlotLine& line, const Frame& f) {
  std::vector<std::vector<Point>> out(1);
  constexpr double kNear = 0.4;  // pixels
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if (!f.x.holds(line.x[i]) || !f.y.holds(line.y[i])) {
      if (!out.back().empty()) out.emplace_back();
      continue;
    }
    const Point p = f.place(line.x[i], line.y[i]);
    const bool last = i + 1 == line.x.size();
    const bool far = out.back().empty() || std::fabs(p.x - out.back().back().x) > kNear ||
                     std::fabs(p.y - out.back().back().y) > kNear;
    if (far || last) out.back().push_back(p);
  }
  return out;
}

void draw_line(const PlotLine& line, int color, const Frame& f, Svg& svg) {
  const std::string ink = hex(series_color(color));
  for (const std::vector<Point>& piece : pieces(line, f)) {
    if (line.style == LineStyle::points || piece.size() == 1) {
      for (const Point& p : piece) {
        svg.circle(p, 2.4, {.fill = ink});
      }
    } else {
      svg.polyline(piece, {.stroke = ink, .width = 2, .dash = dash_of(line.style, color)});
    }
  }
}

void draw_band(const PlotBand& band, const Frame& f, Svg& svg) {
  std::vector<Point> outline;
  for (std::size_t i = 0; i < band.x.size(); ++i) {
    if (f.x.holds(band.x[i]) && f.y.holds(band.high[i]))
      outline.push_back(f.place(band.x[i], band.high[i]));
  }
  for (std::size_t i = band.x.size(); i-- > 0;) {
    if (f.x.holds(band.x[i]) && f.y.holds(band.low[i]))
      outline.push_back(f.place(band.x[i], band.low[i]));
  }
  svg.polygon(outline, {.fill = hex(series_color(band.color)), .opacity = 0.2});
}

double lines_height(const std::string& text, double size, double space) {
  return kLineHeight * static_cast<double>(wrapped(text, size, space).size());
}

// Height of the words above and below a panel's axes.
struct Words {
  double above = 0, below = 0;
};

Words words_of(const PlotPanel& panel, bool with_legend) {
  const double legend = with_legend ? draw_legend(marks_of(panel), {}, kPanelWidth, nullptr) : 0;
  return {9 + lines_height(panel.title, kPanelTitleSize, kPanelWidth) + legend,
          29 + lines_height(axis_title(panel.x), kTextSize, kAxisWidth)};
}

void draw_panel(const PlotPanel& panel, const Point& corner, double above, bool with_legend,
                const std::string& clip, Svg& svg) {
  Frame f{{}, scale_of(panel, false), scale_of(panel, true)};
  double widest = 0;
  for (const Tick& t : f.y.ticks) widest = std::max(widest, text_width(t.label, kTickSize));
  const auto up = wrapped(axis_title(panel.y), kTextSize, kAxisHeight);
  const double left = 8 + kLineHeight * static_cast<double>(up.size()) + widest + 7;
  f.box = {corner.x + left, corner.y + above, kPanelWidth - left - 14, kAxisHeight};
  draw_lines(wrapped(panel.title, kPanelTitleSize, kPanelWidth), {corner.x, corner.y + 15},
             kPanelWidth, {.size = kPanelTitleSize, .color = kInk, .bold = true}, svg);
  if (with_legend) {
    const double title = lines_height(panel.title, kPanelTitleSize, kPanelWidth);
    draw_legend(marks_of(panel), {corner.x, corner.y + title + 3}, kPanelWidth, &svg);
  }
  draw_axes(panel, f, up, corner.x, svg);
  svg.clip_rectangle(clip, {f.box.x - 3, f.box.y - 3}, f.box.width + 6, f.box.height + 6, 0);
  svg.begin_group(1, clip);
  for (const PlotBand& band : panel.bands) draw_band(band, f, svg);
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    draw_line(panel.lines[i], panel.lines[i].color.value_or(static_cast<int>(i)), f, svg);
  }
  svg.end_group();
}

// ---- the sheet ----

bool same_legends(const Plot& plot) {
  if (plot.panels.size() < 2) return false;
  const std::vector<Mark> first = marks_of(plot.panels[0]);
  return std::all_of(plot.panels.begin(), plot.panels.end(),
                     [&](const PlotPanel& panel) { return marks_of(panel) == first; });
}

Svg draw_sheet(const Plot& plot) {
  const int count = static_cast<int>(plot.panels.size());
  const int columns = std::clamp(plot.columns, 1, std::max(1, count));
  const int rows = (count + columns - 1) / columns;
  const double inside = columns * kPanelWidth + (columns - 1) * kColumnGap;
  const bool shared = same_legends(plot);
  const std::vector<Mark> marks = shared ? marks_of(plot.panels[0]) : std::vector<Mark>{};
  double top = kSheetMargin + (plot.title.empty() ? 0 : 26) + (plot.subtitle.empty() ? 0 : 22);
  const double legend_top = top;
  top += draw_legend(marks, {}, inside, nullptr) + 10;
  std::vector<Words> words(rows);
  for (int i = 0; i < count; ++i) {
    const Words own = words_of(plot.panels[i], !shared);
    Words& row = words[i / columns];
    row = {std::max(row.above, own.above), std::max(row.below, own.below)};
  }
  const auto row_height = [&](int row) {
    return words[row].above + kAxisHeight + words[row].below;
  };
  double height = top + kSheetMargin;
  for (int row = 0; row < rows; ++row) height += row_height(row) + (row > 0 ? kRowGap : 0);
  const double width = inside + 2 * kSheetMargin;
  Svg svg(width, height);
  svg.rectangle({0, 0}, width, height, 0, {.fill = "#ffffff"});
  svg.text({kSheetMargin, kSheetMargin + 14}, plot.title,
           {.size = fitting_size(plot.title, kTitleSize, inside), .color = kInk, .bold = true});
  svg.text({kSheetMargin, legend_top - 8}, plot.subtitle,
           {.size = fitting_size(plot.subtitle, kTextSize, inside), .color = kSoftInk});
  draw_legend(marks, {kSheetMargin, legend_top}, inside, &svg);
  for (int i = 0; i < count; ++i) {
    const int row = i / columns;
    if (i > 0 && i % columns == 0) top += row_height(row - 1) + kRowGap;
    draw_panel(plot.panels[i], {kSheetMargin + (i % columns) * (kPanelWidth + kColumnGap), top},
               words[row].above, !shared, fmt::format("panel{}", i), svg);
  }
  return svg;
}

}  // namespace
}  // namespace picture

std::string draw_plot(const Plot& plot) { return picture::draw_sheet(plot).finish(); }

void write_plot(const std::filesystem::path& file, const Plot& plot) {
  write_text_file(file, draw_plot(plot));
}

}  // namespace footfall
