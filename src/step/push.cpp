#include "footfall/step/push.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "footfall/error.hpp"

namespace footfall {

Pusher::Pusher(const RobotModel& model, const std::vector<Push>& pushes)
    : data_(model), composite_(model.bodies.size()), mass_(model.dofs.size() * model.dofs.size()),
      impulse_(model.dofs.size()) {
  for (const Push& push : pushes) {
    const int body = push.body.empty() ? 1 : model.find_body(push.body);
    if (body < 1) {
      std::vector<std::string> names;
      for (int b = 1; b < model.body_count(); ++b) names.push_back(model.bodies[b].name);
      throw InputError(fmt::format("push.body = '{}' is no body of robot '{}', expected one of: {}",
                                   push.body, model.name, fmt::join(names, ", ")));
    }
    pushes_.push_back({push, body});
  }
}

void Pusher::push(const RobotModel& model, double time, double timestep,
                  const std::vector<double>& qpos, std::vector<double>& qvel) {
  const auto lasts = [&](const Push& push) {
    const double from = std::max(time, push.start);
    const double to = std::min(time + timestep, push.start + push.duration);
    return to - from > 1e-9 * timestep ? to - from : 0.0;
  };
  if (std::none_of(pushes_.begin(), pushes_.end(),
                   [&](const PushOnBody& p) { return lasts(p.push) > 0; })) {
    return;
  }
  compute_positions(model, qpos.data(), data_);
  mass_matrix(model, data_, composite_, mass_.data());
  factor_mass_matrix(model, mass_.data());
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  for (const PushOnBody& p : pushes_) {
    const Vec3d impulse = lasts(p.push) * p.push.force;
    const Vec3d p_WC = data_.p_WB[p.body] + data_.R_WB[p.body] * model.bodies[p.body].com;
    const Vec3d p_OC = p_WC - tree_origin(model, data_, p.body);
    for (int d = last_dof(model, p.body); d >= 0; d = model.dofs[d].parent) {
      impulse_[d] += dot(point_velocity(data_.S[d], p_OC), impulse);
    }
  }
  solve_mass_matrix(model, mass_.data(), impulse_.data());
  for (std::size_t d = 0; d < impulse_.size(); ++d) qvel[d] += impulse_[d];
}

}  // namespace footfall
