#include "identify_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "soils_show.hpp"

namespace footfall::identify_command {
namespace {

std::map<std::string, int> phase_counts(const RigTest& test) {
  std::map<std::string, int> counts;
  for (const Phase phase : test.phase) ++counts[phase_name(phase)];
  return counts;
}

// ---- for people ----

void print_estimates(const std::vector<const Estimate*>& estimates, double confidence) {
  fmt::print("  {:<16}{:>14}  {:>12}  {:>26}  {}\n", "parameter", "value", "± error",
             fmt::format("{:g} % interval", 100 * confidence), "unit");
  for (const Estimate* e : estimates) {
    fmt::print("  {:<16}{:>14}  {:>12}  {:>26}  {}\n", e->name, value_text(*e), error_text(*e),
               interval_text(*e), e->unit);
  }
}

void print_groups(const Fit& fit) {
  if (fit.groups.size() < 2) return;
  fmt::print("\n  each file alone\n");
  const std::vector<int> free = free_parameters(fit);
  for (const GroupFit& group : fit.groups) {
    fmt::print("  {:<24} rms {:.3g} N, mean {:.2g} N", group.name, group.rms_residual,
               group.mean_residual);
    for (const Estimate& e : group.alone) {
      if (!e.nuisance && !e.fixed) fmt::print(", {} {} ± {}", e.name, value_text(e), error_text(e));
    }
    fmt::print("\n");
  }
  if (fit.spread.empty()) return;
  fmt::print("  {:<24}", "spread");
  bool first = true;
  for (const int i : free) {
    if (fit.parameters[i].nuisance || i >= static_cast<int>(fit.spread.size())) continue;
    if (fit.spread[i] == 0) continue;  // no file tells it alone
    fmt::print("{} {} {:.3g}", first ? "" : ",", fit.parameters[i].name, fit.spread[i]);
    first = false;
  }
  fmt::print("\n");
}

// The end of the curve: as deep, or as far, as the test went.
std::size_t farthest(const FitCurve& curve) {
  return static_cast<std::size_t>(std::max_element(curve.x.begin(), curve.x.end()) -
                                  curve.x.begin());
}

void print_predictions(const FittedLaw& part, double confidence) {
  const Fit& fit = part.fit;
  if (!fit.runs.known && fit.errors != ErrorModel::samples) {
    fmt::print("  a new run        {}\n", unknown_run_text(fit));
  }
  for (const FitCurve& curve : part.curves) {
    if (curve.prediction.empty()) continue;
    const std::size_t i = farthest(curve);
    fmt::print("  a new run        as {}: {:.4g} ± {:.2g} {} at {:.4g} {} ({:g} %)\n", curve.name,
               curve.model[i], curve.prediction[i], part.y_unit,
               (part.x_unit == "m" ? 1e3 : 1) * curve.x[i], part.x_unit == "m" ? "mm" : part.x_unit,
               100 * confidence);
  }
}

void print_correlations(const Fit& fit) {
  std::string text;
  const std::vector<int> free = free_parameters(fit);
  for (std::size_t i = 0; i < free.size(); ++i) {
    for (std::size_t j = i + 1; j < free.size(); ++j) {
      const Estimate& a = fit.parameters[static_cast<std::size_t>(free[i])];
      const Estimate& b = fit.parameters[static_cast<std::size_t>(free[j])];
      if (a.nuisance || b.nuisance) continue;
      text += fmt::format("{}{} and {} {:.3f}", text.empty() ? "" : ", ", a.name, b.name,
                          fit.correlation(free[i], free[j]));
    }
  }
  if (!text.empty()) fmt::print("  correlations     {}\n", text);
}

void print_part(const FittedLaw& part, double confidence) {
  const Fit& fit = part.fit;
  fmt::print("\n{}: {}\n", part.name, part.law);
  fmt::print("  {} samples, rms residual {:.4g} {}{}\n\n", part.sample_count, fit.rms_residual,
             part.y_unit, fit.converged ? "" : ", NOT CONVERGED");
  std::vector<const Estimate*> estimates = shown_parameters(fit);
  for (const Estimate& e : part.derived) estimates.push_back(&e);
  print_estimates(estimates, confidence);
  fmt::print("\n");
  print_correlations(fit);
  const ResidualDiagnostics& d = fit.diagnostics;
  if (d.round_off) {
    fmt::print("  residuals        round-off, largest {:.3g} {}\n", d.largest, part.y_unit);
  } else {
    fmt::print(
        "  residuals        mean {:.2g}, scatter {:.3g}, largest {:.3g} {}; {} outlier{}; from "
        "sample to sample {:.2f}; normal: p = {:.2g}\n",
        d.mean, d.scatter, d.largest, part.y_unit, d.outliers, d.outliers == 1 ? "" : "s",
        d.lag_correlation, d.normality_p);
  }
  fmt::print("  errors           {}\n", errors_text(fit));
  print_predictions(part, confidence);
  print_groups(fit);
}

void print_models(const std::vector<ModelScore>& models) {
  if (models.empty()) return;
  fmt::print("\nmodels\n  {:<22}{:>9}{:>14}{:>14}{:>10}{:>22}\n", "law", "unknowns", "rms [N]",
             "AICc more", "weight", "cross-validated [N]");
  for (const ModelScore& m : models) {
    if (!m.note.empty()) {
      fmt::print("  {:<22}{}\n", m.model, m.note);
      continue;
    }
    fmt::print("  {:<22}{:>9}{:>14.4g}{:>14.4g}{:>10.3f}{:>22.4g}\n", m.model, m.unknowns,
               m.rms_residual_N, m.delta_aicc, m.weight, m.cross_validation_rms_N);
  }
}

// ---- for programs ----

Json estimate_json(const Estimate& e, double confidence) {
  Json out{{"value", e.value},
           {"standard_error", e.standard_error},
           {confidence == 0.95 ? "interval_95" : "interval", {e.lower, e.upper}},
           {"unit", e.unit}};
  if (e.fixed) out["fixed"] = true;
  if (e.nuisance) out["nuisance"] = true;
  if (e.at_bound) out["at_bound"] = true;
  return out;
}

Json correlations_json(const Fit& fit) {
  Json out = Json::object();
  const std::vector<int> free = free_parameters(fit);
  for (const int i : free) {
    for (const int j : free) {
      if (i == j) continue;
      out[fit.parameters[i].name][fit.parameters[j].name] = fit.correlation(i, j);
    }
  }
  return out;
}

Json test_json(const RigTest& test) {
  Json out{{"file", test.recording.file.string()},
           {"kind", test_kind_name(test.kind)},
           {"rows", test.recording.rows.size()},
           {"phases", phase_counts(test)}};
  if (test.kind == TestKind::points) return out;
  const auto first = static_cast<std::size_t>(test.contact);
  out["contact"] = {{"row", test.recording.rows[first]},
                    {"time_s", test.contact_time},
                    {"position_m", test.recording.position_sign * test.contact_sinkage},
                    {"error_m", test.contact_error},
                    {"found", test.contact_error > 0}};
  out["tare_N"] = test.tare;
  out["sample_rate_Hz"] = test.sample_rate;
  out["cutoff_Hz"] = test.cutoff > 0 ? Json(test.cutoff) : Json();
  return out;
}

Json part_json(const FittedLaw& part, double confidence) {
  const Fit& fit = part.fit;
  const ResidualDiagnostics& d = fit.diagnostics;
  Json out{{"name", part.name},
           {"law", part.law},
           {"samples", part.sample_count},
           {"rms_residual_N", fit.rms_residual},
           {"aicc", fit.aicc},
           {"degrees_of_freedom", fit.degrees_of_freedom},
           {"converged", fit.converged},
           {"iterations", fit.iterations},
           {"starts", fit.starts},
           {"starts_that_agree", fit.starts_that_agree}};
  constexpr const char* kErrors[] = {"samples", "along_the_way", "between_files"};
  out["errors"] = {{"from", kErrors[static_cast<std::size_t>(fit.errors)]},
                   {"degrees_of_freedom", fit.error_freedom}};
  for (const Estimate& e : fit.parameters) {
    out["parameters"][e.name] = estimate_json(e, confidence);
  }
  out["derived"] = Json::object();
  for (const Estimate& e : part.derived) out["derived"][e.name] = estimate_json(e, confidence);
  out["correlations"] = correlations_json(fit);
  out["diagnostics"] = {{"mean_N", d.mean},
                        {"largest_N", d.largest},
                        {"scatter_N", d.scatter},
                        {"lag_correlation", d.lag_correlation},
                        {"normality_p", d.round_off ? Json() : Json(d.normality_p)},
                        {"outliers", d.outliers},
                        {"inflation", d.inflation}};
  out["per_file"] = Json::array();
  for (const GroupFit& group : fit.groups) {
    Json file{{"file", group.name},
              {"rms_residual_N", group.rms_residual},
              {"mean_residual_N", group.mean_residual},
              {"alone", Json::object()}};
    for (const Estimate& e : group.alone) file["alone"][e.name] = estimate_json(e, confidence);
    for (const FitCurve& curve : part.curves) {
      if (curve.name != group.name || curve.x.empty()) continue;
      const std::size_t i = farthest(curve);
      file["new_run"] = {{part.x_unit == "m" ? "x_m" : "x_s", curve.x[i]},
                         {"value", curve.model[i]},
                         {"interval", nullptr},
                         {"unit", part.y_unit}};
      if (curve.prediction.empty()) {
        file["new_run"]["why"] = unknown_run_text(fit);
        continue;
      }
      file["new_run"]["interval"] = {curve.model[i] - curve.prediction[i],
                                     curve.model[i] + curve.prediction[i]};
    }
    out["per_file"].push_back(file);
  }
  out["spread"] = Json::object();
  for (std::size_t i = 0; i < fit.spread.size(); ++i) {
    if (fit.parameters[i].fixed || fit.spread[i] == 0) continue;
    out["spread"][fit.parameters[i].name] = fit.spread[i];
  }
  return out;
}

Json models_json(const std::vector<ModelScore>& models) {
  Json out = Json::array();
  for (const ModelScore& m : models) {
    if (!m.note.empty()) {
      out.push_back({{"model", m.model}, {"note", m.note}});
      continue;
    }
    out.push_back({{"model", m.model},
                   {"unknowns", m.unknowns},
                   {"rms_residual_N", m.rms_residual_N},
                   {"aicc", m.aicc},
                   {"delta_aicc", m.delta_aicc},
                   {"weight", m.weight},
                   {"cross_validation_rms_N", m.cross_validation_rms_N}});
  }
  return out;
}

// Of all parts together, each sample once.
double pooled_rms(const std::vector<FittedLaw>& parts) {
  double sum = 0, count = 0;
  for (const FittedLaw& part : parts) {
    sum += part.sample_count * part.fit.rms_residual * part.fit.rms_residual;
    count += part.sample_count;
  }
  return std::sqrt(sum / count);
}

}  // namespace

std::string errors_text(const Fit& fit) {
  switch (fit.errors) {
  case ErrorModel::between_files:
    return fmt::format("from the spread between {} files, {:.3g} degree{} of freedom",
                       fit.groups.size(), fit.error_freedom, fit.error_freedom < 1.5 ? "" : "s");
  case ErrorModel::along_place:
    return fmt::format("from residuals as noise and a process along the way, {:.2g} times those of "
                       "independent samples; how runs differ is not known from {}",
                       fit.diagnostics.inflation,
                       fit.groups.size() == 1 ? "one file" : "these files");
  case ErrorModel::samples:
    break;
  }
  return fmt::format("from {} samples, {:.2g} times those of independent ones", fit.residual_count,
                     fit.diagnostics.inflation);
}

std::string unknown_run_text(const Fit& fit) {
  return fmt::format("not known: {} not tell how runs differ; repeat {}",
                     fit.groups.size() == 1 ? "one file does" : "these files do",
                     fit.groups.size() == 1 ? "the test" : "each test");
}

std::vector<const Estimate*> shown_parameters(const Fit& fit) {
  std::vector<const Estimate*> shown;
  for (const Estimate& e : fit.parameters) {
    if (!e.fixed || e.value != 0) shown.push_back(&e);
  }
  return shown;
}

std::vector<int> free_parameters(const Fit& fit) {
  std::vector<int> free;
  for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
    if (!fit.parameters[i].fixed) free.push_back(static_cast<int>(i));
  }
  return free;
}

std::string test_text(const RigTest& test) {
  std::string text = fmt::format("{}, {} rows", test_kind_name(test.kind), test.phase.size());
  if (test.kind == TestKind::points) return text;
  for (const auto& [name, count] : phase_counts(test)) text += fmt::format(", {} {}", name, count);
  const long row = test.recording.rows[test.contact];
  if (test.contact_error > 0) {
    text += fmt::format("; touch found at row {}, {:.4g} mm ± {:.2g} mm", row,
                        1e3 * test.recording.position_sign * test.contact_sinkage,
                        1e3 * test.contact_error);
  } else {
    text += fmt::format("; touch given, row {}", row);
  }
  if (test.tare != 0) text += fmt::format("; {:.3g} N in the air subtracted", test.tare);
  if (test.cutoff > 0) text += fmt::format("; position filtered at {:.4g} Hz", test.cutoff);
  return text;
}

std::string value_text(const Estimate& e) {
  if (e.fixed || !(e.standard_error > 0) || e.value == 0) return fmt::format("{:.6g}", e.value);
  // two digits of the error, four of the value at least
  const double ratio = std::log10(std::abs(e.value) / e.standard_error);
  const int digits = std::isfinite(ratio) ? static_cast<int>(std::ceil(ratio)) + 2 : 6;
  return fmt::format("{:.{}g}", e.value, std::min(9, std::max(4, digits)));
}

std::string error_text(const Estimate& e) {
  return e.fixed ? "fixed" : fmt::format("{:.2g}", e.standard_error);
}

std::string interval_text(const Estimate& e) {
  if (e.fixed) return "";
  return fmt::format("{:.5g} to {:.5g}{}", e.lower, e.upper, e.at_bound ? " (at its bound)" : "");
}

void print_identification(const Identification& found, double confidence) {
  for (const RigTest& test : found.tests) fmt::print("{}: {}\n", test.name, test_text(test));
  for (const std::string& note : found.notes) fmt::print("{}\n", note);
  for (const FittedLaw& part : found.parts) print_part(part, confidence);
  print_models(found.models);
}

Json identification_json(const Identification& found, double confidence) {
  Json out;
  for (const NamedEstimate& f : all_parameters(found.parts)) {
    if (f.estimate.fixed && f.estimate.value == 0) continue;  // foot_weight that nobody asked for
    out["parameters"][f.estimate.name] = estimate_json(f.estimate, confidence);
  }
  out["rms_residual_N"] = pooled_rms(found.parts);
  out["confidence"] = confidence;
  out["correlations"] = Json::object();
  out["files"] = Json::array();
  out["fits"] = Json::array();
  for (const RigTest& test : found.tests) out["files"].push_back(test_json(test));
  for (const FittedLaw& part : found.parts) {
    out["correlations"].update(correlations_json(part.fit), true);
    out["fits"].push_back(part_json(part, confidence));
  }
  out["models"] = models_json(found.models);
  out["notes"] = found.notes;
  out["warnings"] = found.warnings;
  out["soil"] = found.soil ? soil_json(*found.soil) : Json();
  if (!found.soil) out["soil_problem"] = found.soil_problem;
  if (found.soil) {
    out["soil"].erase("file");
    out["soil"]["not_identified"] = found.from_base;
  }
  return out;
}

}  // namespace footfall::identify_command
