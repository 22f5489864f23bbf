#include "record/run_robot.hpp"

#include "io/soil_text.hpp"

namespace footfall::record {

namespace {

void push(const Vec3d& v, std::vector<double>& out) { out.insert(out.end(), {v.x, v.y, v.z}); }

// Row-major.
void push(const Mat3d& m, std::vector<double>& out) {
  out.insert(out.end(), {m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z});
}

void write_bodies(hid_t group, const RobotModel& robot, const std::string& file) {
  std::vector<int> parent, first_joint, joint_count;
  std::vector<double> position, rotation, mass, center;
  for (const Body& body : robot.bodies) {
    parent.push_back(body.parent);
    first_joint.push_back(body.first_joint);
    joint_count.push_back(body.joint_count);
    push(body.position, position);
    push(body.rotation, rotation);
    mass.push_back(body.mass);
    push(body.com, center);
  }
  const int n = robot.body_count();
  using hdf5::write_table;
  write_table(group, {"body_parent", "1", "index of the parent body; body 0 is the world", "", {n}},
              parent, file);
  write_table(group, {"body_first_joint", "1", "index of the body's first joint", "", {n}},
              first_joint, file);
  write_table(group,
              {"body_joint_count", "1", "joints that move the body, applied in order", "", {n}},
              joint_count, file);
  write_table(group, {"body_position", "m", "in the parent, all joints at rest", "parent", {n, 3}},
              position, file);
  write_table(
      group,
      {"body_rotation", "1", "in the parent, all joints at rest; row-major", "parent", {n, 9}},
      rotation, file);
  write_table(group, {"body_mass", "kg", "mass", "", {n}}, mass, file);
  write_table(group, {"body_center_of_mass", "m", "centre of mass", "body", {n, 3}}, center, file);
}

void write_joints(hid_t group, const RobotModel& robot, const std::string& file) {
  std::vector<int> type, body, q_index, v_index;
  std::vector<double> axis, anchor, q0;
  for (const Joint& joint : robot.joints) {
    type.push_back(static_cast<int>(joint.type));
    body.push_back(joint.body);
    q_index.push_back(joint.q_index);
    v_index.push_back(joint.v_index);
    push(joint.axis, axis);
    push(joint.anchor, anchor);
    q0.push_back(joint.q0);
  }
  const int n = static_cast<int>(robot.joints.size());
  using hdf5::write_table;
  write_table(group, {"joint_type", "1", "0 free, 1 ball, 2 hinge, 3 slide", "", {n}}, type, file);
  write_table(group, {"joint_body", "1", "index of the body it moves", "", {n}}, body, file);
  write_table(group, {"joint_qpos_index", "1", "its first coordinate in qpos", "", {n}}, q_index,
              file);
  write_table(group, {"joint_qvel_index", "1", "its first velocity in qvel", "", {n}}, v_index,
              file);
  write_table(group, {"joint_axis", "1", "unit axis of a hinge or slide", "body", {n, 3}}, axis,
              file);
  write_table(group, {"joint_anchor", "m", "a point on the axis", "body", {n, 3}}, anchor, file);
  write_table(group, {"joint_q0", "rad or m", "coordinate of the reference pose", "", {n}}, q0,
              file);
}

void write_geoms(hid_t group, const RobotModel& robot, const std::string& file) {
  std::vector<int> type, body, collides, vertex_count, triangle_count, triangles;
  std::vector<double> position, rotation, size, rgba, vertices;
  std::vector<std::string> names;
  for (const Geom& geom : robot.geoms) {
    names.push_back(geom.name);
    type.push_back(static_cast<int>(geom.type));
    body.push_back(geom.body);
    collides.push_back(geom.collides ? 1 : 0);
    push(geom.position, position);
    push(geom.rotation, rotation);
    push(geom.size, size);
    for (const float c : geom.rgba) rgba.push_back(c);
    vertex_count.push_back(static_cast<int>(geom.vertices.size()));
    for (const Vec3d& v : geom.vertices) push(v, vertices);
    triangle_count.push_back(static_cast<int>(geom.triangles.size()));
    for (const auto& t : geom.triangles) triangles.insert(triangles.end(), t.begin(), t.end());
  }
  const int n = static_cast<int>(robot.geoms.size());
  using hdf5::write_list;
  using hdf5::write_table;
  write_list(group, "geom_names", names, file);
  write_table(
      group,
      {"geom_type", "1", "0 sphere, 1 capsule, 2 cylinder, 3 box, 4 ellipsoid, 5 mesh", "", {n}},
      type, file);
  write_table(group, {"geom_body", "1", "index of its body", "", {n}}, body, file);
  write_table(group, {"geom_collides", "1", "0: only there to be looked at", "", {n}}, collides,
              file);
  write_table(group, {"geom_position", "m", "of its centre", "body", {n, 3}}, position, file);
  write_table(group, {"geom_rotation", "1", "orientation; row-major", "body", {n, 9}}, rotation,
              file);
  write_table(group,
              {"geom_size",
               "m",
               "sphere: radius; capsule, cylinder: radius, half length; box, "
               "ellipsoid: half axes",
               "",
               {n, 3}},
              size, file);
  write_table(group, {"geom_rgba", "1", "colour and opacity, 0 to 1", "", {n, 4}}, rgba, file);
  write_table(group, {"geom_vertex_count", "1", "rows of vertices that are its own", "", {n}},
              vertex_count, file);
  write_table(group, {"geom_triangle_count", "1", "rows of triangles that are its own", "", {n}},
              triangle_count, file);
  const int nv = static_cast<int>(vertices.size() / 3), nt = static_cast<int>(triangles.size() / 3);
  write_table(group,
              {"vertices", "m", "of all meshes' hulls, one after the other", "geom", {nv, 3}},
              vertices, file);
  write_table(group,
              {"triangles", "1", "vertices of each triangle, counted within its geom", "", {nt, 3}},
              triangles, file);
}

// Feet, and the points of their soles; those of other shapes are left out.
void write_soles(hid_t group, const Soles& soles, const std::string& file) {
  std::vector<int> geom, shape, point_foot;
  std::vector<double> radius, point;
  for (const Foot& foot : soles.feet) {
    geom.push_back(foot.geom);
    shape.push_back(static_cast<int>(foot.shape));
    radius.push_back(foot.radius);
  }
  for (const SolePoint& p : soles.points) {
    if (p.foot < 0) continue;
    point_foot.push_back(p.foot);
    push(p.position, point);
  }
  const int n = static_cast<int>(geom.size()), np = static_cast<int>(point_foot.size());
  using hdf5::write_table;
  write_table(group, {"foot_geom", "1", "index of the geom that is its sole", "", {n}}, geom, file);
  write_table(group,
              {"foot_shape", "1", "0 sphere, 1 rectangle, 2 disc, 3 cylinder, 4 hull", "", {n}},
              shape, file);
  write_table(group, {"foot_radius", "m", "of a round sole, else 0", "", {n}}, radius, file);
  write_table(group, {"sole_point_foot", "1", "foot that the point belongs to", "", {np}},
              point_foot, file);
  write_table(
      group,
      {"sole_point_position", "m", "points of soles, of round ones centres", "body", {np, 3}},
      point, file);
}

// The ground's parts, each with its own soil.
void write_regions(hid_t group, const std::vector<Region>& regions, const std::string& file) {
  std::vector<int> soil, shape;
  std::vector<double> numbers;
  for (const Region& r : regions) {
    soil.push_back(r.soil);
    shape.push_back(static_cast<int>(r.shape));
    switch (r.shape) {
    case RegionShape::rectangle:
      numbers.insert(numbers.end(), {r.x_min, r.x_max, r.y_min, r.y_max});
      break;
    case RegionShape::circle:
      numbers.insert(numbers.end(), {r.center_x, r.center_y, r.radius, 0});
      break;
    case RegionShape::half_plane:
      numbers.insert(numbers.end(), {r.a, r.b, r.c, 0});
      break;
    }
  }
  const int n = static_cast<int>(regions.size());
  using hdf5::write_table;
  write_table(group, {"region_soil", "1", "index of its soil in soil_names", "", {n}}, soil, file);
  write_table(group, {"region_shape", "1", "0 rectangle, 1 circle, 2 half-plane", "", {n}}, shape,
              file);
  write_table(group,
              {"region_numbers",
               "m",
               "x_min, x_max, y_min, y_max; centre x, y, radius; a [1], b [1], c of a x + b y >= c",
               "W",
               {n, 4}},
              numbers, file);
}

// What the soils are like, as far as pictures care.
void write_soils(hid_t group, const World& world, const std::string& file) {
  std::vector<int> plastic;
  std::vector<double> stiffness;
  const int count = static_cast<int>(soil_names(world.ground).size());
  for (int i = 0; i < count; ++i) {
    plastic.push_back(keeps_prints(world.ground, i) ? 1 : 0);
    stiffness.push_back(soil_stiffness(world.ground, i));
  }
  const int n = static_cast<int>(plastic.size());
  using hdf5::write_table;
  write_table(group, {"soil_plastic", "1", "1: the soil keeps footprints", "", {n}}, plastic, file);
  write_table(
      group,
      {"soil_stiffness", "N/m^n", "of soils that come back, n their exponent; else 0", "", {n}},
      stiffness, file);
}

}  // namespace

std::vector<std::string> soil_texts(const World& world) {
  std::vector<std::string> out;
  for (const std::string& name : soil_names(world.ground)) {
    const int i = static_cast<int>(out.size());
    Soil soil;
    soil.name = name;
    if (const PlasticSoil* plastic = plastic_soil(world.ground, i)) soil.plastic = *plastic;
    if (const auto* compliant = compliant_soil(world.ground, i)) soil.compliant = *compliant;
    out.push_back(soil_text(soil));
  }
  return out;
}

void write_robot(hid_t file, const World& world, const std::string& file_name) {
  const hdf5::Group group = hdf5::make_group(file, "robot", file_name);
  write_bodies(group.get(), world.robot, file_name);
  write_joints(group.get(), world.robot, file_name);
  write_geoms(group.get(), world.robot, file_name);
  write_soles(group.get(), world.soles, file_name);
}

void write_terrain(hid_t file, const World& world, const std::string& file_name) {
  using hdf5::write_table;
  const Terrain& terrain = world.terrain;
  const hdf5::Group group = hdf5::make_group(file, "terrain", file_name);
  write_regions(group.get(), terrain.regions, file_name);
  write_soils(group.get(), world, file_name);
  if (terrain.is_plane) {
    const Vec3d& p = terrain.plane_point;
    const Vec3d& n = terrain.plane_normal;
    write_table(group.get(), {"plane_point", "m", "a point of the ground's plane", "W", {3}},
                std::vector<double>{p.x, p.y, p.z}, file_name);
    write_table(group.get(), {"plane_normal", "1", "unit normal, out of the ground", "W", {3}},
                std::vector<double>{n.x, n.y, n.z}, file_name);
    return;
  }
  const Heightfield& field = terrain.field;
  write_table(group.get(),
              {"heights", "m", "heights on a grid, [iy, ix]", "W", {field.ny, field.nx}},
              field.heights, file_name);
  write_table(group.get(), {"origin", "m", "x and y of the first grid point", "W", {2}},
              std::vector<double>{field.origin_x, field.origin_y}, file_name);
  write_table(group.get(), {"spacing", "m", "between grid points, both axes", "W", {1}},
              std::vector<double>{field.spacing}, file_name);
}

}  // namespace footfall::record
