// What a ledger is kept in: SQLite, with its errors as exceptions, and locks of the sessions that write.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "footfall/campaign/ledger.hpp"
#include "input_error.hpp"

namespace footfall::ledger_store {

// One connection; not for two threads at once.
class Connection {
 public:
  Connection(const std::filesystem::path& file, bool write) : file_(file.string()) {
    const int mode = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    const int code = sqlite3_open_v2(file.c_str(), &handle_, mode | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code != SQLITE_OK) {
      const std::string why = reason(code);
      sqlite3_close(handle_);
      throw input_error("ledger '{}' cannot be opened: {}", file_, why);
    }
    sqlite3_extended_result_codes(handle_, 1);
    sqlite3_busy_timeout(handle_, kPatience);
  }
  ~Connection() { sqlite3_close(handle_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void execute(const std::string& sql) {
    check(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr));
  }

  // Throws LedgerError, or InputError where the file is no database, unless `code` says that all is well.
  void check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    const std::string why = reason(code);
    switch (code & 0xff) {
    case SQLITE_NOTADB:
      throw input_error("'{}' is not a ledger: {}; choose another file", file_, why);
    case SQLITE_CORRUPT:
      throw LedgerError(fmt::format("ledger '{}' is damaged: {}; what can be read of it, "
                                    "sqlite3's .recover writes into a new one",
                                    file_, why));
    case SQLITE_BUSY:
      throw LedgerError(fmt::format("ledger '{}' is held by another process for more than {} s",
                                    file_, kPatience / 1000));
    default:
      throw LedgerError(
          fmt::format("ledger '{}' cannot be written or read: {}; all cases that were recorded "
                      "are in it: make room, and give the same command again",
                      file_, why));
    }
  }
  sqlite3* get() const { return handle_; }

 private:
  static constexpr int kPatience = 60'000;  // for others that write [ms]

  std::string reason(int code) const {
    std::string text = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
    const int system = handle_ != nullptr ? sqlite3_system_errno(handle_) : 0;
    const bool by_system = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
    if (by_system && system != 0) text += ", " + std::generic_category().message(system);
    return text;
  }

  std::string file_;
  sqlite3* handle_ = nullptr;
};

class Statement {
 public:
  Statement(Connection& connection, const std::string& sql) : connection_(connection) {
    connection.check(sqlite3_prepare_v2(connection.get(), sql.c_str(), -1, &handle_, nullptr));
  }
  ~Statement() { sqlite3_finalize(handle_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  bool step() {  // whether there is a row
    const int code = sqlite3_step(handle_);
    connection_.check(code);
    return code == SQLITE_ROW;
  }
  // With these values in place of its question marks, to its end, and ready for others.
  template <class... Values>
  void run(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
    while (step()) {
    }
    connection_.check(sqlite3_reset(handle_));
  }

  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
  double number(int column) const { return sqlite3_column_double(handle_, column); }
  std::string text(int column) const {
    const unsigned char* text = sqlite3_column_text(handle_, column);
    return text == nullptr ? "" : reinterpret_cast<const char*>(text);
  }

 private:
  void bind(int index, std::int64_t value) {
    connection_.check(sqlite3_bind_int64(handle_, index, value));
  }
  void bind(int index, double value) {
    connection_.check(sqlite3_bind_double(handle_, index, value));
  }
  void bind(int index, const std::string& value) {
    connection_.check(sqlite3_bind_text(handle_, index, value.data(),
                                        static_cast<int>(value.size()), SQLITE_TRANSIENT));
  }

  Connection& connection_;
  sqlite3_stmt* handle_ = nullptr;
};

// All or nothing. It takes the right to write at once, so that what it reads stays true.
class Transaction {
 public:
  explicit Transaction(Connection& connection) : connection_(connection) {
    connection.execute("BEGIN IMMEDIATE");
  }
  ~Transaction() {
    if (open_) sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    connection_.execute("COMMIT");
    open_ = false;
  }

 private:
  Connection& connection_;
  bool open_ = true;
};

// Whether the process that holds a session is still alive, by a lock that ends with it. Byte i of the lock file
// stands for session i. Locks belong to this object, not to the process: two ledgers in one process see
// each other, and no other file of the process that is closed takes them away.
class SessionLocks {
 public:
  explicit SessionLocks(const std::filesystem::path& file) : file_(file) {
    // Closed in programs that are started, so that an engine that outlives us does not keep the lock.
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(errno);
  }
  ~SessionLocks() { ::close(descriptor_); }
  SessionLocks(const SessionLocks&) = delete;
  SessionLocks& operator=(const SessionLocks&) = delete;

  void hold(std::int64_t session) {
    lock(session, F_OFD_SETLK);
    held_ = session;
  }
  bool is_held(std::int64_t session) const {  // by this object or another
    return session == held_ || lock(session, F_OFD_GETLK).l_type != F_UNLCK;
  }

 private:
  struct flock lock(std::int64_t byte, int command) const {
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = static_cast<off_t>(byte);
    lock.l_len = 1;
    if (::fcntl(descriptor_, command, &lock) != 0) fail(errno);
    return lock;
  }
  [[noreturn]] void fail(int error) const {
    throw LedgerError(fmt::format("lock file '{}' cannot be used: {}", file_.string(),
                                  std::generic_category().message(error)));
  }

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::int64_t held_ = 0;
};

}  // namespace footfall::ledger_store
