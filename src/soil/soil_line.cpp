#include "footfall/soil/soil_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <sstream>
#include <vector>

#include "input_error.hpp"

namespace footfall {
namespace {

constexpr std::array<const char*, 3> kPressureLaws = {"bernstein", "bekker", "reece"};
constexpr std::array<const char*, 3> kShearForms = {"exponential", "piecewise_linear", "tanh"};

// visit(key, number) for every number of a law.
template <class Law, class Visit>
void visit_plastic(Law& soil, const Visit& visit) {
  visit("exponent", soil.pressure.exponent);
  visit("sinkage_modulus", soil.pressure.sinkage_modulus);
  visit("cohesive_modulus", soil.pressure.cohesive_modulus);
  visit("frictional_modulus", soil.pressure.frictional_modulus);
  visit("reece_cohesive_modulus", soil.pressure.reece_cohesive_modulus);
  visit("reece_frictional_modulus", soil.pressure.reece_frictional_modulus);
  visit("unit_weight", soil.pressure.unit_weight);
  visit("cohesion", soil.cohesion);
  visit("friction_angle", soil.friction_angle);
  visit("shear_modulus", soil.shear_modulus);
  visit("damping", soil.damping);
  visit("damping_exponent", soil.damping_exponent);
  visit("rate_exponent", soil.rate_exponent);
  visit("unload_modulus", soil.unload_modulus);
  visit("unload_modulus_slope", soil.unload_modulus_slope);
  visit("least_width", soil.measured.least_width);
  visit("largest_width", soil.measured.largest_width);
  visit("largest_sinkage", soil.measured.largest_sinkage);
  visit("largest_rate", soil.measured.largest_rate);
}
template <class Law, class Visit>
void visit_compliant(Law& soil, const Visit& visit) {
  visit("stiffness", soil.stiffness);
  visit("exponent", soil.exponent);
  visit("damping", soil.damping);
  visit("damping_exponent", soil.damping_exponent);
  visit("rate_exponent", soil.rate_exponent);
  visit("shear_stiffness", soil.shear_stiffness);
  visit("shear_damping", soil.shear_damping);
  visit("friction_coefficient", soil.friction_coefficient);
}

// Takes keys out of a table; what is left over is unknown.
class Pairs {
 public:
  explicit Pairs(const std::string& line) : values_(parse_pairs(line)) {}
  std::string take(const std::string& key, const std::string& otherwise) {
    known_ += (known_.empty() ? "" : ", ") + key;
    const auto found = values_.find(key);
    if (found == values_.end()) return otherwise;
    const std::string value = found->second;
    values_.erase(found);
    return value;
  }
  void take(const std::string& key, double& number) {
    const std::string text = take(key, std::string());
    if (text.empty()) return;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    if (result.ec != std::errc() || result.ptr != end) {
      throw input_error("soil: {} = '{}', expected a number in SI units", key, text);
    }
  }
  template <class Names>
  int take_name(const std::string& key, const Names& names) {
    const std::string text = take(key, names[0]);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (text == names[i]) return static_cast<int>(i);
    }
    throw input_error("soil: {} = '{}', expected one of {}", key, text, fmt::join(names, ", "));
  }
  void require_none() const {
    if (values_.empty()) return;
    throw input_error("soil: unknown key '{}', expected one of {}", values_.begin()->first, known_);
  }

 private:
  std::map<std::string, std::string> values_;
  std::string known_;
};

}  // namespace

std::map<std::string, std::string> parse_pairs(const std::string& line) {
  std::map<std::string, std::string> values;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == word.size()) {
      throw input_error("'{}', expected key=value", word);
    }
    if (!values.emplace(word.substr(0, equals), word.substr(equals + 1)).second) {
      throw input_error("key '{}' stands twice", word.substr(0, equals));
    }
  }
  return values;
}

std::string soil_line(const Soil& soil) {
  std::string line = "name=" + soil.name;
  const auto add = [&](const char* key, double value) {
    if (value != 0) line += fmt::format(" {}={}", key, value);
  };
  if (soil.plastic) {
    line +=
        fmt::format(" law={} shear={}", kPressureLaws[static_cast<int>(soil.plastic->pressure.law)],
                    kShearForms[static_cast<int>(soil.plastic->shear)]);
    visit_plastic(*soil.plastic, add);
  } else if (soil.compliant) {
    line += " law=compliant";
    visit_compliant(*soil.compliant, add);
  } else {
    throw input_error("soil '{}' has no law, expected [terramechanics] or [compliant]", soil.name);
  }
  return line;
}

Soil parse_soil_line(const std::string& line) {
  Pairs pairs(line);
  Soil soil;
  soil.name = pairs.take("name", "soil");
  constexpr std::array<const char*, 4> laws = {"bernstein", "bekker", "reece", "compliant"};
  const std::string none = "none";
  const std::string law = pairs.take("law", none);
  const auto number = [&pairs](const char* key, double& value) { pairs.take(key, value); };
  if (law == "compliant") {
    soil.compliant = CompliantGround<double>{0, 1, 0, 0, 1, 0, 0, 0};
    visit_compliant(*soil.compliant, number);
  } else {
    std::size_t kind = 0;
    while (kind < kPressureLaws.size() && law != kPressureLaws[kind]) ++kind;
    if (kind == kPressureLaws.size()) {
      throw input_error("soil: law = '{}', expected one of {}", law, fmt::join(laws, ", "));
    }
    soil.plastic.emplace();
    soil.plastic->pressure.law = static_cast<PressureLaw>(kind);
    soil.plastic->shear = static_cast<ShearForm>(pairs.take_name("shear", kShearForms));
    visit_plastic(*soil.plastic, number);
  }
  pairs.require_none();
  return soil;
}

}  // namespace footfall
