// The forces along a recorded motion on MuJoCo's soft ground, by inverse dynamics (Gora 2025, III.C): what the ground
// does to each body that touches it, and what the joints must do beside it.
//
//   force of a contact     f = R⁻¹ (a_ref − a) of its rows, from position, velocity and acceleration alone
//   force of the joints    M a + C − Jᵀ f, less springs, damping and gravity: MuJoCo's qfrc_inverse
//
// A floating base has no motor: what is left on it is the error of the motion, of the masses or of the ground.
//
// Velocities that the motion does not have, and accelerations, are differences over the rows before and after; with
// `forward`, accelerations reach to the next row: those of every step of a simulation give back its forces.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "footfall/math/spatial.hpp"
#include "footfall/soft/impedance.hpp"

namespace footfall {

// Rows of coordinates as MuJoCo's qpos and qvel.
struct Motion {
  std::vector<double> time;               // [s]
  std::vector<std::vector<double>> qpos;  // by row
  std::vector<std::vector<double>> qvel;  // by row; empty: not recorded
};
// A run file, or a table with the columns of its export: "time [s]", "qpos[0]", …, and "qvel[0]", … where they were
// recorded. Throws InputError: a column that is missing, fewer than three rows, times that do not rise, a quaternion
// that is none.
Motion read_motion(const std::filesystem::path& file, int position_count, int velocity_count);

struct MotionOptions {
  std::optional<SoftReference>
      solref{};  // of level ground; default: the planes of the robot's file as they are
  SoftImpedance solimp{};
  std::string ground = {};  // geom, with solref; empty: as for tune_soft_ground
  bool forward = false;
};

struct MotionRow {
  double time = 0;                   // [s]
  std::vector<Vec3d> contact_force;  // of the ground on each of the bodies, frame W [N]
  std::vector<double> sinkage;       // of the deepest contact of each; 0: it does not touch [m]
  std::vector<double> joint_force;   // on each dof beside the ground's [N m or N]
};

struct MotionForces {
  std::vector<std::string> bodies;  // that can touch the ground
  std::vector<std::string> dofs;    // "left_knee", "root.linear_z"
  std::vector<bool> turns;          // is the dof's force a moment? [N m], else [N]
  std::vector<bool> is_free;        // of a free joint: nothing drives it
  double weight = 0;                // of everything that moves [N]
  std::vector<MotionRow> rows;
};
// Throws InputError for what read_motion, tune_soft_ground or build_soft_world refuse, and without any plane.
MotionForces find_motion_forces(const std::filesystem::path& robot,
                                const std::filesystem::path& motion, const MotionOptions& options);

}  // namespace footfall
