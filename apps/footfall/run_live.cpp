#include "run_live.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "input_error.hpp"
#include "interrupt.hpp"
#include "open_browser.hpp"
#include "serve/live_page.hpp"
#include "serve/live_run.hpp"
#include "viewer/fill.hpp"

namespace footfall {
namespace {

using namespace std::chrono_literals;

constexpr auto kGoodbyeTime = 10s;  // that viewers have to read how the run ended, and its report
constexpr const char* kLiveAddress = "/live";

double read_live_speed(const std::string& text) {
  if (text == "max") return 0;
  char* end = nullptr;
  const double speed = std::strtod(text.c_str(), &end);
  if (end != text.c_str() && *end == '\0' && speed >= 1e-4 && speed <= 1e4) return speed;
  throw input_error("--live-speed = '{}', expected 0.0001 to 10000 (1 is real time), or max", text);
}

}  // namespace

struct LiveRunServer::Parts {
  Parts(const Scenario& scenario, const RunSetup& setup, const std::string& command_line,
        const LiveRunOptions& options)
      : page(setup, {scenario.text, scenario.file.string(), command_line}),
        duration(static_cast<double>(step_count(scenario)) * scenario.step.timestep),
        live(
            feed, [this](const RunStep& step) { return page.make_frame(step); },
            [this](const RunStep& step) { return page.make_values(step); },
            {.speed = read_live_speed(options.speed), .duration = duration, .stop = &interrupted}),
        content(page.make(duration, "/data", kLiveAddress)),
        html(fill_page(content, PageMode::live)),
        server(options.port,
               [this](const serve::HttpRequest& request) { return answer(request); }) {}

  serve::HttpReply answer(const serve::HttpRequest& request) {
    serve::HttpReply reply;
    if (request.path.starts_with(kLiveAddress)) {
      return feed.answer(request, request.path.substr(std::string_view(kLiveAddress).size()));
    }
    if (request.method != "GET" || (request.path != "/" && request.path != "/data")) {
      return serve::reply_error(404, "there is nothing here");
    }
    reply.type = request.path == "/" ? "text/html; charset=utf-8" : "application/octet-stream";
    reply.body = request.path == "/" ? html : content.bytes;
    return reply;
  }

  serve::LiveFeed feed;
  serve::LivePage page;
  double duration;  // [s]
  serve::LiveRun live;
  PageContent content;
  std::string html;
  bool finished = false;
  serve::HttpServer server;  // the last, so that it ends first
};

LiveRunServer::LiveRunServer(const Scenario& scenario, const RunSetup& setup,
                             const std::string& command_line, const LiveRunOptions& options) {
  if (viewer_html().empty()) throw InputError(std::string(viewer_note()));
  parts_ = std::make_unique<Parts>(scenario, setup, command_line, options);
  parts_->feed.set_state(serve::LiveState::running);
  if (options.open) open_browser(address());
}

LiveRunServer::~LiveRunServer() {
  serve::LiveFeed& feed = parts_->feed;
  if (!parts_->finished) feed.set_state(serve::LiveState::failed, "see what the program says");
  feed.wait_for_goodbye(serve::LiveFeed::Clock::now() + kGoodbyeTime);
  feed.close();
}

std::string LiveRunServer::address() const { return parts_->server.address(); }

bool LiveRunServer::wait_for_viewer() {
  while (!interrupted) {
    if (parts_->feed.wait_for_viewer(serve::LiveFeed::Clock::now() + 50ms)) return true;
  }
  return false;
}

void LiveRunServer::after_step(const RunStep& step) { parts_->live.after_step(step); }

void LiveRunServer::finish(const RunSummary& summary, const PageContent& report) {
  parts_->finished = true;
  std::string text;
  if (!report.json.empty()) {
    text =
        fmt::format(R"({{"page":{},"data":"{}"}})", report.json, viewer::embed_bytes(report.bytes));
  }
  const std::string file = summary.result_file.string();
  parts_->feed.set_state(serve::LiveState::finished,
                         fmt::format("{} {:g} s{}",
                                     summary.interrupted ? "interrupted after" : "at", summary.time,
                                     file.empty() ? "" : fmt::format("; footfall view {}", file)),
                         text);
}

}  // namespace footfall
