// Models for MuJoCo's plugin footfall.soil.
#include "bind.hpp"
#include "footfall/error.hpp"
#include "footfall/granular/learning.hpp"
#include "footfall/ground/wrench_file.hpp"
#include "footfall/mujoco/soil_model.hpp"
#include "footfall/soil/soil_line.hpp"
#include "io/data_folders.hpp"

namespace footfall::python {
namespace {

// `soils`: the first lies where no region is; none: `law` says what the ground is.
SoilModelReport write_model(const std::filesystem::path& file, const std::filesystem::path& output,
                            const std::vector<Soil>& soils, const std::string& law,
                            const std::string& regions, const std::string& pad,
                            const std::filesystem::path& wrenches,
                            const std::vector<std::string>& feet, const std::string& ground,
                            int prints) {
  SoilModelOptions options;
  options.soil = law;
  for (const Soil& soil : soils)
    options.soil += (options.soil.empty() ? "" : "; ") + soil_line(soil);
  options.regions = regions;
  options.pad = pad;
  options.wrenches = wrenches;
  options.feet = feet;
  options.ground = ground;
  options.prints = prints;
  options.output = output;
  const nb::gil_scoped_release unlocked;
  return write_soil_model(file, options);
}

// A wrench database, learned, as the file of numbers that the plugin reads.
void learn_medium_file(const std::string& database, const std::filesystem::path& output) {
  const nb::gil_scoped_release unlocked;
  const WrenchDatabase read =
      read_wrench_database(find_file(medium_files(), database, "", "wrench_space"));
  write_medium_file(output, {read.medium, learn_wrenches(read)});
}

}  // namespace

void bind_soil_plugin(nb::module_& m) {
  nb::class_<SoilModelReport>(m, "SoilModel", "What a model with soil took for feet and ground.")
      .def_ro("ground", &SoilModelReport::ground, "Name of the geom that gives way.")
      .def_ro("ground_added", &SoilModelReport::ground_added, "It is a plane that was added.")
      .def_ro("feet", &SoilModelReport::feet, "Names of geoms.")
      .def_ro("named", &SoilModelReport::named, "Geoms that had no name and were given one.")
      .def_ro("bit", &SoilModelReport::bit, "Of contype and conaffinity, that parts them.")
      .def_ro("parted_pairs", &SoilModelReport::parted_pairs,
              "Pairs of geoms that MuJoCo no longer looks at.");
  m.def("write_soil_model", &write_model, nb::arg("file"), nb::arg("output"), nb::arg("soils"),
        nb::arg("law"), nb::arg("regions"), nb::arg("pad"), nb::arg("wrenches"), nb::arg("feet"),
        nb::arg("ground"), nb::arg("prints"));
  m.def("learn_medium_file", &learn_medium_file, nb::arg("database"), nb::arg("output"));
}

}  // namespace footfall::python
