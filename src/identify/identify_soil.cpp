#include "identify/identify_soil.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/io/soil_library.hpp"
#include "footfall/version.hpp"
#include "input_error.hpp"
#include "io/soil_text.hpp"

namespace footfall {
namespace {

constexpr double kAssumedUnitWeight = 15e3;  // of loose sand [N/m³]: only γ k'_φ is ever used

constexpr double kRoundingOfOne =
    1e-6;  // n of a spring, as a fit finds it, may be this much below 1

// The soil while it is put together: what is known of each value goes behind it in the file.
struct Draft {
  Soil soil;
  SoilComments comments = {};
  std::vector<NamedEstimate> found;
  std::string base;  // name of the soil that gives the rest
  std::vector<std::string> from_base = {};
  std::vector<std::string> notes = {};

  const NamedEstimate* find(const char* name) const {
    for (const NamedEstimate& f : found) {
      if (f.estimate.name == name) return &f;
    }
    return nullptr;
  }
  // Takes a value if it was identified; `scale` turns SI into the file's unit for the comment.
  bool take(const char* name, const char* key, double scale, const char* unit, double& value) {
    const NamedEstimate* f = find(name);
    if (f == nullptr) {
      leave(key);
      return false;
    }
    value = f->estimate.value;
    say(key, *f, scale, unit);
    return true;
  }
  void say(const char* key, const NamedEstimate& f, double scale, const char* unit) {
    const std::string of = *unit == 0 ? "" : fmt::format(" [{}]", unit);
    comments.values[key] =
        f.estimate.fixed
            ? fmt::format("given, not fitted{}", of)
            : fmt::format("± {:.3g}{}, {} fit", scale * f.estimate.standard_error, of, f.part);
  }
  void leave(const char* key, const char* word = "") {
    comments.values[key] = fmt::format("not identified: of {}", base);
    from_base.push_back(fmt::format("{}{}", key, word));
  }
};

// ---- [terramechanics] ----

void take_pressure(PlasticSoil& soil, Draft& d) {
  PressureSinkage& p = soil.pressure;
  if (d.find("k_c") != nullptr) {
    p = {.law = PressureLaw::bekker};
    d.take("k_c", "k_c_kPa", 1e-3, "kPa/m^(n-1)", p.cohesive_modulus);
    d.take("k_phi", "k_phi_kPa", 1e-3, "kPa/m^n", p.frictional_modulus);
  } else if (d.find("C") != nullptr) {
    p = {.law = PressureLaw::reece, .unit_weight = kAssumedUnitWeight};
    if (soil.cohesion <= 0) {
      throw InputError("Reece's law has c k'_c: a cohesion above 0 is needed, from --fit shear or "
                       "--base");
    }
    p.reece_cohesive_modulus = d.find("C")->estimate.value / soil.cohesion;
    p.reece_frictional_modulus = d.find("G")->estimate.value / p.unit_weight;
    d.say("k_c_prime", *d.find("C"), 1 / soil.cohesion, "");
    d.say("k_phi_prime", *d.find("G"), 1 / p.unit_weight, "");
    d.comments.values["unit_weight_kN_per_m3"] =
        "assumed: only its product with k_phi_prime counts";
  } else if (d.find("k") != nullptr) {
    p = {.law = PressureLaw::bernstein};
    d.take("k", "k_kPa", 1e-3, "kPa/m^n", p.sinkage_modulus);
  } else {
    d.leave("pressure_law");
    for (const char* key : {"exponent_n", "k_kPa", "k_c_kPa", "k_phi_kPa", "k_c_prime",
                            "k_phi_prime", "unit_weight_kN_per_m3"}) {
      d.comments.values[key] = d.comments.values["pressure_law"];
    }
    return;
  }
  d.take("n", "exponent_n", 1, "", p.exponent);
}

// c, φ and K, or μ as tan φ of a soil without cohesion.
void take_shear(const IdentifyRequest& request, PlasticSoil& soil, std::string& source, Draft& d) {
  constexpr double degree = std::numbers::pi / 180;
  const NamedEstimate* mu = d.find("mu");
  if (mu != nullptr && d.find("phi") == nullptr) {
    soil.cohesion = 0;
    soil.friction_angle = std::atan(mu->estimate.value);
    NamedEstimate angle = *mu;
    angle.estimate.standard_error /= 1 + mu->estimate.value * mu->estimate.value;
    d.say("friction_angle_deg", angle, 1 / degree, "degrees, arctan mu");
    d.comments.values["cohesion_kPa"] = "none: the friction fit has only mu";
  } else {
    d.take("c", "cohesion_kPa", 1e-3, "kPa", soil.cohesion);
    d.take("phi", "friction_angle_deg", 1 / degree, "degrees", soil.friction_angle);
  }
  if (d.take("K", "shear_modulus_K_mm", 1e3, "mm", soil.shear_modulus)) {
    soil.shear = request.shear;
    source = fmt::format("identified, {} fit", d.find("K")->part);
  } else {
    source = fmt::format("not identified: of {}{}{}", d.base, source.empty() ? "" : ": ", source);
  }
}

bool gives_pressure(const FittedLaw& part) {
  return part.name != "shear" && part.name != "friction";
}

// What the feet did in the tests that the pressure is from: widths, depths, speeds.
MeasuredRange find_measured(const Identification& found) {
  MeasuredRange m;
  for (const RigTest& test : found.tests) {
    const bool counts =
        std::any_of(found.parts.begin(), found.parts.end(), [&](const FittedLaw& part) {
          return gives_pressure(part) && !part.left_out.contains(test.number) &&
                 std::any_of(part.curves.begin(), part.curves.end(),
                             [&](const FitCurve& c) { return c.name == test.name; });
        });
    if (!counts || !test.sole) continue;
    const double width = contact_width(*test.sole);
    m.least_width = m.least_width > 0 ? std::min(m.least_width, width) : width;
    m.largest_width = std::max(m.largest_width, width);
    for (const double s : test.sinkage) m.largest_sinkage = std::max(m.largest_sinkage, s);
    for (std::size_t i = 0; i < test.rate.size(); ++i) {
      if (test.sinkage[i] > 0) m.largest_rate = std::max(m.largest_rate, test.rate[i]);
    }
  }
  if (m.largest_rate < 1e-9) m.largest_rate = 0;  // points at rest
  return m;
}

void take_plastic(const IdentifyRequest& request, const Identification& found, const Soil& base,
                  Draft& d) {
  PlasticSoil soil = *base.plastic;
  d.soil.shear_source = base.shear_source;
  take_shear(request, soil, d.soil.shear_source, d);  // Reece's law needs the cohesion
  take_pressure(soil, d);
  // the fit keeps the pressure positive under its own feet, so the soil is positive in this range
  if (d.find("n") != nullptr) soil.measured = find_measured(found);
  if (d.find("b") != nullptr) {
    d.take("b", "damping", 1, "N s^q/m^(p+q)", soil.damping);
    d.take("p", "damping_exponent", 1, "", soil.damping_exponent);
    d.take("q", "rate_exponent", 1, "", soil.rate_exponent);
  } else {
    d.leave("damping", soil.damping == 0 ? " (none)" : "");
  }
  d.leave("unloading", soil.unload_modulus + soil.unload_modulus_slope == 0 ? " (none)" : "");
  if (const NamedEstimate* pad = d.find("k_F")) {
    d.notes.push_back(
        fmt::format("the foot's pad, [robot.pad] of a scenario: stiffness {:.6g} N/m^n, "
                    "exponent {:.6g}",
                    pad->estimate.value, d.find("n_F")->estimate.value));
  }
  d.soil.plastic = soil;
}

// ---- [compliant] ----

double mean_sliding_load(const std::vector<RigTest>& tests) {
  double sum = 0;
  long count = 0;
  for (const RigTest& test : tests) {
    for (std::size_t i = 0; i < test.phase.size() && i < test.recording.normal_force.size(); ++i) {
      if (test.phase[i] != Phase::sliding) continue;
      sum += test.recording.normal_force[i];
      ++count;
    }
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

void take_friction(const std::vector<RigTest>& tests, CompliantGround<double>& g, Soil& soil,
                   Draft& d) {
  if (!d.take("mu", "friction_coefficient", 1, "", g.friction_coefficient)) {
    soil.friction_source = fmt::format("not identified: of {}", d.base);
    d.leave("shear_stiffness_N_per_m");
    d.leave("shear_damping_Ns_per_m");
    return;
  }
  soil.friction_source = "identified, friction fit";
  const NamedEstimate* K = d.find("K");
  const double load = mean_sliding_load(tests);
  if (K == nullptr || !(K->estimate.value > 0) || !(load > 0)) {
    d.leave("shear_stiffness_N_per_m");
    d.leave("shear_damping_Ns_per_m");
    return;
  }
  const double time = g.shear_damping / g.shear_stiffness;
  g.shear_stiffness = g.friction_coefficient * load / (2 * K->estimate.value);
  g.shear_damping = time * g.shear_stiffness;
  d.comments.values["shear_stiffness_N_per_m"] =
      fmt::format("mu F_N/(2 K) with K = {:.4g} mm at F_N = {:.4g} N, Ding et al. 2013 (40)",
                  1e3 * K->estimate.value, load);
  d.comments.values["shear_damping_Ns_per_m"] = fmt::format(
      "not identified: {:.3g} ms times the shear stiffness, as {} has it", 1e3 * time, d.base);
  d.from_base.emplace_back("shear_damping_Ns_per_m");
}

void take_compliant(const Soil& base, const std::vector<RigTest>& tests, NormalModel model,
                    Draft& d) {
  CompliantGround<double> g = *base.compliant;
  if (d.take("k", "stiffness", 1, "N/m^n", g.stiffness)) {
    g.exponent = 1;
    if (d.find("n") != nullptr) d.take("n", "exponent", 1, "", g.exponent);
    if (g.exponent < 1 && g.exponent > 1 - kRoundingOfOne) g.exponent = 1;
    if (g.exponent < 1) {
      throw input_error("n = {:.4g}, and compliant ground needs 1 to 5: --model spring has n = 1, "
                        "and --foot makes it a soil that yields",
                        g.exponent);
    }
  } else {
    d.comments.values["exponent"] = d.comments.values["stiffness"];
  }
  if (d.take("b", "damping", 1, "N s^q/m^(p+q)", g.damping)) {
    const bool simple = model == NormalModel::simple_hunt_crossley;
    g.damping_exponent = simple ? g.exponent : 0;
    g.rate_exponent = 1;
    if (d.find("p") != nullptr) d.take("p", "damping_exponent", 1, "", g.damping_exponent);
    if (d.find("q") != nullptr) d.take("q", "rate_exponent", 1, "", g.rate_exponent);
  } else {
    for (const char* key : {"damping_exponent", "rate_exponent"}) {
      d.comments.values[key] = d.comments.values["damping"];
    }
  }
  take_friction(tests, g, d.soil, d);
  if (d.find("c") != nullptr) {
    d.notes.emplace_back("c and phi of the shear fit have no place in a section [compliant], and "
                         "are left out");
  }
  d.soil.compliant = g;
}

// ---- words ----

std::string sole_text(const FootSole& sole) {
  switch (sole.shape) {
  case SoleShape::disc:
    return fmt::format("disc, radius {:.4g} mm", 1e3 * sole.radius);
  case SoleShape::rectangle:
    return fmt::format("rectangle, {:.4g} mm by {:.4g} mm", 1e3 * sole.length, 1e3 * sole.width);
  case SoleShape::cylinder:
    return fmt::format("cylinder, radius {:.4g} mm, width {:.4g} mm", 1e3 * sole.radius,
                       1e3 * sole.width);
  case SoleShape::sphere:
    return fmt::format("sphere, radius {:.4g} mm", 1e3 * sole.radius);
  case SoleShape::hull:
    break;
  }
  return fmt::format("mesh, contact width {:.4g} mm", 1e3 * sole.width);
}

// Where k and n belong to a formula of the paper and not to the exact law that everything else takes.
std::string form_text(const NormalLaw& form, const Draft& d) {
  if (form.form == ForceForm::exact && !form.one_sided) return "";
  const bool pair = d.find("k_c") != nullptr || d.find("C") != nullptr;
  if (!pair && d.find("k") == nullptr) return "";
  const std::string& name = force_form_names()[static_cast<std::size_t>(form.form)];
  std::string law, options;
  if (form.form != ForceForm::exact) {
    law = fmt::format("formula ({}) of Ding et al. 2013", name);
    options = "--form " + name;
  }
  if (form.one_sided) {
    law += fmt::format("{}a foot of which one side carries", law.empty() ? "" : " and ");
    options += fmt::format("{}--one-sided", options.empty() ? "" : " ");
  }
  return fmt::format(
      "{} belong to {}: with the exact law, as scenarios have it, forces under round "
      "soles are others; footfall rig {} has the same",
      pair ? "the moduli" : "k and n", law, options);
}

// Values that the data do not tell are no soil's.
void check_determined(const std::vector<NamedEstimate>& found) {
  std::vector<std::string> names;
  for (const NamedEstimate& f : found) {
    const Estimate& e = f.estimate;
    if (!e.fixed && !e.nuisance && !std::isfinite(e.standard_error)) names.push_back(e.name);
  }
  if (names.empty()) return;
  throw input_error("these data do not determine {}: --fix what is known, or add a test",
                    fmt::join(names, ", "));
}

std::string validity_text(const Identification& found, const char* widths) {
  double sinkage = 0, force = 0;
  std::vector<std::string> soles;
  for (const RigTest& test : found.tests) {
    for (const double s : test.sinkage) sinkage = std::max(sinkage, s);
    for (const double f : test.recording.normal_force) force = std::max(force, f);
    const std::string sole = test.sole ? sole_text(*test.sole) : "the foot that was tested";
    if (std::find(soles.begin(), soles.end(), sole) == soles.end()) soles.push_back(sole);
  }
  return fmt::format("identified with {}; sinkage to {:.4g} mm, normal force to {:.4g} N{}",
                     fmt::join(soles, ", and "), 1e3 * sinkage, force, widths);
}

bool is_plastic(const Identification& found) {
  if (found.model) return is_soil(*found.model);
  return std::any_of(found.parts.begin(), found.parts.end(),
                     [](const FittedLaw& p) { return p.name == "series"; }) ||
         std::all_of(found.tests.begin(), found.tests.end(),
                     [](const RigTest& t) { return t.sole.has_value(); });
}

void describe(const NormalLaw& form, Identification& found, Draft& d) {
  std::vector<std::string> files, fits;
  d.comments.head.push_back(fmt::format("Written by footfall identify {}.", version));
  for (const RigTest& test : found.tests) {
    files.push_back(test.name);
    d.comments.head.push_back(fmt::format(
        "{}: {}, {} rows{}{}", test.name, test_kind_name(test.kind), test.recording.rows.size(),
        test.sole ? ", " : "", test.sole ? sole_text(*test.sole) : ""));
  }
  for (const FittedLaw& part : found.parts) {
    fits.push_back(part.name);
    d.comments.head.push_back(fmt::format("{} fit: {}; {} samples, rms residual {:.4g} N",
                                          part.name, part.law, part.sample_count,
                                          part.fit.rms_residual));
  }
  d.soil.description = fmt::format("Identified from {}", fmt::join(files, ", "));
  d.soil.source = fmt::format("footfall identify {}: {} fit of {}", version, fmt::join(fits, ", "),
                              fmt::join(files, ", "));
  const MeasuredRange measured = find_measured(found);
  const bool one_width = measured.largest_width <= measured.least_width * (1 + 1e-6);
  const char* widths = "";
  if (is_plastic(found) && d.find("k") != nullptr) {
    widths = one_width ? "; one contact width cannot tell k_c from k_phi, so other widths are "
                         "extrapolation"
                       : "; one modulus for all of these widths: --model bekker has two";
  }
  d.soil.validity = validity_text(found, widths);
  const std::string text = is_plastic(found) ? form_text(form, d) : "";
  if (text.empty()) return;
  d.soil.validity += "; " + text;
  found.warnings.push_back(text);
}

}  // namespace

void assemble_soil(const IdentifyRequest& request, Identification& found) {
  const bool plastic = is_plastic(found);
  if (request.base &&
      !(plastic ? request.base->plastic.has_value() : request.base->compliant.has_value())) {
    throw input_error("--base {} has no section [{}]", request.base->name,
                      plastic ? "terramechanics" : "compliant");
  }
  try {
    const Soil base = request.base
                          ? *request.base
                          : find_soil(load_soil_library(), plastic ? "dry-sand" : "soft-ground");
    Draft d{.soil = {}, .found = all_parameters(found.parts), .base = base.name};
    d.soil.name = request.soil_name;
    check_determined(d.found);
    describe(request.form, found, d);
    if (plastic) {
      take_plastic(request, found, base, d);
    } else {
      take_compliant(base, found.tests, found.model.value_or(NormalModel::hunt_crossley), d);
    }
    if (!d.from_base.empty()) {
      d.notes.push_back(fmt::format("not identified, so those of {}: {}", base.name,
                                    fmt::join(d.from_base, ", ")));
    }
    d.soil.notes = fmt::format("{}", fmt::join(d.notes, "; "));
    std::string text = soil_text(d.soil, d.comments);
    found.soil = parse_soil(text, request.soil_name);  // as it will be read: to the last digit
    found.soil_text = std::move(text);
    found.from_base = d.from_base;
  } catch (const InputError& error) {
    found.soil_problem = fmt::format("no soil file can be made: {}", error.what());
  }
}

}  // namespace footfall
