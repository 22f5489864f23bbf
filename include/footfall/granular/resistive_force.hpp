// Wrenches of dry grains on a foot by resistive force theory: a database in milliseconds, where grains
// one by one take hours.
//
// C. Li, T. Zhang, D. I. Goldman 2013, A terradynamics of legged locomotion on granular media, Science
// 339:1408. A small plate at depth |z| in grains, moving slowly, meets a stress that grows linearly with
// depth and depends only on how it lies and where it goes:
//
//   σ_x = −ζ α_x(β, γ) |z|,   σ_z = ζ α_z(β, γ) |z|                                              [Pa]
//   α_z = A₀₀ + A₁₀ cos 2β + B₁₁ sin(2β + γ) + B₀₁ sin γ + B₋₁₁ sin(−2β + γ)                       [N/m³]
//   α_x = C₁₁ cos(2β + γ) + C₀₁ cos γ + C₋₁₁ cos(−2β + γ) + D₁₀ sin 2β                            [N/m³]
//
//   β   attack angle: the plate lies along (cos β, sin β), |β| ≤ π/2                             [rad]
//   γ   intrusion angle: it moves along (cos γ, −sin γ), |γ| ≤ π/2, downwards positive; motion towards
//       −x is this, mirrored: (β, γ) → (−β, π − γ), σ_x → −σ_x                                   [rad]
//   A…D the paper's nine generic coefficients (its supplementary text), α_z(0, π/2) = 10⁶ N/m³
//   ζ   the medium's scale [-]: α_z(0, π/2) in N/cm³; 0.25 and 0.46 for poppy seeds, loose and dense
//
// A body is the sum of its surface elements, and only those count that lead, n·v > 0, and are in the
// ground. An element that slides along itself, n·v = 0, as a side does while its foot goes straight down,
// counts half: the limit of one side and the other, and the plate of the experiments had two sides.
//
// The theory is plane. A foot that is round across the plane of motion is cut into slices dy, each a
// plane body: dA |n_xz| = ds dy, so a foot that is dragged meets what its frontal area asks for. A force
// across the plane, and what neighbouring slices do to each other, are left out; Treers, Cao, Stuart 2021
// (IEEE RA-L 6:1887) scale the stress by the share of the velocity along the normal instead.
//
// Valid for dry, uniform, level grains and slow motion (below about 0.5 m/s for millimetre grains), away
// from walls and floor. It knows no compaction, no pile and no hole left behind. Its authors find
// forces on legs within about 30 %.
#pragma once

#include <string>
#include <vector>

#include "footfall/granular/wrench_database.hpp"

namespace footfall {

// α_x and α_z [N/m³] at β and γ [rad], any angles.
struct ResistiveStress {
  double x = 0, z = 0;
};
ResistiveStress evaluate_resistive_stress(double attack_angle, double intrusion_angle);

// Gauss points for each smooth piece of a slice's outline, and twice as many slices.
inline constexpr int kResistivePoints = 16;

// Of the ground on the foot, whose sole's centre moves at `velocity`, for ζ = 1: all else is
// proportional. Zero for a foot at rest. Throws InputError for a foot without a size.
PlanarWrench evaluate_resistive_wrench(const GrainFoot& foot, const FootConfiguration& at,
                                       const PlanarVelocity& velocity,
                                       int points = kResistivePoints);

// All that a database needs besides the foot and the directions.
struct ResistiveMedium {
  std::string name = {};                        // "play-sand"
  double scale = 1;                             // ζ [-]
  std::vector<double> depths = {}, tilts = {};  // the grid's: above 0 [m]; 0 to π/2 [rad]
};
// Throws InputError.
WrenchDatabase make_resistive_database(const ResistiveMedium& medium, const GrainFoot& foot,
                                       const std::vector<PlanarVelocity>& directions);

// ζ by least squares over all of a database's wrenches, torques over the height of p_r as forces.
struct ResistiveFit {
  double scale = 0;  // ζ [-]
  double error = 0;  // root of the summed squares of what is left, over that of the data [-]
  double force_x_error = 0, force_z_error = 0, torque_error = 0;  // each alone, likewise [-]
};
// Throws InputError where the theory gives the foot no force at all.
ResistiveFit fit_resistive_scale(const WrenchDatabase& measured);

}  // namespace footfall
