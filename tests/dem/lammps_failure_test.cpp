// What goes wrong with a program beside ours, by programs that only pretend to be LAMMPS.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "dem/lammps_support.hpp"
#include "footfall/error.hpp"

namespace footfall {
namespace {

using Clock = std::chrono::steady_clock;

// Says that it is LAMMPS; does `work` when it is given an input.
std::string pretender(
    const TestFolder& folder, const std::string& work,
    const char* title = "Large-scale Atomic/Molecular Massively Parallel Simulator - 1 Jan 2000") {
  const std::filesystem::path file = folder / "pretender";
  std::ofstream(file) << "#!/bin/sh\nif [ \"$1\" = -h ]; then echo '" << title
                      << "'; echo 'wall/gran/region'; exit 0; fi\n"
                      << work << "\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file.string();
}

std::string failure_of(const std::string& work) {
  const TestFolder folder;
  const auto engine = make_lammps_engine({.program = pretender(folder, work), .launcher = {}});
  EXPECT_EQ(engine->identity().substr(0, 17), "LAMMPS 1 Jan 2000");
  try {
    engine->prepare_bed({}, folder / "bed", {.folder = folder / "work"});
  } catch (const EngineError& error) {
    EXPECT_FALSE(std::filesystem::exists(folder / "bed"));
    EXPECT_TRUE(std::filesystem::exists(folder / "work" / "settle.in"));  // to look at
    return error.what();
  }
  return "no error";
}

std::string refusal_of(const LammpsOptions& options) {
  try {
    make_lammps_engine(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LammpsFailures, NoProgram) {
  const std::string message = refusal_of({.program = "no-such-lmp", .launcher = {}});
  EXPECT_NE(message.find("apt-get install lammps"), std::string::npos) << message;
  EXPECT_NE(message.find("FOOTFALL_LAMMPS"), std::string::npos);
  EXPECT_NE(
      refusal_of({.program = "/bin/true", .launcher = {}}).find("does not say that it is LAMMPS"),
      std::string::npos);
  const TestFolder folder;
  EXPECT_NE(refusal_of({.program = pretender(folder, ""), .launcher = "no-such-mpirun -np 2"})
                .find("no-such-mpirun"),
            std::string::npos);
}

TEST(LammpsFailures, SayWhatLammpsSaid) {
  const std::string lost =
      failure_of("echo 'ERROR: Lost atoms: original 9 current 8 (x.cpp:1)'; exit 1");
  EXPECT_NE(lost.find("Lost atoms: original 9"), std::string::npos) << lost;
  EXPECT_NE(lost.find("more room to the walls"), std::string::npos);
  const std::string status = failure_of("echo first; echo 'something odd' >&2; exit 3");
  EXPECT_NE(status.find("status 3"), std::string::npos) << status;
  EXPECT_NE(status.find("something odd"), std::string::npos);
  EXPECT_NE(failure_of("kill -SEGV $$").find("signal 11"), std::string::npos);
}

// Ends well, but its file is not there or not whole.
TEST(LammpsFailures, TruncatedFiles) {
  EXPECT_NE(failure_of("exit 0").find("cannot be read"), std::string::npos);
  EXPECT_NE(
      failure_of(
          "printf 'x\\n\\n5 atoms\\n\\nAtoms # sphere\\n\\n1 1 0.02 1631 0 0 0\\n' > bed.data")
          .find("1 of 5 grains"),
      std::string::npos);
  EXPECT_THROW(write_text("/dev/full", "an input"), EngineError);
}

TEST(LammpsFailures, StopsWithinASecond) {
  const TestFolder folder;
  const auto engine =
      make_lammps_engine({.program = pretender(folder, "sleep 60"), .launcher = {}});
  const auto begin = Clock::now();
  EXPECT_THROW(engine->prepare_bed({}, folder / "bed",
                                   {.folder = folder / "work", .stop = [] { return true; }}),
               EngineStopped);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(10));
}

// A program of ours that is killed takes LAMMPS with it.
TEST(LammpsFailures, DiesWithUs) {
  const TestFolder folder;
  const std::string program = pretender(folder, "echo $$ > pid; exec sleep 60");
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      make_lammps_engine({.program = program, .launcher = {}})
          ->prepare_bed({}, folder / "bed", {.folder = folder / "work"});
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  pid_t grandchild = 0;
  const auto deadline = Clock::now() + std::chrono::seconds(20);
  while (grandchild == 0 && Clock::now() < deadline) {
    std::ifstream(folder / "work" / "pid") >> grandchild;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_NE(grandchild, 0);
  EXPECT_EQ(::kill(grandchild, 0), 0);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  // Gone, or a zombie that its new parent has not yet asked for.
  const auto alive = [&] {
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    std::string number, name, state;
    return static_cast<bool>(stat >> number >> name >> state) && state != "Z";
  };
  while (alive() && Clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(alive());
}

}  // namespace
}  // namespace footfall
