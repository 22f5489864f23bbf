// Campaigns: their cases, paths and wrenches; ledgers that are killed, filled, shared and mixed.
#include "footfall/campaign/campaign.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>

#include "campaign_support.hpp"
#include "footfall/campaign/bed_cache.hpp"
#include "footfall/error.hpp"

namespace footfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Campaigns : public ::testing::Test {
 protected:
  void SetUp() override {
    // in memory where that can be: a ledger waits for its disk at every case
    const std::filesystem::path memory = "/dev/shm";
    const auto parent =
        std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    std::string name = (parent / "footfall-campaign-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    engine_.log = folder_ / "log";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  CampaignOptions options(const char* ledger = "a.ledger", int jobs = 1) const {
    CampaignOptions o;
    o.ledger = folder_ / ledger;
    o.beds = folder_ / "beds";
    o.jobs = jobs;
    return o;
  }
  // In a process of its own, which is what `what` leaves.
  pid_t start(const std::function<void()>& what) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    try {
      what();
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      ::_exit(1);
    }
    ::_exit(0);
  }
  static int wait_for(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }

  std::filesystem::path folder_;
  FormulaEngine engine_;
  Campaign campaign_ = small_campaign();
};

bool same(const WrenchDatabase& a, const WrenchDatabase& b) {
  return std::equal(a.wrenches.begin(), a.wrenches.end(), b.wrenches.begin(), b.wrenches.end(),
                    [](const PlanarWrench& p, const PlanarWrench& q) {
                      return p.force_x == q.force_x && p.force_z == q.force_z &&
                             p.torque_y == q.torque_y;
                    });
}

TEST_F(Campaigns, FindTheWrenchWhereThePathPassesTheConfiguration) {
  campaign_.sampling.repeats = 2;
  const CampaignSummary s = run_campaign(campaign_, engine_, options());
  // 26 and at zero tilt 14: straight up, straight down, and one of each other two
  EXPECT_EQ(s.total, 2u * (26 + 14));
  EXPECT_EQ(engine_.count("case"), 80);
  EXPECT_EQ(engine_.count("bed"), 2);
  ASSERT_TRUE(s.database);
  const WrenchDatabase& d = *s.database;
  ASSERT_EQ(d.wrenches.size(), 2u * 26);
  for (std::size_t k = 0; k < d.configurations.size(); ++k) {
    for (std::size_t i = 0; i < d.directions.size(); ++i) {
      const FootConfiguration& at = d.configurations[k];
      const PlanarWrench w = FormulaEngine::formula(at.depth, at.tilt, d.directions[i], 1.5);
      EXPECT_NEAR(d.at(k, i).force_x, w.force_x, 1e-9);
      EXPECT_NEAR(d.at(k, i).force_z, w.force_z, 1e-9);
      EXPECT_NEAR(d.at(k, i).torque_y, w.torque_y, 1e-9);
    }
  }
  // seeds 1 and 2 give 1.1 and 1.2 of something
  ASSERT_TRUE(s.scatter);
  EXPECT_NEAR(s.scatter->force, std::sqrt(2 * 0.05 * 0.05) / 1.15, 1e-9);
  EXPECT_NEAR(s.scatter->torque, std::sqrt(2 * 0.05 * 0.05) / 1.15, 1e-9);
  engine_.noise = 5;  // of which the filter leaves a thousandth
  const CampaignSummary noisy = run_campaign(campaign_, engine_, options("noisy.ledger"));
  for (std::size_t i = 0; i < d.wrenches.size(); ++i) {
    EXPECT_NEAR(noisy.database->wrenches[i].force_z, d.wrenches[i].force_z, 5e-3);
  }
}

TEST_F(Campaigns, PathsComeFromAboveAndPassTheConfigurationAtFourFifths) {
  campaign_.sampling.tilts = {0, 0.5, 1.5};
  for (const SampleCase& c : campaign_cases(campaign_)) {
    const std::vector<FootPose> path = case_path(campaign_, c);
    const FootPose &begin = path[path.size() - 2], &end = path.back();
    EXPECT_NEAR(end.time - begin.time, 0.4, 1e-15);
    EXPECT_NEAR(begin.depth + 0.8 * (end.depth - begin.depth), c.configuration.depth, 1e-15);
    EXPECT_NEAR(begin.tilt + 0.8 * (end.tilt - begin.tilt), c.configuration.tilt, 1e-15);
    EXPECT_NEAR((end.x - begin.x) / 0.4, c.velocity.x, 1e-14);
    EXPECT_NEAR((begin.depth - end.depth) / 0.4, c.velocity.z, 1e-14);
    // its lowest point starts two grain diameters above, the edge of the sole or, upside down, of the top
    const double edge = 0.05 * std::abs(std::sin(path[0].tilt));
    const double lowest = path[0].depth + edge + std::max(0.0, -0.3 * std::cos(path[0].tilt));
    EXPECT_LE(lowest, -0.02 + 1e-12);
    if (path.size() == 3) {
      EXPECT_NEAR(lowest, -0.02, 1e-12);
      EXPECT_EQ(path[0].x, begin.x);
      EXPECT_NEAR((begin.depth - path[0].depth) / begin.time, 0.2, 1e-12);
    }
  }
}

TEST_F(Campaigns, SeveralThreadsGiveTheSameBits) {
  const CampaignSummary one = run_campaign(campaign_, engine_, options("a.ledger", 1));
  engine_.pause_ms = 1;
  const CampaignSummary four = run_campaign(campaign_, engine_, options("b.ledger", 4));
  ASSERT_TRUE(one.database && four.database);
  EXPECT_TRUE(same(*one.database, *four.database));
  EXPECT_EQ(engine_.count("bed"), 1);  // kept, and shared by ledgers
}

TEST_F(Campaigns, RunOnlyWhatIsMissing) {
  campaign_.sampling.only = {0, 1, 2};
  EXPECT_EQ(run_campaign(campaign_, engine_, options()).done_now, 6u);
  campaign_.sampling.depths.push_back(0.08);
  campaign_.sampling.only.clear();
  const CampaignSummary s = run_campaign(campaign_, engine_, options());
  EXPECT_EQ(s.done_before, 6u);
  EXPECT_EQ(s.done_now, 74u);
  EXPECT_EQ(engine_.count("case"), 80);
  // all that 26 directions have, 58 have too
  campaign_.sampling.direction_count = 58;
  EXPECT_EQ(run_campaign(campaign_, engine_, options()).done_before, 80u);
}

TEST_F(Campaigns, KilledAtAnyMomentEndTheSame) {
  const CampaignSummary whole = run_campaign(campaign_, engine_, options("whole.ledger"));
  std::filesystem::remove_all(folder_ / "beds");
  engine_.pause_ms = 2;
  engine_.log = folder_ / "log2";
  int kills = 0;
  for (int delay_us = 3000; delay_us < 1'000'000; delay_us = delay_us * 5 / 4) {
    const pid_t child =
        start([&] { run_campaign(campaign_, engine_, options("killed.ledger", 2)); });
    ::usleep(static_cast<useconds_t>(delay_us));
    ::kill(child, SIGKILL);
    if (!WIFSIGNALED(wait_for(child))) break;
    ++kills;
  }
  EXPECT_GT(kills, 3);
  const CampaignSummary end = run_campaign(campaign_, engine_, options("killed.ledger"));
  ASSERT_TRUE(end.database);
  EXPECT_TRUE(same(*whole.database, *end.database));
  // nothing that was recorded ran again: at most the two cases that each kill met did
  EXPECT_LE(engine_.count("case"), 40 + 2 * kills);
}

TEST_F(Campaigns, TwoProcessesShareTheCases) {
  engine_.pause_ms = 3;
  const auto work = [&] { run_campaign(campaign_, engine_, options()); };
  const pid_t a = start(work), b = start(work);
  EXPECT_EQ(wait_for(a), 0);
  EXPECT_EQ(wait_for(b), 0);
  EXPECT_EQ(engine_.count("case"), 40);
  EXPECT_EQ(engine_.count("bed"), 1);
  EXPECT_TRUE(run_campaign(campaign_, engine_, options()).database);
  EXPECT_EQ(engine_.count("case"), 40);
}

TEST_F(Campaigns, RefuseAnotherPhysics) {
  campaign_.sampling.only = {0};
  run_campaign(campaign_, engine_, options());
  Campaign other = campaign_;
  other.bed.grains.friction_coefficient = 0.4;
  EXPECT_THAT([&] { run_campaign(other, engine_, options()); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("grains.friction_coefficient"),
                                              HasSubstr("'0.577'"), HasSubstr("'0.4'"))));
  engine_.name = "formula 2";
  EXPECT_THAT([&] { run_campaign(campaign_, engine_, options()); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("'engine'"), HasSubstr("'formula 2'"))));
}

TEST_F(Campaigns, GoOnAfterTheDiskWasFull) {
  engine_.pause_ms = 1;
  std::atomic<int> calls = 0;
  FormulaEngine full = engine_;
  full.trouble = [&](const FootPose&) {
    if (++calls < 5) return;
    std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit none{16, 16};  // no file may grow beyond 16 bytes
    ::setrlimit(RLIMIT_FSIZE, &none);
  };
  const pid_t child = start([&] {
    try {
      run_campaign(campaign_, full, options());
    } catch (const LedgerError& error) {
      ::_exit(std::string(error.what()).find("all cases that were recorded") != std::string::npos
                  ? 7
                  : 8);
    }
  });
  EXPECT_EQ(WEXITSTATUS(wait_for(child)), 7);
  const CampaignSummary s = run_campaign(campaign_, engine_, options());
  EXPECT_EQ(s.done_before, 4u);
  EXPECT_TRUE(s.database);
}

TEST_F(Campaigns, FailuresAreKeptAndTriedAgain) {
  const auto is_deep = [](const FootPose& end) { return end.depth > 0.075; };
  engine_.trouble = [&](const FootPose& end) {
    if (is_deep(end)) throw EngineError("grains were lost");
  };
  const CampaignSummary s = run_campaign(campaign_, engine_, options());
  EXPECT_FALSE(s.database);
  ASSERT_FALSE(s.failures.empty());
  EXPECT_EQ(s.failures[0].error, "grains were lost");
  engine_.trouble = {};
  EXPECT_TRUE(run_campaign(campaign_, engine_, options()).database);

  engine_.trouble = [](const FootPose&) { throw EngineError("no room"); };
  const CampaignSummary none = run_campaign(campaign_, engine_, options("b.ledger"));
  EXPECT_TRUE(none.gave_up);
  EXPECT_EQ(none.failures.size(), 3u);
}

TEST_F(Campaigns, StopKeepsWhatIsDone) {
  std::atomic<int> calls = 0;
  engine_.pause_ms = 1;
  engine_.trouble = [&](const FootPose&) { ++calls; };
  CampaignOptions o = options("a.ledger", 2);
  o.stop = [&] { return calls >= 5; };
  const CampaignSummary s = run_campaign(campaign_, engine_, o);
  EXPECT_TRUE(s.interrupted);
  EXPECT_GE(s.done_now, 5u);
  EXPECT_LE(s.done_now, 6u);
  EXPECT_TRUE(s.failures.empty());
  EXPECT_EQ(s.elsewhere, 0u);
}

TEST_F(Campaigns, ABedThatIsDamagedIsMadeAnew) {
  campaign_.sampling.only = {0};
  run_campaign(campaign_, engine_, options());
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "beds")) {
    if (entry.path().extension() == ".bed") std::ofstream(entry.path()) << "seed 1 ";
  }
  EXPECT_FALSE(has_bed(engine_, campaign_.bed, folder_ / "beds"));
  campaign_.sampling.only = {1};
  run_campaign(campaign_, engine_, options());
  EXPECT_EQ(engine_.count("bed"), 2);
  EXPECT_TRUE(has_bed(engine_, campaign_.bed, folder_ / "beds"));
}

TEST_F(Campaigns, RefuseFilesThatAreNoLedger) {
  std::ofstream(folder_ / "a.ledger") << std::string(5000, 'x');
  EXPECT_THAT([&] { run_campaign(campaign_, engine_, options()); },
              ThrowsMessage<InputError>(HasSubstr("is not a ledger")));
}

}  // namespace
}  // namespace footfall::testing
