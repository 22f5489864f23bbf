// The motion of a walking robot's centre of mass: the linear inverted pendulum, solved exactly.
//
// A centre of mass that stays at one height z above the ground moves as
//
//   ẍ = ω² (x − p),   ω = √(g/z)
//
// where p is the zero-moment point, the centre of the pressure under the feet (Kajita et al. 2003).
// Half of its motion is unstable: the divergent component ξ = x + ẋ/ω runs away from p,
//
//   ξ̇ = ω (ξ − p),   ẋ = ω (ξ − x)
//
// (Takenaka et al. 2009, Englsberger et al. 2015). So ξ is solved backward from the end of the walk,
// where it rests over p, and x forward; neither can drift. Between two knots p is linear, with slope
// s, and both have closed forms: with A = ξ − p − s/ω at the segment's end, B = x − p − a at its start,
// and t₀, t₁ its times,
//
//   ξ = p + s/ω + A e^{ω(t−t₁)}        x = p + a e^{ω(t−t₀)} + B e^{−ω(t−t₀)},   a = ½ A e^{−ω(t₁−t₀)}
//
// | symbol | meaning                                   | unit |
// |--------|-------------------------------------------|------|
// | x      | centre of mass, horizontal, per axis      | m    |
// | p      | zero-moment point, piecewise linear       | m    |
// | ξ      | divergent component of motion             | m    |
// | z      | height of the centre of mass over p       | m    |
// | g      | acceleration of gravity                   | m/s² |
//
// Valid while the centre of mass keeps its height and the angular momentum about it is small.
#pragma once

#include <vector>

#include "footfall/math/spatial.hpp"

namespace footfall {

// Where the zero-moment point is at a time; between two knots it moves at constant velocity.
struct ZmpKnot {
  double time = 0;     // [s]
  Vec3d zmp{0, 0, 0};  // frame W, z is 0 [m]

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("time_s", time);
    archive("zmp_m", zmp);
  }
};

// Horizontal: every z is 0.
struct PatternSample {
  Vec3d position{0, 0, 0}, velocity{0, 0, 0},
      acceleration{0, 0, 0};         // of the centre of mass [m, m/s, m/s²]
  Vec3d zmp{0, 0, 0}, dcm{0, 0, 0};  // p and ξ [m]
};

class ComPattern {
 public:
  ComPattern() = default;
  // At least two knots, their times increasing. The centre of mass starts at `start`.
  ComPattern(double omega, std::vector<ZmpKnot> knots, Vec3d start);

  // Before the first and after the last knot p stands still.
  PatternSample sample(double time) const;

  double omega() const { return omega_; }
  double end_time() const { return knots_.back().time; }
  const std::vector<ZmpKnot>& knots() const { return knots_; }

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("omega_1_per_s", omega_);
    archive.grow("knots", knots_);
    archive.grow("dcm_m", dcm_);
    archive.grow("position_m", position_);
  }

 private:
  double omega_ = 1;
  std::vector<ZmpKnot> knots_;
  std::vector<Vec3d> dcm_, position_;  // at the knots [m]
};

// Moves the zero-moment point at knot `free` so that the divergent component at knot `at`, before it, is
// `wanted`: a robot that stands still must first lean away from the foot that it will stand on.
void start_at_rest(double omega, std::size_t at, std::size_t free, Vec3d wanted,
                   std::vector<ZmpKnot>& knots);

}  // namespace footfall
