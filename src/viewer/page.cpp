#include "footfall/viewer/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "footfall/ground/wrench_model.hpp"
#include "footfall/record/rut_file.hpp"
#include "footfall/scenario/scenario.hpp"
#include "input_error.hpp"
#include "viewer/channels.hpp"
#include "viewer/dents.hpp"
#include "viewer/run_tables.hpp"

namespace footfall {
namespace {

using viewer::ArrayStore;
using viewer::Json;

// ---- granular media: the wrenches that the medium can give each foot, and the present one ----

bool has_grains(const RunContents& run) {
  return std::any_of(run.columns.begin(), run.columns.end(),
                     [](const RunColumn& c) { return c.name.ends_with("/surface_torque"); });
}

// The model that the run was made with, learned again from its database. None: the run has no such feet,
// or the database is not where it was, which `warning` says.
std::optional<WrenchModel> find_wrench_model(const RunContents& run, std::string& warning) {
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

// The page's WrenchSpaces: W about p_r in the surface frame, in the plane of x and z.
Json wrench_spaces_json(const RunContents& run, const viewer::Scene& scene,
                        const viewer::RunFrames& frames, const WrenchModel& model,
                        ArrayStore& arrays) {
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

// ---- one run's part of a page ----

// One run's part of a page, and what must be said about how it was made.
struct PageRun {
  Json json;
  std::vector<PageTable> tables;
  std::vector<std::string> warnings;
  std::string subtitle;
};

PageRun make_part(const RunContents& run, const std::string& name, const PageOptions& options,
                  ArrayStore& arrays) {
  if (run.row_count == 0) throw input_error("{}: has no rows to be shown", run.file);
  const viewer::Scene scene = viewer::read_scene(run);
  std::optional<RutGrid> ruts;
  if (has_ruts(run.file)) ruts = read_ruts(run.file);
  const RutGrid* kept = ruts ? &*ruts : nullptr;
  const viewer::RunFrames frames =
      viewer::compute_frames(run, scene, options.frame_rate, options.most_frames);
  PageRun out;
  // A live run has made no step yet: nothing can be said about it but what its ground is.
  if (options.mode == PageMode::live) {
    out.tables = viewer::soil_tables(run, scene);
  } else {
    const Json results = viewer::read_results(run, kept);
    out.warnings = viewer::run_warnings(run, results);
    out.tables = viewer::run_tables(run, scene, results);
  }
  if (frames.thinned) {
    out.warnings.push_back(fmt::format("Long run: {} poses are shown, fewer than {:g} per second.",
                                       frames.rows.size(), options.frame_rate));
  }
  Json ground = viewer::ground_json(scene, arrays);
  Json dents = viewer::dents_json(viewer::find_dents(run, scene, frames, kept), arrays);
  if (!dents.is_null()) ground["dents"] = std::move(dents);
  bool thinned = false;
  Json channels = viewer::channels_json(run, scene, frames, options.most_rows, arrays, thinned);
  if (thinned) {
    out.warnings.push_back(fmt::format(
        "Long run: plots show the least and the largest value of every {:.3g} ms; all {} "
        "rows are in the run file.",
        2e3 * run.column("time").at(run.row_count - 1) / options.most_rows, run.row_count));
  }
  Json loops = viewer::loops_json(channels, scene);
  out.json = {{"name", name},
              {"duration", run.column("time").at(frames.rows.back())},
              {"robot", viewer::robot_json(scene.robot, arrays)},
              {"ground", std::move(ground)},
              {"feet", viewer::feet_json(scene)},
              {"frames", viewer::frames_json(run, scene, frames, arrays)},
              {"channels", std::move(channels)},
              {"loops", std::move(loops)}};
  std::string missing;
  if (const auto model = find_wrench_model(run, missing)) {
    out.json["wrench_spaces"] = wrench_spaces_json(run, scene, frames, *model, arrays);
  }
  if (!missing.empty()) out.warnings.push_back(missing);
  out.subtitle = viewer::run_subtitle(run, scene, run.column("time").at(run.row_count - 1));
  return out;
}

Json tables_json(const std::vector<PageTable>& tables) {
  Json out = Json::array();
  for (const PageTable& t : tables) {
    out.push_back({{"title", t.title}, {"header", t.header}, {"rows", t.rows}});
  }
  return out;
}

Json texts_json(const std::vector<PageText>& texts) {
  Json out = Json::array();
  for (const PageText& t : texts) out.push_back({{"title", t.title}, {"text", t.text}});
  return out;
}

const char* mode_name(PageMode mode) {
  constexpr const char* names[] = {"embedded", "served", "live"};
  return names[static_cast<std::size_t>(mode)];
}

// All of a page but its runs.
Json page_json(const PageOptions& options) {
  Json page{{"format", "footfall page"},
            {"version", 1},
            {"mode", mode_name(options.mode)},
            {"title", options.title},
            {"subtitle", options.subtitle},
            {"command", options.command},
            {"warnings", options.warnings},
            {"runs", Json::array()},
            {"tables", tables_json(options.tables)},
            {"texts", texts_json(options.texts)}};
  if (!options.data_url.empty()) page["data_url"] = options.data_url;
  if (!options.live_url.empty()) page["live_url"] = options.live_url;
  return page;
}

std::string dump(const Json& page) {
  return page.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

PageContent make_run_page(const RunContents& run, const PageOptions& options) {
  ArrayStore arrays;
  const std::string scenario = std::filesystem::path(run.text("scenario_path")).stem().string();
  PageRun part =
      make_part(run, scenario.empty() ? run.text("robot_name") : scenario, options, arrays);
  PageOptions full = options;
  if (full.title.empty()) full.title = viewer::run_title(run);
  if (full.subtitle.empty()) full.subtitle = part.subtitle;
  if (full.command.empty()) full.command = run.text("command");
  full.warnings.insert(full.warnings.end(), part.warnings.begin(), part.warnings.end());
  full.tables.insert(full.tables.end(), part.tables.begin(), part.tables.end());
  std::vector<PageText> texts = viewer::run_texts(run);
  full.texts.insert(full.texts.begin(), texts.begin(), texts.end());
  Json page = page_json(full);
  page["runs"].push_back(std::move(part.json));
  return {dump(page), arrays.bytes()};
}

PageContent make_compare_page(const std::vector<RunContents>& runs,
                              const std::vector<std::string>& names, const PageOptions& options) {
  ArrayStore arrays;
  PageOptions full = options;
  Json parts = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    PageRun part = make_part(runs[i], names.at(i), options, arrays);
    for (const std::string& text : part.warnings) {
      full.warnings.push_back(fmt::format("{}: {}", names[i], text));
    }
    parts.push_back(std::move(part.json));
  }
  Json page = page_json(full);
  page["runs"] = std::move(parts);
  return {dump(page), arrays.bytes()};
}

}  // namespace footfall
