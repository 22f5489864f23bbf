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

const char* part_name(FitPart part) {
  return fit_part_names()[static_cast<std::size_t>(part)].c_str();
}

// ---- which fits ----

std::vector<FitPart> parts_of(const std::vector<RigTest>& tests) {
  std::vector<FitPart> parts;
  const auto add = [&](FitPart part) {
    if (!has_part(parts, part)) parts.push_back(part);
  };
  for (const RigTest& test : tests) {
    switch (test.kind) {
    case TestKind::press:
      add(FitPart::statics);
      break;
    case TestKind::drop:
      add(FitPart::dynamics);
      break;
    case TestKind::drag:
      add(test.sole ? FitPart::shear : FitPart::friction);
      break;
    case TestKind::points:
      add(FitPart::equilibrium);
      break;
    }
  }
  return parts;
}

std::vector<RigTest> tests_for(FitPart part, const std::vector<RigTest>& tests) {
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
    const char* wanted = part == FitPart::dynamics ? "a drop"
                         : part == FitPart::shear || part == FitPart::friction
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

std::set<std::string> names_of(FitPart part, NormalModel model, const std::vector<RigTest>& tests) {
  if (part == FitPart::shear) return {"c", "phi", "K", "slide_offset"};
  if (part == FitPart::friction) return {"mu", "K", "slide_offset"};
  if (part == FitPart::series) return {"k_F", "n_F", "k", "n", "foot_weight", "contact_offset"};
  std::set<std::string> names = {"foot_weight", "contact_offset"};
  const bool dynamic = part == FitPart::dynamics;
  for (const FitParameter& p : normal_parameters(model, dynamic, tests)) names.insert(p.name);
  if (dynamic) names.insert({"impact_speed", "contact_time"});
  return names;
}

// Of several parts each gets what it knows; a name that none knows goes to all, and is refused.
class Options {
 public:
  Options(const IdentifyPlan& plan, std::vector<std::set<std::string>> names)
      : plan_(plan), names_(std::move(names)) {}

  PartOptions of(std::size_t part) const {
    PartOptions options;
    options.fit = plan_.fit;
    for (const auto& [name, value] : plan_.fix) {
      if (concerns(part, name)) options.fix[name] = value;
    }
    for (const std::string& name : plan_.free) {
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

  const IdentifyPlan& plan_;
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
std::map<std::string, double> known_for_dynamics(const IdentifyPlan& plan, NormalModel model,
                                                 const std::vector<RigTest>& tests,
                                                 Identification& found) {
  if (plan.known) {
    found.notes.push_back(fmt::format("dynamic: k and n are those of soil {}", plan.known->name));
    return known_values(*plan.known, model, tests);
  }
  for (const IdentifiedPart& part : found.parts) {
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
  const IdentifyPlan& plan;
  NormalModel model;
  const Options& options;
  int starts(int otherwise) const { return plan.starts.value_or(otherwise); }
};

constexpr int kManyStarts = 8;  // b, p and q, and two springs in a row, have several valleys

template <class T>
T with(const PartOptions& options, T special) {
  static_cast<PartOptions&>(special) = options;
  return special;
}

IdentifiedPart fit_part(FitPart part, std::size_t index, const Work& work, Identification& found) {
  const std::vector<RigTest> tests = tests_for(part, found.tests);
  PartOptions options = work.options.of(index);
  const bool hard = part == FitPart::dynamics || part == FitPart::series;
  const bool simplex = work.plan.fit.method == FitMethod::nelder_mead;  // slow: seconds a start
  options.fit.starts = work.starts(hard && !simplex ? kManyStarts : 1);
  if (part == FitPart::shear || part == FitPart::friction) {
    TangentialOptions t = with(options, TangentialOptions{});
    t.model = part == FitPart::shear ? TangentialModel::shear : TangentialModel::friction;
    t.form = work.plan.shear;
    return fit_tangential(tests, t);
  }
  if (part == FitPart::series) {
    SeriesOptions s = with(options, SeriesOptions{});
    s.form = work.plan.form;
    return fit_series(tests, s);
  }
  DynamicOptions normal = with(options, DynamicOptions{});
  normal.form = work.plan.form;
  normal.model = part == FitPart::dynamics ? work.model : without_damping(work.model);
  if (part == FitPart::statics) return fit_static(tests, normal);
  if (part == FitPart::equilibrium) return fit_equilibrium(tests, normal);
  normal.trajectory = !work.plan.direct && !simplex;
  if (simplex && !work.plan.direct) {
    found.notes.emplace_back("dynamic: nelder_mead fits the force directly by (60), as the paper "
                             "does; through the equation of motion it would take minutes");
  }
  for (const RigTest& test : tests) {
    if (test.mass || !normal.trajectory) continue;
    throw input_error("{}: the equation of motion of a drop needs --mass of what falls, in kg; "
                      "--direct fits without it",
                      test.name);
  }
  normal.fix.merge(known_for_dynamics(work.plan, work.model, tests, found));
  return fit_dynamic(tests, normal);
}

std::vector<ModelScore> compare(const Work& work, const std::vector<RigTest>& tests) {
  DynamicOptions options;
  options.fit = work.plan.fit;
  options.fix = work.plan.fix;
  options.free = work.plan.free;
  options.fit.per_group = false;
  options.fit.starts = work.starts(1);
  options.form = work.plan.form;
  options.trajectory = !work.plan.direct && work.plan.fit.method != FitMethod::nelder_mead;
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
std::vector<FitPart> ordered(std::vector<FitPart> parts) {
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

std::vector<RigTest> load_tests(const IdentifyPlan& plan, std::vector<std::string>& warnings) {
  if (plan.inputs.empty()) throw InputError("identify needs a file with measurements");
  warn_of_repeated_files(plan.inputs, warnings);
  std::vector<RigTest> tests;
  for (const IdentifyInput& input : plan.inputs) {
    PrepareOptions prepare = plan.prepare;
    if (input.kind) prepare.kind = input.kind;
    const auto weight = plan.fix.find("foot_weight");
    prepare.tare = weight == plan.fix.end() || weight->second == 0;  // else the user has seen to it
    Recording recording =
        input.table.empty() ? read_recording(input.file, plan.read, warnings)
                            : read_recording(input.file.string(), input.table, plan.read, warnings);
    if (recording.sinkage.empty() && plan.parts == std::vector<FitPart>{FitPart::series}) {
      recording.sinkage = recording.body_sinkage;  // pad and ground are fitted to that of both
      recording.zero_is_known = true;
    }
    RigTest test = prepare_test(std::move(recording), prepare, warnings);
    test.sole = input.sole;
    test.mass = input.mass;
    test.load = input.load;
    tests.push_back(std::move(test));
    if (plan.progress) {
      plan.progress(0.5 * static_cast<double>(tests.size()) /
                    static_cast<double>(plan.inputs.size()));
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

Identification identify(const IdentifyPlan& plan) {
  std::vector<std::string> warnings;
  std::vector<RigTest> tests = load_tests(plan, warnings);
  Identification found = identify(std::move(tests), plan);
  found.warnings.insert(found.warnings.begin(), warnings.begin(), warnings.end());
  return found;
}

Identification identify(std::vector<RigTest> tests, const IdentifyPlan& plan) {
  Identification found;
  found.tests = std::move(tests);
  for (std::size_t i = 0; i < found.tests.size(); ++i) {
    found.tests[i].number = static_cast<int>(i) + 1;
  }
  const std::vector<FitPart> parts =
      ordered(plan.parts.empty() ? parts_of(found.tests) : plan.parts);
  std::vector<RigTest> normal_tests;
  for (const RigTest& test : found.tests) {
    if (test.kind != TestKind::drag) normal_tests.push_back(test);
  }
  if (normal_tests.empty()) normal_tests = found.tests;
  const NormalModel model =
      plan.model.value_or(default_model(normal_tests, has_part(parts, FitPart::dynamics)));
  if (std::any_of(parts.begin(), parts.end(), is_normal)) found.model = model;
  check_options(plan, parts, model, found.tests);

  std::vector<std::set<std::string>> names;
  for (const FitPart part : parts) {
    const bool statics = part == FitPart::statics || part == FitPart::equilibrium;
    names.push_back(
        names_of(part, statics ? without_damping(model) : model, tests_for(part, found.tests)));
  }
  const Options options(plan, std::move(names));
  const Work work{plan, model, options};
  const double steps = static_cast<double>(parts.size() + (plan.compare ? 1 : 0));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    found.parts.push_back(fit_part(parts[i], i, work, found));
    const IdentifiedPart& part = found.parts.back();
    check_spread(part);
    for (const std::string& text : part.fit.warnings) {
      found.warnings.push_back(fmt::format("{}: {}", part.name, text));
    }
    for (const std::string& text : part.notes) {
      found.notes.push_back(fmt::format("{}: {}", part.name, text));
    }
    if (plan.progress) plan.progress(0.5 + 0.5 * static_cast<double>(i + 1) / steps);
  }
  warn_of_unused_files(parts, found);
  if (plan.compare) found.models = compare(work, found.tests);
  assemble_soil(plan, found);
  return found;
}

std::vector<NamedEstimate> all_parameters(const std::vector<IdentifiedPart>& parts) {
  std::vector<NamedEstimate> all;
  for (const IdentifiedPart& part : parts) {
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
