// Gaits of a scenario, started for a run.
#include <cmath>
#include <memory>

#include "footfall/gait/trot.hpp"
#include "footfall/gait/walk.hpp"
#include "footfall/run/controller.hpp"

namespace footfall {
namespace {

template <class Gait>
RunningGait running(const std::shared_ptr<Gait>& gait) {
  return {[gait](const World& world, const State<double>& state, Control<double>& control) {
            gait->update(world, state, control);
          },
          {}};
}

RunningGait start_trot(const Controller& controller, const World& world,
                       const State<double>& start) {
  const TrotParameters& p = controller.trot;
  const auto gait =
      std::make_shared<TrotController>(p, world, start, controller.start.kp, controller.start.kd);
  RunningGait out = running(gait);
  out.goal.speed = std::hypot(p.speed, p.lateral_speed);
  if (out.goal.speed > 0) {
    out.goal.direction = {p.speed / out.goal.speed, p.lateral_speed / out.goal.speed, 0};
  }
  out.goal.turn_rate = p.turn_rate;
  out.goal.base_height = p.base_height.value_or(0);
  out.goal.from = p.start_delay + p.ramp_duration;
  if (p.stop_time) out.goal.to = *p.stop_time - p.ramp_duration;
  out.goal.expected_sinkage = gait->largest_sinkage();
  return out;
}

RunningGait start_walk(const Controller& controller, const World& world,
                       const State<double>& start) {
  const WalkParameters& p = controller.walk;
  const auto gait =
      std::make_shared<WalkController>(p, world, start, controller.start.kp, controller.start.kd);
  RunningGait out = running(gait);
  // the middle of the feet moves by all steps but the last, while each foot swings in turn
  const double walking = p.step_count * p.step_duration;
  const double ahead = (p.step_count - 1) * p.step_length;
  out.goal.speed = std::abs(ahead) / walking;
  out.goal.turn_rate = (p.step_count - 1) * p.turn / walking;
  out.goal.base_height = p.base_height.value_or(0);
  out.goal.direction = {ahead < 0 ? -1.0 : 1.0, 0, 0};
  out.goal.from = gait->walk_start();
  out.goal.to = out.goal.from + walking;
  out.goal.expected_sinkage = gait->largest_sinkage();
  return out;
}

}  // namespace

RunningGait start_gait(const Controller& controller, const World& world,
                       const State<double>& start) {
  if (controller.kind == ControllerKind::trot) return start_trot(controller, world, start);
  return start_walk(controller, world, start);
}

}  // namespace footfall
