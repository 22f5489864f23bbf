// How a robot yields to wrenches on its links, from the factors that the articulated sweep leaves behind.
//
// A wrench on a link passes through its joints towards the root, each taking the part that it yields to,
//
//   y = Sᵀ wrench,  wrench −= (U/D) y,
//
// as in the extended force propagator (Featherstone 2008, ch. 7 and 8). The rows Y = y/√D, and C⁻¹ wrench at
// a free root of inertia C Cᵀ, say all: the links' twists change by J A⁻¹ Jᵀ = YᵀY, summed over the way that
// two links share, and the twists of a solved sweep are Yᵀ z with the parts z of find_motion_parts.
#pragma once

#include <vector>

#include "footfall/robot/link_sweep.hpp"

namespace footfall {

// The way of a link: its joints, the root's first; those of a free root are not among them.
struct LinkPath {
  struct Joint {  // a dof, in the sweep's terms
    int slot = 0, item = 0;
  };
  std::vector<Joint> joints;
  int free_group = -1, free_item = 0;  // of a free root; −1: none

  int root_rows() const { return free_group < 0 ? 0 : 6; }
  int rows() const { return static_cast<int>(joints.size()) + root_rows(); }
};
LinkPath make_link_path(const LinkTree<double>& tree, int link);

// Rows of the way that two links share; they come first.
int shared_rows(const LinkPath& a, const LinkPath& b);

// C of a free root: the lower triangle of C Cᵀ.
struct RootFactor {
  double C[6][6];
};
RootFactor factor_root(const LinkPath& path, const LinkSweep<double>& sweep);

// Y of up to eight wrenches on a link, one in each lane: path.rows() rows, the root's first. `root` counts
// where the root is free.
void respond(const LinkPath& path, const LinkData<double>& links, const LinkSweep<double>& sweep,
             const RootFactor& root, const Spatial<Lane8>& wrenches, Lane8* rows);

// z: path.rows() numbers.
void find_motion_parts(const LinkPath& path, const LinkSweep<double>& sweep, const RootFactor& root,
                       double* parts);

// A link's twist as the sweep has it.
Twist<double> link_motion(const LinkTree<double>& tree, const LinkSweep<double>& sweep, int link);

// Fills the sweep's twists with those of the velocities qvel.
void move_twists(const LinkTree<double>& tree, const LinkData<double>& links,
                 const std::vector<Pack<double>>& qvel, LinkSweep<double>& sweep);

// Adds an impulse about O to what moves a link.
void add_impulse(const LinkTree<double>& tree, int link, const Wrench<double>& impulse,
                 LinkData<double>& links);

}  // namespace footfall
