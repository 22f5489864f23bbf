// footfall granular select: fewer directions, to spare experiments.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/granular/learning.hpp"
#include "input_error.hpp"
#include "io/data_folders.hpp"

namespace footfall::granular_commands {
namespace {

struct SelectCommand {
  std::string file;
  std::optional<int> directions;
  bool json = false;
};

struct Selected {
  std::vector<DirectionChoice> choices;
  std::vector<int> chosen;  // in rising order
};

Selected select_directions(const SelectCommand& c, const WrenchDatabase& database) {
  const auto m = static_cast<int>(database.directions.size());
  if (c.directions && (*c.directions < 1 || *c.directions > m)) {
    throw input_error("--directions {}, expected 1 to {}, as many as {} has", *c.directions, m,
                      c.file);
  }
  Selected selected{.choices = rank_directions(database), .chosen = {}};
  for (const DirectionChoice& choice : selected.choices) {
    if (choice.count > c.directions.value_or(m)) continue;
    selected.chosen.insert(selected.chosen.end(), choice.added.begin(), choice.added.end());
  }
  std::sort(selected.chosen.begin(), selected.chosen.end());
  return selected;
}

void print_selected(const SelectCommand& c, const WrenchDatabase& database, const Selected& s) {
  fmt::print("{}: directions that W needs most, with those that mirror them\n\n", database.medium);
  fmt::print("  {:>10}   {:<10}{:>14}{:>14}{:>14}\n", "directions", "added", "support lost",
             "at worst", "volume kept");
  for (const DirectionChoice& choice : s.choices) {
    const bool end = c.directions && choice.count > *c.directions;
    fmt::print("{} {:>10}   {:<10}{:>12.2f} %{:>12.1f} %{:>12.1f} %\n", end ? ' ' : '*',
               choice.count, fmt::format("{}", fmt::join(choice.added, ", ")),
               100 * choice.support_loss, 100 * choice.worst_loss, 100 * choice.volume_share);
  }
  if (!c.directions) return;
  if (static_cast<int>(s.chosen.size()) < *c.directions) {
    fmt::print("\n{} and not {}: the next is a pair.\n", s.chosen.size(), *c.directions);
  }
  fmt::print("\nFor a campaign:\n\n[sampling]\ndirections = {}\nonly_directions = [{}]\n",
             database.directions.size(), fmt::join(s.chosen, ", "));
}

Json selected_json(const WrenchDatabase& database, const Selected& s) {
  Json json{{"medium", database.medium}, {"chosen", s.chosen}};
  for (const DirectionChoice& choice : s.choices) {
    json["order"].push_back({{"directions", choice.count},
                             {"added", choice.added},
                             {"support_loss", choice.support_loss},
                             {"worst_loss", choice.worst_loss},
                             {"volume_share", choice.volume_share}});
  }
  return json;
}

void run_select(const SelectCommand& c) {
  const WrenchDatabase database = read_wrench_database(find_file(medium_files(), c.file, "", ""));
  const Selected selected = select_directions(c, database);
  if (c.json) {
    print_json(selected_json(database, selected));
  } else {
    print_selected(c, database, selected);
  }
}

}  // namespace

void add_select(CLI::App& granular) {
  auto [sub, c] = add_command<SelectCommand>(
      granular, "select", "Fewer directions, chosen by what W would lose", run_select);
  sub.add_option("database", c.file, "Database of wrenches: FILE.csv, or a name in media/")
      ->required();
  sub.add_option("--directions", c.directions, "How many, at most; default: the whole order");
  sub.add_flag("--json", c.json, "Print JSON, and nothing else, on stdout");
  sub.footer(
      "A medium that is like one that is known needs fewer experiments. Directions are added\n"
      "with those that mirror them; the table has what each number of them loses.\n"
      "\nExample:\n"
      "  footfall granular select media/play-sand.csv --directions 12");
}

}  // namespace footfall::granular_commands
