#include "footfall/record/run_file.hpp"
#include "io/hdf5.hpp"

namespace footfall {

void write_run_text(const std::filesystem::path& run_file, const std::string& name,
                    const std::string& text) {
  const hdf5::Session session;
  const std::string file = run_file.string(), what = "cannot write the run file";
  const hdf5::Properties access(hdf5::check(H5Pcreate(H5P_FILE_ACCESS), file, what));
  hdf5::check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18), file, what);
  hdf5::check(H5Pset_file_locking(access.get(), true, true), file, what);
  hdf5::File open(hdf5::check(H5Fopen(run_file.c_str(), H5F_ACC_RDWR, access.get()), file, what));
  if (H5Aexists(open.get(), name.c_str()) > 0) {
    hdf5::check(H5Adelete(open.get(), name.c_str()), file, what);
  }
  hdf5::write_text(open.get(), name, text, file);
  hdf5::check(open.close(), file, what);
}

}  // namespace footfall
