// The page that `footfall run` leaves: what happened, at a glance.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "footfall/record/run_data.hpp"
#include "footfall/run/run.hpp"
#include "footfall/viewer/page.hpp"

namespace footfall {

// One HTML file that needs nothing else: the viewer with the run in it; where the program was built
// without the viewer, a plain page with the run's picture. Returns what it wrote; of a plain page nothing.
// Throws InputError where it cannot be written.
PageContent write_run_report(const std::filesystem::path& file, const Scenario& scenario,
                             const RunSummary& summary, const RunData& recorded,
                             const std::string& command_line,
                             const std::vector<std::string>& warnings);

}  // namespace footfall
