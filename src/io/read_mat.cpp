// MATLAB files, versions 5 and 7.3: every variable that is a real vector is a column, and every such
// field of a struct, named "struct.field", or by the field alone where the file has one struct only.
#include <fmt/format.h>
#include <matio.h>

#include <algorithm>
#include <optional>

#include "footfall/error.hpp"
#include "io/hdf5.hpp"
#include "io/recording_table.hpp"

namespace footfall {
namespace {

struct CloseMat {
  void operator()(mat_t* mat) const { Mat_Close(mat); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};

template <class T>
std::vector<double> as_numbers(const matvar_t& v, std::size_t count) {
  const T* data = static_cast<const T*>(v.data);
  return {data, data + count};
}

// nullopt: not a real vector of numbers.
std::optional<std::vector<double>> read_vector(const matvar_t& v) {
  if (v.rank != 2 || v.data == nullptr || v.isComplex != 0) return std::nullopt;
  if (std::min(v.dims[0], v.dims[1]) != 1) return std::nullopt;
  const std::size_t count = v.dims[0] * v.dims[1];
  if (v.nbytes / std::max(v.data_size, 1) < count) return std::nullopt;
  switch (v.class_type) {
  case MAT_C_DOUBLE:
    return as_numbers<double>(v, count);
  case MAT_C_SINGLE:
    return as_numbers<float>(v, count);
  case MAT_C_INT8:
    return as_numbers<mat_int8_t>(v, count);
  case MAT_C_UINT8:
    return as_numbers<mat_uint8_t>(v, count);
  case MAT_C_INT16:
    return as_numbers<mat_int16_t>(v, count);
  case MAT_C_UINT16:
    return as_numbers<mat_uint16_t>(v, count);
  case MAT_C_INT32:
    return as_numbers<mat_int32_t>(v, count);
  case MAT_C_UINT32:
    return as_numbers<mat_uint32_t>(v, count);
  case MAT_C_INT64:
    return as_numbers<mat_int64_t>(v, count);
  case MAT_C_UINT64:
    return as_numbers<mat_uint64_t>(v, count);
  default:
    return std::nullopt;
  }
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

std::unique_ptr<RecordingTable> open_mat(const std::filesystem::path& file) {
  const hdf5::Session session;  // of version 7.3
  const std::unique_ptr<mat_t, CloseMat> mat(Mat_Open(file.c_str(), MAT_ACC_RDONLY));
  if (mat == nullptr) {
    throw InputError(fmt::format("{}: cannot be read, expected a MATLAB file of version 5 or 7.3",
                                 file.string()));
  }
  std::vector<std::unique_ptr<matvar_t, FreeVariable>> structs;
  std::vector<MemoryColumn> columns;
  while (true) {
    std::unique_ptr<matvar_t, FreeVariable> v(Mat_VarReadNext(mat.get()));
    if (v == nullptr) break;
    if (v->name == nullptr) continue;
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
    throw InputError(fmt::format("{}: no variable in it can be read, expected real vectors in a "
                                 "MATLAB file of version 5 or 7.3: is it damaged?",
                                 file.string()));
  }
  return make_table(file, std::move(columns));
}

}  // namespace footfall
