// Recording: what a rig measured in one test, one row per sample, in SI units, and as it was
// measured: nothing is filtered, shifted or left out here.
//
// Read from CSV (a header; commas, semicolons, tabs or blanks), HDF5 and MATLAB files (5 and 7.3). A
// column is known by its name and unit, "normal_force_N", "Fz [kN]", "z (mm)", "t/s", or by a mapping:
//
//   [columns]
//   time = "t [ms]"                                   # a header as it stands, unit found in it
//   height = {name = "LVDT 2", unit = "mm"}           # or given
//   normal_force = {name = "Fz", unit = "N", sign = -1}
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace footfall {

struct Recording {
  std::filesystem::path file;
  std::vector<long> rows;            // line in a CSV file, else number of the sample from 1
  std::vector<double> time;          // [s]; empty: a table of points at rest
  std::vector<double> sinkage;       // of the foot, down [m]
  bool zero_is_known = false;        // the sinkage is from the surface; else contact must be found
  double position_sign = 1;          // the file's own position is this times the sinkage
  std::vector<double> sinkage_rate;  // [m/s]; empty: not measured
  std::vector<double> body_sinkage;  // of what presses on a pad [m]; empty: none
  std::vector<double> normal_force;  // [N]; empty: none
  // Along the drag, and the force against it; of two components, along the longest way.
  std::vector<double> shear_displacement;  // [m]; empty: none
  bool shear_zero_is_known = false;
  std::vector<double> tangential_force;  // [N]; empty: none
};

struct ReadOptions {
  std::filesystem::path columns = {};  // TOML with [columns]; empty: known names only
  bool accept_implausible = false;     // values that look like a wrong unit are only questioned
};

// Throws InputError with the file, the row and the column: missing columns (what there is, what is
// expected), text, NaN, times that do not rise, values that look like another unit, a sensor that
// saturates (the same extreme value over and over), a sinkage that falls while the force rises.
// `warnings` gets what is only worth knowing.
Recording read_recording(const std::filesystem::path& file, const ReadOptions& options,
                         std::vector<std::string>& warnings);

// The same from columns in memory. `name` stands for the file; rows are numbers of samples.
struct RecordedColumn {
  std::string name;  // with its unit, as in a header
  std::vector<double> values;
};
Recording read_recording(const std::string& name, const std::vector<RecordedColumn>& columns,
                         const ReadOptions& options, std::vector<std::string>& warnings);

}  // namespace footfall
