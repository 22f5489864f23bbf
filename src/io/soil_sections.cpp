// A soil's law says which values it needs, and none of those has a default.
#include "io/soil_sections.hpp"
#include "io/text_file.hpp"

#include <fmt/format.h>

#include <numbers>

namespace footfall {

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
                                                      "unload_modulus_slope_Au_kPa_per_m2"};

namespace {

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
    p.reece_cohesive_modulus = soil.value("k_c_prime", {0, 1e9, "0 to 1e9"});
    p.reece_frictional_modulus = soil.value("k_phi_prime", {0, 1e9, "0 to 1e9"});
    p.unit_weight = kKilo * soil.value("unit_weight_kN_per_m3", {0, 1e3, "0 to 1000 kN/m^3"});
    break;
  }
  return p;
}

}  // namespace

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
  try {
    check_soil(s);
  } catch (const InputError& error) {  // of the moduli together; each alone was checked above
    throw InputError(fmt::format("{}: section [{}]: {}", own.where(), own.path(), error.what()));
  }
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
    throw InputError(fmt::format("{}: a soil needs a section [compliant] or [terramechanics], "
                                 "which say how it answers a foot",
                                 name));
  }
}

}  // namespace footfall
