// Batch: many robots at once.
#include "footfall/step/batch.hpp"
#include "bind.hpp"
#include "input_error.hpp"
#include "world.hpp"

namespace footfall::python {
namespace {

using RowsIn = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using MaskIn = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<nb::numpy, double>;
using ConstRows = nb::ndarray<nb::numpy, const double>;
using ConstMask = nb::ndarray<nb::numpy, const bool, nb::ndim<1>>;

// nanobind holds objects of Python; worlds are kept by the C++ batch itself.
struct PyBatch {
  PyBatch(std::vector<nb::object> w, const BatchOptions& options)
      : worlds(std::move(w)), batch(shared(worlds), options) {}
  static std::vector<std::shared_ptr<const BatchWorld>>
  shared(const std::vector<nb::object>& worlds) {
    std::vector<std::shared_ptr<const BatchWorld>> all;
    all.reserve(worlds.size());
    for (const nb::object& world : worlds) all.push_back(nb::cast<PreparedWorld&>(world).shared());
    return all;
  }
  std::size_t check(std::int64_t robot) const {
    if (robot >= 0 && robot < batch.size()) return static_cast<std::size_t>(robot);
    throw input_error("robot = {}, expected 0 to {}", robot, batch.size() - 1);
  }
  std::vector<nb::object> worlds;  // of each robot
  Batch batch;
};

BatchOptions options_of(int threads, bool lanes, bool feet) {
  return {.threads = threads, .lanes = lanes, .feet = feet};
}

// Copies rows (n, width), or one row for all, into the batch's.
void copy_rows(const char* name, const RowsIn& from, std::size_t count, std::vector<double>& to) {
  const std::size_t width = to.size() / count;
  const bool one = from.ndim() == 1 && from.shape(0) == width;
  const bool all = from.ndim() == 2 && from.shape(0) == count && from.shape(1) == width;
  if (!one && !all) {
    std::string shape;
    for (std::size_t i = 0; i < from.ndim(); ++i) {
      shape += (i == 0 ? "" : ", ") + std::to_string(from.shape(i));
    }
    throw input_error("{} has the shape ({}), expected ({}, {}), or ({},) for all robots", name,
                      shape, count, width, width);
  }
  if (all) {
    std::copy(from.data(), from.data() + to.size(), to.begin());
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::copy(from.data(), from.data() + width,
              to.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
}

void step(PyBatch& self, const std::optional<RowsIn>& targets, std::int64_t substeps,
          const std::optional<RowsIn>& control, const std::optional<MaskIn>& mask) {
  constexpr std::int64_t kMost = 1'000'000, kTogether = 64;
  if (substeps < 1 || substeps > kMost) {
    throw input_error("substeps = {}, expected 1 to {}", substeps, kMost);
  }
  BatchArrays& arrays = self.batch.arrays();
  const auto count = static_cast<std::size_t>(self.batch.size());
  if (targets) {
    const std::vector<double>& kp = arrays.servo_kp;
    if (std::all_of(kp.begin(), kp.end(), [](double x) { return x == 0; })) {
      throw InputError("step: targets are those of servos, and servo_kp is all zero; set "
                       "batch.servo_kp[:] = 60, or "
                       "give control= in place of targets");
    }
    copy_rows("targets", *targets, count, arrays.servo_position);
  }
  if (control) copy_rows("control", *control, count, arrays.control);
  std::vector<std::uint8_t> chosen;
  if (mask) chosen.assign(mask->data(), mask->data() + mask->size());
  Attendant attendant;
  {
    const nb::gil_scoped_release unlocked;
    for (std::int64_t done = 0; done < substeps;) {
      const std::int64_t now = std::min(substeps - done, kTogether);
      self.batch.step(static_cast<int>(now), chosen);
      done += now;
      if (!attendant.attend(static_cast<double>(done) / static_cast<double>(substeps))) break;
    }
  }
  attendant.finish();
}

void reset(PyBatch& self, const std::optional<MaskIn>& mask) {
  std::vector<std::uint8_t> chosen(static_cast<std::size_t>(self.batch.size()), 1);
  if (mask) chosen.assign(mask->data(), mask->data() + mask->size());
  self.batch.reset(chosen);
}

// A property that is a view (n, width) of the batch's own numbers; assigning to it copies.
template <class Field>
void bind_rows(nb::class_<PyBatch>& batch, const char* name, Field field, const char* doc) {
  batch.def_prop_rw(
      name,
      [field](nb::handle self) {
        PyBatch& b = *nb::inst_ptr<PyBatch>(self);
        std::vector<double>& values = b.batch.arrays().*field;
        const auto count = static_cast<std::size_t>(b.batch.size());
        return Rows(values.data(), {count, values.size() / count}, self);
      },
      [field, name](PyBatch& self, const RowsIn& values) {
        copy_rows(name, values, static_cast<std::size_t>(self.batch.size()),
                  self.batch.arrays().*field);
      },
      doc);
}

void bind_gains(nb::class_<PyBatch>& batch, const char* name,
                std::vector<double> BatchArrays::* field, const char* doc) {
  batch.def_prop_rw(
      name,
      [field](nb::handle self) {
        return view(nb::inst_ptr<PyBatch>(self)->batch.arrays().*field, self);
      },
      [field, name](PyBatch& self, const NumbersIn& values) {
        std::vector<double>& own = self.batch.arrays().*field;
        if (values.size() != own.size()) {
          throw input_error("{} has {} numbers, expected {}", name, values.size(), own.size());
        }
        std::copy(values.data(), values.data() + values.size(), own.begin());
      },
      doc);
}

// A view that is only read, of shape (n, feet) or (n, feet, 3).
void bind_feet(nb::class_<PyBatch>& batch, const char* name,
               const std::vector<double> BatchArrays::* field, bool vectors, const char* doc) {
  batch.def_prop_ro(
      name,
      [field, vectors, name](nb::handle self) {
        PyBatch& b = *nb::inst_ptr<PyBatch>(self);
        const std::vector<double>& values = b.batch.arrays().*field;
        if (values.empty())
          throw input_error("{} is not measured: make the batch with feet=True", name);
        const auto count = static_cast<std::size_t>(b.batch.size());
        if (!vectors) return ConstRows(values.data(), {count, values.size() / count}, self);
        return ConstRows(values.data(), {count, values.size() / count / 3, 3}, self);
      },
      doc);
}

}  // namespace

void bind_batch(nb::module_& m) {
  nb::class_<PyBatch> batch(
      m, "Batch",
      "Many robots side by side, each in its own copy of a world, on all processors.\n\n"
      "Arrays have a row for each robot and are views: what is written to them is what the next "
      "step "
      "reads. numpy.from_dlpack and torch.from_dlpack take them without copies.");
  batch
      .def(
          "__init__",
          [](PyBatch* self, nb::handle_t<PreparedWorld> world, std::int64_t count, int threads,
             bool lanes, bool feet) {
            constexpr std::int64_t kMost = 10'000'000;
            if (count < 1 || count > kMost) {
              throw input_error("count = {}, expected 1 to {}", count, kMost);
            }
            new (self) PyBatch({static_cast<std::size_t>(count), nb::borrow(world)},
                               options_of(threads, lanes, feet));
          },
          nb::arg("world"), nb::arg("count"), nb::arg("threads") = 0, nb::arg("lanes") = true,
          nb::arg("feet") = false,
          "count    robots in this world\n"
          "threads  at most; 0: one per processor. The results do not depend on it\n"
          "lanes    eight robots at a time in SIMD lanes; False: each alone, with the bits of a "
          "Simulation\n"
          "feet     measure feet at the end of each step(): foot_force, foot_sinkage, "
          "foot_friction_use; needs lanes=False")
      .def(
          "__init__",
          [](PyBatch* self, const std::vector<nb::handle_t<PreparedWorld>>& worlds, int threads,
             bool lanes, bool feet) {
            std::vector<nb::object> all;
            for (const auto& world : worlds) all.push_back(nb::borrow(world));
            new (self) PyBatch(std::move(all), options_of(threads, lanes, feet));
          },
          nb::arg("worlds"), nb::arg("threads") = 0, nb::arg("lanes") = true,
          nb::arg("feet") = false, "One robot for each world of a list; the same robot in all.")
      .def("step", &step, nb::arg("targets") = nb::none(), nb::arg("substeps") = 1, nb::kw_only(),
           nb::arg("control") = nb::none(), nb::arg("mask") = nb::none(),
           "Every robot takes `substeps` steps; other Python threads run meanwhile.\n\n"
           "targets   of servos on motors, written to servo_position [rad or m]: shape (n, nu), or "
           "(nu,) for all\n"
           "control   of actuators, written to control\n"
           "mask      bools of shape (n,): the robots that move; needs lanes=False")
      .def("reset", &reset, nb::arg("mask") = nb::none(),
           "Robots of the mask, bools of shape (n,), go back to the start of their world without "
           "any "
           "history; None: all.")
      .def(
          "replace_world",
          [](PyBatch& self, std::int64_t robot, nb::handle_t<PreparedWorld> world) {
            const std::size_t at = self.check(robot);
            self.batch.replace_world(static_cast<int>(robot),
                                     nb::inst_ptr<PreparedWorld>(world)->shared());
            self.worlds[at] = nb::borrow(world);
          },
          nb::arg("robot"), nb::arg("world"),
          "A robot goes to the start of another world; needs lanes=False.")
      .def(
          "world",
          [](const PyBatch& self, std::int64_t robot) { return self.worlds[self.check(robot)]; },
          nb::arg("robot"), nb::sig("def world(self, robot: int) -> World"), "That a robot is in.")
      .def(
          "save",
          [](const PyBatch& self, std::int64_t robot) {
            return self.batch.save(static_cast<int>(self.check(robot)));
          },
          nb::arg("robot"), "One robot's state, footprints included, as Simulation.save().")
      .def(
          "restore",
          [](PyBatch& self, std::int64_t robot, const State<double>& saved) {
            self.batch.restore(static_cast<int>(self.check(robot)), saved);
          },
          nb::arg("robot"), nb::arg("saved"), "Gives a robot a state, of a batch or a Simulation.")
      .def("__len__", [](const PyBatch& self) { return self.batch.size(); })
      .def_prop_ro("threads", [](const PyBatch& self) { return self.batch.threads(); })
      .def_prop_ro(
          "lanes", [](const PyBatch& self) { return self.batch.lanes(); },
          "Whether robots share lanes.")
      .def_prop_ro(
          "time",
          [](nb::handle self) {
            const std::vector<double>& time = nb::inst_ptr<PyBatch>(self)->batch.arrays().time;
            return view(time, self);
          },
          "Of each robot since its start, shape (n,) [s].")
      .def_prop_ro(
          "failed",
          [](nb::handle self) {
            const std::vector<std::uint8_t>& failed =
                nb::inst_ptr<PyBatch>(self)->batch.arrays().failed;
            return ConstMask(failed.data(), {failed.size()}, self);
          },
          "Robots whose state was not finite any more, bools of shape (n,). They stand still, in "
          "the "
          "last state that a call of step() began with, until they are reset.")
      .def("__repr__", [](const PyBatch& self) {
        return fmt::format("<footfall.Batch of {} robots, {} threads{}>", self.batch.size(),
                           self.batch.threads(), self.batch.lanes() ? ", in lanes" : "");
      });
  bind_rows(batch, "qpos", &BatchArrays::qpos, "Coordinates, shape (n, nq), as MuJoCo's [m, rad].");
  bind_rows(batch, "qvel", &BatchArrays::qvel,
            "Velocities, shape (n, nv), as MuJoCo's [m/s, rad/s].");
  bind_rows(batch, "control", &BatchArrays::control,
            "Of each actuator, shape (n, nu), in its own unit: MuJoCo's ctrl.");
  bind_rows(batch, "servo_position", &BatchArrays::servo_position,
            "Targets of servos on motors, shape (n, nu) [rad or m].");
  bind_rows(batch, "servo_velocity", &BatchArrays::servo_velocity,
            "Velocity targets of servos on motors, shape (n, nu) [rad/s or m/s].");
  bind_gains(
      batch, "servo_kp", &BatchArrays::servo_kp,
      "Gains of servos on motors, of all robots, shape (nu,) [N m/rad or N/m]; 0: no servo.");
  bind_gains(batch, "servo_kd", &BatchArrays::servo_kd,
             "Damping of servos on motors, of all robots, shape (nu,) [N m s/rad or N s/m].");
  bind_feet(batch, "foot_force", &BatchArrays::foot_force, true,
            "Of the ground on each foot in the last step, shape (n, feet, 3), world axes [N].");
  bind_feet(batch, "foot_sinkage", &BatchArrays::foot_sinkage, false,
            "Of each foot at the end of the last step, shape (n, feet) [m].");
  bind_feet(batch, "foot_friction_use", &BatchArrays::foot_friction_use, false,
            "Tangential force over its limit of each foot, shape (n, feet) [-].");
}

}  // namespace footfall::python
