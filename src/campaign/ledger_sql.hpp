// SQLite, with its errors as exceptions.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace footfall::ledger_sql {

// One connection; not for two threads at once.
class Connection {
 public:
  Connection(const std::filesystem::path& file, bool write);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void execute(const char* sql);
  // Throws LedgerError, or InputError where the file is no database, unless `code` says that all is well.
  void check(int code);
  sqlite3* get() const { return handle_; }

 private:
  std::string file_;
  sqlite3* handle_ = nullptr;
};

class Statement {
 public:
  Statement(Connection& connection, const char* sql);
  ~Statement() { sqlite3_finalize(handle_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, double value);
  Statement& bind(int index, const std::string& value);
  bool step();  // whether there is a row
  void run();   // to its end, and ready for other values

  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
  double number(int column) const { return sqlite3_column_double(handle_, column); }
  std::string text(int column) const;

 private:
  Connection& connection_;
  sqlite3_stmt* handle_ = nullptr;
};

// All or nothing. It takes the right to write at once, so that what it reads stays true.
class Transaction {
 public:
  explicit Transaction(Connection& connection);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

}  // namespace footfall::ledger_sql
