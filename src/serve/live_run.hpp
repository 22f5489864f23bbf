// A run that is watched while it goes on: its speed, its pauses, and the frames that it shows.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "footfall/run/run.hpp"
#include "serve/live_feed.hpp"

namespace footfall::serve {

struct LiveOptions {
  double speed = 1;                         // time of the run per time of the clock; 0: no limit
  double duration = 0;                      // of the run, whose last step is shown [s]
  double frame_rate = 60;                   // frames per second of the clock, at most
  const std::atomic<bool>* stop = nullptr;  // true: wait for nothing
};

class LiveRun {
 public:
  using Clock = LiveFeed::Clock;
  // The frame of a step, a LiveFrame of web/src/page.ts as JSON; and its time and plotted values.
  using FrameMaker = std::function<std::string(const RunStep&)>;
  using RowMaker = std::function<std::vector<double>(const RunStep&)>;

  LiveRun(LiveFeed& feed, FrameMaker make_frame, RowMaker make_row, const LiveOptions& options);

  // For RunOptions::watch: plots the step where the run file has it, shows it where it is time to, and
  // waits where the clock or a viewer wants it to. Changes nothing of the run.
  void after_step(const RunStep& step);

 private:
  void show(const RunStep& step);
  void hold(const RunStep& step);
  void keep_pace(double time);
  void start_clock(double time);
  void announce(bool paused);
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  LiveFeed& feed_;
  FrameMaker make_frame_;
  RowMaker make_row_;
  LiveOptions options_;
  RutGrid shown_ruts_;
  double start_time_ = 0;         // of the run [s], at
  Clock::time_point start_;       // this time of the clock
  Clock::time_point last_frame_;  // was shown
  double pause_at_ = -1;          // a step ends here [s]; negative: no step is under way
  bool announced_pause_ = false;
  std::uint64_t seen_orders_ = 0;
};

// What changed in the ground, and `before` is made the same. Of a cell the height is its rim's less its
// sinkage. Looks only at blocks that were printed on.
std::vector<LiveDent> find_new_dents(const RutGrid& now, RutGrid& before);

}  // namespace footfall::serve
