// Pictures and films of a page, without a screen: Chromium opens it, the page draws frame after frame and
// sends them to us, and we write the picture or hand them to ffmpeg.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>

#include "serve/http.hpp"

namespace footfall::serve {

struct CaptureOptions {
  static constexpr double kEnd = 1e9;  // later than any run: its end [s]

  std::filesystem::path png, video;         // empty: not wanted
  int width = 1280, height = 720;           // [pixels], even
  std::string theme = "light";              // or "dark"
  std::string camera;                       // "overview", "side", …; empty: as the page chooses
  double time = kEnd;                       // of the picture [s]
  double from = 0, to = kEnd;               // of the video: times of the run [s]
  double fps = 30;                          // of the video [frames/s]
  double speed = 1;                         // of the video: time of the run per time of the film
  bool progress = false;                    // a bar on stderr, if that is a terminal
  const std::atomic<bool>* stop = nullptr;  // true: give up

  std::string typed_alone{};  // the last option that was typed and needs a picture or film

  bool wanted() const { return !png.empty() || !video.empty(); }
};

// Where pages send their pictures.
inline constexpr std::string_view kCapturePath = "/capture";

// Before any work is done: throws InputError where an option makes no sense, a file cannot be written, or a
// program is missing.
void check_capture(const CaptureOptions& options);

// Makes what is wanted. `page` answers requests for the page at "/" and all that it reads. Throws
// std::runtime_error where the browser or ffmpeg fails or hangs, with their last lines; false: stopped.
bool capture_page(const HttpHandler& page, const CaptureOptions& options);

}  // namespace footfall::serve
