#include "record/checkpoint_file.hpp"

#include "footfall/io/new_file.hpp"
#include "footfall/record/rut_file.hpp"
#include "input_error.hpp"
#include "io/create_file.hpp"
#include "io/hdf5.hpp"

namespace footfall::record {
namespace {

constexpr const char* kText = "checkpoint";
constexpr std::size_t kHeaderBytes = 1 << 16;  // of a file that holds a text alone, generously

void add_text(const std::filesystem::path& path, const std::string& text, const std::string& name) {
  const hdf5::Session session;
  const hdf5::Check check{name, "cannot write the checkpoint"};
  hdf5::File file = std::filesystem::file_size(path) > 0
                        ? hdf5::open_file(path, H5F_ACC_RDWR, check.what)
                        : create_file(path, text.size() + kHeaderBytes, name);
  const int descriptor = hdf5::descriptor_of(file, name);
  reserve_space(descriptor, hdf5::size_of(file, name), text.size() + kHeaderBytes, name);
  {
    const hsize_t bytes = text.size();
    const hdf5::Dataset dataset =
        hdf5::make_dataset(file.get(), kText, H5T_NATIVE_UINT8, {.now = {bytes}}, check);
    check(H5Dwrite(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
    hdf5::describe(dataset.get(), "1", "what a run needs to go on: bytes of a JSON text in UTF-8",
                   "", name);
  }
  check(H5Fflush(file.get(), H5F_SCOPE_LOCAL));
  release_space(descriptor, hdf5::size_of(file, name), name);
  check(file.close());
}

}  // namespace

void write_checkpoint_file(const std::filesystem::path& file, const std::string& text,
                           const RutGrid* ruts) {
  const OutputsAtOnce at_once;
  NewFile whole(file);
  if (ruts != nullptr) write_ruts(whole.partial(), *ruts);
  add_text(whole.partial(), text, file.string());
  whole.keep();
}

std::string read_checkpoint_text(const std::filesystem::path& file) {
  const hdf5::Session session;
  const std::string name = file.string();
  const hdf5::File source = hdf5::open_file(file, H5F_ACC_RDONLY, "cannot open the checkpoint");
  const hdf5::Check check{name, "is no checkpoint"};
  const hdf5::Dataset dataset(check(H5Dopen2(source.get(), kText, H5P_DEFAULT)));
  const hdf5::Space space(check(H5Dget_space(dataset.get())));
  const std::vector<hsize_t> shape = hdf5::shape_of(space.get(), check);
  if (shape.size() != 1 || !hdf5::may_hold(hdf5::size_of(source, name), shape[0], 1)) {
    throw input_error("{}: is no checkpoint: its text is damaged", name);
  }
  std::string text(shape[0], '\0');
  check(H5Dread(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  return text;
}

}  // namespace footfall::record
