// The format: numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <system_error>
#include <vector>

#include "footfall/io/heightfield.hpp"
#include "input_error.hpp"
#include "terrain/grid.hpp"

namespace footfall {
namespace {

// One element of the file as a height.
using ReadElement = double (*)(const char* bytes, bool swap);

struct NpyHeader {
  ReadElement read = nullptr;
  std::size_t element_size = 0;
  bool swap = false;  // the file's byte order is not this machine's
  bool fortran_order = false;
  std::int64_t rows = 0, columns = 0;
  std::size_t data_start = 0;
};

[[noreturn]] void fail(const std::string& file, std::string_view what) {
  throw input_error("{}: {}", file, what);
}

template <class Number>
double read_element(const char* bytes, bool swap) {
  std::array<char, sizeof(Number)> copy;
  std::memcpy(copy.data(), bytes, sizeof(Number));
  if (swap) std::reverse(copy.begin(), copy.end());
  return static_cast<double>(std::bit_cast<Number>(copy));
}

ReadElement find_reader(std::string_view type) {
  constexpr std::pair<std::string_view, ReadElement> kReaders[] = {
      {"f4", read_element<float>},        {"f8", read_element<double>},
      {"i1", read_element<std::int8_t>},  {"u1", read_element<std::uint8_t>},
      {"i2", read_element<std::int16_t>}, {"u2", read_element<std::uint16_t>},
      {"i4", read_element<std::int32_t>}, {"u4", read_element<std::uint32_t>},
      {"i8", read_element<std::int64_t>}, {"u8", read_element<std::uint64_t>}};
  for (const auto& [name, reader] : kReaders) {
    if (name == type) return reader;
  }
  return nullptr;
}

// What follows 'key': in the header's dictionary, without leading blanks.
std::string_view find_entry(std::string_view dictionary, std::string_view key,
                            const std::string& file) {
  const std::size_t place = dictionary.find(fmt::format("'{}':", key));
  if (place == std::string_view::npos) fail(file, fmt::format("npy header without '{}'", key));
  std::string_view entry = dictionary.substr(place + key.size() + 3);
  entry.remove_prefix(std::min(entry.find_first_not_of(' '), entry.size()));
  return entry;
}

void read_type(std::string_view entry, const std::string& file, NpyHeader& header) {
  const std::size_t end = entry.find('\'', 1);
  if (!entry.starts_with('\'') || end == std::string_view::npos) {
    fail(file, "npy array of records, expected plain numbers");
  }
  const std::string_view type = entry.substr(1, end - 1);
  const char order = type.empty() ? '\0' : type[0];
  const std::string_view element = type.substr(type.empty() ? 0 : 1);
  header.read = find_reader(element);
  if (header.read == nullptr || (order != '<' && order != '>' && order != '|' && order != '=')) {
    fail(file,
         fmt::format("npy array of type '{:.40}', expected f4, f8, i1 to i8 or u1 to u8", type));
  }
  header.element_size = static_cast<std::size_t>(element[1] - '0');
  constexpr char kOtherOrder = std::endian::native == std::endian::little ? '>' : '<';
  header.swap = order == kOtherOrder;
}

// "(rows, columns)"
void read_shape(std::string_view entry, const std::string& file, NpyHeader& header) {
  const std::string_view tuple = entry.substr(0, std::min(entry.find(')'), entry.size()));
  const char *at = tuple.data(), *const end = tuple.data() + tuple.size();
  std::vector<std::int64_t> sizes;
  while (at != end && sizes.size() < 3) {
    const bool between = *at == '(' || *at == ',' || *at == ' ';
    if (between) {
      ++at;
      continue;
    }
    const auto [rest, error] = std::from_chars(at, end, sizes.emplace_back());
    if (error != std::errc{} || sizes.back() < 0) sizes.assign(3, 0);  // refused below
    at = rest;
  }
  if (!entry.starts_with('(') || sizes.size() != 2) {
    fail(file, fmt::format("npy array of shape {:.60}), expected (ny, nx)", tuple));
  }
  header.rows = sizes[0];
  header.columns = sizes[1];
}

// The text of the header's dictionary; sets data_start.
std::string_view find_dictionary(std::string_view bytes, const std::string& file,
                                 NpyHeader& header) {
  if (!bytes.starts_with("\x93NUMPY"))
    fail(file, "not an npy file: it does not start with \\x93NUMPY");
  const auto byte = [&](std::size_t i) {
    if (i >= bytes.size())
      fail(file, fmt::format("npy header cut off after {} bytes", bytes.size()));
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) {
    fail(file, fmt::format("npy format version {}, expected 1, 2 or 3", version));
  }
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  const std::size_t start = version > 1 ? 12 : 10;
  if (bytes.size() - start < length) {
    fail(file, fmt::format("npy header cut off: {} of {} bytes", bytes.size() - start, length));
  }
  header.data_start = start + length;
  return bytes.substr(start, length);
}

NpyHeader read_header(std::string_view bytes, const std::string& file) {
  NpyHeader header;
  const std::string_view dictionary = find_dictionary(bytes, file, header);
  read_type(find_entry(dictionary, "descr", file), file, header);
  read_shape(find_entry(dictionary, "shape", file), file, header);
  const std::string_view order = find_entry(dictionary, "fortran_order", file);
  header.fortran_order = order.starts_with("True");
  if (!header.fortran_order && !order.starts_with("False")) {
    fail(file, fmt::format("npy fortran_order = {:.10}, expected True or False", order));
  }
  return header;
}

}  // namespace

Heightfield parse_npy_heightfield(std::string_view bytes, const std::string& file,
                                  const GridPlacement& placement) {
  const NpyHeader header = read_header(bytes, file);
  check_grid_size(file, header.columns, header.rows);
  const auto rows = static_cast<std::size_t>(header.rows);
  const auto columns = static_cast<std::size_t>(header.columns);
  const std::size_t expected = rows * columns * header.element_size;
  if (bytes.size() - header.data_start != expected) {
    fail(file, fmt::format("npy array of {} × {} elements with {} bytes of data, expected {}", rows,
                           columns, bytes.size() - header.data_start, expected));
  }
  Heightfield field = empty_heightfield(file, header.columns, header.rows, placement);
  const char* const data = bytes.data() + header.data_start;
  for (std::size_t iy = 0; iy < rows; ++iy) {
    for (std::size_t ix = 0; ix < columns; ++ix) {
      const std::size_t element = header.fortran_order ? ix * rows + iy : iy * columns + ix;
      const double height = header.read(data + element * header.element_size, header.swap);
      if (!is_height(height)) {
        fail(file, fmt::format("height at [{}, {}] = {} m, expected [-1e5, 1e5]", iy, ix, height));
      }
      field.heights[iy * columns + ix] = height;
    }
  }
  return field;
}

}  // namespace footfall
