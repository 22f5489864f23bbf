// A world with what a run of it starts from, as Python holds it.
#pragma once

#include <memory>
#include <utility>

#include "footfall/run/run.hpp"
#include "footfall/step/batch.hpp"

namespace footfall::python {

struct PreparedWorld {
  explicit PreparedWorld(Scenario s) : scenario(std::move(s)), setup(prepare_run(scenario)) {}
  PreparedWorld(const PreparedWorld& other) : scenario(other.scenario), setup(other.setup) {}
  PreparedWorld& operator=(const PreparedWorld&) = delete;

  // The same for batches, which share it. With the interpreter's lock.
  const std::shared_ptr<const BatchWorld>& shared() const {
    if (!shared_) shared_ = std::make_shared<BatchWorld>(BatchWorld{setup.world, setup.state});
    return shared_;
  }

  Scenario scenario;
  RunSetup setup;

 private:
  mutable std::shared_ptr<const BatchWorld> shared_;
};

}  // namespace footfall::python
