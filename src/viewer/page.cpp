#include "footfall/viewer/page.hpp"

#include <fmt/format.h>

#include <optional>

#include "footfall/record/rut_file.hpp"
#include "input_error.hpp"
#include "viewer/channels.hpp"
#include "viewer/dents.hpp"
#include "viewer/run_tables.hpp"
#include "viewer/wrench_spaces.hpp"

namespace footfall {
namespace {

using viewer::ArrayStore;
using viewer::Json;

// One run's part of a page, and what must be said about how it was made.
struct RunPart {
  Json json;
  std::vector<PageTable> tables;
  std::vector<std::string> warnings;
  std::string subtitle;
};

RunPart make_part(const RunData& run, const std::string& name, const PageOptions& options,
                  ArrayStore& arrays) {
  if (run.row_count == 0) throw input_error("{}: has no rows to be shown", run.file);
  const viewer::Scene scene = viewer::read_scene(run);
  std::optional<RutGrid> ruts;
  if (has_ruts(run.file)) ruts = read_ruts(run.file);
  const RutGrid* kept = ruts ? &*ruts : nullptr;
  const viewer::RunFrames frames =
      viewer::compute_frames(run, scene, options.frame_rate, options.most_frames);
  RunPart out;
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
  if (const auto model = viewer::find_wrench_model(run, missing)) {
    out.json["wrench_spaces"] = viewer::wrench_spaces_json(run, scene, frames, *model, arrays);
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

PageContent make_run_page(const RunData& run, const PageOptions& options) {
  ArrayStore arrays;
  const std::string scenario = std::filesystem::path(run.text("scenario_path")).stem().string();
  RunPart part =
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

PageContent make_compare_page(const std::vector<RunData>& runs,
                              const std::vector<std::string>& names, const PageOptions& options) {
  ArrayStore arrays;
  PageOptions full = options;
  Json parts = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    RunPart part = make_part(runs[i], names.at(i), options, arrays);
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
