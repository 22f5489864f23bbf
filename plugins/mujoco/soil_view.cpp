#include "soil_view.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/ground/describe_feet.hpp"
#include "host.hpp"

namespace footfall {
namespace {

constexpr float kForceColour[] = {0.9F, 0.3F, 0.1F, 1.0F};
constexpr double kPrintThickness = 5e-4;  // half of it [m]
constexpr float kPrintColour[] = {0.25F, 0.18F, 0.1F, 0.6F};

void describe(SoilInstance& soil) {
  const World& world = soil.soil.world;
  CarriedFeet& feet = soil.feet;
  list_bodies(world.robot, feet.robot.tree, feet.robot.links, soil.data);
  std::visit([&](const auto& contact) { list_contacts(world, contact, soil.points); },
             feet.contact);
  soil.patches.resize(world.soles.feet.size());
  describe_feet(world, feet.state, soil.data, soil.points, feet.contact, soil.patches);
}

// Adds a shape to the scene; null: it is full.
mjvGeom* add_shape(mjvScene& scene, int type, const mjtNum size[3], const mjtNum position[3],
                   const float colour[4]) {
  if (scene.ngeom >= scene.maxgeom) return nullptr;
  mjvGeom* geom = scene.geoms + scene.ngeom++;
  host.mjv_initGeom(geom, type, size, position, nullptr, colour);
  geom->category = mjCAT_DECOR;
  return geom;
}

// A flat disc on the ground's old surface, which hides what lies below it.
void draw_print(const Terrain& terrain, const PrintPoint& point, double radius, mjvScene& scene) {
  const GroundPoint<double> ground = sample_ground(terrain, point.x, point.y);
  const mjtNum size[] = {radius, kPrintThickness, 0};  // of a cylinder: radius, half of its length
  const mjtNum position[] = {point.x, point.y, ground.height + kPrintThickness};
  add_shape(scene, mjGEOM_CYLINDER, size, position, kPrintColour);
}

}  // namespace

void write_sensors(const mjModel& m, mjData& d, int instance, SoilInstance& soil) {
  bool described = !soil.is_computed;
  for (int s = 0; s < m.nsensor; ++s) {
    if (m.sensor_type[s] != mjSENS_PLUGIN || m.sensor_plugin[s] != instance) continue;
    if (!described) describe(soil);
    described = true;
    mjtNum* to = d.sensordata + m.sensor_adr[s];
    std::fill_n(to, m.sensor_dim[s], 0.0);
    for (const FootPatch& patch : soil.patches) {
      const Vec3d& v = patch.velocity;
      const double along = dot(v, patch.normal),
                   slip = std::sqrt(std::max(dot(v, v) - along * along, 0.0));
      const double numbers[kFootNumbers] = {
          patch.force.x,     patch.force.y, patch.force.z, patch.sinkage, patch.touching ? slip : 0,
          patch.friction_use};
      to = std::copy_n(numbers, kFootNumbers, to);
    }
  }
}

void draw_soil(const mjModel& m, const mjtNum* state, const mjvOption& option, SoilInstance& soil,
               mjvScene& scene) {
  const Terrain& terrain = soil.soil.world.terrain;
  soil.memory.visit_prints(state, [&](const Footprint& print) {
    double radius = std::max(print.radius, print.half_length);
    if (print.shape == PrintShape::ball) {
      const double depth = std::clamp(print.points[0].sinkage, 0.0, print.radius);
      radius = std::sqrt(depth * (2 * print.radius - depth));
    }
    if (print.shape == PrintShape::hull) radius = 0.01;
    for (int i = 0; i < print.point_count; ++i) {
      if (!print.points[i].is_corner || print.shape == PrintShape::hull) {
        draw_print(terrain, print.points[i], radius, scene);
      }
    }
  });
  if (!soil.is_computed || option.flags[mjVIS_CONTACTFORCE] == 0) return;
  describe(soil);
  for (const FootPatch& patch : soil.patches) {
    const Vec3d tip =
        patch.center + (static_cast<double>(m.vis.map.force) / m.stat.meanmass) * patch.force;
    const mjtNum from[] = {patch.center.x, patch.center.y, patch.center.z},
                 to[] = {tip.x, tip.y, tip.z};
    mjvGeom* arrow =
        patch.touching ? add_shape(scene, mjGEOM_ARROW, nullptr, nullptr, kForceColour) : nullptr;
    if (arrow == nullptr) continue;
    host.mjv_connector(arrow, mjGEOM_ARROW,
                       static_cast<double>(m.vis.scale.forcewidth) * m.stat.meansize, from, to);
  }
}

}  // namespace footfall
