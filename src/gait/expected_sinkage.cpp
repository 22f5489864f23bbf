#include "footfall/gait/expected_sinkage.hpp"

#include <algorithm>
#include <cmath>

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

// The depth at which a foot's points carry a load, if it goes straight down as it stands in the standing
// pose [m]. `carry` gives a point's force at a depth above 0, with R_WB of its body.
template <class Carry>
double sink_standing(const World& world, int foot, double load, const Carry& carry) {
  RobotData<double> data(world.robot);
  compute_positions(world.robot, standing_pose(world.robot).data(), data);
  const Soles& soles = world.soles;
  const PointRange range = points_of(soles, soles.feet[foot]);
  std::vector<double> height;
  for (int i = range.first; i < range.end; ++i) {
    const SolePoint& p = soles.points[i];
    const int body = soles.groups[p.group].body;
    height.push_back((data.p_WB[body] + data.R_WB[body] * p.position).z - p.radius);
  }
  const double lowest = *std::min_element(height.begin(), height.end());
  double low = 0, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double sinkage = 0.5 * (low + high);
    double carried = 0;
    for (int i = range.first; i < range.end; ++i) {
      const SolePoint& p = soles.points[i];
      const double depth = sinkage + lowest - height[i - range.first];
      if (depth > 0) carried += carry(p, data.R_WB[soles.groups[p.group].body], depth);
    }
    (carried < load ? low : high) = sinkage;
  }
  return high;
}

// The depth at which grains carry a foot that goes straight down, as it stands in the standing pose.
double resistive_sinkage(const ResistiveGround& grains, const World& world, int foot, double load) {
  const Vec3d up{0, 0, 1}, down{0, 0, -1};
  return sink_standing(world, foot, load, [&](const SolePoint& p, const Mat3d& R_WB, double depth) {
    const double area = norm(p.area);
    const Vec3d n = R_WB * ((1 / area) * p.area);
    const ResistiveFlow<double> flow = resistive_flow(n, up, down);
    return -grains.scale * area * depth * flow.size * flow.direction.z;
  });
}

// The depth at which plastic soil carries a foot of several shapes.
double joined_sinkage(const PlasticSoil& soil, const World& world, int foot, double load) {
  const double n = soil.pressure.exponent;
  const RimSeries series = make_rim_series(n);
  return sink_standing(world, foot, load, [&](const SolePoint& p, const Mat3d& R_WB, double depth) {
    const double modulus = sinkage_modulus(soil, std::fmax(p.contact_width, 1e-3));
    switch (p.bearing) {
    case BearingKind::ball:
      return modulus * p.size * bear_ball(p.radius, n, depth).force;
    case BearingKind::rim:
      return modulus * bear_rim(p.size, p.radius, n, depth, series).force;
    case BearingKind::flat:
      break;
    }
    return modulus * bear_flat(std::fmax(-(R_WB * p.area).z, 0.0), n, depth).force;
  });
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
    const Foot& own = world.soles.feet[foot];
    const double joined = own.group_count > 1 ? joined_sinkage(*plastic, world, foot, load) : 1;
    if (own.sole_count > 1) return joined;
    const double alone = find_rest(make_rig_ground(exact_sole(world, foot), asked), load);
    return joined < (1 - 1e-6) * alone ? joined : alone;  // do other parts of the foot carry too?
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
