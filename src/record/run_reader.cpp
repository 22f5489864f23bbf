#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <variant>

#include "footfall/record/run_data.hpp"
#include "footfall/record/rut_file.hpp"
#include "input_error.hpp"
#include "io/hdf5.hpp"

namespace footfall {

namespace {

using hdf5::Check;

// What all parts of the reader need to know about the file.
struct Source {
  std::string name;
  std::size_t bytes = 0;  // no content can be larger than this allows

  Check reads(const std::string& what) const { return {name, "cannot read " + what}; }
};

[[noreturn]] void refuse(const Source& source, const std::string& why) {
  throw input_error("{}: {}", source.name, why);
}

void check_size(const Source& source, std::size_t count, std::size_t element,
                const std::string& what) {
  if (hdf5::may_hold(source.bytes, count, element)) return;
  refuse(source, what + " claims to be larger than the file can hold");
}

std::vector<hsize_t> shape_of(hid_t space, const Source& source, const std::string& what) {
  const std::vector<hsize_t> shape = hdf5::shape_of(space, {source.name, what});
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

// An attribute of one of the three kinds that run files have; none of them: empty.
using AttributeValue = std::variant<std::monostate, std::string, std::vector<std::string>, double>;

std::vector<std::string> read_strings(hid_t attribute, hid_t type, std::size_t count,
                                      const Source& source) {
  const std::size_t length = H5Tget_size(type);
  if (length == 0 || length > source.bytes) refuse(source, "has a text of impossible length");
  check_size(source, count, length, "a list of texts");
  std::vector<char> bytes(std::max<std::size_t>(count * length, 1));
  if (count > 0) source.reads("a text")(H5Aread(attribute, type, bytes.data()));
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text(bytes.data() + i * length, length);
    text.resize(text.find_last_not_of('\0') + 1);  // npos + 1 = 0
    out.push_back(std::move(text));
  }
  return out;
}

AttributeValue read_attribute(hid_t id, const Source& source, const std::string& name) {
  const Check check = source.reads("attribute " + name);
  const hdf5::Type type(check(H5Aget_type(id)));
  const hdf5::Space space(check(H5Aget_space(id)));
  const std::vector<hsize_t> shape = shape_of(space.get(), source, "attribute " + name);
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind == H5T_STRING && H5Tis_variable_str(type.get()) == 0 && shape.size() <= 1) {
    std::vector<std::string> list = read_strings(id, type.get(), product(shape), source);
    if (shape.empty()) return std::move(list.front());
    return list;
  }
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || !shape.empty()) return {};
  double number = 0;
  check(H5Aread(id, H5T_NATIVE_DOUBLE, &number));
  return number;
}

void read_attributes(hid_t root, const Source& source, RunContents& run) {
  const Check check = source.reads("the attributes");
  H5O_info_t info;
  check(H5Oget_info2(root, &info, H5O_INFO_NUM_ATTRS));
  for (hsize_t i = 0; i < info.num_attrs; ++i) {
    const hdf5::Attribute attribute(
        check(H5Aopen_by_idx(root, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT)));
    char name[256] = "";
    check(H5Aget_name(attribute.get(), sizeof name, name));
    AttributeValue value = read_attribute(attribute.get(), source, name);
    if (auto* text = std::get_if<std::string>(&value)) run.texts[name] = std::move(*text);
    if (auto* list = std::get_if<std::vector<std::string>>(&value)) run.lists[name] = *list;
    if (const auto* number = std::get_if<double>(&value)) run.numbers[name] = *number;
  }
}

// A dataset's own attribute; empty if it has none of that name and kind.
template <class Value>
Value read_note(hid_t dataset, const char* name, const Source& source) {
  if (H5Aexists(dataset, name) <= 0) return {};
  const hdf5::Attribute attribute(
      source.reads("an attribute")(H5Aopen(dataset, name, H5P_DEFAULT)));
  AttributeValue value = read_attribute(attribute.get(), source, name);
  auto* found = std::get_if<Value>(&value);
  return found == nullptr ? Value() : std::move(*found);
}

// Keeps the file open, and reads a chunk of rows at a time.
class ChunkReader : public RowReader {
 public:
  ChunkReader(std::shared_ptr<const hdf5::File> file, hdf5::Dataset dataset, int rows, int width,
              std::string what)
      : file_(std::move(file)), dataset_(std::move(dataset)), rows_(rows), width_(width),
        what_(std::move(what)) {}
  ~ChunkReader() override {
    const hdf5::Session session;
    dataset_.close();
    file_.reset();
  }
  ChunkReader(const ChunkReader&) = delete;
  ChunkReader& operator=(const ChunkReader&) = delete;

  int read(int row, std::vector<double>& values) const override {
    const hdf5::Session session;
    const Check check{what_, "cannot read rows"};
    const int first = row - row % kRows, count = std::min(kRows, rows_ - first);
    values.resize(static_cast<std::size_t>(count) * width_);
    const hdf5::Space from(check(H5Dget_space(dataset_.get())));
    const int rank = check(H5Sget_simple_extent_ndims(from.get()));
    const hdf5::Space to =
        hdf5::select_rows(from, rank, static_cast<hsize_t>(first), static_cast<hsize_t>(count),
                          static_cast<hsize_t>(width_), check);
    check(H5Dread(dataset_.get(), H5T_NATIVE_DOUBLE, to.get(), from.get(), H5P_DEFAULT,
                  values.data()));
    return first;
  }

 private:
  static constexpr int kRows = 1000;  // as many as the chunks of a long run have
  std::shared_ptr<const hdf5::File> file_;
  hdf5::Dataset dataset_;
  int rows_, width_;
  std::string what_;
};

// `lazy`: where rows stay in the file, that file.
RunColumn read_column(hid_t dataset, const std::string& path, bool constant, const Source& source,
                      const std::shared_ptr<const hdf5::File>& lazy) {
  const Check check = source.reads(path);
  const hdf5::Type type(check(H5Dget_type(dataset)));
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) refuse(source, path + " does not hold numbers");
  const hdf5::Space space(check(H5Dget_space(dataset)));
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
  if (lazy != nullptr && !constant) {
    check(H5Iinc_ref(dataset));  // the reader's own
    column.reader =
        std::make_shared<ChunkReader>(lazy, hdf5::Dataset(dataset), static_cast<int>(shape[0]),
                                      column.width, source.name + ": " + path);
  } else {
    column.values.resize(count);
  }
  if (!column.values.empty()) {
    check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()));
  }
  column.unit = read_note<std::string>(dataset, "unit", source);
  column.meaning = read_note<std::string>(dataset, "meaning", source);
  column.frame = read_note<std::string>(dataset, "frame", source);
  column.names = read_note<std::vector<std::string>>(dataset, "names", source);
  column.units = read_note<std::vector<std::string>>(dataset, "units", source);
  const auto width = static_cast<std::size_t>(column.width);
  if (column.units.empty()) column.units.assign(width, column.unit);
  if (column.units.size() != width || (!column.names.empty() && column.names.size() != width)) {
    refuse(source, path + " has a wrong count of names or units");
  }
  return column;
}

// Empty until the run has come to its end.
void read_summary(hid_t dataset, const Source& source, RunContents& run) {
  const Check check = source.reads("the summary");
  const hdf5::Space space(check(H5Dget_space(dataset)));
  std::string text(product(shape_of(space.get(), source, "the summary")), '\0');
  if (text.empty()) return;
  check(H5Dread(dataset, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  run.texts["summary"] = std::move(text);
}

// `rows`: of the shortest column.
struct Reading {
  const Source& source;
  std::shared_ptr<const hdf5::File> lazy;
  RunContents& run;
  std::size_t rows = std::numeric_limits<std::size_t>::max();
};

std::size_t row_count_of(hid_t dataset, const Check& check) {
  const hdf5::Space space(check(H5Dget_space(dataset)));
  hsize_t extent[2] = {0, 0};  // read_column has seen that there are no more
  check(H5Sget_simple_extent_dims(space.get(), extent, nullptr));
  return extent[0];
}

void read_group(hid_t group, const std::string& path, int depth, Reading& reading) {
  const Source& source = reading.source;
  RunContents& run = reading.run;
  const Check check = source.reads("group /" + path);
  H5G_info_t info;
  check(H5Gget_info(group, &info));
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[256] = "";
    check(H5Lget_name_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name, sizeof name,
                             H5P_DEFAULT));
    H5L_info_t link;
    check(H5Lget_info(group, name, &link, H5P_DEFAULT));
    if (link.type != H5L_TYPE_HARD) continue;
    const hdf5::Object object(check(H5Oopen(group, name, H5P_DEFAULT)));
    const std::string inner = path.empty() ? name : path + "/" + name;
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind == H5I_GROUP && depth < 3) read_group(object.get(), inner, depth + 1, reading);
    if (kind != H5I_DATASET) continue;
    if (inner == "summary") {
      read_summary(object.get(), source, run);
      continue;
    }
    const bool constant =
        inner.starts_with("robot/") || inner.starts_with("terrain/") || inner.starts_with("ruts/");
    auto& columns = constant ? run.constants : run.columns;
    columns.push_back(read_column(object.get(), inner, constant, source, reading.lazy));
    if (!constant) reading.rows = std::min(reading.rows, row_count_of(object.get(), check));
  }
}

void cut_to_shortest(RunContents& run, std::size_t rows) {
  for (RunColumn& c : run.columns) {
    if (c.reader == nullptr) c.values.resize(rows * c.width);
  }
  run.row_count = static_cast<int>(rows);
}

RunContents read_content(const std::filesystem::path& path, const Source& source, bool lazy) {
  const auto opened = std::make_shared<const hdf5::File>(
      hdf5::open_file(path, H5F_ACC_RDONLY, "cannot open as a run file"));
  const hdf5::File& file = *opened;
  RunContents run;
  run.file = source.name;
  read_attributes(file.get(), source, run);
  const auto format = run.texts.find("format");
  if (format == run.texts.end() || format->second != "footfall run") {
    refuse(source, "is an HDF5 file but not a run file of footfall");
  }
  const double version = run.number("format_version");
  if (!(version >= 1 && version <= kNewestRunFormat)) {
    refuse(source, fmt::format("has format_version {}, this program reads 1 to {}{}", version,
                               kNewestRunFormat,
                               version > kNewestRunFormat ? ": a newer footfall reads it" : ""));
  }
  run.complete = run.number("complete") == 1;
  Reading reading{source, lazy ? opened : nullptr, run};
  read_group(file.get(), "", 0, reading);
  if (run.columns.empty()) refuse(source, "holds no columns");
  cut_to_shortest(run, reading.rows);
  return run;
}

const RunColumn* find_name(const std::vector<RunColumn>& columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, &RunColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

const RunColumn& require(const RunColumn* found, const std::string& name, const std::string& file) {
  if (found != nullptr) return *found;
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

const RunColumn* RunContents::find_column(const std::string& name) const {
  return find_name(columns, name);
}
const RunColumn* RunContents::find_constant(const std::string& name) const {
  return find_name(constants, name);
}
const RunColumn& RunContents::column(const std::string& name) const {
  return require(find_column(name), name, file);
}
const RunColumn& RunContents::constant(const std::string& name) const {
  return require(find_constant(name), name, file);
}
const std::string& RunContents::text(const std::string& name) const {
  return find_attribute(texts, name, file);
}
const std::vector<std::string>& RunContents::list(const std::string& name) const {
  return find_attribute(lists, name, file);
}
double RunContents::number(const std::string& name) const {
  return find_attribute(numbers, name, file);
}
const RunColumn& RunContents::foot_column(int foot, const std::string& name) const {
  const std::vector<std::string>& groups = list("foot_groups");
  if (foot < 0 || foot >= static_cast<int>(groups.size())) {
    throw input_error("{}: has no foot {}, only {}", file, foot, groups.size());
  }
  return column(fmt::format("feet/{}/{}", groups[foot], name));
}

namespace {

RunContents read_file(const std::filesystem::path& file, bool lazy) {
  const hdf5::Session session;
  std::error_code error;
  const Source source{file.string(), std::filesystem::file_size(file, error)};
  if (error) throw input_error("{}: {}", source.name, error.message());
  try {
    return read_content(file, source, lazy);
  } catch (const std::bad_alloc&) {
    refuse(source, "does not fit into memory");
  }
}

}  // namespace

RunContents read_run(const std::filesystem::path& file) { return read_file(file, false); }
RunContents open_run(const std::filesystem::path& file) { return read_file(file, true); }

}  // namespace footfall
