// Which of the sets of kernels a step runs.
#include "step/kernels.hpp"

#include "footfall/kernels.hpp"
#include "kernel_sets.hpp"

#define FOOTFALL_DECLARE_ENTRIES(set)                                                              \
  FOOTFALL_STEP_ONE(set);                                                                          \
  FOOTFALL_STEP_LANES(set);
FOOTFALL_FOR_EACH_KERNEL_SET(FOOTFALL_DECLARE_ENTRIES)

namespace footfall {
namespace {

template <class T>
using StepEntry = void (*)(const World&, const Control<T>&, State<T>&, StepWorkspace<T>&,
                           SolverReport<T>&);

struct KernelSet {
  std::string_view name;
  StepEntry<double> one;
  StepEntry<Lane8> lanes;
};

#define FOOTFALL_LIST_ENTRIES(set)                                                                 \
  KernelSet{#set, footfall_step_one_##set, footfall_step_lanes_##set},
constexpr KernelSet kKernelSets[] = {FOOTFALL_FOR_EACH_KERNEL_SET(FOOTFALL_LIST_ENTRIES)};

const KernelSet& chosen_kernels() {
  static const KernelSet& chosen = [&]() -> const KernelSet& {
    for (const KernelSet& set : kKernelSets) {
      if (set.name == kernel_set()) return set;
    }
    return kKernelSets[0];  // not reached: kernel_set() is one of them
  }();
  return chosen;
}

}  // namespace

template <>
SolverReport<double> step(const World& world, const Control<double>& command, State<double>& state,
                          StepWorkspace<double>& workspace) {
  SolverReport<double> report;
  chosen_kernels().one(world, command, state, workspace, report);
  return report;
}

template <>
SolverReport<Lane8> step(const World& world, const Control<Lane8>& command, State<Lane8>& state,
                         StepWorkspace<Lane8>& workspace) {
  // In a variable of its own and copied: g++ does not align what a call returns into to more than a register
  // of the caller, and kernels store whole registers of theirs.
  struct {
    SolverReport<Lane8> report;
  } aligned;
  chosen_kernels().lanes(world, command, state, workspace, aligned.report);
  return aligned.report;
}

}  // namespace footfall
