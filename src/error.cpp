#include "input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace footfall {
namespace {

// Letters to insert, remove, change or swap to make one word of the other.
int edit_distance(const std::string& a, const std::string& b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> d((a.size() + 1) * width);
  for (std::size_t i = 0; i <= a.size(); ++i) d[i * width] = static_cast<int>(i);
  for (std::size_t k = 0; k <= b.size(); ++k) d[k] = static_cast<int>(k);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t k = 1; k <= b.size(); ++k) {
      int best = std::min({d[(i - 1) * width + k] + 1, d[i * width + k - 1] + 1,
                           d[(i - 1) * width + k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1)});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) {
        best = std::min(best, d[(i - 2) * width + k - 2] + 1);
      }
      d[i * width + k] = best;
    }
  }
  return d.back();
}

}  // namespace

void check_range(const char* name, double value, double lower, double upper, const char* expected) {
  if (!(value >= lower && value <= upper)) {
    throw input_error("{} = {}, expected {}", name, value, expected);
  }
}

std::string nearest_word(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  int least = std::max(2, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& candidate : known) {
    // a forgotten unit is no mistake at all: shear_stiffness for shear_stiffness_N_per_m
    const bool unit_forgotten = candidate.starts_with(word + "_") && word.size() > 2;
    const int distance = unit_forgotten ? 1 : edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& prefix) {
  const std::string nearest = nearest_word(word, known);
  if (!nearest.empty()) return fmt::format(", did you mean '{}{}'?", prefix, nearest);
  if (known.empty()) return "";
  return fmt::format(", expected one of: {}", fmt::join(known, ", "));
}

}  // namespace footfall
