// footfall granular status: what a ledger holds.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "commands.hpp"
#include "footfall/campaign/campaign_run.hpp"

namespace footfall::granular_commands {
namespace {

struct StatusCommand {
  std::string ledger;
  bool json = false;
};

struct StatusCounts {
  std::size_t waiting = 0, running = 0, done = 0, failed = 0;
};

StatusCounts count_cases(const std::vector<LedgerCase>& cases) {
  StatusCounts n;
  for (const LedgerCase& c : cases) {
    const bool is_waiting = c.state == CaseState::waiting || c.abandoned;
    if (is_waiting) {
      ++n.waiting;
    } else {
      std::array counters = {&n.waiting, &n.running, &n.done, &n.failed};
      ++*counters[static_cast<std::size_t>(c.state)];
    }
  }
  return n;
}

void print_status_json(const Ledger& ledger, const std::vector<LedgerCase>& cases,
                       const StatusCounts& n, const std::optional<double>& left) {
  Json out{{"cases", cases.size()},
           {"done", n.done},
           {"failed", n.failed},
           {"running", n.running},
           {"waiting", n.waiting}};
  if (left) out["time_left_s"] = *left;
  out["failures"] = Json::array();
  for (const LedgerCase& c : cases) {
    if (c.state != CaseState::failed) continue;
    out["failures"].push_back(
        {{"case", case_key(c.sample)}, {"attempts", c.attempts}, {"error", c.error}});
  }
  for (const auto& [key, value] : ledger.physics()) out["physics"][key] = value;
  print_json(out);
}

void print_status_text(const std::vector<LedgerCase>& cases, const StatusCounts& n,
                       const std::optional<double>& left) {
  fmt::print("{} cases: {} done, {} running, {} failed, {} waiting\n", cases.size(), n.done,
             n.running, n.failed, n.waiting);
  if (left && n.done < cases.size()) {
    fmt::print("about {:.0f} min to go{}\n", *left / 60,
               n.running == 0 ? ", once it runs, one case after another" : "");
  }
  for (const LedgerCase& c : cases) {
    if (c.state == CaseState::failed) {
      fmt::print("failed   {} ({} attempts): {}\n", case_key(c.sample), c.attempts, c.error);
    }
    if (c.state == CaseState::running && !c.abandoned) {
      fmt::print("running  {} on {}, process {}\n", case_key(c.sample), c.host, c.process);
    }
  }
}

void run_status(const StatusCommand& command) {
  const Ledger ledger(command.ledger, Ledger::Mode::read);
  const std::vector<LedgerCase> cases = ledger.cases();
  const StatusCounts n = count_cases(cases);
  const auto left =
      estimate_time_left(cases, static_cast<int>(std::max<std::size_t>(n.running, 1)));
  if (command.json) {
    print_status_json(ledger, cases, n, left);
  } else {
    print_status_text(cases, n, left);
  }
}

}  // namespace

void add_status(CLI::App& granular) {
  auto [sub, command] =
      add_command<StatusCommand>(granular, "status", "What a campaign's ledger holds", run_status);
  sub.add_option("ledger", command.ledger, "SQLite file of a campaign")->required();
  sub.add_flag("--json", command.json, "Print it as JSON, with all that the results depend on");
  sub.footer("Example:\n  footfall granular status results/beads.ledger");
}

}  // namespace footfall::granular_commands
