// Making the file of a run, and the space that it needs on the disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "io/hdf5.hpp"

namespace footfall::record {

// A new HDF5 file for which there is space for its first `bytes`. Replaces a run file; refuses to
// replace anything else. Throws InputError, where the message calls it `name`.
hdf5::File create_file(const std::filesystem::path& path, std::size_t bytes,
                       const std::string& name);

// Throws InputError where there is something that is no run file: somebody put it there for another purpose.
void refuse_other_files(const std::filesystem::path& path);

// A write of HDF5 that fails half-way may leave a file that nobody can read. So space is reserved
// before it writes, and what was too much is given back after. Both throw InputError.
void reserve_space(int descriptor, std::size_t from, std::size_t bytes, const std::string& file);
void release_space(int descriptor, std::size_t from, const std::string& file);

// Makes an open file's descriptor lead to memory that nobody reads. HDF5 can then close its file
// after a write has failed: it would otherwise try again, fail again, and crash.
void divert(int descriptor);

}  // namespace footfall::record
