// footfall granular learn: how well a database's wrench spaces are learned.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/granular/learning.hpp"
#include "footfall/granular/wrench_hull.hpp"
#include "footfall/report/html.hpp"
#include "granular_parts.hpp"
#include "input_error.hpp"
#include "io/data_folders.hpp"

namespace footfall::granular_commands {
namespace {

constexpr double kLongWrench = 5;  // [N]: clear of the noise of a foot that is lifted

struct LearnCommand {
  std::string file, report;
  std::string regression;  // empty: all
  std::optional<int> folds;
  bool json = false;
};

struct Learned {
  WrenchDatabase database;
  std::vector<RegressionScore> scores;
  std::vector<double> prediction_times;  // [s]
  int folds = 0;
  Concavity paper, with_zero, of_long;
};

// Of a prediction, over configurations that lie about the data.
double measure_prediction(const WrenchDatabase& database, Regression regression) {
  const WrenchModel model(learn_wrenches(database, {regression}));
  WrenchVertices w = model.make_vertices();
  constexpr int kBatches = 20, kTimes = 500;
  double least = std::numeric_limits<double>::infinity();  // of a batch: others use the machine too
  for (int batch = 0; batch < kBatches; ++batch) {
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < kTimes; ++k) {
      const double share = static_cast<double>(k) / kTimes;
      model.predict({share * model.deepest(), (2 * share - 1) * model.largest_tilt()}, w);
    }
    const auto end = std::chrono::steady_clock::now();
    least = std::min(least, std::chrono::duration<double>(end - begin).count() / kTimes);
  }
  return least;
}

Learned learn_all(const LearnCommand& c) {
  Learned learned;
  learned.database = read_wrench_database(find_file(medium_files(), c.file, "", ""));
  const WrenchDatabase& database = learned.database;
  const auto n = static_cast<int>(database.configurations.size());
  learned.folds = c.folds.value_or(std::clamp(n, 2, 5));
  if (learned.folds > n) {
    throw input_error("{} has {} configuration{}, expected at least as many as folds ({})", c.file,
                      n, n == 1 ? "" : "s", learned.folds);
  }
  for (const Regression regression :
       {Regression::rbf, Regression::gaussian_process, Regression::support_vector}) {
    if (!c.regression.empty() && c.regression != regression_name(regression)) continue;
    learned.scores.push_back(score_regression(database, regression, learned.folds));
    learned.prediction_times.push_back(measure_prediction(database, regression));
  }
  learned.paper = measure_concavity(database);
  learned.with_zero = measure_concavity(database, {.with_zero = true});
  learned.of_long = measure_concavity(database, {.least_length = kLongWrench});
  return learned;
}

std::string hyperparameter_text(const RegressionScore& s) {
  const Hyperparameters& h = s.hyperparameters;
  std::string text = kernel_name(h.kernel);
  if (h.kernel == Kernel::linear || h.kernel == Kernel::thin_plate) {
    text += fmt::format(", 1 rad as {:.3g} mm", 1e3 * h.depth_length / h.tilt_length);
  } else {
    text += fmt::format(", {:.3g} mm, {:.3g} rad", 1e3 * h.depth_length, h.tilt_length);
  }
  if (s.regression == Regression::gaussian_process) text += fmt::format(", noise {:.3g}", h.noise);
  if (s.regression == Regression::support_vector) {
    text += fmt::format(", tube {:g}, bound {:g}", h.tube, h.bound);
  }
  return text;
}

std::vector<std::vector<std::string>> score_rows(const Learned& learned) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < learned.scores.size(); ++i) {
    const RegressionScore& s = learned.scores[i];
    rows.push_back(
        {regression_name(s.regression), fmt::format("{:.2f}", 100 * s.error),
         fmt::format("{:.2f}", s.force_x_error), fmt::format("{:.2f}", s.force_z_error),
         fmt::format("{:.3f}", s.torque_error), fmt::format("{:.1f}", 1e3 * s.learning_time),
         fmt::format("{:.0f}", 1e9 * learned.prediction_times[i]), hyperparameter_text(s)});
  }
  return rows;
}

std::vector<std::vector<std::string>> concavity_rows(const Learned& learned) {
  const auto row = [](const std::string& name, const Concavity& c) {
    return std::vector<std::string>{name, fmt::format("{:.4f}", c.average),
                                    fmt::format("{:.4f}", c.worst)};
  };
  return {row("as Zhu 2019, Table II", learned.paper),
          row("with zero in the hull", learned.with_zero),
          row(fmt::format("wrenches above {:g} N only", kLongWrench), learned.of_long)};
}

std::string database_text(const WrenchDatabase& d) {
  double deepest = 0, largest = 0;
  for (const FootConfiguration& c : d.configurations) {
    deepest = std::max(deepest, c.depth);
    largest = std::max(largest, std::abs(c.tilt));
  }
  return fmt::format("{} under a {}: {} configurations to {:g} mm and {:g} rad, {} directions",
                     d.medium, shape_name(d.foot.shape), d.configurations.size(), 1e3 * deepest,
                     largest, d.directions.size());
}

void print_learned(const Learned& learned) {
  fmt::print("{}\n\nCross-validation in {} folds, hyper-parameters chosen anew in each\n\n",
             database_text(learned.database), learned.folds);
  fmt::print("  {:<6}{:>9}{:>12}{:>12}{:>14}{:>11}{:>12}\n", "", "error", "force x", "force z",
             "torque y", "learned", "predicted");
  for (const std::vector<std::string>& row : score_rows(learned)) {
    fmt::print("  {:<6}{:>7} %{:>10} N{:>10} N{:>10} N m{:>8} ms{:>9} ns   {}\n", row[0], row[1],
               row[2], row[3], row[4], row[5], row[6], row[7]);
  }
  fmt::print("\nConcavity, of W's wrenches under their hull{:>10}{:>10}\n\n", "average", "worst");
  for (const std::vector<std::string>& row : concavity_rows(learned)) {
    fmt::print("  {:<41}{:>10}{:>10}\n", row[0], row[1], row[2]);
  }
}

Json learned_json(const LearnCommand& c, const Learned& learned) {
  Json json{{"database", c.file},
            {"medium", learned.database.medium},
            {"configurations", learned.database.configurations.size()},
            {"directions", learned.database.directions.size()},
            {"folds", learned.folds}};
  for (std::size_t i = 0; i < learned.scores.size(); ++i) {
    const RegressionScore& s = learned.scores[i];
    const Hyperparameters& h = s.hyperparameters;
    json["regressions"].push_back({{"name", regression_name(s.regression)},
                                   {"error", s.error},
                                   {"force_x_error_N", s.force_x_error},
                                   {"force_z_error_N", s.force_z_error},
                                   {"torque_y_error_Nm", s.torque_error},
                                   {"learning_time_s", s.learning_time},
                                   {"prediction_time_s", learned.prediction_times[i]},
                                   {"kernel", kernel_name(h.kernel)},
                                   {"depth_length_m", h.depth_length},
                                   {"tilt_length_rad", h.tilt_length},
                                   {"noise", h.noise},
                                   {"tube", h.tube},
                                   {"bound", h.bound}});
  }
  const auto concavity = [](const Concavity& k) {
    return Json{{"average", k.average}, {"worst", k.worst}, {"each", k.each}};
  };
  json["concavity"] = concavity(learned.paper);
  json["concavity_with_zero"] = concavity(learned.with_zero);
  json["concavity_above_5_N"] = concavity(learned.of_long);
  return json;
}

void write_learn_report(const LearnCommand& c, const Learned& learned) {
  HtmlPage page(fmt::format("Wrench spaces of {}", learned.database.medium));
  page.paragraph(database_text(learned.database) + ".");
  page.paragraph("Made by: " + learned.database.source);
  page.heading("Regressions");
  page.paragraph(fmt::format("Cross-validation in {} folds, with hyper-parameters chosen anew in "
                             "each. The error is the rms "
                             "over all wrenches, each part over its own rms.",
                             learned.folds));
  page.table({.header = {"regression", "error [%]", "force x [N]", "force z [N]", "torque y [N m]",
                         "learned [ms]", "predicted [ns]", "hyper-parameters"},
              .rows = score_rows(learned)});
  page.heading("Concavity");
  page.table({.header = {"of wrenches under their hull", "average", "worst"},
              .rows = concavity_rows(learned)});
  page.heading("Over depth");
  const WrenchModel model(learn_wrenches(learned.database, {learned.scores.front().regression}));
  page.plot(draw_learned(learned.database, model));
  page.heading("Wrench spaces");
  WrenchVertices w = model.make_vertices();
  for (const double tilt : {0.0, 0.5 * model.largest_tilt()}) {
    const PredictedAt at = model.predict({0.6 * model.deepest(), tilt}, w);
    const std::vector<PlanarWrench> points = points_of(w, model.vertex_count());
    page.plot(draw_wrench_space(fmt::format("W at {:.3g} mm, {:.3g} rad",
                                            1e3 * at.configuration.depth, at.configuration.tilt),
                                points, find_hull(points)));
    if (tilt == model.largest_tilt()) break;  // upright feet only
  }
  page.write(c.report);
}

void run_learn(const LearnCommand& c) {
  if (!c.report.empty()) check_ending("report", c.report, ".html");
  const Learned learned = learn_all(c);
  if (!c.report.empty()) write_learn_report(c, learned);
  if (c.json) {
    print_json(learned_json(c, learned));
    return;
  }
  print_learned(learned);
  if (!c.report.empty()) fmt::print("\nReport: {}\n", c.report);
}

}  // namespace

void add_learn(CLI::App& granular) {
  auto [sub, c] = add_command<LearnCommand>(
      granular, "learn",
      "How well wrenches are learned from a database: cross-validation, concavity", run_learn);
  sub.add_option("database", c.file, "Database of wrenches: FILE.csv, or a name in media/")
      ->required();
  sub.add_option("--regression", c.regression, "Only this one; default: all three")
      ->check(CLI::IsMember({"rbf", "gp", "svr"}));
  sub.add_option("--folds", c.folds,
                 "Of the cross-validation; default: 5, or one for each configuration")
      ->check(CLI::Range(2, 1000));
  sub.add_option("--report", c.report, "Write tables and plots to this HTML file");
  sub.add_flag("--json", c.json, "Print JSON, and nothing else, on stdout");
  sub.footer("rbf interpolates the data, gp is a Gaussian process, svr support-vector regression.\n"
             "\nExamples:\n"
             "  footfall granular learn media/play-sand.csv\n"
             "  footfall granular learn sand.csv --regression rbf --report sand.html\n"
             "\ndocs/granular.md explains the numbers.");
}

}  // namespace footfall::granular_commands
