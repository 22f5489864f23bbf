// footfall run --live: the page that shows a run while it goes on.
#pragma once

#include <memory>
#include <string>

#include "footfall/run/run.hpp"
#include "footfall/viewer/page.hpp"

namespace footfall {

struct LiveRunOptions {
  bool on = false;
  std::string speed = "1";  // time of the run per time of the clock, or "max"
  int port = 0;             // 0: any free one
  bool open = false;        // also open the browser
};

class LiveRunServer {
 public:
  // Serves the page. Throws InputError for a speed that is none, a port that is taken, and where the
  // program has no viewer.
  LiveRunServer(const Scenario& scenario, const RunSetup& setup, const std::string& command_line,
                const LiveRunOptions& options);
  ~LiveRunServer();  // tells viewers that the run has failed unless finish() was called
  LiveRunServer(const LiveRunServer&) = delete;
  LiveRunServer& operator=(const LiveRunServer&) = delete;

  std::string address() const;
  // Waits for the first viewer, so that nobody misses the start. False: interrupted.
  bool wait_for_viewer();
  void after_step(const RunStep& step);  // for RunOptions::watch
  // Tells viewers that the run has ended and hands them its report, unless that is empty.
  void finish(const RunSummary& summary, const PageContent& report);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
