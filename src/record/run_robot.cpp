#include "record/run_robot.hpp"

#include <array>
#include <functional>
#include <type_traits>

#include "io/soil_text.hpp"

namespace footfall::record {

namespace {

// Numbers of a value; of matrices row-major.
template <class Number, class Value>
void push(const Value& v, std::vector<Number>& out) {
  if constexpr (std::is_same_v<Value, Vec3d>) {
    out.insert(out.end(), {v.x, v.y, v.z});
  } else if constexpr (std::is_same_v<Value, Mat3d>) {
    out.insert(out.end(), {v.x.x, v.y.x, v.z.x, v.x.y, v.y.y, v.z.y, v.x.z, v.y.z, v.z.z});
  } else if constexpr (requires { v.begin(); }) {
    out.insert(out.end(), v.begin(), v.end());
  } else {
    out.push_back(static_cast<Number>(v));
  }
}

// Writes a table of a list: what `get` gives of each thing, whole numbers as such, others as
// doubles. A member is given as &Body::mass.
template <class Thing>
class TableOf {
 public:
  TableOf(hid_t group, const std::vector<Thing>& things, const std::string& file)
      : group_(group), things_(things), file_(file) {}

  template <class Get>
  void add(const char* name, const char* unit, const char* meaning, const char* frame,
           const Get& get) const {
    using Value = std::decay_t<std::invoke_result_t<Get, const Thing&>>;
    constexpr bool kWhole = std::is_integral_v<Value> || std::is_enum_v<Value> ||
                            std::is_same_v<Value, std::array<int, 3>>;
    std::vector<std::conditional_t<kWhole, int, double>> values, one;
    for (const Thing& t : things_) push(Value(std::invoke(get, t)), values);
    push(Value{}, one);
    std::vector<int> shape = {static_cast<int>(things_.size())};
    if (!std::is_arithmetic_v<Value> && !std::is_enum_v<Value>) {
      shape.push_back(static_cast<int>(one.size()));
    }
    hdf5::write_table(group_, {name, unit, meaning, frame, shape}, values, file_);
  }

 private:
  hid_t group_;
  const std::vector<Thing>& things_;
  const std::string& file_;
};

void write_bodies(hid_t group, const RobotModel& robot, const std::string& file) {
  const TableOf<Body> out(group, robot.bodies, file);
  out.add("body_parent", "1", "index of the parent body; body 0 is the world", "", &Body::parent);
  out.add("body_first_joint", "1", "index of the body's first joint", "", &Body::first_joint);
  out.add("body_joint_count", "1", "joints that move the body, applied in order", "",
          &Body::joint_count);
  out.add("body_position", "m", "in the parent, all joints at rest", "parent", &Body::position);
  out.add("body_rotation", "1", "in the parent, all joints at rest; row-major", "parent",
          &Body::rotation);
  out.add("body_mass", "kg", "mass", "", &Body::mass);
  out.add("body_center_of_mass", "m", "centre of mass", "body", &Body::com);
}

void write_joints(hid_t group, const RobotModel& robot, const std::string& file) {
  const TableOf<Joint> out(group, robot.joints, file);
  out.add("joint_type", "1", "0 free, 1 ball, 2 hinge, 3 slide", "", &Joint::type);
  out.add("joint_body", "1", "index of the body it moves", "", &Joint::body);
  out.add("joint_qpos_index", "1", "its first coordinate in qpos", "", &Joint::q_index);
  out.add("joint_qvel_index", "1", "its first velocity in qvel", "", &Joint::v_index);
  out.add("joint_axis", "1", "unit axis of a hinge or slide", "body", &Joint::axis);
  out.add("joint_anchor", "m", "a point on the axis", "body", &Joint::anchor);
  out.add("joint_q0", "rad or m", "coordinate of the reference pose", "", &Joint::q0);
}

void write_geoms(hid_t group, const RobotModel& robot, const std::string& file) {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::string> names;
  for (const Geom& geom : robot.geoms) {
    names.push_back(geom.name);
    vertices.insert(vertices.end(), geom.vertices.begin(), geom.vertices.end());
    triangles.insert(triangles.end(), geom.triangles.begin(), geom.triangles.end());
  }
  hdf5::write_list(group, "geom_names", names, file);
  const TableOf<Geom> out(group, robot.geoms, file);
  out.add("geom_type", "1", "0 sphere, 1 capsule, 2 cylinder, 3 box, 4 ellipsoid, 5 mesh", "",
          &Geom::type);
  out.add("geom_body", "1", "index of its body", "", &Geom::body);
  out.add("geom_collides", "1", "0: only there to be looked at", "", &Geom::collides);
  out.add("geom_position", "m", "of its centre", "body", &Geom::position);
  out.add("geom_rotation", "1", "orientation; row-major", "body", &Geom::rotation);
  out.add("geom_size", "m",
          "sphere: radius; capsule, cylinder: radius, half length; box, ellipsoid: half axes", "",
          &Geom::size);
  out.add("geom_rgba", "1", "colour and opacity, 0 to 1", "", &Geom::rgba);
  out.add("geom_vertex_count", "1", "rows of vertices that are its own", "",
          [](const Geom& g) { return g.vertices.size(); });
  out.add("geom_triangle_count", "1", "rows of triangles that are its own", "",
          [](const Geom& g) { return g.triangles.size(); });
  TableOf<Vec3d>(group, vertices, file)
      .add("vertices", "m", "of all meshes' hulls, one after the other", "geom", std::identity());
  TableOf<std::array<int, 3>>(group, triangles, file)
      .add("triangles", "1", "vertices of each triangle, counted within its geom", "",
           std::identity());
}

// Feet, and the points of the soles on which they stand.
void write_soles(hid_t group, const RobotModel& robot, const Soles& soles,
                 const std::string& file) {
  const TableOf<Foot> feet(group, soles.feet, file);
  feet.add("foot_geom", "1", "index of the first geom that it stands on", "", &Foot::geom);
  feet.add("foot_shape", "1", "0 sphere, 1 rectangle, 2 disc, 3 cylinder, 4 hull", "",
           &Foot::shape);
  feet.add("foot_radius", "m", "of a round sole, else 0", "", &Foot::radius);
  std::vector<int> foot_of_geom(robot.geoms.size(), -1);
  std::vector<SolePoint> points;
  for (std::size_t f = 0; f < soles.feet.size(); ++f) {
    const Foot& foot = soles.feet[f];
    for (const int geom : foot.geoms) foot_of_geom[geom] = static_cast<int>(f);
    const PointRange sole = sole_points_of(soles, foot);
    for (int i = sole.first; i < sole.end; ++i) {
      if (soles.groups[soles.points[i].group].body == foot.body) points.push_back(soles.points[i]);
    }
  }
  TableOf<int>(group, foot_of_geom, file)
      .add("geom_foot", "1", "foot that the geom belongs to, -1: none", "", std::identity());
  const TableOf<SolePoint> out(group, points, file);
  out.add("sole_point_foot", "1", "foot that the point belongs to", "", &SolePoint::foot);
  out.add("sole_point_position", "m", "points of soles, of round ones centres", "body",
          &SolePoint::position);
}

// The ground's parts, each with its own soil.
void write_regions(hid_t group, const std::vector<Region>& regions, const std::string& file) {
  const TableOf<Region> out(group, regions, file);
  out.add("region_soil", "1", "index of its soil in soil_names", "", &Region::soil);
  out.add("region_shape", "1", "0 rectangle, 1 circle, 2 half-plane", "", &Region::shape);
  out.add("region_numbers", "m",
          "x_min, x_max, y_min, y_max; centre x, y, radius; a [1], b [1], c of a x + b y >= c", "W",
          [](const Region& r) -> std::array<double, 4> {
            if (r.shape == RegionShape::rectangle) return {r.x_min, r.x_max, r.y_min, r.y_max};
            if (r.shape == RegionShape::circle) return {r.center_x, r.center_y, r.radius, 0};
            return {r.a, r.b, r.c, 0};
          });
}

// Gravity, as far as it acts on the robot.
void write_weight(hid_t group, const RobotModel& robot, const std::string& file) {
  Vec3d weight{0, 0, 0};
  for (const Body& body : robot.bodies) {
    weight += (1 - body.gravity_compensation) * body.mass * robot.gravity;
  }
  hdf5::write_table(group, {"weight", "N", "force of gravity on the whole robot", "W", {3}},
                    std::vector<double>{weight.x, weight.y, weight.z}, file);
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
  write_weight(group.get(), world.robot, file_name);
  write_joints(group.get(), world.robot, file_name);
  write_geoms(group.get(), world.robot, file_name);
  write_soles(group.get(), world.robot, world.soles, file_name);
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
