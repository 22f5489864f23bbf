// Running a campaign: its missing cases, several at once, into its ledger.
#pragma once

#include <functional>
#include <optional>

#include "footfall/campaign/campaign.hpp"
#include "footfall/campaign/ledger.hpp"

namespace footfall {

struct CampaignOptions {
  std::filesystem::path ledger;
  std::filesystem::path beds;       // the folder of settled beds
  int jobs = 1;                     // cases at once
  bool progress = false;            // a bar on the terminal
  std::function<bool()> stop = {};  // true: end it soon, and keep what was finished
  std::string source;               // of the database: the command
};

struct CaseFailure {
  SampleCase sample;
  std::string error;
};

// How much one repeat differs from another: the standard deviation over seeds as a share of the mean
// wrench, both root mean squares over all cases.
struct RepeatScatter {
  double force = 0, torque = 0;  // [-]
};

struct CampaignSummary {
  std::size_t total = 0, done_before = 0, done_now = 0;
  std::size_t elsewhere = 0;  // being run by other processes
  std::vector<CaseFailure> failures;
  bool interrupted = false;
  bool gave_up = false;                    // too many failures one after another
  double wall_time = 0;                    // of all of it [s]
  double bed_time = 0;                     // of it, for beds [s]
  double case_time = 0;                    // of cases, one on average [s]
  std::vector<Bed> beds;                   // that were needed
  std::optional<RepeatScatter> scatter;    // where there are two repeats of a case
  std::optional<WrenchDatabase> database;  // when nothing is missing

  std::size_t missing() const { return total - done_before - done_now; }
};

// Throws InputError where the ledger holds another physics, and LedgerError where it cannot be written; what
// was finished stays in it.
CampaignSummary run_campaign(const Campaign& campaign, const GrainEngine& engine,
                             const CampaignOptions& options);

// The database, of the cases in `cases` that are done; nothing where one is missing.
std::optional<WrenchDatabase> make_wrench_database(const Campaign& campaign,
                                                   const std::vector<LedgerCase>& cases);

std::optional<RepeatScatter> measure_scatter(const Campaign& campaign,
                                             const std::vector<LedgerCase>& cases);

// Seconds to go, `jobs` cases at once, where a simulated second takes as long as in those that are done.
// Nothing where none is done.
std::optional<double> estimate_time_left(const std::vector<LedgerCase>& cases, int jobs);

}  // namespace footfall
