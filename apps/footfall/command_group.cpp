#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "input_error.hpp"

namespace footfall {

void add_missing(CLI::App& app, const std::string& name, std::string_view lacks) {
  CLI::App* command = app.add_subcommand(name, fmt::format("(not in this build: lacks {})", lacks));
  command->allow_extras();
  command->set_help_flag();
  command->callback([command, lacks] {
    throw input_error("this build has no command '{}': it lacks {}", command->get_name(), lacks);
  });
}

// Instead of CLI11's own check, which does not name the word that it found.
void require_one_command(CLI::App& group, const char* kind) {
  group.require_subcommand(0, 1);
  group.callback([&group, kind] {
    if (!group.get_subcommands().empty()) return;
    std::string expected;
    const auto commands = group.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* command : commands) {
      const char* before = command == commands.back() ? " or " : ", ";
      expected += (expected.empty() ? "" : before) + command->get_name();
    }
    throw InputError(fmt::format("{} needs a {}: expected {}", group.get_name(), kind, expected));
  });
}

void add_settings(CLI::App& command, std::vector<std::string>& settings, const char* of) {
  command
      .add_option("--set", settings,
                  fmt::format("Replace a value of the {}: key.path=value, as often as needed", of))
      ->take_all()
      ->expected(1)
      ->type_name("KEY=VALUE");
}

constexpr int kSchemaVersion = 1;  // rises when a key changes its meaning or goes

namespace {
bool printed_json = false;
}
bool has_printed_json() { return printed_json; }

void print_json(const Json& json) {
  printed_json = true;
  Json versioned{{"schema_version", kSchemaVersion}};
  versioned.update(json);
  fmt::print("{}\n", versioned.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_rows(const std::vector<std::vector<std::string>>& rows, const std::string& right) {
  const auto width_of = [](const std::string& text) {  // characters, not bytes
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
  };
  std::vector<std::size_t> widths(right.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - width_of(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (right[i] == 'r' ? gap + row[i] : row[i] + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

}  // namespace footfall
