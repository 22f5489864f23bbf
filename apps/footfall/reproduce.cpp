// footfall reproduce: what the papers print against what we find, row by row, and their figures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "footfall/io/progress.hpp"
#include "footfall/report/html.hpp"
#include "footfall/reproduce/reproduction.hpp"
#include "footfall/version.hpp"
#include "input_error.hpp"
#include "io/text_file.hpp"

namespace footfall {
namespace {

struct ReproduceOptions {
  std::string paper;
  std::string folder;
  std::string report;
  bool json = false;
};

// ---- texts ----

// Four digits, and no more zeros than they need.
std::string figure_text(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 1e-3 || size >= 1e7) return fmt::format("{:.3e}", value);
  const int digits = std::clamp(4 - static_cast<int>(std::floor(std::log10(size))), 0, 4);
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

// Of the paper's value; of a value in percent, in points.
std::string difference_text(const Comparison& item) {
  if (!item.paper) return "";
  const double difference = item.ours - *item.paper;
  if (item.unit == "%") return fmt::format("{:+.2f} points", difference);
  if (*item.paper == 0) return fmt::format("{:+.3g}", difference);
  const double relative = 100 * difference / std::abs(*item.paper);
  if (std::abs(relative) < 0.005) return "0 %";
  if (std::abs(relative) >= 1000) return fmt::format("x {:.4g}", item.ours / *item.paper);
  return fmt::format("{:+.{}f} %", relative, std::abs(relative) < 1 ? 2 : 1);
}

std::string verdict_text(const Comparison& item) {
  std::string text = verdict_name(item.verdict);
  if (!item.reason.empty()) text += ": " + item.reason;
  if (item.verdict != item.expected) {
    text += fmt::format("  <-- expected: {}", verdict_name(item.expected));
  }
  if (!item.as_known) text += fmt::format("  <-- expected of ours: {:.6g}", *item.known);
  return text;
}

// ---- tables ----

using Row = std::vector<std::string>;

void print_items(const std::vector<Comparison>& items) {
  std::vector<Row> rows = {{"where", "what", "paper", "ours", "unit", "difference", "verdict"}};
  std::string place;
  for (const Comparison& item : items) {
    rows.push_back({item.place == place ? "" : item.place, item.quantity,
                    item.paper ? figure_text(*item.paper) : '"' + item.claim + '"',
                    figure_text(item.ours), item.unit, difference_text(item), verdict_text(item)});
    place = item.place;
  }
  print_rows(rows, "llrrlrl");
}

void print_table(const NumberTable& table) {
  fmt::print("\n{}\n", table.title);
  const bool named = !table.names.empty();
  std::vector<Row> rows = {{}};
  if (named) rows[0].emplace_back("");
  rows[0].insert(rows[0].end(), table.columns.begin(), table.columns.end());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    Row row;
    if (named) row.push_back(table.names[i]);
    for (const double value : table.rows[i]) {
      row.push_back(value == std::round(value) ? fmt::format("{}", value)
                                               : fmt::format("{:.3f}", value));
    }
    rows.push_back(row);
  }
  print_rows(rows, (named ? "l" : "") + std::string(table.columns.size(), 'r'));
}

// ---- the command ----

Json item_json(const Comparison& item) {
  Json json = {{"place", item.place}, {"what", item.quantity}, {"unit", item.unit}};
  json["paper"] = item.paper ? Json(*item.paper) : Json();
  json["claim"] = item.claim;
  json["ours"] = item.ours;
  json["tolerance"] = item.tolerance ? Json(item.tolerance->value) : Json();
  json["tolerance_from"] = item.tolerance ? Json(item.tolerance->from) : Json();
  json["difference"] = item.paper ? Json(item.ours - *item.paper) : Json();
  json["verdict"] = verdict_name(item.verdict);
  json["expected"] = verdict_name(item.expected);
  if (item.known) json["expected_ours"] = *item.known;
  json["reason"] = item.reason;
  return json;
}

Json reproduction_json(const Paper& paper, const Reproduction& done, const std::string& folder) {
  Json json = {{"paper", paper.name},
               {"citation", paper.citation},
               {"as_expected", as_expected(done)},
               {"counts", Json::object()},
               {"folder", folder}};
  for (int i = 0; i < kVerdictCount; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    json["counts"][verdict_name(verdict)] = count_of(done, verdict);
  }
  for (const Comparison& item : done.items) json["rows"].push_back(item_json(item));
  for (const NumberTable& table : done.tables) {
    json["tables"].push_back({{"title", table.title},
                              {"columns", table.columns},
                              {"names", table.names},
                              {"rows", table.rows}});
  }
  for (const Figure& figure : done.figures) {
    json["figures"].push_back({{"file", figure.file}, {"shows", figure.shows}});
  }
  return json;
}

void list_papers(bool as_json) {
  Json json = {{"papers", Json::array()}};
  std::vector<Row> rows;
  for (const Paper& paper : reproducible_papers()) {
    json["papers"].push_back(
        {{"name", paper.name}, {"citation", paper.citation}, {"shows", paper.shows}});
    rows.push_back({paper.name, paper.citation});
    rows.push_back({"", paper.shows});
  }
  if (as_json) {
    print_json(json);
    return;
  }
  print_rows(rows, "ll");
  fmt::print("\nfootfall reproduce NAME reproduces one.\n");
}

void write_figures(const Reproduction& done, const std::filesystem::path& folder) {
  make_folder(folder);
  for (const Figure& figure : done.figures) write_plot(folder / figure.file, figure.plot);
}

HtmlTable items_table(const std::vector<Comparison>& items) {
  HtmlTable table{.header = {"where", "what", "paper", "ours", "unit", "difference", "verdict"}};
  for (const Comparison& item : items) {
    table.rows.push_back(
        {item.place, item.quantity, item.paper ? figure_text(*item.paper) : '"' + item.claim + '"',
         figure_text(item.ours), item.unit, difference_text(item), verdict_text(item)});
  }
  return table;
}

HtmlTable numbers_table(const NumberTable& numbers) {
  HtmlTable table;
  if (!numbers.names.empty()) table.header.emplace_back("");
  table.header.insert(table.header.end(), numbers.columns.begin(), numbers.columns.end());
  for (std::size_t i = 0; i < numbers.rows.size(); ++i) {
    Row row;
    if (!numbers.names.empty()) row.push_back(numbers.names[i]);
    for (const double value : numbers.rows[i]) row.push_back(figure_text(value));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Every figure, and the table of the paper against ours.
void write_reproduction(const std::filesystem::path& file, const Paper& paper,
                        const Reproduction& done) {
  HtmlPage page(fmt::format("{}, reproduced", paper.name));
  page.paragraph(paper.citation);
  page.paragraph(paper.shows);
  std::vector<std::string> surprises;
  for (const Comparison& item : done.items) {
    if (!as_expected(item)) {
      surprises.push_back(fmt::format("{}, {}: {}", item.place, item.quantity, verdict_text(item)));
    }
  }
  page.warnings(surprises);
  page.heading("The paper against ours");
  page.paragraph(count_text(done));
  page.table(items_table(done.items));
  for (const NumberTable& numbers : done.tables) {
    page.subheading(numbers.title);
    page.table(numbers_table(numbers));
  }
  page.heading("Figures");
  for (const Figure& figure : done.figures) {
    page.subheading(figure.shows);
    page.plot(figure.plot);
  }
  page.paragraph(fmt::format("footfall reproduce {}  ·  footfall {}", paper.name, version));
  page.write(file);
}

void run_reproduce(const ReproduceOptions& options) {
  if (options.paper.empty()) {
    if (!options.folder.empty()) throw InputError("-o needs the name of a paper");
    if (!options.report.empty()) throw InputError("--report needs the name of a paper");
    list_papers(options.json);
    return;
  }
  const Paper& paper = find_paper(options.paper);
  const std::string folder =
      options.folder.empty() ? "results/reproduce-" + paper.name : options.folder;
  ProgressBar bar(1000);
  const Reproduction done =
      paper.reproduce([&](double share) { bar.update(static_cast<std::int64_t>(1000 * share)); });
  bar.clear();
  write_figures(done, folder);
  if (!options.report.empty()) write_reproduction(options.report, paper, done);
  if (options.json) {
    print_json(reproduction_json(paper, done, folder));
  } else {
    fmt::print("{}: {}\n{}\n\n", paper.name, count_text(done), paper.citation);
    print_items(done.items);
    for (const NumberTable& table : done.tables) print_table(table);
    fmt::print("\nFigures in {}:\n", folder);
    std::vector<Row> rows;
    rows.reserve(done.figures.size());
    for (const Figure& figure : done.figures) rows.push_back({"  " + figure.file, figure.shows});
    print_rows(rows, "ll");
    if (!options.report.empty()) fmt::print("\nReport: {}\n", options.report);
  }
  if (!as_expected(done)) throw CLI::RuntimeError(1);
}

}  // namespace

void add_reproduce_command(CLI::App& app) {
  auto [command, options] = add_command<ReproduceOptions>(
      app, "reproduce", "Reproduce a paper's figures, tables and equations", run_reproduce);
  command.footer("Without a name it lists the papers. Status 1: a verdict, or a value of ours, is "
                 "not the expected one.\n"
                 "\nExamples:\n"
                 "  footfall reproduce\n"
                 "  footfall reproduce ding2013 -o figures\n"
                 "  footfall reproduce gora2025 --report gora2025.html\n"
                 "\ndocs/reproduce.md explains the verdicts.");
  command.add_option("paper", options.paper, "Name of a paper");
  command.add_option("-o,--output", options.folder,
                     "Folder for the figures; default: results/reproduce-NAME");
  command.add_option("--report", options.report,
                     "Write every figure and the paper's numbers against ours as a page, HTML");
  command.add_flag("--json", options.json, "Print JSON, and nothing else, on stdout");
}

}  // namespace footfall
