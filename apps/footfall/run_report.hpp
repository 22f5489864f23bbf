// The page that `footfall run` leaves: what happened, at a glance.
#pragma once

#include <filesystem>
#include <string>

#include "footfall/simulate/run.hpp"

namespace footfall {

// One HTML file that needs nothing else. Throws InputError where it cannot be written.
void write_run_report(const std::filesystem::path& file, const Scenario& scenario,
                      const RunSummary& summary, const std::string& command_line);

}  // namespace footfall
