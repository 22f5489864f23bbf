#include "serve/live_run.hpp"

#include <algorithm>

namespace footfall::serve {
namespace {

using namespace std::chrono_literals;

constexpr auto kGlance = 50ms;      // between looks at `stop`, which a signal sets
constexpr auto kMostDelay = 250ms;  // that the run may catch up; what it is later is forgotten

LiveRun::Clock::duration seconds_of_clock(double seconds) {
  return std::chrono::duration_cast<LiveRun::Clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

std::vector<LiveDent> find_new_dents(const RutGrid& now, RutGrid& before) {
  std::vector<LiveDent> dents;
  for (int b = 0; b < now.block_count(); ++b) {
    const RutBlock& block = now.block(b);
    const bool known = b < before.block_count();
    if (known && &block == &before.block(b)) continue;  // copies share what was not printed on
    for (int i = 0; i < kRutBlockCells * kRutBlockCells; ++i) {
      const auto height_of = [i](const RutBlock& of) {
        return static_cast<float>(of.cells[i].rim - of.cells[i].sinkage);
      };
      const float height = height_of(block);
      if (height == (known ? height_of(before.block(b)) : 0)) continue;
      dents.push_back({block.x * kRutBlockCells + i % kRutBlockCells,
                       block.y * kRutBlockCells + i / kRutBlockCells, height});
    }
  }
  before = now;
  return dents;
}

LiveRun::LiveRun(LiveFeed& feed, FrameMaker make_frame, RowMaker make_row,
                 const LiveOptions& options)
    : feed_(feed), make_frame_(std::move(make_frame)), make_row_(std::move(make_row)),
      options_(options) {
  start_clock(0);
  last_frame_ = start_ - 1h;
}

void LiveRun::start_clock(double time) {
  start_time_ = time;
  start_ = Clock::now();
}

void LiveRun::show(const RunStep& step) {
  std::vector<LiveDent> dents;
  if (!step.state.memory.ruts.empty()) {
    dents = find_new_dents(step.state.memory.ruts[0], shown_ruts_);
  }
  feed_.publish(make_frame_(step), dents);
  last_frame_ = Clock::now();
}

// Waits while a viewer wants the run to pause.
void LiveRun::hold(const RunStep& step) {
  if (step.state.time < pause_at_ && !feed_.has_orders(seen_orders_)) return;
  LiveFeed::Orders orders = feed_.take_orders();
  if (orders.paused && orders.step_time < 0) {
    show(step);
    announce(true);
    while (orders.paused && orders.step_time < 0 && !stopped()) {
      feed_.wait_for_orders(orders.version, Clock::now() + kGlance);
      orders = feed_.take_orders();
    }
    start_clock(step.state.time);
  }
  seen_orders_ = orders.version;
  pause_at_ = -1;
  if (!orders.paused) {
    announce(false);
  } else if (orders.step_time >= 0) {
    // Half a time step before the end, which rounding might miss.
    const double timestep = step.world.options.timestep;
    pause_at_ = step.state.time + std::max(orders.step_time, timestep) - 0.5 * timestep;
  }
}

void LiveRun::announce(bool paused) {
  if (paused == announced_pause_) return;
  announced_pause_ = paused;
  feed_.set_state(paused ? LiveState::paused : LiveState::running);
}

void LiveRun::keep_pace(double time) {
  if (options_.speed <= 0) return;
  const Clock::time_point due = start_ + seconds_of_clock((time - start_time_) / options_.speed);
  Clock::time_point now = Clock::now();
  if (now > due + kMostDelay) start_clock(time);
  while (now < due && !stopped()) {
    if (feed_.wait_for_orders(seen_orders_, std::min(due, now + kGlance))) return;
    now = Clock::now();
  }
}

void LiveRun::after_step(const RunStep& step) {
  if (step.recorded) feed_.add_row(make_row_(step));
  keep_pace(step.state.time);
  const double since = std::chrono::duration<double>(Clock::now() - last_frame_).count();
  const bool last = step.state.time > options_.duration - 0.5 * step.world.options.timestep;
  if (since * options_.frame_rate >= 1 || last) show(step);
  hold(step);
}

}  // namespace footfall::serve
