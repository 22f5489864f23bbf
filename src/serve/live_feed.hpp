// Between a run that goes on and those who watch it: frames go out, commands come in.
//
// The run publishes frames and never waits for a viewer. A viewer that is slower than the run gets the
// newest frame and misses those between. Dents in the ground it gets all, as they stay; and every row that
// is plotted, as a spike may be in a single one. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "serve/http.hpp"

namespace footfall::serve {

// A cell of the ground and its new height above the untouched ground.
struct LiveDent {
  int column = 0, row = 0;
  float height = 0;  // [m]
};

enum class LiveState { running, paused, finished, failed };

class LiveFeed {
 public:
  using Clock = std::chrono::steady_clock;

  // --- of the run ---

  // Time and plotted values of a step; goes out with the next frame.
  void add_row(std::vector<double> row);
  // `frame`: a LiveFrame of web/src/page.ts as JSON, without dents and rows. `dents`: since the last call.
  void publish(std::string frame, const std::vector<LiveDent>& dents = {});
  // `report`: of a run that has ended, as JSON: the LiveReport of web/src/page.ts; empty: none.
  void set_state(LiveState state, const std::string& message = {}, const std::string& report = {});

  // What the viewers want. A pause ends by resume() or, for `step_time` of the run, by step().
  struct Orders {
    bool paused = false;
    double step_time = -1;      // [s], 0: one time step; negative: none
    std::uint64_t version = 0;  // grows with every order
  };
  // The orders now; takes the step out.
  Orders take_orders();
  bool has_orders(std::uint64_t known_version);
  // Waits for new orders, until a time at the longest. True: they are there.
  bool wait_for_orders(std::uint64_t known_version, Clock::time_point until);
  // True when a viewer has come.
  bool wait_for_viewer(Clock::time_point until);
  // After set_state(finished or failed): waits until all viewers have been told, `until` at the longest.
  void wait_for_goodbye(Clock::time_point until);
  // Ends all streams, whatever they have been told.
  void close();

  // --- of the viewers ---

  // GET: the stream of events. POST …/pause, …/resume, …/step?seconds=0.01: orders. `path` starts after
  // the feed's own address.
  HttpReply answer(const HttpRequest& request, const std::string& path);

  int viewer_count();
  static constexpr int kMostViewers = 16;          // a stream each, and a thread of the server
  static constexpr std::size_t kMostRows = 20000;  // that are kept for viewers who are late

 private:
  struct Viewer;
  std::optional<std::string> next_events(Viewer& viewer);
  bool has_news(const Viewer& viewer) const;
  HttpReply open_stream();
  HttpReply order(const HttpRequest& request, const std::string& what);

  std::mutex mutex_;
  std::condition_variable for_viewers_, for_run_;
  std::shared_ptr<const std::string> frame_;  // the newest
  std::uint64_t frame_number_ = 0;
  std::vector<LiveDent> dents_;           // of all frames
  std::deque<std::vector<double>> rows_;  // the newest, those of the next frame among them
  std::uint64_t row_number_ = 0;          // of the row after the last one
  std::uint64_t published_row_number_ =
      0;               // of the row after the last one that went out with a frame
  std::string state_;  // a LiveState as JSON
  std::uint64_t state_number_ = 0;
  bool ended_ = false;   // no frame will come
  bool closed_ = false;  // no stream may go on
  int viewers_ = 0;
  bool had_viewer_ = false;
  Orders orders_;
};

}  // namespace footfall::serve
