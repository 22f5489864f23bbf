// Feet in granular media: the sets of wrenches W(θ) that hold them, at the soles of a robot.
//
// A foot's θ is measured at the centre of its sole C, in the surface frame there (z the ground's normal, x
// level with the world's x): the depth of C below the ground along the normal, and the tilt of the foot's
// axis from the normal. W(θ) comes from planar wrenches (wrench_model.hpp), about a
// point p_r of the axis; here all is about C, which leaves W what it is and makes the twist's linear part
// the velocity of C, to which the grains' inertia belongs (Zhu 2019, III.C).
//
//   dimensions = 2   motion in the x–z plane: wrenches (f_x, f_z, τ_y), as in the paper
//   dimensions = 3   wrenches (f, τ), by the foot's symmetry about its axis. In the vertical plane through C at
//                    azimuth α a foot that leans by φ towards α_tilt leans by φ c, c = cos(α − α_tilt), and
//                    meets the planar wrenches at that tilt, turned to α: kAzimuthPlanes planes. And, an
//                    assumption since planar data do not say it, a moment about the normal of ± spin_radius ×
//                    the largest horizontal force. W is the hull of all these and of zero.
//
// Two refinements. Planar wrenches at tilt φ c are read off the parabola in c through those at φ, 0 and −φ.
// And a vertical motion is in all planes at once but has one wrench: what plane α has for it, w_v(φ c), is
// replaced by that of the plane of tilt, w_v(φ); of directions with a part b along the normal (on the unit
// sphere of directions) the same difference is taken, times b².
//
// For the upright foot this is the body of revolution of the planar set, but for the angles between the
// planes, which cost up to 1 − cos(π/2n) of a horizontal force, 1.9 %. In the plane of tilt it holds the
// planar set. It changes continuously with the pose.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "footfall/foot/sole.hpp"
#include "footfall/ground/wrench_model.hpp"
#include "footfall/solver/wrench_qp.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

inline constexpr int kAzimuthPlanes = 8;  // over half a turn

struct WrenchSpaceOptions {
  int dimensions = 3;  // 2 or 3
  // M_g: inertia of the grains that move with a foot, see WrenchSole
  double grain_inertia_factor =
      2;  // times the inertia of the body that the foot belongs to (IV.C.1)
  std::optional<std::array<double, 3>>
      grain_inertia{};                  // instead: along x, along z [kg], of tilting [kg m²]
  std::optional<double> spin_radius{};  // default: ⅔ of the sole's radius [m]
};

// Inertia of the grains that move with C, along the axes of the surface frame.
struct GrainInertia {
  double horizontal = 0, vertical = 0;  // [kg]
  double tilting = 0, spinning = 0;     // [kg m²]
};

struct WrenchSole {
  int body = 0;
  Vec3d center{0, 0, 0};  // p_BC [m]
  Vec3d axis{0, 0, 1};    // up, unit, frame B
  double radius = 0;      // of the sole, or of a circle of its area [m]
  double spin_radius = 0;
  GrainInertia grains;
};

// A sole against the ground.
struct SolePose {
  Mat3d R_WC;           // axes of the surface frame
  Vec3d p_WC;           // C [m]
  double depth = 0;     // of C, along the normal; negative above the ground [m]
  double tilt = 0;      // φ; of dimensions = 3 never negative [rad]
  Vec3d lean{1, 0, 0};  // level direction in which the axis leans, frame C
};

// Of all directions, about C: w(φ c) = middle + c² even + c odd.
struct PlanarWrenches {
  WrenchVertices middle, even, odd;
};

class WrenchSpace {
 public:
  // The pose, a standing one, says which way is up for soles that do not say it themselves. Throws
  // InputError for options out of range, or where a robot or ground of dimensions = 2 leaves the x–z plane.
  WrenchSpace(const WrenchExpansion& medium, const WrenchSpaceOptions& options,
              const RobotModel& robot, const Soles& soles, const Terrain& terrain,
              const std::vector<double>& pose);

  const WrenchModel& model() const { return model_; }
  bool is_planar() const { return options_.dimensions == 2; }
  int parts() const { return is_planar() ? 3 : 6; }  // of a wrench
  int vertex_count() const {
    return is_planar() ? model_.vertex_count() : kAzimuthPlanes * model_.vertex_count() + 2;
  }
  const std::vector<WrenchSole>& soles() const { return soles_; }  // of each foot
  // A friction coefficient for gaits, which plan with one: the largest horizontal force over the largest
  // vertical one, upright at half the largest depth.
  double friction() const;
  // Of the unit wrench part p, frame C: (f_x, f_z, τ_y) or (f_x, f_y, f_z, τ_x, τ_y, τ_z).
  Wrench<double> unit_wrench(int p) const;
  // Diagonal of M_g.
  double grain_inertia(const WrenchSole& sole, int p) const;

  SolePose locate(const Terrain& terrain, const WrenchSole& sole, const Mat3d& R_WB,
                  const Vec3d& p_WB) const;
  // Fills `set` with W times `scale`, about C, frame C.
  PredictedAt predict(const WrenchSole& sole, const SolePose& place, double scale,
                      PlanarWrenches& scratch, VertexSet& set) const;
  PlanarWrenches make_scratch() const;

 private:
  void study_directions(const std::vector<PlanarVelocity>& directions);
  PredictedAt predict_planar(const FootConfiguration& at, WrenchVertices& vertices) const;
  PredictedAt predict_parabola(double depth, double tilt, PlanarWrenches& scratch) const;
  void fill_plane(int plane, const SolePose& place, double scale, const PlanarWrenches& scratch,
                  VertexSet& set) const;

  WrenchModel model_;
  WrenchSpaceOptions options_;
  std::vector<WrenchSole> soles_;
  double plane_cosine_[kAzimuthPlanes], plane_sine_[kAzimuthPlanes];
  // of each direction
  std::vector<int> mirror_;                    // the one that mirrors it; empty: some have none
  std::vector<double> down_, up_;              // b² where it goes down, up; in whole lanes
  int straight_down_ = -1, straight_up_ = -1;  // directions nearest to that; −1: none
};

}  // namespace footfall
