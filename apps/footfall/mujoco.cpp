// footfall mujoco: what concerns MuJoCo's own ground.
#include <fmt/format.h>

#include "commands.hpp"
#include "footfall/error.hpp"
#include "mujoco_commands.hpp"

namespace footfall {

void add_mujoco_command(CLI::App& app) {
  CLI::App* mujoco = app.add_subcommand("mujoco", "Soft ground in MuJoCo itself");
  mujoco->require_subcommand(0, 1);
  mujoco->footer("Examples:\n"
                 "  footfall mujoco tune robots/humanoid.xml --sinkage-mm 6 --damping-ratio 1.5\n"
                 "  footfall mujoco compare --random 1000");
  mujoco_commands::add_tune(*mujoco);
  mujoco_commands::add_compare(*mujoco);
  // Instead of CLI11's own check, which does not name the word that it found.
  mujoco->allow_extras();
  mujoco->callback([mujoco] {
    if (!mujoco->get_subcommands().empty()) return;
    std::string expected;
    for (const CLI::App* command : mujoco->get_subcommands([](const CLI::App*) { return true; })) {
      expected += (expected.empty() ? "" : " or ") + command->get_name();
    }
    const std::vector<std::string> words = mujoco->remaining();
    throw InputError(
        words.empty() ? fmt::format("mujoco needs a command: expected {}", expected)
                      : fmt::format("mujoco has no command '{}', expected {}", words[0], expected));
  });
}

}  // namespace footfall
