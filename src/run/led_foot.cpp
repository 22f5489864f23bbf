#include "footfall/run/led_foot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/run/controller.hpp"
#include "footfall/scenario/scenario.hpp"
#include "footfall/step/step.hpp"
#include "io/config.hpp"
#include "io/text_file.hpp"

namespace footfall {
namespace {

constexpr double kMass = 7.357, kGravity = 9.81,
                 kSoleBelowCentre = 0.154;  // robots/single_foot.xml

// Tells the foot's centre of mass where to be.
void command_foot(const LedPose& led, const LedFootOptions& options, const State<double>& state,
                  double step, std::array<double, 3>& error_sum, Control<double>& command) {
  const double s = std::sin(led.place[2]), c = std::cos(led.place[2]), l = kSoleBelowCentre;
  command.position = {led.place[0] + l * s, -led.place[1] + l * c, led.place[2]};
  command.velocity = {led.rate[0] + l * c * led.rate[2], -led.rate[1] - l * s * led.rate[2],
                      led.rate[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    error_sum[i] += step * (command.position[i] - state.qpos[i]);
    command.control[i] = options.ki[i] * error_sum[i];
  }
  command.control[1] += kMass * kGravity;  // its weight is held
}

LedSample sample_foot(const World& world, double time, const WrenchContact& contact) {
  const double arm = wrench_space(world.ground)->model().foot().reference_height;
  LedSample out{.time = time,
                .x = contact.place.p_WC.x,
                .at = {contact.place.depth, contact.place.tilt},
                .wrench = {},
                .clamped =
                    contact.touching && (contact.at.depth_clamped || contact.at.tilt_clamped)};
  if (!contact.touching) return out;
  // from p_r to the sole's centre
  const double r_x = -arm * std::sin(contact.place.tilt), r_z = -arm * std::cos(contact.place.tilt);
  const Vec3d& force = contact.wrench.lin;
  out.wrench = {force.x, force.z, contact.wrench.ang.y + r_z * force.x - r_x * force.z};
  return out;
}

void read_three(const TableReader& reader, const std::string& key, double most,
                const char* expected, std::array<double, 3>& out) {
  if (const auto given = reader.vector_if_given(key, {0, most, expected})) {
    out = {given->x, given->y, given->z};
  }
}

}  // namespace

LedFootOptions read_led_foot(const std::filesystem::path& file) {
  const ConfigDocument document = parse_config(read_text_file(file), file.string());
  const TableReader reader(document.root, "", {"kp", "ki", "kd", "grain_inertia_kg_kg_kgm2"});
  const char* gains = "three gains, of x, z and tilt, from 0 to 1e9";
  LedFootOptions out;
  read_three(reader, "kp", 1e9, gains, out.kp);
  read_three(reader, "ki", 1e9, gains, out.ki);
  read_three(reader, "kd", 1e9, gains, out.kd);
  read_three(reader, "grain_inertia_kg_kg_kgm2", 1e6,
             "three inertias, along x, along z and of tilting, from 0 to 1e6", out.grains);
  return out;
}

std::vector<LedSample> lead_foot(const std::string& medium, const std::filesystem::path& folder,
                                 const std::function<LedPose(double time)>& path, double duration,
                                 const LedFootOptions& options) {
  const std::array<double, 3>& grains = options.grains;
  const Scenario scenario =
      parse_scenario(fmt::format("[robot]\nfile = \"single_foot\"\nkeyframe = \"stand\"\n"
                                 "[contact]\nmodel = \"wrench_space\"\ndatabase = '{}'\ndimensions "
                                 "= 2\nregression = \"{}\"\n"
                                 "grain_inertia_kg_kg_kgm2 = [{}, {}, {}]\n"
                                 "[step]\ntimestep_s = {}\nduration_s = {}\n",
                                 medium, options.regression, grains[0], grains[1], grains[2],
                                 options.timestep, duration),
                     "led foot", folder);
  const World world = build_world(scenario);
  State<double> state = place_robot(scenario, world);
  Control<double> command = make_control<double>(world.robot);
  StepWorkspace<double> workspace(world);
  command.kp.assign(options.kp.begin(), options.kp.end());
  command.kd.assign(options.kd.begin(), options.kd.end());
  std::array<double, 3> error_sum{};
  command_foot(path(0), options, state, 0, error_sum, command);
  state.qpos = command.position;
  state.qvel = command.velocity;
  std::vector<LedSample> out;
  const std::int64_t every =
      std::max<std::int64_t>(1, std::llround(options.interval / options.timestep));
  for (std::int64_t k = 1; k <= step_count(scenario); ++k) {
    command_foot(path(options.timestep * static_cast<double>(k)), options, state, options.timestep,
                 error_sum, command);
    step(world, command, state, workspace);
    if (k % every != 0) continue;
    out.push_back(
        sample_foot(world, state.time, std::get<GranularContact>(workspace.contact).contacts[0]));
  }
  return out;
}

}  // namespace footfall
