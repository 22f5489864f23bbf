// Zhu et al. 2019, a semi-empirical approach for simulating robot locomotion on granular media: tables, figures
// and statements with our wrench spaces. docs/reproduce.md
#pragma once

#include "footfall/reproduce/reproduction.hpp"

namespace footfall {

// Reads robots/, scenarios/ and media/; throws InputError where a file is not found.
Reproduction reproduce_zhu2019(const ShareDone& progress = {});

}  // namespace footfall
