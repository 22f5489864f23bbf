// A world with what a run of it starts from, as Python holds it.
#pragma once

#include <memory>
#include <utility>

#include "footfall/run/run.hpp"

namespace footfall::python {

struct PreparedWorld {
  explicit PreparedWorld(Scenario s) : scenario(std::move(s)), setup(prepare_run(scenario)) {}
  Scenario scenario;
  RunSetup setup;
};

}  // namespace footfall::python
