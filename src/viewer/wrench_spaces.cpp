#include "viewer/wrench_spaces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/error.hpp"
#include "footfall/scenario/scenario.hpp"

namespace footfall::viewer {
namespace {

bool has_grains(const RunData& run) {
  return std::any_of(run.columns.begin(), run.columns.end(),
                     [](const RunColumn& c) { return c.name.ends_with("/surface_torque"); });
}

}  // namespace

std::optional<WrenchModel> find_wrench_model(const RunData& run, std::string& warning) {
  if (!has_grains(run)) return std::nullopt;
  try {
    const std::filesystem::path path = run.text("scenario_path");
    const Scenario scenario =
        parse_scenario(run.text("scenario_text"), path.filename().string(), path.parent_path());
    return WrenchModel(
        learn_wrenches(read_wrench_database(scenario.wrench.database), scenario.wrench.learning));
  } catch (const InputError& error) {
    warning = fmt::format("Wrench spaces are not shown: {}", error.what());
    return std::nullopt;
  }
}

Json wrench_spaces_json(const RunData& run, const Scene& scene, const RunFrames& frames,
                        const WrenchModel& model, ArrayStore& arrays) {
  Json feet = Json::array();
  WrenchVertices at = model.make_vertices();
  const int count = model.vertex_count();
  for (int f = 0; f < static_cast<int>(scene.feet.size()); ++f) {
    const RunColumn &depth = run.foot_column(f, "depth"), &tilt = run.foot_column(f, "tilt"),
                    &force = run.foot_column(f, "surface_force"),
                    &torque = run.foot_column(f, "surface_torque"),
                    &clamped = run.foot_column(f, "clamped");
    std::vector<double> vertices, wrench, flags;
    for (const int row : frames.rows) {
      model.predict({depth.at(row), tilt.at(row)}, at);
      for (int k = 0; k < count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        vertices.insert(vertices.end(), {at.force_x[i], at.force_z[i], at.torque_y[i]});
      }
      wrench.insert(wrench.end(), {force.at(row, 0), force.at(row, 2), torque.at(row, 1)});
      flags.push_back(clamped.at(row));
    }
    feet.push_back({{"foot", f},
                    {"vertex_count", count},
                    {"vertices", arrays.add_range(vertices, 3 * count)},
                    {"wrench", arrays.add_range(wrench, 3)},
                    {"clamped", arrays.add_flags(flags)}});
  }
  return {{"feet", std::move(feet)}};
}

}  // namespace footfall::viewer
