#include <fmt/format.h>

#include "commands.hpp"
#include "footfall/error.hpp"

namespace footfall {

void add_missing(CLI::App& app, const std::string& name, std::string_view lacks) {
  CLI::App* command = app.add_subcommand(name, fmt::format("(not in this build: lacks {})", lacks));
  command->allow_extras();
  command->set_help_flag();
  command->callback([command, lacks] {
    throw InputError(
        fmt::format("this build has no command '{}': it lacks {}", command->get_name(), lacks));
  });
}

// Instead of CLI11's own check, which does not name the word that it found.
void require_one_command(CLI::App& group) {
  group.require_subcommand(0, 1);
  group.allow_extras();
  group.callback([&group] {
    if (!group.get_subcommands().empty()) return;
    std::string expected;
    for (const CLI::App* command : group.get_subcommands([](const CLI::App*) { return true; })) {
      expected += (expected.empty() ? "" : " or ") + command->get_name();
    }
    const std::vector<std::string> words = group.remaining();
    const std::string name = group.get_name();
    throw InputError(words.empty() ? fmt::format("{} needs a command: expected {}", name, expected)
                                   : fmt::format("{} has no command '{}', expected {}", name,
                                                 words[0], expected));
  });
}

}  // namespace footfall
