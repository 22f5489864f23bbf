#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "footfall/error.hpp"
#include "footfall/record/run_data.hpp"
#include "record/run_samples.hpp"

namespace footfall::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> out;
  std::stringstream in(line);
  for (std::string field; std::getline(in, field, ',');) out.push_back(field);
  return out;
}

TEST(CsvExport, ParsesBackToTheSameNumbers) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  write_rows(folder / "run.h5", world, 250);
  export_csv(folder / "run.h5", folder / "run.csv");
  const RunContents run = read_run(folder / "run.h5");
  std::ifstream in(folder / "run.csv");
  std::string line;
  std::getline(in, line);
  const std::size_t width = split(line).size();
  int row = 0;
  for (; std::getline(in, line); ++row) {
    const std::vector<std::string> fields = split(line);
    ASSERT_EQ(fields.size(), width);
    std::size_t i = 0;
    for (const RunColumn& c : run.columns) {
      for (int k = 0; k < c.width; ++k) {
        EXPECT_EQ(std::strtod(fields[i++].c_str(), nullptr), c.at(row, k)) << c.name;
      }
    }
    EXPECT_EQ(i, width);
  }
  EXPECT_EQ(row, 250);
}

TEST(CsvExport, NamesItsColumnsWithUnits) {
  const TemporaryFolder folder;
  write_rows(folder / "run.h5", make_test_world(), 1);
  export_csv(folder / "run.h5", folder / "run.csv");
  std::ifstream in(folder / "run.csv");
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = split(line);
  EXPECT_EQ(names.front(), "time [s]");
  for (const char* name :
       {"qpos[0] [m]", "qpos[6] [1]", "qpos[18] [rad]", "qvel[5] [rad/s]", "control[11] [N m]",
        "front_left_foot.sinkage [m]", "rear_right_foot.force.x [N]",
        "front_right_foot.contact_area [m^2]", "solver.iterations [1]", "solver.residual [N]",
        "stages.solve [s]", "energy.total [J]"}) {
    EXPECT_THAT(names, Contains(name));
  }
}

TEST(CsvExport, NamesTheFileThatCannotBeWritten) {
  const TemporaryFolder folder;
  write_rows(folder / "run.h5", make_test_world(), 500);
  for (const std::filesystem::path& file :
       {folder / "missing/run.csv", std::filesystem::path("/dev/full")}) {
    try {
      export_csv(folder / "run.h5", file);
      ADD_FAILURE() << "no error for " << file;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(file.string()));
    }
  }
}

// The run itself, a link to it, or another run: none is replaced by a table.
TEST(CsvExport, NeverReplacesARunFile) {
  const TemporaryFolder folder;
  write_rows(folder / "run.h5", make_test_world(), 20);
  write_rows(folder / "other.h5", make_test_world(), 30);
  std::filesystem::create_symlink("run.h5", folder / "link.csv");
  for (const char* name : {"run.h5", "link.csv", "other.h5"}) {
    try {
      export_csv(folder / "run.h5", folder / name);
      ADD_FAILURE() << "no error for " << name;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), (folder / name).string() +
                                  ": is a run file and is not overwritten: choose another name for "
                                  "the CSV file");
    }
  }
  EXPECT_EQ(read_run(folder / "run.h5").row_count, 20);
  EXPECT_EQ(read_run(folder / "other.h5").row_count, 30);
}

TEST(CsvExport, ReplacesAnOldTableAndLeavesNothingElseBehind) {
  const TemporaryFolder folder;
  write_rows(folder / "run.h5", make_test_world(), 20);
  std::ofstream(folder / "run.csv") << "old";
  export_csv(folder / "run.h5", folder / "run.csv");
  std::ifstream in(folder / "run.csv");
  std::string line;
  std::getline(in, line);
  EXPECT_THAT(line, HasSubstr("time [s]"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / ".")) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(files, 2);
}

TEST(RunFileThreads, RecordSeveralRunsAtOnce) {
  const TemporaryFolder folder;
  const World world = make_test_world();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const std::filesystem::path file = folder / ("run" + std::to_string(t) + ".h5");
      write_rows(file, world, 300 + 400 * t);
      EXPECT_EQ(read_run(file).row_count, 300 + 400 * t);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace footfall::test
