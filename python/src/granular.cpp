// Granular media: wrench databases, and the wrenches learned from them.
#include "bind.hpp"
#include "footfall/granular/learning.hpp"
#include "footfall/granular/wrench_database.hpp"
#include "input_error.hpp"
#include "io/data_folders.hpp"

namespace footfall::python {
namespace {

struct Medium {
  WrenchDatabase database;
  std::shared_ptr<const WrenchModel> model;
};

Medium load_medium(const std::string& name) {
  const nb::gil_scoped_release unlocked;
  WrenchDatabase database = read_wrench_database(find_file(medium_files(), name, {}, "medium"));
  auto model = std::make_shared<const WrenchModel>(learn_wrenches(database));
  return {std::move(database), std::move(model)};
}

// Rows (force_x, force_z, torque_y) of all directions.
Matrix predict(const Medium& medium, double depth, double tilt) {
  if (!(std::isfinite(depth) && std::isfinite(tilt))) {
    throw input_error("depth = {} m, tilt = {} rad, expected finite numbers", depth, tilt);
  }
  WrenchVertices vertices = medium.model->make_vertices();
  medium.model->predict({.depth = depth, .tilt = tilt}, vertices);
  std::vector<double> rows;
  for (int i = 0; i < medium.model->vertex_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    rows.insert(rows.end(), {vertices.force_x[at], vertices.force_z[at], vertices.torque_y[at]});
  }
  return to_matrix(std::move(rows), 3);
}

}  // namespace

void bind_granular(nb::module_& m) {
  nb::class_<Medium>(m, "Medium",
                     "A granular medium under one foot: the wrenches that hold it, by depth and "
                     "tilt (docs/granular.md).")
      .def_prop_ro("name", [](const Medium& x) { return x.database.medium; })
      .def_prop_ro("source", [](const Medium& x) { return x.database.source; })
      .def_prop_ro(
          "deepest", [](const Medium& x) { return x.model->deepest(); }, "Of the data [m].")
      .def_prop_ro(
          "largest_tilt", [](const Medium& x) { return x.model->largest_tilt(); },
          "Of the data [rad].")
      .def_prop_ro(
          "configurations",
          [](const Medium& x) {
            std::vector<double> rows;
            for (const FootConfiguration& c : x.database.configurations) {
              rows.insert(rows.end(), {c.depth, c.tilt});
            }
            return to_matrix(std::move(rows), 2);
          },
          kFresh, "Depth [m] and tilt [rad] of the data, shape (n, 2).")
      .def_prop_ro(
          "wrenches",
          [](const Medium& x) {
            std::vector<double> rows;
            for (const PlanarWrench& w : x.database.wrenches) {
              rows.insert(rows.end(), {w.force_x, w.force_z, w.torque_y});
            }
            return to_matrix(std::move(rows), 3);
          },
          kFresh,
          "Measured: force_x [N], force_z [N], torque_y [N m] of each configuration and "
          "direction.")
      .def("predict", &predict, nb::arg("depth"), nb::arg("tilt") = 0,
           "Corners of the set of wrenches at a depth [m] and tilt [rad]: rows of force_x [N], "
           "force_z [N], torque_y [N m], one for each direction; zero is a corner besides. Beyond "
           "the data the nearest configuration inside counts.")
      .def("__repr__", [](const Medium& x) {
        return "<footfall.granular.Medium '" + x.database.medium + "'>";
      });
  m.def("load_medium", &load_medium, nb::arg("name"));
  m.def("list_media", [] { return list_library({}, medium_files()); });
}

}  // namespace footfall::python
