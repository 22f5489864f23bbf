#include "footfall/rig/drag.hpp"

#include "input_error.hpp"

namespace footfall {
namespace {

void check_settings(const DragSettings& settings) {
  if (settings.sinkage.has_value() == settings.load.has_value()) {
    throw InputError("drag needs either a sinkage [m] or a load [N], not both");
  }
  if (settings.sinkage && !(*settings.sinkage > 0 && *settings.sinkage <= 10)) {
    throw input_error("sinkage = {} m, expected above 0 and at most 10 m", *settings.sinkage);
  }
  if (settings.load && !(*settings.load > 0 && *settings.load <= 1e9)) {
    throw input_error("load = {} N, expected above 0 and at most 1e9 N", *settings.load);
  }
  if (!(settings.speed > 0 && settings.speed <= 100)) {
    throw input_error("speed = {} m/s, expected above 0 and at most 100 m/s", settings.speed);
  }
  if (!(settings.distance > 0 && settings.distance <= 1000)) {
    throw input_error("distance = {} m, expected above 0 and at most 1000 m", settings.distance);
  }
  if (settings.samples < 2 || settings.samples > 1000000) {
    throw input_error("samples = {}, expected 2 to 1000000", settings.samples);
  }
}

}  // namespace

DragResult drag(const RigGround& ground, const RigFoot& foot, const DragSettings& settings) {
  check_settings(settings);
  const double weight = foot.foot_mass * kRigGravity;
  GroundMemory memory;
  RigSample s;
  s.sinkage = settings.sinkage ? *settings.sinkage : find_rest(ground, *settings.load + weight);
  s.normal_force = evaluate_ground(ground, memory, s.sinkage, 0).force;
  commit_sinkage(ground, s.sinkage, memory);
  s.pad_force = std::max(s.normal_force - weight, 0.0);
  if (foot.pad) s.pad_compression = find_compression(*foot.pad, s.pad_force);
  s.body_sinkage = s.sinkage + s.pad_compression;
  if (ground.sole) s.contact_area = contact_area(*ground.sole, s.sinkage);

  DragResult result;
  const double dt = settings.distance / settings.speed / settings.samples;
  const auto move_to = [&](double x) {
    const double dx = x - s.shear_displacement.x;
    const ShearForce shear =
        commit_shear(ground, s.sinkage, s.normal_force, {dx, 0, 0}, dx == 0 ? 0 : dt, memory);
    s.shear_displacement.x = x;
    s.tangential_force = shear.force;
    s.shear_strength = shear.strength;
    s.mobilized_shear = shear.mobilized;
    result.series.push_back(s);
  };
  move_to(0);
  for (int way = 0; way < (settings.reverse ? 2 : 1); ++way) {
    for (int i = 1; i <= settings.samples; ++i) {
      s.time = dt * (way * settings.samples + i);
      move_to(settings.distance * (way == 0 ? i : settings.samples - i) / settings.samples);
    }
    (way == 0 ? result.out : result.back.emplace()) = s;
  }
  return result;
}

}  // namespace footfall
