#include "io/create_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "footfall/io/new_file.hpp"

namespace footfall::record {

namespace {

constexpr hsize_t kHeadersTogether = 1 << 16;  // bytes

[[noreturn]] void fail(const std::string& file, int error) {
  throw OutputError(file +
                    ": cannot write the run file: " + std::generic_category().message(error));
}

// A new, empty file for which there is space.
void make_room(const std::filesystem::path& path, std::size_t bytes, const std::string& file) {
  const int descriptor = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(file, errno);
  const bool in_use = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  try {
    if (in_use) throw InputError(file + ": is being written or read by another program");
    release_space(descriptor, 0, file);
    reserve_space(descriptor, 0, bytes, file);
  } catch (const InputError&) {
    if (!in_use) ::unlink(path.c_str());
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

}  // namespace

void refuse_other_files(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error || !std::filesystem::exists(status)) return;
  if (!std::filesystem::is_regular_file(status)) {
    throw InputError(path.string() +
                     ": is not a regular file: choose another name for the run file");
  }
  if (std::filesystem::file_size(path, error) > 0 && H5Fis_hdf5(path.c_str()) <= 0) {
    throw InputError(path.string() +
                     ": exists and is not a run file: remove it, or choose another name");
  }
}

void reserve_space(int descriptor, std::size_t from, std::size_t bytes, const std::string& file) {
  const int error =
      ::posix_fallocate(descriptor, static_cast<off_t>(from), static_cast<off_t>(bytes));
  if (error == 0 || error == EOPNOTSUPP || error == EINVAL) return;  // or a file system that cannot
  fail(file, error);
}

void release_space(int descriptor, std::size_t from, const std::string& file) {
  if (::ftruncate(descriptor, static_cast<off_t>(from)) != 0) fail(file, errno);
}

void divert(int descriptor) {
  const int nowhere = ::memfd_create("footfall", MFD_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, descriptor);
  ::close(nowhere);
}

hdf5::File create_file(const std::filesystem::path& path, std::size_t bytes,
                       const std::string& name) {
  refuse_other_files(path);
  make_room(path, bytes, name);
  const hdf5::Check check{name, "cannot make the run file"};
  const hdf5::Properties access(check(H5Pcreate(H5P_FILE_ACCESS)));
  // The format of HDF5 1.10: it can be read while it is written, and so whenever its program dies.
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  check(H5Pset_file_locking(access.get(), true, true));
  check(H5Pset_meta_block_size(access.get(), kHeadersTogether));
  const hdf5::Properties creation(check(H5Pcreate(H5P_FILE_CREATE)));
  check(H5Pset_obj_track_times(creation.get(), false));
  check(H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  return hdf5::File(check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get())));
}

}  // namespace footfall::record
