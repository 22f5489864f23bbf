#include "step/lane_state.hpp"

#include <cassert>

namespace footfall {
namespace {

// Calls `f` with each list of numbers or vectors of two memories, but not with those that lanes have not one by one.
template <class A, class B, class F>
void each_list(A& a, B& b, const F& f) {
  f(a.shear_displacement, b.shear_displacement);
  f(a.spin_displacement, b.spin_displacement);
  f(a.joint_displacement, b.joint_displacement);
  f(a.normal_force, b.normal_force);
  f(a.sinkage, b.sinkage);
  f(a.jump, b.jump);
  f(a.energy, b.energy);
  f(a.soil, b.soil);
  f(a.pad_compression, b.pad_compression);
  f(a.resistance, b.resistance);
  f(a.motion, b.motion);
  auto& p = a.plastic;
  auto& q = b.plastic;
  f(p.is_pressed, q.is_pressed);
  f(p.plastic_sinkage, q.plastic_sinkage);
  f(p.sinkage_max, q.sinkage_max);
  f(p.bearing, q.bearing);
  f(p.rim_height, q.rim_height);
  f(p.strength, q.strength);
  f(p.unload_stiffness, q.unload_stiffness);
  f(p.offset, q.offset);
  f(p.corner_x, q.corner_x);
  f(p.corner_y, q.corner_y);
  f(p.gap, q.gap);
  f(p.print_x, q.print_x);
  f(p.print_y, q.print_y);
  f(p.shear_x, q.shear_x);
  f(p.shear_y, q.shear_y);
}

// Copies lists lane by lane.
struct Taker {
  int i;
  void operator()(std::vector<double>& to, const std::vector<Lane8>& from) const {
    to.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) to[k] = lane(from[k], i);
  }
  void operator()(std::vector<Vec3d>& to, const std::vector<Vec3<Lane8>>& from) const {
    to.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) {
      to[k] = {lane(from[k].x, i), lane(from[k].y, i), lane(from[k].z, i)};
    }
  }
};

struct Putter {
  int i;
  void operator()(std::vector<Lane8>& to, const std::vector<double>& from) const {
    assert(to.size() == from.size());
    for (std::size_t k = 0; k < from.size(); ++k) set_lane(to[k], i, from[k]);
  }
  void operator()(std::vector<Vec3<Lane8>>& to, const std::vector<Vec3d>& from) const {
    assert(to.size() == from.size());
    for (std::size_t k = 0; k < from.size(); ++k) {
      set_lane(to[k].x, i, from[k].x);
      set_lane(to[k].y, i, from[k].y);
      set_lane(to[k].z, i, from[k].z);
    }
  }
};

}  // namespace

State<double> take_lane(const State<Lane8>& from, int i) {
  const Taker take{i};
  State<double> to;
  to.time = lane(from.time, i);
  take(to.qpos, from.qpos);
  take(to.qvel, from.qvel);
  each_list(to.memory, from.memory, take);
  const std::vector<PrintStage>& stages = from.memory.plastic.stage;
  for (std::size_t g = 0; g < stages.size(); g += kLaneCount) {
    to.memory.plastic.stage.push_back(stages[g + static_cast<std::size_t>(i)]);
  }
  if (!from.memory.ruts.empty()) to.memory.ruts = {from.memory.ruts[static_cast<std::size_t>(i)]};
  return to;
}

void put_lane(const State<double>& from, int i, State<Lane8>& to) {
  const Putter put{i};
  set_lane(to.time, i, from.time);
  put(to.qpos, from.qpos);
  put(to.qvel, from.qvel);
  each_list(to.memory, from.memory, put);
  const std::vector<PrintStage>& stages = from.memory.plastic.stage;
  for (std::size_t g = 0; g < stages.size(); ++g) {
    to.memory.plastic.stage[g * kLaneCount + static_cast<std::size_t>(i)] = stages[g];
  }
  if (!from.memory.ruts.empty()) {
    to.memory.ruts[static_cast<std::size_t>(i)] = from.memory.ruts.front();
  }
}

}  // namespace footfall
