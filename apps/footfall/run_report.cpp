#include "run_report.hpp"

#include <fmt/format.h>

#include <fstream>
#include <numbers>
#include <sstream>

#include "foot_options.hpp"
#include "footfall/report/html.hpp"
#include "footfall/version.hpp"
#include "footfall/viewer/page.hpp"

namespace footfall {
namespace {

std::string degrees_text(double angle) {
  return fmt::format("{:.1f} degrees", angle * 180 / std::numbers::pi);
}

HtmlTable gait_table(const GaitSummary& g) {
  HtmlTable table{.header = {"gait", ""}};
  const auto row = [&](const char* what, const std::string& value) {
    table.rows.push_back({what, value});
  };
  row("way", fmt::format("{:.3f} m in {:.3g} s{}", g.distance, g.measured_time,
                         g.fall ? " until it fell" : ""));
  row("speed", fmt::format("{:.3f} m/s of {:.3f} m/s commanded", g.speed, g.goal.speed));
  if (g.goal.turn_rate != 0) {
    row("turning", fmt::format("{} per s of {} commanded", degrees_text(g.turn_rate),
                               degrees_text(g.goal.turn_rate)));
  }
  row("cost of transport",
      g.cost_of_transport ? fmt::format("{:.3f} ({:.4g} J of work)", *g.cost_of_transport, g.work)
                          : "none");
  row("footfalls", fmt::format("{}", g.footfalls));
  row("sinkage of a footfall", fmt::format("{} on average, {} at most", length_text(g.sinkage),
                                           length_text(g.largest_sinkage)));
  row("expected by the controller, at most", length_text(g.goal.expected_sinkage));
  row("slip of a footfall", length_text(g.slip));
  row("tilt of the base", degrees_text(g.largest_tilt) + " at most");
  row("motors at their limits", fmt::format("{:.1f} % of the time", 100 * g.saturation));
  return table;
}

HtmlTable feet_table(const RunSummary& s) {
  HtmlTable table{
      .header = {"foot at the end", "sinkage", "normal force", "tangential force", "friction use"}};
  for (const FootSummary& foot : s.feet) {
    const FootPatch& p = foot.patch;
    table.rows.push_back({p.touching ? foot.name : foot.name + " (in the air)",
                          length_text(p.sinkage), fmt::format("{:.4g} N", p.normal_force),
                          fmt::format("{:.3g} N", p.tangential_force),
                          fmt::format("{:.1f} %", 100 * p.friction_use)});
  }
  return table;
}

HtmlTable solver_table(const RunSummary& s) {
  HtmlTable table{.header = {"solver", ""}};
  table.rows.push_back({"iterations", fmt::format("{:.1f} on average, {} at most",
                                                  s.mean_iterations, s.max_iterations)});
  table.rows.push_back({"force error", fmt::format("{:.1e} N at most", s.largest_residual)});
  table.rows.push_back({"steps that did not converge", fmt::format("{}", s.not_converged)});
  table.rows.push_back({"speed", fmt::format("{:.0f} times real time", s.realtime_factor())});
  return table;
}

std::string read_all(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void write_plain_report(const std::filesystem::path& file, const Scenario& scenario,
                        const RunSummary& summary, const std::string& command_line,
                        const std::vector<std::string>& warnings) {
  HtmlPage page(fmt::format("{}: {}", summary.robot, summary.scenario));
  page.preformatted(command_line);
  page.warnings(warnings);
  if (summary.interrupted) {
    page.warnings({fmt::format("Interrupted after {:g} s.", summary.time)});
  }
  if (summary.gait && summary.gait->fall) {
    const Fall& fall = *summary.gait->fall;
    page.warnings({fmt::format("Fell after {:.3f} s at x {:.2f} m, y {:.2f} m: {}.", fall.time,
                               fall.position.x, fall.position.y, fall.reason)});
  }
  page.picture(read_all(summary.picture_file));
  if (summary.gait) page.table(gait_table(*summary.gait));
  if (!summary.feet.empty()) page.table(feet_table(summary));
  if (summary.ruts) {
    page.paragraph(fmt::format("Ruts: deepest {}, {:.3g} litres of soil displaced.",
                               length_text(summary.ruts->deepest), 1e3 * summary.ruts->volume));
  }
  page.table(solver_table(summary));
  page.heading("The scenario");
  page.preformatted(scenario.text);
  page.paragraph(fmt::format("All numbers over time are in {} (HDF5). footfall {}",
                             summary.result_file.filename().string(), version));
  page.paragraph(fmt::format("A plain page: {}.", viewer_note()));
  page.write(file);
}

}  // namespace

PageContent write_run_report(const std::filesystem::path& file, const Scenario& scenario,
                             const RunSummary& summary, const RunData& recorded,
                             const std::string& command_line,
                             const std::vector<std::string>& warnings) {
  if (viewer_html().empty()) {
    write_plain_report(file, scenario, summary, command_line, warnings);
    return {};
  }
  PageOptions options;
  options.warnings = warnings;
  if (summary.interrupted) {
    options.warnings.push_back(fmt::format("Interrupted after {:g} s.", summary.time));
  }
  PageContent page = make_run_page(recorded, options);
  write_page(file, page);
  return page;
}

}  // namespace footfall
