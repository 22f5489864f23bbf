// The group /ruts of an open run file. It is made empty before the first row, since nothing can be added
// to a file that others may read meanwhile, and filled after the last.
#pragma once

#include <string>

#include "footfall/terrain/ruts.hpp"
#include "io/hdf5.hpp"

namespace footfall::record {

void make_rut_group(hid_t file, const RutOptions& options, const std::string& name);
void fill_rut_group(hid_t file, const RutGrid& ruts, const std::string& name);

}  // namespace footfall::record
