#include "footfall/run/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "footfall/record/rut_file.hpp"
#include "footfall/step/rk4.hpp"
#include "footfall/version.hpp"
#include "input_error.hpp"
#include "io/config.hpp"
#include "io/text_file.hpp"

namespace footfall {
namespace {

using Json = nlohmann::ordered_json;

bool all_finite(const std::vector<double>& values) {
  double sum = 0;  // of zeros, unless one is infinite or not a number
  for (const double v : values) sum += v * 0;
  return sum == 0;
}

Json vectors_json(const std::vector<Vec3d>& vectors) {
  Json out = Json::array();
  for (const Vec3d& v : vectors) out.push_back({v.x, v.y, v.z});
  return out;
}

// Numbers of a JSON array that has to have a certain length.
std::vector<double> read_numbers(const Json& json, const char* key, std::size_t size) {
  std::vector<double> values = json.at(key).get<std::vector<double>>();
  if (values.size() != size) {
    throw input_error("'{}' has {} numbers, expected {} of this robot", key, values.size(), size);
  }
  return values;
}

void read_vectors(const Json& json, const char* key, std::vector<Vec3d>& vectors) {
  const Json& list = json.at(key);
  if (list.size() != vectors.size()) {
    throw input_error("'{}' has {} vectors, expected {} of this robot", key, list.size(),
                      vectors.size());
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json& v = list[i];
    vectors[i] = {v.at(0).get<double>(), v.at(1).get<double>(), v.at(2).get<double>()};
  }
}

// What soils and pads remember of each sole point, by the names in a bundle.
template <class Memory, class Act>
void for_each_soil_memory(Memory& memory, const Act& act) {
  auto& p = memory.plastic;
  act("soil", memory.soil);
  act("energy_J", memory.energy);
  act("is_pressed", p.is_pressed);
  act("plastic_sinkage_m", p.plastic_sinkage);
  act("sinkage_max_m", p.sinkage_max);
  act("bearing_N", p.bearing);
  act("rim_height_m", p.rim_height);
  act("gap_m", p.gap);
  act("strength_N", p.strength);
  act("unload_stiffness_N_per_m", p.unload_stiffness);
  act("offset_m", p.offset);
  act("corner_x_m", p.corner_x);
  act("corner_y_m", p.corner_y);
  act("print_x_m", p.print_x);
  act("print_y_m", p.print_y);
  act("print_shear_x_m", p.shear_x);
  act("print_shear_y_m", p.shear_y);
  act("pad_compression_m", memory.pad_compression);
}

void read_state(const Json& json, State<double>& state) {
  ContactMemory<double>& memory = state.memory;
  state.time = json.at("time_s").get<double>();
  state.qpos = read_numbers(json, "qpos", state.qpos.size());
  state.qvel = read_numbers(json, "qvel", state.qvel.size());
  memory.spin_displacement =
      read_numbers(json, "spin_displacement_m", memory.spin_displacement.size());
  memory.joint_displacement =
      read_numbers(json, "joint_displacement", memory.joint_displacement.size());
  memory.normal_force = read_numbers(json, "normal_force_N", memory.normal_force.size());
  memory.sinkage = read_numbers(json, "sinkage_m", memory.sinkage.size());
  memory.jump = read_numbers(json, "jump_m", memory.jump.size());
  for_each_soil_memory(memory, [&](const char* key, std::vector<double>& values) {
    values = read_numbers(json, key, values.size());
  });
  const std::vector<double> vertices =
      read_numbers(json, "wrench_vertices", memory.wrench_vertices.size());
  std::transform(vertices.begin(), vertices.end(), memory.wrench_vertices.begin(),
                 [](double v) { return static_cast<int>(v); });
  const std::vector<double> stage = read_numbers(json, "print_stage", memory.plastic.stage.size());
  for (std::size_t i = 0; i < stage.size(); ++i) {
    memory.plastic.stage[i] = static_cast<PrintStage>(std::clamp(stage[i], 0.0, 2.0));
  }
  read_vectors(json, "shear_displacement_m", memory.shear_displacement);
  read_vectors(json, "resistance_N", memory.resistance);
  read_vectors(json, "motion_m", memory.motion);
}

void read_control(const Json& json, Control<double>& control) {
  const std::size_t size = control.control.size();
  control.control = read_numbers(json, "control", size);
  control.position = read_numbers(json, "position", size);
  control.velocity = read_numbers(json, "velocity", size);
  control.kp = read_numbers(json, "kp", size);
  control.kd = read_numbers(json, "kd", size);
}

// The dof with the largest |velocity|, and the first that is not finite; −1: none.
struct Culprits {
  int fastest = -1, broken = -1, broken_count = 0;
};
Culprits find_culprits(const State<double>& before, const State<double>& after) {
  Culprits out;
  for (std::size_t d = 0; d < after.qvel.size(); ++d) {
    const int dof = static_cast<int>(d);
    if (out.fastest < 0 || std::abs(before.qvel[d]) > std::abs(before.qvel[out.fastest])) {
      out.fastest = dof;
    }
    if (std::isfinite(after.qvel[d])) continue;
    if (out.broken < 0) out.broken = dof;
    ++out.broken_count;
  }
  return out;
}

// The foot with the deepest point at the start of the step; −1: none is in the ground.
struct DeepestFoot {
  int foot = -1;
  double sinkage = 0;
};
DeepestFoot find_deepest_foot(const World& world, const StepWorkspace<double>& workspace) {
  DeepestFoot out;
  if (const auto* grains = std::get_if<GranularContact>(&workspace.contact)) {
    for (const int foot : grains->active) {
      const double depth = grains->contacts[foot].place.depth;
      if (depth > out.sinkage) out = {foot, depth};
    }
    return out;
  }
  for (const ContactPoint<double>& p : workspace.points) {
    const int foot = world.soles.points[p.sole_point].foot;
    if (foot < 0 || !(p.sinkage > out.sinkage)) continue;
    out = {foot, p.sinkage};
  }
  return out;
}

}  // namespace

bool is_finite(const State<double>& state) {
  return all_finite(state.qpos) && all_finite(state.qvel);
}

std::string describe_failure(const World& world, const State<double>& before,
                             const State<double>& after, const StepWorkspace<double>& workspace) {
  const auto joint_of = [&](int dof) {
    return world.robot.joints[world.robot.dofs[dof].joint].name;
  };
  const Culprits culprits = find_culprits(before, after);
  std::string text;
  if (culprits.broken >= 0) {
    text = fmt::format("joint '{}' has velocity {}", joint_of(culprits.broken),
                       after.qvel[culprits.broken]);
    if (culprits.broken_count > 1) {
      text += fmt::format(" ({} of {} velocities are not finite)", culprits.broken_count,
                          after.qvel.size());
    }
  } else {
    for (const Joint& joint : world.robot.joints) {
      if (std::isfinite(after.qpos[joint.q_index])) continue;
      text = fmt::format("joint '{}' has position {}", joint.name, after.qpos[joint.q_index]);
      break;
    }
  }
  if (culprits.fastest >= 0) {
    text += fmt::format("; before the step joint '{}' was the fastest with {:.6g} rad/s or m/s",
                        joint_of(culprits.fastest), before.qvel[culprits.fastest]);
  }
  const DeepestFoot deepest = find_deepest_foot(world, workspace);
  text += deepest.foot < 0 ? "; no foot was in the ground"
                           : fmt::format("; foot '{}' was deepest in the ground with {:.6g} m",
                                         world.soles.feet[deepest.foot].name, deepest.sinkage);
  return text;
}

void write_bundle(const std::filesystem::path& folder, const Scenario& scenario,
                  const StepRecord& record) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw input_error("folder '{}' cannot be made: {}", folder.string(), error.message());
  const State<double>& s = record.state;
  const Control<double>& c = record.control;
  const std::filesystem::path base =
      std::filesystem::absolute(scenario.folder.empty() ? "." : scenario.folder, error);
  Json json{{"footfall", build_description()},
            {"command", record.command},
            {"scenario_file", scenario.file.string()},
            {"scenario_folder", base.lexically_normal().string()},
            {"step", record.step},
            {"state",
             {{"time_s", s.time},
              {"qpos", s.qpos},
              {"qvel", s.qvel},
              {"shear_displacement_m", vectors_json(s.memory.shear_displacement)},
              {"spin_displacement_m", s.memory.spin_displacement},
              {"resistance_N", vectors_json(s.memory.resistance)},
              {"motion_m", vectors_json(s.memory.motion)},
              {"joint_displacement", s.memory.joint_displacement},
              {"normal_force_N", s.memory.normal_force},
              {"sinkage_m", s.memory.sinkage},
              {"jump_m", s.memory.jump},
              {"wrench_vertices", s.memory.wrench_vertices}}},
            {"control",
             {{"control", c.control},
              {"position", c.position},
              {"velocity", c.velocity},
              {"kp", c.kp},
              {"kd", c.kd}}}};
  Json& state = json["state"];
  for_each_soil_memory(
      s.memory, [&](const char* key, const std::vector<double>& values) { state[key] = values; });
  state["print_stage"] = Json::array();
  for (const PrintStage stage : s.memory.plastic.stage) {
    state["print_stage"].push_back(static_cast<int>(stage));
  }
  if (!s.memory.ruts.empty()) write_ruts(folder / "ruts.h5", s.memory.ruts[0]);
  write_text_file(folder / "scenario.toml", scenario.text);
  write_text_file(folder / "step.json",
                  json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Bundle load_bundle(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "step.json", text = folder / "scenario.toml";
  try {
    const Json json = Json::parse(read_text_file(file));
    const std::filesystem::path base = json.at("scenario_folder").get<std::string>();
    Scenario scenario = parse_scenario(read_text_file(text), text.string(), base);
    RunSetup setup = prepare_run(scenario);
    StepRecord record{json.at("step").get<std::int64_t>(), setup.state,
                      make_control<double>(setup.world.robot),
                      json.at("command").get<std::string>()};
    read_state(json.at("state"), record.state);
    if (!record.state.memory.ruts.empty()) {
      record.state.memory.ruts[0] = read_ruts(folder / "ruts.h5");
    }
    read_control(json.at("control"), record.control);
    setup.state = record.state;
    return {std::move(scenario), std::move(setup), std::move(record)};
  } catch (const Json::exception& error) {
    throw input_error("'{}' is no bundle of a failed step: {}", file.string(), error.what());
  }
}

ReplayResult replay(const Bundle& bundle) {
  const World& world = bundle.setup.world;
  StepWorkspace<double> workspace(world);
  Rk4Workspace<double> rk4(world);
  ReplayResult out;
  out.after = bundle.record.state;
  out.report = advance(world, bundle.record.control, out.after, workspace, rk4);
  list_results(world, workspace);
  out.finite = is_finite(out.after);
  if (!out.finite) {
    out.description = describe_failure(world, bundle.record.state, out.after, workspace);
  }
  out.feet.resize(world.soles.feet.size());
  summarize_feet(world, out.after, workspace, out.feet);
  out.force_scale = world.force_scale;
  return out;
}

}  // namespace footfall
