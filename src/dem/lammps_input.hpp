// What LAMMPS is told: the text of its input files, and the grains that a bed begins with.
//
// Contacts are pair_style granular's: Hertz's law between spheres, and with the plane of a wall,
//
//   F_n = K_n √(R δ) δ,   K_n = 4/3 E*,   E* = E / (2 (1 − ν²)),   1/R = 1/R_1 + 1/R_2
//
// Mindlin's without slip for the tangential displacement s, its force no larger than μ F_n,
//
//   F_t = K_t √(R δ) s,   K_t = 8 G*,   G* = E / (4 (2 − ν)(1 + ν))
//
// and Tsuji's damping, whose restitution does not depend on the speed. Stiffnesses are given as numbers, also
// to walls: from E and ν LAMMPS of 2021 makes walls 1.30 times as stiff along the normal and 0.61 times across.
// Its restitution, too, is corrected.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "footfall/dem/engine.hpp"

namespace footfall {

constexpr double kGrainGravity = 9.81;  // [m/s²]

double hertz_stiffness(const Grains& grains);    // K_n [Pa]
double mindlin_stiffness(const Grains& grains);  // K_t [Pa]
// A Rayleigh wave's time across a grain's half circumference [s].
double rayleigh_time(const Grains& grains);

// Numbers of the steps of a drive.
struct DriveSteps {
  double timestep = 0;           // [s]
  std::int64_t per_sample = 0;   // steps
  std::vector<std::int64_t> of;  // at which each pose is reached
};
// Throws InputError where times do not rise, or the interval is not positive.
DriveSteps drive_steps(std::span<const FootPose> path, double sample_interval, double longest_step);

// What both inputs begin with: contacts, walls, gravity. Grains are lost through walls and floor alone, the
// box's top follows them.
std::string grains_input(const BedOptions& options, const char* data_file, double timestep);

// A data file of as many grains as the bed will need, in loose layers, each with a small random velocity.
std::string poured_grains(const BedOptions& options);

// Reads poured.data; lets it settle, rakes it flat at options.depth, lets it settle again; writes bed.data.
std::string settle_input(const BedOptions& options, double timestep);

// Reads bed.data, and prints a row of step, force and torque for each sample.
std::string drive_input(const Bed& bed, const GrainFoot& foot, std::span<const FootPose> path,
                        const DriveSteps& steps);

}  // namespace footfall
