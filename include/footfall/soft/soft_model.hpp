// SoftModel: which of a robot's shapes touch which planes as MuJoCo's soft constraints, and the
// constants of those constraints and of joint limits and joint friction as MuJoCo has them. Made
// from a compiled MuJoCo model, see mujoco/soft_world.hpp; constant during a run.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "footfall/robot/model.hpp"
#include "footfall/soft/impedance.hpp"

namespace footfall {

enum class SoftCone { pyramidal, elliptic };

// A static plane, without an edge.
struct SoftPlane {
  std::string name;
  Vec3d point{0, 0, 0};   // frame W [m]
  Vec3d normal{0, 0, 1};  // unit, out of the ground, frame W
};

// A face of a hull, as the contacts of one of its corners see it.
struct SoftFace {
  Vec3d normal{0, 0, 1};       // unit, outward, frame G
  int count = 0;               // of corners
  std::array<int, 4> corners;  // that touch when the first one is the hull's lowest vertex
};

// The convex hull of a mesh.
struct SoftHull {
  std::vector<Vec3d> vertices;      // frame G [m]
  std::vector<int> first_neighbor;  // of each vertex in `neighbors`, and their end
  std::vector<int> neighbors;       // vertices at the other ends of its edges
  std::vector<int> first_face;      // of each vertex in `faces`, and their end
  std::vector<SoftFace> faces;      // around each vertex
};

// A geom of the robot that touches a plane.
struct SoftPairing {
  int geom = 0;   // of the robot
  int plane = 0;  // of SoftModel
  int hull = -1;  // of SoftModel, for a mesh
  SoftPair law;
  double inverse_inertia = 0;  // Â of translation: the body's at qpos0 [1/kg]
  double reach = 0;            // radius of a ball about the geom that holds it [m]
};

// A joint's limits, as a constraint of the same kind.
struct SoftLimit {
  SoftReference solref{};
  SoftImpedance solimp{};
  double margin = 0;  // [rad or m]
};

// One dof's dry friction likewise.
struct SoftDof {
  SoftReference solref{};
  SoftImpedance solimp{};
  double inverse_inertia = 0;  // Â at qpos0 [1/(kg m²) or 1/kg]
};

struct SoftModel {
  SoftCone cone = SoftCone::pyramidal;
  double impratio = 1;
  bool refsafe = true;
  bool exact_diagonal = false;  // Â is the diagonal of J M⁻¹ Jᵀ in every step
  std::vector<SoftPlane> planes;
  std::vector<SoftPairing> pairings;
  std::vector<SoftHull> hulls;    // of the file's meshes; empty where nothing touches with one
  std::vector<SoftLimit> limits;  // of each joint
  std::vector<SoftDof> dofs;      // of each dof
};

}  // namespace footfall
