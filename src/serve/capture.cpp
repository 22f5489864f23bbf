#include "serve/capture.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "footfall/io/new_file.hpp"
#include "footfall/io/progress.hpp"
#include "input_error.hpp"
#include "io/process.hpp"

namespace footfall::serve {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kPatience = 120s;  // without news of a program that works for us
constexpr int kLastLines = 8;
constexpr int kSmallest = 64, kLargest = 7680;  // sides of a picture [pixels]

std::filesystem::path find_browser() {
  return find_program({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"});
}

void check_output(const std::filesystem::path& file, const char* option, const char* ending) {
  if (file.empty()) return;
  if (file.extension() != ending) {
    throw input_error("{} = '{}', expected a name that ends in {}", option, file.string(), ending);
  }
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (access(folder.c_str(), W_OK) != 0) {
    throw input_error("{} = '{}': its folder does not exist or cannot be written to", option,
                      file.string());
  }
}

// Frames on their way from the page, which sends one after the other, to the thread that uses them.
class FrameBox {
 public:
  struct News {
    std::optional<std::string> frame;
    int count = 0;  // of frames in all; 0: not known
    bool is_jpeg = false;
    std::string error;  // that the page met
    bool done = false;  // no frame will follow
  };

  // POST /frame?index=0&count=30, /done, /error: what the page says. It is answered when somebody has
  // taken it out, so that it is never ahead of who uses its frames.
  HttpReply put(const HttpRequest& request, const std::string& what) {
    std::unique_lock lock(mutex_);
    HttpReply reply;
    if (what == "/error") {
      news_.error = request.body.empty() ? "no reason was given" : request.body;
    } else if (what == "/done") {
      news_.done = true;
    } else {
      const auto count = request.query.find("count");
      news_.count = count == request.query.end()
                        ? 0
                        : static_cast<int>(std::strtol(count->second.c_str(), nullptr, 10));
      news_.is_jpeg = request.content_type == "image/jpeg";
      news_.frame = request.body;
    }
    changed_.notify_all();
    const bool taken = changed_.wait_for(lock, kPatience, [&] { return !has_news() || closed_; });
    if (!taken || closed_) return reply_error(503, "no more pictures are wanted");
    reply.status = 204;
    return reply;
  }

  // Nothing: none came for a moment.
  std::optional<News> take() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, 50ms, [&] { return has_news(); })) return std::nullopt;
    News out = std::move(news_);
    news_ = {};
    lock.unlock();
    changed_.notify_all();
    return out;
  }

  void close() {
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

 private:
  bool has_news() const { return news_.frame || news_.done || !news_.error.empty(); }

  std::mutex mutex_;
  std::condition_variable changed_;
  News news_;
  bool closed_ = false;
};

ProcessOptions browser_options(const std::filesystem::path& folder, const std::string& url,
                               const CaptureOptions& options) {
  ProcessOptions out{.arguments = {find_browser().string()}, .log = folder / "browser.log"};
  // A profile of its own, no network but ours, a graphics card in software.
  add_words(
      "--headless --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic "
      "--disable-background-networking --disable-component-update --disable-sync "
      "--disable-extensions --disable-default-apps --disable-breakpad --disable-dev-shm-usage "
      "--disable-background-timer-throttling --disable-renderer-backgrounding "
      "--disable-features=Translate,OptimizationHints,MediaRouter --no-first-run "
      "--no-default-browser-check --no-proxy-server --password-store=basic --mute-audio "
      "--hide-scrollbars --force-device-scale-factor=1 --enable-logging=stderr",
      out.arguments);
  out.arguments.push_back("--user-data-dir=" + (folder / "profile").string());
  out.arguments.push_back(fmt::format("--window-size={},{}", options.width, options.height));
  if (geteuid() == 0) out.arguments.emplace_back("--no-sandbox");  // it refuses root otherwise
  out.arguments.push_back(url);
  out.environment = {"HOME=" + folder.string(), "TMPDIR=" + folder.string(),
                     "XDG_CONFIG_HOME=" + (folder / "config").string(),
                     "XDG_CACHE_HOME=" + (folder / "cache").string()};
  return out;
}

ProcessOptions encoder_options(const std::filesystem::path& folder,
                               const std::filesystem::path& file, bool is_jpeg,
                               const CaptureOptions& options) {
  ProcessOptions out{.arguments = {find_program({"ffmpeg"}).string()},
                     .log = folder / "ffmpeg.log"};
  add_words(fmt::format("-hide_banner -loglevel warning -y -f image2pipe -c:v {} -framerate {} "
                        "-i pipe:0 -c:v libx264 -preset medium -crf 18 -pix_fmt yuv420p "
                        "-movflags +faststart -f mp4",
                        is_jpeg ? "mjpeg" : "png", options.fps),
            out.arguments);
  out.arguments.push_back(file.string());
  return out;
}

std::string end_text(const ProcessEnd& end) {
  return fmt::format("ended with {} {}", end.signal != 0 ? "signal" : "status",
                     end.signal != 0 ? end.signal : end.status);
}

std::string failure_text(const Process& process, const char* name, const std::string& what) {
  const std::string lines = process.last_lines(kLastLines);
  return fmt::format("{} {}{}{}", name, what, lines.empty() ? "" : "; its last lines:", lines);
}

// One opening of the page: draws a picture or a film.
class Session {
 public:
  Session(const HttpHandler& page, const CaptureOptions& options)
      : options_(options),
        server_(
            0,
            [this, page](const HttpRequest& request) {
              const bool ours = request.method == "POST" && request.path.starts_with(kCapturePath);
              return ours ? box_.put(request, request.path.substr(kCapturePath.size()))
                          : page(request);
            },
            make_root()) {}
  ~Session() { box_.close(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Calls `use` with each frame, in order. False: stopped.
  template <class Use>
  bool draw(const std::string& query, const Use& use) {
    Process browser(browser_options(folder_.path(), server_.address() + "?" + query, options_));
    Clock::time_point last_news = Clock::now();
    std::optional<ProgressBar> bar;
    for (int done = 0;;) {
      if (options_.stop != nullptr && options_.stop->load()) return false;
      const std::optional<FrameBox::News> news = box_.take();
      if (!news) {
        check_alive(browser, last_news);
        continue;
      }
      last_news = Clock::now();
      if (!news->error.empty()) {
        throw std::runtime_error(failure_text(browser, "the page", "failed: " + news->error));
      }
      if (news->frame) {
        if (!bar && news->count > 0) bar.emplace(news->count, options_.progress);
        use(*news);
        if (bar) bar->update(++done);
      }
      if (news->done) return true;
    }
  }

  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void check_alive(Process& browser, Clock::time_point last_news) {
    if (const auto end = browser.status()) {
      throw std::runtime_error(failure_text(browser, "the browser", end_text(*end)));
    }
    if (Clock::now() - last_news < kPatience) return;
    throw std::runtime_error(failure_text(
        browser, "the browser",
        fmt::format("sent no picture for {} s", std::chrono::seconds(kPatience).count())));
  }

  const CaptureOptions& options_;
  TemporaryFolder folder_;
  FrameBox box_;
  HttpServer server_;
};

std::string common_query(const CaptureOptions& options) {
  std::string query = fmt::format("width={}&height={}&theme={}", options.width, options.height,
                                  encode_path(options.theme));
  if (!options.camera.empty()) query += "&camera=" + encode_path(options.camera);
  return query;
}

void write_bytes(const NewFile& file, const std::string& bytes) {
  std::ofstream out(file.partial(), std::ios::binary);
  out << bytes;
  out.close();
  if (!out) {
    throw OutputError(
        fmt::format("{}: cannot write: {}", file.target().string(), std::strerror(errno)));
  }
}

bool draw_picture(const HttpHandler& page, const CaptureOptions& options) {
  Session session(page, options);
  NewFile file(options.png);
  std::string query = "capture=png&" + common_query(options);
  query += fmt::format("&t={}", options.time);
  const bool done =
      session.draw(query, [&](const FrameBox::News& news) { write_bytes(file, *news.frame); });
  if (done) file.keep();
  return done;
}

bool draw_film(const HttpHandler& page, const CaptureOptions& options) {
  Session session(page, options);
  NewFile file(options.video);
  std::optional<Process> encoder;
  const std::string query =
      fmt::format("capture=video&{}&fps={}&speed={}&from={}&to={}", common_query(options),
                  options.fps, options.speed, options.from, options.to);
  const bool done = session.draw(query, [&](const FrameBox::News& news) {
    if (!encoder) {
      encoder.emplace(encoder_options(session.folder(), file.partial(), news.is_jpeg, options));
    }
    if (!encoder->write(*news.frame)) {
      encoder->wait(Clock::now() + 1s);
      throw std::runtime_error(failure_text(*encoder, "ffmpeg", "takes no more pictures"));
    }
  });
  if (!done) return false;
  if (!encoder) throw std::runtime_error("the page sent no picture");
  encoder->close_input();
  const auto end = encoder->wait(Clock::now() + kPatience);
  if (!end || end->status != 0 || end->signal != 0) {
    throw std::runtime_error(failure_text(*encoder, "ffmpeg", end ? end_text(*end) : "hangs"));
  }
  file.keep();
  return true;
}

}  // namespace

void check_capture(const CaptureOptions& options) {
  if (!options.wanted()) return;
  check_output(options.png, "--png", ".png");
  check_output(options.video, "--video", ".mp4");
  for (const int side : {options.width, options.height}) {
    if (side >= kSmallest && side <= kLargest && side % 2 == 0) continue;
    throw input_error("--size = {}x{}, expected even numbers from {} to {}", options.width,
                      options.height, kSmallest, kLargest);
  }
  check_range("--fps", options.fps, 1, 240, "1 to 240 frames/s");
  check_range("--speed", options.speed, 1e-3, 1e3, "0.001 to 1000");
  if (options.theme != "light" && options.theme != "dark") {
    throw input_error("--theme = '{}', expected light or dark", options.theme);
  }
  constexpr std::array kCameras = {"overview", "side", "front", "top", "feet"};
  if (!options.camera.empty() && std::ranges::find(kCameras, options.camera) == kCameras.end()) {
    throw input_error("--camera = '{}', expected overview, side, front, top or feet",
                      options.camera);
  }
  std::string missing;
  if (find_browser().empty()) missing = "chromium";
  if (!options.video.empty() && find_program({"ffmpeg"}).empty()) {
    missing += missing.empty() ? "ffmpeg" : " and ffmpeg";
  }
  if (missing.empty()) return;
  throw input_error(
      "{} needs {}, not found in PATH; on Debian, as root: apt-get install chromium ffmpeg",
      options.video.empty() ? "--png" : "--video", missing);
}

bool capture_page(const HttpHandler& page, const CaptureOptions& options) {
  check_capture(options);
  if (!options.png.empty() && !draw_picture(page, options)) return false;
  return options.video.empty() || draw_film(page, options);
}

}  // namespace footfall::serve
