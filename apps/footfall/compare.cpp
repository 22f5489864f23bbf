// footfall compare: one scenario, several contact models, soils or values, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>

#include "capture_options.hpp"
#include "commands.hpp"
#include "footfall/io/length_text.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/run/run.hpp"
#include "footfall/viewer/page.hpp"
#include "input_error.hpp"
#include "interrupt.hpp"
#include "io/words.hpp"
#include "run/run_results.hpp"

namespace footfall {
namespace {

struct CompareOptions {
  std::string scenario, contacts, soils, output;
  std::vector<std::string> settings;
  bool json = false;
  std::string command_line;
  serve::CaptureOptions capture;
};

// ---- what is varied: one thing in a scenario, over a list of values ----

struct Variant {
  std::string name;                    // as it is called in tables: the value
  std::vector<std::string> overrides;  // "key.path=value"
};

struct VariantList {
  std::string key;  // that is varied, as "soil.name"
  std::vector<Variant> variants;
};

// Parts between commas that stand in no bracket or quotes.
std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> out(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      out.emplace_back();
      continue;
    }
    out.back() += c;
  }
  for (std::string& value : out) value = std::string(trimmed(value, " "));
  return out;
}

// A key of the scenario with the values it takes.
struct Setting {
  std::string key;
  std::vector<std::string> values;
};

Setting read_setting(const std::string& text) {
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos || equal == 0) {
    throw input_error("--set '{}', expected key.path=value or key.path=value,value,…", text);
  }
  return {text.substr(0, equal), split_values(text.substr(equal + 1))};
}

// From the options of the command line: lists of contact models and soils, and key=value or
// key=value,value,… . One of them has several values, the others hold for all variants. Throws InputError.
VariantList make_variants(const std::string& contacts, const std::string& soils,
                          const std::vector<std::string>& settings) {
  std::vector<Setting> all;
  if (!contacts.empty()) all.push_back({"contact.model", split_values(contacts)});
  if (!soils.empty()) all.push_back({"soil.name", split_values(soils)});
  for (const std::string& text : settings) all.push_back(read_setting(text));
  const Setting* varied = nullptr;
  std::vector<std::string> common;
  for (const Setting& s : all) {
    if (s.values.size() == 1) {
      common.push_back(s.key + "=" + s.values[0]);
      continue;
    }
    if (varied != nullptr) {
      throw input_error("'{}' and '{}' both have several values, expected one of them", varied->key,
                        s.key);
    }
    varied = &s;
  }
  if (varied == nullptr) {
    throw InputError(
        "nothing to compare: give several values to one of --contact, --soil and --set, "
        "as in --soil dry-sand,concrete");
  }
  VariantList out{varied->key, {}};
  std::set<std::string> names;
  for (const std::string& value : varied->values) {
    if (value.empty() || !names.insert(value).second) {
      throw input_error("value '{}' of '{}', expected each value once and none empty", value,
                        varied->key);
    }
    out.variants.push_back({value, common});
    out.variants.back().overrides.push_back(varied->key + "=" + value);
  }
  return out;
}

// ---- the runs ----

// What came of one variant.
struct VariantResult {
  std::string name;
  std::string error;  // empty: it ran
  RunSummary summary;
  double deepest = 0;         // largest sinkage of any foot [m]
  double largest_normal = 0;  // force on one foot [N]
  double largest_tangential = 0;
};

double largest_of(const RunContents& run, const char* column) {
  double out = 0;
  for (std::size_t f = 0; f < run.list("foot_names").size(); ++f) {
    const RunColumn& values = run.foot_column(static_cast<int>(f), column);
    for (int row = 0; row < run.row_count; ++row) {
      out = std::isfinite(values.at(row)) ? std::max(out, values.at(row)) : out;
    }
  }
  return out;
}

// A folder's name for any value: "my-sand" for ./my-sand.toml.
std::string folder_name(const std::string& value) {
  std::string out;
  const bool soil_file = value.ends_with(".toml");
  for (const char c : soil_file ? std::filesystem::path(value).stem().string() : value) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    out += plain ? c : '_';
  }
  return out.find_first_not_of('.') == std::string::npos ? "_" + out : out;
}

VariantResult run_variant(const CompareOptions& options, const Variant& variant,
                          const std::filesystem::path& folder, std::vector<RunContents>& runs) {
  VariantResult out{.name = variant.name, .error = {}, .summary = {}};
  try {
    const Scenario scenario = load_scenario(options.scenario, variant.overrides);
    RunOptions run_options;
    run_options.output = folder;
    run_options.command = options.command_line;
    run_options.progress = !options.json;
    run_options.stop = &interrupted;
    run_options.warn = [&](const std::string& text) {
      fmt::print(stderr, "footfall: warning: {}: {}\n", variant.name, text);
    };
    out.summary = run(scenario, run_options);
    runs.push_back(open_run(written_path(out.summary.result_file)));
    const RunContents& data = runs.back();
    out.deepest = largest_of(data, "sinkage");
    out.largest_normal = largest_of(data, "normal_force");
    out.largest_tangential = largest_of(data, "tangential_force");
  } catch (const InputError& error) {
    out.error = error.what();
  } catch (const RunFailure& error) {
    out.error = error.what();
  }
  return out;
}

double time_per_step(const RunSummary& s) {
  double sum = 0;
  for (const double t : s.stage_times) sum += t;
  return sum;
}

// Of a walk when, of other runs whether it lies there in the end; of a base that cannot fall nothing.
std::string fall_text(const RunSummary& s) {
  if (s.gait && s.gait->fall) return fmt::format("after {:.2f} s", s.gait->fall->time);
  if (s.fallen) return "yes";
  return s.gait || s.base_tilt ? "no" : "–";
}

// The comparison as rows of texts; a variant that failed has its reason in place of numbers.
PageTable comparison_table(const std::string& key, const std::vector<VariantResult>& results) {
  PageTable table{.title = "Comparison",
                  .header = {key, "deepest sinkage", "largest normal force",
                             "largest tangential force", "speed", "cost of transport",
                             "slip per footfall", "fell", "time per step"}};
  for (const VariantResult& r : results) {
    if (!r.error.empty()) {
      table.rows.push_back({r.name, "failed", "", "", "", "", "", "", ""});
      continue;
    }
    const Json found = results_json(r.summary);
    const std::optional<GaitSummary>& g = r.summary.gait;
    const auto of_walk = [&](const char* value) {
      const bool there = g && g->measured_time > 0 && result_value(found, value).is_number();
      return there ? result_text(found, value) : "–";
    };
    table.rows.push_back({r.name, length_text(r.deepest), fmt::format("{:.4g} N", r.largest_normal),
                          fmt::format("{:.4g} N", r.largest_tangential),
                          of_walk("gait/speed_m_per_s"), of_walk("gait/cost_of_transport"),
                          of_walk("gait/slip_per_footfall_m"), fall_text(r.summary),
                          fmt::format("{:.2f} µs", 1e6 * time_per_step(r.summary))});
  }
  return table;
}

void print_comparison(const PageTable& table, const std::vector<VariantResult>& results) {
  std::vector<std::vector<std::string>> rows = {table.header};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  print_rows(rows, "l" + std::string(table.header.size() - 1, 'r'));
  for (const VariantResult& r : results) {
    if (!r.error.empty()) fmt::print("\n{} failed: {}\n", r.name, r.error);
  }
}

Json variant_json(const VariantResult& r) {
  Json out{{"name", r.name}};
  if (!r.error.empty()) {
    out["error"] = r.error;
    return out;
  }
  out["deepest_sinkage_m"] = r.deepest;
  out["largest_normal_force_N"] = r.largest_normal;
  out["largest_tangential_force_N"] = r.largest_tangential;
  out["time_per_step_s"] = time_per_step(r.summary);
  out["summary"] = results_json(r.summary);
  return out;
}

std::vector<std::string> comparison_warnings(const std::vector<VariantResult>& results) {
  std::vector<std::string> out;
  for (const VariantResult& r : results) {
    if (!r.error.empty()) out.push_back(fmt::format("{} failed: {}", r.name, r.error));
  }
  return out;
}

// One page with all runs in one scene.
PageContent write_comparison(const std::filesystem::path& file, const CompareOptions& options,
                             const std::string& key, const std::vector<VariantResult>& results,
                             const std::vector<RunContents>& runs) {
  const std::string title =
      fmt::format("{}: {} compared", std::filesystem::path(options.scenario).stem().string(), key);
  const PageTable table = comparison_table(key, results);
  const std::vector<std::string> warnings = comparison_warnings(results);
  PageOptions page;
  page.title = title;
  page.subtitle = fmt::format("{} runs of {}", runs.size(), options.scenario);
  page.command = options.command_line;
  page.warnings = warnings;
  page.tables = {table};
  std::vector<std::string> names;
  for (const VariantResult& r : results) {
    if (r.error.empty()) names.push_back(r.name);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    page.texts.push_back({"Scenario, " + names[i], runs[i].text("scenario_text")});
  }
  PageContent content = make_compare_page(runs, names, page);
  write_page(file, content);
  return content;
}

void run_compare(CompareOptions options) {
  options.capture.progress = !options.json;
  check_drawing(options.capture);
  const VariantList list = make_variants(options.contacts, options.soils, options.settings);
  const Scenario base = load_scenario(options.scenario);  // what is wrong in it is wrong in all
  std::filesystem::path folder = options.output;
  if (folder.empty()) folder = base.output.parent_path() / ("compare-" + base.name);
  const InterruptGuard guard;
  OutputsTogether together;
  std::vector<VariantResult> results;
  std::vector<RunContents> runs;
  std::set<std::string> folders;  // files of one name in two folders
  for (const Variant& variant : list.variants) {
    if (interrupted) break;
    std::string own = folder_name(variant.name);
    while (!folders.insert(own).second) own += "_";
    if (!options.json) {
      fmt::print(stderr, "{} of {}: {} = {}\n", results.size() + 1, list.variants.size(), list.key,
                 variant.name);
    }
    results.push_back(run_variant(options, variant, folder / own, runs));
  }
  const bool failed = std::any_of(results.begin(), results.end(),
                                  [](const VariantResult& r) { return !r.error.empty(); });
  const std::filesystem::path report = folder / "report.html";
  PageContent page;
  if (!runs.empty()) page = write_comparison(report, options, list.key, results, runs);
  if (options.json) {
    Json out{{"scenario", base.name}, {"varied", list.key}, {"runs", Json::array()}};
    for (const VariantResult& r : results) out["runs"].push_back(variant_json(r));
    out["report_file"] = runs.empty() ? Json(nullptr) : Json(report.string());
    print_json(out);
  } else {
    print_comparison(comparison_table(list.key, results), results);
    if (!runs.empty()) fmt::print("\nReport: {}  (open it in a browser)\n", report.string());
  }
  try {
    if (!interrupted && options.capture.wanted() && !runs.empty()) draw_page(page, options.capture);
  } catch (...) {  // runs are not lost because their picture is
    together.keep();
    throw;
  }
  together.keep();
  if (interrupted) throw CLI::RuntimeError(130);
  if (failed) throw CLI::RuntimeError(1);
}

}  // namespace

void add_compare_command(CLI::App& app, const std::string& command_line) {
  auto [sub, options] = add_command<CompareOptions>(
      app, "compare", "Run a scenario several times and compare the runs", run_compare);
  options.command_line = command_line;
  sub.add_option("scenario", options.scenario, "TOML file, as for footfall run")->required();
  sub.add_option("--contact", options.contacts, "Contact models, with commas between them")
      ->type_name("A,B,…");
  sub.add_option("--soil", options.soils,
                 "Soils of the library or files of your own, with commas between them")
      ->type_name("A,B,…");
  sub.add_option("--set", options.settings,
                 "Values of any key: key.path=value,value,…; with one value it holds for all runs")
      ->take_all()
      ->expected(1)
      ->type_name("KEY=VALUES");
  sub.add_option("-o,--output", options.output,
                 "Folder of the results; without it compare-NAME beside the scenario's");
  sub.add_flag("--json", options.json, "Print JSON, and nothing else, on stdout");
  add_capture_options(sub, options.capture);
  sub.footer(
      "One of the options has several values. Status 1: a run failed; the others are done "
      "all the same.\n\n"
      "Examples:\n"
      "  footfall compare scenarios/quadruped_trot_sand.toml --soil dry-sand,sandy-loam\n"
      "  footfall compare scenarios/quadruped_drop.toml --contact compliant,feedback_linearized\n"
      "  footfall compare scenarios/quadruped_drop.toml --set robot.drop_height_m=0.05,0.2,0.5");
}

}  // namespace footfall
