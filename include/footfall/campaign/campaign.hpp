// A campaign: which wrenches of a granular medium are sampled in DEM, and how (Zhu 2019, III.B and IV.A).
//
// For every configuration θ = (depth, tilt) and direction v the foot comes from above straight to
// θ − 0.8 T v, then moves with v for the time T. What it met is filtered, and the wrench where it passes θ,
// at 0.8 T, is the case's result. At zero tilt a direction and its mirror image are one case.
//
// Each case starts from a fresh copy of the same settled bed; `repeats` are beds of other seeds, and the
// database has the mean over them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "footfall/dem/engine.hpp"
#include "footfall/granular/wrench_database.hpp"

namespace footfall {

struct CampaignSampling {
  std::vector<double> depths;            // [m], positive
  std::vector<double> tilts;             // [rad], 0 or positive
  int direction_count = 26;              // 26 or 58
  std::vector<int> only;                 // which of them, by index; empty: all
  PlanarVelocity speeds{0.2, 0.2, 0.6};  // that scale the directions
  double duration = 0.5;                 // T, of the path at constant velocity [s]
  double approach_speed = 0.2;           // down to its beginning [m/s]
  double sample_interval = 1e-3;         // [s]
  double filter_cutoff = 20;             // [Hz]
  int repeats = 1;
};

struct Campaign {
  std::string medium;
  BedOptions bed;  // repeat i has the seed bed.seed + i
  GrainFoot foot;
  CampaignSampling sampling;
  std::string program, launcher;         // of the engine; empty: its own choice
  int processes = 1, bed_processes = 1;  // of MPI, for a case and for settling a bed
};

// Reads and checks a campaign's TOML; overrides are "key.path=value". Throws InputError, with file, line
// and column.
Campaign read_campaign(const std::filesystem::path& file,
                       const std::vector<std::string>& overrides = {});

// One run of the engine.
struct SampleCase {
  FootConfiguration configuration;
  PlanarVelocity velocity;
  std::uint32_t seed = 1;
};

// What tells one case of a ledger from another: its numbers, as text.
std::string case_key(const SampleCase& c);

// The directions of the campaign, in the order of the database.
std::vector<PlanarVelocity> campaign_directions(const Campaign& campaign);

// The case whose result it has: its own, or that of its mirror image at zero tilt.
SampleCase case_to_run(const SampleCase& c);

// All of its cases, each once.
std::vector<SampleCase> campaign_cases(const Campaign& campaign);

// From clear of the grains to the end of the case. The part of the foot that is in the grains is in the
// middle of the bed, on average over the path.
std::vector<FootPose> case_path(const Campaign& campaign, const SampleCase& c);

// How far the foot comes on any case's path, in the grains [m].
struct CampaignReach {
  double half_length_x = 0, half_width_y = 0;  // from the middle of the bed
  double depth = 0;                            // of its lowest point
};
CampaignReach measure_reach(const Campaign& campaign);

// The wrench at 0.8 of the path at constant velocity, filtered without a shift in time. Throws
// EngineError where the samples do not cover the path, or are not finite.
PlanarWrench wrench_of_samples(const Campaign& campaign, const std::vector<FootPose>& path,
                               const std::vector<GrainSample>& samples);

// All that a result depends on besides its case: keys and values.
using PhysicsText = std::vector<std::pair<std::string, std::string>>;
PhysicsText bed_physics(const BedOptions& bed, const std::string& engine_identity);
PhysicsText campaign_physics(const Campaign& campaign, const std::string& engine_identity);

PlanarWrench mirrored(const PlanarWrench& wrench);

}  // namespace footfall
