#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <system_error>

#include "footfall/record/run_data.hpp"
#include "input_error.hpp"
#include "io/hdf5.hpp"

namespace footfall {

namespace {

using hdf5::check;

constexpr std::size_t kLargestDeflation = 1100;  // deflate makes nothing smaller than 1/1032
constexpr std::size_t kSlack = 1 << 20;

// What all parts of the reader need to know about the file.
struct Source {
  std::string name;
  std::size_t bytes = 0;  // no content can be larger than this allows
};

[[noreturn]] void refuse(const Source& source, const std::string& why) {
  throw input_error("{}: {}", source.name, why);
}

// Nothing in the file may be larger than the file can hold: a damaged size is not allocated.
void check_size(const Source& source, std::size_t count, std::size_t element,
                const std::string& what) {
  const std::size_t most =
      (source.bytes * kLargestDeflation + kSlack) / std::max<std::size_t>(element, 1);
  if (count > most) refuse(source, what + " claims to be larger than the file can hold");
}

std::vector<hsize_t> shape_of(hid_t space, const Source& source, const std::string& what) {
  const int rank = check(H5Sget_simple_extent_ndims(space), source.name, what);
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  if (rank > 0) {
    check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), source.name, what);
  }
  std::size_t count = 1;
  for (const hsize_t n : shape) {
    check_size(source, n, 1, what);
    count *= n;
    check_size(source, count, 1, what);
  }
  return shape;
}

std::size_t product(const std::vector<hsize_t>& shape) {
  std::size_t count = 1;
  for (const hsize_t n : shape) count *= n;
  return count;
}

// An attribute of one of the three kinds that run files have.
struct AttributeValue {
  enum class Kind { other, text, list, number } kind = Kind::other;
  std::string text;
  std::vector<std::string> list;
  double number = 0;
};

void read_strings(hid_t attribute, hid_t type, std::size_t count, const Source& source,
                  std::vector<std::string>& out) {
  const std::string what = "cannot read a text";
  const std::size_t length = H5Tget_size(type);
  if (length == 0 || length > source.bytes) refuse(source, "has a text of impossible length");
  check_size(source, count, length, "a list of texts");
  std::vector<char> bytes(std::max<std::size_t>(count * length, 1));
  if (count > 0) check(H5Aread(attribute, type, bytes.data()), source.name, what);
  for (std::size_t i = 0; i < count; ++i) {
    std::string text(bytes.data() + i * length, length);
    const std::size_t last = text.find_last_not_of('\0');
    text.resize(last == std::string::npos ? 0 : last + 1);
    out.push_back(std::move(text));
  }
}

AttributeValue read_attribute(hid_t id, const Source& source, const std::string& name) {
  const std::string what = "cannot read attribute " + name;
  const hdf5::Type type(check(H5Aget_type(id), source.name, what));
  const hdf5::Space space(check(H5Aget_space(id), source.name, what));
  const std::vector<hsize_t> shape = shape_of(space.get(), source, "attribute " + name);
  const H5T_class_t kind = H5Tget_class(type.get());
  AttributeValue value;
  if (kind == H5T_STRING && H5Tis_variable_str(type.get()) == 0 && shape.size() <= 1) {
    read_strings(id, type.get(), product(shape), source, value.list);
    value.kind = shape.empty() ? AttributeValue::Kind::text : AttributeValue::Kind::list;
    if (shape.empty()) value.text = value.list.front();
  } else if ((kind == H5T_INTEGER || kind == H5T_FLOAT) && shape.empty()) {
    check(H5Aread(id, H5T_NATIVE_DOUBLE, &value.number), source.name, what);
    value.kind = AttributeValue::Kind::number;
  }
  return value;
}

void read_attributes(hid_t root, const Source& source, RunData& run) {
  H5O_info_t info;
  check(H5Oget_info2(root, &info, H5O_INFO_NUM_ATTRS), source.name, "cannot read the attributes");
  for (hsize_t i = 0; i < info.num_attrs; ++i) {
    const hdf5::Attribute attribute(
        check(H5Aopen_by_idx(root, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT),
              source.name, "cannot read an attribute"));
    char name[256] = "";
    check(H5Aget_name(attribute.get(), sizeof name, name), source.name, "cannot read an attribute");
    AttributeValue value = read_attribute(attribute.get(), source, name);
    switch (value.kind) {
    case AttributeValue::Kind::text:
      run.texts[name] = std::move(value.text);
      break;
    case AttributeValue::Kind::list:
      run.lists[name] = std::move(value.list);
      break;
    case AttributeValue::Kind::number:
      run.numbers[name] = value.number;
      break;
    case AttributeValue::Kind::other:
      break;
    }
  }
}

// A dataset's own attribute; empty if it has none of that name.
AttributeValue read_note(hid_t dataset, const char* name, const Source& source) {
  if (H5Aexists(dataset, name) <= 0) return {};
  const hdf5::Attribute attribute(
      check(H5Aopen(dataset, name, H5P_DEFAULT), source.name, "cannot read an attribute"));
  return read_attribute(attribute.get(), source, name);
}

RunColumn read_column(hid_t dataset, const std::string& path, bool constant, const Source& source) {
  const std::string what = "cannot read " + path;
  const hdf5::Type type(check(H5Dget_type(dataset), source.name, what));
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) refuse(source, path + " does not hold numbers");
  const hdf5::Space space(check(H5Dget_space(dataset), source.name, what));
  const std::vector<hsize_t> shape = shape_of(space.get(), source, path);
  if (shape.empty() || shape.size() > 2) refuse(source, path + " has an unexpected shape");
  const std::size_t count = product(shape);
  check_size(source, count, sizeof(double), path);
  if (shape[0] > static_cast<hsize_t>(std::numeric_limits<int>::max())) {
    refuse(source, path + " has more rows than can be counted");
  }
  RunColumn column;
  column.name = path;
  for (std::size_t i = 1; i < shape.size(); ++i) column.shape.push_back(static_cast<int>(shape[i]));
  column.width = shape.size() == 2 ? static_cast<int>(shape[1]) : 1;
  if (column.width == 0 && !constant) refuse(source, path + " has rows without numbers");
  column.values.resize(count);
  if (count > 0) {
    check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()),
          source.name, what);
  }
  column.unit = read_note(dataset, "unit", source).text;
  column.meaning = read_note(dataset, "meaning", source).text;
  column.frame = read_note(dataset, "frame", source).text;
  column.names = read_note(dataset, "names", source).list;
  column.units = read_note(dataset, "units", source).list;
  const auto width = static_cast<std::size_t>(column.width);
  if (column.units.empty()) column.units.assign(width, column.unit);
  if (column.units.size() != width || (!column.names.empty() && column.names.size() != width)) {
    refuse(source, path + " has a wrong count of names or units");
  }
  return column;
}

void read_group(hid_t group, const std::string& path, int depth, const Source& source,
                RunData& run) {
  const std::string what = "cannot read group /" + path;
  H5G_info_t info;
  check(H5Gget_info(group, &info), source.name, what);
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[256] = "";
    check(H5Lget_name_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name, sizeof name,
                             H5P_DEFAULT),
          source.name, what);
    H5L_info_t link;
    check(H5Lget_info(group, name, &link, H5P_DEFAULT), source.name, what);
    if (link.type != H5L_TYPE_HARD) continue;
    const hdf5::Object object(check(H5Oopen(group, name, H5P_DEFAULT), source.name, what));
    const std::string inner = path.empty() ? name : path + "/" + name;
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind == H5I_GROUP && depth < 3) read_group(object.get(), inner, depth + 1, source, run);
    if (kind != H5I_DATASET) continue;
    const bool constant =
        inner.starts_with("robot/") || inner.starts_with("terrain/") || inner.starts_with("ruts/");
    auto& columns = constant ? run.constants : run.columns;
    columns.push_back(read_column(object.get(), inner, constant, source));
  }
}

void cut_to_shortest(RunData& run) {
  std::size_t rows = run.columns.front().values.size() / run.columns.front().width;
  for (const RunColumn& c : run.columns) rows = std::min(rows, c.values.size() / c.width);
  for (RunColumn& c : run.columns) c.values.resize(rows * c.width);
  run.row_count = static_cast<int>(rows);
}

RunData read_content(const std::filesystem::path& path, const Source& source) {
  const hdf5::Properties access(
      check(H5Pcreate(H5P_FILE_ACCESS), source.name, "cannot open the run file"));
  check(H5Pset_file_locking(access.get(), true, true), source.name, "cannot open the run file");
  const hdf5::File file(check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), source.name,
                              "cannot open as a run file"));
  RunData run;
  run.file = source.name;
  read_attributes(file.get(), source, run);
  const auto format = run.texts.find("format");
  if (format == run.texts.end() || format->second != "footfall run") {
    refuse(source, "is an HDF5 file but not a run file of footfall");
  }
  if (run.number("format_version") != 1) {
    refuse(source, fmt::format("has format_version {}, this program reads 1",
                               run.number("format_version")));
  }
  run.complete = run.number("complete") == 1;
  read_group(file.get(), "", 0, source, run);
  if (run.columns.empty()) refuse(source, "holds no columns");
  cut_to_shortest(run);
  return run;
}

const RunColumn& find_column(const std::vector<RunColumn>& columns, const std::string& name,
                             const std::string& file) {
  for (const RunColumn& c : columns) {
    if (c.name == name) return c;
  }
  throw input_error("{}: has no {}: if an earlier version wrote it, run the scenario again", file,
                    name);
}

template <class Map>
const typename Map::mapped_type& find_attribute(const Map& map, const std::string& name,
                                                const std::string& file) {
  const auto found = map.find(name);
  if (found == map.end()) throw input_error("{}: has no attribute {}", file, name);
  return found->second;
}

}  // namespace

const RunColumn& RunData::column(const std::string& name) const {
  return find_column(columns, name, file);
}
const RunColumn& RunData::constant(const std::string& name) const {
  return find_column(constants, name, file);
}
const std::string& RunData::text(const std::string& name) const {
  return find_attribute(texts, name, file);
}
const std::vector<std::string>& RunData::list(const std::string& name) const {
  return find_attribute(lists, name, file);
}
double RunData::number(const std::string& name) const {
  return find_attribute(numbers, name, file);
}
const RunColumn& RunData::foot_column(int foot, const std::string& name) const {
  const std::vector<std::string>& groups = list("foot_groups");
  if (foot < 0 || foot >= static_cast<int>(groups.size())) {
    throw input_error("{}: has no foot {}, only {}", file, foot, groups.size());
  }
  return column(fmt::format("feet/{}/{}", groups[foot], name));
}

RunData read_run(const std::filesystem::path& file) {
  const hdf5::Session session;
  std::error_code error;
  const Source source{file.string(), std::filesystem::file_size(file, error)};
  if (error) throw input_error("{}: {}", source.name, error.message());
  try {
    return read_content(file, source);
  } catch (const std::bad_alloc&) {
    refuse(source, "does not fit into memory");
  }
}

}  // namespace footfall
