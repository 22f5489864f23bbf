// What the files of the Python module share. Each registers the words of one room of the library.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <string>
#include <vector>

#include "footfall/math/spatial.hpp"

namespace footfall::python {

namespace nb = nanobind;

using Array = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using ConstArray = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using NumbersIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A view of numbers that `owner` keeps alive: writing to it writes to them.
inline Array view(std::vector<double>& values, nb::handle owner) {
  return Array(values.data(), {values.size()}, owner);
}
inline ConstArray view(const std::vector<double>& values, nb::handle owner) {
  return ConstArray(values.data(), {values.size()}, owner);
}

// A fresh array.
Array to_array(std::vector<double> values);
Matrix to_matrix(std::vector<double> values, std::size_t columns);
inline Array to_array(const Vec3d& v) { return to_array(std::vector<double>{v.x, v.y, v.z}); }

// Of properties that give a fresh array: it belongs to nobody else.
inline constexpr auto kFresh = nb::rv_policy::reference;

inline std::vector<double> to_vector(const NumbersIn& values) {
  return {values.data(), values.data() + values.size()};
}

// Looks after a call that runs without the interpreter's lock: asks now and then whether Ctrl-C was pressed, and
// tells a Python function the share done. Throws what that raised.
class Attendant {
 public:
  explicit Attendant(nb::object progress = nb::none()) : progress_(std::move(progress)) {}
  // To be called without the lock; false: stop, and then call finish().
  bool attend(double share);
  // To be called with the lock.
  void finish();

 private:
  nb::object progress_;
  double last_ = 0;
  bool raised_ = false;
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;  // of what was raised
};

nb::object parse_json(const std::string& text);

void bind_errors(nb::module_& m);
void bind_soils(nb::module_& m);
void bind_scenarios(nb::module_& m);
void bind_simulation(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_runs(nb::module_& m);
void bind_rig(nb::module_& m);
void bind_identification(nb::module_& m);
void bind_tuning(nb::module_& m);
void bind_soil_plugin(nb::module_& m);
void bind_granular(nb::module_& m);

}  // namespace footfall::python
