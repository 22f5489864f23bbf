#include <fmt/format.h>

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
  group.allow_extras();
  group.callback([&group, kind] {
    if (!group.get_subcommands().empty()) return;
    std::string expected;
    const auto commands = group.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* command : commands) {
      const char* before = command == commands.back() ? " or " : ", ";
      expected += (expected.empty() ? "" : before) + command->get_name();
    }
    const std::vector<std::string> words = group.remaining();
    const std::string name = group.get_name();
    throw InputError(words.empty() ? fmt::format("{} needs a {}: expected {}", name, kind, expected)
                                   : fmt::format("{} has no {} '{}', expected {}", name, kind,
                                                 words[0], expected));
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

void print_json(const nlohmann::ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace footfall
