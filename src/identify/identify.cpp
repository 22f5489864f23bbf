#include "footfall/identify/identify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "footfall/identify/series_fit.hpp"
#include "footfall/identify/tangential.hpp"
#include "identify/identify_checks.hpp"
#include "identify/identify_soil.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

const char* part_name(FitKind part) {
  return fit_part_names()[static_cast<std::size_t>(part)].c_str();
}

// ---- which fits ----

std::vector<FitKind> parts_of(const std::vector<RigTest>& tests) {
  std::vector<FitKind> parts;
  const auto add = [&](FitKind part) {
    if (!has_part(parts, part)) parts.push_back(part);
  };
  for (const RigTest& test : tests) {
    switch (test.kind) {
    case TestKind::press:
      add(FitKind::statics);
      break;
    case TestKind::drop:
      add(FitKind::dynamics);
      break;
    case TestKind::drag:
      add(test.sole ? FitKind::shear : FitKind::friction);
      break;
    case TestKind::points:
      add(FitKind::equilibrium);
      break;
    }
  }
  return parts;
}

std::vector<RigTest> tests_for(FitKind part, const std::vector<RigTest>& tests) {
  std::vector<RigTest> chosen;
  for (const RigTest& test : tests) {
    if (serves(test, part)) chosen.push_back(test);
  }
  if (chosen.empty()) {
    std::string found;
    for (const RigTest& test : tests) {
      found += fmt::format("{}{} is a {}", found.empty() ? "" : ", ", test.name,
                           test_kind_name(test.kind));
    }
    const char* wanted = part == FitKind::dynamics ? "a drop"
                         : part == FitKind::shear || part == FitKind::friction
                             ? "a drag"
                             : "a press or a table of points";
    throw input_error("--fit {} needs {}, but {}; --kind says so where it was misread",
                      part_name(part), wanted, found);
  }
  return chosen;
}

// A static fit sees no rates: of a law with damping it is the law without.
NormalModel without_damping(NormalModel model) {
  if (model == NormalModel::spring_damper) return NormalModel::spring;
  const bool hunt_crossley =
      model == NormalModel::simple_hunt_crossley || model == NormalModel::hunt_crossley;
  return hunt_crossley ? NormalModel::hertz : model;
}

// ---- fixing and freeing, part by part ----

// "contact_offset" of "contact_offset_2": some parameters are one per file.
std::string without_number(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string::npos && end + 1 < name.size() && name[end] == '_';
  return numbered ? name.substr(0, end) : name;
}

std::set<std::string> names_of(FitKind part, NormalModel model, const std::vector<RigTest>& tests) {
  if (part == FitKind::shear) return {"c", "phi", "K", "slide_offset"};
  if (part == FitKind::friction) return {"mu", "K", "slide_offset"};
  if (part == FitKind::series) return {"k_F", "n_F", "k", "n", "foot_weight", "contact_offset"};
  std::set<std::string> names = {"foot_weight", "contact_offset"};
  const bool dynamic = part == FitKind::dynamics;
  for (const FitParameter& p : normal_parameters(model, dynamic, tests)) names.insert(p.name);
  if (dynamic) names.insert({"impact_speed", "contact_time"});
  return names;
}

// Of several parts each gets what it knows; a name that none knows goes to all, and is refused.
class Options {
 public:
  Options(const IdentifyRequest& request, std::vector<std::set<std::string>> names)
      : request_(request), names_(std::move(names)) {}

  LawFitOptions of(std::size_t part) const {
    LawFitOptions options;
    options.fit = request_.fit;
    for (const auto& [name, value] : request_.fix) {
      if (concerns(part, name)) options.fix[name] = value;
    }
    for (const std::string& name : request_.free) {
      if (concerns(part, name)) options.free.insert(name);
    }
    return options;
  }

 private:
  bool concerns(std::size_t part, const std::string& name) const {
    const std::string base = without_number(name);
    const bool known = std::any_of(names_.begin(), names_.end(),
                                   [&](const auto& names) { return names.contains(base); });
    return !known || names_[part].contains(base);
  }

  const IdentifyRequest& request_;
  std::vector<std::set<std::string>> names_;
};

// ---- k and n that a dynamic fit takes as known ----

double common_width(const std::vector<RigTest>& tests) {
  for (const RigTest& test : tests) {
    if (test.sole) return contact_width(*test.sole);
  }
  throw InputError("--soil with --model bernstein needs --foot: K_sigma depends on its width");
}

std::map<std::string, double> known_values(const Soil& soil, NormalModel model,
                                           const std::vector<RigTest>& tests) {
  const std::string name = normal_model_names()[static_cast<std::size_t>(model)];
  if (!is_soil(model)) {
    if (!soil.compliant) {
      throw input_error("--soil {} has no section [compliant], which --model {} takes k and n from",
                        soil.name, name);
    }
    std::map<std::string, double> known = {{"k", soil.compliant->stiffness}};
    if (model != NormalModel::spring && model != NormalModel::spring_damper) {
      known["n"] = soil.compliant->exponent;
    }
    return known;
  }
  if (!soil.plastic) {
    throw input_error(
        "--soil {} has no section [terramechanics], which --model {} takes its moduli from",
        soil.name, name);
  }
  const PressureSinkage& p = soil.plastic->pressure;
  if (model == NormalModel::bernstein) {
    return {{"k", sinkage_modulus(*soil.plastic, common_width(tests))}, {"n", p.exponent}};
  }
  const PressureLaw wanted =
      model == NormalModel::bekker ? PressureLaw::bekker : PressureLaw::reece;
  if (p.law != wanted) {
    throw input_error("--soil {} has another pressure law than --model {}: choose the soil's own",
                      soil.name, name);
  }
  if (model == NormalModel::bekker) {
    return {{"k_c", p.cohesive_modulus}, {"k_phi", p.frictional_modulus}, {"n", p.exponent}};
  }
  return {{"C", soil.plastic->cohesion * p.reece_cohesive_modulus},
          {"G", p.unit_weight * p.reece_frictional_modulus},
          {"n", p.exponent}};
}

// From a static or equilibrium part that was fitted before, or from the soil that was named.
std::map<std::string, double> known_for_dynamics(const IdentifyRequest& request, NormalModel model,
                                                 const std::vector<RigTest>& tests,
                                                 Identification& found) {
  if (request.known) {
    found.notes.push_back(
        fmt::format("dynamic: k and n are those of soil {}", request.known->name));
    return known_values(*request.known, model, tests);
  }
  for (const FittedLaw& part : found.parts) {
    if (part.name != "static" && part.name != "equilibrium") continue;
    std::map<std::string, double> known;
    std::vector<std::string> names;
    for (const Estimate& e : part.fit.parameters) {
      if (e.nuisance || e.name == "foot_weight") continue;
      known[e.name] = e.value;
      names.push_back(e.name);
    }
    found.notes.push_back(fmt::format("dynamic: {} are fixed at the values of the {} part, as Ding "
                                      "et al. 2013 do; their uncertainty is not in that of b, p, q",
                                      fmt::join(names, ", "), part.name));
    return known;
  }
  return {};
}

// ---- the fits ----

struct Work {
  const IdentifyRequest& request;
  NormalModel model;
  const Options& options;
  int starts(int otherwise) const { return request.starts.value_or(otherwise); }
};

constexpr int kManyStarts = 8;  // b, p and q, and two springs in a row, have several valleys

template <class T>
T with(const LawFitOptions& options, T special) {
  static_cast<LawFitOptions&>(special) = options;
  return special;
}

FittedLaw fit_part(FitKind part, std::size_t index, const Work& work, Identification& found) {
  const std::vector<RigTest> tests = tests_for(part, found.tests);
  LawFitOptions options = work.options.of(index);
  const bool hard = part == FitKind::dynamics || part == FitKind::series;
  const bool simplex = work.request.fit.method == FitMethod::nelder_mead;  // slow: seconds a start
  options.fit.starts = work.starts(hard && !simplex ? kManyStarts : 1);
  if (part == FitKind::shear || part == FitKind::friction) {
    TangentialOptions t = with(options, TangentialOptions{});
    t.model = part == FitKind::shear ? TangentialModel::shear : TangentialModel::friction;
    t.form = work.request.shear;
    return fit_tangential(tests, t);
  }
  if (part == FitKind::series) {
    SeriesOptions s = with(options, SeriesOptions{});
    s.form = work.request.form;
    return fit_series(tests, s);
  }
  DynamicOptions normal = with(options, DynamicOptions{});
  normal.form = work.request.form;
  normal.model = part == FitKind::dynamics ? work.model : without_damping(work.model);
  if (part == FitKind::statics) return fit_static(tests, normal);
  if (part == FitKind::equilibrium) return fit_equilibrium(tests, normal);
  normal.trajectory = !work.request.direct && !simplex;
  if (simplex && !work.request.direct) {
    found.notes.emplace_back("dynamic: nelder_mead fits the force directly by (60), as the paper "
                             "does; through the equation of motion it would take minutes");
  }
  for (const RigTest& test : tests) {
    if (test.mass || !normal.trajectory) continue;
    throw input_error("{}: the equation of motion of a drop needs --mass of what falls, in kg; "
                      "--direct fits without it",
                      test.name);
  }
  normal.fix.merge(known_for_dynamics(work.request, work.model, tests, found));
  return fit_dynamic(tests, normal);
}

std::vector<ModelScore> compare(const Work& work, const std::vector<RigTest>& tests) {
  DynamicOptions options;
  options.fit = work.request.fit;
  options.fix = work.request.fix;
  options.free = work.request.free;
  options.fit.per_group = false;
  options.fit.starts = work.starts(1);
  options.form = work.request.form;
  options.trajectory = !work.request.direct && work.request.fit.method != FitMethod::nelder_mead;
  std::vector<RigTest> chosen;
  for (const RigTest& test : tests) {
    if (test.kind != TestKind::drag) chosen.push_back(test);
  }
  if (chosen.empty()) {
    throw InputError("--compare compares laws of the normal force, and needs a press or a drop");
  }
  options.model = work.model;
  return compare_models(chosen, options);
}

// Static parts go before dynamic ones, whatever the order they were asked for.
std::vector<FitKind> ordered(std::vector<FitKind> parts) {
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

}  // namespace

const std::vector<std::string>& fit_part_names() {
  static const std::vector<std::string> names = {"static", "equilibrium", "dynamic",
                                                 "shear",  "friction",    "series"};
  return names;
}

std::vector<RigTest> load_tests(const IdentifyRequest& request,
                                std::vector<std::string>& warnings) {
  if (request.inputs.empty()) throw InputError("identify needs a file with measurements");
  warn_of_repeated_files(request.inputs, warnings);
  std::vector<RigTest> tests;
  for (const IdentifyInput& input : request.inputs) {
    PrepareOptions prepare = request.prepare;
    if (input.kind) prepare.kind = input.kind;
    const auto weight = request.fix.find("foot_weight");
    prepare.tare =
        weight == request.fix.end() || weight->second == 0;  // else the user has seen to it
    Recording recording = input.table.empty() ? read_recording(input.file, request.read, warnings)
                                              : read_recording(input.file.string(), input.table,
                                                               request.read, warnings);
    if (recording.sinkage.empty() && request.parts == std::vector<FitKind>{FitKind::series}) {
      recording.sinkage = recording.body_sinkage;  // pad and ground are fitted to that of both
      recording.zero_is_known = true;
    }
    RigTest test = prepare_test(std::move(recording), prepare, warnings);
    test.sole = input.sole;
    test.mass = input.mass;
    test.load = input.load;
    tests.push_back(std::move(test));
    if (request.progress) {
      request.progress(0.5 * static_cast<double>(tests.size()) /
                       static_cast<double>(request.inputs.size()));
    }
  }
  return tests;
}

NormalModel default_model(const std::vector<RigTest>& tests, bool with_damping) {
  std::optional<double> width;
  bool several = false;
  for (const RigTest& test : tests) {
    if (!test.sole) return with_damping ? NormalModel::hunt_crossley : NormalModel::hertz;
    const double w = contact_width(*test.sole);
    several |= width && std::abs(w - *width) > 1e-6 * w;
    width = w;
  }
  return several ? NormalModel::bekker : NormalModel::bernstein;
}

Identification identify(const IdentifyRequest& request) {
  std::vector<std::string> warnings;
  std::vector<RigTest> tests = load_tests(request, warnings);
  Identification found = identify(std::move(tests), request);
  found.warnings.insert(found.warnings.begin(), warnings.begin(), warnings.end());
  return found;
}

Identification identify(std::vector<RigTest> tests, const IdentifyRequest& request) {
  Identification found;
  found.tests = std::move(tests);
  for (std::size_t i = 0; i < found.tests.size(); ++i) {
    found.tests[i].number = static_cast<int>(i) + 1;
  }
  const std::vector<FitKind> parts =
      ordered(request.parts.empty() ? parts_of(found.tests) : request.parts);
  std::vector<RigTest> normal_tests;
  for (const RigTest& test : found.tests) {
    if (test.kind != TestKind::drag) normal_tests.push_back(test);
  }
  if (normal_tests.empty()) normal_tests = found.tests;
  const NormalModel model =
      request.model.value_or(default_model(normal_tests, has_part(parts, FitKind::dynamics)));
  if (std::any_of(parts.begin(), parts.end(), is_normal)) found.model = model;
  check_options(request, parts, model, found.tests);

  std::vector<std::set<std::string>> names;
  for (const FitKind part : parts) {
    const bool statics = part == FitKind::statics || part == FitKind::equilibrium;
    names.push_back(
        names_of(part, statics ? without_damping(model) : model, tests_for(part, found.tests)));
  }
  const Options options(request, std::move(names));
  const Work work{request, model, options};
  const double steps = static_cast<double>(parts.size() + (request.compare ? 1 : 0));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    found.parts.push_back(fit_part(parts[i], i, work, found));
    const FittedLaw& part = found.parts.back();
    check_spread(part);
    for (const std::string& text : part.fit.warnings) {
      found.warnings.push_back(fmt::format("{}: {}", part.name, text));
    }
    for (const std::string& text : part.notes) {
      found.notes.push_back(fmt::format("{}: {}", part.name, text));
    }
    if (request.progress) request.progress(0.5 + 0.5 * static_cast<double>(i + 1) / steps);
  }
  warn_of_unused_files(parts, found);
  if (request.compare) found.models = compare(work, found.tests);
  assemble_soil(request, found);
  return found;
}

std::vector<NamedEstimate> all_parameters(const std::vector<FittedLaw>& parts) {
  std::vector<NamedEstimate> all;
  for (const FittedLaw& part : parts) {
    for (const Estimate& e : part.fit.parameters) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const NamedEstimate& other) {
        return other.estimate.name == e.name;
      });
      if (same == all.end()) {
        all.push_back({e, part.name});
      } else if (same->estimate.fixed && !e.fixed) {
        *same = {e, part.name};
      }
    }
  }
  return all;
}

}  // namespace footfall
