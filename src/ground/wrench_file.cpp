#include "footfall/ground/wrench_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>

#include "input_error.hpp"

namespace footfall {
namespace {

constexpr const char* kHead = "footfall-wrenches";
constexpr int kVersion = 1;
constexpr int kMostDirections = 1024;

// Words of a file, one after the other.
class Words {
 public:
  explicit Words(const std::filesystem::path& file) : file_(file.string()), in_(file) {
    if (!in_) throw input_error("wrench file '{}' cannot be read", file_);
  }
  std::string word(const char* expected) {
    std::string text;
    if (!(in_ >> text)) refuse("it ends", expected);
    return text;
  }
  void key(const char* name) {
    const std::string text = word(name);
    if (text != name) refuse(fmt::format("'{}'", text), name);
  }
  double number() {
    const std::string text = word("a number");
    double value = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value))
      refuse(fmt::format("'{}'", text), "a number");
    return value;
  }
  int count(int least, int most) {
    const double value = number();
    if (!(value >= least && value <= most && value == std::floor(value))) {
      refuse(fmt::format("{}", value), fmt::format("a whole number from {} to {}", least, most));
    }
    return static_cast<int>(value);
  }
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) {
    throw input_error("wrench file '{}': {}, expected {}; `footfall mujoco soil --wrench-space` "
                      "writes such files",
                      file_, found, expected);
  }

 private:
  std::string file_;
  std::ifstream in_;
};

std::vector<double> read_numbers(Words& words, const char* key, std::size_t size) {
  words.key(key);
  const int count = words.count(0, 1 << 24);
  if (static_cast<std::size_t>(count) != size) {
    words.refuse(fmt::format("{} numbers of '{}'", count, key), fmt::format("{}", size));
  }
  std::vector<double> numbers(size);
  for (double& value : numbers) value = words.number();
  return numbers;
}

void write_numbers(const char* key, const std::vector<double>& numbers, std::string& text) {
  text += fmt::format("{} {}", key, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += fmt::format("{}{}", i % 8 == 0 ? '\n' : ' ', numbers[i]);
  text += '\n';
}

}  // namespace

MediumFile read_medium_file(const std::filesystem::path& file) {
  Words words(file);
  words.key(kHead);
  words.count(kVersion, kVersion);
  MediumFile out;
  words.key("medium");
  out.medium = words.word("its name");
  WrenchExpansion& e = out.expansion;
  words.key("foot");
  e.foot.shape =
      static_cast<GrainFootShape>(words.count(0, static_cast<int>(GrainFootShape::sphere)));
  for (double* value : {&e.foot.radius, &e.foot.length_x, &e.foot.width_y, &e.foot.height,
                        &e.foot.reference_height}) {
    *value = words.number();
  }
  words.key("kernel");
  Hyperparameters& h = e.hyperparameters;
  h.kernel = static_cast<Kernel>(words.count(0, static_cast<int>(Kernel::matern)));
  for (double* value : {&h.depth_length, &h.tilt_length, &h.noise, &h.tube, &h.bound})
    *value = words.number();
  words.key("reach");
  e.deepest = words.number();
  e.largest_tilt = words.number();
  words.key("directions");
  e.directions.resize(words.count(1, kMostDirections));
  for (PlanarVelocity& v : e.directions)
    v.x = words.number(), v.z = words.number(), v.tilt = words.number();
  words.key("configurations");
  e.configurations.resize(words.count(1, kMostConfigurations));
  for (FootConfiguration& c : e.configurations) c.depth = words.number(), c.tilt = words.number();
  const std::size_t columns = 3 * e.directions.size();
  e.even = read_numbers(words, "even", (e.configurations.size() + 2) * columns);
  e.odd = read_numbers(words, "odd", (e.configurations.size() + 1) * columns);
  return out;
}

void write_medium_file(const std::filesystem::path& file, const MediumFile& medium) {
  const WrenchExpansion& e = medium.expansion;
  const Hyperparameters& h = e.hyperparameters;
  std::string text = fmt::format("{} {}\nmedium {}\n", kHead, kVersion, medium.medium);
  text += fmt::format("foot {} {} {} {} {} {}\n", static_cast<int>(e.foot.shape), e.foot.radius,
                      e.foot.length_x, e.foot.width_y, e.foot.height, e.foot.reference_height);
  text += fmt::format("kernel {} {} {} {} {} {}\n", static_cast<int>(h.kernel), h.depth_length,
                      h.tilt_length, h.noise, h.tube, h.bound);
  text +=
      fmt::format("reach {} {}\ndirections {}\n", e.deepest, e.largest_tilt, e.directions.size());
  for (const PlanarVelocity& v : e.directions) text += fmt::format("{} {} {}\n", v.x, v.z, v.tilt);
  text += fmt::format("configurations {}\n", e.configurations.size());
  for (const FootConfiguration& c : e.configurations)
    text += fmt::format("{} {}\n", c.depth, c.tilt);
  write_numbers("even", e.even, text);
  write_numbers("odd", e.odd, text);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw input_error("wrench file '{}' cannot be written", file.string());
}

}  // namespace footfall
