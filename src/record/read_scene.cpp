
#include "footfall/error.hpp"
#include "footfall/record/run_data.hpp"
#include "record/read_constant.hpp"

namespace footfall {

namespace {

using record::ConstantTable;

bool has_constant(const RunData& run, const std::string& name) {
  for (const RunColumn& c : run.constants) {
    if (c.name == name) return true;
  }
  return false;
}

void read_regions(const RunData& run, std::vector<Region>& regions) {
  const std::vector<std::string>& names = run.list("region_names");
  const std::size_t n = names.size(), soils = run.list("soil_names").size();
  if (n == 0) return;
  const ConstantTable soil(run, "terrain/region_soil", n, 1),
      shape(run, "terrain/region_shape", n, 1), number(run, "terrain/region_numbers", n, 4);
  for (std::size_t i = 0; i < n; ++i) {
    Region r;
    r.name = names[i];
    r.soil = soil.index(i, 0, soils - 1);
    r.shape = static_cast<RegionShape>(shape.index(i, 0, 2));
    if (r.shape == RegionShape::rectangle) {
      r.x_min = number.number(i, 0);
      r.x_max = number.number(i, 1);
      r.y_min = number.number(i, 2);
      r.y_max = number.number(i, 3);
    } else if (r.shape == RegionShape::circle) {
      r.center_x = number.number(i, 0);
      r.center_y = number.number(i, 1);
      r.radius = number.number(i, 2);
    } else {
      r.a = number.number(i, 0);
      r.b = number.number(i, 1);
      r.c = number.number(i, 2);
    }
    regions.push_back(std::move(r));
  }
}

}  // namespace

Terrain read_terrain(const RunData& run) {
  Terrain terrain;
  read_regions(run, terrain.regions);
  terrain.is_plane = has_constant(run, "terrain/plane_point");
  if (terrain.is_plane) {
    const ConstantTable point(run, "terrain/plane_point", 3, 1),
        normal(run, "terrain/plane_normal", 3, 1);
    terrain.plane_point = {point.number(0), point.number(1), point.number(2)};
    terrain.plane_normal = {normal.number(0), normal.number(1), normal.number(2)};
  } else {
    const RunColumn& heights = run.constant("terrain/heights");
    const ConstantTable origin(run, "terrain/origin", 2, 1), spacing(run, "terrain/spacing", 1, 1);
    Heightfield& field = terrain.field;
    field.nx = heights.width;
    field.ny = heights.width > 0 ? static_cast<int>(heights.values.size()) / heights.width : 0;
    field.origin_x = origin.number(0);
    field.origin_y = origin.number(1);
    field.spacing = spacing.number(0);
    field.heights = heights.values;
  }
  try {
    check_terrain(terrain);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: its ground: {}", run.file, error.what()));
  }
  return terrain;
}

std::vector<RunFoot> read_feet(const RunData& run, const RobotModel& robot) {
  const std::vector<std::string>& names = run.list("foot_names");
  const std::size_t n = names.size();
  std::vector<RunFoot> feet(n);
  if (n == 0) return feet;
  if (robot.geoms.empty()) throw InputError(fmt::format("{}: its feet have no geoms", run.file));
  const std::size_t points = run.constant("robot/sole_point_foot").values.size();
  const ConstantTable geom(run, "robot/foot_geom", n, 1), shape(run, "robot/foot_shape", n, 1),
      radius(run, "robot/foot_radius", n, 1), owner(run, "robot/sole_point_foot", points, 1),
      position(run, "robot/sole_point_position", points, 3);
  for (std::size_t i = 0; i < n; ++i) {
    feet[i].name = names[i];
    feet[i].geom = geom.index(i, 0, robot.geoms.size() - 1);
    feet[i].body = robot.geoms[feet[i].geom].body;
    feet[i].shape = static_cast<SoleShape>(shape.index(i, 0, 4));
    feet[i].radius = radius.number(i);
  }
  for (std::size_t i = 0; i < points; ++i) {
    feet[owner.index(i, 0, n - 1)].sole.push_back(position.vector(i));
  }
  return feet;
}

std::vector<RunSoil> read_soils(const RunData& run) {
  const std::vector<std::string>& names = run.list("soil_names");
  std::vector<RunSoil> soils;
  if (names.empty()) return soils;
  const ConstantTable plastic(run, "terrain/soil_plastic", names.size(), 1),
      stiffness(run, "terrain/soil_stiffness", names.size(), 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    soils.push_back({names[i], plastic.number(i) != 0, stiffness.number(i)});
  }
  return soils;
}

}  // namespace footfall
