#include "footfall/io/new_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "input_error.hpp"

namespace footfall {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // that lead to one another, as the system follows

using FileIdentity = std::pair<dev_t, ino_t>;

std::atomic<bool> protects_inputs{false};
std::mutex inputs_mutex;
std::set<FileIdentity>& inputs() {
  static std::set<FileIdentity> files;
  return files;
}

thread_local OutputsTogether* current_group = nullptr;

[[noreturn]] void fail(const fs::path& file, const char* what, int error) {
  throw OutputError(
      fmt::format("{}: {}: {}", file.string(), what, std::generic_category().message(error)));
}

// Only of a regular file: a terminal may be read and written at once.
std::optional<FileIdentity> find_identity(const fs::path& file) {
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino};
}

// The file that a chain of links leads to, also where there is none yet.
fs::path follow_links(fs::path file) {
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(file, error); ++i) {
    const fs::path next = fs::read_symlink(file, error);
    if (error) break;
    file = next.is_absolute() ? next : file.parent_path() / next;
  }
  return file;
}

fs::path partial_of(const fs::path& file) {
  return file.parent_path() / ("." + file.filename().string() + ".partial");
}

// False: another program holds it. The lock ends with the descriptor.
bool lock(int descriptor) {
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_OFD_SETLK, &whole) == 0) return true;
  return errno != EAGAIN && errno != EACCES;  // or a file system without locks
}

bool is_same_file(int descriptor, const fs::path& path) {
  struct stat opened{}, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Opens and locks the hidden file. It may have got its own name between the two: then again.
int open_partial(const fs::path& partial, const fs::path& target) {
  while (true) {
    const int descriptor = ::open(partial.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) fail(target, "cannot write", errno);
    if (!lock(descriptor)) {
      ::close(descriptor);
      throw input_error(
          "{}: is being written by another program: wait until it has ended, or choose "
          "another name",
          target.string());
    }
    if (is_same_file(descriptor, partial)) return descriptor;
    ::close(descriptor);
  }
}

void sync(const fs::path& path, const fs::path& target, int flags) {
  const int descriptor = ::open(path.empty() ? "." : path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) fail(target, "cannot write", errno);
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error != 0 && error != EINVAL) fail(target, "cannot write", error);
}

}  // namespace

struct NewFile::State {
  fs::path target, place, partial, unfinished;  // place: what `target` leads to
  int descriptor = -1;                          // holds the lock; -1: written directly
  std::vector<fs::path> obsolete;               // when this file has its name
  bool found_left_over = false;
  bool done = false;

  ~State() {
    if (descriptor < 0) return;
    if (!done) set_aside();
    ::close(descriptor);
  }

  bool is_empty() const {
    struct stat found{};
    return ::stat(partial.c_str(), &found) != 0 || found.st_size == 0;
  }

  void set_aside() const {
    std::error_code ignored;
    if (unfinished.empty() || is_empty()) {
      fs::remove(partial, ignored);
    } else {
      fs::rename(partial, unfinished, ignored);
    }
  }
};

NewFile::NewFile(const fs::path& target, const fs::path& unfinished)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.target = target;
  if (target.empty()) throw InputError("the name of an output is empty, expected a file");
  check_output(target);
  s.place = follow_links(target);
  std::error_code error;
  const fs::file_status status = fs::status(s.place, error);
  if (fs::is_directory(status)) {
    throw input_error("{}: cannot write: is a folder, expected a file", target.string());
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    s.partial = s.place;
    return;
  }
  if (fs::exists(status) && ::access(s.place.c_str(), W_OK) != 0) {
    fail(target, "cannot write", errno);
  }
  s.partial = partial_of(s.place);
  if (current_group != nullptr) {
    for (const NewFile& other : current_group->files_) {
      if (other.state_->partial != s.partial) continue;
      throw input_error("{}: is another output of this command too: give each its own name",
                        target.string());
    }
  }
  s.descriptor = open_partial(s.partial, target);
  if (!unfinished.empty() && !s.is_empty()) {
    s.unfinished = unfinished;
    s.set_aside();
    s.found_left_over = true;
    ::close(s.descriptor);
    s.descriptor = open_partial(s.partial, target);
  }
  s.unfinished = unfinished;
  if (::ftruncate(s.descriptor, 0) != 0) fail(target, "cannot write", errno);
  struct stat previous{};
  if (::stat(s.place.c_str(), &previous) == 0) {
    (void)::fchmod(s.descriptor, previous.st_mode & 07777U);  // whoever could read it still can
  }
}

NewFile::~NewFile() = default;
NewFile::NewFile(NewFile&&) noexcept = default;
NewFile& NewFile::operator=(NewFile&&) noexcept = default;

const fs::path& NewFile::target() const { return state_->target; }
const fs::path& NewFile::partial() const { return state_->partial; }
bool NewFile::found_left_over() const { return state_->found_left_over; }

void NewFile::take(const fs::path& made) {
  State& s = *state_;
  if (s.descriptor < 0) return;
  const int descriptor = ::open(made.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) fail(s.target, "cannot write", errno);
  (void)lock(descriptor);  // nobody else knows it yet
  if (::rename(made.c_str(), s.partial.c_str()) != 0) {
    const int error = errno;
    ::close(descriptor);
    fail(s.target, "cannot write", error);
  }
  struct stat before{};
  if (::fstat(s.descriptor, &before) == 0) (void)::fchmod(descriptor, before.st_mode & 07777U);
  ::close(s.descriptor);
  s.descriptor = descriptor;
}

void NewFile::keep() {
  if (state_->descriptor < 0) return;
  sync(state_->partial, state_->target, O_RDONLY);
  if (current_group != nullptr) {
    current_group->files_.push_back(std::move(*this));
  } else {
    move_into_place();
  }
}

void NewFile::discard() {
  state_->unfinished.clear();
  state_.reset();
}

void NewFile::replaces(const fs::path& other) { state_->obsolete.push_back(other); }

void NewFile::move_into_place() {
  State& s = *state_;
  if (const auto own =
          find_identity(s.partial)) {  // which may have been read, as a run for its report
    const std::scoped_lock guard(inputs_mutex);
    inputs().erase(*own);
  }
  if (::rename(s.partial.c_str(), s.place.c_str()) != 0) fail(s.target, "cannot write", errno);
  s.done = true;
  sync(s.place.parent_path(), s.target, O_RDONLY | O_DIRECTORY);
  std::error_code ignored;
  for (const fs::path& other : s.obsolete) fs::remove(other, ignored);
}

OutputsTogether::OutputsTogether() : outer_(std::exchange(current_group, this)) {}

OutputsTogether::~OutputsTogether() { current_group = outer_; }

OutputsAtOnce::OutputsAtOnce() : outer_(std::exchange(current_group, nullptr)) {}

OutputsAtOnce::~OutputsAtOnce() { current_group = outer_; }

void OutputsTogether::keep() {
  for (NewFile& file : files_) file.move_into_place();
  files_.clear();
}

fs::path written_path(const fs::path& target) {
  for (const OutputsTogether* group = current_group; group != nullptr; group = group->outer_) {
    for (const NewFile& file : group->files_) {
      if (file.target() == target) return file.partial();
    }
  }
  return target;
}

void protect_inputs() { protects_inputs = true; }

void note_input(const fs::path& file) {
  const auto identity = protects_inputs ? find_identity(file) : std::optional<FileIdentity>();
  if (!identity) return;
  const std::scoped_lock guard(inputs_mutex);
  inputs().emplace(identity->first, identity->second);
}

void forget_input(const fs::path& file) {
  const auto identity = find_identity(file);
  if (!identity) return;
  const std::scoped_lock guard(inputs_mutex);
  inputs().erase(*identity);
}

void check_output(const fs::path& file) {
  const auto identity = protects_inputs ? find_identity(file) : std::optional<FileIdentity>();
  if (!identity) return;
  const std::scoped_lock guard(inputs_mutex);
  if (!inputs().contains(*identity)) return;
  throw input_error(
      "{}: is an input of this command and is not overwritten: choose another name for "
      "the output",
      file.string());
}

}  // namespace footfall
