// Soils: the library, files, and soils made of keys and values as soil files have them.
#include "bind.hpp"
#include "footfall/io/soil_library.hpp"
#include "io/soil_text.hpp"

namespace footfall::python {

void bind_soils(nb::module_& m) {
  nb::class_<Soil>(m, "Soil",
                   "A soil: parameters of its laws, with the keys and units of soil files "
                   "(docs/soil-file.md).\n\n"
                   "`terramechanics` makes ground that yields and keeps footprints, `compliant` "
                   "ground that comes back. Values are checked as those of a file are.")
      .def(
          "__init__",
          [](Soil* self, const std::string& name, nb::object terramechanics, nb::object compliant,
             const std::string& description, const std::string& source,
             const std::string& validity) {
            const auto text =
                nb::cast<std::string>(nb::module_::import_("footfall._toml")
                                          .attr("soil_text")(name, terramechanics, compliant,
                                                             description, source, validity));
            new (self) Soil(parse_soil(text, name));
          },
          nb::arg("name"), nb::kw_only(), nb::arg("terramechanics") = nb::none(),
          nb::arg("compliant") = nb::none(), nb::arg("description") = "made in Python",
          nb::arg("source") = "made in Python", nb::arg("validity") = "not known",
          nb::sig("def __init__(self, name: str, *, terramechanics: "
                  "collections.abc.Mapping[str, typing.Any] | None = None, compliant: "
                  "collections.abc.Mapping[str, typing.Any] | None = None, description: str = "
                  "'made in Python', source: str = 'made in Python', validity: str = 'not known') "
                  "-> None"))
      .def_static("from_toml", &parse_soil, nb::arg("text"), nb::arg("name"),
                  "A soil from the text of a soil file; `name` stands for the file in messages.")
      .def_static("load", &load_soil, nb::arg("file"), "A soil from a soil file.")
      .def_ro("name", &Soil::name)
      .def_ro("description", &Soil::description)
      .def_ro("source", &Soil::source, "Citation.")
      .def_ro("validity", &Soil::validity, "Where its values hold.")
      .def_ro("notes", &Soil::notes)
      .def_ro("moisture", &Soil::moisture, "Water by the dry weight [-]; None: not known.")
      .def_ro("file", &Soil::file, "Where it was read; empty: it was made here.")
      .def_prop_ro(
          "is_plastic", [](const Soil& soil) { return soil.plastic.has_value(); },
          "Whether it yields and keeps footprints.")
      .def(
          "to_toml", [](const Soil& soil) { return soil_text(soil); },
          "As the text of a soil file, which reads back value by value.")
      .def(
          "save",
          [](const Soil& soil, nb::object file, bool overwrite) {
            nb::module_::import_("footfall._soils")
                .attr("write_soil")(soil_text(soil), file, overwrite);
          },
          nb::arg("file"), nb::arg("overwrite") = false,
          nb::sig("def save(self, file: str | os.PathLike[str], overwrite: bool = False) -> None"),
          "Writes a soil file, my-sand.toml.")
      .def("__repr__", [](const Soil& soil) {
        return "<footfall.Soil '" + soil.name + "': " + soil.description + ">";
      });
  m.def("load_soil_library", nb::overload_cast<>(&load_soil_library),
        "Every soil of the library: of soils/ here and above, of $FOOTFALL_DATA, of the package.");
  m.def("load_named_soil", &load_named_soil, nb::arg("name"), nb::arg("place") = "soil");
}

}  // namespace footfall::python
