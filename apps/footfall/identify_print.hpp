// What `footfall identify` found, on the screen.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "footfall/identify/identify.hpp"

namespace footfall::identify_command {

void print_identification(const Identification& found, double confidence);
// Numbers that are none become null.
nlohmann::ordered_json identification_json(const Identification& found, double confidence);

// What was read of a file, in one line: "press, 201 rows, loading 200, holding 1; contact given".
std::string test_text(const RigTest& test);
// "1.5284e+06 ± 12": as many digits as the error leaves.
std::string value_text(const Estimate& estimate);
std::string error_text(const Estimate& estimate);
std::string interval_text(const Estimate& estimate);

// Names and places of the parameters worth showing: not those that are fixed at nothing.
std::vector<int> shown_parameters(const Fit& fit);
// Of them, those that were fitted.
std::vector<int> free_parameters(const Fit& fit);

}  // namespace footfall::identify_command
