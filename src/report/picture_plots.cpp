#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/picture_parts.hpp"

namespace footfall::picture {

namespace {

struct Series {
  std::vector<double> values;
  Color color;
  double width = 1.6;  // of the line [pixels]
};

struct TimePlot {
  std::string title, unit;
  std::vector<Series> series;
  bool from_zero = false;  // the axis starts at 0
  bool filled = false;
  bool whole = false;  // counts: ticks are whole numbers
};

struct Axis {
  double low = 0, high = 1, step = 1;
};

Axis value_axis(const TimePlot& plot) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Series& s : plot.series) {
    for (const double v : s.values) {
      if (!std::isfinite(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  if (!(low <= high)) low = high = 0;
  if (plot.from_zero) low = std::min(low, 0.0);
  const double least = std::max({std::fabs(low), std::fabs(high), 1e-9}) * 1e-3;
  if (high - low < least) high = low + (plot.whole ? 1 : std::max(least, 1e-9));
  const double step = tick_step(high - low, 3, plot.whole);
  return {std::floor(low / step + 1e-6) * step, std::ceil(high / step - 1e-6) * step, step};
}

// A line through all values: where many share a pixel, the least and the largest of them.
std::vector<Point> trace(const std::vector<double>& time, const std::vector<double>& values,
                         const Box& box, const Axis& t, const Axis& v) {
  const auto x_of = [&](double s) { return box.x + box.width * (s - t.low) / (t.high - t.low); };
  const auto y_of = [&](double s) {
    return box.y + box.height * (1 - (s - v.low) / (v.high - v.low));
  };
  const std::size_t group =
      std::max<std::size_t>(1, values.size() / static_cast<std::size_t>(box.width));
  std::vector<Point> points;
  for (std::size_t i = 0; i < values.size(); i += group) {
    const std::size_t end = std::min(values.size(), i + group);
    std::size_t low = i, high = i;
    for (std::size_t k = i; k < end; ++k) {
      if (values[k] < values[low]) low = k;
      if (values[k] > values[high]) high = k;
    }
    for (const std::size_t k : {std::min(low, high), std::max(low, high)}) {
      if (std::isfinite(values[k]) && (points.empty() || group > 1 || k == i)) {
        points.push_back({x_of(time[k]), y_of(values[k])});
      }
      if (low == high) break;
    }
  }
  return points;
}

void draw_axes(const TimePlot& plot, const Box& box, const Axis& t, const Axis& v, bool with_times,
               Svg& svg) {
  for (double tick = v.low; tick <= v.high + 1e-6 * v.step; tick += v.step) {
    const double y = box.y + box.height * (1 - (tick - v.low) / (v.high - v.low));
    svg.line({box.x, y}, {box.x + box.width, y}, {.stroke = kRule, .width = 1});
    svg.text({box.x - 7, y + 4}, tick_label(tick, v.step),
             {.size = 11, .color = kSoftInk, .anchor = Anchor::end});
  }
  for (double tick = t.low; tick <= t.high + 1e-6 * t.step; tick += t.step) {
    const double x = box.x + box.width * (tick - t.low) / (t.high - t.low);
    const double y = box.y + box.height;
    svg.line({x, y}, {x, y + 4}, {.stroke = kAxisInk, .width = 1});
    if (with_times) {
      svg.text({x, y + 18}, tick_label(tick, t.step),
               {.size = 11, .color = kSoftInk, .anchor = Anchor::middle});
    }
  }
  svg.line({box.x, box.y + box.height}, {box.x + box.width, box.y + box.height},
           {.stroke = kAxisInk, .width = 1});
  const std::string unit = plot.unit.empty() ? "" : " [" + plot.unit + "]";
  svg.text({box.x, box.y - 9}, plot.title + unit, {.size = 13, .color = kInk, .bold = true});
}

void draw_plot(const TimePlot& plot, const std::vector<double>& time, const Axis& t, const Box& box,
               bool last, Svg& svg) {
  const Axis v = value_axis(plot);
  draw_axes(plot, box, t, v, last, svg);
  for (const Series& s : plot.series) {
    std::vector<Point> points = trace(time, s.values, box, t, v);
    if (plot.filled && !points.empty()) {
      std::vector<Point> area = points;
      area.push_back({points.back().x, box.y + box.height});
      area.push_back({points.front().x, box.y + box.height});
      svg.polygon(area, {.fill = hex(s.color), .opacity = 0.18});
    }
    svg.polyline(points, {.stroke = hex(s.color), .width = s.width});
  }
}

std::vector<double> base_height(const RunData& run, const World& world) {
  RobotData<double> data(world.robot);
  const RunColumn& qpos = run.column("state/qpos");
  std::vector<double> out;
  const int base = std::min(1, world.robot.body_count() - 1);
  for (int row = 0; row < run.row_count; ++row) {
    compute_positions(world.robot, &qpos.values[static_cast<std::size_t>(row) * qpos.width], data);
    out.push_back(data.p_WB[base].z);
  }
  return out;
}

// Whether two lines lie on each other for more than half of the time.
bool coincide(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (const double v : a) largest = std::fmax(largest, std::fabs(v));
  std::size_t apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    apart += std::fabs(a[i] - b[i]) > 0.01 * largest ? 1 : 0;
  return 2 * apart < a.size();
}

// The same quantity of all feet. A line under later ones is wider, so that its colour shows.
TimePlot foot_plot(const RunData& run, const char* column, double factor, const char* title,
                   const char* unit) {
  TimePlot plot{.title = title, .unit = unit, .series = {}, .from_zero = true};
  const int feet = static_cast<int>(run.list("foot_names").size());
  for (int f = 0; f < feet; ++f) {
    Series s{run.foot_column(f, column).values, foot_color(f), 1.8};
    for (double& v : s.values) v *= factor;
    for (Series& earlier : plot.series)
      earlier.width += coincide(earlier.values, s.values) ? 1.8 : 0;
    plot.series.push_back(std::move(s));
  }
  return plot;
}

// In two columns, or three.
void draw_legend(const RunData& run, const Box& box, Svg& svg) {
  const std::vector<std::string>& names = run.list("foot_names");
  const int count = std::min(static_cast<int>(names.size()), 9), columns = count <= 4 ? 2 : 3;
  for (int f = 0; f < count; ++f) {
    const int row = f / columns, column = f % columns;
    const double x = box.x + box.width * column / columns, y = box.y + 20 * row;
    svg.line({x, y - 4}, {x + 18, y - 4}, {.stroke = hex(foot_color(f)), .width = 4}, true);
    svg.text({x + 27, y}, names[f], {.size = 12.5, .color = kSoftInk});
  }
}

}  // namespace

void draw_plots(const RunData& run, const World& world, const Moments& moments, const Box& box,
                Svg& svg) {
  const std::vector<double>& time = run.column("time").values;
  const std::string base = world.robot.body_count() > 1 ? world.robot.bodies[1].name : "base";
  const Color grey{0.30, 0.36, 0.42};
  const TimePlot plots[] = {
      {.title = "height of " + base, .unit = "m", .series = {{base_height(run, world), grey, 2}}},
      foot_plot(run, "normal_force", 1, "normal force", "N"),
      foot_plot(run, "sinkage", 1000, "sinkage", "mm"),
      {.title = "solver iterations",
       .unit = "",
       .series = {{run.column("solver/iterations").values, grey, 1.2}},
       .from_zero = true,
       .filled = true,
       .whole = true},
  };
  constexpr double gap = 46, times = 40;
  const double height = (box.height - times - 3 * gap) / 4;
  const double end = std::max(time[moments.last], time.front() + 1e-9);
  const Axis t{time.front() < 0.02 * end ? 0 : time.front(), end,
               tick_step(end - time.front(), 6, false)};
  draw_legend(run, {box.x, box.y - 66, box.width, 0}, svg);
  const double x = box.x + box.width * (time[moments.impact] - t.low) / (t.high - t.low);
  const double top = box.y;
  if (moments.touched) {
    svg.line({x, top}, {x, box.y + box.height - times},
             {.stroke = kAxisInk, .width = 1, .dash = "3 4"});
    svg.text({x + 5, top + 12}, "impact", {.size = 11, .color = kSoftInk});
  }
  for (int i = 0; i < 4; ++i) {
    const Box area{box.x, top + i * (height + gap), box.width, height};
    draw_plot(plots[i], time, t, area, i == 3, svg);
  }
  svg.text({box.x + box.width, box.y + box.height - times + 34}, "time [s]",
           {.size = 12, .color = kSoftInk, .anchor = Anchor::end});
}

}  // namespace footfall::picture
