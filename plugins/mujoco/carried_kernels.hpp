// Steps of carried feet as they are compiled for each instruction set, as in step/kernels.hpp. They are in MuJoCo's
// plugin alone: a program that has no other engine does not carry them.
#pragma once

#include "carried_feet.hpp"

#define FOOTFALL_JOIN_(a, b) a##b
#define FOOTFALL_JOIN(a, b) FOOTFALL_JOIN_(a, b)
// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a name
#define FOOTFALL_STEP_CARRIED(set)                                                                 \
  extern "C" void FOOTFALL_JOIN(footfall_step_carried_, set)(                                      \
      const footfall::World& world, footfall::CarriedStage stage, footfall::CarriedFeet& feet)
// NOLINTEND(bugprone-macro-parentheses)
