#include "footfall/campaign/ledger.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <set>

#include "campaign/ledger_store.hpp"
#include "input_error.hpp"
#include "io/text_file.hpp"

namespace footfall {
namespace {

using ledger_store::Connection;
using ledger_store::SessionLocks;
using ledger_store::Statement;
using ledger_store::Transaction;

constexpr std::int64_t kApplication = 0x46464c31;  // "FFL1": what SQLite knows the file as
constexpr std::int64_t kSchema = 1;
constexpr std::array kStateNames = {"waiting", "running", "done", "failed"};

constexpr const char* kTables = R"(
CREATE TABLE physics (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT NOT NULL, process INTEGER NOT NULL,
  started TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE cases (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
  depth_m REAL NOT NULL, tilt_rad REAL NOT NULL,
  velocity_x_m_per_s REAL NOT NULL, velocity_z_m_per_s REAL NOT NULL, tilt_rate_rad_per_s REAL NOT NULL,
  seed INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting', session INTEGER, attempts INTEGER NOT NULL DEFAULT 0,
  force_x_N REAL, force_z_N REAL, torque_y_Nm REAL,
  simulated_time_s REAL NOT NULL, wall_time_s REAL, error TEXT, changed TEXT);
)";

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

std::int64_t pragma(Connection& connection, const char* sql) {
  Statement statement(connection, sql);
  return statement.step() ? statement.integer(0) : 0;
}

void require_ledger(Connection& connection, const std::filesystem::path& file) {
  if (pragma(connection, "PRAGMA application_id") != kApplication) {
    throw input_error("'{}' is not a ledger of a campaign: choose another file", file.string());
  }
  const std::int64_t schema = pragma(connection, "PRAGMA user_version");
  if (schema != kSchema) {
    throw input_error(
        "ledger '{}' has the layout {}, expected {}: it was made by another version of footfall",
        file.string(), schema, kSchema);
  }
}

// A new file gets its tables; two processes may find it new at once.
void make_tables(Connection& connection) {
  Transaction transaction(connection);
  const bool is_new = pragma(connection, "PRAGMA application_id") == 0 &&
                      pragma(connection, "SELECT count(*) FROM sqlite_master") == 0;
  if (is_new) {
    connection.execute(kTables);
    connection.execute(fmt::format("PRAGMA application_id = {}", kApplication));
    connection.execute(fmt::format("PRAGMA user_version = {}", kSchema));
  }
  transaction.commit();
}

PhysicsText read_physics(Connection& connection) {
  PhysicsText physics;
  Statement rows(connection, "SELECT key, value FROM physics ORDER BY rowid");
  while (rows.step()) physics.emplace_back(rows.text(0), rows.text(1));
  return physics;
}

std::string value_of(const PhysicsText& physics, const std::string& key) {
  for (const auto& [name, value] : physics) {
    if (name == key) return fmt::format("'{}'", value);
  }
  return "not there";
}

constexpr const char* kSelectCase = R"(
SELECT c.id, depth_m, tilt_rad, velocity_x_m_per_s, velocity_z_m_per_s, tilt_rate_rad_per_s, seed,
  state, attempts, force_x_N, force_z_N, torque_y_Nm, wall_time_s, simulated_time_s, error, host,
  process, session
FROM cases c LEFT JOIN sessions s ON s.id = c.session )";
constexpr int kSessionColumn = 17;

LedgerCase case_of_row(const Statement& row) {
  LedgerCase c;
  c.id = row.integer(0);
  c.sample = {{row.number(1), row.number(2)},
              {row.number(3), row.number(4), row.number(5)},
              static_cast<std::uint32_t>(row.integer(6))};
  const auto state = std::find(kStateNames.begin(), kStateNames.end(), row.text(7));
  if (state == kStateNames.end()) {
    throw LedgerError(
        fmt::format("case {} of the ledger has the state '{}', which is none", c.id, row.text(7)));
  }
  c.state = static_cast<CaseState>(state - kStateNames.begin());
  c.attempts = static_cast<int>(row.integer(8));
  c.wrench = {row.number(9), row.number(10), row.number(11)};
  c.wall_time = row.number(12);
  c.simulated_time = row.number(13);
  c.error = row.text(14);
  c.host = row.text(15);
  c.process = row.integer(16);
  return c;
}

// Claims of sessions that are gone are void.
void free_abandoned(Connection& connection, const SessionLocks& locks) {
  std::set<std::int64_t> gone;
  {
    Statement rows(connection, "SELECT DISTINCT session FROM cases WHERE state = 'running'");
    while (rows.step()) {
      if (!locks.is_held(rows.integer(0))) gone.insert(rows.integer(0));
    }
  }
  Statement update(connection,
                   "UPDATE cases SET state = 'waiting' WHERE state = 'running' AND session = ?");
  for (const std::int64_t session : gone) update.run(session);
}

std::optional<LedgerCase> next_waiting(Connection& connection) {
  Statement row(connection, std::string(kSelectCase) +
                                "WHERE state = 'waiting' AND c.id IN wanted ORDER BY c.id LIMIT 1");
  if (!row.step()) return std::nullopt;
  return case_of_row(row);
}

}  // namespace

struct Ledger::Parts {
  Parts(const std::filesystem::path& file, bool write)
      : connection(file, write), locks(file.string() + "-lock") {}
  std::mutex mutex;  // of everything here
  Connection connection;
  SessionLocks locks;
  std::int64_t session = 0;

  // Changes one case; its id is the last of the values.
  template <class... Values>
  void update_case(const char* set, const Values&... values);
};

Ledger::Ledger(const std::filesystem::path& file, Mode mode) : file_(file) {
  const bool write = mode == Mode::write;
  if (!write && !std::filesystem::exists(file)) {
    throw input_error("ledger '{}' does not exist", file.string());
  }
  if (write && file.has_parent_path()) make_folder(file.parent_path());
  parts_ = std::make_unique<Parts>(file, write);
  Connection& connection = parts_->connection;
  // A journal that is deleted, not a shared-memory log: that would not work between machines.
  connection.execute("PRAGMA synchronous = EXTRA; PRAGMA temp_store = MEMORY;");
  if (write) make_tables(connection);
  require_ledger(connection, file);
  if (!write) return;
  Transaction transaction(connection);
  Statement(connection, "INSERT INTO sessions (host, process) VALUES (?, ?)")
      .run(host_name(), static_cast<std::int64_t>(::getpid()));
  parts_->session = sqlite3_last_insert_rowid(connection.get());
  transaction.commit();
  parts_->locks.hold(parts_->session);
  connection.execute("CREATE TEMP TABLE wanted (id INTEGER PRIMARY KEY)");
}

Ledger::~Ledger() = default;

void Ledger::require_physics(const PhysicsText& physics) {
  {
    const std::scoped_lock lock(parts_->mutex);
    Connection& connection = parts_->connection;
    Transaction transaction(connection);
    if (read_physics(connection).empty()) {
      Statement insert(connection, "INSERT INTO physics (key, value) VALUES (?, ?)");
      for (const auto& [key, value] : physics) insert.run(key, value);
    }
    transaction.commit();
  }
  check_physics(physics);
}

void Ledger::check_physics(const PhysicsText& physics) const {
  const PhysicsText before = this->physics();
  for (const PhysicsText& keys : {before, physics}) {
    for (const auto& [key, value] : keys) {
      const std::string old_value = value_of(before, key), new_value = value_of(physics, key);
      if (old_value == new_value) continue;
      throw input_error(
          "ledger '{}' holds cases of another physics: key '{}' is {} there and {} in the "
          "campaign; choose another ledger with --ledger, or go back to the old value",
          file_.string(), key, old_value, new_value);
    }
  }
}

PhysicsText Ledger::physics() const {
  const std::scoped_lock lock(parts_->mutex);
  return read_physics(parts_->connection);
}

void Ledger::want(std::span<const PlannedCase> cases) {
  const std::scoped_lock lock(parts_->mutex);
  Connection& connection = parts_->connection;
  Transaction transaction(connection);
  Statement add(connection, R"(
INSERT OR IGNORE INTO cases (key, depth_m, tilt_rad, velocity_x_m_per_s, velocity_z_m_per_s,
  tilt_rate_rad_per_s, seed, simulated_time_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?))");
  Statement want(connection, "INSERT OR IGNORE INTO wanted SELECT id FROM cases WHERE key = ?");
  for (const auto& [c, simulated_time] : cases) {
    const std::string key = case_key(c);
    add.run(key, c.configuration.depth, c.configuration.tilt, c.velocity.x, c.velocity.z,
            c.velocity.tilt, static_cast<std::int64_t>(c.seed), simulated_time);
    want.run(key);
  }
  connection.execute("UPDATE cases SET state = 'waiting' WHERE state = 'failed' AND id IN wanted");
  transaction.commit();
}

std::optional<LedgerCase> Ledger::claim() {
  const std::scoped_lock lock(parts_->mutex);
  Connection& connection = parts_->connection;
  Transaction transaction(connection);
  std::optional<LedgerCase> next = next_waiting(connection);
  if (!next) {
    free_abandoned(connection, parts_->locks);
    next = next_waiting(connection);
  }
  if (!next) return std::nullopt;
  Statement(
      connection,
      "UPDATE cases SET state = 'running', session = ?, attempts = attempts + 1, error = NULL, "
      "changed = CURRENT_TIMESTAMP WHERE id = ?")
      .run(parts_->session, next->id);
  transaction.commit();
  next->state = CaseState::running;
  ++next->attempts;
  return next;
}

template <class... Values>
void Ledger::Parts::update_case(const char* set, const Values&... values) {
  const std::scoped_lock lock(mutex);
  Transaction transaction(connection);
  Statement(connection, fmt::format("UPDATE cases SET {} WHERE id = ?", set)).run(values...);
  transaction.commit();
}

void Ledger::finish(std::int64_t id, const PlanarWrench& wrench, double wall_time) {
  parts_->update_case("state = 'done', force_x_N = ?, force_z_N = ?, torque_y_Nm = ?, "
                      "wall_time_s = ?, error = NULL, changed = CURRENT_TIMESTAMP",
                      wrench.force_x, wrench.force_z, wrench.torque_y, wall_time, id);
}

void Ledger::fail(std::int64_t id, const std::string& error, double wall_time) {
  parts_->update_case("state = 'failed', error = ?, wall_time_s = ?, changed = CURRENT_TIMESTAMP",
                      error, wall_time, id);
}

void Ledger::release(std::int64_t id) {
  parts_->update_case("state = 'waiting', attempts = attempts - 1", id);
}

std::vector<LedgerCase> Ledger::cases() const {
  const std::scoped_lock lock(parts_->mutex);
  Statement rows(parts_->connection, std::string(kSelectCase) + "ORDER BY c.id");
  std::vector<LedgerCase> cases;
  while (rows.step()) {
    cases.push_back(case_of_row(rows));
    LedgerCase& c = cases.back();
    c.abandoned =
        c.state == CaseState::running && !parts_->locks.is_held(rows.integer(kSessionColumn));
  }
  return cases;
}

}  // namespace footfall
