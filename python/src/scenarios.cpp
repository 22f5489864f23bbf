// Scenarios, and the worlds that they describe.
#include "bind.hpp"
#include "input_error.hpp"
#include "world.hpp"

namespace footfall::python {
namespace {

template <class List, class Name>
std::vector<std::string> names_of(const List& list, const Name& name) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const auto& entry : list) names.push_back(name(entry));
  return names;
}

void bind_scenario(nb::module_& m) {
  nb::class_<Scenario>(m, "Scenario",
                       "What a run is, as a scenario file has it (docs/scenario.md). Made by "
                       "load_scenario() and parse_scenario().")
      .def_ro("name", &Scenario::name)
      .def_ro("file", &Scenario::file, "Where it was read; empty: from memory.")
      .def_ro("text", &Scenario::text, "TOML, with all settings in it.")
      .def_ro("duration", &Scenario::duration, "Of the run [s].")
      .def_prop_ro(
          "timestep", [](const Scenario& s) { return s.step.timestep; }, "Of a step [s].")
      .def_prop_ro("step_count", &step_count, "Steps of the whole run.")
      .def_ro("output", &Scenario::output, "Folder of the results.")
      .def("__repr__", [](const Scenario& s) { return "<footfall.Scenario '" + s.name + "'>"; });
  m.def("load_scenario", &load_scenario, nb::arg("file"), nb::arg("overrides"));
  m.def("parse_scenario", &parse_scenario, nb::arg("text"), nb::arg("name"), nb::arg("folder"),
        nb::arg("overrides"));
}

// The same world with all masses of the robot times a factor: other densities, same shapes.
PreparedWorld scale_masses(const PreparedWorld& from, double factor) {
  if (!(factor >= 0.01 && factor <= 100)) {
    throw input_error("scale_masses: factor = {}, expected 0.01 to 100", factor);
  }
  PreparedWorld to = from;
  World& world = to.setup.world;
  for (Body& body : world.robot.bodies) {
    body.mass *= factor;
    body.inertia = factor * body.inertia;
  }
  world = make_world(std::move(world.robot), std::move(world.terrain), std::move(world.ground),
                     std::move(world.soles), world.options);
  return to;
}

void bind_actuators(nb::class_<PreparedWorld>& world) {
  world
      .def_prop_ro(
          "actuator_qpos",
          [](const PreparedWorld& w) {
            const RobotModel& model = w.setup.world.robot;
            std::vector<int> places;
            for (const Actuator& a : model.actuators) {
              places.push_back(model.joints[static_cast<std::size_t>(a.joint)].q_index);
            }
            return places;
          },
          "Where in qpos the joint of each actuator is.")
      .def_prop_ro(
          "actuator_qvel",
          [](const PreparedWorld& w) {
            std::vector<int> places;
            for (const Actuator& a : w.setup.world.robot.actuators) places.push_back(a.dof);
            return places;
          },
          "Where in qvel the joint of each actuator is.")
      .def_prop_ro(
          "motors",
          [](const PreparedWorld& w) {
            std::vector<bool> motors;
            for (const Actuator& a : w.setup.world.robot.actuators) {
              motors.push_back(a.gain == 1 && a.bias0 == 0 && a.bias1 == 0 && a.bias2 == 0);
            }
            return motors;
          },
          "Whether each actuator is a motor, which the simulation's servos can drive; others have "
          "a "
          "law of their own.")
      .def_prop_ro(
          "base_is_free",
          [](const PreparedWorld& w) {
            const RobotModel& model = w.setup.world.robot;
            return !model.joints.empty() && model.joints[0].type == JointType::free;
          },
          "Whether the first joint is a free one: qpos begins with position and quaternion of the "
          "base.")
      .def(
          "scale_masses", &scale_masses, nb::arg("factor"),
          "The same world with all masses and moments of inertia of the robot times a factor [-].");
}

void bind_world(nb::module_& m) {
  const auto robot = [](const PreparedWorld& w) -> const RobotModel& {
    return w.setup.world.robot;
  };
  nb::class_<PreparedWorld> world(
      m, "World",
      "A robot, the ground under it and the options of a step: all that "
      "does not change during a run.");
  bind_actuators(world);
  world.def(nb::init<Scenario>(), nb::arg("scenario"))
      .def(
          "__init__",
          [](PreparedWorld* self, nb::object world_robot, nb::object soil, double timestep,
             nb::object settings) {
            const nb::object scenario =
                nb::module_::import_("footfall._scenario")
                    .attr("describe_world")(world_robot, soil, timestep, settings);
            new (self) PreparedWorld(nb::cast<Scenario>(scenario));
          },
          nb::kw_only(), nb::arg("robot"), nb::arg("soil") = nb::none(),
          nb::arg("timestep") = 0.001, nb::arg("settings") = nb::none(),
          nb::sig("def __init__(self, *, robot: str | os.PathLike[str], soil: Soil | str | None = "
                  "None, timestep: float = 0.001, settings: collections.abc.Mapping[str, "
                  "typing.Any] | collections.abc.Sequence[str] | None = None) -> None"),
          "A robot on a soil, without a scenario file.\n\n"
          "robot     an MJCF, URDF or robot file, or the name of one in the library: 'quadruped'\n"
          "soil      a Soil, the path of a soil file, or the name of one in the library\n"
          "timestep  of a step [s]\n"
          "settings  anything else that a scenario can say: {'ground.kind': 'slope', "
          "'ground.slope_deg': 10}")
      .def_ro("scenario", &PreparedWorld::scenario, "The scenario that describes it.")
      .def_prop_ro(
          "timestep", [](const PreparedWorld& w) { return w.setup.world.options.timestep; },
          "Of a step [s].")
      .def_prop_ro(
          "robot", [=](const PreparedWorld& w) { return robot(w).name; }, "Name of the robot.")
      .def_prop_ro(
          "mass", [=](const PreparedWorld& w) { return robot(w).total_mass(); },
          "Of the robot [kg].")
      .def_prop_ro(
          "nq", [=](const PreparedWorld& w) { return robot(w).position_size(); },
          "Numbers in qpos.")
      .def_prop_ro(
          "nv", [=](const PreparedWorld& w) { return robot(w).velocity_size(); },
          "Numbers in qvel.")
      .def_prop_ro(
          "nu", [=](const PreparedWorld& w) { return robot(w).actuators.size(); },
          "Numbers in control.")
      .def_prop_ro("joint_names",
                   [=](const PreparedWorld& w) {
                     return names_of(robot(w).joints, [](const Joint& j) { return j.name; });
                   })
      .def_prop_ro("actuator_names",
                   [=](const PreparedWorld& w) {
                     return names_of(robot(w).actuators, [](const Actuator& a) { return a.name; });
                   })
      .def_prop_ro("body_names",
                   [=](const PreparedWorld& w) {
                     return names_of(robot(w).bodies, [](const Body& b) { return b.name; });
                   })
      .def_prop_ro("foot_names",
                   [](const PreparedWorld& w) {
                     return names_of(w.setup.world.soles.feet,
                                     [](const Foot& f) { return f.name; });
                   })
      .def_prop_ro(
          "control_range",
          [=](const PreparedWorld& w) {
            std::vector<double> range;
            for (const Actuator& a : robot(w).actuators) {
              range.push_back(a.control_limited ? a.control_lower : -INFINITY);
              range.push_back(a.control_limited ? a.control_upper : INFINITY);
            }
            return to_matrix(std::move(range), 2);
          },
          kFresh,
          "Least and largest control of each actuator, shape (nu, 2); infinite where not limited.")
      .def_prop_ro(
          "start_qpos", [](const PreparedWorld& w) { return to_array(w.setup.state.qpos); }, kFresh,
          "In which the run starts: qpos, a copy.")
      .def(
          "keyframe",
          [](const PreparedWorld& w, const std::string& name) {
            return to_array(find_pose(w.setup.world.robot, name, ""));
          },
          nb::arg("name"), "qpos of the robot's keyframe of that name.")
      .def_prop_ro("keyframe_names",
                   [=](const PreparedWorld& w) {
                     return names_of(robot(w).keyframes, [](const Keyframe& k) { return k.name; });
                   })
      .def_prop_ro(
          "force_scale", [](const PreparedWorld& w) { return w.setup.world.force_scale; },
          "The robot's weight; without gravity its mass times 1 m/s² [N].")
      .def_prop_ro(
          "warnings", [=](const PreparedWorld& w) { return robot(w).warnings; },
          "What of the robot's file is left out.")
      .def("__repr__", [=](const PreparedWorld& w) {
        return "<footfall.World: robot '" + robot(w).name + "', scenario '" + w.scenario.name +
               "'>";
      });
}

}  // namespace

void bind_scenarios(nb::module_& m) {
  bind_scenario(m);
  bind_world(m);
}

}  // namespace footfall::python
