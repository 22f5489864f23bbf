
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "footfall/error.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/record/run_file.hpp"
#include "footfall/record/rut_file.hpp"
#include "footfall/version.hpp"
#include "input_error.hpp"
#include "io/create_file.hpp"
#include "io/words.hpp"
#include "record/run_layout.hpp"
#include "record/run_robot.hpp"
#include "record/rut_group.hpp"

namespace footfall {

namespace {

using hdf5::Check;
using record::ColumnLayout;
using record::Element;

constexpr int kFlushRows = 1000;  // rows of a chunk, at most
constexpr std::chrono::seconds kFlushPeriod{1};
constexpr std::uint32_t kNoFilter = 3;          // skip both, shuffle and deflate
constexpr std::size_t kHeaderBytes = 1 << 20;   // all attributes and empty datasets, generously
constexpr std::size_t kColumnSlack = 16 << 10;  // what HDF5 keeps about a chunk, generously

// One dataset and its rows that are not yet in the file.
struct Column {
  std::string path;
  hdf5::Dataset dataset;
  hid_t type = -1;
  int rank = 1;
  hsize_t width = 1;
  std::size_t row_bytes = 0;
  std::vector<std::byte> rows;  // of the chunk that is being filled
};

Column make_column(hid_t group, const ColumnLayout& layout, int chunk_rows,
                   const std::string& file) {
  const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT32, H5T_NATIVE_UINT8};  // as Element
  Column column;
  column.path = layout.group.empty() ? layout.name : layout.group + "/" + layout.name;
  column.type = types[static_cast<std::size_t>(layout.element)];
  column.rank = layout.width == 0 ? 1 : 2;
  column.width = static_cast<hsize_t>(std::max(layout.width, 1));
  column.row_bytes = H5Tget_size(column.type) * column.width;
  column.rows.resize(column.row_bytes * static_cast<std::size_t>(chunk_rows));
  hdf5::Extent extent{{0, column.width},
                      {H5S_UNLIMITED, column.width},
                      {static_cast<hsize_t>(chunk_rows), column.width}};
  extent.now.resize(static_cast<std::size_t>(column.rank));
  column.dataset = hdf5::make_dataset(group, layout.name, column.type, extent,
                                      {file, "cannot make dataset " + layout.name});
  hdf5::describe(column.dataset.get(), layout.unit, layout.meaning, layout.frame, file);
  if (!layout.names.empty()) hdf5::write_list(column.dataset.get(), "names", layout.names, file);
  if (!layout.units.empty()) hdf5::write_list(column.dataset.get(), "units", layout.units, file);
  return column;
}

// Writes `count` rows of the chunk that starts at row `first`. Numbers that move hardly compress
// and would cost more than the step that made them; only a chunk of equal rows is deflated.
void write_chunk(Column& column, hsize_t first, std::size_t count, const std::string& file) {
  const Check check{file, "cannot write rows"};
  const hid_t dataset = column.dataset.get();
  const hsize_t extent[] = {first + count, column.width}, start[] = {first, 0};
  check(H5Dset_extent(dataset, extent));
  std::byte* rows = column.rows.data();
  const std::size_t filled = count * column.row_bytes;
  std::memset(rows + filled, 0, column.rows.size() - filled);
  if (std::memcmp(rows, rows + column.row_bytes, filled - column.row_bytes) != 0) {
    check(H5Dwrite_chunk(dataset, H5P_DEFAULT, kNoFilter, start, column.rows.size(), rows));
    return;
  }
  const hdf5::Space target(check(H5Dget_space(dataset)));
  const hdf5::Space source =
      hdf5::select_rows(target, column.rank, first, count, column.width, check);
  check(H5Dwrite(dataset, column.type, source.get(), target.get(), H5P_DEFAULT, rows));
}

// Rows `first` … `first + count` of the column in another file.
void read_rows(Column& column, const hdf5::File& file, hsize_t first, std::size_t count,
               const std::string& name) {
  const Check check{name, "cannot read " + column.path};
  const hdf5::Dataset dataset(check(H5Dopen2(file.get(), column.path.c_str(), H5P_DEFAULT)));
  const hdf5::Space source(check(H5Dget_space(dataset.get())));
  const std::vector<hsize_t> shape = hdf5::shape_of(source.get(), check);
  const hsize_t width = shape.size() == 2 ? shape[1] : 1;
  if (shape.empty() || shape.size() != static_cast<std::size_t>(column.rank) ||
      width != column.width || shape[0] < first + count) {
    throw input_error("{}: has {} rows of {} numbers in {}, expected at least {} of {}", name,
                      shape.empty() ? 0 : shape[0], width, column.path, first + count,
                      column.width);
  }
  const hdf5::Space target =
      hdf5::select_rows(source, column.rank, first, count, column.width, check);
  check(H5Dread(dataset.get(), column.type, target.get(), source.get(), H5P_DEFAULT,
                column.rows.data()));
}

// The results, as bytes of UTF-8: not known before the end, when no attribute can be added any more.
constexpr const char* kSummary = "summary";
constexpr hsize_t kSummaryChunk = 1 << 12;

void make_summary(hid_t root, const std::string& file) {
  const hdf5::Dataset dataset =
      hdf5::make_dataset(root, kSummary, H5T_NATIVE_UINT8, {{0}, {H5S_UNLIMITED}, {kSummaryChunk}},
                         {file, "cannot make dataset summary"});
  hdf5::describe(dataset.get(), "1", "results of the run: the bytes of a JSON text in UTF-8", "",
                 file);
}

void fill_summary(hid_t root, const std::string& text, const std::string& file) {
  const Check check{file, "cannot write the summary"};
  const hdf5::Dataset dataset(check(H5Dopen2(root, kSummary, H5P_DEFAULT)));
  const hsize_t size = text.size();
  check(H5Dset_extent(dataset.get(), &size));
  if (size == 0) return;
  check(H5Dwrite(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
}

// Bytes that the file will have before its first row, at least.
std::size_t header_bytes(const World& world, const RunHeader& header) {
  std::size_t bytes = kHeaderBytes + header.scenario_text.size();
  bytes += world.terrain.field.heights.size() * sizeof(double);
  for (const Geom& geom : world.robot.geoms) {
    bytes += 1000 + geom.vertices.size() * sizeof(Vec3d) + geom.triangles.size() * 3 * sizeof(int);
  }
  return bytes;
}

void write_header(hid_t root, const World& world, const RunHeader& header,
                  const std::string& file) {
  const RobotModel& robot = world.robot;
  hdf5::write_text(root, "format", "footfall run", file);
  hdf5::write_integer(root, "format_version", kNewestRunFormat, file);
  hdf5::write_integer(root, "complete", 0, file);
  hdf5::write_text(root, "scenario_text", header.scenario_text, file);
  hdf5::write_text(root, "scenario_path", header.scenario_path, file);
  hdf5::write_text(root, "command", header.command, file);
  hdf5::write_text(root, "footfall_version", std::string(version), file);
  hdf5::write_text(root, "footfall_build", std::string(build_description()), file);
  hdf5::write_text(root, "mujoco_version", header.mujoco_version, file);
  hdf5::write_text(root, "robot_name", robot.name, file);
  hdf5::write_text(root, "robot_file", robot.source_file, file);
  hdf5::write_list(root, "body_names", names_of(robot.bodies), file);
  hdf5::write_list(root, "joint_names", names_of(robot.joints), file);
  hdf5::write_list(root, "dof_names", record::dof_names(robot), file);
  hdf5::write_list(root, "actuator_names", names_of(robot.actuators), file);
  hdf5::write_list(root, "foot_names", names_of(world.soles.feet), file);
  hdf5::write_list(root, "foot_groups", record::foot_group_names(world.soles.feet), file);
  hdf5::write_list(root, "soil_names", soil_names(world.ground), file);
  hdf5::write_list(root, "soil_texts", record::soil_texts(world), file);
  hdf5::write_list(root, "region_names", names_of(world.terrain.regions), file);
  hdf5::write_number(root, "timestep_s", world.options.timestep, file);
}

}  // namespace

class RunWriter::Recorder {
 public:
  Recorder(const std::filesystem::path& path, const World& world, const RunHeader& header,
           int row_capacity_hint, const std::string& name)
      : name_(name.empty() ? path.string() : name),
        chunk_rows_(row_capacity_hint > 0 ? std::min(row_capacity_hint, kFlushRows) : kFlushRows),
        has_grains_(wrench_space(world.ground) != nullptr),
        file_(record::create_file(path, header_bytes(world, header), name_)) {
    guard([&] {
      descriptor_ = hdf5::descriptor_of(file_, name_);
      record::reserve_space(descriptor_, 0, header_bytes(world, header), name_);
      write_header(file_.get(), world, header, name_);
      make_columns(record::run_columns(world));
      record::write_robot(file_.get(), world, name_);
      record::write_terrain(file_.get(), world, name_);
      if (keeps_prints(world.ground)) {
        record::make_rut_group(file_.get(), soil_ground(world.ground)->ruts, name_);
      }
      make_summary(file_.get(), name_);
      // From here on HDF5 writes in such an order that what others see is always whole.
      Check{name_, "cannot write the run file"}(H5Fstart_swmr_write(file_.get()));
      flush_file();
    });
    for (const Column& column : columns_) flush_bytes_ += column.rows.size() + kColumnSlack;
  }

  void copy_rows(const std::filesystem::path& from, std::int64_t rows) {
    const hdf5::Session session;
    const hdf5::File source = hdf5::open_file(from, H5F_ACC_RDONLY, "cannot open the run file");
    for (std::int64_t first = 0; first < rows; first += chunk_rows_) {
      const auto count =
          static_cast<std::size_t>(std::min<std::int64_t>(chunk_rows_, rows - first));
      for (Column& column : columns_) {
        read_rows(column, source, static_cast<hsize_t>(first), count, from.string());
      }
      filled_ = unflushed_ = count;
      flush();
    }
  }

  void sync() {
    flush();
    if (descriptor_ < 0 || file_.get() < 0 || ::fsync(descriptor_) == 0 || errno == EINVAL) return;
    throw OutputError(fmt::format("{}: cannot write the run file: {}", name_,
                                  std::generic_category().message(errno)));
  }

  void append(const RunRow& row) {
    if (file_.get() < 0) throw InputError(name_ + ": the run file is closed, no row can follow");
    next_ = 0;
    record::put_row(row, has_grains_, *this);
    if (next_ != columns_.size()) fail_shape();
    ++filled_;
    ++unflushed_;
    if (filled_ == static_cast<std::size_t>(chunk_rows_) ||
        std::chrono::steady_clock::now() - last_flush_ >= kFlushPeriod) {
      flush();
    }
  }

  void close(const RunEnd& end) {
    if (file_.get() < 0) return;
    const hdf5::Session session;
    flush();
    guard([&] {
      const std::size_t bytes =
          end.summary.size() + kColumnSlack + (end.ruts == nullptr ? 0 : ruts_bytes(*end.ruts));
      record::reserve_space(descriptor_, hdf5::size_of(file_, name_), bytes, name_);
      if (end.ruts != nullptr) record::fill_rut_group(file_.get(), *end.ruts, name_);
      fill_summary(file_.get(), end.summary, name_);
      flush_file();
      if (end.complete) mark_complete();
    });
    finish();
  }

  int flushed_rows() const { return static_cast<int>(first_row_ + filled_ - unflushed_); }

  // Keeps what can be kept.
  ~Recorder() {
    const hdf5::Session session;
    try {
      flush();
      finish();
    } catch (const InputError&) {
      file_.close();  // nobody is left to be told; the file says complete = 0
    }
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Writes the rows since the last flush; starts a new chunk when this one is full.
  void flush() {
    if (unflushed_ == 0 || file_.get() < 0) return;
    const hdf5::Session session;
    guard([&] {
      record::reserve_space(descriptor_, hdf5::size_of(file_, name_), flush_bytes_, name_);
      for (Column& column : columns_) write_chunk(column, first_row_, filled_, name_);
      flush_file();
    });
    unflushed_ = 0;
    if (filled_ == static_cast<std::size_t>(chunk_rows_)) {
      first_row_ += filled_;
      filled_ = 0;
    }
  }

  // A value of the next column, for put_row.
  void put(double value) { put_bytes(&value, sizeof value); }
  void put(std::int32_t value) { put_bytes(&value, sizeof value); }
  void put(bool value) {
    const std::uint8_t flag = value ? 1 : 0;
    put_bytes(&flag, sizeof flag);
  }
  void put(const Vec3d& v) {
    const double xyz[] = {v.x, v.y, v.z};
    put_bytes(xyz, sizeof xyz);
  }
  void put(const std::vector<double>& v) {
    if (!v.empty()) put_bytes(v.data(), v.size() * sizeof(double));
  }

 private:
  void make_columns(const std::vector<ColumnLayout>& layouts) {
    std::string open_path;
    hdf5::Group group;
    for (const ColumnLayout& layout : layouts) {
      if (layout.group != open_path) group = open_group(layout.group);
      open_path = layout.group;
      const hid_t parent = open_path.empty() ? file_.get() : group.get();
      columns_.push_back(make_column(parent, layout, chunk_rows_, name_));
    }
  }

  // Makes the group, and "feet" before "feet/<name>".
  hdf5::Group open_group(const std::string& path) {
    const std::size_t slash = path.find('/');
    if (slash == std::string::npos) return hdf5::make_group(file_.get(), path, name_);
    const std::string parent = path.substr(0, slash);
    if (H5Lexists(file_.get(), parent.c_str(), H5P_DEFAULT) <= 0) {
      hdf5::make_group(file_.get(), parent, name_);
    }
    return hdf5::make_group(file_.get(), path, name_);
  }

  [[noreturn]] void fail_shape() const {
    throw std::invalid_argument(name_ + ": a row does not have the shape of the world it is of");
  }

  void put_bytes(const void* value, std::size_t size) {
    if (next_ >= columns_.size() || size != columns_[next_].row_bytes) fail_shape();
    Column& column = columns_[next_++];
    std::memcpy(column.rows.data() + filled_ * column.row_bytes, value, size);
  }

  // Runs what writes. If that fails the file on the disk is left as it is, and closed.
  template <class Write>
  void guard(const Write& write) {
    try {
      write();
    } catch (const InputError& error) {
      if (descriptor_ >= 0) record::divert(descriptor_);
      columns_.clear();
      file_.close();
      throw OutputError(error.what());
    }
  }

  void flush_file() {
    Check{name_, "cannot write the run file"}(H5Fflush(file_.get(), H5F_SCOPE_LOCAL));
    record::release_space(descriptor_, hdf5::size_of(file_, name_), name_);
    last_flush_ = std::chrono::steady_clock::now();
  }

  void finish() {
    if (file_.get() < 0) return;
    guard([&] {
      const Check check{name_, "cannot finish the run file"};
      columns_.clear();
      check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL));
      check(file_.close());
    });
  }

  void mark_complete() {
    const Check check{name_, "cannot mark the run file complete"};
    const hdf5::Attribute attribute(check(H5Aopen(file_.get(), "complete", H5P_DEFAULT)));
    const int one = 1;
    check(H5Awrite(attribute.get(), H5T_NATIVE_INT, &one));
  }

  std::string name_;  // of the file, for messages
  int chunk_rows_ = kFlushRows;
  bool has_grains_ = false;
  hdf5::File file_;
  std::vector<Column> columns_;
  std::size_t next_ = 0;         // column that the next put() fills
  hsize_t first_row_ = 0;        // of the chunk that is being filled
  std::size_t filled_ = 0;       // rows in it
  std::size_t unflushed_ = 0;    // of them not in the file
  int descriptor_ = -1;          // of the file, HDF5's
  std::size_t flush_bytes_ = 0;  // that a flush adds to the file, at most
  std::chrono::steady_clock::time_point last_flush_;
};

RunWriter::RunWriter(const std::filesystem::path& file, const World& world, const RunHeader& header,
                     int row_capacity_hint, const std::string& name) {
  const hdf5::Session session;
  recorder_ = std::make_unique<Recorder>(file, world, header, row_capacity_hint, name);
}
RunWriter::~RunWriter() = default;
RunWriter::RunWriter(RunWriter&&) noexcept = default;
RunWriter& RunWriter::operator=(RunWriter&&) noexcept = default;

void RunWriter::copy_rows(const std::filesystem::path& from, std::int64_t rows) {
  recorder_->copy_rows(from, rows);
}

void RunWriter::sync() { recorder_->sync(); }

void RunWriter::append(const RunRow& row) { recorder_->append(row); }

void RunWriter::flush() { recorder_->flush(); }

void refuse_other_file(const std::filesystem::path& file) {
  const hdf5::Session session;
  record::refuse_other_files(file);
}

int RunWriter::flushed_rows() const { return recorder_->flushed_rows(); }

void RunWriter::close(const RunEnd& end) { recorder_->close(end); }

}  // namespace footfall
