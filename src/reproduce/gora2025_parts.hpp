// The parts of reproduce_gora2025. Each adds its items, tables and figures.
#pragma once

#include "footfall/reproduce/reproduction.hpp"
#include "footfall/soft/impedance.hpp"

namespace footfall::gora2025 {

inline constexpr double kGravity = 9.81;      // [m/s²]
inline constexpr double kBallSinkage = 0.01;  // [m]
inline constexpr double kBoxSinkage = 0.006;  // [m], the robot's too
inline constexpr double kBoxDampingRatio = 1.5;
inline constexpr SoftReference kBallReference{-2060.1, -90.8};
inline constexpr SoftReference kBoxReference{-858.4, -87.9};
inline constexpr SoftReference kRobotReference{-11445.0, -320.9};
inline constexpr SoftImpedance kBallImpedance{0, 0.95, 0.02, 0.5, 2};
inline constexpr SoftImpedance kBoxImpedance{0, 0.95, 0.012, 0.5, 2};

void add_formulas(Reproduction& out);                          // (22), (29), (30), Hunt–Crossley
void add_bodies(Reproduction& out);                            // Figs. 2 to 4
void add_note(Reproduction& out);                              // the note on soft constraints
void add_robot(Reproduction& out, const ShareDone& progress);  // Fig. 5

// (29) as printed, without MuJoCo's bounds on d₀, for a load on 1 kg [N].
double printed_stiffness(double sinkage, const SoftImpedance& solimp, double load = kGravity);

}  // namespace footfall::gora2025
