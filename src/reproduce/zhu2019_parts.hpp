// The parts of reproduce_zhu2019. Each adds its items, tables and figures.
#pragma once

#include <string>
#include <vector>

#include "footfall/granular/wrench_database.hpp"
#include "footfall/reproduce/reproduction.hpp"
#include "footfall/run/controller.hpp"
#include "footfall/step/step.hpp"

namespace footfall::zhu2019 {

void add_media(Reproduction& out);                             // Section IV.B, Table II; III.B.3
void add_rig(Reproduction& out);                               // Section IV.C.1, Figs. 7 and 8
void add_drops(Reproduction& out);                             // Section IV.C.2, Fig. 9
void add_robot(Reproduction& out, const ShareDone& progress);  // Section IV.C.3, Fig. 10
void add_speed(Reproduction& out);                             // Section IV.C.4

// A database of media/, by its name.
WrenchDatabase load_medium(const std::string& name);

// What a foot did, of each sample.
struct FootTrace {
  std::vector<double> x, z;              // of the sole's centre, frame W [m]
  std::vector<double> depth, tilt;       // θ [m], [rad]
  std::vector<double> force_x, force_z;  // of the grains, frame W [N]
};
struct Trace {
  std::vector<double> time;            // [s]
  std::vector<double> base_x, base_z;  // of the first body [m]
  std::vector<double> base_pitch;      // of planar robots [rad]
  std::vector<double> speed;           // largest of all velocities [m/s or rad/s]
  std::vector<FootTrace> feet;
  double use = 0;   // largest of a sample's wrenches over the boundary of W [-]
  int clamped = 0;  // steps in which θ was outside the data
};
// A scenario from start to end; a sample every so many steps.
Trace trace_scenario(const Scenario& scenario, int every);
// One of scenarios/, with values replaced.
Scenario find_scenario(const std::string& name, const std::vector<std::string>& overrides);

// A row of the table of steps outside the data.
void add_clamped(const std::string& name, const Trace& trace, Reproduction& out);

double largest(const std::vector<double>& values);

}  // namespace footfall::zhu2019
