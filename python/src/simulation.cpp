// Simulation: what a program steps.
#include "footfall/step/simulation.hpp"
#include "bind.hpp"
#include "world.hpp"

namespace footfall::python {
namespace {

class PySimulation {
 public:
  PySimulation(nb::object world, const std::optional<NumbersIn>& qpos)
      : world_(std::move(world)), simulation_(prepared().setup.world, start_pose(qpos)) {
    if (!qpos) simulation_.restore(prepared().setup.state);
  }

  const PreparedWorld& prepared() const { return *nb::inst_ptr<PreparedWorld>(world_); }
  nb::object world() const { return world_; }
  Simulation& simulation() { return simulation_; }

  SolverReport<double> step(std::int64_t count) {
    constexpr std::int64_t kFew = 16, kMany = 256;
    if (count < 1)
      throw InputError("step: count = " + std::to_string(count) + ", expected 1 or more");
    if (count < kFew) return simulation_.step(static_cast<int>(count));
    Attendant attendant;
    SolverReport<double> report;
    {
      const nb::gil_scoped_release unlocked;
      for (std::int64_t done = 0; done < count;) {
        const std::int64_t now = std::min(count - done, kMany);
        report = simulation_.step(static_cast<int>(now));
        done += now;
        if (!attendant.attend(static_cast<double>(done) / static_cast<double>(count))) break;
      }
    }
    attendant.finish();
    return report;
  }

 private:
  std::vector<double> start_pose(const std::optional<NumbersIn>& qpos) const {
    return qpos ? to_vector(*qpos) : prepared().setup.state.qpos;
  }

  nb::object world_;
  Simulation simulation_;
};

// A foot of a simulation: always what happened in its last step.
struct PyFoot {
  nb::object owner;
  std::size_t index = 0;
  const FootPatch& patch() const {
    return nb::inst_ptr<PySimulation>(owner)->simulation().feet()[index];
  }
  const std::string& name() const {
    return nb::inst_ptr<PySimulation>(owner)->simulation().world().soles.feet[index].name;
  }
};

std::vector<PyFoot> feet_of(nb::handle self) {
  const std::size_t count =
      nb::inst_ptr<PySimulation>(self)->simulation().world().soles.feet.size();
  std::vector<PyFoot> feet;
  for (std::size_t i = 0; i < count; ++i) feet.push_back({nb::borrow(self), i});
  return feet;
}

void bind_feet(nb::module_& m) {
  nb::class_<PyFoot> foot(m, "Foot",
                          "What happened under a foot in the simulation's last step. It "
                          "follows the simulation.");
  const auto number = [&](const char* name, double FootPatch::* field, const char* doc) {
    foot.def_prop_ro(name, [field](const PyFoot& f) { return f.patch().*field; }, doc);
  };
  const auto vector = [&](const char* name, Vec3d FootPatch::* field, const char* doc) {
    foot.def_prop_ro(
        name, [field](const PyFoot& f) { return to_array(f.patch().*field); }, kFresh, doc);
  };
  foot.def_prop_ro("name", &PyFoot::name);
  foot.def_prop_ro(
      "touching", [](const PyFoot& f) { return f.patch().touching; }, "It carries any force.");
  number("sinkage", &FootPatch::sinkage, "At the centre, at the end of the step [m].");
  number("sinkage_rate", &FootPatch::sinkage_rate, "Positive while sinking [m/s].");
  number("pad_compression", &FootPatch::pad_compression, "Of the foot's pad [m].");
  number("contact_area", &FootPatch::contact_area, "[m²]");
  number("normal_force", &FootPatch::normal_force, "[N]");
  number("tangential_force", &FootPatch::tangential_force, "[N]");
  number("friction_use", &FootPatch::friction_use, "Tangential force over its limit [-].");
  vector("center", &FootPatch::center, "Pressure-weighted centre, world axes [m].");
  vector("normal", &FootPatch::normal, "Of the ground there, world axes.");
  vector("velocity", &FootPatch::velocity, "Of the sole at the centre, world axes [m/s].");
  vector("shear_displacement", &FootPatch::shear_displacement,
         "Force-weighted mean, world axes [m].");
  vector("force", &FootPatch::force, "Of the ground on the foot, world axes [N].");
  vector("moment", &FootPatch::moment, "About the centre, world axes [N m].");
  foot.def("__repr__", [](const PyFoot& f) { return "<footfall.Foot '" + f.name() + "'>"; });
}

void bind_values(nb::module_& m) {
  nb::class_<Energy>(m, "Energy", "Energies of a robot and its ground [J].")
      .def_ro("kinetic", &Energy::kinetic)
      .def_ro("gravity", &Energy::gravity, "Zero at the world's origin.")
      .def_ro("springs", &Energy::springs, "Of joint springs.")
      .def_ro("ground", &Energy::ground, "Elastic: of the ground and the feet's pads.")
      .def_prop_ro("total", &Energy::total);
  nb::class_<SolverReport<double>>(m, "SolverReport", "How the solver of a step ended.")
      .def_ro("converged", &SolverReport<double>::converged)
      .def_ro("iterations", &SolverReport<double>::iterations)
      .def_ro("residual", &SolverReport<double>::residual, "Largest force error [N].");
  nb::class_<State<double>>(m, "State",
                            "All that a step changes: coordinates, velocities, and what ground "
                            "and joints remember, footprints included.")
      .def_ro("time", &State<double>::time, "[s]")
      .def_prop_ro(
          "qpos", [](const State<double>& s) { return to_array(s.qpos); }, kFresh, "A copy.")
      .def_prop_ro(
          "qvel", [](const State<double>& s) { return to_array(s.qvel); }, kFresh, "A copy.");
}

// A property that is a view of the simulation's own numbers; assigning to it copies into them.
template <class Numbers>
void bind_view(nb::class_<PySimulation>& simulation, const char* name, Numbers numbers,
               const char* doc) {
  simulation.def_prop_rw(
      name,
      [numbers](nb::handle self) {
        return view(numbers(nb::inst_ptr<PySimulation>(self)->simulation()), self);
      },
      [numbers, name](PySimulation& self, const NumbersIn& values) {
        std::vector<double>& own = numbers(self.simulation());
        if (values.size() != own.size()) {
          throw InputError(std::string(name) + " has " + std::to_string(values.size()) +
                           " numbers, expected " + std::to_string(own.size()));
        }
        std::copy(values.data(), values.data() + values.size(), own.begin());
      },
      doc);
}

}  // namespace

void bind_simulation(nb::module_& m) {
  bind_values(m);
  bind_feet(m);
  nb::class_<PySimulation> simulation(
      m, "Simulation",
      "A world in motion.\n\nArrays that it hands out are views: what is written "
      "to them is what the next step reads.");
  simulation
      .def(
          "__init__",
          [](PySimulation* self, nb::handle_t<PreparedWorld> world,
             const std::optional<NumbersIn>& qpos) {
            new (self) PySimulation(nb::borrow(world), qpos);
          },
          nb::arg("world"), nb::arg("qpos") = nb::none())
      .def(
          "__init__",
          [](PySimulation* self, const Scenario& scenario, const std::optional<NumbersIn>& qpos) {
            new (self) PySimulation(nb::cast(PreparedWorld(scenario)), qpos);
          },
          nb::arg("scenario"), nb::arg("qpos") = nb::none())
      .def_prop_ro("world", &PySimulation::world)
      .def_prop_ro(
          "time", [](PySimulation& s) { return s.simulation().time(); }, "[s]")
      .def("step", &PySimulation::step, nb::arg("count") = 1,
           "Takes `count` steps and returns the report of the last.\n\nControls stay as they are. "
           "From 16 steps on other threads run meanwhile.")
      .def_prop_ro("feet", &feet_of, "The robot's feet, in the world's order.")
      .def(
          "energy", [](PySimulation& s) { return s.simulation().energy(); },
          "Of the present state.")
      .def(
          "save", [](PySimulation& s) { return s.simulation().save(); },
          "The state with all that ground and joints remember. A restored state goes on bit by "
          "bit as the saved one did.")
      .def(
          "restore",
          [](PySimulation& s, const State<double>& saved) { s.simulation().restore(saved); },
          nb::arg("saved"), "Goes back to a saved state of the same world.")
      .def("__repr__", [](PySimulation& s) {
        return "<footfall.Simulation of '" + s.simulation().world().robot.name + "' at " +
               std::to_string(s.simulation().time()) + " s>";
      });
  using S = Simulation;
  bind_view(
      simulation, "qpos", [](S& s) -> auto& { return s.qpos(); },
      "Coordinates of all joints, as MuJoCo's [m, rad].");
  bind_view(
      simulation, "qvel", [](S& s) -> auto& { return s.qvel(); },
      "Velocities of all joints, as MuJoCo's [m/s, rad/s].");
  bind_view(
      simulation, "control", [](S& s) -> auto& { return s.control().control; },
      "Of each actuator, in its own unit: MuJoCo's ctrl.");
  bind_view(
      simulation, "servo_position", [](S& s) -> auto& { return s.control().position; },
      "Targets of servos on motors [rad or m]: torque = kp (position − q) + kd (velocity − "
      "q̇) + control.");
  bind_view(
      simulation, "servo_velocity", [](S& s) -> auto& { return s.control().velocity; },
      "Velocity targets of servos on motors [rad/s or m/s].");
  bind_view(
      simulation, "servo_kp", [](S& s) -> auto& { return s.control().kp; },
      "Gains of servos on motors [N m/rad or N/m]; 0: no servo.");
  bind_view(
      simulation, "servo_kd", [](S& s) -> auto& { return s.control().kd; },
      "Damping of servos on motors [N m s/rad or N s/m].");
}

}  // namespace footfall::python
