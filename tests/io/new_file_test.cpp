// Files that appear whole or not at all, and are never put onto what was read.
#include "footfall/io/new_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "footfall/error.hpp"
#include "io/text_file.hpp"

namespace footfall::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class NewFiles : public ::testing::Test {
 protected:
  NewFiles() {
    std::string name = (fs::temp_directory_path() / "footfall-new-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~NewFiles() override { fs::remove_all(folder_); }
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string get(const std::string& name) const {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

// What a child process does, that then dies without a word. Its status.
int in_child(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST_F(NewFiles, AppearWhenTheyAreKept) {
  put("a.csv", "old");
  {
    NewFile file(folder_ / "a.csv");
    std::ofstream(file.partial()) << "new";
    EXPECT_EQ(get("a.csv"), "old");
    file.keep();
  }
  EXPECT_EQ(get("a.csv"), "new");
  EXPECT_EQ(file_count(), 1);
}

TEST_F(NewFiles, LeaveTheOldOneOtherwise) {
  put("a.csv", "old");
  {
    NewFile file(folder_ / "a.csv");
    std::ofstream(file.partial()) << "half";
  }
  EXPECT_EQ(get("a.csv"), "old");
  EXPECT_EQ(file_count(), 1);
  // a full disk: no file may grow
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit nothing{0, 0};
    ::setrlimit(RLIMIT_FSIZE, &nothing);
    const std::string said = refusal_of([&] { write_text_file(folder_ / "a.csv", "new"); });
    ::_exit(said.find("File too large") == std::string::npos ? 1 : 0);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(get("a.csv"), "old");
  EXPECT_EQ(file_count(), 1);
}

TEST_F(NewFiles, OfAKilledProgramAreSetAside) {
  put("run.h5", "old");
  const fs::path unfinished = folder_ / "run.unfinished.h5";
  in_child([&] {
    const NewFile file(folder_ / "run.h5", unfinished);
    std::ofstream(file.partial()) << "rows";
    ::_exit(0);
  });
  EXPECT_EQ(get("run.h5"), "old");
  NewFile next(folder_ / "run.h5", unfinished);
  EXPECT_TRUE(next.found_left_over());
  EXPECT_EQ(get("run.unfinished.h5"), "rows");
  std::ofstream(next.partial()) << "new";
  next.keep();
  EXPECT_EQ(get("run.h5"), "new");
  EXPECT_FALSE(NewFile(folder_ / "run.h5", unfinished).found_left_over());
  EXPECT_EQ(get("run.unfinished.h5"), "rows");
}

TEST_F(NewFiles, AppearTogetherOrNotAtAll) {
  put("a.csv", "old");
  {
    const OutputsTogether together;
    write_text_file(folder_ / "a.csv", "new");
    write_text_file(folder_ / "b.svg", "new");
    EXPECT_EQ(get("a.csv"), "old");
    EXPECT_EQ(read_text_file(written_path(folder_ / "a.csv")), "new");
    EXPECT_THAT(refusal_of([&] { write_text_file(folder_ / "b.svg", "again"); }),
                HasSubstr("b.svg: is another output of this command"));
  }
  EXPECT_EQ(get("a.csv"), "old");
  EXPECT_EQ(file_count(), 1);
  OutputsTogether together;
  write_text_file(folder_ / "a.csv", "new");
  write_text_file(folder_ / "b.svg", "new");
  together.keep();
  EXPECT_EQ(get("a.csv"), "new");
  EXPECT_EQ(get("b.svg"), "new");
  EXPECT_EQ(file_count(), 2);
}

TEST_F(NewFiles, AreWrittenByOneProgramAtATime) {
  const NewFile mine(folder_ / "a.csv");
  EXPECT_THAT(refusal_of([&] { NewFile(folder_ / "a.csv"); }),
              HasSubstr("a.csv: is being written by another program"));
}

TEST_F(NewFiles, FollowLinksAndKeepPermissions) {
  fs::create_directory(folder_ / "elsewhere");
  put("elsewhere/a.csv", "old");
  ::chmod((folder_ / "elsewhere/a.csv").c_str(), 0640);
  fs::create_symlink("elsewhere/a.csv", folder_ / "link.csv");
  fs::create_symlink("elsewhere/new.csv", folder_ / "dangling.csv");
  write_text_file(folder_ / "link.csv", "new");
  write_text_file(folder_ / "dangling.csv", "first");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.csv"));
  EXPECT_EQ(get("elsewhere/a.csv"), "new");
  EXPECT_EQ(get("elsewhere/new.csv"), "first");
  struct stat found{};
  ::stat((folder_ / "elsewhere/a.csv").c_str(), &found);
  EXPECT_EQ(found.st_mode & 0777U, 0640U);
}

TEST_F(NewFiles, PipesAndDevicesAreWrittenDirectly) {
  write_text_file("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(refusal_of([] { write_text_file("/dev/full", "text"); }), HasSubstr("/dev/full"));
  EXPECT_THAT(refusal_of([&] { write_text_file(folder_, "text"); }), HasSubstr("is a folder"));
  EXPECT_THAT(refusal_of([] { write_text_file("", "text"); }), HasSubstr("is empty"));
}

// In a process of its own, since programs turn this on for good.
TEST_F(NewFiles, NeverReplaceWhatWasRead) {
  put("in.csv", "measured");
  put("other.csv", "other");
  fs::create_symlink("in.csv", folder_ / "link.csv");
  fs::create_hard_link(folder_ / "in.csv", folder_ / "hard.csv");
  fs::create_directory(folder_ / "sub");
  const int status = in_child([&] {
    protect_inputs();
    read_text_file(folder_ / "in.csv");
    int failed = 0;
    for (const char* name : {"in.csv", "./in.csv", "sub/../in.csv", "link.csv", "hard.csv"}) {
      const std::string said = refusal_of([&] { write_text_file(folder_ / name, "new"); });
      failed += said.find("is an input of this command") == std::string::npos ? 1 : 0;
    }
    write_text_file(folder_ / "other.csv", "new");
    read_text_file(folder_ / "other.csv");
    ::_exit(failed);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(get("in.csv"), "measured");
  EXPECT_EQ(get("hard.csv"), "measured");
  EXPECT_EQ(get("other.csv"), "new");
}

}  // namespace
}  // namespace footfall::test
