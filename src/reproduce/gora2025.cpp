#include "footfall/reproduce/gora2025.hpp"

#include "reproduce/gora2025_parts.hpp"

namespace footfall {

Reproduction reproduce_gora2025() {
  Reproduction out;
  gora2025::add_formulas(out);
  gora2025::add_bodies(out);
  gora2025::add_robot(out);
  return out;
}

}  // namespace footfall
