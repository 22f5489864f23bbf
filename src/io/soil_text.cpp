#include "io/soil_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "input_error.hpp"
#include "io/text_file.hpp"
#include "placed.hpp"

namespace footfall {
namespace {

// ---- units: what the reader of soil files does with a number ----

double from_kilo(double value) { return 1e3 * value; }
double from_milli(double value) { return 1e-3 * value; }
double from_degrees(double value) { return value * std::numbers::pi / 180; }
double from_percent(double value) { return value / 100; }

// The number near `guess` that `read` makes `value`.
double number_that_reads_as(double value, double guess, double (*read)(double)) {
  double below = guess, above = guess;
  for (int i = 0; i < 4; ++i) {
    if (read(below) == value) return below;
    if (read(above) == value) return above;
    below = std::nextafter(below, -std::numeric_limits<double>::infinity());
    above = std::nextafter(above, std::numeric_limits<double>::infinity());
  }
  return guess;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// A comment has one line.
std::string comment_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

class SoilWriter {
 public:
  explicit SoilWriter(const SoilComments& comments) : comments_(comments) {
    for (const std::string& line : comments.head)
      text_ += fmt::format("# {}\n", comment_line(line));
  }
  void section(const char* name) { text_ += fmt::format("\n[{}]\n", name); }
  void line(const char* key, const std::string& value) {
    text_ += fmt::format("{} = {}", key, value);
    const auto found = comments_.values.find(key);
    if (found != comments_.values.end())
      text_ += fmt::format("  # {}", comment_line(found->second));
    text_ += '\n';
  }
  void words(const char* key, const std::string& value) {
    if (!value.empty()) line(key, quoted(value));
  }
  void number(const char* key, double value) { line(key, fmt::format("{}", value)); }
  void number(const char* key, double value, double guess, double (*read)(double)) {
    number(key, number_that_reads_as(value, guess, read));
  }
  void kilo(const char* key, double value) { number(key, value, value / 1e3, from_kilo); }
  std::string finish() { return std::move(text_); }

 private:
  const SoilComments& comments_;
  std::string text_;
};

// ---- sections ----

void write_pressure(const PressureSinkage& p, SoilWriter& out) {
  switch (p.law) {
  case PressureLaw::bernstein:
    out.words("pressure_law", "bernstein");
    out.number("exponent_n", p.exponent);
    out.kilo("k_kPa", p.sinkage_modulus);
    return;
  case PressureLaw::bekker:
    out.words("pressure_law", "bekker");
    out.number("exponent_n", p.exponent);
    out.kilo("k_c_kPa", p.cohesive_modulus);
    out.kilo("k_phi_kPa", p.frictional_modulus);
    return;
  case PressureLaw::reece:
    break;
  }
  out.words("pressure_law", "reece");
  out.number("exponent_n", p.exponent);
  out.number("k_c_prime", p.reece_cohesive_modulus);
  out.number("k_phi_prime", p.reece_frictional_modulus);
  out.kilo("unit_weight_kN_per_m3", p.unit_weight);
}

void write_measured(const MeasuredRange& m, SoilWriter& out) {
  const auto in_milli = [](double value) {
    return number_that_reads_as(value, 1e3 * value, from_milli);
  };
  if (m.largest_width > 0) {
    out.line("measured_width_mm",
             fmt::format("[{}, {}]", in_milli(m.least_width), in_milli(m.largest_width)));
  }
  if (m.largest_sinkage > 0) out.number("measured_sinkage_mm", in_milli(m.largest_sinkage));
  if (m.largest_rate > 0) out.number("measured_rate_mm_per_s", in_milli(m.largest_rate));
}

void write_plastic(const PlasticSoil& s, const std::string& shear_source, SoilWriter& out) {
  out.section("terramechanics");
  write_pressure(s.pressure, out);
  out.kilo("cohesion_kPa", s.cohesion);
  out.number("friction_angle_deg", s.friction_angle, s.friction_angle * 180 / std::numbers::pi,
             from_degrees);
  out.number("shear_modulus_K_mm", s.shear_modulus, 1e3 * s.shear_modulus, from_milli);
  if (s.shear == ShearForm::piecewise_linear) out.words("shear", "piecewise_linear");
  if (s.shear == ShearForm::tanh) out.words("shear", "tanh");
  out.words("shear_source", shear_source);
  if (s.damping != 0 || s.damping_exponent != 0 || s.rate_exponent != 1) {
    out.number("damping", s.damping);
    out.number("damping_exponent", s.damping_exponent);
    out.number("rate_exponent", s.rate_exponent);
  }
  if (s.unload_modulus != 0) out.kilo("unload_modulus_k0_kPa_per_m", s.unload_modulus);
  if (s.unload_modulus_slope != 0) {
    out.kilo("unload_modulus_slope_Au_kPa_per_m2", s.unload_modulus_slope);
  }
  write_measured(s.measured, out);
}

// The law with the fewest values that still says all of them, Ding 2013, Table 5.
const char* compliant_law(const CompliantGround<double>& g) {
  const bool plain = g.damping_exponent == 0 && g.rate_exponent == 1;
  if (g.damping == 0 && plain) return g.exponent == 1 ? "spring" : "hertz";
  if (plain && g.exponent == 1) return "linear";
  const bool simple = g.damping_exponent == g.exponent && g.rate_exponent == 1;
  return simple ? "simplified_hunt_crossley" : "hunt_crossley";
}

void write_compliant(const CompliantGround<double>& g, const std::string& friction_source,
                     SoilWriter& out) {
  const std::string law = compliant_law(g);
  out.section("compliant");
  out.words("law", law);
  out.number("stiffness", g.stiffness);
  if (law != "spring" && law != "linear") out.number("exponent", g.exponent);
  if (law != "spring" && law != "hertz") out.number("damping", g.damping);
  if (law == "hunt_crossley") {
    out.number("damping_exponent", g.damping_exponent);
    out.number("rate_exponent", g.rate_exponent);
  }
  out.number("shear_stiffness_N_per_m", g.shear_stiffness);
  out.number("shear_damping_Ns_per_m", g.shear_damping);
  out.number("friction_coefficient", g.friction_coefficient);
  out.words("friction_source", friction_source);
}

// The special cases of F_N = k δⁿ + b δᵖ |δ̇|^q sgn δ̇, Ding 2013, Table 5.
enum class Law { spring, linear, hertz, simplified_hunt_crossley, hunt_crossley };
const std::vector<std::string> kLaws = {"spring", "linear", "hertz", "simplified_hunt_crossley",
                                        "hunt_crossley"};

// What each law fixes, for the message about a key that it leaves no choice for.
struct FixedKey {
  Law law;
  const char* key;
  const char* value;
};
constexpr FixedKey kFixed[] = {
    {Law::spring, "exponent", "1"},
    {Law::spring, "damping", "0"},
    {Law::spring, "damping_exponent", "0 with no damping"},
    {Law::spring, "rate_exponent", "1 with no damping"},
    {Law::linear, "exponent", "1"},
    {Law::linear, "damping_exponent", "0"},
    {Law::linear, "rate_exponent", "1"},
    {Law::hertz, "damping", "0"},
    {Law::hertz, "damping_exponent", "0 with no damping"},
    {Law::hertz, "rate_exponent", "1 with no damping"},
    {Law::simplified_hunt_crossley, "damping_exponent", "the exponent"},
    {Law::simplified_hunt_crossley, "rate_exponent", "1"},
};

const char* fixed_value(Law law, const std::string& key) {
  for (const FixedKey& fixed : kFixed) {
    if (fixed.law == law && key == fixed.key) return fixed.value;
  }
  return nullptr;
}

// In the order of PressureLaw and ShearForm.
const std::vector<std::string> kPressureLaws = {"bernstein", "bekker", "reece"};
const std::vector<std::string> kShearForms = {"exponential", "piecewise_linear", "tanh"};

struct PressureKey {
  PressureLaw law;
  const char* key;
};
constexpr PressureKey kPressureKeys[] = {
    {PressureLaw::bernstein, "k_kPa"},   {PressureLaw::bekker, "k_c_kPa"},
    {PressureLaw::bekker, "k_phi_kPa"},  {PressureLaw::reece, "k_c_prime"},
    {PressureLaw::reece, "k_phi_prime"}, {PressureLaw::reece, "unit_weight_kN_per_m3"},
};

// The values of a section laid over those of a library file.
class LayeredSection {
 public:
  LayeredSection(const TableReader& own, const TableReader* library)
      : own_(own), library_(library) {}

  bool has(const std::string& key) const { return source(key).has(key); }
  int choice(const std::string& key, const std::vector<std::string>& words) const {
    return source(key).choice(key, words);
  }
  double value(const std::string& key, const Range& range) const {
    return source(key).number(key, range);
  }
  double value_or(const std::string& key, double otherwise, const Range& range) const {
    return source(key).number_or(key, otherwise, range);
  }

  // Two numbers, the second not below the first.
  std::pair<double, double> pair(const std::string& key, const Range& range) const {
    const TableReader& from = source(key);
    const ConfigNode& node = from.node(key);
    if (node.kind != ConfigNode::Kind::array || node.elements.size() != 2) {
      from.refuse(key, range.expected);
    }
    for (const ConfigNode& e : node.elements) {
      const bool number = e.kind == ConfigNode::Kind::number || e.kind == ConfigNode::Kind::integer;
      if (!number || !(e.number >= range.lower && e.number <= range.upper)) {
        from.refuse(key, range.expected);
      }
    }
    const double first = node.elements[0].number, second = node.elements[1].number;
    if (second < first) from.refuse(key, range.expected);
    return {first, second};
  }

  // The value, or what the law fixes it to; then nobody may give it beside the law.
  double value_or_fixed(Law law, const std::string& key, double fixed, const Range& range) const {
    const char* by_law = fixed_value(law, key);
    if (by_law == nullptr) return value(key, range);
    if (own_.has(key)) {
      own_.refuse(key, fmt::format("it left out: law '{}' fixes it to {}",
                                   kLaws[static_cast<std::size_t>(law)], by_law));
    }
    return fixed;
  }

 private:
  const TableReader& source(const std::string& key) const {
    const bool from_library = !own_.has(key) && library_ != nullptr && library_->has(key);
    return from_library ? *library_ : own_;
  }

  const TableReader& own_;
  const TableReader* library_;
};

constexpr double kKilo = 1e3;

PressureSinkage read_pressure(const LayeredSection& soil, const TableReader& own) {
  PressureSinkage p;
  p.law = static_cast<PressureLaw>(soil.choice("pressure_law", kPressureLaws));
  for (const PressureKey& k : kPressureKeys) {
    if (k.law == p.law || !own.has(k.key)) continue;
    own.refuse(k.key, fmt::format("it left out: pressure_law is '{}', and it belongs to '{}'",
                                  kPressureLaws[static_cast<std::size_t>(p.law)],
                                  kPressureLaws[static_cast<std::size_t>(k.law)]));
  }
  p.exponent = soil.value("exponent_n", {0.05, 3, "0.05 to 3"});
  switch (p.law) {
  case PressureLaw::bernstein:
    p.sinkage_modulus = kKilo * soil.value("k_kPa", {1e-9, 1e9, "above 0 and at most 1e9 kPa/m^n"});
    break;
  case PressureLaw::bekker:
    p.cohesive_modulus = kKilo * soil.value("k_c_kPa", {-1e9, 1e9, "-1e9 to 1e9 kPa/m^(n-1)"});
    p.frictional_modulus = kKilo * soil.value("k_phi_kPa", {-1e9, 1e9, "-1e9 to 1e9 kPa/m^n"});
    break;
  case PressureLaw::reece:
    p.reece_cohesive_modulus = soil.value("k_c_prime", {-1e9, 1e9, "-1e9 to 1e9"});
    p.reece_frictional_modulus = soil.value("k_phi_prime", {-1e9, 1e9, "-1e9 to 1e9"});
    p.unit_weight = kKilo * soil.value("unit_weight_kN_per_m3", {0, 1e3, "0 to 1000 kN/m^3"});
    break;
  }
  return p;
}

MeasuredRange read_measured(const LayeredSection& soil) {
  MeasuredRange m;
  if (soil.has("measured_width_mm")) {
    const auto [least, largest] =
        soil.pair("measured_width_mm",
                  {1e-3, 1e5, "two contact widths of feet, the least first, 0.001 to 1e5 mm"});
    m.least_width = from_milli(least);
    m.largest_width = from_milli(largest);
  }
  if (soil.has("measured_sinkage_mm")) {
    m.largest_sinkage =
        from_milli(soil.value("measured_sinkage_mm", {1e-3, 1e5, "0.001 to 1e5 mm"}));
  }
  if (soil.has("measured_rate_mm_per_s")) {
    m.largest_rate =
        from_milli(soil.value("measured_rate_mm_per_s", {1e-6, 1e7, "1e-6 to 1e7 mm/s"}));
  }
  return m;
}

}  // namespace

std::string soil_text(const Soil& soil, const SoilComments& comments) {
  SoilWriter out(comments);
  out.words("name", soil.name);
  out.words("description", soil.description);
  out.words("source", soil.source);
  out.words("validity", soil.validity);
  out.words("notes", soil.notes);
  if (soil.moisture) {
    out.number("moisture_percent", *soil.moisture, 100 * *soil.moisture, from_percent);
  }
  if (soil.compliant) write_compliant(*soil.compliant, soil.friction_source, out);
  if (soil.plastic) write_plastic(*soil.plastic, soil.shear_source, out);
  return out.finish();
}

// A soil's law says which values it needs, and none of those has a default.

const std::vector<std::string> kCompliantKeys = {"law",
                                                 "stiffness",
                                                 "exponent",
                                                 "damping",
                                                 "damping_exponent",
                                                 "rate_exponent",
                                                 "shear_stiffness_N_per_m",
                                                 "shear_damping_Ns_per_m",
                                                 "friction_coefficient"};

const std::vector<std::string> kTerramechanicsKeys = {"pressure_law",
                                                      "exponent_n",
                                                      "k_kPa",
                                                      "k_c_kPa",
                                                      "k_phi_kPa",
                                                      "k_c_prime",
                                                      "k_phi_prime",
                                                      "unit_weight_kN_per_m3",
                                                      "cohesion_kPa",
                                                      "friction_angle_deg",
                                                      "shear_modulus_K_mm",
                                                      "shear",
                                                      "damping",
                                                      "damping_exponent",
                                                      "rate_exponent",
                                                      "unload_modulus_k0_kPa_per_m",
                                                      "unload_modulus_slope_Au_kPa_per_m2",
                                                      "measured_width_mm",
                                                      "measured_sinkage_mm",
                                                      "measured_rate_mm_per_s"};

CompliantGround<double> read_compliant(const TableReader& own, const TableReader* library) {
  const LayeredSection soil(own, library);
  const Law law = static_cast<Law>(soil.choice("law", kLaws));
  const bool straight = law == Law::spring || law == Law::linear;
  const Range stiffness{
      1e-9, 1e12, straight ? "above 0 and at most 1e12 N/m" : "above 0 and at most 1e12 N/m^n"};
  const Range damping{0, 1e15, law == Law::linear ? "0 N s/m or more" : "0 N s^q/m^(p+q) or more"};
  CompliantGround<double> g{};
  g.stiffness = soil.value("stiffness", stiffness);
  g.exponent = soil.value_or_fixed(law, "exponent", 1, {1, 5, "1 to 5"});
  g.damping = soil.value_or_fixed(law, "damping", 0, damping);
  const double p = law == Law::simplified_hunt_crossley ? g.exponent : 0;
  g.damping_exponent = soil.value_or_fixed(law, "damping_exponent", p, {0, 5, "0 to 5"});
  g.rate_exponent = soil.value_or_fixed(law, "rate_exponent", 1, {0.01, 5, "0.01 to 5"});
  g.shear_stiffness =
      soil.value("shear_stiffness_N_per_m", {1e-9, 1e12, "above 0 and at most 1e12 N/m"});
  g.shear_damping = soil.value("shear_damping_Ns_per_m", {0, 1e15, "0 N s/m or more"});
  g.friction_coefficient = soil.value("friction_coefficient", {0, 10, "0 to 10"});
  return g;
}

PlasticSoil read_terramechanics(const TableReader& own, const TableReader* library) {
  const LayeredSection soil(own, library);
  PlasticSoil s;
  s.pressure = read_pressure(soil, own);
  s.cohesion = kKilo * soil.value("cohesion_kPa", {0, 1e4, "0 to 1e4 kPa"});
  s.friction_angle =
      soil.value("friction_angle_deg", {0, 89.9, "0 to 89.9 degrees"}) * std::numbers::pi / 180;
  s.shear_modulus = 1e-3 * soil.value("shear_modulus_K_mm", {1e-3, 1e4, "0.001 to 1e4 mm"});
  if (soil.has("shear")) s.shear = static_cast<ShearForm>(soil.choice("shear", kShearForms));
  if (soil.has("damping") || soil.has("damping_exponent") || soil.has("rate_exponent")) {
    s.damping = soil.value("damping", {0, 1e9, "0 to 1e9 N s^q/m^(p+q)"});
    s.damping_exponent = soil.value("damping_exponent", {0, 5, "0 to 5"});
    s.rate_exponent = soil.value("rate_exponent", {0.01, 5, "0.01 to 5"});
  }
  s.unload_modulus =
      kKilo * soil.value_or("unload_modulus_k0_kPa_per_m", 0, {0, 1e12, "0 to 1e12 kPa/m"});
  s.unload_modulus_slope = kKilo * soil.value_or("unload_modulus_slope_Au_kPa_per_m2", 0,
                                                 {0, 1e12, "0 to 1e12 kPa/m^2"});
  s.measured = read_measured(soil);
  // of the moduli together; each alone was checked above
  placed(fmt::format("{}: section [{}]: ", own.where(), own.path()), [&] { check_soil(s); });
  return s;
}

SoilFile::SoilFile(const std::filesystem::path& file)
    : SoilFile(read_text_file(file), file.string()) {}

SoilFile::SoilFile(const std::string& text, const std::string& name)
    : document_(parse_config(text, name)),
      top_(document_.root, "",
           {"name", "description", "source", "validity", "notes", "moisture_percent", "compliant",
            "terramechanics"}) {
  const auto open = [&](const char* section, std::vector<std::string> keys, const char* words,
                        std::optional<TableReader>& reader) {
    keys.emplace_back(words);
    if (top_.has(section)) reader.emplace(top_.node(section), section, std::move(keys));
  };
  open("compliant", kCompliantKeys, "friction_source", compliant_);
  open("terramechanics", kTerramechanicsKeys, "shear_source", terramechanics_);
  if (!compliant_ && !terramechanics_) {
    throw input_error("{}: a soil needs a section [compliant] or [terramechanics], which say how "
                      "it answers a foot",
                      name);
  }
}

}  // namespace footfall
