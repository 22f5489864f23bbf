#include "footfall/gait/expected_sinkage.hpp"

#include "footfall/error.hpp"
#include "footfall/ground/wrench_space.hpp"
#include "footfall/rig/foot.hpp"
#include "footfall/robot/feet.hpp"
#include "footfall/robot/kinematics.hpp"
#include "footfall/soil/resistive.hpp"

namespace footfall {
namespace {

// A foot of the world as the exact laws know it. A hull counts as a rectangle of its area and width.
FootSole exact_sole(const World& world, int index) {
  const Foot& foot = world.soles.feet[index];
  const SoleGroup& group = world.soles.groups[foot.group];
  const double width = world.soles.points[group.first_point].contact_width;
  switch (foot.shape) {
  case SoleShape::sphere:
    return make_sphere(foot.radius);
  case SoleShape::cylinder:
    return make_cylinder(foot.radius, foot.width);
  case SoleShape::disc:
    return make_disc(width);
  case SoleShape::rectangle:
  case SoleShape::hull:
    break;
  }
  return make_rectangle(foot.area / width, width);
}

// The depth at which grains carry an upright foot that goes straight down; no deeper than the data.
double grain_sinkage(const WrenchModel& model, double load) {
  WrenchVertices v = model.make_vertices();
  double low = 0, high = model.deepest();
  for (int i = 0; i < 50; ++i) {
    const double depth = 0.5 * (low + high);
    model.predict({depth, 0}, v);
    (*std::max_element(v.force_z.begin(), v.force_z.end()) < load ? low : high) = depth;
  }
  return high;
}

// The depth at which grains carry a foot that goes straight down, as it stands in the standing pose.
double resistive_sinkage(const ResistiveGround& grains, const World& world, int foot, double load) {
  RobotData<double> data(world.robot);
  compute_positions(world.robot, standing_pose(world.robot).data(), data);
  const SoleGroup& group = world.soles.groups[world.soles.feet[foot].group];
  const Mat3d& R_WB = data.R_WB[group.body];
  const Vec3d up{0, 0, 1}, down{0, 0, -1};
  double low = 0, high = 2 * group.radius;
  const auto lowest = [&] {
    double z = 0;
    for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
      z = std::fmin(z, (R_WB * (world.soles.points[i].position - group.center)).z);
    }
    return z;
  }();
  for (int k = 0; k < 50; ++k) {
    const double sinkage = 0.5 * (low + high);
    double carried = 0;
    for (int i = group.first_point; i < group.first_point + group.point_count; ++i) {
      const SolePoint& p = world.soles.points[i];
      const double depth = sinkage + lowest - (R_WB * (p.position - group.center)).z;
      if (depth <= 0) continue;
      const double area = norm(p.area);
      const Vec3d n = R_WB * ((1 / area) * p.area);
      const ResistiveFlow<double> flow = resistive_flow(n, up, down);
      carried -= grains.scale * area * depth * flow.size * flow.direction.z;
    }
    (carried < load ? low : high) = sinkage;
  }
  return high;
}

}  // namespace

double find_foot_sinkage(const World& world, int foot, int soil, double load) {
  if (const auto* grains = std::get_if<ResistiveGround>(&world.ground)) {
    return resistive_sinkage(*grains, world, foot, load);
  }
  if (const WrenchSpace* grains = wrench_space(world.ground)) {
    return grain_sinkage(grains->model(), load);
  }
  Soil asked;
  if (const PlasticSoil* plastic = plastic_soil(world.ground, soil)) {
    asked.plastic = *plastic;
    return find_rest(make_rig_ground(exact_sole(world, foot), asked), load);
  }
  const CompliantGround<double>* compliant = compliant_soil(world.ground, soil);
  if (compliant == nullptr) return 0;  // hard ground
  asked.compliant = *compliant;
  return find_rest(make_rig_ground({}, asked), load);
}

SinkageMap::SinkageMap(const World& world, const ExpectedSinkage& expected, double load)
    : soils_(std::max<std::size_t>(soil_names(world.ground).size(), 1)),
      sinkage_(world.soles.feet.size() * soils_, expected.sinkage) {
  if (!expected.from_soil) return;
  if (soft_constraints(world.ground) != nullptr) {
    throw InputError(
        "key 'controller.expected_sinkage_m' = \"soil\": soft constraints know no soil, expected a "
        "number of metres");
  }
  for (std::size_t i = 0; i < sinkage_.size(); ++i) {
    sinkage_[i] =
        find_foot_sinkage(world, static_cast<int>(i / soils_), static_cast<int>(i % soils_), load);
  }
}

}  // namespace footfall
