// Grains by LAMMPS: its program `lmp` with the package GRANULAR, started as a process beside ours.
#pragma once

#include <memory>
#include <string>

#include "footfall/dem/engine.hpp"

namespace footfall {

struct LammpsOptions {
  // Name on the PATH, or a path; empty: the environment's FOOTFALL_LAMMPS, or else lmp.
  std::string program;
  // What starts it in parallel, with its words, e.g. "mpirun --hostfile hosts -np 8"; empty: mpirun -np N
  // where a run asks for more than one process.
  std::string launcher;
};

// Throws InputError where there is no such program, or where it lacks GRANULAR.
std::unique_ptr<GrainEngine> make_lammps_engine(const LammpsOptions& options = {});

}  // namespace footfall
