#include "report/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "input_error.hpp"

namespace footfall::picture {
namespace {

// 10 to a whole power, with the power raised.
std::string decade_label(int power) {
  if (power >= -3 && power <= 4)
    return fmt::format("{:.{}f}", std::pow(10, power), std::max(0, -power));
  const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = power < 0 ? "10⁻" : "10";
  for (const char c : std::to_string(std::abs(power))) out += digits[c - '0'];
  return out;
}

// 1.5e+06 as 1.5e6.
std::string tidy(std::string label) {
  const std::size_t at = label.find('e');
  if (at == std::string::npos) return label;
  const int power = std::stoi(label.substr(at + 1));
  return label.substr(0, at + 1) + std::to_string(power);
}

// A number with three digits: "0.3", "37.1", "1.2e4".
std::string short_number(double value) {
  return tidy(fmt::format("{:.3g}", value == 0 ? 0.0 : value));
}

// A round step that divides the range into at most `count` parts.
double tick_step(double range, int count) {
  if (!(range > 0)) return 1;
  const double raw = range / count, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double k : {1.0, 2.0, 5.0}) {
    if (k * power >= raw * 0.999) return k * power;
  }
  return 10 * power;
}

// A tick in full digits, as far as its step needs them.
std::string tick_label(double value, double step) {
  if (std::fabs(value) < 1e-9 * step) return "0";
  if (std::fabs(value) >= 1e5 || step < 1e-4) return short_number(value);
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, digits);
}

void add_log_ticks(Scale& s, int count) {
  const int first = static_cast<int>(std::floor(std::log10(s.low) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(s.high) - 1e-9));
  const int stride = std::max(1, (last - first + count - 1) / count);
  const bool few = last - first <= 2;
  for (int p = first; p <= last; ++p) {
    for (int k = 1; k < 10; ++k) {
      const double value = k * std::pow(10, p);
      if (value < s.low * (1 - 1e-9) || value > s.high * (1 + 1e-9)) continue;
      std::string label;
      if (k == 1 && (p - first) % stride == 0) label = decade_label(p);
      if (few && (k == 2 || k == 5)) label = short_number(value);
      s.ticks.push_back({value, label});
    }
  }
}

}  // namespace

bool Scale::holds(double value) const { return std::isfinite(value) && (!log || value > 0); }

double Scale::share(double value) const {
  if (log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

Scale make_scale(const PlotAxis& axis, const std::vector<const std::vector<double>*>& values,
                 bool round, int count) {
  Scale s;
  s.log = axis.log;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::vector<double>* list : values) {
    for (const double v : *list) {
      if (!s.holds(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  if (!(low <= high)) {  // nothing to show
    low = s.log ? 1 : 0;
    high = s.log ? 10 : 1;
  }
  const double given_low = axis.low.value_or(low), given_high = axis.high.value_or(high);
  if (!(given_low <= given_high) || !s.holds(given_low) || !s.holds(given_high)) {
    throw input_error("axis '{}' from {} to {}, expected {}", axis.label, given_low, given_high,
                      s.log ? "two rising numbers above 0" : "rising numbers");
  }
  low = given_low;
  high = given_high;
  if (s.log) {
    if (high < low * 1.001) high = low * 10;
    if (round && !axis.low) low = std::pow(10, std::floor(std::log10(low) + 1e-9));
    if (round && !axis.high) high = std::pow(10, std::ceil(std::log10(high) - 1e-9));
    s.low = low;
    s.high = high;
    add_log_ticks(s, count);
    return s;
  }
  const double least = std::max({std::fabs(low), std::fabs(high), 1e-9}) * 1e-6;
  if (high - low < least) high = low + std::max(1000 * least, 1e-9);
  const double step = tick_step(high - low, count);
  if (round && !axis.low) low = std::floor(low / step + 1e-6) * step;
  if (round && !axis.high) high = std::ceil(high / step - 1e-6) * step;
  s.low = low;
  s.high = high;
  for (double k = std::ceil(low / step - 1e-6); k * step <= high + 1e-6 * step; ++k) {
    s.ticks.push_back({k * step, tick_label(k * step, step)});
  }
  return s;
}

}  // namespace footfall::picture
