// Of a run in granular media: the wrenches that the medium can give each foot, and the present one.
#pragma once

#include <optional>

#include "footfall/ground/wrench_model.hpp"
#include "viewer/frames.hpp"

namespace footfall::viewer {

// The model that the run was made with, learned again from its database. None: the run has no such feet,
// or the database is not where it was, which `warning` says.
std::optional<WrenchModel> find_wrench_model(const RunData& run, std::string& warning);

// The page's WrenchSpaces: W about p_r in the surface frame, in the plane of x and z.
Json wrench_spaces_json(const RunData& run, const Scene& scene, const RunFrames& frames,
                        const WrenchModel& model, ArrayStore& arrays);

}  // namespace footfall::viewer
