// The step as it is compiled for each instruction set. Called from code that is compiled for any processor, so
// nothing is passed or returned in registers that such code does not know: references alone.
#pragma once

#include "footfall/step/step.hpp"

#define FOOTFALL_JOIN_(a, b) a##b
#define FOOTFALL_JOIN(a, b) FOOTFALL_JOIN_(a, b)
// The entries of a set: footfall_step_one_v3, footfall_step_lanes_v3.
// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a name
#define FOOTFALL_STEP_ONE(set)                                                                     \
  extern "C" void FOOTFALL_JOIN(footfall_step_one_, set)(                                          \
      const footfall::World& world, const footfall::Control<double>& command,                      \
      footfall::State<double>& state, footfall::StepWorkspace<double>& workspace,                  \
      footfall::SolverReport<double>& report)
#define FOOTFALL_STEP_LANES(set)                                                                   \
  extern "C" void FOOTFALL_JOIN(footfall_step_lanes_, set)(                                        \
      const footfall::World& world, const footfall::Control<footfall::Lane8>& command,             \
      footfall::State<footfall::Lane8>& state,                                                     \
      footfall::StepWorkspace<footfall::Lane8>& workspace,                                         \
      footfall::SolverReport<footfall::Lane8>& report)
// NOLINTEND(bugprone-macro-parentheses)
