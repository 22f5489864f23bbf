#include "identify_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "footfall/report/html.hpp"
#include "footfall/version.hpp"

namespace footfall::identify_command {
namespace {

constexpr std::size_t kMostPoints = 2000;  // of a line
constexpr std::size_t kMostDots = 150;     // of measurements beside their law: it must be seen
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Every so many values, the last included: at most `most`.
std::vector<double> thinned(const std::vector<double>& values, std::size_t most) {
  if (values.size() <= most) return values;
  std::vector<double> out;
  out.reserve(most);
  for (std::size_t i = 0; i < most; ++i) {
    out.push_back(values[i * (values.size() - 1) / (most - 1)]);
  }
  return out;
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& v : values) v *= factor;
  return values;
}

// Metres are drawn as millimetres.
double axis_factor(const std::string& unit) { return unit == "m" ? 1e3 : 1; }
PlotAxis axis_of(const std::string& label, const std::string& unit) {
  return {.label = label, .unit = unit == "m" ? "mm" : unit};
}

// ---- data, law, band ----

PlotPanel fit_panel(const FittedLaw& part) {
  const double fx = axis_factor(part.x_unit), fy = axis_factor(part.y_unit);
  PlotPanel panel{.title = fmt::format("{}: data and law", part.name),
                  .x = axis_of(part.x_label, part.x_unit),
                  .y = axis_of(part.y_label, part.y_unit)};
  for (std::size_t i = 0; i < part.curves.size(); ++i) {
    const FitCurve& curve = part.curves[i];
    const int color = static_cast<int>(i);
    panel.lines.push_back({.label = curve.name,
                           .x = scaled(thinned(curve.x, kMostDots), fx),
                           .y = scaled(thinned(curve.data, kMostDots), fy),
                           .style = LineStyle::points,
                           .color = color});
  }
  for (std::size_t i = 0; i < part.curves.size(); ++i) {
    const FitCurve& curve = part.curves[i];
    const int color = static_cast<int>(part.curves.size());  // not that of any dots
    const std::vector<double> x = scaled(thinned(curve.x, kMostPoints), fx);
    const std::vector<double> y = scaled(thinned(curve.model, kMostPoints), fy);
    panel.lines.push_back({.label = i == 0 ? "law" : "", .x = x, .y = y, .color = color});
    const auto add_band = [&](const char* label, const std::vector<double>& width, int band_color) {
      if (width.size() != curve.x.size()) return;
      const std::vector<double> half = scaled(thinned(width, kMostPoints), fy);
      PlotBand band{.label = i == 0 ? label : "", .x = x, .color = band_color};
      for (std::size_t k = 0; k < y.size(); ++k) {
        band.low.push_back(y[k] - half[k]);
        band.high.push_back(y[k] + half[k]);
      }
      panel.bands.push_back(std::move(band));
    };
    add_band("a new run", curve.prediction, color + 1);
    add_band("the law's confidence band", curve.half_width, color);
  }
  return panel;
}

std::vector<double> residuals_of(const FitCurve& curve) {
  std::vector<double> out;
  out.reserve(curve.data.size());
  for (std::size_t i = 0; i < curve.data.size(); ++i) {
    out.push_back(curve.data[i] - curve.model[i]);
  }
  return out;
}

PlotPanel residual_panel(const FittedLaw& part) {
  const double fx = axis_factor(part.x_unit), fy = axis_factor(part.y_unit);
  PlotPanel panel{.title = fmt::format("{}: residuals", part.name),
                  .x = axis_of(part.x_label, part.x_unit),
                  .y = axis_of("data minus law", part.y_unit)};
  for (std::size_t i = 0; i < part.curves.size(); ++i) {
    const FitCurve& curve = part.curves[i];
    panel.lines.push_back({.label = curve.name,
                           .x = scaled(thinned(curve.x, kMostPoints), fx),
                           .y = scaled(thinned(residuals_of(curve), kMostPoints), fy),
                           .style = LineStyle::points,
                           .color = static_cast<int>(i)});
  }
  return panel;
}

// How often residuals of each size are, beside the normal law of the same scatter.
PlotPanel histogram_panel(const FittedLaw& part) {
  std::vector<double> all;
  for (const FitCurve& curve : part.curves) {
    for (const double r : residuals_of(curve)) {
      if (std::isfinite(r)) all.push_back(axis_factor(part.y_unit) * r);
    }
  }
  PlotPanel panel{.title = fmt::format("{}: how often", part.name),
                  .x = axis_of("data minus law", part.y_unit),
                  .y = {.label = "samples"}};
  if (all.size() < 2) return panel;
  double mean = 0, square = 0;
  for (const double r : all) mean += r / static_cast<double>(all.size());
  for (const double r : all) square += (r - mean) * (r - mean);
  const double scatter = std::sqrt(square / static_cast<double>(all.size() - 1));
  if (!(scatter > 0)) return panel;
  const int bins = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(all.size()))), 5, 40);
  const double low = mean - 4 * scatter, step = 8 * scatter / bins;
  std::vector<double> count(static_cast<std::size_t>(bins), 0.0);
  for (const double r : all) {
    const double place = std::clamp(std::floor((r - low) / step), 0.0, bins - 1.0);
    ++count[static_cast<std::size_t>(place)];
  }
  PlotLine bars{.label = "samples", .color = 0}, normal{.label = "normal", .color = 1};
  normal.style = LineStyle::dashed;
  for (int i = 0; i < bins; ++i) {
    const double c = count[i];
    bars.x.insert(bars.x.end(), {low + i * step, low + (i + 1) * step});
    bars.y.insert(bars.y.end(), {c, c});
  }
  const double height =
      static_cast<double>(all.size()) * step / (scatter * std::sqrt(2 * std::numbers::pi));
  for (int i = 0; i <= 100; ++i) {
    const double z = -4 + 0.08 * i;
    normal.x.push_back(mean + z * scatter);
    normal.y.push_back(height * std::exp(-z * z / 2));
  }
  panel.lines = {bars, normal};
  return panel;
}

// ---- what happened in a test ----

PlotPanel phase_panel(const RigTest& test, const std::vector<double>& values, double factor,
                      const PlotAxis& axis) {
  PlotPanel panel{.title = {}, .x = {.label = "time", .unit = "s"}, .y = axis};
  const std::size_t n = test.phase.size();
  const std::size_t step = std::max<std::size_t>(1, n / kMostPoints);
  for (int p = 0; p <= static_cast<int>(Phase::sliding); ++p) {
    PlotLine line{.label = phase_name(static_cast<Phase>(p)), .color = p};
    bool any = false;
    for (std::size_t i = 0; i < n; i += step) {
      // the first sample of the next phase belongs to the line too, so that no gap is seen
      const bool own = static_cast<int>(test.phase[i]) == p;
      const bool end = i >= step && static_cast<int>(test.phase[i - step]) == p;
      any |= own;
      line.x.push_back(test.recording.time[i]);
      line.y.push_back(own || end ? factor * values[i] : kNone);
    }
    if (any) panel.lines.push_back(std::move(line));
  }
  return panel;
}

Plot phase_plot(const RigTest& test) {
  Plot plot{.title = test.name, .subtitle = test_text(test), .panels = {}, .columns = 2};
  const Recording& r = test.recording;
  if (test.sinkage.size() == r.time.size()) {
    plot.panels.push_back(phase_panel(test, test.sinkage, 1e3, {.label = "sinkage", .unit = "mm"}));
  }
  if (r.normal_force.size() == r.time.size()) {
    plot.panels.push_back(
        phase_panel(test, r.normal_force, 1, {.label = "normal force", .unit = "N"}));
  }
  if (test.kind == TestKind::drag && r.tangential_force.size() == r.time.size()) {
    plot.panels.push_back(
        phase_panel(test, r.tangential_force, 1, {.label = "tangential force", .unit = "N"}));
  }
  return plot;
}

// ---- tables ----

std::vector<std::string> estimate_row(const Estimate& e, const std::string& part) {
  return {e.name, value_text(e), error_text(e), interval_text(e), e.unit, part};
}

// With the unit that soil files have: kPa, mm, degrees.
Estimate in_file_unit(Estimate e) {
  double factor = 1;
  if (e.unit == "rad") {
    factor = 180 / std::numbers::pi;
    e.unit = "degrees";
  } else if (e.unit.starts_with("Pa")) {
    factor = 1e-3;
    e.unit = "k" + e.unit;
  } else if (e.unit == "m") {
    factor = 1e3;
    e.unit = "mm";
  }
  for (double* value : {&e.value, &e.standard_error, &e.lower, &e.upper}) *value *= factor;
  return e;
}

std::vector<std::string> estimate_header(double confidence) {
  return {"parameter", "value", "± error", fmt::format("{:g} % interval", 100 * confidence),
          "unit",      "fit"};
}

HtmlTable correlation_table(const Fit& fit) {
  const std::vector<int> free = free_parameters(fit);
  HtmlTable table{.header = {"correlation"}};
  for (const int i : free) {
    const std::string& name = fit.parameters[i].name;
    table.header.push_back(name);
    std::vector<std::string> row = {name};
    std::vector<double> shades;
    for (const int j : free) {
      row.push_back(fmt::format("{:.3f}", fit.correlation(i, j)));
      shades.push_back(i == j ? 0 : fit.correlation(i, j));
    }
    table.rows.push_back(std::move(row));
    table.shades.push_back(std::move(shades));
  }
  return table;
}

HtmlTable file_table(const Fit& fit) {
  HtmlTable table{.header = {"file", "samples", "rms [N]", "mean [N]"}};
  const std::vector<int> free = free_parameters(fit);
  std::vector<int> named;
  const bool any_alone = std::any_of(fit.groups.begin(), fit.groups.end(),
                                     [](const GroupFit& g) { return !g.alone.empty(); });
  for (const int i : free) {
    if (any_alone && !fit.parameters[i].nuisance) named.push_back(i);
  }
  for (const int i : named) {
    table.header.push_back(fit.parameters[i].name + " alone");
  }
  for (const GroupFit& group : fit.groups) {
    std::vector<std::string> row = {group.name, fmt::format("{}", group.residual_count),
                                    fmt::format("{:.4g}", group.rms_residual),
                                    fmt::format("{:.2g}", group.mean_residual)};
    for (const int i : named) {
      const std::string& name = fit.parameters[i].name;
      const auto found = std::find_if(group.alone.begin(), group.alone.end(),
                                      [&](const Estimate& e) { return e.name == name; });
      row.push_back(found == group.alone.end() || found->fixed
                        ? ""
                        : fmt::format("{} ± {}", value_text(*found), error_text(*found)));
    }
    table.rows.push_back(std::move(row));
  }
  if (!fit.spread.empty()) {
    std::vector<std::string> row = {"spread between files", "", "", ""};
    for (const int i : named) {
      const double spread = fit.spread[i];
      row.push_back(spread == 0 ? "" : fmt::format("{:.3g}", spread));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

HtmlTable model_table(const std::vector<ModelScore>& models) {
  HtmlTable table{.header = {"law", "unknowns", "rms [N]", "AICc more than the best", "weight",
                             "cross-validated rms [N]"}};
  for (const ModelScore& m : models) {
    if (m.note.empty()) {
      table.rows.push_back({m.model, fmt::format("{}", m.unknowns),
                            fmt::format("{:.4g}", m.rms_residual_N),
                            fmt::format("{:.4g}", m.delta_aicc), fmt::format("{:.3f}", m.weight),
                            fmt::format("{:.4g}", m.cross_validation_rms_N)});
    } else {
      table.rows.push_back({fmt::format("{}: {}", m.model, m.note), "", "", "", "", ""});
    }
  }
  return table;
}

std::string residual_text(const FittedLaw& part) {
  const ResidualDiagnostics& d = part.fit.diagnostics;
  const std::string& unit = part.y_unit;
  if (d.round_off) {
    return fmt::format("Residuals are round-off, the largest {:.3g} {}.", d.largest, unit);
  }
  return fmt::format(
      "Residuals: mean {:.2g} {}, scatter {:.3g} {}, largest {:.3g} {}, {} outlier{}. Correlation "
      "from one sample to the next {:.2f}. Normal distribution: p = {:.2g}.",
      d.mean, unit, d.scatter, unit, d.largest, unit, d.outliers, d.outliers == 1 ? "" : "s",
      d.lag_correlation, d.normality_p);
}

void add_part(const FittedLaw& part, double confidence, HtmlPage& page) {
  const Fit& fit = part.fit;
  page.heading(fmt::format("Fit: {}", part.name));
  page.paragraph(part.law);
  page.paragraph(fmt::format("{} samples, rms residual {:.4g} {}, {} degrees of freedom, {}.",
                             part.sample_count, fit.rms_residual, part.y_unit,
                             fit.degrees_of_freedom,
                             fit.converged ? "converged" : "not converged"));
  page.warnings(fit.warnings);
  HtmlTable values{.header = estimate_header(confidence)};
  for (const Estimate* e : shown_parameters(fit)) {
    values.rows.push_back(estimate_row(*e, part.name));
  }
  for (const Estimate& e : part.derived) values.rows.push_back(estimate_row(e, "derived"));
  page.table(values);
  page.plot({.title = {},
             .subtitle = {},
             .panels = {fit_panel(part), residual_panel(part), histogram_panel(part)},
             .columns = 2});
  page.paragraph(residual_text(part));
  page.paragraph("Errors: " + errors_text(fit) + ".");
  if (!fit.runs.known && fit.errors != ErrorModel::samples) {
    page.paragraph("A new run: " + unknown_run_text(fit) + ".");
  }
  if (free_parameters(fit).size() > 1) page.table(correlation_table(fit));
  if (fit.groups.size() > 1) page.table(file_table(fit));
}

}  // namespace

Plot plot_fits(const Identification& found) {
  Plot plot{.title = "Identification", .subtitle = {}, .panels = {}, .columns = 2};
  for (const RigTest& test : found.tests) {
    plot.subtitle += (plot.subtitle.empty() ? "" : ", ") + test.name;
  }
  for (const FittedLaw& part : found.parts) {
    plot.panels.push_back(fit_panel(part));
    plot.panels.push_back(residual_panel(part));
  }
  return plot;
}

void write_report(const std::filesystem::path& file, const Identification& found, double confidence,
                  const std::string& command_line) {
  HtmlPage page(found.soil ? fmt::format("Identification of {}", found.soil->name)
                           : "Identification");
  page.preformatted(command_line);
  page.warnings(found.warnings);
  HtmlTable values{.header = estimate_header(confidence)};
  for (const NamedEstimate& f : all_parameters(found.parts)) {
    if (!f.estimate.nuisance && (!f.estimate.fixed || f.estimate.value != 0)) {
      values.rows.push_back(estimate_row(in_file_unit(f.estimate), f.part));
    }
  }
  page.table(values);
  for (const std::string& note : found.notes) page.paragraph(note);
  for (const FittedLaw& part : found.parts) add_part(part, confidence, page);
  if (!found.models.empty()) {
    page.heading("Which law?");
    page.table(model_table(found.models));
  }
  page.heading("What was measured");
  for (const RigTest& test : found.tests) {
    if (test.recording.time.empty()) {
      page.paragraph(fmt::format("{}: {}", test.name, test_text(test)));
    } else {
      page.plot(phase_plot(test));
    }
  }
  if (!found.soil_text.empty()) {
    page.heading("The soil file");
    page.preformatted(found.soil_text);
  }
  page.paragraph(fmt::format("footfall {}", version));
  page.write(file);
}

}  // namespace footfall::identify_command
