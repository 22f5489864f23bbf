#include "footfall/rig/drag.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "footfall/error.hpp"
#include "rig/grounds.hpp"

namespace footfall {
namespace {

using namespace rig_test;

TEST(Drag, OneWayIsThePapersFormula) {
  for (const ShearForm form :
       {ShearForm::exponential, ShearForm::piecewise_linear, ShearForm::tanh}) {
    PlasticSoil soil = dry_sand();
    soil.shear = form;
    const FootSole sole = make_cylinder(0.05, 0.08);
    const DragResult r = drag(on(soil, sole), {}, {.load = 300, .distance = 0.3});
    const double strength =
        1040 * cohesive_area(sole, r.out.sinkage) + 300 * std::tan(soil.friction_angle);
    for (const RigSample& s : r.series) {
      EXPECT_NEAR(s.shear_strength, strength, 1e-10);
      const double expected = strength * mobilized_shear(soil, s.shear_displacement.x);
      EXPECT_NEAR(-s.tangential_force.x, expected, 1e-10) << s.shear_displacement.x;
    }
  }
}

// From (nearly) full mobilisation the way back is −1 + 2 e^{−Δ/K}, here with its exact start.
TEST(Drag, TheWayBackUnloadsAtOnce) {
  const double K = 0.025, out = 0.5;
  const DragResult r = drag(on(dry_sand(), make_disc(0.05)), {},
                            {.sinkage = 0.02, .distance = out, .reverse = true});
  const double start = 1 - std::exp(-out / K);
  for (std::size_t i = 500; i < r.series.size(); ++i) {
    const RigSample& s = r.series[i];
    const double share = -s.tangential_force.x / s.shear_strength;
    const double back = out - s.shear_displacement.x;
    EXPECT_NEAR(share, -1 + (1 + start) * std::exp(-back / K), 1e-12);
    EXPECT_NEAR(share, -1 + 2 * std::exp(-back / K), 1e-8);
  }
  ASSERT_TRUE(r.back);
  EXPECT_EQ(r.back->shear_displacement.x, 0);
  EXPECT_DOUBLE_EQ(r.back->time, 2 * out / 0.02);
}

// Turned by a right angle the old direction decays as the new one grows.
TEST(Drag, ShearIsAVector) {
  const RigGround ground = on(dry_sand(), make_disc(0.05));
  GroundMemory memory;
  commit_sinkage(ground, 0.01, memory);
  commit_shear(ground, 0.01, 50, {0.03, 0, 0}, 1, memory);
  const ShearForce turned = commit_shear(ground, 0.01, 50, {0, 0.02, 0}, 1, memory);
  const double L = turned.strength, K = 0.025;
  EXPECT_NEAR(turned.force.x, -L * (1 - std::exp(-0.03 / K)) * std::exp(-0.02 / K), 1e-12);
  EXPECT_NEAR(turned.force.y, -L * (1 - std::exp(-0.02 / K)), 1e-12);
  // lifted, it is forgotten
  commit_sinkage(ground, 0.005, memory);
  EXPECT_EQ(norm(memory.mobilized), 0);
}

TEST(Drag, HardGroundHoldsLikeASpringUpToFriction) {
  const DragResult r = drag(spring_ground(1e8), {}, {.load = 100, .distance = 0.02});
  for (const RigSample& s : r.series) {
    EXPECT_NEAR(-s.tangential_force.x, std::fmin(1e4 * s.shear_displacement.x, 50), 1e-9);
  }
}

TEST(Drag, SaysWhatIsWrong) {
  const RigGround ground = on(dry_sand(), make_disc(0.05));
  EXPECT_THROW(drag(ground, {}, {}), InputError);
  EXPECT_THROW(drag(ground, {}, {.load = 100, .speed = 0}), InputError);
  EXPECT_THROW(drag(ground, {}, {.load = 100, .distance = -1}), InputError);
}

}  // namespace
}  // namespace footfall
