// Section IV.B, Table II: how far from convex the wrenches of media are. Section III.B.3: how well three
// regressions learn them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "footfall/granular/learning.hpp"
#include "footfall/granular/resistive_force.hpp"
#include "footfall/granular/wrench_database.hpp"
#include "footfall/granular/wrench_hull.hpp"
#include "io/data_folders.hpp"
#include "reproduce/zhu2019_parts.hpp"

namespace footfall::zhu2019 {
namespace {

// The paper's own media, which are not ours to ship: from $FOOTFALL_SHARED_DATA, or beside the project.
std::optional<WrenchDatabase> find_measured(const std::string& medium) {
  std::vector<std::filesystem::path> folders;
  if (const char* given = std::getenv("FOOTFALL_SHARED_DATA")) {
    folders.emplace_back(given);
  } else {
    for (const std::filesystem::path& folder : data_folders(".")) {
      folders.push_back(folder / "../shared/data");
    }
  }
  for (const std::filesystem::path& folder : folders) {
    const std::filesystem::path file = folder / fmt::format("granular_{}.csv", medium);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) continue;
    ImportOptions options;
    options.medium = medium + ", measured";
    options.source = file.filename().string();
    options.foot.radius = 0.04;
    options.foot.reference_height = 0.1572;
    return import_wrenches(file, options).database;
  }
  return std::nullopt;
}

struct Medium {
  WrenchDatabase database;
  Concavity concavity;
};

void add_concavity(const std::vector<Medium>& media, Reproduction& out) {
  NumberTable table{.title = "Concavity, as in Table II (there: beads 0.0174, 0.1207; pebbles "
                             "0.0013, 0.0155; sand 0, 0)",
                    .columns = {"configurations", "average", "worst"},
                    .names = {},
                    .rows = {}};
  for (const Medium& m : media) {
    const Concavity& c = m.concavity;
    table.names.push_back(m.database.medium);
    table.rows.push_back({static_cast<double>(c.each.size()), c.average, c.worst});
    out.add(agrees(claimed("IV.B", fmt::format("{}: average concavity", m.database.medium), "",
                           "most of the wrench spaces are convex", c.average),
                   c.average < 0.05));
  }
  out.tables.push_back(table);
}

// Table I, and Table II: the paper's media, and our beads.
struct TableRow {
  const char* medium;     // its database's name
  int configurations;     // above zero depth, Table I
  double average, worst;  // Table II
  const char* grid_reason;
  const char* reason;
};
constexpr TableRow kTables[] = {
    {"sand, measured", 16, 0, 0, "0.07 m at 0.9 rad was not published",
     "of the published wrenches some, of a few newtons, lie inside the hull"},
    {"pebbles, measured", 12, 0.0013, 0.0155, "",
     "of the published wrenches more lie inside the hull than the table says"},
    {"beads", 28, 0.0174, 0.1207, "ours were sampled at 3 depths and 3 tilts",
     "another bed of grains, and fewer configurations"},
};

void add_tables(const std::vector<Medium>& media, Reproduction& out) {
  for (const TableRow& row : kTables) {
    const auto medium = std::find_if(media.begin(), media.end(), [&](const Medium& m) {
      return m.database.medium == row.medium;
    });
    if (medium == media.end()) continue;
    const std::string name = row.medium;
    const Concavity& found = medium->concavity;
    const auto count = static_cast<double>(medium->database.configurations.size());
    const Comparison grid =
        compared("Table I", name + ": configurations", "", row.configurations, count);
    out.add(count == row.configurations ? returns(grid, printed(1))
                                        : is_difference(grid, printed(1), row.grid_reason));
    out.add(is_difference(
        compared("Table II", name + ": average concavity", "", row.average, found.average),
        printed(1e-4), row.reason));
    out.add(
        is_difference(compared("Table II", name + ": worst concavity", "", row.worst, found.worst),
                      printed(1e-4), row.reason));
  }
}

// The paper's words are about its own data; other media get the table alone.
void add_regressions(const WrenchDatabase& medium, bool is_papers, Reproduction& out) {
  NumberTable table{.title = fmt::format("5-fold cross-validation: {}", medium.medium),
                    .columns = {"error over rms", "force x [N]", "force z [N]", "torque [N m]"},
                    .names = {},
                    .rows = {}};
  double rbf = 0, best = 1e300, worst = 0;
  for (const RegressionScore& s : compare_regressions(medium)) {
    table.names.emplace_back(regression_name(s.regression));
    table.rows.push_back({s.error, s.force_x_error, s.force_z_error, s.torque_error});
    if (s.regression == Regression::rbf) rbf = s.error;
    best = std::fmin(best, s.error);
    worst = std::fmax(worst, s.error);
  }
  out.tables.push_back(table);
  if (!is_papers) return;
  out.add(
      agrees(claimed("III.B.3", fmt::format("{}: worst over best of three errors", medium.medium),
                     "", "similar performance", worst / best),
             worst < 1.5 * best));
  out.add(agrees(claimed("III.B.3", fmt::format("{}: RBF's error over the best", medium.medium), "",
                         "outperforms GP and SVM slightly", rbf / best),
                 rbf <= 1.05 * best));
}

// Two routes to the same wrenches that share nothing: grains one by one (or a robot in sand), and resistive
// force theory, which was found with plates. One scale is fitted.
void add_theory(const WrenchDatabase& medium, bool is_fine, Reproduction& out) {
  const ResistiveFit fit = fit_resistive_scale(medium);
  const Comparison item = claimed(
      "II", fmt::format("{}: resistive force theory, error", medium.medium), "%", "about 30% error",
      100 * fit.error, is_fine ? "" : "its wrenches are not linear in depth");
  out.add(is_fine ? agrees(item, fit.error < 0.35) : disagrees(item, fit.error < 0.35));
}

void add_theory_figure(const WrenchDatabase& beads, Reproduction& out) {
  const double scale = fit_resistive_scale(beads).scale;
  std::array<PlotLine, 3> lines;
  for (std::size_t j = 0; j < beads.configurations.size(); ++j) {
    for (std::size_t i = 0; i < beads.directions.size(); ++i) {
      const PlanarWrench w =
          evaluate_resistive_wrench(beads.foot, beads.configurations[j], beads.directions[i]);
      const PlanarWrench& found = beads.at(j, i);
      const double theory[] = {w.force_x, w.force_z, w.torque_y};
      const double grains[] = {found.force_x, found.force_z, found.torque_y};
      for (std::size_t part = 0; part < 3; ++part) {
        lines[part].x.push_back(grains[part]);
        lines[part].y.push_back(scale * theory[part]);
      }
    }
  }
  Plot plot{.title = "Two routes to the wrenches of beads",
            .subtitle = fmt::format("resistive force theory, scale {:.3f}, against grains", scale),
            .panels = {},
            .columns = 3};
  constexpr std::array<const char*, 3> names = {"force x", "force z", "torque y"};
  constexpr std::array<const char*, 3> units = {"N", "N", "N m"};
  for (std::size_t part = 0; part < 3; ++part) {
    PlotLine& points = lines[part];
    points.label = "wrenches";
    points.style = LineStyle::points;
    const auto [least, most] = std::minmax_element(points.x.begin(), points.x.end());
    const std::vector<double> ends = {*least, *most};
    plot.panels.push_back({.title = names[part],
                           .x = {.label = "grains", .unit = units[part]},
                           .y = {.label = "theory", .unit = units[part]},
                           .lines = {points, {.label = "equal", .x = ends, .y = ends}}});
  }
  out.figures.push_back(
      {"theory-and-grains.svg", "resistive force theory against grains one by one", plot});
}

}  // namespace

void add_media(Reproduction& out) {
  std::vector<Medium> media;
  for (const char* name : {"play-sand", "pebbles", "beads"}) {
    media.push_back({load_medium(name), {}});
  }
  const WrenchDatabase beads = media.back().database;
  const std::optional<WrenchDatabase> sand = find_measured("sand"),
                                      pebbles = find_measured("pebbles");
  for (const auto* measured : {&sand, &pebbles}) {
    if (*measured) media.push_back({**measured, {}});
  }
  for (Medium& m : media) m.concavity = measure_concavity(m.database);
  add_concavity(media, out);
  add_tables(media, out);
  add_regressions(sand ? *sand : media.front().database, sand.has_value(), out);
  if (pebbles) add_regressions(*pebbles, true, out);
  add_theory(beads, true, out);
  if (sand) add_theory(*sand, true, out);
  if (pebbles) add_theory(*pebbles, false, out);
  add_theory_figure(beads, out);
}

}  // namespace footfall::zhu2019
