#include "serve/live_feed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace footfall::serve {
namespace {

// A stream that says nothing for long looks broken, and one that was left is noticed only by writing.
constexpr std::chrono::seconds kHeartbeat{2};
constexpr double kLongestStep = 60;  // by which a viewer may let a paused run go on [s]

const char* state_name(LiveState state) {
  constexpr const char* names[] = {"running", "paused", "finished", "failed"};
  return names[static_cast<std::size_t>(state)];
}

std::string dents_text(const std::vector<LiveDent>& dents) {
  fmt::memory_buffer out;
  for (const LiveDent& dent : dents) {
    fmt::format_to(std::back_inserter(out), "{}{},{},{:.5g}", out.size() == 0 ? "" : ",",
                   dent.column, dent.row, dent.height);
  }
  return fmt::to_string(out);
}

std::string rows_text(const std::vector<std::vector<double>>& rows) {
  fmt::memory_buffer out;
  for (const std::vector<double>& row : rows) {
    for (const double value : row) {
      if (out.size() > 0) out.push_back(',');
      if (std::isfinite(value)) {
        fmt::format_to(std::back_inserter(out), "{:.7g}", value);
      } else {
        fmt::format_to(std::back_inserter(out), "null");  // JSON has no other word for it
      }
    }
  }
  return fmt::to_string(out);
}

}  // namespace

// What one viewer has been sent.
struct LiveFeed::Viewer {
  explicit Viewer(LiveFeed& of) : feed(of) {}
  ~Viewer() {
    const std::scoped_lock lock(feed.mutex_);
    --feed.viewers_;
    feed.for_run_.notify_all();
  }
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  LiveFeed& feed;
  std::uint64_t frame = 0, state = 0, row = 0;
  std::size_t dents = 0;
};

void LiveFeed::add_row(std::vector<double> row) {
  const std::scoped_lock lock(mutex_);
  rows_.push_back(std::move(row));
  ++row_number_;
  if (rows_.size() > kMostRows) rows_.pop_front();
}

void LiveFeed::publish(std::string frame, const std::vector<LiveDent>& dents) {
  auto shared = std::make_shared<const std::string>(std::move(frame));
  {
    const std::scoped_lock lock(mutex_);
    frame_ = std::move(shared);
    ++frame_number_;
    published_row_number_ = row_number_;
    dents_.insert(dents_.end(), dents.begin(), dents.end());
  }
  for_viewers_.notify_all();
}

void LiveFeed::set_state(LiveState state, const std::string& message, const std::string& report) {
  const nlohmann::json json = {{"state", state_name(state)}, {"message", message}};
  std::string text = json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (!report.empty()) {
    text.pop_back();  // "}"
    text += fmt::format(",\"report\":{}}}", report);
  }
  {
    const std::scoped_lock lock(mutex_);
    state_ = std::move(text);
    ++state_number_;
    ended_ = state == LiveState::finished || state == LiveState::failed;
  }
  for_viewers_.notify_all();
}

LiveFeed::Orders LiveFeed::take_orders() {
  const std::scoped_lock lock(mutex_);
  const Orders now = orders_;
  orders_.step_time = -1;
  return now;
}

bool LiveFeed::has_orders(std::uint64_t known_version) {
  const std::scoped_lock lock(mutex_);
  return orders_.version != known_version;
}

bool LiveFeed::wait_for_orders(std::uint64_t known_version, Clock::time_point until) {
  std::unique_lock lock(mutex_);
  return for_run_.wait_until(lock, until, [&] { return orders_.version != known_version; });
}

bool LiveFeed::wait_for_viewer(Clock::time_point until) {
  std::unique_lock lock(mutex_);
  return for_run_.wait_until(lock, until, [&] { return had_viewer_; });
}

void LiveFeed::wait_for_goodbye(Clock::time_point until) {
  std::unique_lock lock(mutex_);
  for_run_.wait_until(lock, until, [&] { return viewers_ == 0; });
}

void LiveFeed::close() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  for_viewers_.notify_all();
}

int LiveFeed::viewer_count() {
  const std::scoped_lock lock(mutex_);
  return viewers_;
}

bool LiveFeed::has_news(const Viewer& viewer) const {
  return closed_ || ended_ || viewer.frame != frame_number_ || viewer.state != state_number_;
}

std::optional<std::string> LiveFeed::next_events(Viewer& viewer) {
  std::shared_ptr<const std::string> frame;
  std::vector<LiveDent> dents;
  std::vector<std::vector<double>> rows;
  std::string events;
  {
    std::unique_lock lock(mutex_);
    const bool news = for_viewers_.wait_for(lock, kHeartbeat, [&] { return has_news(viewer); });
    if (!news) return ": still here\n\n";
    if (closed_) return std::nullopt;
    if (viewer.frame != frame_number_) {
      frame = frame_;
      dents.assign(dents_.begin() + static_cast<std::ptrdiff_t>(viewer.dents), dents_.end());
      viewer.frame = frame_number_;
      viewer.dents = dents_.size();
      const std::uint64_t first = row_number_ - rows_.size();  // that is kept
      for (std::uint64_t i = std::max(viewer.row, first); i < published_row_number_; ++i) {
        rows.push_back(rows_[i - first]);
      }
      viewer.row = published_row_number_;
    }
    if (viewer.state != state_number_) events = fmt::format("event: state\ndata: {}\n\n", state_);
    viewer.state = state_number_;
  }
  if (frame) {  // before the state: a run that has ended shows its end
    std::string text = *frame;
    text.pop_back();  // "}"
    if (!rows.empty()) text += fmt::format(",\"rows\":[{}]", rows_text(rows));
    if (!dents.empty()) text += fmt::format(",\"dents\":[{}]", dents_text(dents));
    text += "}";
    events = fmt::format("data: {}\n\n", text) + events;
  }
  if (events.empty()) return std::nullopt;  // it has ended, and the viewer knows
  return events;
}

HttpReply LiveFeed::open_stream() {
  HttpReply reply;
  {
    const std::scoped_lock lock(mutex_);
    if (viewers_ >= kMostViewers) {
      return reply_error(503, fmt::format("{} viewers are watching already", kMostViewers));
    }
    ++viewers_;
    had_viewer_ = true;
  }
  for_run_.notify_all();
  reply.type = "text/event-stream";
  reply.stream = [this, viewer = std::make_shared<Viewer>(*this)] { return next_events(*viewer); };
  return reply;
}

HttpReply LiveFeed::order(const HttpRequest& request, const std::string& what) {
  if (what != "/pause" && what != "/resume" && what != "/step") {
    return reply_error(404, "expected pause, resume or step");
  }
  double seconds = -1;
  if (what == "/step") {
    const auto found = request.query.find("seconds");
    const std::string text = found == request.query.end() ? "0" : found->second;
    char* end = nullptr;
    seconds = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0' || !(seconds >= 0 && seconds <= kLongestStep)) {
      return reply_error(
          400, fmt::format("seconds = {}, expected 0 (one time step) to {:g}", text, kLongestStep));
    }
  }
  {
    const std::scoped_lock lock(mutex_);
    orders_.paused = what != "/resume";
    orders_.step_time = seconds;
    ++orders_.version;
  }
  for_run_.notify_all();
  HttpReply reply;
  reply.status = 204;
  return reply;
}

HttpReply LiveFeed::answer(const HttpRequest& request, const std::string& path) {
  if (request.method == "POST") return order(request, path);
  if (!path.empty()) return reply_error(404, "there is nothing here");
  return open_stream();
}

}  // namespace footfall::serve
