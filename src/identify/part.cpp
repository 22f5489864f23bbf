#include "footfall/identify/part.hpp"

#include <algorithm>

#include "input_error.hpp"

namespace footfall {
namespace {

// "contact_offset_2" is one of "contact_offset".
bool is_one_of(const std::string& name, const std::string& base) {
  return name.size() > base.size() + 1 && name.starts_with(base + "_") &&
         name.find_first_not_of("0123456789", base.size() + 1) == std::string::npos;
}

// The parameter of this name, or all that are one of it.
std::vector<FitParameter*> find_parameters(const char* option, const std::string& name,
                                           std::vector<FitParameter>& parameters) {
  std::vector<FitParameter*> found;
  std::string names;
  for (FitParameter& parameter : parameters) {
    if (parameter.name == name || is_one_of(parameter.name, name)) found.push_back(&parameter);
    names += (names.empty() ? "" : ", ") + parameter.name;
  }
  if (!found.empty()) return found;
  throw input_error("{} {}: this law has no such parameter, expected one of {}", option, name,
                    names);
}

void fix_parameter(double value, FitParameter& parameter) {
  if (!(value >= parameter.lower && value <= parameter.upper)) {
    throw input_error("fix {} = {:g}, expected a value in [{:g}, {:g}]{}{}", parameter.name, value,
                      parameter.lower, parameter.upper, parameter.unit.empty() ? "" : " ",
                      parameter.unit);
  }
  parameter.start = value;
  parameter.fixed = true;
}

}  // namespace

void apply_options(const LawFitOptions& options, std::vector<FitParameter>& parameters) {
  for (const std::string& name : options.free) {
    if (options.fix.contains(name)) {
      throw input_error("{} is both fixed and free, expected one of the two", name);
    }
    const std::vector<FitParameter*> found = find_parameters("free", name, parameters);
    if (std::ranges::none_of(found, &FitParameter::fixed)) {
      throw input_error("free {}: it is free already, leave it out", name);
    }
  }
  // names for all files go first: that of a single file prevails
  for (const bool all : {true, false}) {
    for (const auto& [name, value] : options.fix) {
      for (FitParameter* parameter : find_parameters("fix", name, parameters)) {
        if ((parameter->name != name) == all) fix_parameter(value, *parameter);
      }
    }
    for (const std::string& name : options.free) {
      for (FitParameter* parameter : find_parameters("free", name, parameters)) {
        if ((parameter->name != name) == all) parameter->fixed = false;
      }
    }
  }
}

}  // namespace footfall
