#include "campaign/ledger_sql.hpp"

#include <fmt/format.h>

#include <system_error>

#include "footfall/campaign/ledger.hpp"
#include "footfall/error.hpp"

namespace footfall::ledger_sql {
namespace {

constexpr int kPatience = 60'000;  // for others that write [ms]

std::string reason(sqlite3* handle, int code) {
  std::string text = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  const int system = handle != nullptr ? sqlite3_system_errno(handle) : 0;
  const bool by_system = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
  if (by_system && system != 0) text += ", " + std::generic_category().message(system);
  return text;
}

}  // namespace

Connection::Connection(const std::filesystem::path& file, bool write) : file_(file.string()) {
  const int mode = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
  const int code = sqlite3_open_v2(file.c_str(), &handle_, mode | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) {
    const std::string why = reason(handle_, code);
    sqlite3_close(handle_);
    throw InputError(fmt::format("ledger '{}' cannot be opened: {}", file_, why));
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, kPatience);
}

Connection::~Connection() { sqlite3_close(handle_); }

void Connection::check(int code) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  const std::string why = reason(handle_, code);
  if ((code & 0xff) == SQLITE_NOTADB) {
    throw InputError(fmt::format("'{}' is not a ledger: {}; choose another file", file_, why));
  }
  if ((code & 0xff) == SQLITE_CORRUPT) {
    throw LedgerError(fmt::format("ledger '{}' is damaged: {}; what can be read of it, "
                                  "sqlite3's .recover writes into a new one",
                                  file_, why));
  }
  if ((code & 0xff) == SQLITE_BUSY) {
    throw LedgerError(fmt::format("ledger '{}' is held by another process for more than {} s",
                                  file_, kPatience / 1000));
  }
  throw LedgerError(
      fmt::format("ledger '{}' cannot be written or read: {}; all cases that were recorded "
                  "are in it: make room, and give the same command again",
                  file_, why));
}

void Connection::execute(const char* sql) {
  check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

Statement::Statement(Connection& connection, const char* sql) : connection_(connection) {
  connection.check(sqlite3_prepare_v2(connection.get(), sql, -1, &handle_, nullptr));
}

Statement& Statement::bind(int index, std::int64_t value) {
  connection_.check(sqlite3_bind_int64(handle_, index, value));
  return *this;
}

Statement& Statement::bind(int index, double value) {
  connection_.check(sqlite3_bind_double(handle_, index, value));
  return *this;
}

Statement& Statement::bind(int index, const std::string& value) {
  connection_.check(sqlite3_bind_text(handle_, index, value.data(), static_cast<int>(value.size()),
                                      SQLITE_TRANSIENT));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  connection_.check(code);
  return code == SQLITE_ROW;
}

void Statement::run() {
  while (step()) {
  }
  connection_.check(sqlite3_reset(handle_));
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(handle_, column);
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

Transaction::Transaction(Connection& connection) : connection_(connection) {
  connection.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

}  // namespace footfall::ledger_sql
