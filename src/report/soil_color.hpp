// The colour that a soil has in every picture: sand looks like sand, concrete like concrete.
#pragma once

#include <string>

#include "report/svg.hpp"

namespace footfall::picture {

// By its name, as far as that says what it is; else by whether it yields, and by how stiff it is
// [N/m^n]. `index` tells soils of the same kind in one scene apart.
Color soil_kind_color(const std::string& name, bool plastic, double stiffness, int index);

}  // namespace footfall::picture
