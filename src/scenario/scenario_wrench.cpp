// contact.model = "wrench_space": what a scenario says of it, and the world's part of it.
#include <fmt/format.h>

#include <cmath>

#include "input_error.hpp"
#include "placed.hpp"
#include "scenario/scenario_parts.hpp"

namespace footfall {
namespace {

const std::vector<std::string> kWrenchKeys = {
    "database",     "regression", "dimensions", "grain_inertia_factor", "grain_inertia_kg_kg_kgm2",
    "spin_radius_m"};

double database_radius(const GrainFoot& foot) {
  if (foot.shape != GrainFootShape::box) return foot.radius;
  return std::sqrt(foot.length_x * foot.width_y / 3.14159265358979);
}

// W is of the foot that was measured. Others are taken as they are, and it is said.
void warn_of_other_feet(const Scenario& scenario, const WrenchSpace& space, const Soles& soles,
                        RobotModel& robot) {
  const double measured = database_radius(space.model().foot());
  for (std::size_t i = 0; i < soles.feet.size(); ++i) {
    const double radius = space.soles()[i].radius;
    if (std::abs(radius - measured) <= 0.1 * measured) continue;
    robot.warnings.push_back(fmt::format("the sole of foot '{}' has a radius of {:.3g} mm, "
                                         "that in database '{}' {:.3g} mm: its wrenches "
                                         "are taken as they are",
                                         soles.feet[i].name, 1e3 * radius,
                                         scenario.wrench.database.string(), 1e3 * measured));
  }
}

}  // namespace

std::vector<std::string> wrench_contact_keys() { return kWrenchKeys; }

WrenchChoice read_wrench_contact(const TableReader& reader, bool is_wrench, NamedFiles& files) {
  WrenchChoice out;
  if (!is_wrench) {
    reader.refuse_given(kWrenchKeys, "none unless contact.model = \"wrench_space\"");
    return out;
  }
  const char* expected = "the path of a wrench database (.csv), or the name of one in media/";
  if (!reader.has("database")) reader.refuse_missing("database", expected);
  reader.text("database", expected);
  out.database = find_file(medium_files(), reader, "database", files);
  reader.read_choice("regression", out.learning.regression, {"rbf", "gp", "svr"});
  WrenchSpaceOptions& o = out.options;
  reader.read("dimensions", o.dimensions, {2, 3, "2 or 3"});
  reader.read("grain_inertia_factor", o.grain_inertia_factor, {0, 1e6, "0 to 1e6"});
  const auto given = reader.vector_if_given(
      "grain_inertia_kg_kg_kgm2",
      {0, 1e9, "three numbers, 0 or more: along x [kg], along z [kg], of tilting [kg m²]"});
  if (given) {
    reader.refuse_given({"grain_inertia_factor"}, "none beside contact.grain_inertia_kg_kg_kgm2");
    o.grain_inertia = {given->x, given->y, given->z};
  }
  if (reader.has("spin_radius_m")) {
    if (o.dimensions == 2) reader.refuse("spin_radius_m", "none with contact.dimensions = 2");
    o.spin_radius = reader.number("spin_radius_m", {0, 10, "0 to 10 m"});
  }
  return out;
}

void refuse_for_wrenches(const TableReader& top, const Scenario& out) {
  if (out.contact != ContactModel::wrench_space) return;
  const char* expected =
      "none with contact.model = \"wrench_space\", whose medium is contact.database";
  top.refuse_given({"soil", "soils"}, expected);
  if (top.has("ground") && top.node("ground").find("region") != nullptr) {
    throw input_error("{}key 'ground.region', expected {}", place_of(out, "ground.region"),
                      expected);
  }
  if (out.robot.body_contacts && out.places.contains("robot.body_contacts")) {
    throw InputError(place_of(out, "robot.body_contacts") +
                     "key 'robot.body_contacts' = true, expected false with contact.model = "
                     "\"wrench_space\": only feet touch");
  }
}

GranularGround build_granular_ground(const Scenario& scenario, const std::vector<double>& pose,
                                     const Terrain& terrain, const Soles& soles,
                                     RobotModel& robot) {
  const WrenchChoice& choice = scenario.wrench;
  return placed(place_of(scenario, "contact.database"), [&] {
    const WrenchDatabase database = read_wrench_database(choice.database);
    auto space = std::make_shared<WrenchSpace>(learn_wrenches(database, choice.learning),
                                               choice.options, robot, soles, terrain, pose);
    warn_of_other_feet(scenario, *space, soles, robot);
    return GranularGround{database.medium, std::move(space)};
  });
}

}  // namespace footfall
