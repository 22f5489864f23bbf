#include "io/hdf5.hpp"

#include <algorithm>
#include <string_view>

#include "footfall/io/new_file.hpp"
#include "input_error.hpp"

namespace footfall::hdf5 {

namespace {

// To read a header while it is written. HDF5 waits twice as long after each: a millisecond in all.
constexpr unsigned kAttempts = 20;

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

// The innermost entry of HDF5's error stack: the cause, or the system's word for it.
herr_t note_cause(unsigned /*n*/, const H5E_error2_t* entry, void* cause) {
  if (entry->desc != nullptr) *static_cast<std::string*>(cause) = entry->desc;
  return 0;
}

std::string last_cause() {
  std::string cause;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note_cause, &cause);
  constexpr std::string_view mark = "error message = '";
  const std::size_t start = cause.find(mark);
  if (start != std::string::npos) {
    const std::size_t from = start + mark.size();
    cause = cause.substr(from, cause.find('\'', from) - from);
  }
  return cause.empty() ? "HDF5 gave no reason" : cause;
}

Type text_type(std::size_t length, const Check& check) {
  Type type(check(H5Tcopy(H5T_C_S1)));
  check(H5Tset_size(type.get(), std::max<std::size_t>(length, 1)));
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  return type;
}

void write_attribute(hid_t object, const std::string& name, hid_t type, const Space& space,
                     const void* value, const Check& check) {
  const Attribute attribute(
      check(H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT)));
  check(H5Awrite(attribute.get(), type, value));
}

void write_scalar(hid_t object, const std::string& name, hid_t type, const void* value,
                  const Check& check) {
  write_attribute(object, name, type, Space(check(H5Screate(H5S_SCALAR))), value, check);
}

Check check_attribute(const std::string& file, const std::string& name) {
  return {file, "cannot write attribute " + name};
}

void write_values(hid_t parent, const Table& table, hid_t type, std::size_t count,
                  const void* values, const std::string& file) {
  const Check check{file, "cannot write " + table.name};
  const Dataset dataset =
      make_dataset(parent, table.name, type, {{table.shape.begin(), table.shape.end()}}, check);
  if (count > 0) check(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  describe(dataset.get(), table.unit, table.meaning, table.frame, file);
}

}  // namespace

Session::Session() : lock_(library_mutex()) {
  // Every handle has an owner, so there is nothing for HDF5 to do when the program ends; after a
  // damaged file it would print about its own leaks. Has no effect if the program uses HDF5 too.
  static const herr_t ignored = H5dont_atexit();
  (void)ignored;
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

void Check::fail() const { throw input_error("{}: {}: {}", file, what, last_cause()); }

bool may_hold(std::size_t file_bytes, std::size_t count, std::size_t element) {
  constexpr std::size_t kLargestDeflation = 1100;  // deflate makes nothing smaller than 1/1032
  constexpr std::size_t kSlack = 1 << 20;
  return count <= (file_bytes * kLargestDeflation + kSlack) / std::max<std::size_t>(element, 1);
}

File open_file(const std::filesystem::path& path, unsigned mode, const std::string& what) {
  const Check check{path.string(), what};
  const Properties access(check(H5Pcreate(H5P_FILE_ACCESS)));
  check(H5Pset_file_locking(access.get(), true, true));
  if (mode != H5F_ACC_RDONLY) {
    check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    return File(check(H5Fopen(path.c_str(), mode, access.get())));
  }
  // Files are read from front to back: a megabyte of cache for each dataset, HDF5's own choice, is of no use.
  check(H5Pset_cache(access.get(), 0, 521, 1 << 16, 1));
  note_input(path);
  const hid_t whole = H5Fopen(path.c_str(), mode, access.get());
  if (whole >= 0) return File(whole);
  // A run that goes on, or one that was killed: what was flushed can be read.
  check(H5Pset_metadata_read_attempts(access.get(), kAttempts));
  const hid_t growing = H5Fopen(path.c_str(), mode | H5F_ACC_SWMR_READ, access.get());
  if (growing >= 0) return File(growing);
  return File(check(H5Fopen(path.c_str(), mode, access.get())));  // for its reason
}

std::size_t size_of(const File& file, const std::string& name) {
  hsize_t bytes = 0;
  Check{name, "cannot use the run file"}(H5Fget_filesize(file.get(), &bytes));
  return bytes;
}

int descriptor_of(const File& file, const std::string& name) {
  void* handle = nullptr;
  Check{name, "cannot use the run file"}(H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &handle));
  return *static_cast<int*>(handle);
}

void write_text(hid_t object, const std::string& name, const std::string& text,
                const std::string& file) {
  const Check check = check_attribute(file, name);
  write_scalar(object, name, text_type(text.size(), check).get(), text.c_str(), check);
}

void write_list(hid_t object, const std::string& name, const std::vector<std::string>& list,
                const std::string& file) {
  std::size_t length = 1;
  for (const std::string& s : list) length = std::max(length, s.size());
  std::vector<char> bytes(std::max<std::size_t>(length * list.size(), 1), '\0');
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::copy(list[i].begin(), list[i].end(), bytes.begin() + static_cast<long>(i * length));
  }
  const Check check = check_attribute(file, name);
  const hsize_t count = list.size();
  write_attribute(object, name, text_type(length, check).get(),
                  Space(check(H5Screate_simple(1, &count, nullptr))), bytes.data(), check);
}

void write_number(hid_t object, const std::string& name, double value, const std::string& file) {
  write_scalar(object, name, H5T_NATIVE_DOUBLE, &value, check_attribute(file, name));
}

void write_integer(hid_t object, const std::string& name, int value, const std::string& file) {
  write_scalar(object, name, H5T_NATIVE_INT, &value, check_attribute(file, name));
}

std::vector<hsize_t> shape_of(hid_t space, const Check& check) {
  std::vector<hsize_t> shape(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space))));
  if (!shape.empty()) check(H5Sget_simple_extent_dims(space, shape.data(), nullptr));
  return shape;
}

Space select_rows(const Space& table, int rank, hsize_t first, hsize_t count, hsize_t width,
                  const Check& check) {
  const hsize_t start[] = {first, 0}, size[] = {count, width};
  check(H5Sselect_hyperslab(table.get(), H5S_SELECT_SET, start, nullptr, size, nullptr));
  return Space(check(H5Screate_simple(rank, size, nullptr)));
}

Dataset make_dataset(hid_t parent, const std::string& name, hid_t type, const Extent& extent,
                     const Check& check) {
  const int rank = static_cast<int>(extent.now.size());
  const hsize_t* most = extent.most.empty() ? nullptr : extent.most.data();
  const Space space(check(H5Screate_simple(rank, extent.now.data(), most)));
  const Properties properties(check(H5Pcreate(H5P_DATASET_CREATE)));
  check(H5Pset_obj_track_times(properties.get(), false));
  if (!extent.chunk.empty()) {
    check(H5Pset_chunk(properties.get(), rank, extent.chunk.data()));
    check(H5Pset_shuffle(properties.get()));
    check(H5Pset_deflate(properties.get(), 1));
  }
  return Dataset(check(H5Dcreate2(parent, name.c_str(), type, space.get(), H5P_DEFAULT,
                                  properties.get(), H5P_DEFAULT)));
}

Group make_group(hid_t parent, const std::string& name, const std::string& file) {
  const Check check{file, "cannot make group " + name};
  const Properties properties(check(H5Pcreate(H5P_GROUP_CREATE)));
  check(H5Pset_obj_track_times(properties.get(), false));
  check(
      H5Pset_link_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  return Group(check(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT)));
}

void write_table(hid_t parent, const Table& table, const std::vector<double>& values,
                 const std::string& file) {
  write_values(parent, table, H5T_NATIVE_DOUBLE, values.size(), values.data(), file);
}

void write_table(hid_t parent, const Table& table, const std::vector<int>& values,
                 const std::string& file) {
  write_values(parent, table, H5T_NATIVE_INT, values.size(), values.data(), file);
}

void describe(hid_t dataset, const std::string& unit, const std::string& meaning,
              const std::string& frame, const std::string& file) {
  write_text(dataset, "unit", unit, file);
  write_text(dataset, "meaning", meaning, file);
  if (!frame.empty()) write_text(dataset, "frame", frame, file);
}

}  // namespace footfall::hdf5
