#include "footfall/stress/stress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "footfall/error.hpp"
#include "footfall/io/progress.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/robot/robot_file.hpp"
#include "io/text_file.hpp"
#include "step/workers.hpp"
#include "stress/check_scene.hpp"

namespace footfall {
namespace {

using namespace stress_scenes;

constexpr std::size_t kMostFaults = 100;  // that are kept

// Where a worker writes its scenes, one after the other.
class SceneFolder {
 public:
  explicit SceneFolder(int worker)
      : folder_(std::filesystem::temp_directory_path() /
                fmt::format("footfall-stress-{}-{}", getpid(), worker)) {
    std::filesystem::create_directories(folder_);
  }
  ~SceneFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  SceneFolder(const SceneFolder&) = delete;
  SceneFolder& operator=(const SceneFolder&) = delete;

  Scenario write(const Scene& scene) const { return write_scene(scene, folder_); }

  static Scenario write_scene(const Scene& scene, const std::filesystem::path& folder) {
    write_robot_file(scene.robot, folder / "robot.json");
    return parse_scenario(scene.scenario, "scenario.toml", folder);
  }

 private:
  std::filesystem::path folder_;
};

// What is left of a scene that failed: a bundle for footfall replay, or, where no single step shows it, the scene.
std::filesystem::path leave_bundle(const StressOptions& options, std::int64_t number,
                                   const Scene& scene, const Fault& fault) {
  std::filesystem::path folder = options.output / fmt::format("scene-{}-{}", options.seed, number);
  make_folder(folder);
  const Scenario scenario = SceneFolder::write_scene(scene, folder);
  if (fault.record) {
    write_bundle(folder, scenario, *fault.record);
  } else {
    write_text_file(folder / "scenario.toml", scenario.text);
  }
  return folder;
}

class Series {
 public:
  explicit Series(const StressOptions& options) : options_(options) {
    for (const Soil& soil : load_soil_library()) soils_.push_back(soil.name);
  }

  void run_scene(std::int64_t number, const SceneFolder& folder) {
    const Scene scene = make_scene(options_.seed, number, options_.duration, soils_);
    SceneResult result;
    try {
      const Scenario scenario = folder.write(scene);
      result = check_scene(scene, scenario, options_.seed + static_cast<unsigned>(number));
    } catch (const InputError& error) {
      const std::scoped_lock lock(mutex_);
      ++summary.scenes;
      ++summary.refused;
      ++summary.refusals[error.what()];
      return;
    } catch (const std::exception& error) {
      result.fault = Fault{"no exception", error.what(), {}};
    }
    StressFault fault;
    if (result.fault) {
      fault = {number, result.fault->record ? result.fault->record->step : 0, result.fault->check,
               result.fault->what, leave_bundle(options_, number, scene, *result.fault)};
    }
    const std::scoped_lock lock(mutex_);
    ++summary.scenes;
    summary.steps += result.steps;
    ++summary.grounds[scene.ground];
    summary.passive += scene.gives_no_energy ? 1 : 0;
    if (result.energy_rise > summary.largest_rise) {
      summary.largest_rise = result.energy_rise;
      summary.largest_rise_scene = number;
    }
    if (!result.fault) return;
    ++summary.fault_count;
    summary.faults.push_back(std::move(fault));
    std::ranges::sort(summary.faults, {}, &StressFault::scene);
    if (summary.faults.size() > kMostFaults) summary.faults.pop_back();
  }

  StressSummary summary;

 private:
  const StressOptions& options_;
  std::vector<std::string> soils_;
  std::mutex mutex_;
};

}  // namespace

StressSummary stress(const StressOptions& options) {
  const int threads = options.threads > 0
                          ? options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Series series(options);
  Workers workers(threads);
  std::vector<std::unique_ptr<SceneFolder>> folders;
  folders.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) folders.push_back(std::make_unique<SceneFolder>(i));
  ProgressBar bar(options.scenes, options.progress);
  for (std::int64_t done = 0; done < options.scenes;) {
    if (options.stop != nullptr && options.stop->load()) {
      series.summary.interrupted = true;
      break;
    }
    const auto count = std::min<std::int64_t>(options.scenes - done, 8L * threads);
    workers.run(static_cast<int>(count), [&](int job, int worker) {
      series.run_scene(options.first + done + job, *folders[static_cast<std::size_t>(worker)]);
    });
    done += count;
    bar.update(done);
  }
  return series.summary;
}

}  // namespace footfall
