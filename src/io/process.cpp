#include "io/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

namespace footfall {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookAgain{5}, kAskEvery{100};
constexpr std::chrono::seconds kGrace{2};  // between asking a group to end and killing it
constexpr std::size_t kLongestBase = 40;   // path of the folder for temporary ones [characters]
constexpr timeval kWriteTimeout{60, 0};    // a process that reads nothing for so long hangs

[[noreturn]] void fail_call(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// All that the process needs between fork and exec, where nothing may be allocated.
struct Launch {
  std::vector<std::string> words, settings;
  std::vector<char*> argv, envp;
  std::string folder;
  int input = -1, output = -1, error_pipe = -1;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

void prepare_launch(const ProcessOptions& options, Launch& launch) {
  launch.words = options.arguments;
  launch.settings = options.environment;
  launch.folder = options.folder.empty() ? "." : options.folder.string();
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string setting = *at, start = setting.substr(0, setting.find('=') + 1);
    const auto replaces = [&](const std::string& other) { return other.starts_with(start); };
    if (std::none_of(options.environment.begin(), options.environment.end(), replaces)) {
      launch.settings.push_back(setting);
    }
  }
  launch.argv = pointers_to(launch.words);
  launch.envp = pointers_to(launch.settings);
}

// In the new process: only calls that a signal handler may make, as another thread may have held a lock.
[[noreturn]] void become_program(const Launch& launch, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);     // mpirun ends its own children on SIGTERM, not on SIGKILL
  if (getppid() != parent) _exit(127);  // it died before it could be noticed
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (dup2(launch.input, STDIN_FILENO) >= 0 && dup2(launch.output, STDOUT_FILENO) >= 0 &&
      dup2(launch.output, STDERR_FILENO) >= 0 && chdir(launch.folder.c_str()) == 0) {
    execve(launch.argv[0], launch.argv.data(), launch.envp.data());
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(launch.error_pipe, &error, sizeof error);
  _exit(127);
}

// Reads what the process prints until it ends or is stopped; true: stopped.
bool read_lines(const Process& process, const std::function<void(std::string_view)>& on_line,
                const std::function<bool()>& stop) {
  std::string pending;
  std::array<char, 65536> buffer{};
  for (Clock::time_point asked = Clock::now();;) {
    if (stop && Clock::now() - asked >= kAskEvery) {
      asked = Clock::now();
      if (stop()) return true;
    }
    pollfd ready{.fd = process.output(), .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, static_cast<int>(kAskEvery.count())) <= 0) continue;
    const ssize_t count = read(process.output(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    pending.append(buffer.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = pending.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      on_line(std::string_view(pending).substr(begin, end - begin));
    }
    pending.erase(0, begin);
  }
  if (!pending.empty()) on_line(pending);
  return false;
}

}  // namespace

std::filesystem::path find_program(const std::vector<std::string>& names) {
  const auto runs = [](const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  };
  const char* path = std::getenv("PATH");
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos && runs(name)) return std::filesystem::absolute(name);
    if (name.empty() || name.find('/') != std::string::npos) continue;
    std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      std::filesystem::path file = std::filesystem::path(folder) / name;
      if (!folder.empty() && runs(file)) return file;
    }
  }
  return {};
}

void add_words(const std::string& text, std::vector<std::string>& words) {
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
}

Process::Process(const ProcessOptions& options) : log_(options.log) {
  Launch launch;
  prepare_launch(options, launch);
  int ends[2], errors[2], printed[2] = {-1, -1};
  if (options.log.empty()) {
    if (pipe2(printed, O_CLOEXEC) != 0) fail_call("pipe");
  } else {
    printed[1] = open(options.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (printed[1] < 0) fail_call(options.log.string());
  }
  // A socket, not a pipe: writing to one that nobody reads raises no signal.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail_call("socketpair");
  setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &kWriteTimeout, sizeof kWriteTimeout);
  if (pipe2(errors, O_CLOEXEC) != 0) fail_call("pipe");
  launch.input = ends[1];
  launch.output = printed[1];
  launch.error_pipe = errors[1];
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become_program(launch, parent);
  const int fork_error = errno;
  setpgid(pid_, pid_);  // here too: whoever comes first
  input_ = ends[0];
  output_ = printed[0];
  for (const int end : {ends[1], errors[1], printed[1]}) close(end);
  int error = pid_ < 0 ? fork_error : 0;
  if (pid_ >= 0 && read(errors[0], &error, sizeof error) != sizeof error) error = 0;
  close(errors[0]);
  if (error == 0) return;
  close_input();
  if (output_ >= 0) close(output_);
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
  errno = error;
  fail_call(fmt::format("{} cannot be started in {}", launch.words[0], launch.folder));
}

Process::~Process() {
  close_input();
  if (output_ >= 0) close(output_);
  kill(-pid_, SIGKILL);  // also what it started and left behind
  if (!end_) waitpid(pid_, nullptr, 0);
}

bool Process::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Process::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

std::optional<ProcessEnd> Process::look(int flags) {
  int raw = 0;
  pid_t found = 0;
  while (!end_ && (found = waitpid(pid_, &raw, flags)) < 0 && errno == EINTR) {
  }
  if (!end_ && found == pid_) {
    end_ = {.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 0,
            .signal = WIFSIGNALED(raw) ? WTERMSIG(raw) : 0};
  }
  return end_;
}

std::optional<ProcessEnd> Process::status() { return look(WNOHANG); }

std::optional<ProcessEnd> Process::wait(Clock::time_point until) {
  if (until == Clock::time_point::max()) return look(0);
  while (!status() && Clock::now() < until) std::this_thread::sleep_for(kLookAgain);
  return end_;
}

void Process::ask_to_end() { kill(-pid_, SIGTERM); }

std::string Process::last_lines(int count) const {
  std::vector<std::string> lines;
  std::ifstream file(log_);
  for (std::string line; std::getline(file, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
  }
  std::string out;
  const std::size_t first =
      lines.size() > static_cast<std::size_t>(count) ? lines.size() - count : 0;
  for (std::size_t i = first; i < lines.size(); ++i) out += "\n    " + lines[i];
  return out;
}

ProcessEnd run_process(const ProcessOptions& options,
                       const std::function<void(std::string_view)>& on_line,
                       const std::function<bool()>& stop) {
  Process process(options);
  process.close_input();
  const auto end = [&] {
    process.ask_to_end();
    process.wait(Clock::now() + kGrace);
  };
  try {
    if (!read_lines(process, on_line, stop)) return *process.wait(Clock::time_point::max());
  } catch (...) {
    end();
    throw;
  }
  end();
  return {.status = 0, .signal = SIGTERM, .stopped = true};
}

TemporaryFolder::TemporaryFolder() {
  // Programs make sockets in it, whose whole path may have a hundred characters.
  std::filesystem::path base = std::filesystem::temp_directory_path();
  if (base.native().size() > kLongestBase) base = "/tmp";
  std::string name = (base / "footfall-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) fail_call(name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  // A process that was killed may still be letting go of its files.
  std::error_code error;
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::filesystem::remove_all(path_, error);
    if (!std::filesystem::exists(path_, error)) return;
    std::this_thread::sleep_for(10 * kLookAgain);
  }
}

}  // namespace footfall
