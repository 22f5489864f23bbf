// Runs: a scenario from its first step to its last, and run files.
#include <array>

#include "bind.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/record/run_file.hpp"
#include "footfall/viewer/page.hpp"
#include "world.hpp"

namespace footfall::python {
namespace {

nb::object run_world(const PreparedWorld& world, const std::filesystem::path& output, bool record,
                     const std::string& command, nb::object progress) {
  Attendant attendant(std::move(progress));
  RunOptions options;
  options.output = output;
  options.record = record;
  options.command = command;
  options.attend = [&](double share) { return attendant.attend(share); };
  RunSummary summary;
  {
    const nb::gil_scoped_release unlocked;
    summary = run(world.scenario, world.setup, options);
  }
  attendant.finish();
  return parse_json(summary_json(summary));
}

nb::object values_of(const RunColumn& column) {
  std::vector<double> values = column.values;
  if (column.shape.empty()) return nb::cast(to_array(std::move(values)));
  return nb::cast(to_matrix(std::move(values), static_cast<std::size_t>(column.width)));
}

PageContent page_of(const RunContents& data) {
  const nb::gil_scoped_release unlocked;
  return make_run_page(data);
}

void bind_columns(nb::module_& m) {
  nb::class_<RunColumn>(m, "RunColumn", "A column of a run file.")
      .def_ro("name", &RunColumn::name, "Its path, as 'feet/front_left_foot/force'.")
      .def_ro("unit", &RunColumn::unit)
      .def_ro("meaning", &RunColumn::meaning)
      .def_ro("frame", &RunColumn::frame, "Empty where there is none.")
      .def_ro("names", &RunColumn::names, "Of each number of a row, where they have names.")
      .def_ro("units", &RunColumn::units, "Of each number of a row.")
      .def_ro("width", &RunColumn::width, "Numbers in a row.")
      .def_prop_ro("values", &values_of,
                   nb::sig("def values(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "A copy: one number per row, or an array of shape (rows, width).")
      .def("__repr__", [](const RunColumn& c) {
        return "<footfall.RunColumn '" + c.name + "' [" + c.unit + "]>";
      });
}

}  // namespace

void bind_runs(nb::module_& m) {
  bind_columns(m);
  nb::class_<RunContents>(m, "RunFile", "A run file in memory: docs/run-file.md.")
      .def_ro("file", &RunContents::file)
      .def_ro("complete", &RunContents::complete, "False: the run was cut short.")
      .def_ro("row_count", &RunContents::row_count)
      .def_prop_ro(
          "columns",
          [](const RunContents& data) {
            std::vector<std::string> names;
            for (const RunColumn& column : data.columns) names.push_back(column.name);
            return names;
          },
          "Names of the columns, in the order of the file.")
      .def("column", &RunContents::column, nb::arg("name"), nb::rv_policy::reference_internal)
      .def("constant", &RunContents::constant, nb::arg("name"), nb::rv_policy::reference_internal,
           "A value of the groups robot and terrain, which do not change.")
      .def(
          "__getitem__",
          [](const RunContents& data, const std::string& name) {
            return values_of(data.column(name));
          },
          nb::arg("name"),
          nb::sig("def __getitem__(self, name: str) -> numpy.typing.NDArray[numpy.float64]"),
          "Values of the column of that name, a copy.")
      .def_ro("texts", &RunContents::texts, "Attributes of the file that are text.")
      .def_ro("numbers", &RunContents::numbers, "Attributes of the file that are numbers.")
      .def_ro("lists", &RunContents::lists, "Attributes of the file that are lists of text.")
      .def(
          "write_report",
          [](const RunContents& data, const std::filesystem::path& file) {
            write_page(file, page_of(data));
          },
          nb::arg("file"), "Writes the report, one HTML file that opens from disk.")
      .def(
          "report_html", [](const RunContents& data) { return fill_page(page_of(data)); },
          "The report as text.")
      .def(
          "write_csv",
          [](const RunContents& data, const std::filesystem::path& file) {
            export_csv(data.file, file);
          },
          nb::arg("file"), "Writes all columns as comma-separated values.")
      .def("__repr__", [](const RunContents& data) {
        return "<footfall.RunFile '" + data.file + "': " + std::to_string(data.row_count) +
               " rows>";
      });
  m.def("read_run", &read_run, nb::arg("file"), nb::call_guard<nb::gil_scoped_release>(),
        "Reads a run file.");
  m.def(
      "run_world", &run_world, nb::arg("world"), nb::arg("output"), nb::arg("record"),
      nb::arg("command"), nb::arg("progress").none(),
      nb::sig(
          "def run_world(world: World, output: str | os.PathLike[str], record: bool, command: str, "
          "progress: collections.abc.Callable[[float], None] | None) -> dict[str, typing.Any]"));
}

}  // namespace footfall::python
