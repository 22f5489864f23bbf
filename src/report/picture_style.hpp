// What pictures and plots share: colours, boxes, and the numbers on axes.
#pragma once

#include <filesystem>
#include <string>

#include "report/picture_svg.hpp"

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
Color series_color(int index);

// A number with three digits: "0.3", "37.1", "1.2e+04".
std::string short_number(double value);

// A round step that divides the range into at most `count` parts; `whole`: no fractions.
double tick_step(double range, int count, bool whole = false);

// A tick in full digits, as far as its step needs them.
std::string tick_label(double value, double step);

// Throws InputError if the file cannot be written.
void write_svg(const std::filesystem::path& file, Svg& svg);

}  // namespace footfall::picture
