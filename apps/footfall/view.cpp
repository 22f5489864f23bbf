// footfall view: the page of a run file, or of all in a folder, for this machine's browser.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "capture_options.hpp"
#include "commands.hpp"
#include "footfall/error.hpp"
#include "footfall/viewer/page.hpp"
#include "interrupt.hpp"
#include "serve/run_server.hpp"

namespace footfall {
namespace {

struct ViewCommand {
  std::string path;
  int port = 0;
  bool open = false;
  serve::CaptureOptions capture;
};

// Nothing is embedded, so a long run need not be thinned: the page reads what it shows.
serve::ServedPage make_served_page(const std::filesystem::path& file, const std::string& data_url) {
  PageOptions options;
  options.mode = PageMode::served;
  options.data_url = data_url;
  options.most_frames = 200000;
  options.most_rows = 2000000;
  PageContent content = make_run_page(open_run(file), options);
  return {fill_page(content, PageMode::served), std::move(content.bytes)};
}

void view(const ViewCommand& command) {
  if (viewer_html().empty()) throw InputError(std::string(viewer_note()));
  const std::string root = serve::make_root();
  serve::RunServer runs(command.path, make_served_page, root);
  runs.prepare();  // says at once what is wrong with a file
  const InterruptGuard guard;
  const serve::HttpServer server(
      command.port, [&](const serve::HttpRequest& request) { return runs.answer(request); }, root);
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  if (command.open) open_browser(server.address());
  while (!interrupted) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

void run_view(ViewCommand command) {
  if (!command.capture.wanted()) return view(command);
  check_drawing(command.capture);
  command.capture.progress = true;
  draw_page(make_run_page(open_run(command.path)), command.capture);
}

}  // namespace

void add_view_command(CLI::App& app) {
  auto [sub, command] = add_command<ViewCommand>(
      app, "view", "Show a run, or a folder of runs, in the browser", run_view);
  sub.add_option("path", command.path,
                 "Run file, as results/quadruped_drop/run.h5, or a folder of them")
      ->required();
  sub.add_option("--port", command.port, "Port of 127.0.0.1; any free one if it is left out")
      ->check(CLI::Range(1, 65535));
  sub.add_flag("--open", command.open, "Open the page in the browser too");
  add_capture_options(sub, command.capture);
  sub.footer(
      "Prints the address and goes on until Ctrl-C. Nobody but this machine can reach it.\n\n"
      "Examples:\n"
      "  footfall view results/quadruped_drop/run.h5\n"
      "  footfall view results\n"
      "  footfall view results/quadruped_drop/run.h5 --png drop.png --time 0.5");
}

}  // namespace footfall
