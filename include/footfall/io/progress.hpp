// A progress bar on stderr, for people: only when that is a terminal, and not before two seconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace footfall {

// "[█████▌    ] 55 %, 0:12 left": what the bar shows, `width` characters between the brackets.
std::string format_progress(double fraction, double elapsed_s, int width);

class ProgressBar {
 public:
  explicit ProgressBar(std::int64_t total, bool on = true);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Cheap: looks at the clock only now and then.
  void update(std::int64_t done);
  // Takes the bar off the terminal.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::int64_t total_;
  bool on_;
  bool shown_ = false;
  std::int64_t calls_ = 0;
  Clock::time_point start_, last_;
};

}  // namespace footfall
