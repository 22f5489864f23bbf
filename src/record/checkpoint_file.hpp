// The file of a checkpoint (run/checkpoint.hpp): a text, and the ruts where the ground keeps them.
#pragma once

#include <filesystem>
#include <string>

#include "footfall/terrain/ruts.hpp"

namespace footfall::record {

// A new file in place of the one that is there, on the disk before it gets its name. `ruts` may be null.
void write_checkpoint_file(const std::filesystem::path& file, const std::string& text,
                           const RutGrid* ruts);
// Its text; read_ruts() has the ruts. Throws InputError where it is no checkpoint.
std::string read_checkpoint_text(const std::filesystem::path& file);

}  // namespace footfall::record
