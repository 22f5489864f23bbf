// Curves of plastic soils, for footfall soils --plot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/foot/foot_sole.hpp"
#include "footfall/report/plot.hpp"
#include "footfall/soil/soil_entry.hpp"

namespace footfall {

// Pressure over sinkage and shear stress over shear displacement; with a foot its normal force too,
// and with a load [N] its tangential force. `foot_text` describes the foot. Throws InputError if no
// soil is plastic.
Plot plot_soils(const std::vector<Soil>& soils, const std::optional<FootSole>& foot,
                const std::optional<double>& load, const std::string& foot_text);

}  // namespace footfall
