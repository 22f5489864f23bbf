// The soil that an identification found, and where each of its values is from.
#pragma once

#include "footfall/identify/identify.hpp"

namespace footfall {

// Fills soil, soil_text and from_base of `found`; adds warnings.
void assemble_soil(const IdentifyPlan& plan, Identification& found);

}  // namespace footfall
