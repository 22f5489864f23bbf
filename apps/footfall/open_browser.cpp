#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.hpp"
#include "io/process.hpp"

namespace footfall {

void open_browser(const std::string& address) {
  const std::string program = find_program({"xdg-open", "open"}).string();
  std::string words[] = {program, address};
  char* argv[] = {words[0].data(), words[1].data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&quiet, output, "/dev/null", O_WRONLY, 0);
  }
  // Not a Process: the browser that it may start is the user's and stays.
  pid_t pid = 0;
  const bool started =
      !program.empty() && posix_spawn(&pid, program.c_str(), &quiet, nullptr, argv, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  if (started) return;
  fmt::print(stderr, "footfall: no browser could be opened: open {} by hand\n", address);
}

}  // namespace footfall
