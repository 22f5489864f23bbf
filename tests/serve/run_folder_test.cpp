// What of a folder can be asked for, and what of pages is made once.
#include "serve/run_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "footfall/error.hpp"
#include "serve/run_server.hpp"

namespace footfall::serve {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A folder with runs, beside it a secret, and links to both.
class RunFolderTest : public testing::Test {
 protected:
  RunFolderTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    base_ = fs::path(testing::TempDir()) / fmt_name(test->name());
    fs::remove_all(base_);
    fs::create_directories(base_ / "runs/deep er");
    fs::create_directories(base_ / "runs/.hidden");
    for (const char* file : {"secret.h5", "runs/a.h5", "runs/notes.txt", "runs/deep er/b.h5",
                             "runs/.hidden/c.h5", "runsother.h5"}) {
      std::ofstream(base_ / file) << file;
    }
    fs::create_symlink(base_ / "secret.h5", base_ / "runs/out.h5");
    fs::create_symlink("a.h5", base_ / "runs/in.h5");
    fs::create_directory_symlink(base_, base_ / "runs/up");
  }
  ~RunFolderTest() override { fs::remove_all(base_); }
  static std::string fmt_name(const std::string& test) {
    return "serve_" + test + std::to_string(getpid());
  }
  fs::path base_;
};

TEST_F(RunFolderTest, FindsOnlyWhatLiesInside) {
  const RunFolder folder(base_ / "runs");
  EXPECT_EQ(folder.find("a.h5"), fs::canonical(base_ / "runs/a.h5"));
  EXPECT_EQ(folder.find("deep er/b.h5"), fs::canonical(base_ / "runs/deep er/b.h5"));
  EXPECT_EQ(folder.find("deep er/../a.h5"), fs::canonical(base_ / "runs/a.h5"));
  EXPECT_EQ(folder.find("in.h5"), fs::canonical(base_ / "runs/a.h5")) << "a link inside";
  const std::string secret = (base_ / "secret.h5").string();
  for (const std::string& name :
       {std::string("../secret.h5"), secret, "/" + secret, std::string("out.h5"),
        std::string("up/secret.h5"), std::string("deep er/../../secret.h5"),
        std::string("../runsother.h5"), std::string("notes.txt"), std::string("missing.h5"),
        std::string("deep er"), std::string("."), std::string(".."), std::string(),
        std::string("a.h5\0x", 6)}) {
    EXPECT_FALSE(folder.find(name)) << name;
  }
}

TEST_F(RunFolderTest, ListsWhatItFinds) {
  std::vector<std::string> names;
  for (const RunEntry& entry : RunFolder(base_ / "runs").list()) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  EXPECT_THAT(names, ElementsAre("a.h5", "deep er/b.h5", "in.h5"));
}

TEST_F(RunFolderTest, ShowsASingleFileAlone) {
  const RunFolder folder(base_ / "runs/a.h5");
  EXPECT_TRUE(folder.find("a.h5"));
  EXPECT_FALSE(folder.find("in.h5"));
  EXPECT_FALSE(folder.find("deep er/b.h5"));
  EXPECT_THROW(RunFolder(base_ / "missing"), InputError);
}

ServedPage page_of(const fs::path& file, const std::string& data_url) {
  if (file.filename() == "b.h5") throw InputError("b.h5: is no run file");
  return {"<p>" + file.filename().string() + " " + data_url,
          "bytes of " + file.filename().string()};
}

HttpReply get(RunServer& server, const std::string& path) {
  HttpRequest request;
  request.method = "GET";
  request.path = path;
  return server.answer(request);
}

TEST_F(RunFolderTest, ServesPagesAndTheirData) {
  RunServer server(base_ / "runs", page_of);
  EXPECT_EQ(get(server, "/run/a.h5").bytes, "<p>a.h5 /data/a.h5");
  EXPECT_EQ(get(server, "/data/a.h5").bytes, "bytes of a.h5");
  EXPECT_EQ(get(server, "/data/../secret.h5").status, 404);
  EXPECT_EQ(get(server, "/elsewhere").status, 404);
  const HttpReply broken = get(server, "/run/deep er/b.h5");
  EXPECT_EQ(broken.status, 422);
  EXPECT_THAT(broken.body, HasSubstr("no run file"));
  const HttpReply list = get(server, "/");
  EXPECT_THAT(list.body, HasSubstr("<a href=\"/run/deep%20er/b.h5\">deep er/b.h5</a>"));
  EXPECT_THAT(list.body, Not(HasSubstr("secret")));
  RunServer single(base_ / "runs/a.h5", page_of);
  EXPECT_EQ(get(single, "/").bytes, "<p>a.h5 /data/a.h5");
  EXPECT_EQ(get(single, "/run/in.h5").status, 404);
}

TEST_F(RunFolderTest, MakesAPageOnceForAllThreads) {
  std::atomic<int> made{0};
  PageCache cache([&](const fs::path&, const std::string&) {
    ++made;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return ServedPage{"page", "data"};
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(cache.get(base_ / "runs/a.h5", "/d")->data, "data"); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  std::ofstream(base_ / "runs/a.h5") << "a run that is longer now";
  cache.get(base_ / "runs/a.h5", "/d");
  EXPECT_EQ(made, 2) << "the file has changed";
}

}  // namespace
}  // namespace footfall::serve
