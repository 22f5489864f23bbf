#include "soils_show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "commands.hpp"

namespace footfall {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

const char* pressure_law_name(PressureLaw law) {
  constexpr const char* names[] = {"bernstein", "bekker", "reece"};
  return names[static_cast<std::size_t>(law)];
}
const char* shear_name(ShearForm form) {
  constexpr const char* names[] = {"exponential", "piecewise_linear", "tanh"};
  return names[static_cast<std::size_t>(form)];
}

const char* kind_of(const Soil& soil) {
  if (soil.plastic && soil.compliant) return "plastic and elastic";
  return soil.plastic ? "plastic" : "elastic";
}

// ---- for people ----

// "Ding et al. 2013, Table 6" of a longer citation.
std::string short_source(const std::string& source) {
  std::size_t end = source.find_first_of(":(");
  const std::size_t comma = source.find(',');
  if (comma != std::string::npos) end = std::min(end, source.find(',', comma + 1));
  std::string text = source.substr(0, end);
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

// Large numbers as 3.4e9, others in full.
std::string number_text(double value) {
  if (std::fabs(value) < 1e5) return fmt::format("{:.6g}", value);
  const int power = static_cast<int>(std::floor(std::log10(std::fabs(value)) + 1e-12));
  return fmt::format("{:.4g}e{}", value / std::pow(10, power), power);
}

std::string power_unit(const char* unit, double power) {
  return power == 1 ? unit : fmt::format("{}^{:.3g}", unit, power);
}

using Cells = std::vector<std::string>;

// A table's rows below its head; without sinkage that column, the last but one, is left out.
void print_table(std::vector<Cells> head, const std::vector<Cells>& rows, bool with_sinkage) {
  head.insert(head.end(), rows.begin(), rows.end());
  for (Cells& row : head) {
    if (!with_sinkage) row.erase(row.end() - 2);
  }
  print_rows(head, "l" + std::string(head[0].size() - 2, 'r') + "l");
}

std::string sinkage_text(const SoilRow& row) {
  return row.sinkage ? fmt::format("{:.3g}", 1e3 * *row.sinkage) : "";
}

Cells plastic_cells(const SoilRow& row) {
  const PlasticSoil& s = *row.soil.plastic;
  const PressureSinkage& p = s.pressure;
  std::string k_c, k_phi = "reece";
  if (p.law == PressureLaw::bernstein) k_phi = number_text(p.sinkage_modulus / 1e3);
  if (p.law == PressureLaw::bekker) {
    k_c = number_text(p.cohesive_modulus / 1e3);
    k_phi = number_text(p.frictional_modulus / 1e3);
  }
  return {row.soil.name,
          number_text(p.exponent),
          k_c,
          k_phi,
          number_text(s.cohesion / 1e3),
          number_text(s.friction_angle / kDegree),
          number_text(s.shear_modulus * 1e3),
          row.soil.moisture ? number_text(*row.soil.moisture * 100) : "",
          sinkage_text(row),
          short_source(row.soil.source)};
}

Cells elastic_cells(const SoilRow& row) {
  const CompliantGround<double>& g = *row.soil.compliant;
  return {row.soil.name,
          number_text(g.exponent),
          number_text(g.stiffness),
          number_text(g.damping),
          number_text(g.shear_stiffness),
          number_text(g.friction_coefficient),
          row.soil.plastic ? "" : sinkage_text(row),
          short_source(row.soil.source)};
}

void print_value(const char* name, const std::string& value) {
  if (!value.empty()) fmt::print("  {:<22} {}\n", name, value);
}

std::string damping_text(double b, double p, double q) {
  return fmt::format("{} N {}/{}, p = {:g}, q = {:g}", number_text(b), power_unit("s", q),
                     power_unit("m", p + q), p, q);
}

void print_plastic_values(const PlasticSoil& s) {
  const PressureSinkage& p = s.pressure;
  const auto number = [](const char* name, double value, const std::string& unit) {
    print_value(name, unit.empty() ? number_text(value) : number_text(value) + " " + unit);
  };
  print_value("pressure law", pressure_law_name(p.law));
  number("exponent n", p.exponent, "");
  if (p.law == PressureLaw::bernstein) {
    number("sinkage modulus k", p.sinkage_modulus / 1e3, "kPa/" + power_unit("m", p.exponent));
  } else if (p.law == PressureLaw::bekker) {
    number("cohesive k_c", p.cohesive_modulus / 1e3, "kPa/" + power_unit("m", p.exponent - 1));
    number("frictional k_phi", p.frictional_modulus / 1e3, "kPa/" + power_unit("m", p.exponent));
  } else {
    number("cohesive k'_c", p.reece_cohesive_modulus, "");
    number("frictional k'_phi", p.reece_frictional_modulus, "");
    number("unit weight", p.unit_weight / 1e3, "kN/m^3");
  }
  number("cohesion c", s.cohesion / 1e3, "kPa");
  number("friction angle phi", s.friction_angle / kDegree, "degrees");
  number("shear modulus K", s.shear_modulus * 1e3, "mm");
  print_value("shear", shear_name(s.shear));
  if (s.damping > 0) {
    print_value("damping b", damping_text(s.damping, s.damping_exponent, s.rate_exponent));
  } else {
    print_value("damping", "none");
  }
  if (s.unload_modulus > 0 || s.unload_modulus_slope > 0) {
    number("unloading k_0", s.unload_modulus / 1e3, "kPa/m");
    number("unloading A_u", s.unload_modulus_slope / 1e3, "kPa/m^2");
  } else {
    print_value("rebound", "none");
  }
  const MeasuredRange& m = s.measured;
  if (m.largest_width > 0) {
    print_value("measured widths",
                fmt::format("{:.4g} to {:.4g} mm", 1e3 * m.least_width, 1e3 * m.largest_width));
  }
  if (m.largest_sinkage > 0) number("measured sinkage", 1e3 * m.largest_sinkage, "mm");
  if (m.largest_rate > 0) number("measured rate", 1e3 * m.largest_rate, "mm/s");
}

void print_elastic_values(const CompliantGround<double>& g) {
  print_value("stiffness k", number_text(g.stiffness) + " N/" + power_unit("m", g.exponent));
  print_value("damping b", damping_text(g.damping, g.damping_exponent, g.rate_exponent));
  print_value("shear stiffness", number_text(g.shear_stiffness) + " N/m");
  print_value("shear damping", number_text(g.shear_damping) + " N s/m");
  print_value("friction coefficient", number_text(g.friction_coefficient));
}

void print_details(const SoilRow& row, const std::string& under) {
  const Soil& soil = row.soil;
  fmt::print("{}: {}\n", soil.name, soil.description.empty() ? kind_of(soil) : soil.description);
  print_value("kind", kind_of(soil));
  if (soil.moisture) print_value("moisture", fmt::format("{:g} %", *soil.moisture * 100));
  if (soil.plastic) print_plastic_values(*soil.plastic);
  if (soil.compliant) print_elastic_values(*soil.compliant);
  if (row.sinkage) {
    print_value("sinkage", fmt::format("{:.4g} mm under {}", 1e3 * *row.sinkage, under));
  }
  print_value("source", soil.source);
  print_value("source of K", soil.shear_source);
  print_value("source of friction", soil.friction_source);
  print_value("valid for", soil.validity);
  print_value("notes", soil.notes);
  print_value("file", soil.file.string());
}

// ---- for programs: the words and units of soil files ----

// Without the last digits that changing units leaves.
double tidy(double value) { return std::strtod(fmt::format("{:.13g}", value).c_str(), nullptr); }

Json plastic_json(const PlasticSoil& s) {
  const PressureSinkage& p = s.pressure;
  Json out{{"pressure_law", pressure_law_name(p.law)}, {"exponent_n", p.exponent}};
  if (p.law == PressureLaw::bernstein) {
    out["k_kPa"] = tidy(p.sinkage_modulus / 1e3);
  } else if (p.law == PressureLaw::bekker) {
    out["k_c_kPa"] = tidy(p.cohesive_modulus / 1e3);
    out["k_phi_kPa"] = tidy(p.frictional_modulus / 1e3);
  } else {
    out["k_c_prime"] = p.reece_cohesive_modulus;
    out["k_phi_prime"] = p.reece_frictional_modulus;
    out["unit_weight_kN_per_m3"] = tidy(p.unit_weight / 1e3);
  }
  out["cohesion_kPa"] = tidy(s.cohesion / 1e3);
  out["friction_angle_deg"] = tidy(s.friction_angle / kDegree);
  out["shear_modulus_K_mm"] = tidy(s.shear_modulus * 1e3);
  out["shear"] = shear_name(s.shear);
  out["damping"] = s.damping;
  out["damping_exponent"] = s.damping_exponent;
  out["rate_exponent"] = s.rate_exponent;
  out["unload_modulus_k0_kPa_per_m"] = tidy(s.unload_modulus / 1e3);
  out["unload_modulus_slope_Au_kPa_per_m2"] = tidy(s.unload_modulus_slope / 1e3);
  const MeasuredRange& m = s.measured;
  if (m.largest_width > 0) {
    out["measured_width_mm"] = {tidy(1e3 * m.least_width), tidy(1e3 * m.largest_width)};
  }
  if (m.largest_sinkage > 0) out["measured_sinkage_mm"] = tidy(1e3 * m.largest_sinkage);
  if (m.largest_rate > 0) out["measured_rate_mm_per_s"] = tidy(1e3 * m.largest_rate);
  return out;
}

Json elastic_json(const CompliantGround<double>& g) {
  return {{"stiffness", g.stiffness},
          {"exponent", g.exponent},
          {"damping", g.damping},
          {"damping_exponent", g.damping_exponent},
          {"rate_exponent", g.rate_exponent},
          {"shear_stiffness_N_per_m", g.shear_stiffness},
          {"shear_damping_Ns_per_m", g.shear_damping},
          {"friction_coefficient", g.friction_coefficient}};
}

}  // namespace

void print_soil_table(const std::vector<SoilRow>& rows, bool plastic, bool elastic,
                      const std::string& under) {
  const std::vector<Cells> plastic_head = {
      {"plastic", "n", "k_c", "k_phi", "c", "phi", "K", "moisture", "sinkage", "source"},
      {"", "", "kPa/m^(n-1)", "kPa/m^n", "kPa", "deg", "mm", "%", "mm", ""}};
  const std::vector<Cells> elastic_head = {
      {"elastic", "n", "stiffness", "damping", "shear stiffness", "friction", "sinkage", "source"},
      {"", "", "N/m^n", "N s^q/m^(p+q)", "N/m", "", "mm", ""}};
  std::vector<Cells> first, second;
  for (const SoilRow& row : rows) {
    if (plastic && row.soil.plastic) first.push_back(plastic_cells(row));
    if (elastic && row.soil.compliant) second.push_back(elastic_cells(row));
  }
  if (!first.empty()) print_table(plastic_head, first, !under.empty());
  if (!first.empty() && !second.empty()) fmt::print("\n");
  if (!second.empty()) print_table(elastic_head, second, !under.empty());
  if (!under.empty()) fmt::print("\nSinkage is that under {}.\n", under);
  fmt::print("\nfootfall soils NAME shows one in full, with its sources.\n");
}

void print_soil_details(const std::vector<SoilRow>& rows, const std::string& under) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) fmt::print("\n");
    print_details(rows[i], under);
  }
}

Json soil_json(const Soil& s) {
  Json out{{"name", s.name},         {"kind", kind_of(s)},     {"description", s.description},
           {"source", s.source},     {"validity", s.validity}, {"notes", s.notes},
           {"file", s.file.string()}};
  if (s.moisture) out["moisture_percent"] = tidy(*s.moisture * 100);
  if (s.plastic) {
    out["terramechanics"] = plastic_json(*s.plastic);
    out["terramechanics"]["shear_source"] = s.shear_source;
  }
  if (s.compliant) {
    out["compliant"] = elastic_json(*s.compliant);
    out["compliant"]["friction_source"] = s.friction_source;
  }
  return out;
}

void print_soils_json(const std::vector<SoilRow>& rows, const std::optional<double>& load) {
  Json out;
  if (load) out["load_N"] = *load;
  out["soils"] = Json::array();
  for (const SoilRow& row : rows) {
    Json soil = soil_json(row.soil);
    if (row.sinkage) soil["sinkage_m"] = *row.sinkage;
    if (!row.beyond.empty()) soil["beyond_validity"] = row.beyond;
    out["soils"].push_back(soil);
  }
  print_json(out);
}

}  // namespace footfall
