// A foot that a PID controller leads along a path through a granular medium, W(θ) learned from a database: Zhu 2019,
// IV.C.1. The foot is robots/single_foot.xml, 7.357 kg; its weight is held beside the controller, whose force is
//
//   k_p e + k_d ė + k_i ∫e dt       e of the centre of mass along x and z and of the tilt
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "footfall/ground/wrench_model.hpp"

namespace footfall {

// Where the sole's centre is to be: x [m], depth [m], tilt [rad], and their rates.
struct LedPose {
  std::array<double, 3> place{}, rate{};
};

struct LedFootOptions {
  std::array<double, 3> kp{8000, 20000, 300};           // [N/m, N/m, N m/rad]
  std::array<double, 3> ki{4000, 6000, 1000};           // [N/(m s), N/(m s), N m/(rad s)]
  std::array<double, 3> kd{200, 400, 10};               // [N s/m, N s/m, N m s/rad]
  std::array<double, 3> grains{14.714, 14.714, 0.122};  // M_g [kg, kg, kg m²]
  std::string regression = "rbf";
  double timestep = 1e-3;   // [s]
  double interval = 0.025;  // between samples [s]
};
// Keys kp, ki, kd and grain_inertia_kg_kg_kgm2 of a TOML file, three numbers each; what it leaves out is as above.
// Throws InputError with file, line and key.
LedFootOptions read_led_foot(const std::filesystem::path& file);

struct LedSample {
  double time = 0;  // [s]
  double x = 0;     // of the sole's centre [m]
  FootConfiguration at;
  PlanarWrench wrench;   // of the grains, in the surface frame
  bool clamped = false;  // θ was outside the data
};

// `medium`: a database's file, or its name in media/, as a scenario in `folder` would have it.
std::vector<LedSample> lead_foot(const std::string& medium, const std::filesystem::path& folder,
                                 const std::function<LedPose(double time)>& path, double duration,
                                 const LedFootOptions& options = {});

}  // namespace footfall
