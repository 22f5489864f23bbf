// The Python module footfall._footfall: the library's own words; python/footfall/ makes them comfortable.
#include <chrono>
#include <memory>
#include <utility>

#include "bind.hpp"
#include "footfall/error.hpp"
#include "footfall/run/run.hpp"
#include "footfall/version.hpp"

namespace footfall::python {
namespace {

double now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

template <class Result>
Result own(std::vector<double> values, std::initializer_list<std::size_t> shape) {
  auto kept = std::make_unique<std::vector<double>>(std::move(values));
  double* data = kept->data();
  nb::capsule owner(kept.release(), [](void* p) noexcept {
    delete static_cast<std::vector<double>*>(p);  // NOLINT(cppcoreguidelines-owning-memory)
  });
  return Result(data, shape, owner);
}

}  // namespace

Array to_array(std::vector<double> values) {
  const std::size_t size = values.size();
  return own<Array>(std::move(values), {size});
}

Matrix to_matrix(std::vector<double> values, std::size_t columns) {
  const std::size_t rows = columns == 0 ? 0 : values.size() / columns;
  return own<Matrix>(std::move(values), {rows, columns});
}

bool Attendant::attend(double share) {
  constexpr double kInterval = 0.1;  // [s]
  const double time = now();
  if (last_ == 0) last_ = time;
  if (raised_ || time - last_ < kInterval) return !raised_;
  last_ = time;
  const nb::gil_scoped_acquire lock;
  raised_ = PyErr_CheckSignals() != 0;
  if (!raised_ && !progress_.is_none()) {
    nb::object result = nb::steal(PyObject_CallFunction(progress_.ptr(), "d", share));
    raised_ = !result.is_valid();
  }
  if (raised_) PyErr_Fetch(&type_, &value_, &trace_);
  return !raised_;
}

void Attendant::finish() {
  if (!raised_) return;
  PyErr_Restore(type_, value_, trace_);
  throw nb::python_error();
}

nb::object parse_json(const std::string& text) {
  return nb::module_::import_("json").attr("loads")(text);
}

void bind_errors(nb::module_& m) {
  nb::exception<InputError>(m, "InputError", PyExc_ValueError).doc() =
      "What was asked for is wrong: a file, a key, a value. The message is the program's.";
  static nb::object failure = nb::exception<RunFailure>(m, "RunFailure", PyExc_RuntimeError);
  failure.doc() = "A step gave a state that is not finite. `bundle` is a folder from which "
                  "`footfall replay` does the step again.";
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const RunFailure& error) {
      nb::object exception = failure(error.what());
      exception.attr("bundle") = error.bundle;
      PyErr_SetObject(failure.ptr(), exception.ptr());
    }
  });
}

}  // namespace footfall::python

NB_MODULE(_footfall, m) {
  using namespace footfall::python;
  m.doc() = "The library's own words, see the package footfall.";
  m.def(
      "build_description", [] { return std::string(footfall::build_description()); },
      "Version, compiler, build type and kernels of the library, in one line.");
  bind_errors(m);
  bind_soils(m);
  bind_scenarios(m);
  bind_simulation(m);
  bind_batch(m);
  bind_runs(m);
  bind_rig(m);
  bind_identification(m);
  bind_tuning(m);
  bind_soil_plugin(m);
  bind_granular(m);
}
