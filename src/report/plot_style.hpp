// Colours and boxes of plots.
#pragma once

#include "report/svg.hpp"

namespace footfall::picture {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;  // pixels
};

inline constexpr const char* kInk = "#22303c";      // titles
inline constexpr const char* kSoftInk = "#5b6873";  // labels
inline constexpr const char* kAxisInk = "#9aa5ae";  // axes
inline constexpr const char* kRule = "#d9dee2";     // lines of grids and frames

// Okabe and Ito's colours, which most colour-blind people can tell apart; yellow is left out.
// They begin again after kColorCount.
inline constexpr int kColorCount = 7;
inline Color series_color(int index) {
  constexpr Color colors[kColorCount] = {
      {0.000, 0.447, 0.698}, {0.835, 0.369, 0.000}, {0.000, 0.620, 0.451}, {0.800, 0.475, 0.655},
      {0.902, 0.624, 0.000}, {0.337, 0.706, 0.914}, {0.250, 0.250, 0.250}};
  return colors[index % kColorCount];
}

}  // namespace footfall::picture
