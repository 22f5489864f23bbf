// Random robots on random ground, looked at in every step: footfall stress.
//
// A scene is a tree of 1 to 30 joints with all kinds of joints and shapes, a piece of ground, soils, a step of 0.5 to
// 5 ms and a start that may be in the air, tilted, spinning or in the ground. It runs for a simulated second. In every
// step:
//
//   finite     every coordinate and velocity is a number
//   momentum   gravity and the ground's forces, as they are reported, make the change of momentum
//   no pull    no point of the robot is drawn down
//   memory     footprints are not above the ground and not deeper than they ever were
//   energy     without motors: ground and joints never give energy (see check_scene.cpp for what a time step may)
//
// and of the whole: the same bits when it runs again and after save and restore, and in lanes as alone. A scene that fails
// is left as a bundle that `footfall replay` does again.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace footfall {

struct StressOptions {
  std::int64_t scenes = 1000;
  std::int64_t first = 0;  // number of the first scene
  unsigned seed = 1;       // of the series; scene k of a series is always the same
  double duration = 1;     // of each scene [s]
  int threads = 0;         // 0: as many as there are processors
  std::filesystem::path output = "results/stress";  // where bundles are left
  bool progress = false;
  const std::atomic<bool>* stop = nullptr;
};

struct StressFault {
  std::int64_t scene = 0;
  std::int64_t step = 0;         // counted from 1; 0: of the whole scene
  std::string check;             // "finite", "energy", ...
  std::string what;              // one sentence, with figures
  std::filesystem::path bundle;  // that shows it
};

struct StressSummary {
  std::int64_t scenes = 0, steps = 0;
  std::int64_t refused = 0;  // scenes that a reader refused: they count as done, not as run
  std::map<std::string, int> refusals;  // by what was said
  std::map<std::string, int> grounds;   // scenes of each kind of ground
  std::int64_t passive = 0;             // scenes whose energy was watched
  double largest_rise = 0;              // of energy in such a scene, over its weight times a metre
  std::int64_t largest_rise_scene = -1;
  std::vector<StressFault> faults;  // the first 100, by scene
  std::int64_t fault_count = 0;
  bool interrupted = false;
};

StressSummary stress(const StressOptions& options);

}  // namespace footfall
