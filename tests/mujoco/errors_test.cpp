// Files that MuJoCo cannot read: one clear sentence with the file and the line.
#include <gmock/gmock.h>
#include <mujoco/mujoco.h>

#include <thread>

#include "footfall/mujoco/log.hpp"
#include "mujoco/model_text.hpp"

namespace footfall::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string refusal_of_file(const std::filesystem::path& file) {
  try {
    load_robot(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LoadErrors, MissingFile) {
  EXPECT_EQ(refusal_of_file("no/such/robot.xml"),
            "robot file 'no/such/robot.xml' does not exist; give the path of an MJCF or URDF file");
}

TEST(LoadErrors, FolderInsteadOfFile) {
  const std::filesystem::path folder = std::filesystem::path(FOOTFALL_SOURCE_DIR) / "robots";
  EXPECT_THAT(refusal_of_file(folder), HasSubstr("robots' is not a file"));
}

TEST(LoadErrors, UnknownElement) {
  const TextFile file("<mujoco>\n<worldbody>\n<boddy/>\n</worldbody>\n</mujoco>");
  EXPECT_EQ(refusal_of_file(file.path()),
            "robot file '" + file.path().string() +
                "', line 3: Schema violation: unrecognized element, Element 'boddy'; correct the "
                "file (MuJoCo 4.0.0 reads it)");
}

TEST(LoadErrors, MalformedXml) {
  const std::string message = refusal_of("<mujoco>\n<worldbody>\n<body>\n</worldbody></mujoco>");
  EXPECT_THAT(message, HasSubstr(".xml', line 3: the XML is not well formed"));
  EXPECT_THAT(message, HasSubstr("MISMATCHED_ELEMENT"));
  EXPECT_THAT(message, Not(HasSubstr("\n")));
}

TEST(LoadErrors, NotXmlAtAll) {
  EXPECT_THAT(refusal_of("[robot]\nfile = 3\n"), HasSubstr("not well formed"));
  EXPECT_NE(refusal_of(""), "");
}

TEST(LoadErrors, CompilerErrorHasItsLine) {
  const std::string message =
      refusal_of("<mujoco>\n<worldbody>\n<body>\n<joint/>\n</body></worldbody></mujoco>");
  EXPECT_THAT(message, HasSubstr("line 3: mass and inertia of moving bodies"));
}

TEST(LoadErrors, MissingMesh) {
  const std::string message =
      refusal_of("<mujoco><asset><mesh name='shin' file='shin.stl'/></asset></mujoco>");
  EXPECT_THAT(message, HasSubstr("shin.stl"));
}

// MuJoCo itself says "line 0" for an error inside an included file.
TEST(LoadErrors, ErrorInAnIncludedFileHasFileAndLine) {
  const TextFile leg("<mujocoinclude>\n<worldbody>\n\n<geom sizze='1'/>\n</worldbody>\n"
                     "</mujocoinclude>");
  const TextFile robot("<mujoco>\n<include file='" + leg.path().filename().string() +
                       "'/>\n</mujoco>");
  EXPECT_THAT(refusal_of_file(robot.path()),
              HasSubstr(leg.path().string() + "', line 4: Schema violation: unrecognized "
                                              "attribute: 'sizze', Element 'geom'"));
}

TEST(LoadErrors, MalformedIncludedFileHasFileAndLine) {
  const TextFile leg("<mujoco>\n<worldbody>\n<geom size='1'>\n</worldbody>\n</mujoco>");
  const TextFile robot("<mujoco>\n\n\n\n<include file='" + leg.path().filename().string() +
                       "'/>\n</mujoco>");
  EXPECT_THAT(refusal_of_file(robot.path()),
              HasSubstr(leg.path().string() + "', line 3: the XML is not well formed"));
}

TEST(LoadErrors, CompilerErrorInAnIncludedFileIsNotBlamedOnLineZero) {
  const TextFile leg("<mujoco>\n<worldbody>\n<body><joint/></body></worldbody>\n</mujoco>");
  const TextFile robot("<mujoco>\n<include file='" + leg.path().filename().string() +
                       "'/>\n</mujoco>");
  const std::string message = refusal_of_file(robot.path());
  EXPECT_THAT(message, HasSubstr("(in a file that it includes)"));
  EXPECT_THAT(message, Not(HasSubstr("line 0")));
}

TEST(MujocoLog, WarningsAreCollectedAndNothingIsWritten) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  {
    MujocoLogScope log;
    mju_warning("first\n  and second line");
    {
      MujocoLogScope inner;
      mju_warning("of the inner scope");
      EXPECT_THAT(inner.take_warnings(), ElementsAre("of the inner scope"));
    }
    mju_info(mjTOPIC_NONE, "nobody needs this");
    EXPECT_THAT(log.take_warnings(), ElementsAre("first, and second line"));
    EXPECT_THAT(log.take_warnings(), IsEmpty());
  }
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(std::filesystem::exists("MUJOCO_LOG.TXT"));
}

TEST(MujocoLog, EngineErrorsAreThrown) {
  const MjModelPtr model = load_mujoco_model(robot_file("ball"));
  const MjDataPtr data = make_mujoco_data(*model);
  const MujocoLogScope log;
  EXPECT_THROW(mj_stackAllocNum(data.get(), std::size_t{1} << 40), MujocoError);
}

int messages_of_the_host = 0;

TEST(MujocoLog, TheHandlerBeforeComesBack) {
  mjfLogHandler original = mju_setLogHandler([](const mjLogMessage*) { ++messages_of_the_host; });
  {
    const MujocoLogScope log;
    mju_warning("ours");
  }
  EXPECT_EQ(messages_of_the_host, 0);
  mju_warning("the host's");
  EXPECT_EQ(messages_of_the_host, 1);
  mju_setLogHandler(original);
}

TEST(MujocoLog, ThreadsLoadAtTheSameTime) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(load_robot(robot_file("quadruped")).total_mass(), 15.0, 1e-12);
        EXPECT_THROW(load_robot("missing.xml"), InputError);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace footfall::test
