#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace footfall::picture {

namespace {

// Two digits after the point, without trailing zeros; what is no number becomes 0.
std::string number(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", std::clamp(value, -1e6, 1e6));
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string attributes(const Paint& p) {
  std::string out = fmt::format(" fill=\"{}\"", p.fill);
  if (!p.stroke.empty()) {
    out += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", p.stroke, number(p.width));
  }
  if (p.opacity < 1) out += fmt::format(" opacity=\"{}\"", number(p.opacity));
  if (!p.dash.empty()) out += fmt::format(" stroke-dasharray=\"{}\"", p.dash);
  return out;
}

std::string list(const std::vector<Point>& points) {
  std::string out;
  for (const Point& p : points) {
    if (!out.empty()) out += ' ';
    out += number(p.x) + "," + number(p.y);
  }
  return out;
}

}  // namespace

Color mix(const Color& a, const Color& b, double t) {
  return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

std::string hex(const Color& c) {
  const auto byte = [](double v) {
    return static_cast<int>(std::lround(255 * std::clamp(v, 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(c.r), byte(c.g), byte(c.b));
}

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    constexpr std::string_view kMarks = "&<>\"";
    constexpr const char* kNames[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    const std::size_t mark = kMarks.find(c);
    if (mark != std::string_view::npos) {
      out += kNames[mark];
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  return out;
}

Svg::Svg(double width, double height) : width_(width), height_(height) {}

void Svg::line(const Point& a, const Point& b, const Paint& paint, bool round) {
  fmt::format_to(std::back_inserter(body_), "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}{}/>\n",
                 number(a.x), number(a.y), number(b.x), number(b.y),
                 round ? " stroke-linecap=\"round\"" : "", attributes(paint));
}

void Svg::polyline(const std::vector<Point>& points, const Paint& paint) {
  if (points.empty()) return;
  fmt::format_to(std::back_inserter(body_),
                 "<polyline points=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{}/>\n",
                 list(points), attributes(paint));
}

void Svg::polygon(const std::vector<Point>& points, const Paint& paint) {
  if (points.empty()) return;
  fmt::format_to(std::back_inserter(body_),
                 "<polygon points=\"{}\" stroke-linejoin=\"round\"{}/>\n", list(points),
                 attributes(paint));
}

void Svg::circle(const Point& center, double radius, const Paint& paint) {
  fmt::format_to(std::back_inserter(body_), "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n",
                 number(center.x), number(center.y), number(radius), attributes(paint));
}

void Svg::rectangle(const Point& corner, double width, double height, double corner_radius,
                    const Paint& paint) {
  fmt::format_to(std::back_inserter(body_),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"{}/>\n",
                 number(corner.x), number(corner.y), number(width), number(height),
                 number(corner_radius), attributes(paint));
}

void Svg::text(const Point& at, std::string_view words, const Font& font) {
  const char* anchor = font.anchor == Anchor::start    ? "start"
                       : font.anchor == Anchor::middle ? "middle"
                                                       : "end";
  std::string more = font.bold ? " font-weight=\"bold\"" : "";
  if (font.turn != 0) {
    more += fmt::format(" transform=\"rotate({} {} {})\"", number(font.turn), number(at.x),
                        number(at.y));
  }
  fmt::format_to(
      std::back_inserter(body_),
      "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}>{}</text>\n",
      number(at.x), number(at.y), number(font.size), font.color, anchor, more, escape(words));
}

void Svg::begin_group(double opacity, const std::string& clip) {
  body_ += "<g";
  if (opacity < 1) body_ += fmt::format(" opacity=\"{}\"", number(opacity));
  if (!clip.empty()) body_ += fmt::format(" clip-path=\"url(#{})\"", clip);
  body_ += ">\n";
}

void Svg::end_group() { body_ += "</g>\n"; }

void Svg::clip_rectangle(const std::string& name, const Point& corner, double width, double height,
                         double corner_radius) {
  definitions_ += fmt::format("<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" "
                              "height=\"{}\" rx=\"{}\"/></clipPath>\n",
                              name, number(corner.x), number(corner.y), number(width),
                              number(height), number(corner_radius));
}

std::string Svg::finish() const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
      "<defs>\n{2}</defs>\n{3}</svg>\n",
      number(width_), number(height_), definitions_, body_);
}

}  // namespace footfall::picture
