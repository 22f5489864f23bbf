#include "capture_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "input_error.hpp"
#include "interrupt.hpp"

namespace footfall {
namespace {

void read_size(const std::string& text, serve::CaptureOptions& options) {
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, options.width);
  if (width.ec == std::errc() && width.ptr != end && *width.ptr == 'x') {
    const auto height = std::from_chars(width.ptr + 1, end, options.height);
    if (height.ec == std::errc() && height.ptr == end) return;
  }
  throw input_error("--size = '{}', expected as 1280x720", text);
}

}  // namespace

void add_capture_options(CLI::App& command, serve::CaptureOptions& options) {
  constexpr const char* kGroup = "Pictures, without a screen";
  const auto add = [&](const char* name, auto& value, const char* meaning) {
    return command.add_option(name, value, meaning)->group(kGroup);
  };
  // Of a picture or a film, which somebody who gives it must want.
  const auto note = [&options](const char* name) {
    return [&options, name](const std::string& /*value*/) { options.typed_alone = name; };
  };
  add("--png", options.png, "Draw a picture into this file");
  add("--video", options.video, "Draw a film into this file, H.264 in MP4");
  command
      .add_option_function<std::string>(
          "--size", [&options](const std::string& text) { read_size(text, options); },
          "Width and height in pixels, as 1280x720 (the default)")
      ->each(note("--size"))
      ->group(kGroup)
      ->type_name("WxH");
  add("--theme", options.theme, "light (the default) or dark")->each(note("--theme"));
  add("--camera", options.camera, "overview (the default), side, front, top or feet")
      ->each(note("--camera"));
  add("--time", options.time, "Time of the picture in s; the end if it is left out")
      ->needs("--png");
  add("--from", options.from, "Time at which the film starts, in s; 0 if it is left out")
      ->needs("--video");
  add("--to", options.to, "Time at which the film ends, in s; the end if it is left out")
      ->needs("--video");
  add("--fps", options.fps, "Frames per second of the film; 30 if it is left out")
      ->needs("--video");
  add("--speed", options.speed, "Speed of the film: 0.25 is four times slower than real time")
      ->needs("--video");
}

void check_drawing(const serve::CaptureOptions& options) {
  if (!options.wanted() && !options.typed_alone.empty()) {
    throw input_error("{} needs --png or --video", options.typed_alone);
  }
  serve::check_capture(options);
  if (options.wanted() && viewer_html().empty()) throw InputError(std::string(viewer_note()));
}

void check_times(const serve::CaptureOptions& options, double end) {
  constexpr double kRoundOff = 1e-9;
  const auto check = [&](const char* option, double time) {
    if (time == serve::CaptureOptions::kEnd || (time >= 0 && time <= end + kRoundOff)) return;
    throw input_error("{} = {} s is outside of the run, expected 0 to {} s", option, time, end);
  };
  check("--time", options.time);
  check("--from", options.from);
  check("--to", options.to);
  if (options.from > options.to) {
    throw input_error("--from = {} s is after --to = {} s", options.from, options.to);
  }
}

void draw_page(const PageContent& content, const serve::CaptureOptions& options) {
  double end = 0;
  const Json page = Json::parse(content.json);
  for (const Json& run : page.at("runs")) end = std::fmax(end, run.at("duration").get<double>());
  check_times(options, end);
  const auto html = std::make_shared<const std::string>(fill_page(content));
  const auto answer = [&](const serve::HttpRequest& request) {
    if (request.path != "/") return serve::reply_error(404, "there is nothing here");
    serve::HttpReply reply;
    reply.type = "text/html; charset=utf-8";
    reply.bytes = *html;
    reply.owner = html;
    return reply;
  };
  const InterruptGuard guard;
  serve::CaptureOptions full = options;
  full.stop = &interrupted;
  if (!serve::capture_page(answer, full)) throw CLI::RuntimeError(130);
  for (const std::filesystem::path& file : {options.png, options.video}) {
    if (!file.empty() && options.progress) fmt::print("Drawn:   {}\n", file.string());
  }
}

}  // namespace footfall
