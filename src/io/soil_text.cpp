#include "io/soil_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace footfall {
namespace {

// ---- units: what the reader of soil files does with a number (soil_sections.cpp) ----

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

}  // namespace footfall
