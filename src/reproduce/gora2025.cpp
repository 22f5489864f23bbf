#include "reproduce/gora2025_parts.hpp"

namespace footfall {

Reproduction reproduce_gora2025(const ShareDone& progress) {
  Reproduction out;
  gora2025::add_formulas(out);
  gora2025::add_bodies(out);
  gora2025::add_note(out);
  progress(0.3);
  gora2025::add_robot(out, [&](double share) { progress(0.3 + 0.7 * share); });
  return out;
}

}  // namespace footfall
