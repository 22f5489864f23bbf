#include <algorithm>
#include <cmath>

#include "io/data_folders.hpp"
#include "reproduce/zhu2019_parts.hpp"

namespace footfall {
namespace zhu2019 {
namespace {

void record_grains(const World& world, const State<double>& state, GranularContact& w, Trace& out) {
  out.time.push_back(state.time);
  out.base_x.push_back(state.qpos[0]);
  out.base_z.push_back(state.qpos[1]);
  out.base_pitch.push_back(state.qpos[2]);
  double speed = 0;
  for (const double v : state.qvel) speed = std::fmax(speed, std::abs(v));
  out.speed.push_back(speed);
  out.feet.resize(world.soles.feet.size());
  for (std::size_t i = 0; i < out.feet.size(); ++i) {
    const WrenchContact& contact = w.contacts[i];
    FootTrace& foot = out.feet[i];
    foot.x.push_back(contact.place.p_WC.x);
    foot.z.push_back(contact.place.p_WC.z);
    foot.depth.push_back(contact.place.depth);
    foot.tilt.push_back(contact.place.tilt);
    foot.force_x.push_back(contact.touching ? contact.wrench.lin.x : 0);
    foot.force_z.push_back(contact.touching ? contact.wrench.lin.z : 0);
    if (contact.touching) {
      out.use = std::fmax(out.use, measure_wrench_use(world, static_cast<int>(i), w));
    }
  }
}

}  // namespace

WrenchDatabase load_medium(const std::string& name) {
  return read_wrench_database(find_file(medium_files(), name, ".", "zhu2019"));
}

Scenario find_scenario(const std::string& name, const std::vector<std::string>& overrides) {
  return load_scenario(find_file({"scenario", "scenarios", {".toml"}}, name, ".", "zhu2019"),
                       overrides);
}

void add_clamped(const std::string& name, const Trace& trace, Reproduction& out) {
  const char* title = "Steps in which depth or tilt were outside the data";
  if (out.tables.empty() || out.tables.back().title != title) {
    out.tables.push_back({.title = title, .columns = {"steps"}, .names = {}, .rows = {}});
  }
  out.tables.back().names.push_back(name);
  out.tables.back().rows.push_back({static_cast<double>(trace.clamped)});
}

double largest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

Trace trace_scenario(const Scenario& scenario, int every) {
  const World world = build_world(scenario);
  State<double> state = place_robot(scenario, world);
  const Controller controller = make_controller(scenario, world);
  Control<double> command = controller.start;
  StepWorkspace<double> workspace(world);
  Trace out;
  const std::int64_t steps = step_count(scenario);
  for (std::int64_t k = 0; k < steps; ++k) {
    compute_control(controller, state, command);
    step(world, command, state, workspace);
    const std::vector<WrenchContact>& contacts =
        std::get<GranularContact>(workspace.contact).contacts;
    out.clamped += std::any_of(contacts.begin(), contacts.end(), [](const WrenchContact& c) {
      return c.touching && (c.at.depth_clamped || c.at.tilt_clamped);
    });
    if (k % every == 0 || k + 1 == steps)
      record_grains(world, state, std::get<GranularContact>(workspace.contact), out);
  }
  return out;
}

}  // namespace zhu2019

Reproduction reproduce_zhu2019(const ShareDone& progress) {
  Reproduction out;
  zhu2019::add_media(out);
  progress(0.2);
  zhu2019::add_rig(out);
  progress(0.35);
  zhu2019::add_drops(out);
  progress(0.4);
  zhu2019::add_robot(out, [&](double share) { progress(0.4 + 0.5 * share); });
  zhu2019::add_speed(out);
  return out;
}

}  // namespace footfall
