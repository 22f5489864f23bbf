// An engine without grains, for tests of campaigns: its wrench is a formula of pose and velocity, and it
// writes down what it was asked for.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <thread>

#include "footfall/campaign/campaign_run.hpp"

namespace footfall::testing {

class FormulaEngine : public GrainEngine {
 public:
  std::filesystem::path log;                          // a line for every bed and case that was made
  double noise = 0;                                   // at half the sampling rate [N]
  int pause_ms = 0;                                   // of a case
  std::string name = "formula 1";                     // of the engine
  std::function<void(const FootPose&)> trouble = {};  // called with the end of each path

  std::string identity() const override { return name; }

  Bed prepare_bed(const BedOptions& options, const std::filesystem::path& file,
                  const EngineRun&) const override {
    write_line("bed");
    std::ofstream(file.string() + ".part") << "seed " << options.seed << '\n';
    std::filesystem::rename(file.string() + ".part", file);
    return {file, options, 1e-5, 1000, options.depth, 0.6};
  }

  // Linear in the depth, which a filter does not change.
  static PlanarWrench formula(double depth, double tilt, const PlanarVelocity& v, double seed) {
    const double strength = (1 + 0.1 * seed) * 1e3 * depth;
    return {-strength * (v.x + 0.1 * std::sin(tilt)), -strength * (v.z - 0.3),
            -strength * (0.05 * v.tilt + 0.02 * v.x)};
  }

  std::vector<GrainSample> drive_foot(const Bed& bed, const GrainFoot&,
                                      std::span<const FootPose> path, double interval,
                                      const EngineRun& run) const override {
    for (int i = 0; i < pause_ms; ++i) {
      if (run.stop && run.stop()) throw EngineStopped();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (trouble) trouble(path.back());
    double seed = 0;
    std::string word;
    std::ifstream(bed.file) >> word >> seed;
    const FootPose &a = path[path.size() - 2], &b = path.back();
    const double duration = b.time - a.time;
    const PlanarVelocity v{(b.x - a.x) / duration, (a.depth - b.depth) / duration,
                           (b.tilt - a.tilt) / duration};
    std::vector<GrainSample> samples;
    const auto count = static_cast<int>(std::lround(b.time / interval));
    for (int i = 0; i <= count; ++i) {
      GrainSample s;
      s.pose.time = i * interval;
      const double since = s.pose.time - a.time;
      s.pose.depth = a.depth - v.z * since;
      const double tilt = a.tilt + 0.8 * duration * v.tilt;
      const PlanarWrench w = formula(s.pose.depth, tilt, v, seed);
      const double off = i % 2 == 0 ? noise : -noise;
      s.force[0] = w.force_x + off;
      s.force[2] = w.force_z - off;
      s.torque[1] = w.torque_y + 0.1 * off;
      samples.push_back(s);
    }
    write_line("case");
    return samples;
  }

  int count(const std::string& what) const {
    std::ifstream in(log);
    int n = 0;
    for (std::string line; std::getline(in, line);) n += line == what ? 1 : 0;
    return n;
  }

 private:
  void write_line(const std::string& what) const {
    const int descriptor = ::open(log.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0666);
    const std::string line = what + "\n";
    static_cast<void>(::write(descriptor, line.data(), line.size()));
    ::close(descriptor);
  }
};

inline Campaign small_campaign() {
  Campaign c;
  c.medium = "formula";
  c.bed.grains.radius = 0.005;
  c.bed.length_x = c.bed.width_y = 1;
  c.bed.depth = 0.5;
  c.foot = {.shape = GrainFootShape::cylinder, .radius = 0.05, .height = 0.3};
  c.sampling.depths = {0.06};
  c.sampling.tilts = {0, 0.5};
  c.sampling.duration = 0.4;
  c.sampling.sample_interval = 2e-3;
  return c;
}

}  // namespace footfall::testing
