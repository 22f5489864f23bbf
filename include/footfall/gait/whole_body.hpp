// Inverse dynamics of a robot that stands on some of its feet: the contact forces, and the joint torques,
// that give it wanted accelerations.
//
//   M(q) a + C(q, v) = Sᵀ τ + Σ J_iᵀ f_i
//
// The first six rows, the base's, have no motor, so the forces must do them: f minimises
//
//   |M_b a + C_b − Σ J_b,iᵀ f_i|²_W + ρ Σ |f_i|²      with each f_i in its friction pyramid,
//
// a non-negative least-squares problem over the pyramids' edges (four per point). Then the
// joints' rows give τ. What no admissible force can give is reported as missing.
#pragma once

#include <vector>

#include "footfall/gait/legs.hpp"

namespace footfall {

// A point of a sole that may carry force.
struct StancePoint {
  int body = 0;
  Vec3d position{0, 0, 0};  // p_WC [m]
  Vec3d normal{0, 0, 1};    // out of the ground, frame W
  double friction_coefficient = 0.6;
  double effort = 1;  // ρ's factor: above 1 the point is spared, when a foot is about to lift say
};

struct WholeBodyWeights {
  double moment_length = 0.1;  // W: a moment of 1 N m counts as a force of 1/this [m]
  double effort = 1e-4;        // ρ
};

class WholeBody {
 public:
  WholeBody(const RobotModel& model, const LeggedRobot& robot, WholeBodyWeights weights = {});

  // `acceleration` is wanted, of all dofs as qvel's. `data` has positions and velocities.
  void solve(const RobotModel& model, const RobotData<double>& data,
             const std::vector<double>& acceleration, const std::vector<StancePoint>& stance);

  const std::vector<double>& torque() const {
    return torque_;
  }  // of each dof; the base's are 0 [N m]
  const std::vector<Vec3d>& forces() const { return forces_; }  // of each stance point, frame W [N]
  double missing_force() const { return missing_force_; }       // [N]

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive.grow("shares", last_);
  }

 private:
  WholeBodyWeights weights_;
  int base_v_ = 0;
  std::vector<double> torque_;
  std::vector<Vec3d> forces_;
  double missing_force_ = 0;
  std::vector<double> last_;         // shares of the edges, where the next solve starts
  std::vector<double> mass_, bias_;  // scratch
  std::vector<Vec3d> directions_;
  std::vector<RigidInertia<double>> composite_;
  std::vector<Wrench<double>> wrench_;
};

}  // namespace footfall
