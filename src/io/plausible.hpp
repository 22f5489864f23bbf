// Is a recording what it says it is? Each check throws InputError with rows and values.
#pragma once

#include <string>
#include <vector>

#include "footfall/io/recording.hpp"

namespace footfall {

// Names and units of a recording's columns, as the user knows them.
struct ColumnWords {
  std::string time, sinkage, normal_force;
  std::string sinkage_unit, normal_force_unit;
};

// Time rises, and there are enough rows.
void check_rows(const Recording& recording, const ColumnWords& words);
// The force pushes, and grows while the foot sinks.
void check_signs(const Recording& recording, const ColumnWords& words);
// The force sensor is not at its end.
void check_saturation(const Recording& recording, const ColumnWords& words);
// Values that look like another unit. With `accept` they are only warned about.
void check_units(const Recording& recording, const ColumnWords& words, bool accept,
                 std::vector<std::string>& warnings);

}  // namespace footfall
