// Watching a run: what viewers get, what they may order, and that the run stays the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "footfall/record/run_data.hpp"
#include "footfall/record/rut_file.hpp"
#include "serve/live_page.hpp"
#include "serve/live_run.hpp"

namespace footfall::serve {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const std::filesystem::path kScenarioFolder =
    std::filesystem::path(FOOTFALL_SOURCE_DIR) / "scenarios";

LiveFeed::Clock::time_point soon() { return LiveFeed::Clock::now() + 20s; }

HttpReply order(LiveFeed& feed, const std::string& what, const std::string& seconds = "") {
  HttpRequest request;
  request.method = "POST";
  if (!seconds.empty()) request.query["seconds"] = seconds;
  return feed.answer(request, what);
}

HttpStream watch(LiveFeed& feed) {
  HttpRequest request;
  request.method = "GET";
  return feed.answer(request, "").stream;
}

TEST(LiveFeed, ASlowViewerMissesFramesButNoDents) {
  LiveFeed feed;
  const HttpStream next = watch(feed);
  feed.set_state(LiveState::running);
  feed.publish(R"({"time":1})", {{1, 2, -0.5F}});
  EXPECT_EQ(next(), "data: {\"time\":1,\"dents\":[1,2,-0.5]}\n\n"
                    "event: state\ndata: {\"message\":\"\",\"state\":\"running\"}\n\n");
  feed.publish(R"({"time":2})", {{3, 4, 0.25F}});
  feed.publish(R"({"time":3})");
  feed.publish(R"({"time":4})", {{3, 4, 0.5F}});
  EXPECT_EQ(next(), "data: {\"time\":4,\"dents\":[3,4,0.25,3,4,0.5]}\n\n");
  feed.set_state(LiveState::finished, "at the \"end\"");
  EXPECT_THAT(*next(), HasSubstr(R"(data: {"message":"at the \"end\"","state":"finished"})"));
  EXPECT_FALSE(next());
  const HttpStream late = watch(feed);
  EXPECT_THAT(*late(), HasSubstr("\"time\":4,\"dents\":[1,2,-0.5,3,4,0.25,3,4,0.5]"));
}

TEST(LiveFeed, ASlowViewerMissesNoRowThatIsKept) {
  LiveFeed feed;
  const HttpStream next = watch(feed);
  feed.add_row({1, 0.5});
  feed.add_row({2, std::nan("")});
  feed.publish(R"({"time":2})");
  feed.add_row({3, 1e-9});
  feed.publish(R"({"time":3})");
  feed.add_row({4, 7});  // goes out with the next frame
  EXPECT_EQ(next(), "data: {\"time\":3,\"rows\":[1,0.5,2,null,3,1e-09]}\n\n");
  feed.publish(R"({"time":4})");
  EXPECT_EQ(next(), "data: {\"time\":4,\"rows\":[4,7]}\n\n");
  for (std::size_t i = 0; i < LiveFeed::kMostRows + 3; ++i) {
    feed.add_row({static_cast<double>(5 + i)});
  }
  feed.publish(R"({"time":5})");
  EXPECT_THAT(*next(), HasSubstr("\"rows\":[8,9,")) << "the oldest are forgotten";
}

TEST(LiveFeed, HandsOverTheReport) {
  LiveFeed feed;
  const HttpStream next = watch(feed);
  feed.set_state(LiveState::finished, "at 1 s", R"({"page":{}})");
  EXPECT_THAT(*next(),
              HasSubstr(R"({"message":"at 1 s","state":"finished","report":{"page":{}}})"));
}

TEST(LiveFeed, TakesOrdersThatMakeSense) {
  LiveFeed feed;
  EXPECT_EQ(order(feed, "/pause").status, 204);
  EXPECT_TRUE(feed.take_orders().paused);
  EXPECT_EQ(order(feed, "/step", "0.01").status, 204);
  EXPECT_EQ(feed.take_orders().step_time, 0.01);
  EXPECT_LT(feed.take_orders().step_time, 0) << "taken";
  EXPECT_EQ(order(feed, "/resume").status, 204);
  EXPECT_FALSE(feed.take_orders().paused);
  EXPECT_EQ(order(feed, "/stop").status, 404);
  for (const char* seconds : {"-1", "nan", "1e9", "1s", "x"}) {
    EXPECT_EQ(order(feed, "/step", seconds).status, 400) << seconds;
  }
  std::vector<HttpStream> streams;
  for (int i = 0; i < LiveFeed::kMostViewers; ++i) streams.push_back(watch(feed));
  EXPECT_FALSE(watch(feed));
  streams.clear();
  EXPECT_EQ(feed.viewer_count(), 0);
}

TEST(NewDents, AreTheDifferenceOfTwoGrids) {
  RutGrid now(RutOptions{.cell = 5e-3, .rim_share = 0.5}), before;
  Footprint print;
  print.radius = 0.02;
  print.point_count = 1;
  print.points[0] = {.sinkage = 0.01, .sinkage_max = 0.012};
  now.stamp(print);
  const std::vector<LiveDent> dents = find_new_dents(now, before);
  EXPECT_EQ(now, before);
  EXPECT_TRUE(find_new_dents(now, before).empty());
  double sum = 0;
  for (const LiveDent& dent : dents) {
    const RutCell cell = now.sample((dent.column + 0.5) * 5e-3, (dent.row + 0.5) * 5e-3);
    EXPECT_FLOAT_EQ(dent.height, static_cast<float>(cell.rim - cell.sinkage));
    sum += dent.height;
  }
  EXPECT_NEAR(25e-6 * sum, now.rim_volume() - now.displaced_volume(), 1e-12);
  print.x = 0.2;
  now.stamp(print);
  for (const LiveDent& dent : find_new_dents(now, before)) EXPECT_GT(dent.column, 20);
}

std::vector<double> time_row(const RunStep& step) { return {step.state.time}; }

std::string time_frame(const RunStep& step) {
  return nlohmann::json({{"time", step.state.time}}).dump();
}

Scenario short_scenario(const char* name, double duration) {
  return load_scenario(kScenarioFolder / name,
                       {"step.duration_s=" + std::to_string(duration), "step.record_every=3"});
}

// Runs with viewers that pause it and let it step, on threads of their own, and without: the same bits.
TEST(LiveRun, IsTheSameRunWhateverThreadsWatch) {
  const Scenario scenario = short_scenario("quadruped_trot_sand.toml", 0.12);
  const std::filesystem::path base =
      std::filesystem::path(testing::TempDir()) / ("live_" + std::to_string(getpid()));
  RunOptions options;
  options.output = base / "alone";
  run(scenario, options);

  LiveFeed feed;
  LiveRun live(feed, time_frame, time_row, {.speed = 0, .duration = 0.12, .frame_rate = 1e4});
  const HttpServer server(
      0, [&](const HttpRequest& request) { return feed.answer(request, request.path.substr(5)); });
  std::atomic<bool> done{false};
  std::string seen;
  std::thread viewer([&] {
    httplib::Client client("127.0.0.1", server.port());
    client.Get("/live", [&](const char* data, std::size_t size) {
      seen.append(data, size);
      return true;
    });
  });
  std::thread meddler([&] {
    while (!done) {
      for (const char* what : {"/pause", "/step", "/resume"}) {
        order(feed, what);
        std::this_thread::sleep_for(1ms);
      }
    }
    order(feed, "/resume");
  });
  EXPECT_TRUE(feed.wait_for_viewer(soon()));
  options.output = base / "watched";
  options.watch = [&](const RunStep& step) { live.after_step(step); };
  run(scenario, options);
  done = true;
  feed.set_state(LiveState::finished);
  feed.wait_for_goodbye(soon());
  viewer.join();
  meddler.join();

  EXPECT_THAT(seen, HasSubstr("\"time\":0.12"));
  EXPECT_THAT(seen, HasSubstr("\"finished\""));
  const RunContents a = read_run(base / "alone/run.h5"), b = read_run(base / "watched/run.h5");
  ASSERT_EQ(a.row_count, b.row_count);
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    if (a.columns[i].name.starts_with("stages")) continue;
    const std::vector<double>&x = a.columns[i].values, &y = b.columns[i].values;
    EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(double)), 0) << a.columns[i].name;
  }
  EXPECT_EQ(read_ruts(base / "alone/run.h5"), read_ruts(base / "watched/run.h5"));
  std::filesystem::remove_all(base);
}

// Every number of a step as the run file has it, and a frame that fits the page.
TEST(LivePage, RowsAreThoseOfTheRunFile) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("live_page_" + std::to_string(getpid()));
  const Scenario scenario = load_scenario(kScenarioFolder / "quadruped_trot_sand.toml",
                                          {"step.duration_s=0.02", "step.record_every=1"});
  const RunSetup setup = prepare_run(scenario);
  LivePage page(setup, {scenario.text, scenario.file.string(), "footfall run"});
  RunOptions options;
  options.output = folder;
  RunContents last;
  nlohmann::json frame;
  std::vector<double> values;
  options.watch = [&](const RunStep& step) {
    EXPECT_TRUE(step.recorded);
    values = page.make_values(step);
    last = page.make_row(step);
    frame = nlohmann::json::parse(page.make_frame(step));
  };
  run(scenario, setup, options);
  const RunContents recorded = read_run(folder / "run.h5");
  const nlohmann::json report = nlohmann::json::parse(make_run_page(recorded).json);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(last.columns.size(), recorded.columns.size());
  for (std::size_t i = 0; i < last.columns.size(); ++i) {
    const RunColumn& column = recorded.columns[i];
    EXPECT_EQ(last.columns[i].name, column.name);
    EXPECT_EQ(last.columns[i].values,
              std::vector<double>(column.values.end() - column.width, column.values.end()))
        << column.name;
  }
  const nlohmann::json made = nlohmann::json::parse(page.make(0.02, "/data", "/live").json);
  EXPECT_TRUE(made["warnings"].empty()) << made["warnings"];
  EXPECT_THAT(made["subtitle"], HasSubstr("0.02 s in steps of 1 ms"));
  for (const nlohmann::json& table : made["tables"]) {
    EXPECT_THAT(table["title"], HasSubstr("Soil")) << "nothing else is known before the first step";
  }
  const nlohmann::json& shown = made["runs"][0];
  const std::size_t bodies = shown["robot"]["bodies"].size(), feet = shown["feet"].size();
  EXPECT_EQ(frame["time"], 0.02);
  EXPECT_EQ(frame["position"].size(), 3 * bodies);
  EXPECT_EQ(frame["quaternion"].size(), 4 * bodies);
  EXPECT_EQ(frame["center_of_mass"].size(), 3U);
  EXPECT_EQ(frame["force"].size(), 3 * feet);
  EXPECT_EQ(frame["pressure"].size(), feet);
  ASSERT_EQ(values.size(), 1 + shown["channels"].size());
  for (const nlohmann::json& channel : shown["channels"]) EXPECT_EQ(channel["values"]["length"], 0);
  EXPECT_EQ(shown["channels"][1]["name"], report["runs"][0]["channels"][1]["name"]);
  EXPECT_EQ(values[2], recorded.foot_column(0, "normal_force").at(recorded.row_count - 1));
  EXPECT_EQ(shown["ground"]["dents"]["cell"], soil_ground(setup.world.ground)->ruts.cell);
  EXPECT_NEAR(frame["position"][2], recorded.column("state/qpos").at(recorded.row_count - 1, 2),
              1e-5);
}

TEST(LiveRun, PausesStepsAndKeepsTheClock) {
  LiveFeed feed;
  std::atomic<double> reached{0};
  LiveRun live(feed, time_frame, time_row, {.speed = 2, .duration = 0.3});
  RunOptions options;
  options.record = false;
  options.watch = [&](const RunStep& step) {
    reached = step.state.time;
    live.after_step(step);
  };
  order(feed, "/pause");
  const HttpStream next = watch(feed);
  const auto start = LiveFeed::Clock::now();
  std::thread simulation([&] { run(short_scenario("quadruped_drop.toml", 0.3), options); });
  std::string events;
  while (events.find("paused") == std::string::npos) events += *next();
  EXPECT_THAT(events, HasSubstr("\"time\":0.001"));
  order(feed, "/step");
  const auto wait_until = [&](double time) {
    for (int i = 0; i < 2000 && reached < time - 1e-9; ++i) std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(20ms);
    EXPECT_NEAR(reached, time, 1e-9);
  };
  wait_until(0.002);
  order(feed, "/step", "0.01");
  wait_until(0.012);
  order(feed, "/resume");
  simulation.join();
  EXPECT_EQ(reached, 0.3);
  const double wall = std::chrono::duration<double>(LiveFeed::Clock::now() - start).count();
  EXPECT_GE(wall, 0.5 * (0.3 - 0.012));
}

TEST(LiveRun, StopsWaitingWhenTold) {
  LiveFeed feed;
  std::atomic<bool> stop{false};
  LiveRun live(feed, time_frame, time_row, {.speed = 1e-6, .stop = &stop});
  RunOptions options;
  options.record = false;
  options.stop = &stop;
  options.watch = [&](const RunStep& step) { live.after_step(step); };
  std::thread simulation(
      [&] { EXPECT_TRUE(run(short_scenario("quadruped_drop.toml", 0.3), options).interrupted); });
  std::this_thread::sleep_for(20ms);
  order(feed, "/pause");
  std::this_thread::sleep_for(20ms);
  stop = true;
  simulation.join();
}

}  // namespace
}  // namespace footfall::serve
