#include "footfall/identify/part.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/error.hpp"

namespace footfall {
namespace {

FitParameter& find_parameter(const char* option, const std::string& name,
                             std::vector<FitParameter>& parameters) {
  const auto found = std::ranges::find(parameters, name, &FitParameter::name);
  if (found != parameters.end()) return *found;
  std::string names;
  for (const FitParameter& parameter : parameters) {
    names += (names.empty() ? "" : ", ") + parameter.name;
  }
  throw InputError(fmt::format("{} {}: this law has no such parameter, expected one of {}", option,
                               name, names));
}

}  // namespace

void apply_options(const PartOptions& options, std::vector<FitParameter>& parameters) {
  for (const auto& [name, value] : options.fix) {
    FitParameter& parameter = find_parameter("fix", name, parameters);
    if (options.free.contains(name)) {
      throw InputError(fmt::format("{} is both fixed and free, expected one of the two", name));
    }
    if (!(value >= parameter.lower && value <= parameter.upper)) {
      throw InputError(fmt::format("fix {} = {:g}, expected a value in [{:g}, {:g}]{}{}", name,
                                   value, parameter.lower, parameter.upper,
                                   parameter.unit.empty() ? "" : " ", parameter.unit));
    }
    parameter.start = value;
    parameter.fixed = true;
  }
  for (const std::string& name : options.free) {
    find_parameter("free", name, parameters).fixed = false;
  }
}

}  // namespace footfall
