#include "identify/identify_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "input_error.hpp"

namespace footfall {

bool has_part(const std::vector<FitKind>& parts, FitKind part) {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

namespace {

std::string list_names(const std::vector<FitKind>& parts) {
  std::string names;
  for (const FitKind part : parts) {
    names += (names.empty() ? "" : ",") + fit_part_names()[static_cast<std::size_t>(part)];
  }
  return names;
}

void check_drop_options(const IdentifyRequest& request, const std::vector<FitKind>& parts,
                        const std::vector<RigTest>& tests) {
  if ((has_part(parts, FitKind::dynamics) || request.compare) &&
      std::any_of(tests.begin(), tests.end(),
                  [](const RigTest& t) { return t.kind == TestKind::drop; })) {
    return;
  }
  const char* option = request.known ? "--soil" : request.direct ? "--direct" : nullptr;
  for (const RigTest& test : tests) {
    if (test.mass) option = "--mass";
    if (test.load != 0) option = "--load";
  }
  if (option == nullptr) return;
  throw input_error("{} is for the dynamic fit, which needs a drop", option);
}

bool uses_form(const IdentifyRequest& request, const std::vector<FitKind>& parts, NormalModel model,
               const std::vector<RigTest>& tests) {
  const bool soles = std::any_of(tests.begin(), tests.end(), [](const RigTest& t) {
    return t.sole && t.kind != TestKind::drag;
  });
  const bool normal = std::any_of(parts.begin(), parts.end(), is_normal);
  return soles &&
         (has_part(parts, FitKind::series) || (normal && is_soil(model)) || request.compare);
}

}  // namespace

bool is_normal(FitKind part) {
  return part == FitKind::statics || part == FitKind::equilibrium || part == FitKind::dynamics;
}

bool serves(const RigTest& test, FitKind part) {
  switch (part) {
  case FitKind::statics:
  case FitKind::series:
    return test.kind == TestKind::press;
  case FitKind::equilibrium:
    return test.kind != TestKind::drag;
  case FitKind::dynamics:
    return test.kind == TestKind::drop;
  case FitKind::shear:
  case FitKind::friction:
    break;
  }
  return test.kind == TestKind::drag;
}

void check_options(const IdentifyRequest& request, const std::vector<FitKind>& parts,
                   NormalModel model, const std::vector<RigTest>& tests) {
  check_drop_options(request, parts, tests);
  if (request.shear != ShearForm::exponential && !has_part(parts, FitKind::shear) &&
      !has_part(parts, FitKind::friction)) {
    throw InputError("--shear is for the shear and friction fits, which need a drag: leave it out");
  }
  if (request.model && !request.compare && std::none_of(parts.begin(), parts.end(), is_normal)) {
    throw input_error(
        "--model is for static, equilibrium and dynamic fits, and not for --fit {}: leave it out",
        list_names(parts));
  }
  const bool form = request.form.form != ForceForm::exact || request.form.one_sided;
  if (form && !uses_form(request, parts, model, tests)) {
    throw input_error("{} is for laws of soil under a known sole: give --foot, or leave it out",
                      request.form.one_sided ? "--one-sided" : "--form");
  }
}

void check_spread(const FittedLaw& part) {
  if (part.name == "series" || part.fit.degrees_of_freedom == 0)
    return;  // it says which test helps
  std::vector<std::string> names;
  for (const Estimate& e : part.fit.parameters) {
    if (e.fixed || e.nuisance) continue;
    if (std::isfinite(e.standard_error)) return;
    names.push_back(e.name);
  }
  if (names.empty()) return;
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const FitCurve& curve : part.curves) {
    for (const double x : curve.x) least = std::min(least, x), most = std::max(most, x);
  }
  throw input_error("{}: these data tell none of {}: their {} is {:.4g} to {:.4g} {}, expected "
                    "more spread; --fix what is known, or add a test",
                    part.name, fmt::join(names, ", "), part.x_label, least, most, part.x_unit);
}

void warn_of_unused_files(const std::vector<FitKind>& parts, Identification& found) {
  for (const RigTest& test : found.tests) {
    bool used = false;
    std::string why = fmt::format("{} is a {}, which --fit {} does not use", test.name,
                                  test_kind_name(test.kind), list_names(parts));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!serves(test, parts[i])) continue;
      const auto left = found.parts[i].left_out.find(test.number);
      used |= left == found.parts[i].left_out.end();
      if (!used) why = left->second + "; this file is not used";
    }
    if (!used) found.warnings.push_back(why);
  }
}

void warn_of_repeated_files(const std::vector<IdentifyInput>& inputs,
                            std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      std::error_code none;  // a file that is not there is told of where it is read
      if (!std::filesystem::equivalent(inputs[i].file, inputs[j].file, none)) continue;
      warnings.push_back(fmt::format("{} is given twice, and counts twice: errors are too small",
                                     inputs[i].file.string()));
      break;
    }
  }
}

}  // namespace footfall
