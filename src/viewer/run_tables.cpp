#include "viewer/run_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "footfall/io/length_text.hpp"
#include "io/words.hpp"

namespace footfall::viewer {
namespace {

// Of columns of one number.
double largest(const RunColumn& column, int rows) {
  double out = 0;
  for (int r = 0; r < rows; ++r) {
    out = std::isfinite(column.at(r)) ? std::max(out, column.at(r)) : out;
  }
  return out;
}

double sum_of(const RunColumn& column, int rows) {
  double sum = 0;
  for (int r = 0; r < rows; ++r) sum += std::isfinite(column.at(r)) ? column.at(r) : 0;
  return sum;
}

double end_time(const RunContents& run) { return run.column("time").at(run.row_count - 1); }

// A text of the run file that is a JSON object; without it null.
Json object_of(const RunContents& run, const char* text) {
  const auto found = run.texts.find(text);
  if (found == run.texts.end()) return nullptr;
  Json object = Json::parse(found->second, nullptr, false);
  return object.is_object() ? object : Json(nullptr);
}

void add_results(const Json& results, const char* object, PageTable& table) {
  for (const ResultText& row : labelled_results(results, object)) {
    table.rows.push_back({row.label, row.text});
  }
}

PageTable results_table(const Json& results, const char* title, const char* object) {
  PageTable table{.title = title, .header = {"", "value"}};
  add_results(results, object, table);
  return table;
}

PageTable feet_table(const RunContents& run, const Scene& scene) {
  PageTable table{.title = "Feet",
                  .header = {"foot", "deepest", "depth at the end", "largest normal force",
                             "normal force at the end", "largest tangential force",
                             "friction use at the end", "on the ground"}};
  const int last = run.row_count - 1;
  for (int f = 0; f < static_cast<int>(scene.feet.size()); ++f) {
    const auto column = [&](const char* name) -> const RunColumn& {
      return run.foot_column(f, name);
    };
    table.rows.push_back(
        {scene.feet[f].name, length_text(largest(column("sinkage"), run.row_count)),
         column("touching").at(last) != 0 ? length_text(column("sinkage").at(last)) : "in the air",
         fmt::format("{:.4g} N", largest(column("normal_force"), run.row_count)),
         fmt::format("{:.4g} N", column("normal_force").at(last)),
         fmt::format("{:.3g} N", largest(column("tangential_force"), run.row_count)),
         fmt::format("{:.1f} %", 100 * column("friction_use").at(last)),
         fmt::format("{:.0f} % of the time",
                     100 * sum_of(column("touching"), run.row_count) / run.row_count)});
  }
  return table;
}

// Bodies that touched the ground with other parts than soles; without rows: none did.
PageTable body_table(const RunContents& run) {
  PageTable table{.title = "Other parts that touched the ground",
                  .header = {"body", "largest normal force", "normal force at the end",
                             "of the weight at the end", "on the ground"}};
  const RunColumn* found = run.find_column("body_contacts/normal_force");
  if (found == nullptr) return table;
  const std::vector<double>& g = run.constant("robot/weight").values;
  const double weight = std::hypot(g.at(0), g.at(1), g.at(2));
  for (int k = 0; k < found->width; ++k) {
    double most = 0;
    int touching = 0;
    for (int row = 0; row < run.row_count; ++row) {
      most = std::fmax(most, found->at(row, k));
      touching += found->at(row, k) != 0 ? 1 : 0;
    }
    if (touching == 0) continue;
    const double last = found->at(run.row_count - 1, k);
    table.rows.push_back({found->names.at(static_cast<std::size_t>(k)),
                          fmt::format("{:.4g} N", most), fmt::format("{:.4g} N", last),
                          weight > 0 ? fmt::format("{:.1f} %", 100 * last / weight) : "",
                          fmt::format("{:.0f} % of the time", 100.0 * touching / run.row_count)});
  }
  return table;
}

PageTable solver_table(const RunContents& run, const Json& results) {
  PageTable table = results_table(results, "Solver", "solver");
  double per_step = 0;
  for (const RunColumn& c : run.columns) {
    if (c.name.starts_with("stages/")) per_step += sum_of(c, run.row_count) / run.row_count;
  }
  if (per_step > 0) {
    table.rows.push_back({"time per step, without recording",
                          fmt::format("{:.2f} µs, {:.0f} times real time", 1e6 * per_step,
                                      run.number("timestep_s") / per_step)});
  }
  return table;
}

PageTable overview_table(const RunContents& run, const Scene& scene, const Json& results) {
  PageTable table{.title = "Run", .header = {"", "value"}};
  table.rows.push_back(
      {"robot", fmt::format("{}, {:.4g} kg", run.text("robot_name"), scene.robot.total_mass())});
  table.rows.push_back({"time", fmt::format("{:g} s in steps of {:g} ms", end_time(run),
                                            1e3 * run.number("timestep_s"))});
  table.rows.push_back({"rows recorded", fmt::format("{}", run.row_count)});
  for (const char* object : {"", "body_contacts", "energy", "ruts"})
    add_results(results, object, table);
  table.rows.push_back({"recorded by", "footfall " + run.text("footfall_version")});
  return table;
}

// "key = value" of a soil file's text, line by line. Units stand in the keys.
PageTable soil_table(const std::string& name, const std::string& text) {
  PageTable table{.title = "Soil " + name, .header = {"parameter", "value"}};
  std::string_view rest = text, line;
  while (next_line(rest, line)) {
    const std::size_t equal = line.find(" = ");
    if (equal == line.npos || line.starts_with("name")) continue;
    std::string value(line.substr(equal + 3));
    std::erase(value, '"');
    table.rows.push_back({std::string(line.substr(0, equal)), value});
  }
  return table;
}

}  // namespace

std::vector<PageTable> soil_tables(const RunContents& run, const Scene& scene) {
  std::vector<PageTable> out;
  const auto texts = run.lists.find("soil_texts");
  for (std::size_t i = 0; texts != run.lists.end() && i < texts->second.size(); ++i) {
    if (i >= scene.soils.size()) break;
    PageTable table = soil_table(scene.soils[i].name, texts->second[i]);
    if (!table.rows.empty()) out.push_back(std::move(table));
  }
  return out;
}

Json read_results(const RunContents& run, const RutGrid* ruts) {
  Json json = object_of(run, "summary");
  if (!json.is_null()) return json;
  const RunColumn &iterations = run.column("solver/iterations"),
                  &energy = run.column("energy/total");
  const double failed = run.row_count - sum_of(run.column("solver/converged"), run.row_count);
  json = {{"solver",
           {{"iterations_mean", sum_of(iterations, run.row_count) / run.row_count},
            {"iterations_max", std::lround(largest(iterations, run.row_count))},
            {"not_converged", std::lround(failed)},
            {"residual_max_N", largest(run.column("solver/residual"), run.row_count)}}},
          {"energy", {{"change_J", energy.at(run.row_count - 1) - energy.at(0)}}},
          {"gait", object_of(run, "gait")}};
  if (ruts != nullptr) {
    json["ruts"] = {{"deepest_m", ruts->deepest().cell.sinkage},
                    {"displaced_volume_m3", ruts->displaced_volume()}};
  }
  return json;
}

std::vector<PageTable> run_tables(const RunContents& run, const Scene& scene, const Json& results) {
  std::vector<PageTable> out;
  PageTable gait = results_table(results, "Gait", "gait");
  if (!gait.rows.empty()) out.push_back(std::move(gait));
  if (!scene.feet.empty()) out.push_back(feet_table(run, scene));
  PageTable body = body_table(run);
  if (!body.rows.empty()) out.push_back(std::move(body));
  out.push_back(overview_table(run, scene, results));
  out.push_back(solver_table(run, results));
  for (PageTable& table : soil_tables(run, scene)) out.push_back(std::move(table));
  return out;
}

std::vector<std::string> run_warnings(const RunContents& run, const Json& results) {
  std::vector<std::string> out;
  if (!run.complete) {
    out.push_back(
        fmt::format("The run was cut short: it was recorded up to {:g} s.", end_time(run)));
  }
  for (const Json& text : result_value(results, "warnings")) {
    if (text.is_string()) out.push_back(text);
  }
  if (!result_value(results, "gait/fall/time_s").is_null()) {
    out.push_back(fmt::format("The robot fell after {}: {}.",
                              result_text(results, "gait/fall/time_s"),
                              result_text(results, "gait/fall/reason")));
  }
  if (result_value(results, "solver/not_converged") > 0) {
    out.push_back(
        fmt::format("{} steps did not converge.", result_text(results, "solver/not_converged")));
  }
  return out;
}

std::string run_title(const RunContents& run) {
  const std::string robot = run.text("robot_name").empty() ? "robot" : run.text("robot_name");
  const std::vector<std::string>& soils = run.list("soil_names");
  return soils.empty() ? robot : fmt::format("{} on {}", robot, fmt::join(soils, ", "));
}

std::string run_subtitle(const RunContents& run, const Scene& scene, double duration) {
  const std::string scenario = std::filesystem::path(run.text("scenario_path")).filename().string();
  return fmt::format("{}{:.4g} kg · {:g} s in steps of {:g} ms",
                     scenario.empty() ? "" : scenario + " · ", scene.robot.total_mass(), duration,
                     1e3 * run.number("timestep_s"));
}

std::vector<PageText> run_texts(const RunContents& run) {
  std::vector<PageText> out{{"Scenario", run.text("scenario_text")}};
  const auto texts = run.lists.find("soil_texts");
  const std::vector<std::string>& names = run.list("soil_names");
  for (std::size_t i = 0; texts != run.lists.end() && i < texts->second.size(); ++i) {
    if (i < names.size()) out.push_back({"Soil " + names[i], texts->second[i]});
  }
  return out;
}

}  // namespace footfall::viewer
