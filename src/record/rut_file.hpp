// Ruts in a run file that is open.
#pragma once

#include <cstddef>
#include <string>

#include "footfall/terrain/ruts.hpp"
#include "io/hdf5.hpp"

namespace footfall::record {

// Bytes that write_ruts adds to a file, at most.
std::size_t ruts_bytes(const RutGrid& ruts);

// Writes the group /ruts, in place of one that is there. `name` of the file is for messages.
void write_ruts(hid_t file, const RutGrid& ruts, const std::string& name);

// `bytes`: size of the file; no content can be larger than this allows.
RutGrid read_ruts(hid_t file, const std::string& name, std::size_t bytes);

}  // namespace footfall::record
