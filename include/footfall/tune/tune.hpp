// Tune: which solref and solimp of MuJoCo make this robot, standing in this pose, sink that much?
//
//   stiffness = W (1 − d) d_width² / (δ d² Σ S_i)        damping = 2 ζ √stiffness
//
// W is the robot's weight, S_i what each contact weighs in MuJoCo's eyes (soft/soft_curve.hpp),
// d the impedance at the sinkage δ, which is put at solimp's midpoint: Gora 2025, (29), for any robot.
// Then real MuJoCo is asked: by mj_inverse at rest, which must agree to rounding while all contacts
// are equally deep, and by mj_step until the robot has settled on its servos. What is left, because a
// robot leans and its soles tilt, is taken up by the stiffness. docs/mujoco-tune.md
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "footfall/fit/fit.hpp"
#include "footfall/io/recording.hpp"
#include "footfall/soft/impedance.hpp"
#include "footfall/soil/soil_entry.hpp"

struct mjSpec_;

namespace footfall {

struct TuneOptions {
  double sinkage = 0;        // wanted [m]
  double damping_ratio = 1;  // ζ of the reference, as MuJoCo's dampratio
  // In place of it: of small bounces of the whole robot about its rest.
  std::optional<double> damping_ratio_at_rest = {};
  std::string keyframe = {};  // empty: "stand", or the first, or the reference pose
  std::string ground = {};    // geom; empty: the only level plane or box, or a plane is added
  // d₀, d_width, midpoint, power; width follows from the sinkage
  SoftImpedance shape = {.d0 = 0, .d_width = 0.95, .width = 0, .midpoint = 0.5, .power = 2};
  double longest_settling = 30;       // [s] of simulated time
  std::filesystem::path output = {};  // patched MJCF; empty: none
  // Changes the file's robot before it is compiled.
  std::function<void(mjSpec_&)> edit = {};
};
// An edit: the armature of every joint but free ones [kg m² or kg]. It counts in MuJoCo's inverse weights.
std::function<void(mjSpec_&)> set_armature(double armature);

struct TunedFoot {
  std::string name;  // of its geom; of its body where several geoms touch
  int body = 0;      // of MuJoCo
  std::string body_name;
  int contacts = 0;             // that touch
  double inverse_inertia = 0;   // Â of its body at qpos0 [1/kg]
  double load = 0;              // after settling [N]
  double wanted_sinkage = 0;    // [m]
  double inverse_sinkage = 0;   // by mj_inverse with the formula's stiffness, 0: above ground [m]
  double achieved_sinkage = 0;  // after settling, mean over its contacts that touch [m]
  double deepest_sinkage = 0;   // of them [m]
};

// What the ground carries of the robot's pose when that is put so deep and held at rest.
struct SinkageForce {
  double sinkage = 0;  // of the lowest point [m]
  double force = 0;    // upwards [N]
};

struct Tuned {
  SoftReference solref;
  SoftImpedance solimp;
  double formula_stiffness = 0;      // before correction [1/s²]
  double ball_stiffness = 0;         // one contact of a free body: F Â = g
  double box_stiffness = 0;          // four of them
  double damping_ratio_at_rest = 0;  // of small vertical bounces of the whole robot
  double weight = 0;                 // [N]
  double share = 0;                  // Σ S_i [kg]
  std::string pose;                  // keyframe, or "reference pose"
  std::string ground;                // geom
  std::string ground_type;           // "plane" or "box"
  bool ground_added = false;         // it is not in the file
  std::string root;                  // the robot's first body
  int joints = 0;                    // of the robot, with those of its root
  std::string means;                 // "priority" or "pair"
  std::string held_by;               // "servos", "springs"
  std::vector<TunedFoot> feet;
  std::vector<SinkageForce> curve;  // by mj_inverse, to twice its rest
  int corrections = 0;              // times the stiffness was corrected
  double settling_time = 0;         // of the last run [s]
  bool settled = false;             // it came to rest
  bool held_upright = false;        // its base was held, or it would have fallen
  std::string lines;                // to paste into an MJCF
  std::vector<std::string> warnings;
};

// Throws InputError: a sinkage or shape out of range, no such keyframe or geom, a base that cannot
// sink, no gravity, ground that is not level, feet that cannot touch it.
Tuned tune_soft_ground(const std::filesystem::path& robot, const TuneOptions& o);

// Given parameters on the same robot: nothing is corrected, wanted sinkages are those of mj_inverse.
Tuned try_soft_ground(const std::filesystem::path& robot, const SoftReference& solref,
                      const SoftImpedance& solimp, const TuneOptions& options);

// ---- from a soil ----

// What a soil of ours answers to the robot's feet.
struct FootOnSoil {
  std::string name;
  int body = 0;              // of MuJoCo
  double load = 0;           // [N]
  double sinkage = 0;        // at rest [m]
  double damping_ratio = 0;  // of a bounce
};
// Sinkages by the test rig's laws, each foot under its load. The damping ratio of ground that comes
// back is that of its spring and damper; of soil that yields, that of a spring and damper which give
// back as much of a fall's energy as the soil does of a press to this depth.
std::vector<FootOnSoil> ask_soil(const std::filesystem::path& robot, const Soil& soil,
                                 const TuneOptions& options);
// Tuned to the mean of them. The options' sinkage and damping ratios are not used.
Tuned tune_to_soil(const std::filesystem::path& robot, const Soil& soil,
                   const TuneOptions& options);

// ---- from a measured curve ----

// solref and solimp whose F = S d/(1 − d) (K d δ + B δ̇) is nearest to measured forces.
struct SoftFit {
  SoftReference solref;
  SoftImpedance solimp;
  Fit fit;  // stiffness, d0, d_width, width, power, and damping where rates were measured
  std::vector<std::string> notes = {};  // what of the curve was taken
};
// `share` is S of the tested foot [kg]. Without rates the damping is 2 ζ √stiffness. `load`: what the foot will
// carry [N]; the curve is then taken up to twice that.
SoftFit fit_soft_ground(const Recording& recording, double share, double damping_ratio,
                        double load = 0);

// The curve as if measured with a foot of this robot (S of its first foot), and what the robot does
// on it. Wanted sinkages are the curve's at each foot's load.
struct TunedToCurve {
  SoftFit fit;
  Tuned tuned;
};
TunedToCurve tune_to_curve(const std::filesystem::path& robot, const Recording& recording,
                           const TuneOptions& options);

}  // namespace footfall
