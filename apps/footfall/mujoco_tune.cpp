// footfall mujoco tune: solref and solimp for a wanted sinkage, a soil, or a measured curve.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/tune/tune.hpp"
#include "input_error.hpp"
#include "io/data_folders.hpp"

namespace footfall::mujoco_commands {
namespace {

struct TuneCommand {
  std::string robot;
  std::optional<double> sinkage_mm;
  std::optional<double> damping_ratio;
  std::string soil, curve, columns;
  std::string output;
  TuneOptions options;
  bool json = false;
};

// What was asked for, and what came out.
struct Answer {
  Tuned tuned;
  std::optional<SoftFit> fit;
  std::vector<FootOnSoil> soil;
};

void check(const TuneCommand& c, const CLI::App& sub) {
  const int sources = (c.sinkage_mm ? 1 : 0) + (c.soil.empty() ? 0 : 1) + (c.curve.empty() ? 0 : 1);
  if (sources != 1) {
    throw input_error("{} given, expected one of --sinkage-mm, --soil and --curve",
                      sources == 0 ? "no target" : "several targets");
  }
  if (!c.columns.empty() && c.curve.empty()) throw InputError("--columns needs --curve");
  if (c.damping_ratio && !c.soil.empty()) {
    throw InputError(
        "--damping-ratio with --soil, expected one of them: the soil gives the damping");
  }
  for (const char* shape : {"--d0", "--d-width", "--midpoint", "--power"}) {
    if (c.curve.empty() || sub.count(shape) == 0) continue;
    throw input_error("{} with --curve, expected one of them: the curve gives solimp", shape);
  }
  std::error_code missing;  // a file that is not there is nobody's input
  if (!c.output.empty() && std::filesystem::equivalent(c.robot, c.output, missing)) {
    throw input_error("--output '{}' is the robot's own file, expected another: MuJoCo writes it "
                      "anew, without comments and includes",
                      c.output);
  }
}

Answer compute(const TuneCommand& c) {
  TuneOptions o = c.options;
  o.output = c.output;
  o.damping_ratio = c.damping_ratio.value_or(1);
  Answer answer;
  if (c.sinkage_mm) {
    o.sinkage = 1e-3 * *c.sinkage_mm;
    answer.tuned = tune_soft_ground(c.robot, o);
  } else if (!c.soil.empty()) {
    const Soil soil = load_named_soil(c.soil, "--soil");
    answer.soil = ask_soil(c.robot, soil, o);
    answer.tuned = tune_to_soil(c.robot, soil, o);
  } else {
    std::vector<std::string> warnings;
    const Recording recording = read_recording(c.curve, {.columns = c.columns}, warnings);
    TunedToCurve result = tune_to_curve(c.robot, recording, o);
    answer.tuned = std::move(result.tuned);
    answer.fit = std::move(result.fit);
    for (const std::string& text : warnings) answer.tuned.warnings.push_back(text);
  }
  return answer;
}

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

Json answer_json(const TuneCommand& c, const Answer& answer) {
  const Tuned& t = answer.tuned;
  const SoftImpedance& i = t.solimp;
  Json json = {{"robot", c.robot},
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
  json["warnings"] = t.warnings;
  if (!c.output.empty()) json["output"] = c.output;
  return json;
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

void print_answer(const TuneCommand& c, const Answer& answer) {
  const Tuned& t = answer.tuned;
  const SoftImpedance& i = t.solimp;
  fmt::print("{}, {}, held by {}\n\n", c.robot, t.pose,
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
  if (c.output.empty()) {
    fmt::print("\nTo paste ({}):\n\n{}",
               t.means == "pair" ? "pairs decide before any mixing"
                                 : "the ground outranks the feet",
               t.lines);
  } else {
    fmt::print("\nModel: {}\n", c.output);
  }
}

void run(TuneCommand command, const CLI::App& sub) {
  command.robot = find_file(robot_files(), command.robot, "", "").string();
  check(command, sub);
  const Answer answer = compute(command);
  if (command.json) {
    print_json(answer_json(command, answer));
  } else {
    print_answer(command, answer);
  }
}

}  // namespace

void add_tune(CLI::App& mujoco) {
  auto c = std::make_shared<TuneCommand>();
  CLI::App* sub = mujoco.add_subcommand(
      "tune", "Find solref and solimp with which a robot sinks as deep as wanted");
  sub->add_option("robot", c->robot, "MJCF or URDF file, or a name in robots/")->required();
  sub->add_option("--sinkage-mm", c->sinkage_mm, "How deep its feet should rest [mm]; or");
  sub->add_option("--soil", c->soil, "Soil of the library or soil file that says how deep; or");
  sub->add_option("--curve", c->curve, "Table of sinkage and normal force of one of its feet");
  sub->add_option("--columns", c->columns, "TOML file that names the table's columns");
  sub->add_option("--damping-ratio", c->damping_ratio, "As MuJoCo's dampratio; default 1");
  sub->add_option("--keyframe", c->options.keyframe,
                  "Pose; default: stand, or the first, or the reference pose");
  sub->add_option(
      "--ground", c->options.ground,
      "Geom that is the ground, a fixed and level plane or box; default: the only plane, "
      "or the only box, or a plane is added");
  SoftImpedance& shape = c->options.shape;
  sub->add_option("--d0", shape.d0, "solimp: impedance at the surface")->capture_default_str();
  sub->add_option("--d-width", shape.d_width, "solimp: largest impedance")->capture_default_str();
  sub->add_option("--midpoint", shape.midpoint, "solimp: where the wanted sinkage lies, over width")
      ->capture_default_str();
  sub->add_option("--power", shape.power, "solimp: power")->capture_default_str();
  sub->add_option("--settle-s", c->options.longest_settling, "Longest time to settle [s]")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
  sub->add_option("-o,--output", c->output, "Write the model with the tuned ground to this MJCF");
  sub->add_flag("--json", c->json, "Print JSON, and nothing else, on stdout");
  sub->footer("Examples:\n"
              "  footfall mujoco tune robots/humanoid.xml --sinkage-mm 6 --damping-ratio 1.5\n"
              "  footfall mujoco tune robots/quadruped.xml --soil dry-sand --output on_sand.xml\n"
              "  footfall mujoco tune robots/humanoid.xml --keyframe one_foot --curve press.csv\n"
              "\ndocs/mujoco-tune.md explains the numbers.");
  sub->callback([c, sub] { run(*c, *sub); });
}

}  // namespace footfall::mujoco_commands
