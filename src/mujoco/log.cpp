#include "footfall/mujoco/log.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace footfall {
namespace {

struct OpenScope {
  const MujocoLogScope* scope;
  std::thread::id thread;
  std::vector<std::string> warnings;
};

// All scopes that are open now, oldest first, and the handler to bring back after the last.
struct Registry {
  std::mutex mutex;
  std::vector<OpenScope> open;
  mjfLogHandler previous = nullptr;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

void keep_warning(const std::string& text) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  if (r.open.empty()) return;
  const auto own = std::find_if(r.open.rbegin(), r.open.rend(), [](const OpenScope& s) {
    return s.thread == std::this_thread::get_id();
  });
  (own == r.open.rend() ? r.open.back() : *own).warnings.push_back(text);
}

// MuJoCo requires that an error does not return. It unwinds as MuJoCo's own compiler does it: by
// an exception through the engine's frames.
void handle_message(const mjLogMessage* message) {
  if (message->level == mjLOG_ERROR) throw MujocoError(on_one_line(message->subject));
  if (message->level == mjLOG_WARNING) keep_warning(on_one_line(message->subject));
}

}  // namespace

MujocoLogScope::MujocoLogScope() {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  if (r.open.empty()) r.previous = mju_setLogHandler(handle_message);
  r.open.push_back({this, std::this_thread::get_id(), {}});
}

MujocoLogScope::~MujocoLogScope() {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  std::erase_if(r.open, [this](const OpenScope& s) { return s.scope == this; });
  if (r.open.empty()) mju_setLogHandler(r.previous);
}

std::vector<std::string> MujocoLogScope::take_warnings() {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  const auto own = std::find_if(r.open.begin(), r.open.end(),
                                [this](const OpenScope& s) { return s.scope == this; });
  return std::exchange(own->warnings, {});
}

std::string on_one_line(const std::string& message) {
  std::string line;
  for (std::size_t start = 0; start < message.size();) {
    const std::size_t end = std::min(message.find('\n', start), message.size());
    const std::size_t first = message.find_first_not_of(" \t\r", start);
    if (first < end) {
      const std::size_t last = message.find_last_not_of(" \t\r", end - 1);
      if (!line.empty()) line += line.back() == ':' ? " " : ", ";
      line += message.substr(first, last + 1 - first);
    }
    start = end + 1;
  }
  return line;
}

}  // namespace footfall
