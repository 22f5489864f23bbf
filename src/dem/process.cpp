#include "dem/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "footfall/dem/engine.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has us declare it

namespace footfall {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kAskEvery = std::chrono::milliseconds(100);
constexpr auto kGrace = std::chrono::seconds(2);  // between asking a group to end and killing it

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { close(); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw EngineError(fmt::format("no pipe to another program: {}", std::strerror(errno)));
  }
  return ends;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> full_environment(const std::vector<std::string>& additions) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  all.insert(all.end(), additions.begin(), additions.end());
  return all;
}

// Between fork and exec only what a signal handler may do too: another thread may have held a lock.
[[noreturn]] void become(char* const* arguments, char* const* environment, const char* folder,
                         pid_t parent, int output, int failure) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // mpirun ends its own children on SIGTERM, not on SIGKILL
  if (::getppid() != parent) ::_exit(127);
  const int nothing = ::open("/dev/null", O_RDONLY);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
      ::dup2(output, STDERR_FILENO) >= 0 && ::chdir(folder) == 0) {
    ::execve(arguments[0], arguments, environment);
  }
  const int error = errno;
  static_cast<void>(!::write(failure, &error, sizeof error));
  ::_exit(127);
}

class Child {
 public:
  explicit Child(const ProcessCall& call) {
    const std::array<int, 2> output = make_pipe();
    FileDescriptor output_read(output[0]), output_write(output[1]);
    const std::array<int, 2> failure = make_pipe();
    const FileDescriptor failure_read(failure[0]);
    FileDescriptor failure_write(failure[1]);
    std::vector<std::string> words = call.arguments;
    std::vector<std::string> settings = full_environment(call.environment);
    const std::vector<char*> arguments = pointers(words), environment = pointers(settings);
    const std::string folder = call.folder.string();
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
      become(arguments.data(), environment.data(), folder.c_str(), parent, output[1], failure[1]);
    }
    const int fork_error = errno;
    output_write.close();
    failure_write.close();
    int error = fork_error;
    if (pid_ < 0 || ::read(failure_read.number(), &error, sizeof error) == sizeof error) {
      if (pid_ > 0) wait();
      throw EngineError(
          fmt::format("{} cannot be started in {}: {}", words[0], folder, std::strerror(error)));
    }
    output_ = output_read.release();
  }
  ~Child() {
    if (!ended_) end();
    ::close(output_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int output() const { return output_; }

  ProcessEnd wait() {
    int state = 0;
    while (::waitpid(pid_, &state, 0) < 0 && errno == EINTR) {
    }
    ended_ = true;
    return {.status = WIFEXITED(state) ? WEXITSTATUS(state) : 0,
            .signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0,
            .stopped = false};
  }

  // Asks the whole group to end, and makes it.
  void end() {
    ::kill(-pid_, SIGTERM);
    const auto deadline = Clock::now() + kGrace;
    int state = 0;
    while (Clock::now() < deadline) {
      if (::waitpid(pid_, &state, WNOHANG) != 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, &state, 0) < 0 && errno == EINTR) {
    }
    ended_ = true;
  }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  bool ended_ = false;
};

// Hands on whole lines, and what is left at the end.
class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& on_line) : on_line_(on_line) {}
  void add(std::string_view text) {
    pending_ += text;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = pending_.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      tell(std::string_view(pending_).substr(begin, end - begin));
    }
    pending_.erase(0, begin);
  }
  void finish() {
    if (!pending_.empty()) tell(pending_);
  }

 private:
  void tell(std::string_view line) const {
    if (on_line_) on_line_(line);
  }
  const std::function<void(std::string_view)>& on_line_;
  std::string pending_;
};

}  // namespace

std::filesystem::path find_program(const std::string& name) {
  const auto runs = [](const std::filesystem::path& path) {
    return ::access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path);
  };
  if (name.find('/') != std::string::npos) {
    return runs(name) ? std::filesystem::absolute(name) : std::filesystem::path();
  }
  const char* list = std::getenv("PATH");
  std::string_view rest = list == nullptr ? "/usr/bin:/bin" : list;
  while (!rest.empty() && !name.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::filesystem::path path = std::filesystem::path(rest.substr(0, end)) / name;
    if (end > 0 && runs(path)) return path;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

ProcessEnd run_process(const ProcessCall& call) {
  Child child(call);
  Lines lines(call.on_line);
  std::array<char, 65536> buffer{};
  auto asked = Clock::now();
  for (;;) {
    if (call.stop && Clock::now() - asked >= kAskEvery) {
      asked = Clock::now();
      if (call.stop()) {
        child.end();
        return {.status = 0, .signal = SIGTERM, .stopped = true};
      }
    }
    pollfd ready{.fd = child.output(), .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, static_cast<int>(kAskEvery.count())) <= 0) continue;
    const ssize_t count = ::read(child.output(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    lines.add({buffer.data(), static_cast<std::size_t>(count)});
  }
  lines.finish();
  return child.wait();
}

}  // namespace footfall
