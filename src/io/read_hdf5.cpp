// HDF5: every dataset that is a list of numbers is a column, named by its path from the root. Its
// unit is in the name, or an attribute "unit" or "units".
#include <matio.h>

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>

#include "input_error.hpp"
#include "io/hdf5.hpp"
#include "io/recording_table.hpp"

namespace footfall {
namespace {

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
  const hdf5::Check check{reading.file, "cannot read " + name};
  const hdf5::Type type(check(H5Dget_type(id)));
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) return;
  const hdf5::Space space(check(H5Dget_space(id)));
  const std::size_t count = list_length(space.get());
  if (count == 0) return;
  if (!hdf5::may_hold(reading.bytes, count, H5Tget_size(type.get()))) {
    throw input_error("{}: '{}' claims to be larger than the file can hold", reading.file, name);
  }
  const hdf5::Properties made(check(H5Dget_create_plist(id)));
  // What is in one piece has its size in the file, which HDF5 itself does not hold against the shape.
  if (H5Pget_layout(made.get()) != H5D_CHUNKED && H5Dget_storage_size(id) > 0 &&
      H5Dget_storage_size(id) < count * H5Tget_size(type.get())) {
    throw input_error("{}: '{}' has fewer numbers than it says", reading.file, name);
  }
  MemoryColumn column{{name, read_unit(id)}, std::vector<double>(count)};
  check(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()));
  reading.columns.push_back(std::move(column));
}

// Names of the hard links in a group, in order. In HDF5's native order: any other makes a table first, and HDF5 1.10
// ends the program where a damaged file breaks off in the middle of that.
std::vector<std::string> link_names(hid_t group, const hdf5::Check& check) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t* link, void* list) -> herr_t {
    if (link->type == H5L_TYPE_HARD)
      static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names));
  std::sort(names.begin(), names.end());
  return names;
}

void read_group(hid_t group, const std::string& path, int depth, Reading& reading) {
  constexpr int kDeepest = 8;  // a damaged file may lead in a circle
  const hdf5::Check check{reading.file, "cannot read group /" + path};
  for (const std::string& name : link_names(group, check)) {
    const hdf5::Object object(check(H5Oopen(group, name.c_str(), H5P_DEFAULT)));
    const std::string inner = path.empty() ? name : fmt::format("{}/{}", path, name);
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind == H5I_GROUP && depth < kDeepest) read_group(object.get(), inner, depth + 1, reading);
    if (kind == H5I_DATASET) read_dataset(object.get(), inner, reading);
  }
}

struct CloseMat {
  void operator()(mat_t* mat) const { Mat_Close(mat); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};

// Whether a file of so many bytes can hold a variable of which only the head was read: a damaged head can ask
// for any memory.
bool may_hold(const matvar_t& v, std::size_t bytes) {
  std::size_t count = 1;
  for (int i = 0; i < v.rank; ++i) {
    if (!hdf5::may_hold(bytes, v.dims[i], 1)) return false;
    count *= v.dims[i];
    if (!hdf5::may_hold(bytes, count, 1)) return false;
  }
  return true;
}
bool may_hold_with_fields(matvar_t& v, std::size_t bytes) {
  if (!may_hold(v, bytes)) return false;
  const unsigned fields = v.class_type == MAT_C_STRUCT ? Mat_VarGetNumberOfFields(&v) : 0;
  for (unsigned i = 0; i < fields; ++i) {
    const matvar_t* field = Mat_VarGetStructFieldByIndex(&v, i, 0);
    if (field != nullptr && !may_hold(*field, bytes)) return false;
  }
  return true;
}

template <class T>
std::vector<double> as_numbers(const matvar_t& v, std::size_t count) {
  const T* data = static_cast<const T*>(v.data);
  return {data, data + count};
}

// nullopt: not a real vector of numbers.
std::optional<std::vector<double>> read_vector(const matvar_t& v) {
  using Read = std::vector<double> (*)(const matvar_t&, std::size_t);
  static const std::map<matio_classes, Read> readers = {
      {MAT_C_DOUBLE, as_numbers<double>},     {MAT_C_SINGLE, as_numbers<float>},
      {MAT_C_INT8, as_numbers<mat_int8_t>},   {MAT_C_UINT8, as_numbers<mat_uint8_t>},
      {MAT_C_INT16, as_numbers<mat_int16_t>}, {MAT_C_UINT16, as_numbers<mat_uint16_t>},
      {MAT_C_INT32, as_numbers<mat_int32_t>}, {MAT_C_UINT32, as_numbers<mat_uint32_t>},
      {MAT_C_INT64, as_numbers<mat_int64_t>}, {MAT_C_UINT64, as_numbers<mat_uint64_t>}};
  if (v.rank != 2 || v.data == nullptr || v.isComplex != 0) return std::nullopt;
  if (std::min(v.dims[0], v.dims[1]) != 1) return std::nullopt;
  const std::size_t count = v.dims[0] * v.dims[1];
  if (v.nbytes / std::max(v.data_size, 1) < count) return std::nullopt;
  const auto reader = readers.find(v.class_type);
  if (reader == readers.end()) return std::nullopt;
  return reader->second(v, count);
}

void add_struct(matvar_t& v, const std::string& prefix, std::vector<MemoryColumn>& columns) {
  if (v.rank != 2 || v.dims[0] * v.dims[1] != 1) return;
  char* const* names = Mat_VarGetStructFieldnames(&v);
  const unsigned count = Mat_VarGetNumberOfFields(&v);
  for (unsigned i = 0; names != nullptr && i < count; ++i) {
    const matvar_t* field = Mat_VarGetStructFieldByIndex(&v, i, 0);
    if (field == nullptr || names[i] == nullptr) continue;
    if (auto values = read_vector(*field)) {
      columns.push_back({{prefix + names[i], ""}, std::move(*values)});
    }
  }
}

}  // namespace

std::unique_ptr<RecordingTable> open_hdf5(const std::filesystem::path& file) {
  const hdf5::Session session;
  Reading reading;
  reading.file = file.string();
  std::error_code ignored;
  reading.bytes = std::filesystem::file_size(file, ignored);
  const hdf5::Check opened{reading.file, "cannot be opened"};
  const hdf5::File handle(opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)));
  read_group(handle.get(), "", 0, reading);
  return make_table(file, std::move(reading.columns));
}

// MATLAB files, versions 5 and 7.3: every variable that is a real vector is a column, and every such
// field of a struct, named "struct.field", or by the field alone where the file has one struct only.

std::unique_ptr<RecordingTable> open_mat(const std::filesystem::path& file) {
  const hdf5::Session session;  // of version 7.3
  const std::unique_ptr<mat_t, CloseMat> mat(Mat_Open(file.c_str(), MAT_ACC_RDONLY));
  if (mat == nullptr) {
    throw input_error("{}: cannot be read, expected a MATLAB file of version 5 or 7.3",
                      file.string());
  }
  std::error_code ignored;
  const std::size_t bytes = std::filesystem::file_size(file, ignored);
  std::vector<std::unique_ptr<matvar_t, FreeVariable>> structs;
  std::vector<MemoryColumn> columns;
  while (true) {
    std::unique_ptr<matvar_t, FreeVariable> v(Mat_VarReadNextInfo(mat.get()));
    if (v == nullptr) break;
    if (v->name == nullptr) continue;
    if (!may_hold_with_fields(*v, bytes)) {
      throw input_error(
          "{}: variable '{}' claims to be larger than the file can hold: is it damaged?",
          file.string(), v->name);
    }
    if (Mat_VarReadDataAll(mat.get(), v.get()) != 0) continue;
    if (v->class_type == MAT_C_STRUCT) {
      structs.push_back(std::move(v));
    } else if (auto values = read_vector(*v)) {
      columns.push_back({{v->name, ""}, std::move(*values)});
    }
  }
  const bool alone = structs.size() == 1 && columns.empty();
  for (const auto& v : structs) {
    add_struct(*v, alone ? "" : std::string(v->name) + ".", columns);
  }
  if (columns.empty()) {
    throw input_error("{}: no variable in it can be read, expected real vectors in a MATLAB file "
                      "of version 5 or 7.3: is it damaged?",
                      file.string());
  }
  return make_table(file, std::move(columns));
}

}  // namespace footfall
