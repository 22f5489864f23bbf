// Sinkage follows load: balls of one size and 1, 10 and 100 kg, lowered slowly onto the ground, in
// MuJoCo with its default contact and here on dry sand.
//
// At rest MuJoCo's contact balances accelerations, so a heavier ball sinks no deeper. Soil balances
// forces: the ball sinks until the soil's pressure carries it. Usage: sinkage_follows_load
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "footfall/error.hpp"
#include "footfall/foot/foot_sole.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/load.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/step/step.hpp"

namespace {

constexpr double kRadius = 0.1;    // [m]
constexpr double kLowering = 4.0;  // time over which gravity grows to its full value [s]
constexpr double kDuration = 6.0;  // [s]

// A smooth rise from 0 to 1.
double lowered(double time) {
  const double s = std::fmin(time / kLowering, 1.0);
  return s * s * (3 - 2 * s);
}

void write_model(const std::filesystem::path& file, double mass) {
  std::ofstream(file) << "<mujoco><worldbody><geom type='plane' size='5 5 1'/>"
                      << "<body name='ball' pos='0 0 " << kRadius << "'><freejoint/>"
                      << "<geom name='ball' type='sphere' size='" << kRadius << "' mass='" << mass
                      << "'/></body></worldbody></mujoco>";
}

double sink_in_mujoco(const std::filesystem::path& file) {
  const footfall::MjModelPtr model = footfall::load_mujoco_model(file);
  const footfall::MjDataPtr data = footfall::make_mujoco_data(*model);
  while (data->time < kDuration) {
    model->opt.gravity[2] = -9.81 * lowered(data->time);
    mj_step(model.get(), data.get());
  }
  return kRadius - data->qpos[2];
}

double sink_in_soil(const std::filesystem::path& file, const footfall::PlasticSoil& soil) {
  using namespace footfall;
  RobotModel ball = load_robot(file);
  const std::vector<double> pose = standing_pose(ball);
  Soles soles = make_soles(ball, find_feet(ball), true, pose);
  World world = make_world(std::move(ball), {}, SoilGround{{{"soil", soil}}}, std::move(soles), {});
  State<double> state = make_state<double>(world, pose);
  const Control<double> command = make_control<double>(world.robot);
  StepWorkspace<double> workspace(world);
  while (state.time < kDuration) {
    world.robot.gravity.z = -9.81 * lowered(state.time);
    step(world, command, state, workspace);
  }
  return kRadius - state.qpos[2];
}

bool sinkage_follows_load() {
  using namespace footfall;
  const PlasticSoil sand = *find_soil(load_soil_library(), "dry-sand").plastic;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / "footfall_sinkage_follows_load.xml";
  std::printf("mass [kg]   MuJoCo [mm]   dry sand [mm]   exact integral [mm]\n");
  bool follows = true;
  double first_mujoco = 0, last = 0;
  for (const double mass : {1.0, 10.0, 100.0}) {
    write_model(file, mass);
    const double mujoco = sink_in_mujoco(file), ours = sink_in_soil(file, sand);
    const double exact = find_sinkage(make_sphere(kRadius), sand, 9.81 * mass);
    std::printf("%9g   %11.3f   %13.2f   %19.2f\n", mass, 1e3 * mujoco, 1e3 * ours, 1e3 * exact);
    if (first_mujoco == 0) first_mujoco = mujoco;
    follows = follows && std::abs(mujoco - first_mujoco) < 1e-3 * first_mujoco &&
              ours > 1.5 * last && std::abs(ours - exact) < 2e-3 * exact;
    last = ours;
  }
  std::filesystem::remove(file);
  return follows;
}

}  // namespace

int main() {
  try {
    return sinkage_follows_load() ? 0 : 1;
  } catch (const footfall::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
