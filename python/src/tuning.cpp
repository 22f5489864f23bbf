// MuJoCo's own ground tuned to sink as asked, or as a soil does.
#include "bind.hpp"
#include "footfall/error.hpp"
#include "footfall/tune/tune.hpp"

namespace footfall::python {
namespace {

Tuned tune(const std::filesystem::path& robot, std::optional<double> sinkage,
           const std::optional<Soil>& soil, double damping_ratio,
           std::optional<double> damping_ratio_at_rest, const std::string& keyframe,
           const std::string& ground, const std::filesystem::path& output) {
  if (sinkage.has_value() == soil.has_value()) {
    throw InputError("tune: either sinkage [m] or soil, one of them");
  }
  TuneOptions options;
  options.sinkage = sinkage.value_or(0);
  options.damping_ratio = damping_ratio;
  options.damping_ratio_at_rest = damping_ratio_at_rest;
  options.keyframe = keyframe;
  options.ground = ground;
  options.output = output;
  const nb::gil_scoped_release unlocked;
  return soil ? tune_to_soil(robot, *soil, options) : tune_soft_ground(robot, options);
}

}  // namespace

void bind_tuning(nb::module_& m) {
  nb::class_<TunedFoot>(m, "TunedFoot", "A foot of a robot on tuned ground.")
      .def_ro("name", &TunedFoot::name)
      .def_ro("contacts", &TunedFoot::contacts, "That touch.")
      .def_ro("load", &TunedFoot::load, "After settling [N].")
      .def_ro("wanted_sinkage", &TunedFoot::wanted_sinkage, "[m]")
      .def_ro("achieved_sinkage", &TunedFoot::achieved_sinkage,
              "After settling in MuJoCo, mean over its contacts [m].")
      .def_ro("deepest_sinkage", &TunedFoot::deepest_sinkage, "Of its contacts [m].");
  nb::class_<Tuned>(m, "Tuned", "MuJoCo's contact parameters, and what the robot does on them.")
      .def_prop_ro(
          "solref", [](const Tuned& t) { return nb::make_tuple(t.solref.first, t.solref.second); },
          nb::sig("def solref(self) -> tuple[float, float]"))
      .def_prop_ro(
          "solimp",
          [](const Tuned& t) {
            const SoftImpedance& s = t.solimp;
            return nb::make_tuple(s.d0, s.d_width, s.width, s.midpoint, s.power);
          },
          nb::sig("def solimp(self) -> tuple[float, float, float, float, float]"))
      .def_ro("feet", &Tuned::feet)
      .def_ro("weight", &Tuned::weight, "[N]")
      .def_ro("damping_ratio_at_rest", &Tuned::damping_ratio_at_rest)
      .def_ro("settled", &Tuned::settled, "It came to rest.")
      .def_ro("lines", &Tuned::lines, "To paste into an MJCF.")
      .def_ro("warnings", &Tuned::warnings);
  m.def("tune", &tune, nb::arg("robot"), nb::arg("sinkage").none(), nb::arg("soil").none(),
        nb::arg("damping_ratio"), nb::arg("damping_ratio_at_rest").none(), nb::arg("keyframe"),
        nb::arg("ground"), nb::arg("output"));
}

}  // namespace footfall::python
