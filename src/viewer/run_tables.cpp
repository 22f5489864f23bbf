#include "viewer/run_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace footfall::viewer {
namespace {

// "12.3 mm", "0.31 m": in the unit in which it reads best.
std::string metres_text(double metres) {
  const double size = std::fabs(metres);
  if (size >= 0.1) return fmt::format("{:.4g} m", metres);
  if (size >= 1e-4 || size == 0) return fmt::format("{:.4g} mm", 1e3 * metres);
  return fmt::format("{:.4g} µm", 1e6 * metres);
}

std::string degrees_text(double angle) {
  return fmt::format("{:.1f}°", angle * 180 / std::numbers::pi);
}

double largest(const RunColumn& column) {
  double out = 0;
  for (const double v : column.values) out = std::isfinite(v) ? std::max(out, v) : out;
  return out;
}

double sum_of(const RunColumn& column) {
  double sum = 0;
  for (const double v : column.values) sum += std::isfinite(v) ? v : 0;
  return sum;
}

// What the gait came to, as the run file has it; null without.
Json gait_of(const RunData& run) {
  const auto found = run.texts.find("gait");
  if (found == run.texts.end()) return nullptr;
  Json gait = Json::parse(found->second, nullptr, false);
  return gait.is_object() ? gait : Json(nullptr);
}

double number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

PageTable gait_table(const Json& g) {
  PageTable table{.title = "Gait", .header = {"", "value"}};
  const auto row = [&](const char* what, const std::string& value) {
    table.rows.push_back({what, value});
  };
  const bool fell = g.value("fell", false);
  row("way", fmt::format("{:.3f} m in {:.3g} s{}", number_of(g, "distance_m"),
                         number_of(g, "measured_time_s"), fell ? " until it fell" : ""));
  row("speed", fmt::format("{:.3f} m/s of {:.3f} m/s commanded", number_of(g, "speed_m_per_s"),
                           number_of(g, "commanded_speed_m_per_s")));
  if (number_of(g, "commanded_turn_rate_rad_per_s") != 0) {
    row("turning",
        fmt::format("{}/s of {}/s commanded", degrees_text(number_of(g, "turn_rate_rad_per_s")),
                    degrees_text(number_of(g, "commanded_turn_rate_rad_per_s"))));
  }
  const bool has_cost = g.contains("cost_of_transport") && g["cost_of_transport"].is_number();
  row("cost of transport",
      has_cost ? fmt::format("{:.3f} ({:.4g} J of work)", number_of(g, "cost_of_transport"),
                             number_of(g, "work_J"))
               : "none");
  row("footfalls", fmt::format("{:g}", number_of(g, "footfalls")));
  row("sinkage of a footfall",
      fmt::format("{} on average, {} at most", metres_text(number_of(g, "sinkage_mean_m")),
                  metres_text(number_of(g, "sinkage_max_m"))));
  row("expected by the controller, at most", metres_text(number_of(g, "expected_sinkage_m")));
  row("slip of a footfall", metres_text(number_of(g, "slip_per_footfall_m")));
  row("tilt of the base", degrees_text(number_of(g, "tilt_max_rad")) + " at most");
  row("motors at their limits",
      fmt::format("{:.1f} % of the time", 100 * number_of(g, "motor_saturation")));
  return table;
}

PageTable feet_table(const RunData& run, const Scene& scene) {
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
        {scene.feet[static_cast<std::size_t>(f)].name, metres_text(largest(column("sinkage"))),
         column("touching").at(last) != 0 ? metres_text(column("sinkage").at(last)) : "in the air",
         fmt::format("{:.4g} N", largest(column("normal_force"))),
         fmt::format("{:.4g} N", column("normal_force").at(last)),
         fmt::format("{:.3g} N", largest(column("tangential_force"))),
         fmt::format("{:.1f} %", 100 * column("friction_use").at(last)),
         fmt::format("{:.0f} % of the time", 100 * sum_of(column("touching")) / run.row_count)});
  }
  return table;
}

PageTable solver_table(const RunData& run) {
  PageTable table{.title = "Solver", .header = {"", "value"}};
  const RunColumn& iterations = run.column("solver/iterations");
  table.rows.push_back(
      {"iterations", fmt::format("{:.1f} on average, {:g} at most",
                                 sum_of(iterations) / run.row_count, largest(iterations))});
  table.rows.push_back(
      {"force error", fmt::format("{:.1e} N at most", largest(run.column("solver/residual")))});
  table.rows.push_back(
      {"steps that did not converge",
       fmt::format("{:.0f} of {}", run.row_count - sum_of(run.column("solver/converged")),
                   run.row_count)});
  double per_step = 0;
  for (const RunColumn& c : run.columns) {
    if (c.name.starts_with("stages/")) per_step += sum_of(c) / run.row_count;
  }
  if (per_step > 0) {
    table.rows.push_back({"time per step, without recording",
                          fmt::format("{:.2f} µs, {:.0f} times real time", 1e6 * per_step,
                                      run.number("timestep_s") / per_step)});
  }
  return table;
}

PageTable overview_table(const RunData& run, const Scene& scene, const RutGrid* ruts) {
  PageTable table{.title = "Run", .header = {"", "value"}};
  const int last = run.row_count - 1;
  const RunColumn& energy = run.column("energy/total");
  table.rows.push_back(
      {"robot", fmt::format("{}, {:.4g} kg", run.text("robot_name"), scene.robot.total_mass())});
  table.rows.push_back(
      {"time", fmt::format("{:g} s in steps of {:g} ms", run.column("time").at(last),
                           1e3 * run.number("timestep_s"))});
  table.rows.push_back({"rows recorded", fmt::format("{}", run.row_count)});
  table.rows.push_back(
      {"energy", fmt::format("{:+.4g} J from start to end", energy.at(last) - energy.at(0))});
  if (ruts != nullptr) {
    table.rows.push_back({"deepest rut", metres_text(ruts->deepest().cell.sinkage)});
    table.rows.push_back(
        {"soil displaced", fmt::format("{:.3g} litres", 1e3 * ruts->displaced_volume())});
  }
  table.rows.push_back({"recorded by", "footfall " + run.text("footfall_version")});
  return table;
}

// "key = value" of a soil file's text, line by line. Units stand in the keys.
PageTable soil_table(const std::string& name, const std::string& text) {
  PageTable table{.title = "Soil " + name, .header = {"parameter", "value"}};
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    from = end + 1;
    const std::size_t equal = line.find(" = ");
    if (equal == std::string::npos || line.starts_with("name")) continue;
    std::string value = line.substr(equal + 3);
    std::erase(value, '"');
    table.rows.push_back({line.substr(0, equal), value});
  }
  return table;
}

}  // namespace

std::vector<PageTable> soil_tables(const RunData& run, const Scene& scene) {
  std::vector<PageTable> out;
  const auto texts = run.lists.find("soil_texts");
  for (std::size_t i = 0; texts != run.lists.end() && i < texts->second.size(); ++i) {
    if (i >= scene.soils.size()) break;
    PageTable table = soil_table(scene.soils[i].name, texts->second[i]);
    if (!table.rows.empty()) out.push_back(std::move(table));
  }
  return out;
}

std::vector<PageTable> run_tables(const RunData& run, const Scene& scene, const RutGrid* ruts) {
  std::vector<PageTable> out;
  const Json gait = gait_of(run);
  if (!gait.is_null()) out.push_back(gait_table(gait));
  if (!scene.feet.empty()) out.push_back(feet_table(run, scene));
  out.push_back(overview_table(run, scene, ruts));
  out.push_back(solver_table(run));
  for (PageTable& table : soil_tables(run, scene)) out.push_back(std::move(table));
  return out;
}

std::vector<std::string> run_warnings(const RunData& run) {
  std::vector<std::string> out;
  const double end = run.column("time").at(run.row_count - 1);
  if (!run.complete) {
    out.push_back(fmt::format("The run was cut short: it was recorded up to {:g} s.", end));
  }
  const Json gait = gait_of(run);
  if (gait.is_object() && gait.value("fell", false) && gait.contains("fall")) {
    const Json& fall = gait["fall"];
    out.push_back(fmt::format("The robot fell after {:.3f} s: {}.", number_of(fall, "time_s"),
                              fall.value("reason", std::string("no reason recorded"))));
  }
  const double failed = run.row_count - sum_of(run.column("solver/converged"));
  if (failed > 0) out.push_back(fmt::format("{:.0f} steps did not converge.", failed));
  return out;
}

std::string run_title(const RunData& run) {
  const std::string robot = run.text("robot_name").empty() ? "robot" : run.text("robot_name");
  const std::vector<std::string>& soils = run.list("soil_names");
  return soils.empty() ? robot : fmt::format("{} on {}", robot, fmt::join(soils, ", "));
}

std::string run_subtitle(const RunData& run, const Scene& scene, double duration) {
  const std::string scenario = std::filesystem::path(run.text("scenario_path")).filename().string();
  return fmt::format("{}{:.4g} kg · {:g} s in steps of {:g} ms",
                     scenario.empty() ? "" : scenario + " · ", scene.robot.total_mass(), duration,
                     1e3 * run.number("timestep_s"));
}

std::vector<PageText> run_texts(const RunData& run) {
  std::vector<PageText> out{{"Scenario", run.text("scenario_text")}};
  const auto texts = run.lists.find("soil_texts");
  const std::vector<std::string>& names = run.list("soil_names");
  for (std::size_t i = 0; texts != run.lists.end() && i < texts->second.size(); ++i) {
    if (i < names.size()) out.push_back({"Soil " + names[i], texts->second[i]});
  }
  return out;
}

}  // namespace footfall::viewer
