#include "footfall/io/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace footfall {
namespace {

constexpr double kQuietTime = 2.0;  // before the bar appears [s]
constexpr double kInterval = 0.1;   // between two looks of it [s]
constexpr int kWidth = 30;

}  // namespace

std::string format_progress(double fraction, double elapsed_s, int width) {
  constexpr const char* kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double share = std::clamp(fraction, 0.0, 1.0);
  const int eighths = static_cast<int>(std::floor(share * 8 * width));
  std::string bar;
  for (int i = 0; i < eighths / 8; ++i) bar += "█";
  bar += kParts[eighths % 8];
  const int filled = eighths / 8 + (eighths % 8 > 0 ? 1 : 0);
  bar.append(static_cast<std::size_t>(std::max(width - filled, 0)), ' ');
  std::string left = "?";
  if (share > 0) {
    const double seconds = std::min(elapsed_s * (1 - share) / share, 3600.0 * 99);
    const int whole = static_cast<int>(std::ceil(seconds));
    left = whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                        : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return fmt::format("[{}] {:3.0f} %, {} left", bar, std::floor(100 * share), left);
}

ProgressBar::ProgressBar(std::int64_t total, bool on)
    : total_(std::max<std::int64_t>(total, 1)), on_(on && isatty(STDERR_FILENO) != 0),
      start_(Clock::now()), last_(start_) {}

void ProgressBar::update(std::int64_t done) {
  if (!on_ || ++calls_ % 64 != 0) return;
  const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
  const Clock::time_point now = Clock::now();
  const double elapsed = seconds(now - start_);
  if (elapsed < kQuietTime || (shown_ && seconds(now - last_) < kInterval)) return;
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  fmt::print(stderr, "\r{}\x1b[K", format_progress(share, elapsed, kWidth));
  std::fflush(stderr);
  shown_ = true;
  last_ = now;
}

void ProgressBar::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace footfall
