#include "io/hdf5.hpp"

#include <algorithm>
#include <string_view>

#include "input_error.hpp"

namespace footfall::hdf5 {

namespace {

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

Type text_type(std::size_t length, const std::string& file) {
  Type type(check(H5Tcopy(H5T_C_S1), file, "cannot make a text type"));
  check(H5Tset_size(type.get(), std::max<std::size_t>(length, 1)), file, "cannot size a text");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), file, "cannot make a text UTF-8");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), file, "cannot pad a text");
  return type;
}

void write_attribute(hid_t object, const std::string& name, hid_t type, hid_t space,
                     const void* value, const std::string& file) {
  const std::string what = "cannot write attribute " + name;
  const Attribute attribute(
      check(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), file, what));
  check(H5Awrite(attribute.get(), type, value), file, what);
}

void write_scalar(hid_t object, const std::string& name, hid_t type, const void* value,
                  const std::string& file) {
  const Space space(check(H5Screate(H5S_SCALAR), file, "cannot make a scalar"));
  write_attribute(object, name, type, space.get(), value, file);
}

void write_values(hid_t parent, const Table& table, hid_t type, std::size_t count,
                  const void* values, const std::string& file) {
  const std::string what = "cannot write " + table.name;
  std::vector<hsize_t> shape(table.shape.begin(), table.shape.end());
  const Space space(
      check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), file, what));
  const Properties properties(check(H5Pcreate(H5P_DATASET_CREATE), file, what));
  check(H5Pset_obj_track_times(properties.get(), false), file, what);
  const Dataset dataset(check(H5Dcreate2(parent, table.name.c_str(), type, space.get(), H5P_DEFAULT,
                                         properties.get(), H5P_DEFAULT),
                              file, what));
  if (count > 0) {
    check(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), file, what);
  }
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

void fail(const std::string& file, const std::string& what) {
  throw input_error("{}: {}: {}", file, what, last_cause());
}

void write_text(hid_t object, const std::string& name, const std::string& text,
                const std::string& file) {
  const Type type = text_type(text.size(), file);
  write_scalar(object, name, type.get(), text.c_str(), file);
}

void write_list(hid_t object, const std::string& name, const std::vector<std::string>& list,
                const std::string& file) {
  std::size_t length = 1;
  for (const std::string& s : list) length = std::max(length, s.size());
  std::vector<char> bytes(std::max<std::size_t>(length * list.size(), 1), '\0');
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::copy(list[i].begin(), list[i].end(), bytes.begin() + static_cast<long>(i * length));
  }
  const Type type = text_type(length, file);
  const hsize_t count = list.size();
  const Space space(check(H5Screate_simple(1, &count, nullptr), file, "cannot make a list"));
  write_attribute(object, name, type.get(), space.get(), bytes.data(), file);
}

void write_number(hid_t object, const std::string& name, double value, const std::string& file) {
  write_scalar(object, name, H5T_NATIVE_DOUBLE, &value, file);
}

void write_integer(hid_t object, const std::string& name, int value, const std::string& file) {
  write_scalar(object, name, H5T_NATIVE_INT, &value, file);
}

Group make_group(hid_t parent, const std::string& name, const std::string& file) {
  const std::string what = "cannot make group " + name;
  const Properties properties(check(H5Pcreate(H5P_GROUP_CREATE), file, what));
  check(H5Pset_obj_track_times(properties.get(), false), file, what);
  check(H5Pset_link_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        file, what);
  return Group(check(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                     file, what));
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
