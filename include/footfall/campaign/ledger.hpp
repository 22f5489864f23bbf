// The ledger of a campaign: a SQLite file with every case, what became of it, and the physics that all of
// them share.
//
// Each change is one transaction, written through to the disk, so a process may be killed at any moment and
// a disk may fill up: what was recorded stays. Any number of processes may work on one ledger. Each has a
// session, and holds a lock on the session's byte of the file beside the ledger ("<ledger>-lock") for as
// long as it lives. A case is claimed in a transaction; a claim of a session whose lock is gone is void.
// So nothing depends on clocks or process numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "footfall/campaign/campaign.hpp"

namespace footfall {

// The ledger could not be written or read: disk full, file damaged.
struct LedgerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PlannedCase {
  SampleCase sample;
  double simulated_time = 0;  // of its path [s]
};

enum class CaseState { waiting, running, done, failed };

struct LedgerCase {
  std::int64_t id = 0;
  SampleCase sample;
  CaseState state = CaseState::waiting;
  bool abandoned = false;  // running, but the process that claimed it is gone
  int attempts = 0;
  PlanarWrench wrench;        // of a case that is done
  double wall_time = 0;       // of the last attempt [s]
  double simulated_time = 0;  // of the path [s]
  std::string error;          // of a case that failed
  std::string host;           // of the last attempt
  std::int64_t process = 0;
};

class Ledger {
 public:
  enum class Mode { read, write };
  // Makes the file in mode write where there is none. Throws InputError where it is something else.
  Ledger(const std::filesystem::path& file, Mode mode);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Writes it into a new ledger; throws InputError, naming key and values, where an old one has another.
  void require_physics(const PhysicsText& physics);
  void check_physics(const PhysicsText& physics) const;  // the same, of a ledger that is not new
  PhysicsText physics() const;

  // From now on claim() gives out these cases: those not in the ledger are added, those that failed
  // wait again.
  void want(std::span<const PlannedCase> cases);

  // Claims a case for this process to run; none: all are done, failed, or claimed by a process that is alive.
  std::optional<LedgerCase> claim();
  void finish(std::int64_t id, const PlanarWrench& wrench, double wall_time);
  void fail(std::int64_t id, const std::string& error, double wall_time);
  void release(std::int64_t id);  // it waits again

  std::vector<LedgerCase> cases() const;  // all of them, in the order in which they were added

  const std::filesystem::path& file() const { return file_; }

 private:
  struct Parts;
  std::filesystem::path file_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
