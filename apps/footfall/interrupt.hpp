// Ctrl-C, and a machine that asks its programs to end: the first one asks for an orderly end, a second
// one ends the program at once.
#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace footfall {

inline std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// While it lives, SIGINT and SIGTERM set `interrupted`.
class InterruptGuard {
 public:
  InterruptGuard() {
    struct sigaction action{};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < 2; ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~InterruptGuard() {
    for (std::size_t i = 0; i < 2; ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM};
  std::array<struct sigaction, 2> before_{};
};

}  // namespace footfall
