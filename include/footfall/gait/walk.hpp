// A biped's walk: from a plan of footsteps to torques.
//
//   footsteps.hpp    where the feet go
//   com_pattern.hpp  how the centre of mass moves over them
//   foot_swing.hpp   how a foot gets there
//   leg_ik.hpp       joint angles; body_motion.hpp their velocities and accelerations
//   whole_body.hpp   contact forces and joint torques for that
//
// With feedback the divergent component ξ of the measured motion is held at the pattern's by moving the
// zero-moment point (Englsberger et al. 2015, eq. 21 along the ground):
//
//   p = p_ref + (1 + k/ω) (ξ − ξ_ref), kept inside the soles that stand;   ẍ = ω² (x − p)
//
// The trunk is held upright, and at its height, by proportional and derivative feedback as wanted accelerations; a foot that
// stands counts where it is, not where it was planned, so ground that gives way does not strain
// the legs; and the next foothold is moved by the error of ξ that will be left when the foot comes down.
//
// A foot that meets the ground early stops. One that does not meet it when it should goes on downwards,
// while the plan goes on.
#pragma once

#include <array>
#include <vector>

#include "footfall/gait/body_motion.hpp"
#include "footfall/gait/com_pattern.hpp"
#include "footfall/gait/expected_sinkage.hpp"
#include "footfall/gait/foot_swing.hpp"
#include "footfall/gait/footsteps.hpp"
#include "footfall/gait/whole_body.hpp"
#include "footfall/ground/world.hpp"

namespace footfall {

enum class WalkPhase { standing, double_support, single_support, finished };

// What happened when a foot came down.
struct Touchdown {
  double time = 0;  // [s]
  int step = 0;     // counted from 0
  int side = kLeft;
  double lateness = 0;      // against the plan; negative: early [s]
  double speed = 0;         // of the sole, downwards [m/s]
  Vec3d position{0, 0, 0};  // of the sole's middle, frame W [m]
  Vec3d miss{0, 0, 0};      // of it from the planned foothold, adjusted as it was [m]
  double sinkage = 0;       // of the sole's middle below the ground as it was [m]

  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("time_s", time);
    archive("step", step);
    archive("side", side);
    archive("lateness_s", lateness);
    archive("speed_m_per_s", speed);
    archive("position_m", position);
    archive("miss_m", miss);
    archive("sinkage_m", sinkage);
  }
};

class WalkController {
 public:
  // `kp` and `kd` are of each actuator; those of position servos are not used. Throws InputError unless the
  // robot has two flat feet and an actuator at every joint of its legs, and the parameters are in range.
  WalkController(const WalkParameters& parameters, const World& world, const State<double>& start,
                 const std::vector<double>& kp, const std::vector<double>& kd);

  // What to do in the step that begins with `state`.
  void update(const World& world, const State<double>& state, Control<double>& control);

  WalkPhase phase() const { return phase_; }
  double largest_sinkage() const {
    return sinkage_.largest();
  }  // that a foot is expected to have [m]
  double end_time() const { return pattern_.end_time(); }  // when it stands again [s]
  double walk_start() const { return walk_start_; }        // when the first foot lifts [s]
  const std::vector<Touchdown>& touchdowns() const { return touchdowns_; }
  const LeggedRobot& robot() const { return robot_; }
  const PatternSample& pattern() const { return wanted_; }
  const Vec3d& com() const { return com_; }  // measured, frame W [m]
  double missing_force() const { return whole_body_.missing_force(); }

  // What it remembers from step to step; a controller that was made alike and reads this goes on as it did.
  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("steps", steps_);
    archive("pattern", pattern_);
    archive("walk_start_s", walk_start_);
    archive("phase", phase_);
    archive("clock_s", clock_);
    archive("last_time_s", last_time_);
    archive("step", step_);
    archive("swing", swing_);
    archive("swing_turn_rad", swing_turn_);
    archive("approach_speed_m_per_s", approach_speed_);
    archive("landed", landed_);
    archive("extra_depth_m", extra_depth_);
    archive("shift_m", shift_);
    archive("shift_rate_m_per_s", shift_rate_);
    archive("shift_goal_m", shift_goal_);
    archive("height_from_m", height_from_);
    archive("height_to_m", height_to_);
    archive("height_start_s", height_start_);
    archive("height_duration_s", height_duration_);
    archive("heading_from_rad", heading_from_);
    archive("heading_to_rad", heading_to_);
    archive("planned_m", planned_);
    archive("planned_yaw_rad", planned_yaw_);
    archive.grow("touchdowns", touchdowns_);
    archive("com_height", com_z_);
    archive("heading", heading_);
    archive("stood_m", stood_);
    archive("stood_yaw_rad", stood_yaw_);
    archive("stood_before", stood_before_);
    archive("reference", reference_);
    archive("reference_rate", reference_rate_);
    archive("acceleration", acceleration_);
    archive("motion_solver", motion_solver_);
    archive("whole_body", whole_body_);
  }

 private:
  // the plan: walk_plan.cpp
  void plan_start(const World& world, const State<double>& start);
  void append_knots(int step, std::vector<ZmpKnot>& knots) const;
  void advance(const World& world, double time);
  void begin_swing(const World& world);
  void end_swing(const World& world);
  void watch_landing(const World& world, double time);
  void record_touchdown(const World& world, double time);
  void adjust_foothold(double dt);
  double foothold_height(const World& world, int side, const Foothold& foothold) const;
  double swing_start(int step) const;  // on the plan's clock [s]
  double swing_duration() const;       // [s]
  int swing_side() const;
  Foothold measured_foothold(int side) const;
  Foothold foothold_of(int side) const;  // measured, or planned where there is no feedback
  double sole_height(int side) const;    // likewise
  // what is wanted: walk_tasks.cpp
  void measure(const World& world, const State<double>& state);
  double find_com_height(const RobotModel& model, const State<double>& start, double soles);
  void set_reference(const World& world);
  void set_sole(const World& world, int side);
  void follow_sole(const World& world, int side);
  void place_reference(const RobotModel& model);
  void set_accelerations(const RobotModel& model, const State<double>& state);
  Vec3d wanted_com_acceleration();
  Twist<double> wanted_sole_acceleration(const RobotModel& model, int side) const;
  void set_stance(const World& world);
  void write_control(const RobotModel& model, const State<double>& state,
                     Control<double>& control) const;
  bool stands(int side) const;
  Vec3d measured_dcm() const {
    return Vec3d{com_.x, com_.y, 0} + (1 / omega_) * Vec3d{com_velocity_.x, com_velocity_.y, 0};
  }
  const Leg& leg(int side) const { return robot_.legs[leg_of_[side]]; }

  WalkParameters parameters_;
  LeggedRobot robot_;
  std::array<int, 2> leg_of_{};  // left and right, in robot_.legs
  std::vector<double> kp_, kd_;
  SinkageMap sinkage_;
  std::vector<int> side_of_dof_;  // −1: of no leg
  double weight_ = 0;             // [N]

  // the plan
  std::vector<Footstep> steps_;
  ComPattern pattern_;
  double omega_ = 1;
  double com_height_ = 0;     // over the soles [m]
  double lean_duration_ = 0;  // from standing to the first swing, and back after the last [s]
  double walk_start_ = 0;     // on the plan's clock [s]
  Mat3d trunk_start_ = identity3<double>();
  double heading_start_ = 0;

  // where it is in the plan
  WalkPhase phase_ = WalkPhase::standing;
  double clock_ = 0, last_time_ = 0;  // the plan's, and the run's [s]
  int step_ = 0;
  FootSwing swing_;
  Vec3d swing_turn_{0, 0, 0};  // by which the sole was tilted when it lifted [rad]
  double approach_speed_ = 0;  // downwards, before it touched [m/s]
  bool landed_ = false;
  double extra_depth_ = 0;                      // by which a late foot was lowered [m]
  Vec3d shift_{0, 0, 0}, shift_rate_{0, 0, 0};  // of the foothold, as it moves there
  Vec3d shift_goal_{0, 0, 0};
  double height_from_ = 0, height_to_ = 0;         // of the feet, frame W [m]
  double height_start_ = 0, height_duration_ = 1;  // of its change, on the plan's clock [s]
  double heading_from_ = 0, heading_to_ = 0;
  std::array<Vec3d, 2> planned_;  // soles that stand, without feedback
  std::array<double, 2> planned_yaw_{};
  std::vector<Touchdown> touchdowns_;

  // measured
  RobotData<double> data_;
  Vec3d com_{0, 0, 0}, com_velocity_{0, 0, 0};
  std::vector<double> loads_;

  // wanted
  PatternSample wanted_;
  Moving com_z_, heading_;
  std::array<SwingSample, 2> soles_;
  std::array<Mat3d, 2> sole_turns_;
  std::array<Vec3d, 2> stood_{};  // where soles stand, slowly following them [m]
  std::array<double, 2> stood_yaw_{};
  std::array<bool, 2> stood_before_{};
  BodyMotion motion_;
  RobotData<double> reference_data_;
  std::vector<double> reference_, reference_rate_, acceleration_;
  std::vector<StancePoint> stance_;
  std::vector<Vec3d> support_;  // scratch
  BodyMotionSolver motion_solver_;
  WholeBody whole_body_;
};

}  // namespace footfall
