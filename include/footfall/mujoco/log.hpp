// MuJoCo's log, kept out of the user's terminal and working directory.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace footfall {

// An error that MuJoCo's engine raised while a MujocoLogScope was there.
struct MujocoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// While one of these lives, MuJoCo does not print, does not write MUJOCO_LOG.TXT and does not end
// the process: its warnings are collected here and its errors are thrown as MujocoError.
//
// The handler is one per process. It is installed with the first scope and the handler before it
// comes back with the last. Warnings go to the innermost scope of the thread that raised them;
// those of MuJoCo's own worker threads to the newest scope. After a MujocoError the mjData that was
// in use is not to be used again.
class MujocoLogScope {
 public:
  MujocoLogScope();
  ~MujocoLogScope();
  MujocoLogScope(const MujocoLogScope&) = delete;
  MujocoLogScope& operator=(const MujocoLogScope&) = delete;

  // The warnings so far, one line each; the list is empty afterwards.
  std::vector<std::string> take_warnings();
};

// MuJoCo's messages span lines; as part of a sentence they stand on one.
std::string on_one_line(const std::string& message);

}  // namespace footfall
