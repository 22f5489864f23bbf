// HDF5's C interface with owners for its handles and InputErrors for its failures.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace footfall::hdf5 {

// Held while anything of HDF5 is called: one thread at a time, and HDF5 prints no errors itself.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

template <herr_t (*Close)(hid_t)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close(); }
  hid_t get() const { return id_; }
  // Negative: failed, and the handle is given up.
  herr_t close() {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 ? 0 : Close(id);
  }

 private:
  hid_t id_ = -1;
};
using File = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Dataset = Handle<H5Dclose>;
using Attribute = Handle<H5Aclose>;
using Space = Handle<H5Sclose>;
using Type = Handle<H5Tclose>;
using Properties = Handle<H5Pclose>;
using Object = Handle<H5Oclose>;

// What is done to which file, for messages: "<file>: <what>: <HDF5's or the system's reason>".
struct Check {
  std::string file, what;
  // The value, unless it is negative: that is how HDF5 says that a call failed. Then throws InputError.
  template <class Id>
  Id operator()(Id value) const {
    if (value < 0) fail();
    return value;
  }
  [[noreturn]] void fail() const;
};

// Nothing in a file may be larger than the file can hold: a damaged size is not allocated. Whether a file of
// so many bytes may have `count` elements of this size.
bool may_hold(std::size_t file_bytes, std::size_t count, std::size_t element);

// An existing file, locked while it is open.
File open_file(const std::filesystem::path& path, unsigned mode, const std::string& what);
std::size_t size_of(const File& file, const std::string& name);  // [bytes]
int descriptor_of(const File& file, const std::string& name);    // the system's

// Attributes of an object. Texts are UTF-8 of fixed length; `file` is for messages.
void write_text(hid_t object, const std::string& name, const std::string& text,
                const std::string& file);
void write_list(hid_t object, const std::string& name, const std::vector<std::string>& list,
                const std::string& file);
void write_number(hid_t object, const std::string& name, double value, const std::string& file);
void write_integer(hid_t object, const std::string& name, int value, const std::string& file);

std::vector<hsize_t> shape_of(hid_t space, const Check& check);
// Selects rows first … first + count of a table; the space in memory that fits them.
Space select_rows(const Space& table, int rank, hsize_t first, hsize_t count, hsize_t width,
                  const Check& check);

// A new dataset. With `chunk` it is in chunks of that shape, shuffled and deflated, and may grow to `most`.
struct Extent {
  std::vector<hsize_t> now, most = {}, chunk = {};
};
Dataset make_dataset(hid_t parent, const std::string& name, hid_t type, const Extent& extent,
                     const Check& check);

// A group whose members keep the order in which they were made. No timestamps.
Group make_group(hid_t parent, const std::string& name, const std::string& file);

// A dataset that is written once.
struct Table {
  std::string name;
  std::string unit, meaning, frame;  // frame may be empty
  std::vector<int> shape;
};
void write_table(hid_t parent, const Table& table, const std::vector<double>& values,
                 const std::string& file);
void write_table(hid_t parent, const Table& table, const std::vector<int>& values,
                 const std::string& file);

// Puts unit, meaning and, unless it is empty, frame on a dataset.
void describe(hid_t dataset, const std::string& unit, const std::string& meaning,
              const std::string& frame, const std::string& file);

}  // namespace footfall::hdf5
