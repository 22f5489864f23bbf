#include "serve/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

namespace footfall::serve {
namespace {

constexpr std::chrono::milliseconds kLookAgain{5};
constexpr std::size_t kLongestBase = 40;  // path of the folder for temporary ones [characters]
constexpr timeval kWriteTimeout{60, 0};   // a child that reads nothing for so long hangs

[[noreturn]] void fail_call(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// All that the child needs between fork and exec, where nothing may be allocated.
struct Launch {
  std::vector<std::string> words, settings;
  std::vector<char*> argv, envp;
  int input = -1, log = -1, error_pipe = -1;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

void prepare_launch(const ChildOptions& options, Launch& launch) {
  launch.words = {options.program.string()};
  launch.words.insert(launch.words.end(), options.arguments.begin(), options.arguments.end());
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string setting = *at;
    if (!options.environment.contains(setting.substr(0, setting.find('=')))) {
      launch.settings.push_back(setting);
    }
  }
  for (const auto& [key, value] : options.environment) {
    launch.settings.push_back(fmt::format("{}={}", key, value));
  }
  launch.argv = pointers_to(launch.words);
  launch.envp = pointers_to(launch.settings);
}

// In the child: only calls that a signal handler may make.
[[noreturn]] void become_program(const Launch& launch, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before it could be noticed
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(launch.input, STDIN_FILENO);
  dup2(launch.log, STDOUT_FILENO);
  dup2(launch.log, STDERR_FILENO);
  execve(launch.argv[0], launch.argv.data(), launch.envp.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(launch.error_pipe, &error, sizeof error);
  _exit(127);
}

}  // namespace

std::filesystem::path find_program(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");
  for (const std::string& name : names) {
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      std::filesystem::path file = std::filesystem::path(folder) / name;
      std::error_code error;
      if (std::filesystem::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0) {
        return file;
      }
    }
  }
  return {};
}

Child::Child(const ChildOptions& options) : log_(options.log) {
  Launch launch;
  prepare_launch(options, launch);
  int ends[2], errors[2];
  const std::string log = options.log.empty() ? "/dev/null" : options.log.string();
  launch.log = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (launch.log < 0) fail_call(log);
  // A socket, not a pipe: writing to one that nobody reads raises no signal.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail_call("socketpair");
  setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &kWriteTimeout, sizeof kWriteTimeout);
  if (pipe2(errors, O_CLOEXEC) != 0) fail_call("pipe");
  launch.input = ends[1];
  launch.error_pipe = errors[1];
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become_program(launch, parent);
  const int fork_error = errno;
  setpgid(pid_, pid_);  // here too: whoever comes first
  input_ = ends[0];
  for (const int end : {ends[1], errors[1], launch.log}) close(end);
  int error = pid_ < 0 ? fork_error : 0;
  if (pid_ >= 0 && read(errors[0], &error, sizeof error) != sizeof error) error = 0;
  close(errors[0]);
  if (error == 0) return;
  close_input();
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
  errno = error;
  fail_call(options.program.string());
}

Child::~Child() {
  close_input();
  kill(-pid_, SIGKILL);  // also what it started and left behind
  if (!status_) waitpid(pid_, nullptr, 0);
}

bool Child::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Child::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

std::optional<int> Child::status() {
  if (status_) return status_;
  int raw = 0;
  if (waitpid(pid_, &raw, WNOHANG) == pid_) {
    status_ = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  }
  return status_;
}

std::optional<int> Child::wait(std::chrono::steady_clock::time_point until) {
  while (!status() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kLookAgain);
  }
  return status_;
}

std::string Child::last_lines(int count) const {
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

}  // namespace footfall::serve
