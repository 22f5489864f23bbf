#include "viewer/array_store.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace footfall::viewer {
namespace {

static_assert(std::endian::native == std::endian::little);

std::vector<double> only_finite(std::vector<double> values, int width) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    values[i] = i >= static_cast<std::size_t>(width) ? values[i - width] : 0;
  }
  return values;
}

// Differences to the row before, which wrap around.
template <class Stored>
std::vector<Stored> differences(const std::vector<std::int64_t>& values, int width) {
  std::vector<Stored> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t before = i >= static_cast<std::size_t>(width) ? values[i - width] : 0;
    out[i] = static_cast<Stored>(static_cast<std::uint64_t>(values[i] - before));
  }
  return out;
}

}  // namespace

template <class Stored>
Json ArrayStore::append(const std::vector<Stored>& stored, const char* type) {
  bytes_.resize((bytes_.size() + 7) / 8 * 8, '\0');
  const std::size_t offset = bytes_.size();
  bytes_.resize(offset + stored.size() * sizeof(Stored));
  if (!stored.empty())
    std::memcpy(bytes_.data() + offset, stored.data(), stored.size() * sizeof(Stored));
  return {{"offset", offset}, {"length", stored.size()}, {"type", type}};
}

Json ArrayStore::add_floats(const std::vector<double>& values, int width) {
  const std::vector<double> finite = only_finite(values, width);
  Json ref = append(std::vector<float>(finite.begin(), finite.end()), "f32");
  if (width != 1) ref["width"] = width;
  return ref;
}

Json ArrayStore::add_flags(const std::vector<double>& values, int width) {
  std::vector<std::uint8_t> stored;
  stored.reserve(values.size());
  for (const double v : only_finite(values, width)) {
    stored.push_back(static_cast<std::uint8_t>(std::clamp(v, 0.0, 255.0)));
  }
  Json ref = append(stored, "u8");
  if (width != 1) ref["width"] = width;
  return ref;
}

Json ArrayStore::append_steps(const std::vector<double>& values, double step, double bias,
                              int width) {
  std::vector<std::int64_t> counts;
  counts.reserve(values.size());
  bool small = true;
  for (const double v : values) {
    const double count = std::clamp(std::round((v - bias) / step), -2147483648.0, 2147483647.0);
    counts.push_back(static_cast<std::int64_t>(count));
    small = small && count >= -32768 && count <= 32767;
  }
  Json ref = small ? append(differences<std::int16_t>(counts, width), "i16")
                   : append(differences<std::int32_t>(counts, width), "i32");
  ref["scale"] = step;
  if (bias != 0) ref["bias"] = bias;
  ref["delta"] = true;
  if (width != 1) ref["width"] = width;
  return ref;
}

Json ArrayStore::add_steps(const std::vector<double>& values, double step, int width) {
  return append_steps(only_finite(values, width), step, 0, width);
}

Json ArrayStore::add_range(const std::vector<double>& values, int width) {
  const std::vector<double> finite = only_finite(values, width);
  double low = 0, high = 0;
  if (!finite.empty()) {
    const auto [least, most] = std::minmax_element(finite.begin(), finite.end());
    low = *least;
    high = *most;
  }
  double step = (high - low) / 65532;
  if (!(step > 1e-300)) step = 1;
  if (!std::isfinite(step)) return add_floats(finite, width);
  const double middle = std::round((0.5 * low + 0.5 * high) / step) * step;  // 0 stays 0
  return append_steps(finite, step, high > low ? middle : low, width);
}

}  // namespace footfall::viewer
