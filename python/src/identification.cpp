// Identification: from rig data to the parameters of a soil.
#include <algorithm>

#include "bind.hpp"
#include "footfall/identify/identify.hpp"
#include "footfall/io/soil_library.hpp"
#include "input_error.hpp"

namespace footfall::python {
namespace {

using Strings = std::vector<std::string>;

// One test as Python gives it: what it is called, its columns where it is no file, the foot.
struct TestIn {
  std::string name;
  std::map<std::string, NumbersIn> columns;
  std::optional<FootSole> foot;
  std::optional<double> mass;
  double load = 0;
  std::optional<std::string> kind;
};

std::size_t choice(const char* option, const std::string& word, const Strings& choices) {
  const auto found = std::find(choices.begin(), choices.end(), word);
  if (found == choices.end())
    throw input_error("{} '{}'{}", option, word, suggestion(word, choices));
  return static_cast<std::size_t>(found - choices.begin());
}

IdentifyInput make_input(const TestIn& test) {
  IdentifyInput input{.file = test.name, .sole = test.foot, .mass = test.mass, .load = test.load};
  for (const auto& [name, values] : test.columns) input.table.push_back({name, to_vector(values)});
  if (test.kind) {
    input.kind =
        static_cast<TestKind>(choice("kind", *test.kind, {"press", "drop", "drag", "points"}));
  }
  return input;
}

// What the words of `footfall identify` say, by the same names.
struct RequestIn {
  Strings fit;
  std::optional<std::string> model;
  std::string shear, method, loss, contact, form;
  std::map<std::string, double> fix;
  std::set<std::string> free;
  std::optional<int> starts;
  double confidence = 0.95;
  std::optional<double> cutoff;
  bool direct = false, compare = false, accept_implausible = false;
  std::filesystem::path columns;
  std::optional<Soil> soil, base;
  std::string soil_name;
};

IdentifyRequest make_request(const std::vector<TestIn>& tests, const RequestIn& in) {
  IdentifyRequest request;
  for (const TestIn& test : tests) request.inputs.push_back(make_input(test));
  request.read = {.columns = in.columns, .accept_implausible = in.accept_implausible};
  request.prepare.cutoff = in.cutoff;
  request.prepare.contact =
      static_cast<ContactRule>(choice("contact", in.contact, {"auto", "given", "find"}));
  for (const std::string& part : in.fit) {
    request.parts.push_back(static_cast<FitKind>(choice("fit", part, fit_part_names())));
  }
  if (in.model)
    request.model = static_cast<NormalModel>(choice("model", *in.model, normal_model_names()));
  request.form.form = static_cast<ForceForm>(choice("form", in.form, force_form_names()));
  request.shear = static_cast<ShearForm>(
      choice("shear", in.shear, {"exponential", "piecewise_linear", "tanh"}));
  request.fit.method =
      static_cast<FitMethod>(choice("method", in.method, {"least_squares", "nelder_mead"}));
  request.fit.loss = static_cast<Loss>(choice("loss", in.loss, {"square", "huber", "cauchy"}));
  if (!(in.confidence >= 0.5 && in.confidence <= 0.9999)) {
    throw input_error("confidence = {}, expected 0.5 to 0.9999", in.confidence);
  }
  request.fit.confidence = in.confidence;
  if (in.starts && !(*in.starts >= 1 && *in.starts <= 1000)) {
    throw input_error("starts = {}, expected 1 to 1000", *in.starts);
  }
  request.starts = in.starts;
  request.fix = in.fix;
  request.free = in.free;
  request.direct = in.direct;
  request.compare = in.compare;
  request.known = in.soil;
  request.base = in.base;
  if (!is_soil_name(in.soil_name)) {
    throw input_error("soil_name '{}', expected small letters, digits and single hyphens or "
                      "underscores, as in my-sand",
                      in.soil_name);
  }
  request.soil_name = in.soil_name;
  return request;
}

Identification identify_tests(const std::vector<TestIn>& tests, const RequestIn& in,
                              nb::object progress) {
  IdentifyRequest request = make_request(tests, in);
  Attendant attendant(std::move(progress));
  request.progress = [&](double share) {
    if (attendant.attend(share)) return;
    const nb::gil_scoped_acquire lock;
    attendant.finish();  // leaves the fit by its exception
  };
  const nb::gil_scoped_release unlocked;
  return identify(request);
}

void bind_estimate(nb::module_& m) {
  nb::class_<Estimate>(m, "Estimate", "A parameter, and how sure it is.")
      .def_ro("name", &Estimate::name)
      .def_ro("unit", &Estimate::unit, "Empty: a plain number.")
      .def_ro("value", &Estimate::value)
      .def_ro("standard_error", &Estimate::standard_error)
      .def_prop_ro(
          "interval", [](const Estimate& e) { return nb::make_tuple(e.lower, e.upper); },
          nb::sig("def interval(self) -> tuple[float, float]"),
          "Confidence interval, by default of 95 %.")
      .def_ro("fixed", &Estimate::fixed, "It was not fitted.")
      .def_ro("nuisance", &Estimate::nuisance, "Unknown, but not asked for.")
      .def_ro("at_bound", &Estimate::at_bound)
      .def("__float__", [](const Estimate& e) { return e.value; })
      .def("__repr__", [](const Estimate& e) {
        return fmt::format("<footfall.Estimate {} = {:.6g}{}{}, {:.6g} to {:.6g}>", e.name, e.value,
                           e.unit.empty() ? "" : " ", e.unit, e.lower, e.upper);
      });
}

void bind_parts(nb::module_& m) {
  const auto array = [](std::vector<double> FitCurve::* field) {
    return [field](const FitCurve& c) { return to_array(c.*field); };
  };
  nb::class_<FitCurve>(m, "FitCurve", "One test's data, and the fitted law at the same places.")
      .def_ro("name", &FitCurve::name, "Of the test.")
      .def_prop_ro("x", array(&FitCurve::x), kFresh)
      .def_prop_ro("data", array(&FitCurve::data), kFresh)
      .def_prop_ro("model", array(&FitCurve::model), kFresh)
      .def_prop_ro("half_width", array(&FitCurve::half_width), kFresh,
                   "Of the law's confidence band.")
      .def_prop_ro("prediction", array(&FitCurve::prediction), kFresh,
                   "Half the width of the band that holds a new run.");
  nb::class_<FittedLaw>(m, "FittedLaw", "One law fitted to the tests that serve it.")
      .def_ro("name", &FittedLaw::name, "'static', 'dynamic', 'shear', 'series', …")
      .def_ro("law", &FittedLaw::law, "In words and symbols.")
      .def_ro("curves", &FittedLaw::curves)
      .def_ro("x_label", &FittedLaw::x_label)
      .def_ro("x_unit", &FittedLaw::x_unit)
      .def_ro("y_label", &FittedLaw::y_label)
      .def_ro("y_unit", &FittedLaw::y_unit)
      .def_ro("sample_count", &FittedLaw::sample_count)
      .def_ro("derived", &FittedLaw::derived, "Values that follow from the parameters.")
      .def_ro("notes", &FittedLaw::notes)
      .def_prop_ro("estimates", [](const FittedLaw& p) { return p.fit.parameters; })
      .def_prop_ro(
          "rms_residual", [](const FittedLaw& p) { return p.fit.rms_residual; }, "[N]")
      .def_prop_ro(
          "aicc", [](const FittedLaw& p) { return p.fit.aicc; }, "Corrected information criterion.")
      .def_prop_ro("converged", [](const FittedLaw& p) { return p.fit.converged; })
      .def_prop_ro("iterations", [](const FittedLaw& p) { return p.fit.iterations; })
      .def_prop_ro(
          "correlation",
          [](const FittedLaw& p) {
            const Eigen::MatrixXd& c = p.fit.correlation;
            return to_matrix({c.data(), c.data() + c.size()}, static_cast<std::size_t>(c.cols()));
          },
          kFresh, "Of the estimates, in their order.");
  nb::class_<ModelScore>(m, "ModelScore", "How well a law suits the data.")
      .def_ro("model", &ModelScore::model)
      .def_ro("unknowns", &ModelScore::unknowns)
      .def_ro("rms_residual_N", &ModelScore::rms_residual_N)
      .def_ro("aicc", &ModelScore::aicc)
      .def_ro("delta_aicc", &ModelScore::delta_aicc)
      .def_ro("weight", &ModelScore::weight)
      .def_ro("cross_validation_rms_N", &ModelScore::cross_validation_rms_N)
      .def_ro("note", &ModelScore::note, "Why it could not be fitted.");
}

void bind_inputs(nb::module_& m) {
  nb::class_<TestIn>(m, "TestIn")
      .def(nb::init<>())
      .def_rw("name", &TestIn::name)
      .def_rw("columns", &TestIn::columns)
      .def_rw("foot", &TestIn::foot, nb::arg().none())
      .def_rw("mass", &TestIn::mass, nb::arg().none())
      .def_rw("load", &TestIn::load)
      .def_rw("kind", &TestIn::kind, nb::arg().none());
  nb::class_<RequestIn>(m, "RequestIn")
      .def(nb::init<>())
      .def_rw("fit", &RequestIn::fit)
      .def_rw("model", &RequestIn::model, nb::arg().none())
      .def_rw("shear", &RequestIn::shear)
      .def_rw("method", &RequestIn::method)
      .def_rw("loss", &RequestIn::loss)
      .def_rw("contact", &RequestIn::contact)
      .def_rw("form", &RequestIn::form)
      .def_rw("fix", &RequestIn::fix)
      .def_rw("free", &RequestIn::free)
      .def_rw("starts", &RequestIn::starts, nb::arg().none())
      .def_rw("confidence", &RequestIn::confidence)
      .def_rw("cutoff", &RequestIn::cutoff, nb::arg().none())
      .def_rw("direct", &RequestIn::direct)
      .def_rw("compare", &RequestIn::compare)
      .def_rw("accept_implausible", &RequestIn::accept_implausible)
      .def_rw("columns", &RequestIn::columns)
      .def_rw("soil", &RequestIn::soil, nb::arg().none())
      .def_rw("base", &RequestIn::base, nb::arg().none())
      .def_rw("soil_name", &RequestIn::soil_name);
}

}  // namespace

void bind_identification(nb::module_& m) {
  bind_estimate(m);
  bind_parts(m);
  bind_inputs(m);
  nb::class_<Identification>(m, "Identification")
      .def_ro("parts", &Identification::parts)
      .def_ro("models", &Identification::models)
      .def_ro("notes", &Identification::notes)
      .def_ro("warnings", &Identification::warnings)
      .def_ro("soil", &Identification::soil)
      .def_ro("soil_problem", &Identification::soil_problem)
      .def_ro("soil_text", &Identification::soil_text)
      .def_ro("from_base", &Identification::from_base)
      .def_prop_ro("estimates", [](const Identification& found) {
        std::vector<Estimate> estimates;
        for (const NamedEstimate& e : all_parameters(found.parts)) estimates.push_back(e.estimate);
        return estimates;
      });
  m.def("identify", &identify_tests, nb::arg("tests"), nb::arg("request"),
        nb::arg("progress").none());
}

}  // namespace footfall::python
