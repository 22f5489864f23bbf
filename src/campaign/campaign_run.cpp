#include "footfall/campaign/campaign_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "campaign/disk_full.hpp"
#include "footfall/campaign/bed_cache.hpp"
#include "footfall/io/progress.hpp"

namespace footfall {
namespace {

using CampaignClock = std::chrono::steady_clock;

constexpr int kFailuresInARow = 3;      // then there is no point in going on
constexpr double kProgressUnits = 1e4;  // of a simulated second

double seconds_since(CampaignClock::time_point start) {
  return std::chrono::duration<double>(CampaignClock::now() - start).count();
}

// What the threads share.
struct Workers {
  const Campaign& campaign;
  const GrainEngine& engine;
  const CampaignOptions& options;
  Ledger& ledger;
  std::map<std::uint32_t, Bed> beds = {};
  std::filesystem::path folder;

  std::atomic<bool> ending{false};       // of all of them, whatever the reason
  std::atomic<bool> interrupted{false};  // the caller's stop said so
  std::atomic<bool> gave_up{false};
  std::atomic<int> failures_in_a_row{0};
  std::atomic<std::int64_t> done_units{0};  // of progress
  std::atomic<std::size_t> done{0};
  std::atomic<double> case_seconds{0};

  std::mutex mutex = {};  // of what follows
  std::condition_variable ended = {};
  int active = 0;
  std::exception_ptr error = {};

  bool stop() {
    if (options.stop && options.stop()) {
      interrupted = true;
      ending = true;
    }
    return ending;
  }

  void fail(std::exception_ptr what) {
    const std::scoped_lock lock(mutex);
    if (!error) error = std::move(what);
    ending = true;
  }
};

std::int64_t units_of(double simulated_time) {
  return static_cast<std::int64_t>(kProgressUnits * simulated_time);
}

// It is not there now, nor are those of earlier attempts. Its name is its attempt's alone: the engine of one that
// was killed may still be ending.
std::filesystem::path case_folder(const Workers& w, const LedgerCase& c) {
  std::error_code ignored;
  const auto name = [&](int attempt) {
    return w.folder / fmt::format("case-{}-{}", c.id, attempt);
  };
  for (int i = 1; i <= c.attempts; ++i) std::filesystem::remove_all(name(i), ignored);
  return name(c.attempts);
}

// A case that could not be run. It waits again where it was the stop that did it, not the case.
void give_back(Workers& w, const LedgerCase& c, const std::string& error, double wall_time) {
  if (w.stop()) {
    case_folder(w, c);  // without what the engine left in it
    w.ledger.release(c.id);
    return;
  }
  w.ledger.fail(c.id, error, wall_time);
  if (++w.failures_in_a_row >= kFailuresInARow) {
    w.gave_up = true;
    w.ending = true;
  }
}

void run_case(Workers& w, const LedgerCase& c) {
  const CampaignClock::time_point start = CampaignClock::now();
  const std::vector<FootPose> path = case_path(w.campaign, c.sample);
  std::int64_t reported = 0;
  EngineRun run;
  run.processes = w.campaign.processes;
  run.folder = case_folder(w, c);
  run.stop = [&w] { return w.stop(); };
  run.progress = [&](double share) {
    const std::int64_t now = units_of(std::clamp(share, 0.0, 1.0) * c.simulated_time);
    w.done_units += now - reported;
    reported = now;
  };
  try {
    const PlanarWrench wrench =
        wrench_of_samples(w.campaign, path,
                          w.engine.drive_foot(w.beds.at(c.sample.seed), w.campaign.foot, path,
                                              w.campaign.sampling.sample_interval, run));
    const double wall_time = seconds_since(start);
    w.ledger.finish(c.id, wrench, wall_time);
    w.failures_in_a_row = 0;
    ++w.done;
    w.case_seconds += wall_time;
    run.progress(1);
    return;
  } catch (const LedgerError&) {
    throw;
  } catch (const std::exception& error) {
    run.progress(0);
    refuse_full_disk(run.folder, error.what());
    give_back(w, c, error.what(), seconds_since(start));
  }
}

void work(Workers& w) {
  try {
    while (!w.stop()) {
      const std::optional<LedgerCase> c = w.ledger.claim();
      if (!c) break;
      run_case(w, *c);
    }
  } catch (...) {
    w.fail(std::current_exception());
  }
  const std::scoped_lock lock(w.mutex);
  --w.active;
  w.ended.notify_all();
}

void run_workers(Workers& w, std::int64_t units, int jobs) {
  ProgressBar bar(units, w.options.progress);
  w.active = jobs;
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(jobs));
  for (int i = 0; i < jobs; ++i) threads.emplace_back(work, std::ref(w));
  {
    std::unique_lock lock(w.mutex);
    while (!w.ended.wait_for(lock, std::chrono::milliseconds(10), [&] { return w.active == 0; })) {
      bar.update(w.done_units);
    }
  }
  for (std::thread& thread : threads) thread.join();
  if (w.error) std::rethrow_exception(w.error);
}

void prepare_beds(Workers& w, const std::set<std::uint32_t>& seeds) {
  constexpr std::int64_t kBedUnits = 10'000;
  ProgressBar bar(kBedUnits * static_cast<std::int64_t>(seeds.size()), w.options.progress);
  for (const std::uint32_t seed : seeds) {
    BedOptions options = w.campaign.bed;
    options.seed = seed;
    const auto before = kBedUnits * static_cast<std::int64_t>(w.beds.size());
    EngineRun run;
    run.processes = w.campaign.bed_processes;
    run.stop = [&w] { return w.stop(); };
    run.progress = [&](double share) {
      bar.update(before + static_cast<std::int64_t>(share * kBedUnits));
    };
    w.beds[seed] = find_or_prepare_bed(w.engine, options, w.options.beds, run);
  }
}

// Beds and cases. EngineStopped out of a bed is the end of it too.
void run_missing(Workers& w, const std::vector<PlannedCase>& missing, CampaignSummary& out) {
  const CampaignClock::time_point start = CampaignClock::now();
  std::set<std::uint32_t> seeds;
  std::int64_t units = 0;
  for (const PlannedCase& c : missing) {
    seeds.insert(c.sample.seed);
    units += units_of(c.simulated_time);
  }
  try {
    prepare_beds(w, seeds);
  } catch (const std::exception&) {
    if (!w.stop()) throw;
    return;
  }
  out.bed_time = seconds_since(start);
  for (const auto& [seed, bed] : w.beds) out.beds.push_back(bed);
  const int jobs = std::clamp(w.options.jobs, 1, static_cast<int>(missing.size()));
  run_workers(w, units, jobs);
}

std::map<std::string, LedgerCase> by_key(const Ledger& ledger) {
  std::map<std::string, LedgerCase> found;
  for (LedgerCase& c : ledger.cases()) {
    const std::string key = case_key(c.sample);
    found.emplace(key, std::move(c));
  }
  return found;
}

std::vector<PlannedCase> not_done(const Ledger& ledger, const std::vector<PlannedCase>& cases) {
  const auto known = by_key(ledger);
  std::vector<PlannedCase> missing;
  for (const PlannedCase& c : cases) {
    if (known.at(case_key(c.sample)).state != CaseState::done) missing.push_back(c);
  }
  return missing;
}

void count_states(const Ledger& ledger, const std::vector<PlannedCase>& cases,
                  CampaignSummary& out) {
  const auto known = by_key(ledger);
  std::size_t done = 0;
  for (const PlannedCase& c : cases) {
    const LedgerCase& now = known.at(case_key(c.sample));
    if (now.state == CaseState::done) ++done;
    if (now.state == CaseState::running && !now.abandoned) ++out.elsewhere;
    if (now.state == CaseState::failed) out.failures.push_back({c.sample, now.error});
  }
  out.done_now = done - out.done_before;
}

}  // namespace

CampaignSummary run_campaign(const Campaign& campaign, const GrainEngine& engine,
                             const CampaignOptions& options) {
  const CampaignClock::time_point start = CampaignClock::now();
  std::vector<PlannedCase> cases;
  for (const SampleCase& c : campaign_cases(campaign)) {
    cases.push_back({c, case_path(campaign, c).back().time});
  }
  Ledger ledger(options.ledger, Ledger::Mode::write);
  ledger.require_physics(campaign_physics(campaign, engine.identity()));
  ledger.want(cases);
  const std::vector<PlannedCase> missing = not_done(ledger, cases);
  CampaignSummary out;
  out.total = cases.size();
  out.done_before = cases.size() - missing.size();
  Workers w{.campaign = campaign,
            .engine = engine,
            .options = options,
            .ledger = ledger,
            .folder = options.ledger.string() + "-work"};
  if (!missing.empty()) run_missing(w, missing, out);
  std::error_code ignored;
  std::filesystem::remove(w.folder, ignored);  // stays where a case that failed left its files
  count_states(ledger, cases, out);
  out.interrupted = w.interrupted;
  out.gave_up = w.gave_up;
  out.wall_time = seconds_since(start);
  if (w.done > 0) out.case_time = w.case_seconds / static_cast<double>(w.done);
  const std::vector<LedgerCase> now = ledger.cases();
  out.scatter = measure_scatter(campaign, now);
  out.database = make_wrench_database(campaign, now);
  if (out.database) out.database->source = options.source;
  return out;
}

std::optional<double> estimate_time_left(const std::vector<LedgerCase>& cases, int jobs) {
  double wall = 0, simulated = 0, to_go = 0;
  for (const LedgerCase& c : cases) {
    if (c.state != CaseState::done) {
      to_go += c.simulated_time;
      continue;
    }
    wall += c.wall_time;
    simulated += c.simulated_time;
  }
  if (simulated == 0) return std::nullopt;
  return wall / simulated * to_go / jobs;
}

}  // namespace footfall
