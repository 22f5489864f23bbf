#include "footfall/robot/model.hpp"

namespace footfall {
namespace {

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

}  // namespace footfall
