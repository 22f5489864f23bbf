#include <algorithm>

#include "footfall/io/soil_library.hpp"
#include "input_error.hpp"
#include "reproduce/ding2013_parts.hpp"

namespace footfall {
namespace ding2013 {

const PlasticSoil& plastic_soil(const Soils& soils, const char* name) {
  const Soil& soil = find_soil(soils, name);
  if (!soil.plastic) {
    throw input_error("{}: expected plastic soil, [terramechanics]", soil.file.string());
  }
  return *soil.plastic;
}

}  // namespace ding2013

Reproduction reproduce_ding2013(const ShareDone& progress) {
  const std::vector<Soil> soils = load_soil_library();
  if (soils.empty()) {
    throw InputError("no folder soils/ was found, set FOOTFALL_DATA to the folder that holds it");
  }
  Reproduction out;
  ding2013::add_springs(soils, out);
  ding2013::add_soils(soils, out);
  ding2013::add_cylinder(soils, out);
  ding2013::add_sphere(soils, out);
  ding2013::add_feet(soils, out);
  ding2013::add_shear(soils, out);
  ding2013::add_impacts(soils, out);
  ding2013::add_soft_on_soft(soils, out);
  ding2013::add_identified_tables(out);
  ding2013::add_round_trip(progress, out);
  std::sort(out.figures.begin(), out.figures.end(),
            [](const Figure& a, const Figure& b) { return a.file < b.file; });
  return out;
}

}  // namespace footfall
