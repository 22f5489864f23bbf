// Names as src/mujoco/load.cpp has them, for its neighbours that are compiled into the plugin.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "host.hpp"
#include "mujoco/build.hpp"

namespace footfall::from_mujoco {

std::string name_or_index(const mjModel& m, mjtObj kind, int id, int index) {
  const char* name = host.mj_id2name(&m, kind, id);
  return name != nullptr ? name : fmt::format("{}_{}", host.mju_type2Str(kind), index);
}

std::string label(const mjModel& m, mjtObj kind, int id) { return name_or_index(m, kind, id, id); }

std::string list_of(const std::vector<std::string>& labels) {
  return fmt::format("{}", fmt::join(labels, ", "));
}

}  // namespace footfall::from_mujoco
