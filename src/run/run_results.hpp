// The results of a run as one table of named values, kResults in run_results.cpp. JSON, the lines in the
// terminal and the tables of the report are all made from it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/run/run.hpp"

namespace footfall {

nlohmann::ordered_json results_json(const RunSummary& summary);

// Of such JSON, also where values are missing. A key names the objects that it is in: "solver/residual_max_N".
// The value; null: there is none.
nlohmann::ordered_json result_value(const nlohmann::ordered_json& results, std::string_view key);
// The value for people, with its unit: "12.3 mm"; "none".
std::string result_text(const nlohmann::ordered_json& results, std::string_view key);

struct ResultText {
  std::string label, text;
};
// All values of an object that have a label; "": of those that are in no object.
std::vector<ResultText> labelled_results(const nlohmann::ordered_json& results,
                                         std::string_view object);

// How the run ended, line by line, for a terminal.
std::vector<std::string> result_lines(const RunSummary& summary);

}  // namespace footfall
