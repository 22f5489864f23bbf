#include <nlohmann/json.hpp>

#include "footfall/run/run.hpp"

namespace footfall {
namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const Vec3d& v) { return {v.x, v.y, v.z}; }

Json foot_json(const FootSummary& foot) {
  const FootPatch& p = foot.patch;
  return {{"name", foot.name},
          {"touching", p.touching},
          {"sinkage_m", p.sinkage},
          {"pad_compression_m", p.pad_compression},
          {"normal_force_N", p.normal_force},
          {"tangential_force_N", p.tangential_force},
          {"friction_use", p.friction_use},
          {"contact_area_m2", p.contact_area},
          {"center_m", vector_json(p.center)},
          {"force_N", vector_json(p.force)},
          {"moment_Nm", vector_json(p.moment)}};
}

Json gait_object(const GaitSummary& g) {
  Json out{{"commanded_speed_m_per_s", g.goal.speed},
           {"speed_m_per_s", g.speed},
           {"commanded_turn_rate_rad_per_s", g.goal.turn_rate},
           {"turn_rate_rad_per_s", g.turn_rate},
           {"distance_m", g.distance},
           {"measured_time_s", g.measured_time},
           {"work_J", g.work},
           {"cost_of_transport", g.cost_of_transport ? Json(*g.cost_of_transport) : Json(nullptr)},
           {"footfalls", g.footfalls},
           {"expected_sinkage_m", g.goal.expected_sinkage},
           {"sinkage_mean_m", g.sinkage},
           {"sinkage_max_m", g.largest_sinkage},
           {"slip_per_footfall_m", g.slip},
           {"tilt_max_rad", g.largest_tilt},
           {"motor_saturation", g.saturation},
           {"fell", g.fall.has_value()}};
  if (g.fall) {
    out["fall"] = {{"time_s", g.fall->time},
                   {"position_m", vector_json(g.fall->position)},
                   {"tilt_rad", g.fall->tilt},
                   {"reason", g.fall->reason}};
  }
  return out;
}

}  // namespace

std::string gait_json(const GaitSummary& gait) {
  return gait_object(gait).dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string summary_json(const RunSummary& s) {
  Json out{{"scenario", s.scenario},
           {"robot", s.robot},
           {"time_s", s.time},
           {"steps", s.steps},
           {"interrupted", s.interrupted},
           {"settled", s.settled},
           {"settle_time_s", s.settle_time},
           {"rms_velocity_m_per_s", s.rms_velocity},
           {"base_height_m", s.base_height},
           {"feet", Json::array()}};
  for (const FootSummary& foot : s.feet) out["feet"].push_back(foot_json(foot));
  if (s.ruts) {
    out["ruts"] = {{"deepest_m", s.ruts->deepest}, {"displaced_volume_m3", s.ruts->volume}};
  }
  if (s.gait) out["gait"] = gait_object(*s.gait);
  out["clamped_steps"] = s.clamped_steps;
  if (!s.clamped.empty()) out["clamped"] = Json::array();
  for (const ClampSummary& c : s.clamped) {
    out["clamped"].push_back({{"foot", c.foot},
                              {"depth_steps", c.depth_steps},
                              {"deepest_m", c.deepest},
                              {"tilt_steps", c.tilt_steps},
                              {"largest_tilt_rad", c.largest_tilt}});
  }
  out["solver"] = {{"iterations_mean", s.mean_iterations},
                   {"iterations_max", s.max_iterations},
                   {"not_converged", s.not_converged},
                   {"first_not_converged_step",
                    s.first_not_converged > 0 ? Json(s.first_not_converged) : Json(nullptr)},
                   {"residual_max_N", s.largest_residual}};
  out["energy"] = {{"start_J", s.start_energy.total()},
                   {"end_J", s.end_energy.total()},
                   {"change_J", s.end_energy.total() - s.start_energy.total()}};
  out["wall_time_s"] = s.wall_time;
  out["realtime_factor"] = s.realtime_factor();
  for (int i = 0; i < kStageCount; ++i) out["stage_times_s"][kStageNames[i]] = s.stage_times[i];
  out["result_file"] = s.result_file.empty() ? Json(nullptr) : Json(s.result_file.string());
  out["report_file"] = s.report_file.empty() ? Json(nullptr) : Json(s.report_file.string());
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace footfall
