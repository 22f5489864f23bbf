// Settled beds, kept in a folder: a bed is made once for what it depends on, and used by every campaign.
//
// A bed is a file of the engine, "bed-<hash>.bed", and one of ours beside it, "bed-<hash>.json", that says what it
// depends on, what was measured of it, and the engine's file's size and checksum. Ours is written last and at once,
// so a bed is there whole or not at all; one that is damaged is made anew.
#pragma once

#include <filesystem>

#include "footfall/dem/engine.hpp"

namespace footfall {

// The bed, from the folder or settled now. Where another thread or process settles it already, waits for it.
// The engine works in a folder of the cache, not in run.folder. Throws what the engine throws, EngineStopped
// where run.stop says so, LedgerError where the folder cannot be written.
Bed find_or_prepare_bed(const GrainEngine& engine, const BedOptions& options,
                        const std::filesystem::path& folder, const EngineRun& run);

// Whether it is in the folder, whole.
bool has_bed(const GrainEngine& engine, const BedOptions& options,
             const std::filesystem::path& folder);

}  // namespace footfall
