// Checkpoints: what a run needs to go on where it was, in one file beside its results.
//
//   checkpoint.h5
//     checkpoint   bytes of a JSON text: the step, how many rows were recorded by then, and the memory of
//                  state, control, controller and sums (run/memory_archive.hpp)
//     ruts/        as in run files; where the soil keeps footprints
//
// A run that goes on from one is, bit by bit, the run that was never stopped: times that were measured aside.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "footfall/run/run.hpp"

namespace footfall {

inline constexpr const char* kCheckpointFile = "checkpoint.h5";

struct Checkpoint {
  std::int64_t step = 0;  // done
  std::int64_t rows = 0;  // recorded by then
  nlohmann::ordered_json memory;
};

// Replaces the previous one when it is whole and on the disk.
void write_checkpoint(const std::filesystem::path& file, const Scenario& scenario,
                      const World& world, const RutGrid* ruts, const Checkpoint& checkpoint);

// None: there is no such file. Reads the ruts into `ruts`, if that is not null. Throws InputError where it is of
// another scenario, robot, soil or build: the run would not be the same.
std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& file,
                                          const Scenario& scenario, const World& world,
                                          RutGrid* ruts);

}  // namespace footfall
