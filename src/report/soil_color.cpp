#include "report/soil_color.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace footfall::picture {
namespace {

constexpr double kHardStiffness = 1e6;  // from this on ground without a name looks hard [N/m]
constexpr Color kEarth{0.87, 0.80, 0.66}, kStone{0.80, 0.81, 0.81};

// The first word that is in the name counts.
struct NamedColor {
  std::string_view word;
  Color color;
};
constexpr std::array kNamedColors = {
    NamedColor{"sandy-loam", {0.75, 0.65, 0.51}},   NamedColor{"loam", {0.67, 0.56, 0.44}},
    NamedColor{"lete", {0.91, 0.84, 0.66}},         NamedColor{"standard-sand", {0.90, 0.86, 0.74}},
    NamedColor{"dry-sand", {0.90, 0.82, 0.63}},     NamedColor{"sand", {0.86, 0.78, 0.60}},
    NamedColor{"compact-clay", {0.72, 0.55, 0.45}}, NamedColor{"heavy-clay", {0.66, 0.50, 0.42}},
    NamedColor{"loose-clay", {0.80, 0.65, 0.54}},   NamedColor{"clay", {0.75, 0.59, 0.48}},
    NamedColor{"gravel", {0.70, 0.69, 0.65}},       NamedColor{"snow", {0.91, 0.94, 0.97}},
    NamedColor{"ice", {0.80, 0.89, 0.94}},          NamedColor{"concrete", {0.77, 0.78, 0.78}},
    NamedColor{"marble", {0.88, 0.88, 0.89}},       NamedColor{"brick", {0.76, 0.53, 0.45}},
    NamedColor{"steel", {0.66, 0.70, 0.74}},        NamedColor{"wood", {0.79, 0.66, 0.48}},
    NamedColor{"grass", {0.66, 0.73, 0.52}},        NamedColor{"soft", {0.80, 0.74, 0.60}},
    NamedColor{"poppy", {0.55, 0.53, 0.50}},        NamedColor{"glass", {0.82, 0.87, 0.87}},
};

// So that soils of one kind beside each other can be told apart.
Color shaded(const Color& color, int index) {
  constexpr std::array shades = {0.0, 0.10, 0.18, 0.05, 0.14};
  return mix(color, {0.30, 0.26, 0.20}, shades[static_cast<std::size_t>(index) % shades.size()]);
}

}  // namespace

Color soil_kind_color(const std::string& name, bool plastic, double stiffness, int index) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return c == '_' || c == ' ' ? '-' : std::tolower(c); });
  for (const NamedColor& named : kNamedColors) {
    if (lower.find(named.word) != std::string::npos) return named.color;
  }
  return shaded(!plastic && stiffness >= kHardStiffness ? kStone : kEarth, index);
}

}  // namespace footfall::picture
