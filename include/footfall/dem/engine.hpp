// Grains, one by one: what any engine for discrete elements does for us, and no more. A bed is settled
// once and kept as a file; a foot is then driven through a fresh copy of it on a path, and the wrench that
// it meets comes back. Nothing here knows of our contact laws, so that grains stay an independent witness.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "footfall/foot/grain_foot.hpp"

namespace footfall {

// The engine's own failure: it crashed, lost grains, or its disk is full. What it said last is in the message.
struct EngineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// EngineRun::stop said so.
struct EngineStopped : std::runtime_error {
  EngineStopped() : std::runtime_error("stopped") {}
};

// Spheres of one size: Hertz–Mindlin contacts with friction.
struct Grains {
  double radius = 0.01;                 // [m]
  double density = 1631;                // of a grain [kg/m³]
  double youngs_modulus = 3e8;          // [Pa]
  double poisson_ratio = 0.3;           // [-]
  double friction_coefficient = 0.577;  // between grains, and with foot and walls [-]
  double restitution = 0.5;             // [-]
};

struct BedOptions {
  Grains grains;
  double length_x = 0.5, width_y = 0.5;  // of the box [m]
  double depth = 0.3;                    // of the settled bed, about [m]
  std::uint32_t seed = 1;
  double timestep = 0;  // [s]; 0: a fixed share of the grains' Rayleigh time
};

struct Bed {
  std::filesystem::path file;
  BedOptions options;
  double timestep = 0;  // the one used [s]
  std::int64_t grain_count = 0;
  double surface_height = 0;  // above the box's floor, mean over the bed [m]
  double packing = 0;         // share of the bed's volume that is grain [-]
};

// Where the foot is at a time; straight at constant speed from one pose to the next.
struct FootPose {
  double time = 0;   // [s]
  double x = 0;      // of the sole's centre from the middle of the bed [m]
  double depth = 0;  // of the sole's centre below the surface [m]
  double tilt = 0;   // [rad]
};

struct GrainSample {
  FootPose pose;
  double force[3] = {};   // of the grains on the foot [N]
  double torque[3] = {};  // about p_r [N m]
};

struct EngineRun {
  int processes = 1;                          // of MPI
  std::filesystem::path folder;               // for its files; made, and removed when all went well
  std::function<void(double)> progress = {};  // share that is done
  std::function<bool()> stop = {};  // asked ten times a second; true: end it, throw EngineStopped
};

// All of it may be called from several threads at once. Throws InputError for what the caller can mend
// (numbers out of range, no such program), EngineError for what the engine could not do.
class GrainEngine {
 public:
  virtual ~GrainEngine() = default;
  // Name and version: part of what a result depends on.
  virtual std::string identity() const = 0;
  // Settles a bed and leaves it in `file`, whole or not at all.
  virtual Bed prepare_bed(const BedOptions& options, const std::filesystem::path& file,
                          const EngineRun& run) const = 0;
  // The foot starts at the path's first pose, which must be clear of the grains. A sample at every
  // interval from the path's beginning to its end, both included. torque[1] turns +z into +x, as a tilt.
  virtual std::vector<GrainSample> drive_foot(const Bed& bed, const GrainFoot& foot,
                                              std::span<const FootPose> path,
                                              double sample_interval,
                                              const EngineRun& run) const = 0;
};

}  // namespace footfall
