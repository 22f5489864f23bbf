// A quadruped's trot and walk at a commanded velocity: docs/gaits.md.
//
// In every step, from the robot's state and a map of the untouched ground:
//   clock       which feet stand and which swing (gait_clock.hpp); a foot that meets load early stands early, one
//               that meets none goes on down
//   footholds   Raibert's: p = hip + v T_stance/2 + k (v − v_commanded), the hip as it will be in the
//               middle of the stance
//   trunk       wanted accelerations: PD to the commanded velocity, to a height over the plane through the
//               feet, and to that plane's tilt
//   torques     stance forces and inverse dynamics (whole_body.hpp) plus the joints' PD to poses by
//               inverse kinematics
//
// Expected sinkage d: the controller takes a standing foot to be d below the ground's surface. So the
// swing ends there, in the soil, before the foot is needed, and height and tilt of the trunk are measured from
// feet at that depth. With d = 0 the ground is taken as hard.
//
// Raibert, Legged Robots That Balance (1986), ch. 2 and 6 for foot placement.
#pragma once

#include <vector>

#include "footfall/gait/expected_sinkage.hpp"
#include "footfall/gait/foot_swing.hpp"
#include "footfall/gait/gait_clock.hpp"
#include "footfall/gait/leg_ik.hpp"
#include "footfall/gait/whole_body.hpp"

namespace footfall {

// Gains that suit a robot of some 0.3 m and 15 kg; accelerations, so its mass does not count.
struct TrotGains {
  double velocity = 8;                    // horizontal [1/s]
  double position = 15;                   // to a point that moves as commanded [1/s²]
  double leash = 0.08;                    // which is never further away than this [m]
  double height = 150, height_rate = 20;  // [1/s²], [1/s]
  double tilt = 250, tilt_rate = 25;      // roll and pitch
  double yaw = 100, yaw_rate = 15;
  double placement = 0.08;                     // k of the footholds [s]
  double most_placement = 0.15;                // that k (v − v_commanded) may move a foot [m]
  double early_load = 0.35, late_load = 0.05;  // of the stance load: touchdown
  double late_speed = 0.25;                    // of a foot that finds no ground [m/s]
  double late_reach = 0.08;                    // down to this below the plan [m]
  double stance_share = 0.35;                  // of the joints' kp while the foot stands
  double ground_time = 0.08;                   // smoothing of the plane through the feet [s]
};

class TrotController {
 public:
  // `kp`, `kd` of each actuator's joint servo. Throws InputError where the robot is none of four legs
  // with motors, or a parameter makes no sense.
  TrotController(const TrotParameters& parameters, const World& world, const State<double>& start,
                 const std::vector<double>& kp, const std::vector<double>& kd,
                 const TrotGains& gains = {});

  // What the motors are told in the step from `state` on.
  void update(const World& world, const State<double>& state, Control<double>& control);

  const LeggedRobot& robot() const { return robot_; }
  const GaitClock& clock() const { return clock_; }
  const WholeBody& whole_body() const { return whole_body_; }
  // of a leg, by its number in robot()
  bool is_standing(int leg) const { return !legs_[leg].swings; }
  double expected_sinkage(int leg) const { return legs_[leg].sinkage; }  // at its foothold [m]
  double largest_sinkage() const { return sinkage_.largest(); }          // expected anywhere [m]
  double base_height() const { return height_; }                         // over the feet [m]

  // What it remembers from step to step; a controller that was made alike and reads this goes on as it did.
  template <class Archive>
  void list_memory(const Archive& archive) {
    archive("time_s", time_);
    archive("started", started_);
    archive("legs", legs_);
    archive("goal_x_m", goal_x_);
    archive("goal_y_m", goal_y_);
    archive("goal_yaw_rad", goal_yaw_);
    archive("goal_rotation", goal_rotation_);
    archive("ground_height_m", ground_height_);
    archive("ground_slope_x", ground_x_);
    archive("ground_slope_y", ground_y_);
    archive("acceleration", acceleration_);
    archive("whole_body", whole_body_);
  }

 private:
  struct LegState {
    int corner = 0;      // QuadLeg
    Vec3d hip{0, 0, 0};  // where its foot stands, from the base, frame B [m]
    bool swings = false;
    double lifted = 0;      // when [s]
    FootSwing path;         // of the foot's middle
    double sinkage = 0;     // expected at the foothold [m]
    Vec3d stand{0, 0, 0};   // underside of the foot at its last or present stand, as planned [m]
    Vec3d center{0, 0, 0};  // of the foot, as it is [m]

    template <class Archive>
    void list_memory(const Archive& archive) {
      archive("swings", swings);
      archive("lifted_s", lifted);
      archive("path", path);
      archive("sinkage_m", sinkage);
      archive("stand_m", stand);
    }
  };

  void find_corners(const World& world);
  void read_state(const World& world, const State<double>& state);
  void move_command(double time, double dt);
  void switch_legs(const World& world, double time);
  void place(const World& world, double time, int index);
  void fit_ground(double dt);
  void want_trunk();
  void want_legs(const World& world, double time);
  void command_joints(const World& world, const State<double>& state, Control<double>& control);

  TrotParameters parameters_;
  TrotGains gains_;
  LeggedRobot robot_;
  GaitClock clock_;
  SinkageMap sinkage_;
  WholeBody whole_body_;
  std::vector<LegState> legs_;
  std::vector<int> actuator_of_;  // of each dof; −1: none
  std::vector<double> kp_, kd_;
  double height_ = 0;       // of the base over the feet [m]
  double stance_load_ = 0;  // of a foot when as few stand as the gait allows [N]

  // of the present step
  RobotData<double> data_;
  std::vector<double> loads_;         // of each foot [N]
  Mat3d R_WB_ = identity3<double>();  // of the base
  Vec3d p_WB_{0, 0, 0}, velocity_{0, 0, 0}, rate_{0, 0, 0};
  Vec3d command_{0, 0, 0};            // velocity, frame W [m/s]
  double turn_rate_ = 0;              // [rad/s]
  std::vector<double> acceleration_;  // wanted, of each dof
  std::vector<StancePoint> stance_;
  std::vector<SwingSample> motions_;  // wanted of each foot's middle
  // remembered
  double time_ = 0;
  bool started_ = false;
  double goal_x_ = 0, goal_y_ = 0, goal_yaw_ = 0;  // point and heading led by the command
  double ground_height_ = 0, ground_x_ = 0,
         ground_y_ = 0;  // plane through the feet, at the base: height and slopes
  Mat3d goal_rotation_ = identity3<double>();  // R_WB wanted
  // scratch
  RobotData<double> ik_data_;
  std::vector<double> ik_pose_, ik_rates_;
};

}  // namespace footfall
