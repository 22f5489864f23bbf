#include "footfall/ground/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "footfall/error.hpp"
#include "footfall/kernels.hpp"
#include "footfall/robot/dynamics.hpp"

namespace footfall {

namespace {

// Longest side of a cell over a heightfield's spacing, see cut_cells.
constexpr double kCellsPerSpacing = 0.5;

void check_options(const StepOptions& o) {
  check_range("timestep_s", o.timestep, 1e-6, 0.1, "1e-6 to 0.1 s");
  check_range("joint_time_constant_s", o.joint_time_constant, 1e-5, 10.0, "1e-5 to 10 s");
  check_range("solver tolerance", o.solver.tolerance, 1e-14, 0.1, "1e-14 to 0.1");
  if (o.solver.max_iterations < 1) {
    throw InputError(
        fmt::format("solver max_iterations = {}, expected at least 1", o.solver.max_iterations));
  }
}

// One actuator at most on a joint whose total torque is limited: the limit is put on that actuator.
void check_actuators(const RobotModel& robot) {
  std::set<int> seen;
  for (const Actuator& a : robot.actuators) {
    const bool first = seen.insert(a.joint).second;
    if (!first && robot.joints[a.joint].actuator_force_limited) {
      throw InputError(fmt::format(
          "joint '{}' has actuatorfrcrange and more than one actuator: give each actuator its own "
          "forcerange instead",
          robot.joints[a.joint].name));
    }
  }
}

std::vector<double> diagonal_inertia(const RobotModel& robot) {
  const int nv = robot.velocity_size();
  RobotData<double> data(robot);
  compute_positions(robot, robot.qpos0.data(), data);
  std::vector<RigidInertia<double>> composite(robot.bodies.size());
  std::vector<double> M(static_cast<std::size_t>(nv) * nv);
  mass_matrix(robot, data, composite, M.data());
  std::vector<double> diagonal(nv);
  for (int d = 0; d < nv; ++d) diagonal[d] = M[static_cast<std::size_t>(d) * nv + d];
  return diagonal;
}

}  // namespace

World make_world(RobotModel robot, Terrain terrain, Ground ground, Soles soles,
                 StepOptions options) {
  kernel_set();  // chosen here, so that no step has to
  check_options(options);
  if (robot.velocity_size() == 0) {
    throw InputError(fmt::format("robot '{}' has no moving body", robot.name));
  }
  check_actuators(robot);
  check_ground(ground);
  const std::size_t soils = soil_names(ground).size();
  for (const Region& r : terrain.regions) {
    if (r.soil < 0 || r.soil >= static_cast<int>(soils)) {
      throw InputError(
          fmt::format("region '{}' has soil {}, expected 0 to {}", r.name, r.soil, soils - 1));
    }
  }
  if (soil_ground(ground) != nullptr && !terrain.is_plane) {
    soles = cut_cells(soles, kCellsPerSpacing * terrain.field.spacing);
  }
  if (soil_ground(ground) != nullptr && !terrain.regions.empty()) {
    soles = split_cells(soles, static_cast<int>(soils));
  }
  World world{std::move(robot), std::move(terrain), std::move(ground), std::move(soles), options};
  if (keeps_prints(world.ground) && soil_ground(world.ground)->ruts.rim_share > 0) {
    world.rim_reach = 0.3;
  }
  world.joint_inertia = diagonal_inertia(world.robot);
  const std::vector<double>& heights = world.terrain.field.heights;
  if (!heights.empty()) world.terrain_top = *std::max_element(heights.begin(), heights.end());
  const double g = norm(world.robot.gravity);
  world.force_scale = world.robot.total_mass() * (g > 0 ? g : 1.0);
  if (options.integrator == Integrator::rk4) require_smooth(world);
  return world;
}

void require_smooth(const World& world) {
  if (!world.soles.points.empty()) {
    throw InputError(
        "integrator = \"rk4\" needs a robot without contacts: set contact.model = \"none\"");
  }
  for (const Joint& joint : world.robot.joints) {
    if (joint.limited && world.options.joint_limits) {
      throw InputError(fmt::format("integrator = \"rk4\" cannot take the limits of joint '{}': set "
                                   "step.joint_limits = false",
                                   joint.name));
    }
  }
  for (const Dof& dof : world.robot.dofs) {
    if (dof.friction_loss > 0 && world.options.joint_friction) {
      throw InputError(fmt::format("integrator = \"rk4\" cannot take the dry friction of joint "
                                   "'{}': set step.joint_friction = false",
                                   world.robot.joints[dof.joint].name));
    }
  }
}

}  // namespace footfall
