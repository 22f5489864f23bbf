// MuJoCo's plugin footfall.soil: the ground gives way under the feet of any model. docs/mujoco-plugin.md.
//
//   compute   the forces on the feet that balance at the end of the step     qfrc_passive, sensors
//   advance   what the ground remembers                                      plugin_state
//
// All that a step needs is in MuJoCo's integration state or computed from it here, so that equal states take equal
// steps.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "carrier.hpp"
#include "host.hpp"
#include "input_error.hpp"
#include "soil_view.hpp"

namespace footfall {
namespace {

constexpr const char* kName = "footfall.soil";

SoilInstance& instance_of(const mjData* d, int instance) {
  // MuJoCo keeps pointers as numbers. NOLINTNEXTLINE(performance-no-int-to-ptr)
  return *reinterpret_cast<SoilInstance*>(d->plugin_data[instance]);
}
mjtNum* state_of(const mjModel* m, mjData* d, int instance) {
  return d->plugin_state + m->plugin_stateadr[instance];
}

// Callbacks may not throw into MuJoCo: text goes out as its warning.
void warn(const mjModel* m, int instance, const char* text) {
  const char* name = host.mj_id2name(m, mjOBJ_PLUGIN, instance);
  host.mju_warning("%s '%s': %s", kName, name != nullptr ? name : "", text);
}

SoilConfig config_of(const mjModel* m, int instance) {
  SoilConfig config;
  for (int i = 0; i < kSoilAttributeCount; ++i) {
    const char* text = host.mj_getPluginConfig(m, instance, kSoilAttributes[i]);
    if (text != nullptr && *text != '\0') config[kSoilAttributes[i]] = text;
  }
  return config;
}

// Sizes are asked before init() can refuse: what cannot be made has one number.
int count_numbers(const mjModel* m, int instance) try {
  return std::max(given_numbers(config_of(m, instance)), 1);
} catch (const std::exception&) {
  return 1;
}

int count_sensor_numbers(const mjModel* m, int instance, int) try {
  return kFootNumbers * std::max(count_sensor_feet(*m, config_of(m, instance)), 1);
} catch (const std::exception&) {
  return 1;
}

int init(const mjModel* m, mjData* d, int instance) try {
  auto soil = std::make_unique<SoilInstance>(*m, config_of(m, instance));
  const int needed = soil->memory.number_count();
  if (m->plugin_statenum[instance] != needed) {
    throw input_error("numbers = {}, expected {}: the size of the ground's memory, which `footfall "
                      "mujoco soil` writes",
                      m->plugin_statenum[instance], needed);
  }
  d->plugin_data[instance] = reinterpret_cast<uintptr_t>(soil.release());
  return 0;
} catch (const std::exception& error) {
  warn(m, instance, error.what());
  d->plugin_data[instance] = 0;
  return -1;
}

void destroy(mjData* d, int instance) {
  delete &instance_of(d, instance);
  d->plugin_data[instance] = 0;
}

void reset(const mjModel*, mjtNum* plugin_state, void* plugin_data, int) {
  SoilInstance& soil = *static_cast<SoilInstance*>(plugin_data);
  soil.memory.write_fresh(plugin_state);
  soil.is_computed = false;
}

// A copy in the middle of a step goes on with what the step has found.
void copy(mjData* to, const mjModel*, const mjData* from, int instance) {
  SoilInstance& target = instance_of(to, instance);
  const SoilInstance& source = instance_of(from, instance);
  target.feet = source.feet;
  target.memory = source.memory;
  target.is_computed = source.is_computed;
}

void compute(const mjModel* m, mjData* d, int instance, int capability) {
  SoilInstance& soil = instance_of(d, instance);
  if ((capability & mjPLUGIN_PASSIVE) != 0) apply_soil(*m, *d, state_of(m, d, instance), soil);
  if ((capability & mjPLUGIN_SENSOR) != 0) write_sensors(*m, *d, instance, soil);
}

void advance(const mjModel* m, mjData* d, int instance) {
  commit_soil(*d, state_of(m, d, instance), instance_of(d, instance));
}

void visualize(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scene, int instance) {
  draw_soil(*m, state_of(m, d, instance), *opt, instance_of(d, instance), *scene);
}

void register_plugin() {
  mjpPlugin plugin;
  host.mjp_defaultPlugin(&plugin);
  plugin.name = kName;
  plugin.nattribute = kSoilAttributeCount;
  plugin.attributes = kSoilAttributes;
  plugin.capabilityflags = mjPLUGIN_PASSIVE | mjPLUGIN_SENSOR;
  plugin.needstage = mjSTAGE_VEL;  // after passive forces
  plugin.nstate = count_numbers;
  plugin.nsensordata = count_sensor_numbers;
  plugin.init = init;
  plugin.destroy = destroy;
  plugin.copy = copy;
  plugin.reset = reset;
  plugin.compute = compute;
  plugin.advance = advance;
  plugin.visualize = visualize;
  host.mjp_registerPlugin(&plugin);
}

}  // namespace
}  // namespace footfall

mjPLUGIN_LIB_INIT(footfall_soil) {
  if (footfall::find_host()) footfall::register_plugin();
}
