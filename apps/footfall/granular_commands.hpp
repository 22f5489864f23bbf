// The commands of `footfall granular`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace footfall::granular_commands {}  // namespace footfall::granular_commands
