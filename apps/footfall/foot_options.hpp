// The foot that a command's options describe, and what else `rig` and `identify` share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "footfall/foot/foot_sole.hpp"
#include "footfall/io/length_text.hpp"
#include "footfall/soil/soil_entry.hpp"

namespace footfall {

struct FootOptions {
  std::string foot;                             // empty: none
  std::optional<double> radius, length, width;  // [m]
  std::string mesh;
  std::optional<double> mesh_scale, mesh_spacing;
};

// How the normal force follows from the pressure.
struct FormOptions {
  std::string form = "exact";
  bool one_sided = false;
};

void add_foot_options(CLI::App& app, FootOptions& options);
void add_form_options(CLI::App& app, FormOptions& options);

// The shapes that --foot knows: "disc", …
const std::vector<std::string>& foot_shapes();
// Does a foot of this shape have a size of this name ("radius")?
bool has_size(const std::string& foot, const std::string& size);

// None without --foot. Throws InputError.
std::optional<FootSole> make_sole(const FootOptions& options);
NormalLaw make_form(const FormOptions& options);
// "disc, radius 50 mm"
std::string foot_text(const FootOptions& options);

// Throws InputError: "--NAME VALUE UNIT, expected ABOVE to MOST UNIT".
void check_option(const char* name, double value, double least, double most, const char* unit);
// Throws InputError unless the file's name ends like this; an empty name is no file.
void check_ending(const char* option, const std::string& file, const char* ending);

}  // namespace footfall
