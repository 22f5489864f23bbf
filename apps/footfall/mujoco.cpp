// footfall mujoco: what concerns MuJoCo's own ground.
#include "commands.hpp"
#include "parts.hpp"

namespace footfall {

void add_mujoco_command(CLI::App& app) {
  CLI::App* mujoco = app.add_subcommand("mujoco", "Soft ground in MuJoCo itself");
  mujoco->footer("Examples:\n"
                 "  footfall mujoco tune robots/humanoid.xml --sinkage-mm 6 --damping-ratio 1.5\n"
                 "  footfall mujoco try robots/humanoid.xml --solref -858.4 -87.9 --solimp 0 0.95 "
                 "0.012 0.5 2\n"
                 "  footfall mujoco curve --solref 0.02 1 --plot default.svg\n"
                 "  footfall mujoco soil robots/quadruped.xml --soil dry-sand --output soft.xml\n"
                 "  footfall mujoco compare --random 1000");
  add_part<parts::mujoco>(*mujoco, {"soil"}, [](auto& group) { mujoco_commands::add_soil(group); });
  add_part<parts::tune>(*mujoco, {"tune", "try", "inverse"}, [](auto& group) {
    mujoco_commands::add_tune(group);
    mujoco_commands::add_try(group);
    mujoco_commands::add_inverse(group);
  });
  mujoco_commands::add_curve(*mujoco);
  add_part<parts::run>(*mujoco, {"compare"},
                       [](auto& group) { mujoco_commands::add_compare(group); });
  require_one_command(*mujoco);
}

}  // namespace footfall
