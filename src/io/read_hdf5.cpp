// HDF5: every dataset that is a list of numbers is a column, named by its path from the root. Its
// unit is in the name, or an attribute "unit" or "units".
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "footfall/error.hpp"
#include "io/hdf5.hpp"
#include "io/recording_table.hpp"

namespace footfall {
namespace {

using hdf5::check;

constexpr std::size_t kLargestDeflation = 1100;  // deflate makes nothing smaller than 1/1032
constexpr std::size_t kSlack = 1 << 20;

std::string read_unit(hid_t dataset) {
  for (const char* name : {"unit", "units"}) {
    if (H5Aexists(dataset, name) <= 0) continue;
    const hdf5::Attribute attribute(H5Aopen(dataset, name, H5P_DEFAULT));
    const hdf5::Type type(H5Aget_type(attribute.get()));
    const hdf5::Space space(H5Aget_space(attribute.get()));
    if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) {
      continue;
    }
    if (H5Tis_variable_str(type.get()) > 0) {
      char* text = nullptr;
      if (H5Aread(attribute.get(), type.get(), static_cast<void*>(&text)) < 0 || text == nullptr) {
        continue;
      }
      const std::string unit(text);
      H5free_memory(text);
      return unit;
    }
    std::string unit(std::min<std::size_t>(H5Tget_size(type.get()), 1000), '\0');
    if (unit.size() != H5Tget_size(type.get())) continue;
    if (H5Aread(attribute.get(), type.get(), unit.data()) < 0) continue;
    unit.resize(std::min(unit.find('\0'), unit.size()));
    return unit;
  }
  return "";
}

struct Reading {
  std::string file;
  std::size_t bytes = 0;
  std::vector<MemoryColumn> columns;
  std::string mistake;  // HDF5's iteration is C: exceptions must not cross it
};

// A list, or a matrix of one row or column; 0: something else.
std::size_t list_length(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1 || rank > 2) return 0;
  hsize_t shape[2] = {1, 1};
  H5Sget_simple_extent_dims(space, shape, nullptr);
  return rank == 1 || std::min(shape[0], shape[1]) == 1 ? shape[0] * shape[1] : 0;
}

void read_dataset(hid_t id, const std::string& name, Reading& reading) {
  const hdf5::Type type(check(H5Dget_type(id), reading.file, "cannot read " + name));
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) return;
  const hdf5::Space space(check(H5Dget_space(id), reading.file, "cannot read " + name));
  const std::size_t count = list_length(space.get());
  if (count == 0) return;
  if (count > (reading.bytes * kLargestDeflation + kSlack) / H5Tget_size(type.get())) {
    throw InputError(
        fmt::format("{}: '{}' claims to be larger than the file can hold", reading.file, name));
  }
  MemoryColumn column{{name, read_unit(id)}, std::vector<double>(count)};
  check(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()),
        reading.file, "cannot read " + name);
  reading.columns.push_back(std::move(column));
}

herr_t visit(hid_t root, const char* name, const H5O_info_t* info, void* data) {
  Reading& reading = *static_cast<Reading*>(data);
  if (info->type != H5O_TYPE_DATASET) return 0;
  try {
    const hdf5::Dataset dataset(
        check(H5Dopen2(root, name, H5P_DEFAULT), reading.file, std::string("cannot open ") + name));
    read_dataset(dataset.get(), name, reading);
  } catch (const std::exception& error) {
    reading.mistake = error.what();
    return -1;
  }
  return 0;
}

}  // namespace

std::unique_ptr<RecordingTable> open_hdf5(const std::filesystem::path& file) {
  const hdf5::Session session;
  Reading reading;
  reading.file = file.string();
  std::error_code ignored;
  reading.bytes = std::filesystem::file_size(file, ignored);
  const hdf5::File handle(
      check(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), reading.file, "cannot be opened"));
  const herr_t done =
      H5Ovisit2(handle.get(), H5_INDEX_NAME, H5_ITER_INC, visit, &reading, H5O_INFO_BASIC);
  if (!reading.mistake.empty()) throw InputError(reading.mistake);
  check(done, reading.file, "cannot be read");
  return make_table(file, std::move(reading.columns));
}

}  // namespace footfall
