#include "footfall/robot/model.hpp"

#include <cmath>

#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kLargestInertia = 1e9;     // [kg, kg m²]
constexpr double kLargestCoordinate = 1e6;  // [m, rad, m/s, rad/s]

// `what` is the number's name, `of` whose it is.
void check_number(double value, double most, const std::string& of, const std::string& what,
                  const char* unit) {
  if (std::abs(value) <= most) return;  // false of what is no number
  throw input_error("{}: {} = {} {}, expected a number of size {:g} at most", of, what, value, unit,
                    most);
}

void check_list(const std::vector<double>& values, const std::string& of, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    check_number(values[i], kLargestCoordinate, of, fmt::format("{}[{}]", what, i),
                 "(m, rad or per s)");
  }
}

template <class Element>
int find_name(const std::vector<Element>& elements, const std::string& wanted) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].name == wanted) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

int RobotModel::find_body(const std::string& wanted) const { return find_name(bodies, wanted); }
int RobotModel::find_geom(const std::string& wanted) const { return find_name(geoms, wanted); }
int RobotModel::find_keyframe(const std::string& wanted) const {
  return find_name(keyframes, wanted);
}

void check_magnitudes(const RobotModel& model) {
  for (const Body& body : model.bodies) {
    const std::string of = fmt::format("body '{}'", body.name);
    check_number(body.mass, kLargestInertia, of, "mass", "kg");
    const Sym3<double>& I = body.inertia;
    for (const double moment : {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}) {
      check_number(moment, kLargestInertia, of, "a moment of inertia", "kg m²");
    }
    for (const Vec3d& p : {body.position, body.com}) {
      for (const double x : {p.x, p.y, p.z}) {
        check_number(x, kLargestCoordinate, of, "a place", "m");
      }
    }
  }
  check_list(model.qpos0, "the reference pose", "qpos");
  for (const Keyframe& key : model.keyframes) {
    const std::string of = fmt::format("keyframe '{}'", key.name);
    check_list(key.qpos, of, "qpos");
    check_list(key.qvel, of, "qvel");
    check_list(key.control, of, "control");
  }
}

}  // namespace footfall
