#include "footfall/reproduce/gora2025.hpp"

#include "reproduce/gora2025_parts.hpp"

namespace footfall {

Reproduction reproduce_gora2025(const ShareDone& progress) {
  const auto done = [&](double share) {
    if (progress) progress(share);
  };
  Reproduction out;
  gora2025::add_formulas(out);
  gora2025::add_bodies(out);
  done(0.3);
  gora2025::add_robot(out, [&](double share) { done(0.3 + 0.7 * share); });
  return out;
}

}  // namespace footfall
