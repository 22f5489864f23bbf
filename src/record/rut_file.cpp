#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "footfall/record/rut_file.hpp"
#include "input_error.hpp"
#include "io/create_file.hpp"
#include "record/rut_group.hpp"

namespace footfall {
namespace {

using hdf5::Check;

constexpr hsize_t kCells = kRutBlockCells * kRutBlockCells;  // of a block
constexpr hsize_t kChunkBlocks = 16;                         // that are written and read at once

// One number of every cell: a dataset of blocks × cells.
struct CellTable {
  const char* name;
  const char* meaning;
  const char* frame;
  double RutCell::* field;
  bool may_be_negative;
};
constexpr CellTable kTables[] = {
    {"sinkage", "plastic sinkage: bottom of the print below the untouched ground, along its normal",
     "", &RutCell::sinkage, false},
    {"sinkage_max", "largest sinkage ever", "", &RutCell::sinkage_max, false},
    {"rim", "height of soil that was pushed up", "", &RutCell::rim, false},
    {"shear_displacement_x", "of the soil, along x", "W", &RutCell::shear_x, true},
    {"shear_displacement_y", "of the soil, along y", "W", &RutCell::shear_y, true},
};

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw input_error("{}: {}", file, why);
}

Check reads(const std::string& file, const std::string& name) {
  return {file, "cannot read ruts/" + name};
}

// An empty dataset of blocks × width, or of blocks alone, that can grow.
void make_table(hid_t group, const char* table, hid_t type, hsize_t width,
                const std::string& file) {
  hdf5::Extent extent{{0}, {H5S_UNLIMITED}, {kChunkBlocks}};
  if (width > 0) extent = {{0, width}, {H5S_UNLIMITED, width}, {kChunkBlocks, width}};
  const hdf5::Dataset dataset = hdf5::make_dataset(
      group, table, type, extent, {file, fmt::format("cannot make ruts/{}", table)});
  const bool is_place = width == 0;
  const auto* cells = std::ranges::find(kTables, std::string_view(table), &CellTable::name);
  hdf5::describe(dataset.get(), is_place ? "1" : "m",
                 is_place ? fmt::format("place of the block: its first cell starts at "
                                        "block_cells*cell_m*{}",
                                        table)
                          : cells->meaning,
                 is_place ? "W" : cells->frame, file);
}

hdf5::Dataset open_grown(hid_t group, const char* table, hsize_t blocks, hsize_t width,
                         const Check& check) {
  hdf5::Dataset dataset(check(H5Dopen2(group, table, H5P_DEFAULT)));
  const hsize_t extent[] = {blocks, width};
  check(H5Dset_extent(dataset.get(), extent));
  return dataset;
}

void write_places(hid_t group, const char* table, const std::vector<int>& places,
                  const std::string& file) {
  const Check check{file, fmt::format("cannot write ruts/{}", table)};
  const hdf5::Dataset dataset = open_grown(group, table, places.size(), 0, check);
  if (places.empty()) return;
  check(H5Dwrite(dataset.get(), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, places.data()));
}

void write_cells(hid_t group, const CellTable& table, const RutGrid& ruts,
                 const std::string& file) {
  const Check check{file, fmt::format("cannot write ruts/{}", table.name)};
  const auto blocks = static_cast<hsize_t>(ruts.block_count());
  const hdf5::Dataset dataset = open_grown(group, table.name, blocks, kCells, check);
  const hdf5::Space space(check(H5Dget_space(dataset.get())));
  std::vector<double> values;
  for (hsize_t first = 0; first < blocks; first += kChunkBlocks) {
    const hsize_t count = std::min(kChunkBlocks, blocks - first);
    values.clear();
    for (hsize_t b = first; b < first + count; ++b) {
      for (const RutCell& c : ruts.block(static_cast<int>(b)).cells) {
        values.push_back(c.*table.field);
      }
    }
    const hdf5::Space source = hdf5::select_rows(space, 2, first, count, kCells, check);
    check(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, source.get(), space.get(), H5P_DEFAULT,
                   values.data()));
  }
}

double read_number(hid_t group, const char* name, const std::string& file) {
  const Check check{file, fmt::format("cannot read attribute {} of ruts", name)};
  const hdf5::Attribute attribute(check(H5Aopen(group, name, H5P_DEFAULT)));
  const hdf5::Space space(check(H5Aget_space(attribute.get())));
  const hdf5::Type type(check(H5Aget_type(attribute.get())));
  const H5T_class_t kind = H5Tget_class(type.get());
  if (H5Sget_simple_extent_npoints(space.get()) != 1 ||
      (kind != H5T_FLOAT && kind != H5T_INTEGER)) {
    refuse(file, fmt::format("attribute {} of ruts is not a number", name));
  }
  double value = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value));
  return value;
}

RutOptions read_options(hid_t group, const std::string& file) {
  const double block_cells = read_number(group, "block_cells", file);
  if (block_cells != kRutBlockCells) {
    refuse(file, fmt::format("ruts: block_cells = {}, expected {}", block_cells, kRutBlockCells));
  }
  const RutOptions options{.cell = read_number(group, "cell_m", file),
                           .rim_share = read_number(group, "rim_share", file)};
  if (!(options.cell >= kRutCellMin && options.cell <= kRutCellMax)) {
    refuse(file, fmt::format("ruts: cell_m = {}, expected [{}, {}]", options.cell, kRutCellMin,
                             kRutCellMax));
  }
  if (!(options.rim_share >= 0 && options.rim_share <= 1)) {
    refuse(file, fmt::format("ruts: rim_share = {}, expected [0, 1]", options.rim_share));
  }
  return options;
}

struct RutDataset {
  hdf5::Dataset dataset;
  hdf5::Space space;
  std::vector<hsize_t> shape;
};

RutDataset open_dataset(hid_t group, const std::string& name, H5T_class_t kind,
                        const std::string& file) {
  const Check check = reads(file, name);
  RutDataset table;
  table.dataset = hdf5::Dataset(check(H5Dopen2(group, name.c_str(), H5P_DEFAULT)));
  const hdf5::Type type(check(H5Dget_type(table.dataset.get())));
  if (H5Tget_class(type.get()) != kind) {
    refuse(file, fmt::format("ruts/{} does not hold {}", name,
                             kind == H5T_INTEGER ? "whole numbers" : "numbers with a point"));
  }
  table.space = hdf5::Space(check(H5Dget_space(table.dataset.get())));
  table.shape = hdf5::shape_of(table.space.get(), check);
  return table;
}

std::vector<int> read_places(hid_t group, const std::string& name, int limit, std::size_t bytes,
                             const std::string& file) {
  const RutDataset source = open_dataset(group, name, H5T_INTEGER, file);
  if (source.shape.size() != 1) {
    refuse(file, fmt::format("ruts/{} has {} dimensions, expected 1", name, source.shape.size()));
  }
  const hsize_t count = source.shape[0];
  if (!hdf5::may_hold(bytes, count, kCells * sizeof(double))) {
    refuse(file, fmt::format("ruts/{} claims {} blocks, more than the file can hold", name, count));
  }
  std::vector<int> values(count);
  if (count > 0) {
    reads(file, name)(H5Dread(source.dataset.get(), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                              values.data()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= -limit && values[i] <= limit) continue;
    refuse(file,
           fmt::format("ruts/{}[{}] = {}, expected [{}, {}]", name, i, values[i], -limit, limit));
  }
  return values;
}

void read_cells(hid_t group, const CellTable& table, const std::vector<RutBlock*>& blocks,
                const std::string& file) {
  const Check check = reads(file, table.name);
  const RutDataset source = open_dataset(group, table.name, H5T_FLOAT, file);
  if (source.shape != std::vector<hsize_t>{blocks.size(), kCells}) {
    refuse(file, fmt::format("ruts/{} has shape ({}), expected ({}, {})", table.name,
                             fmt::join(source.shape, ", "), blocks.size(), kCells));
  }
  std::vector<double> values(kChunkBlocks * kCells);
  for (std::size_t first = 0; first < blocks.size(); first += kChunkBlocks) {
    const std::size_t count = std::min<std::size_t>(kChunkBlocks, blocks.size() - first);
    const hdf5::Space target = hdf5::select_rows(source.space, 2, first, count, kCells, check);
    check(H5Dread(source.dataset.get(), H5T_NATIVE_DOUBLE, target.get(), source.space.get(),
                  H5P_DEFAULT, values.data()));
    for (std::size_t i = 0; i < count * kCells; ++i) {
      const std::size_t block = first + i / kCells, cell = i % kCells;
      if (!std::isfinite(values[i]) || (values[i] < 0 && !table.may_be_negative)) {
        refuse(file,
               fmt::format("ruts/{}[{}, {}] = {} m, expected a finite number{}", table.name, block,
                           cell, values[i], table.may_be_negative ? "" : ", not negative"));
      }
      blocks[block]->cells[cell].*table.field = values[i];
    }
  }
}

void check_cells(const std::vector<RutBlock*>& blocks, const std::string& file) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t k = 0; k < kCells; ++k) {
      const RutCell& c = blocks[b]->cells[k];
      if (c.sinkage_max >= c.sinkage) continue;
      refuse(file, fmt::format("ruts/sinkage_max[{}, {}] = {} m, expected at least sinkage = {} m",
                               b, k, c.sinkage_max, c.sinkage));
    }
  }
}

bool group_exists(hid_t file) { return H5Lexists(file, "ruts", H5P_DEFAULT) > 0; }

hdf5::File open_run(const std::filesystem::path& path, unsigned mode) {
  return hdf5::open_file(path, mode, "cannot open the run file");
}

// `bytes`: size of the file; no content can be larger than this allows.
RutGrid read_group(hid_t file, const std::string& name, std::size_t bytes) {
  if (!group_exists(file)) refuse(name, "has no group ruts");
  const hdf5::Group group(Check{name, "cannot read ruts"}(H5Gopen2(file, "ruts", H5P_DEFAULT)));
  RutGrid ruts(read_options(group.get(), name));
  const int limit = ruts.block_limit();
  const std::vector<int> x = read_places(group.get(), "block_x", limit, bytes, name);
  const std::vector<int> y = read_places(group.get(), "block_y", limit, bytes, name);
  if (x.size() != y.size()) {
    refuse(name, fmt::format("ruts/block_y has {} entries, expected {} as ruts/block_x", y.size(),
                             x.size()));
  }
  std::vector<RutBlock*> blocks;
  for (std::size_t i = 0; i < x.size(); ++i) {
    blocks.push_back(&ruts.make_block(x[i], y[i]));
    if (static_cast<std::size_t>(ruts.block_count()) != i + 1) {
      refuse(name, fmt::format("ruts/block_x[{}] = {}, block_y = {}: this block was there before",
                               i, x[i], y[i]));
    }
  }
  for (const CellTable& table : kTables) read_cells(group.get(), table, blocks, name);
  check_cells(blocks, name);
  return ruts;
}

}  // namespace

void record::make_rut_group(hid_t file, const RutOptions& options, const std::string& name) {
  const hdf5::Group group = hdf5::make_group(file, "ruts", name);
  hdf5::write_number(group.get(), "cell_m", options.cell, name);
  hdf5::write_integer(group.get(), "block_cells", kRutBlockCells, name);
  hdf5::write_number(group.get(), "rim_share", options.rim_share, name);
  make_table(group.get(), "block_x", H5T_NATIVE_INT, 0, name);
  make_table(group.get(), "block_y", H5T_NATIVE_INT, 0, name);
  for (const CellTable& table : kTables) {
    make_table(group.get(), table.name, H5T_NATIVE_DOUBLE, kCells, name);
  }
}

void record::fill_rut_group(hid_t file, const RutGrid& ruts, const std::string& name) {
  const hdf5::Group group(Check{name, "cannot write ruts"}(H5Gopen2(file, "ruts", H5P_DEFAULT)));
  std::vector<int> x, y;
  for (int i = 0; i < ruts.block_count(); ++i) {
    x.push_back(ruts.block(i).x);
    y.push_back(ruts.block(i).y);
  }
  for (const CellTable& table : kTables) write_cells(group.get(), table, ruts, name);
  write_places(group.get(), "block_y", y, name);
  write_places(group.get(), "block_x", x, name);  // the last: as many blocks as it has are whole
}

std::size_t ruts_bytes(const RutGrid& ruts) {
  constexpr std::size_t kHeaderBytes = 1 << 16;  // attributes and indices of chunks, generously
  constexpr std::size_t kSlackPerBlock = 1 << 10;
  const std::size_t block = sizeof(RutBlock) + sizeof(RutBlock) / 100 + kSlackPerBlock;
  // deflate makes nothing larger by more than a hundredth; the last chunk may be filled up
  return kHeaderBytes + (static_cast<std::size_t>(ruts.block_count()) + kChunkBlocks) * block;
}

void write_ruts(const std::filesystem::path& run_file, const RutGrid& ruts) {
  const hdf5::Session session;
  const std::string name = run_file.string();
  const Check check{name, "cannot write the run file"};
  hdf5::File file = std::filesystem::exists(run_file)
                        ? open_run(run_file, H5F_ACC_RDWR)
                        : record::create_file(run_file, ruts_bytes(ruts), name);
  const int descriptor = hdf5::descriptor_of(file, name);
  const std::size_t before = hdf5::size_of(file, name);
  try {
    record::reserve_space(descriptor, before, ruts_bytes(ruts), name);
  } catch (const InputError&) {  // nothing was written: give back what was reserved
    record::release_space(descriptor, before, name);
    throw;
  }
  if (group_exists(file.get())) {
    Check{name, "cannot replace group ruts"}(H5Ldelete(file.get(), "ruts", H5P_DEFAULT));
  }
  record::make_rut_group(file.get(), ruts.options(), name);
  record::fill_rut_group(file.get(), ruts, name);
  check(H5Fflush(file.get(), H5F_SCOPE_LOCAL));
  record::release_space(descriptor, hdf5::size_of(file, name), name);
  check(file.close());
}

namespace {

// A run file of a version that is not known, or another program's file.
void check_version(hid_t file, const std::string& name) {
  if (H5Aexists(file, "format_version") <= 0) return;  // ruts alone
  const Check check{name, "cannot read attribute format_version"};
  const hdf5::Attribute attribute(check(H5Aopen(file, "format_version", H5P_DEFAULT)));
  int version = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_INT, &version));
  if (version >= 1 && version <= kNewestRunFormat) return;
  refuse(name, fmt::format("has format_version {}, this program reads 1 to {}", version,
                           kNewestRunFormat));
}

}  // namespace

bool has_ruts(const std::filesystem::path& run_file) {
  const hdf5::Session session;
  const hdf5::File file = open_run(run_file, H5F_ACC_RDONLY);
  check_version(file.get(), run_file.string());
  if (!group_exists(file.get())) return false;
  // Of a run that goes on, or was killed, the group is there but empty.
  const std::string name = run_file.string();
  const hdf5::Group group(
      Check{name, "cannot read ruts"}(H5Gopen2(file.get(), "ruts", H5P_DEFAULT)));
  if (H5Aexists(file.get(), "complete") <= 0) return true;
  const hdf5::Attribute complete(
      Check{name, "cannot read attribute complete"}(H5Aopen(file.get(), "complete", H5P_DEFAULT)));
  int value = 0;
  Check{name, "cannot read attribute complete"}(H5Aread(complete.get(), H5T_NATIVE_INT, &value));
  const RutDataset places = open_dataset(group.get(), "block_x", H5T_INTEGER, name);
  return value != 0 || (!places.shape.empty() && places.shape[0] > 0);
}

RutGrid read_ruts(const std::filesystem::path& run_file) {
  const hdf5::Session session;
  const std::string name = run_file.string();
  const hdf5::File file = open_run(run_file, H5F_ACC_RDONLY);
  try {
    return read_group(file.get(), name, hdf5::size_of(file, name));
  } catch (const std::bad_alloc&) {
    throw InputError(name + ": ruts do not fit into memory");
  }
}

}  // namespace footfall
