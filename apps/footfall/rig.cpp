// footfall rig: one foot on one soil, without robot: press, drop, drag, or any path.
#include <fmt/format.h>

#include <cmath>

#include "commands.hpp"
#include "footfall/foot/validity.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/io/soil_library.hpp"
#include "input_error.hpp"
#include "rig_options.hpp"

namespace footfall {
namespace rig {
namespace {

RigFoot make_rig_foot(const Options& o) {
  check_option("foot-mass", o.foot_mass, 0, 1e6, "kg");
  RigFoot foot{.pad = {}, .foot_mass = o.foot_mass};
  if (!o.pad_stiffness) {
    if (o.pad_exponent || o.pad_damping || o.pad_damping_exponent || o.pad_rate_exponent) {
      throw InputError("a pad needs --pad-stiffness in N/m^n, above 0");
    }
    return foot;
  }
  if ((o.pad_damping_exponent || o.pad_rate_exponent) && !o.pad_damping) {
    throw InputError("--pad-damping-exponent and --pad-rate-exponent need --pad-damping");
  }
  foot.pad = FootPad{.stiffness = *o.pad_stiffness,
                     .exponent = o.pad_exponent.value_or(1),
                     .damping = o.pad_damping.value_or(0),
                     .damping_exponent = o.pad_damping_exponent.value_or(0),
                     .rate_exponent = o.pad_rate_exponent.value_or(1)};
  try {
    check_pad(*foot.pad);
  } catch (const InputError& error) {
    throw input_error("pad: {}", error.what());
  }
  return foot;
}

// Where the foot went beyond what its laws hold for; empty: nowhere. What is slow has no speed: its time is made up.
std::string beyond_validity(const Setup& setup, const std::vector<RigSample>& series) {
  if (!setup.ground.sole) return "";
  FootUse use{.width = contact_width(*setup.ground.sole)};
  for (const RigSample& s : series) {
    use.sinkage = std::fmax(use.sinkage, s.sinkage);
    use.rate = std::fmax(use.rate, s.sinkage_rate);
  }
  const PlasticSoil* soil = setup.ground.plastic ? &*setup.ground.plastic : nullptr;
  const std::string text = outside_validity(use, valid_depth(*setup.ground.sole), soil);
  return text.empty() ? "" : fmt::format("{}: {}", setup.title, text);
}

}  // namespace

void add_options(CLI::App& app, Options& o) {
  add_foot_options(app, o.foot);
  app.add_option("--soil", o.soil, "Name in the soil library, or a soil file")->required();
  add_form_options(app, o.form);
  app.add_option("--pad-stiffness", o.pad_stiffness, "A pad below the body [N/m^n]");
  app.add_option("--pad-exponent", o.pad_exponent, "n of the pad; without it 1");
  app.add_option("--pad-damping", o.pad_damping, "[N s^q/m^(p+q)]; without it 0");
  app.add_option("--pad-damping-exponent", o.pad_damping_exponent, "p; without it 0");
  app.add_option("--pad-rate-exponent", o.pad_rate_exponent, "q; without it 1");
  app.add_option("--foot-mass", o.foot_mass, "Of the foot below the pad [kg]");
  app.add_flag("--json", o.json, "Print JSON, and nothing else, on stdout");
  app.add_option("--csv", o.csv, "Write what was recorded as a table");
  app.add_option("--plot", o.plot, "Draw it as an SVG file");
}

Setup make_setup(const Options& o) {
  check_ending("plot", o.plot, ".svg");
  const Soil soil = load_named_soil(o.soil, "--soil");
  return {.ground = make_rig_ground(make_sole(o.foot), soil, make_form(o.form)),
          .foot = make_rig_foot(o),
          .soil = soil.name,
          .title = fmt::format("{} on {}", foot_text(o.foot), soil.name)};
}

std::vector<double> column(const std::vector<RigSample>& series, double RigSample::* field,
                           double factor) {
  std::vector<double> values;
  values.reserve(series.size());
  for (const RigSample& s : series) values.push_back(factor * s.*field);
  return values;
}

void print_row(const char* name, const std::string& value) {
  fmt::print("  {:<22}{}\n", name, value);
}

void finish(const Options& o, const Setup& setup, const std::vector<RigSample>& series,
            const Plot& plot, Json json, const std::function<void()>& print) {
  json["soil"] = setup.soil;
  json["warnings"] = Json::array();
  if (const std::string beyond = beyond_validity(setup, series); !beyond.empty()) {
    json["warnings"].push_back(beyond);
    fmt::print(stderr, "footfall: warning: {}\n", beyond);
  }
  OutputsTogether together;
  if (!o.csv.empty()) write_series(series, o.csv);
  if (!o.plot.empty()) write_plot(o.plot, plot);
  together.keep();
  if (o.json) return print_json(json);
  print();
  if (!o.csv.empty()) fmt::print("\nTable: {}\n", o.csv);
  if (!o.plot.empty()) fmt::print("{}Picture: {}\n", o.csv.empty() ? "\n" : "", o.plot);
}

}  // namespace rig

void add_rig_command(CLI::App& app) {
  CLI::App* rig = app.add_subcommand("rig", "Test one foot on one soil, without a robot");
  rig->footer("Examples:\n"
              "  footfall rig press --foot cylinder --radius 0.05 --width 0.08 --soil dry-sand "
              "--sinkage 0.01\n"
              "  footfall rig press --foot disc --radius 0.05 --soil dry-sand --load 300 --unload");
  rig::add_press(*rig);
  rig::add_drop(*rig);
  rig::add_drag(*rig);
  rig::add_path(*rig);
  rig::add_tilt(*rig);
  require_one_command(*rig, "test");
}

}  // namespace footfall
