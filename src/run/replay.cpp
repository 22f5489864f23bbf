#include "footfall/run/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "footfall/io/new_file.hpp"
#include "footfall/record/rut_file.hpp"
#include "footfall/step/rk4.hpp"
#include "footfall/version.hpp"
#include "input_error.hpp"
#include "io/config.hpp"
#include "io/text_file.hpp"
#include "run/memory_archive.hpp"

namespace footfall {
namespace {

using Json = nlohmann::ordered_json;

bool all_finite(const std::vector<double>& values) {
  double sum = 0;  // of zeros, unless one is infinite or not a number
  for (const double v : values) sum += v * 0;
  return sum == 0;
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
  const OutputsAtOnce at_once;
  make_folder(folder);
  const State<double>& s = record.state;
  std::error_code error;
  const std::filesystem::path base =
      std::filesystem::absolute(scenario.folder.empty() ? "." : scenario.folder, error);
  Json json{{"footfall", build_description()},
            {"command", record.command},
            {"scenario_file", scenario.file.string()},
            {"scenario_folder", base.lexically_normal().string()},
            {"step", record.step}};
  list_state(MemoryWriter(json["state"]), s);
  list_control(MemoryWriter(json["control"]), record.control);
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
    list_state(MemoryReader(json.at("state")), record.state);
    if (!record.state.memory.ruts.empty()) {
      record.state.memory.ruts[0] = read_ruts(folder / "ruts.h5");
    }
    list_control(MemoryReader(json.at("control")), record.control);
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
