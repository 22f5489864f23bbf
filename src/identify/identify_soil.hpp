// The soil that an identification found, and where each of its values is from.
#pragma once

#include "footfall/identify/identify.hpp"

namespace footfall {

// Fills soil, soil_problem, soil_text and from_base of `found`.
void assemble_soil(const IdentifyRequest& request, Identification& found);

}  // namespace footfall
