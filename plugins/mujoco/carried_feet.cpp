#include "carried_feet.hpp"

#include "carried_kernels.hpp"
#include "footfall/kernels.hpp"
#include "kernel_sets.hpp"

#define FOOTFALL_DECLARE_CARRIED(set) FOOTFALL_STEP_CARRIED(set);
FOOTFALL_FOR_EACH_KERNEL_SET(FOOTFALL_DECLARE_CARRIED)

namespace footfall {
namespace {

struct CarriedKernels {
  std::string_view name;
  void (*run)(const World&, CarriedStage, CarriedFeet&);
};
#define FOOTFALL_LIST_CARRIED(set) CarriedKernels{#set, footfall_step_carried_##set},
constexpr CarriedKernels kCarriedKernels[] = {FOOTFALL_FOR_EACH_KERNEL_SET(FOOTFALL_LIST_CARRIED)};

}  // namespace

void run_carried(const World& world, CarriedStage stage, CarriedFeet& feet) {
  static const CarriedKernels& chosen = [&]() -> const CarriedKernels& {
    for (const CarriedKernels& set : kCarriedKernels) {
      if (set.name == kernel_set()) return set;
    }
    return kCarriedKernels[0];  // not reached: kernel_set() is one of them
  }();
  chosen.run(world, stage, feet);
}

CarriedJacobian::CarriedJacobian(std::vector<int> dofs) : columns(std::move(dofs)) {
  for (const int dof : columns) {
    const int block = dof / kBlock;
    if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
    place.push_back(width() - kBlock + dof % kBlock);
  }
  rows.resize(static_cast<std::size_t>(6) * width());
}

void require_terms(const Ground& ground) {
  if (soil_ground(ground) == nullptr && wrench_space(ground) == nullptr &&
      !std::holds_alternative<ResistiveGround>(ground)) {
    throw InputError("feet of another engine stand on soil, on resistive force or on wrench "
                     "spaces, no other ground");
  }
}

CarriedFeet::CarriedFeet(const World& world, int dofs)
    : robot(world.robot),
      contact((require_terms(world.ground), make_contact<double>(world, robot.tree))),
      state(make_state<double>(world, world.robot.qpos0)), report(nothing_to_solve<double>()) {
  motion.dofs = dofs;
  if (auto* grains = std::get_if<GranularContact>(&contact)) {  // rows of Y are the engine's dofs
    grains->qp = WrenchQp(static_cast<int>(world.soles.feet.size()), grains->space->parts(),
                          std::max(dofs, 1));
  }
  for (int b = 1; b < world.robot.body_count(); ++b) {
    const Link& link = robot.tree.plan.links[robot.tree.plan.bodies[b].link];
    bodies.push_back(
        {.group = link.group, .item = link.item, .slot = robot.tree.groups[link.group].first_slot});
  }
}

}  // namespace footfall
