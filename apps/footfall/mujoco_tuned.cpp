// What `footfall mujoco tune` and `try` say of a robot on soft ground: JSON, text, picture.
#include "mujoco_tuned.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "footfall/report/plot.hpp"
#include "input_error.hpp"

namespace footfall::mujoco_commands {
namespace {

// ---- JSON ----

Json feet_json(const std::vector<TunedFoot>& feet) {
  Json out = Json::array();
  for (const TunedFoot& f : feet) {
    out.push_back({{"name", f.name},
                   {"body", f.body_name},
                   {"load_N", f.load},
                   {"wanted_sinkage_m", f.wanted_sinkage},
                   {"achieved_sinkage_m", f.achieved_sinkage},
                   {"inverse_sinkage_m", f.inverse_sinkage},
                   {"deepest_sinkage_m", f.deepest_sinkage},
                   {"contacts", f.contacts},
                   {"inverse_inertia_per_kg", f.inverse_inertia}});
  }
  return out;
}

Json fit_json(const SoftFit& soft) {
  Json parameters = Json::array();
  for (const Estimate& e : soft.fit.parameters) {
    if (e.fixed) continue;
    Json one = {{"name", e.name}, {"unit", e.unit}, {"value", e.value}};
    const bool known = std::isfinite(e.standard_error);
    one["standard_error"] = known ? Json(e.standard_error) : Json();
    one["lower"] = known ? Json(e.lower) : Json();
    one["upper"] = known ? Json(e.upper) : Json();
    parameters.push_back(one);
  }
  return {{"parameters", parameters},
          {"confidence", 0.95},
          {"rms_residual_N", soft.fit.rms_residual},
          {"samples", soft.fit.residual_count},
          {"converged", soft.fit.converged}};
}

// ---- text ----

void print_row(const char* name, const std::string& text) {
  fmt::print("  {:<22}{}\n", name, text);
}

void print_formula(const Tuned& t) {
  if (t.corrections == 0 && t.ball_stiffness == 0) return;
  print_row("one ball",
            fmt::format("stiffness {:.1f} (one contact, load times inverse inertia = g)",
                        t.ball_stiffness));
  print_row("one box",
            fmt::format("stiffness {:.1f} (four contacts: a quarter of that)", t.box_stiffness));
  print_row("this robot", fmt::format("stiffness {:.1f} ({:.4g} N on contacts worth {:.4g} kg)",
                                      t.formula_stiffness, t.weight, t.share));
  if (t.corrections > 0) {
    print_row("after settling", fmt::format("stiffness {:.1f} ({} corrections: soles tilt, "
                                            "servos give)",
                                            -t.solref.first, t.corrections));
  }
}

void print_fit(const SoftFit& soft) {
  fmt::print("\nFit to {} samples, 95 % confidence, residual {:.3g} N rms\n",
             soft.fit.residual_count, soft.fit.rms_residual);
  for (const Estimate& e : soft.fit.parameters) {
    if (e.fixed) continue;
    print_row(e.name.c_str(),
              std::isfinite(e.standard_error)
                  ? fmt::format("{:.6g} {}  ({:.4g} to {:.4g})", e.value, e.unit, e.lower, e.upper)
                  : fmt::format("{:.6g} {}  (interval not known)", e.value, e.unit));
  }
}

void print_feet_counted(const Tuned& t) {
  std::string bodies;
  for (const TunedFoot& f : t.feet) {
    bodies += fmt::format("{}'{}'", bodies.empty() ? "" : ", ", f.body_name);
  }
  print_row("feet", fmt::format("{}: bodies that carry it at rest", bodies));
}

Json answer_json(const TunedAnswer& answer) {
  const Tuned& t = answer.tuned;
  const SoftImpedance& i = t.solimp;
  Json json = {{"robot", answer.robot},
               {"pose", t.pose},
               {"robot_body", t.root},
               {"robot_joints", t.joints},
               {"ground", t.ground},
               {"ground_type", t.ground_type},
               {"ground_added", t.ground_added},
               {"solref", {t.solref.first, t.solref.second}},
               {"solimp", {i.d0, i.d_width, i.width, i.midpoint, i.power}},
               {"means", t.means},
               {"feet", feet_json(t.feet)},
               {"weight_N", t.weight},
               {"share_kg", t.share},
               {"formula_stiffness_per_s2", t.formula_stiffness},
               {"ball_stiffness_per_s2", t.ball_stiffness},
               {"box_stiffness_per_s2", t.box_stiffness},
               {"damping_ratio_at_rest", t.damping_ratio_at_rest},
               {"corrections", t.corrections},
               {"settled", t.settled},
               {"settling_time_s", t.settling_time},
               {"held_by", t.held_by},
               {"held_upright", t.held_upright}};
  for (const FootOnSoil& f : answer.soil) {
    json["soil"].push_back({{"name", f.name},
                            {"load_N", f.load},
                            {"sinkage_m", f.sinkage},
                            {"damping_ratio", f.damping_ratio}});
  }
  if (answer.fit) json["fit"] = fit_json(*answer.fit);
  json["lines"] = t.lines;
  Json& curve = json["curve"] = Json::array();
  for (const SinkageForce& point : t.curve) {
    curve.push_back({{"sinkage_m", point.sinkage}, {"force_N", point.force}});
  }
  json["warnings"] = t.warnings;
  if (!answer.output.empty()) json["output"] = answer.output;
  if (!answer.plot.empty()) json["plot"] = answer.plot;
  return json;
}

void print_answer(const TunedAnswer& answer) {
  const Tuned& t = answer.tuned;
  const SoftImpedance& i = t.solimp;
  fmt::print("{}, {}, held by {}\n\n", answer.robot, t.pose,
             t.held_by == "servos" ? "its servos" : "springs at its joints");
  print_row("robot", fmt::format("body '{}' and all that hangs on it, {} joints, {:.4g} N", t.root,
                                 t.joints, t.weight));
  print_row("ground", t.ground_added ? fmt::format("level plane '{}', added to the file", t.ground)
                                     : fmt::format("geom '{}', a {}", t.ground, t.ground_type));
  print_feet_counted(t);
  print_row("solref", fmt::format("{:.5g} {:.5g}", t.solref.first, t.solref.second));
  print_row("solimp", fmt::format("{:.4g} {:.4g} {:.5g} {:.4g} {:.4g}", i.d0, i.d_width, i.width,
                                  i.midpoint, i.power));
  print_formula(t);
  print_row("stands", t.held_upright ? "no, it tips over: its base was held upright"
                      : t.settled    ? "yes"
                                     : "it still moves");
  print_row("damping ratio at rest", fmt::format("{:.3g}", t.damping_ratio_at_rest));
  for (const FootOnSoil& f : answer.soil) {
    print_row("soil", fmt::format("{}: {:.4g} mm under {:.4g} N, damping ratio {:.3g}", f.name,
                                  1e3 * f.sinkage, f.load, f.damping_ratio));
  }
  if (answer.fit) print_fit(*answer.fit);
  fmt::print("\n  {:<20}{:>10}{:>12}{:>14}{:>14}\n", "foot", "load", "wanted", "mj_inverse",
             "settled");
  for (const TunedFoot& f : t.feet) {
    fmt::print("  {:<20}{:>8.3f} N{:>9.3f} mm{:>11.3f} mm{:>11.3f} mm\n", f.name, f.load,
               1e3 * f.wanted_sinkage, 1e3 * f.inverse_sinkage, 1e3 * f.achieved_sinkage);
  }
  fmt::print("\n");
  for (const std::string& text : t.warnings) fmt::print("  note: {}\n", text);
  if (answer.output.empty()) {
    fmt::print("\nTo paste ({}):\n\n{}",
               t.means == "pair" ? "pairs decide before any mixing"
                                 : "the ground outranks the feet",
               t.lines);
  } else {
    fmt::print("\nModel: {}\n", answer.output);
  }
  if (!answer.plot.empty()) fmt::print("Picture: {}\n", answer.plot);
}

}  // namespace

void check_model_output(const std::string& robot, const std::string& output) {
  std::error_code missing;  // a file that is not there is nobody's input
  if (output.empty() || !std::filesystem::equivalent(robot, output, missing)) return;
  throw input_error("--output '{}' is the robot's own file, expected another: MuJoCo writes it "
                    "anew, without comments and includes",
                    output);
}

void add_armature_option(CLI::App& command, std::optional<double>& armature) {
  command.add_option(
      "--armature", armature,
      "Of all joints, in place of the file's [kg m^2]: it counts in how deep a robot sinks");
}

void write_tuned_plot(const TunedAnswer& answer) {
  const Tuned& t = answer.tuned;
  PlotLine force{.label = "pose held at rest, mj_inverse"};
  for (const SinkageForce& point : t.curve) {
    force.x.push_back(1e3 * point.sinkage);
    force.y.push_back(point.force);
  }
  const PlotLine weight{.label = "weight",
                        .x = {0, force.x.back()},
                        .y = {t.weight, t.weight},
                        .style = LineStyle::dashed};
  PlotLine feet{.label = "each foot, settled in mj_step", .style = LineStyle::points};
  for (const TunedFoot& foot : t.feet) {
    feet.x.push_back(1e3 * foot.achieved_sinkage);
    feet.y.push_back(t.weight);
  }
  write_plot(answer.plot, {.title = fmt::format("'{}' on soft ground in MuJoCo", t.root),
                           .subtitle = fmt::format("solref {:.5g} {:.5g}, {}", t.solref.first,
                                                   t.solref.second, t.pose),
                           .panels = {{.x = {.label = "sinkage", .unit = "mm"},
                                       .y = {.label = "force on the ground", .unit = "N"},
                                       .lines = {force, weight, feet}}},
                           .columns = 1});
}

void tell(const TunedAnswer& answer, bool json) {
  if (json) {
    print_json(answer_json(answer));
  } else {
    print_answer(answer);
  }
}

}  // namespace footfall::mujoco_commands
