#include "footfall/scenario/scenario.hpp"

#include <fmt/format.h>

#include <cmath>

#include "input_error.hpp"
#include "io/text_file.hpp"
#include "scenario/scenario_parts.hpp"

namespace footfall {
namespace {

const std::vector<std::string> kSections = {"robot", "ground",     "soil", "soils", "contact",
                                            "step",  "controller", "push", "output"};

// A soil is called by its name or by its file: --set of one takes the other away.
ConfigDocument parse_scenario_config(const std::string& text, const std::string& name,
                                     const std::vector<std::string>& overrides) {
  return parse_config(text, name, overrides, {{"soil", "name", "file"}, {"soils", "name", "file"}});
}

// A section that was not written is one without keys.
ConfigNode section_or_empty(const TableReader& top, const std::string& name,
                            const std::string& file) {
  if (top.has(name)) return top.node(name);
  ConfigNode empty;
  empty.where = file;
  return empty;
}

std::vector<std::string> step_keys() {
  return {"timestep_s",     "duration_s",   "integrator",     "tolerance",
          "max_iterations", "joint_limits", "joint_friction", "joint_time_constant_s",
          "record_every"};
}

void read_step(const ConfigNode& section, Scenario& out) {
  const TableReader reader(section, "step", step_keys());
  StepOptions& o = out.step;
  const Range whole{1, 1e9, "a whole number, 1 or more"};
  reader.read("timestep_s", o.timestep, {1e-6, 0.1, "1e-6 to 0.1 s"});
  out.duration = reader.number("duration_s", {1e-6, 1e6, "above 0 s, at most 1e6 s"});
  reader.read_choice("integrator", o.integrator, {"euler", "implicitfast", "implicit", "rk4"});
  reader.read("tolerance", o.solver.tolerance, {1e-14, 0.1, "1e-14 to 0.1"});
  reader.read("max_iterations", o.solver.max_iterations, whole);
  reader.read("joint_limits", o.joint_limits);
  reader.read("joint_friction", o.joint_friction);
  reader.read("joint_time_constant_s", o.joint_time_constant, {1e-5, 10, "1e-5 to 10 s"});
  reader.read("record_every", out.record_every, whole);
  if (step_count(out) < 1) {
    reader.refuse("duration_s", fmt::format("at least one step of {} s", o.timestep));
  }
}

// contact.model = "resistive_force": grains that take the place of soils.
void read_resistive(const TableReader& reader, Scenario& out) {
  if (out.contact != ContactModel::resistive_force) {
    reader.refuse_given({"scale", "yield_length_mm"},
                        "none unless contact.model = \"resistive_force\"");
  }
  reader.read("scale", out.resistive.scale, {0.01, 100, "0.01 to 100"});
  out.resistive.yield_length =
      1e-3 * reader.number_or("yield_length_mm", 1e3 * out.resistive.yield_length,
                              {0.01, 10, "0.01 to 10 mm"});
}

// Which of soil and sole limits friction; other models have one coefficient, or none.
void read_sole_friction(const TableReader& reader, Scenario& out) {
  const bool has_soils = out.contact == ContactModel::compliant ||
                         out.contact == ContactModel::terramechanics || is_penalty(out.contact);
  if (reader.has("sole_friction") && (!has_soils || out.penalty.friction_coefficient)) {
    reader.refuse("sole_friction", out.penalty.friction_coefficient
                                       ? "it left out beside contact.friction_coefficient"
                                       : "it left out with a contact model that has no soil");
  }
  reader.read_choice("sole_friction", out.sole_friction, {"smaller", "soil"});
}

// contact = "terramechanics", or the same as [contact] with model and, of soft constraints, more.
void read_contact(const TableReader& top, NamedFiles& files, Scenario& out) {
  const std::vector<std::string> models = {
      "compliant",           "terramechanics", "none",         "soft_constraint",
      "feedback_linearized", "spring_damper",  "wrench_space", "resistive_force"};
  if (!top.has("contact")) return;
  if (top.node("contact").kind != ConfigNode::Kind::table) {
    out.contact = static_cast<ContactModel>(top.choice("contact", models));
    if (out.contact == ContactModel::spring_damper) {
      top.refuse("contact", "a section [contact] with stiffness_N_per_m and damping_Ns_per_m");
    }
    if (out.contact == ContactModel::wrench_space) {
      top.refuse("contact", "a section [contact] with database, the wrenches of a medium");
    }
    return;
  }
  std::vector<std::string> keys = {"model", "sole_friction"};
  for (const auto& more : {soft_contact_keys(), penalty_contact_keys(), wrench_contact_keys(),
                           std::vector<std::string>{"scale", "yield_length_mm"}}) {
    keys.insert(keys.end(), more.begin(), more.end());
  }
  const TableReader reader(top.node("contact"), "contact", keys);
  out.contact = static_cast<ContactModel>(reader.choice("model", models));
  out.soft = read_soft_contact(reader, out.contact == ContactModel::soft_constraint);
  out.penalty = read_penalty_contact(reader, out.contact);
  out.wrench = read_wrench_contact(reader, out.contact == ContactModel::wrench_space, files);
  read_resistive(reader, out);
  read_sole_friction(reader, out);
}

void refuse_for_resistive(const TableReader& top, const Scenario& out) {
  if (out.contact != ContactModel::resistive_force) return;
  const char* expected =
      "none with contact.model = \"resistive_force\", whose grains are described "
      "in [contact]";
  top.refuse_given({"soil", "soils"}, expected);
  if (!out.ground.regions.empty()) {
    throw input_error("{}key 'ground.region', expected {}", place_of(out, "ground.region"),
                      expected);
  }
}

// A pad is a spring in series with the ground's, and other laws have none.
void refuse_pads(const Scenario& out) {
  if (!out.robot.pad) return;
  if (out.contact != ContactModel::soft_constraint && !is_penalty(out.contact) &&
      out.contact != ContactModel::wrench_space && out.contact != ContactModel::resistive_force) {
    return;
  }
  throw InputError(place_of(out, "robot.pad") +
                   "section [robot.pad] needs contact.model = \"compliant\" or "
                   "\"terramechanics\"");
}

// Soft constraints know no soil and no joint springs of ours.
void refuse_for_soft(const TableReader& top, const Scenario& out) {
  if (out.contact != ContactModel::soft_constraint) return;
  top.refuse_given({"soil", "soils"},
                   "none with contact.model = \"soft_constraint\", whose ground is described "
                   "in [contact]");
  TableReader(top.node("step"), "step", step_keys())
      .refuse_given({"joint_time_constant_s"},
                    "none with contact.model = \"soft_constraint\": the robot's file says how soft "
                    "its limits are (solreflimit, solreffriction)");
}

// [ground.ruts]: how footprints are kept.
void read_ruts(const ConfigNode& ground, NamedFiles& files, Scenario& out) {
  const ConfigNode* section = ground.find("ruts");
  if (section == nullptr) return;
  const TableReader reader(*section, "ground.ruts", {"cell_mm", "rim_share", "file"});
  if (out.contact != ContactModel::terramechanics) {
    throw input_error("{}: section [ground.ruts] needs contact = \"terramechanics\"",
                      section->where);
  }
  out.ruts.cell = 1e-3 * reader.number_or("cell_mm", 1e3 * out.ruts.cell, {1, 50, "1 to 50 mm"});
  reader.read("rim_share", out.ruts.rim_share, {0, 1, "0 to 1"});
  if (reader.text_if_given("file", "the path of a run file (run.h5)")) {
    out.ruts_file = find_file(plain_files(), reader, "file", files);
  }
}

// [soil] and [soils.NAME], in this order.
void read_soils(const TableReader& top, const std::string& file, NamedFiles& files, Scenario& out) {
  if (top.has("soil")) {
    out.soils.push_back(read_soil(top.node("soil"), "soil", files));
  } else if (out.contact == ContactModel::wrench_space) {
    out.soils.push_back({out.wrench.database.stem().string(), {}, {}});
  } else if (out.contact == ContactModel::resistive_force) {
    out.soils.push_back({"grains", {}, {}});
  } else if (out.contact == ContactModel::none || out.contact == ContactModel::soft_constraint ||
             out.penalty.friction_coefficient) {
    // A world has a soil; here nothing touches it, or its friction is given elsewhere.
    const char* name = is_penalty(out.contact) ? "hard ground" : "none";
    out.soils.push_back({name, {}, {}});
  } else {
    throw input_error("{}: section [soil] is missing, expected one with a name from the library, "
                      "as in name = \"loose-clay\", or with values{}",
                      file,
                      is_penalty(out.contact)
                          ? "; or key contact.friction_coefficient, all that this "
                            "contact model needs of the ground"
                          : "");
  }
  if (!top.has("soils")) return;
  const ConfigNode& soils = top.node("soils");
  if (soils.kind != ConfigNode::Kind::table) top.refuse("soils", "sections [soils.NAME]");
  for (const std::string& name : soils.keys) {
    out.soils.push_back(read_soil(*soils.find(name), "soils." + name, files));
  }
}

Scenario read_scenario(const ConfigDocument& document, const std::string& file, NamedFiles& files,
                       Scenario out) {
  const TableReader top(document.root, "", kSections);
  out.text = document.text;
  collect_places(document.root, "", out.places);
  if (!top.has("robot")) throw InputError(file + ": section [robot] is missing");
  if (!top.has("step")) {
    throw InputError(file + ": section [step] is missing, expected one with duration_s");
  }
  out.robot = read_robot(top.node("robot"), files);
  read_contact(top, files, out);
  refuse_pads(out);
  refuse_for_soft(top, out);
  refuse_for_wrenches(top, out);
  refuse_for_resistive(top, out);
  read_soils(top, file, files, out);
  const ConfigNode ground = section_or_empty(top, "ground", file);
  out.ground = read_ground(ground, files, out.soils);
  if (!top.has("contact")) {  // the richest model that the soils have values for
    for (const SoilChoice& soil : out.soils) {
      if (soil.plastic) out.contact = ContactModel::terramechanics;
    }
  }
  read_ruts(ground, files, out);
  read_step(top.node("step"), out);
  const ConfigNode controller = section_or_empty(top, "controller", file);
  out.controller = read_controller(controller, files);
  if (top.has("push")) out.pushes = read_pushes(top.node("push"));
  const ConfigNode output = section_or_empty(top, "output", file);
  out.output = TableReader(output, "output", {"folder"})
                   .text_if_given("folder", "the path of a folder")
                   .value_or("results/" + out.name);
  return out;
}

}  // namespace

std::int64_t step_count(const Scenario& scenario) {
  return std::llround(scenario.duration / scenario.step.timestep);
}

Scenario parse_scenario(const std::string& text, const std::string& name,
                        const std::filesystem::path& folder,
                        const std::vector<std::string>& overrides) {
  Scenario start;
  start.name = std::filesystem::path(name).stem().string();
  start.folder = folder;
  start.overrides = overrides;
  NamedFiles files{folder};
  Scenario out =
      read_scenario(parse_scenario_config(text, name, overrides), name, files, std::move(start));
  if (!files.elsewhere.empty()) {  // the text has to find its files again from `folder`
    std::vector<std::string> found = overrides;
    found.insert(found.end(), files.elsewhere.begin(), files.elsewhere.end());
    out.text = parse_scenario_config(text, name, found).text;
  }
  return out;
}

Scenario load_scenario(const std::filesystem::path& file,
                       const std::vector<std::string>& overrides) {
  Scenario scenario =
      parse_scenario(read_text_file(file), file.string(), file.parent_path(), overrides);
  scenario.file = file;
  return scenario;
}

std::string place_of(const Scenario& scenario, const std::string& key) {
  std::string path = key;
  while (true) {
    const auto found = scenario.places.find(path);
    if (found != scenario.places.end()) return found->second + ": ";
    const std::size_t dot = path.rfind('.');
    path = dot == std::string::npos ? "" : path.substr(0, dot);
    if (dot == std::string::npos && !scenario.places.contains("")) return "";
  }
}

}  // namespace footfall
