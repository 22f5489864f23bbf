#include "campaign/ledger_session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "footfall/campaign/ledger.hpp"

namespace footfall {
namespace {

struct flock lock_of_byte(std::int64_t byte) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(byte);
  lock.l_len = 1;
  return lock;
}

[[noreturn]] void fail_lock(const std::filesystem::path& file, int error) {
  throw LedgerError(fmt::format("lock file '{}' cannot be used: {}", file.string(),
                                std::generic_category().message(error)));
}

}  // namespace

SessionLocks::SessionLocks(const std::filesystem::path& file) : file_(file) {
  // Closed in programs that are started, so that an engine that outlives us does not keep the lock.
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_lock(file, errno);
}

SessionLocks::~SessionLocks() { ::close(descriptor_); }

void SessionLocks::hold(std::int64_t session) {
  struct flock lock = lock_of_byte(session);
  if (::fcntl(descriptor_, F_OFD_SETLK, &lock) != 0) fail_lock(file_, errno);
  held_ = session;
}

bool SessionLocks::is_held(std::int64_t session) const {
  if (session == held_) return true;
  struct flock lock = lock_of_byte(session);
  if (::fcntl(descriptor_, F_OFD_GETLK, &lock) != 0) fail_lock(file_, errno);
  return lock.l_type != F_UNLCK;
}

}  // namespace footfall
