// Text of an SVG file, piece by piece. Lengths are pixels, y points down.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace footfall::picture {

struct Point {
  double x = 0, y = 0;
};

struct Color {
  double r = 0, g = 0, b = 0;  // 0 to 1
};
Color mix(const Color& a, const Color& b, double share_of_b);
std::string hex(const Color& color);

// How a shape is painted. An empty colour paints nothing.
struct Paint {
  std::string fill = "none";
  std::string stroke = {};
  double width = 1;  // of the stroke
  double opacity = 1;
  std::string dash = {};  // as "4 3"
};

enum class Anchor { start, middle, end };
struct Font {
  double size = 12;
  std::string color = "#333333";
  bool bold = false;
  Anchor anchor = Anchor::start;
  double turn = 0;  // clockwise about the text's place [degree]
};

class Svg {
 public:
  Svg(double width, double height);
  void line(const Point& a, const Point& b, const Paint& paint, bool round = false);
  void polyline(const std::vector<Point>& points, const Paint& paint);
  void polygon(const std::vector<Point>& points, const Paint& paint);
  void circle(const Point& center, double radius, const Paint& paint);
  void rectangle(const Point& corner, double width, double height, double corner_radius,
                 const Paint& paint);
  void text(const Point& at, std::string_view words, const Font& font);
  // A shape is drawn inside the group, with the group's opacity, until end_group.
  void begin_group(double opacity = 1, const std::string& clip = {});
  void end_group();
  // Names a rounded rectangle to clip groups by.
  void clip_rectangle(const std::string& name, const Point& corner, double width, double height,
                      double corner_radius);
  std::string finish() const;

 private:
  std::string body_;
  std::string definitions_;
  double width_, height_;
};

// Letters that mean something in XML, replaced; control characters, which XML has none of, dropped.
std::string escape(std::string_view text);

}  // namespace footfall::picture
