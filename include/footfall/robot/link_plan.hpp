// A robot as a tree of links, each moved by one joint: the form that the step's kernels run on.
//
// A body with several joints becomes several links, one behind the other, the last of which has the
// mass; a body without a joint becomes part of the link it is welded to. A link's frame L stands at
// its joint's anchor with z along the joint's axis: then all hinges are alike, whatever their axis,
// and four of them that do not depend on each other share a group (see math/pack.hpp).
#pragma once

#include <vector>

#include "footfall/robot/model.hpp"

namespace footfall {

struct Link {
  int joint = 0;  // of the model
  JointType type = JointType::hinge;
  int parent = -1;                       // link, −1: the world
  int tree = 0;                          // see LinkPlan::roots
  Mat3d rotation = identity3<double>();  // R_PL at the joint's q0, P the parent link's frame
  Vec3d position{0, 0, 0};               // p_PL likewise [m]
  double mass = 0;                       // of all bodies that move with it [kg]
  Vec3d com{0, 0, 0};                    // frame L [m]
  Sym3<double> inertia{};                // about com, axes of L [kg m²]
  double lifted_mass = 0;                // Σ gravity_compensation × mass [kg]
  Vec3d lifted_moment{0, 0, 0};          // Σ gravity_compensation × mass × com, frame L [kg m]
  int group = 0, item = 0;               // its place among the groups
};

// Where a body's frame B stands on its link.
struct BodyOnLink {
  int link = -1;                         // −1: fixed in the world, L is W
  Mat3d rotation = identity3<double>();  // R_LB
  Vec3d position{0, 0, 0};               // p_LB [m]
};

struct LinkPlan {
  std::vector<Link> links;         // parents first
  std::vector<BodyOnLink> bodies;  // of each body of the model
  std::vector<int> roots;          // top body of each tree; its position is the tree's O
  std::vector<std::vector<int>>
      groups;  // links by group and item, parents' groups first; −1: empty
};

// Groups of up to `group_size` links of one joint type.
LinkPlan make_link_plan(const RobotModel& model, int group_size);

}  // namespace footfall
