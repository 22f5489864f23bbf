// One axis of a plot: its range, its ticks, and where a value lies on it.
#pragma once

#include <string>
#include <vector>

#include "footfall/report/plot.hpp"

namespace footfall::picture {

struct Tick {
  double value;
  std::string label;  // empty: a small tick without one
};

struct Scale {
  double low = 0, high = 1;
  bool log = false;
  std::vector<Tick> ticks;

  bool holds(double value) const;    // it is a number that the axis can show
  double share(double value) const;  // of the axis' length: 0 at low, 1 at high
};

// `round`: the ends lie on ticks, unless the axis gives them. `count`: ticks, about.
Scale make_scale(const PlotAxis& axis, const std::vector<const std::vector<double>*>& values,
                 bool round, int count);

}  // namespace footfall::picture
