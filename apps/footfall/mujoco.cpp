// footfall mujoco: what concerns MuJoCo's own ground.
#include "commands.hpp"
#include "mujoco_commands.hpp"
#include "parts.hpp"

namespace footfall {

void add_mujoco_command(CLI::App& app) {
  CLI::App* mujoco = app.add_subcommand("mujoco", "Soft ground in MuJoCo itself");
  mujoco->footer("Examples:\n"
                 "  footfall mujoco tune robots/humanoid.xml --sinkage-mm 6 --damping-ratio 1.5\n"
                 "  footfall mujoco compare --random 1000");
  if constexpr (parts::tune.empty()) {
    mujoco_commands::add_tune(*mujoco);
  } else {
    add_missing(*mujoco, "tune", parts::tune);
  }
  if constexpr (parts::run.empty()) {
    mujoco_commands::add_compare(*mujoco);
  } else {
    add_missing(*mujoco, "compare", parts::run);
  }
  require_one_command(*mujoco);
}

}  // namespace footfall
