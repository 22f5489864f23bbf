// An identification as pictures, and as a page that tells all of it.
#pragma once

#include <filesystem>
#include <string>

#include "footfall/identify/identify.hpp"
#include "footfall/report/plot.hpp"

namespace footfall::identify_command {

// Data, law and band of every part, and their residuals.
Plot plot_fits(const Identification& found);

void write_report(const std::filesystem::path& file, const Identification& found, double confidence,
                  const std::string& command_line);

}  // namespace footfall::identify_command
