// footfall mujoco: what concerns MuJoCo's own ground.
#include "commands.hpp"
#include "parts.hpp"

namespace footfall {

void add_mujoco_command(CLI::App& app) {
  CLI::App* mujoco = app.add_subcommand("mujoco", "Soft ground in MuJoCo itself");
  mujoco->footer("Examples:\n"
                 "  footfall mujoco tune robots/humanoid.xml --sinkage-mm 6 --damping-ratio 1.5\n"
                 "  footfall mujoco soil robots/quadruped.xml --soil dry-sand --output soft.xml\n"
                 "  footfall mujoco compare --random 1000");
  add_part<parts::mujoco>(*mujoco, {"soil"}, [](auto& group) { mujoco_commands::add_soil(group); });
  add_part<parts::tune>(*mujoco, {"tune"}, [](auto& group) { mujoco_commands::add_tune(group); });
  add_part<parts::run>(*mujoco, {"compare"},
                       [](auto& group) { mujoco_commands::add_compare(group); });
  require_one_command(*mujoco);
}

}  // namespace footfall
