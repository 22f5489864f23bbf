// A robot of any MJCF or URDF file in real MuJoCo, standing on one ground whose softness we set: what
// `footfall mujoco tune` and the reproduction of Gora 2025 place, weigh and let settle.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/log.hpp"
#include "footfall/soft/impedance.hpp"
#include "footfall/tune/tune.hpp"

namespace footfall {

struct SpecDelete {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
};

// How the ground's parameters get past MuJoCo's mixing.
enum class GroundMeans {
  priority,  // the ground outranks the feet
  pair,      // a <pair> for each foot: they have different friction or condim, or there are pairs
};

struct SoftScene {
  std::filesystem::path file;
  std::unique_ptr<mjSpec, SpecDelete> spec;
  MjModelPtr model;
  MjDataPtr data;
  std::unique_ptr<MujocoLogScope> log;  // MuJoCo's warnings while the scene lives

  // ground
  int ground = -1;  // geom
  bool ground_added = false;
  GroundMeans means = GroundMeans::priority;
  std::vector<int> pairs;  // of the ground with feet; empty with GroundMeans::priority
  std::vector<std::string> named_geoms;  // what to do about geoms without names that pairs need
  std::vector<int> tuned_geoms;  // of the robot: they meet the ground with set_softness's numbers
                                 // and with the friction that the file gave them
  double margin = 0;             // mean over the geoms that touch: force begins that far above [m]
  double largest_margin = 0;     // [m]

  // robot
  int root = 0;                // its first body
  int joints = 0;              // of it and all that hangs on it
  int root_dofs = 0;           // joints of the root body come first
  int root_dof_start = 0;      // of nv
  int lift_qpos = 0;           // where the height is in qpos: three numbers of a free joint, or one
  int lift_dof = 0;            // likewise in qvel
  bool free_base = false;      // free joint, or a slide along the vertical
  std::array<double, 3> up{};  // against gravity, of a slide in units of its joint
  double gravity = 9.81;       // [m/s²]
  double weight = 0;           // what the ground has to carry [N]
  double height = 0;           // of the centre of mass above the lowest point of the pose [m]
  std::vector<double> pose;    // qpos
  std::string pose_name;       // of the keyframe, or "reference pose"
  bool own_servos = false;     // position servos of the robot's own hold every joint
  std::vector<double> control;  // their ctrl
  std::vector<std::string> warnings;
};

// Loads, finds or adds the ground, finds base and pose, and decides on the means for the geoms that
// touch when the pose is lowered by a millimetre, and for those of `also_tuned` (MuJoCo's numbers in
// an earlier scene of the same file and ground). Throws InputError: no such keyframe or geom, a base
// that cannot sink, no gravity, ground that is not level, a robot that does not stand on it.
SoftScene make_soft_scene(const std::filesystem::path& file, const std::string& keyframe = {},
                          const std::string& ground = {}, const std::vector<int>& also_tuned = {},
                          const std::function<void(mjSpec&)>& edit = {});
// Geoms that carry the robot in the scene's state and are not among the tuned ones.
std::vector<int> find_untuned(const SoftScene& scene);

// Changes the compiled model; write_scene changes the file.
void set_softness(SoftScene& scene, const SoftReference& solref, const SoftImpedance& solimp);

// ---- the pose, lifted as a whole ----

// All of the state: pose lifted by `lift` [m], everything at rest.
void place(SoftScene& scene, double lift);
// The lift at which the lowest point of the robot is `sinkage` deep [m].
double lift_for_sinkage(SoftScene& scene, double sinkage);
// Vertical force that must be added to hold the placed pose at rest [N], by mj_inverse: weight minus
// what the ground carries.
double missing_force(SoftScene& scene);
// Lifts the pose until nothing is missing; the answer is the lift [m].
double find_inverse_rest(SoftScene& scene);

// From the ground's surface to `deepest` [m], evenly.
std::vector<SinkageForce> find_inverse_curve(SoftScene& scene, double deepest);

// ---- feet ----

struct ContactMeasure {
  int geom = 0, body = 0;  // of the robot
  double load = 0;         // [N]
  double sinkage = 0;      // negative above the ground, where a margin lets force begin [m]
  double margin = 0;       // [m]
  double share = 0;        // S, as MuJoCo has it now [kg]
};
// The robot's contacts with the ground in the scene's state, whose forces are known (after mj_inverse
// or mj_forward).
std::vector<ContactMeasure> measure_contacts(const SoftScene& scene);

// The pose at the depth at which ground of any stiffness carries it: who carries how much.
std::vector<ContactMeasure> find_loads(SoftScene& scene);

struct FootMeasure {
  std::string name;  // of its geom; of its body where several geoms touch
  int body = 0;
  bool foot = true;            // else shank or trunk, which deep ground reaches
  int contacts = 0;            // that touch, or if none does, that a margin lets carry
  double load = 0;             // [N]
  double sinkage = 0;          // mean over its contacts that touch, 0 if none does [m]
  double deepest = 0;          // [m]
  double inverse_inertia = 0;  // Â of a contact [1/kg]
};
// The contacts by bodies. What carries is a foot, except a body less than half as deep as another
// that hangs on it: that is a shank or a trunk, which the ground has reached.
std::vector<FootMeasure> measure_feet(const SoftScene& scene);

// ---- settling ----

struct Settling {
  bool quiet = false;   // at the end sinkages changed by less than 1e-5 of themselves in 0.25 s
  bool fallen = false;  // leans by more than 0.3 rad from its pose, or touches nothing
  bool held_upright = false;
  double time = 0;  // [s]
};
// From the inverse rest, in mj_step: joints held by the robot's own position servos, or by springs
// and dampers about the torques that hold the pose. `upright`: the base is only free to sink.
Settling settle(SoftScene& scene, bool upright, double longest_time);

// ---- the file ----

// The MJCF with the ground's parameters in it.
void write_scene(SoftScene& scene, const SoftReference& solref, const SoftImpedance& solimp,
                 const std::filesystem::path& output);
// The same as lines to paste.
std::string lines_to_paste(const SoftScene& scene, const SoftReference& solref,
                           const SoftImpedance& solimp);

// What the files of SoftScene share among themselves.
// The spec as a new model with a new state.
void compile_scene(SoftScene& scene);
// Against gravity, a unit vector. Throws InputError: there is none.
std::array<double, 3> find_up(const mjModel& m);
// For messages: "plane", "box", ...
std::string ground_type(const mjModel& m, int geom);
// The geom of that name, the file's only level plane or box, or an added plane; compiles the spec.
// Throws InputError: no such geom, several, ground that is not level, a heightfield or mesh.
void find_or_add_ground(SoftScene& scene, const mjModel& plain, const std::string& name);
// Is it the robot's, and may it touch the ground by its bits or by a <pair>?
bool may_touch_ground(const SoftScene& scene, int geom);
// Priority or pairs for what touches the ground first, and for more geoms; changes the spec
// accordingly and compiles it again.
void choose_means(SoftScene& scene, const std::vector<int>& also_tuned);
// Fills weight and height.
void weigh(SoftScene& scene);

}  // namespace footfall
