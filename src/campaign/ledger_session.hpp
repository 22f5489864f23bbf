// Whether the process that holds a session is still alive, by a lock that ends with it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace footfall {

// Byte i of the lock file stands for session i. Locks belong to this object, not to the process: two
// ledgers in one process see each other, and no other file of the process that is closed takes them away.
class SessionLocks {
 public:
  explicit SessionLocks(const std::filesystem::path& file);
  ~SessionLocks();
  SessionLocks(const SessionLocks&) = delete;
  SessionLocks& operator=(const SessionLocks&) = delete;

  void hold(std::int64_t session);
  bool is_held(std::int64_t session) const;  // by this object or another

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  std::int64_t held_ = 0;
};

}  // namespace footfall
