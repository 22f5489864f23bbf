#include "viewer/frames.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/math/quaternion.hpp"
#include "footfall/robot/kinematics.hpp"
#include "input_error.hpp"

namespace footfall::viewer {
namespace {

constexpr double kQuaternionStep = 1.0 / 32767;
constexpr double kLeastShare = 0.1;  // of a sole's area that force is thought to be spread over

bool is_pose(const RunColumn& qpos, int row) {
  for (int k = 0; k < qpos.width; ++k) {
    if (!std::isfinite(qpos.at(row, k))) return false;
  }
  return true;
}

void push_vector(const Vec3d& v, std::vector<double>& out) {
  out.insert(out.end(), {v.x, v.y, v.z});
}

// With the sign that is nearer to the one a frame before.
void push_quaternion(const Mat3d& r, std::size_t frame_width, std::vector<double>& out) {
  const Quatd q = to_quaternion(r);
  const double own[] = {q.w, q.x, q.y, q.z};
  double product = 0;
  if (out.size() >= frame_width) {
    for (std::size_t k = 0; k < 4; ++k) product += own[k] * out[out.size() - frame_width + k];
  }
  for (const double v : own) out.push_back(product < 0 ? -v : v);
}

// What a foot feels, frame after frame.
struct FootColumns {
  explicit FootColumns(const RunContents& run, int foot)
      : touching(run.foot_column(foot, "touching")),
        normal_force(run.foot_column(foot, "normal_force")),
        area(run.foot_column(foot, "contact_area")), force(run.foot_column(foot, "force")),
        center(run.foot_column(foot, "center")) {}
  const RunColumn &touching, &normal_force, &area, &force, &center;
};

// The force of the ground on all parts that are no feet, and where its line of action meets a height.
void add_body_force(const RunContents& run, const RunFrames& frames,
                    const std::vector<double>& heights, ArrayStore& arrays, Json& out) {
  const RunColumn* forces = run.find_column("body_contacts/force");
  const RunColumn* moments = run.find_column("body_contacts/moment");
  if (forces == nullptr || moments == nullptr) return;
  std::vector<double> force, center;
  for (std::size_t i = 0; i < frames.rows.size(); ++i) {
    const Vec3d f = forces->vector(frames.rows[i]), m = moments->vector(frames.rows[i]);
    const bool pushes = f.z > 0;
    const double z = heights[i];
    push_vector(pushes ? f : Vec3d{0, 0, 0}, force);
    push_vector(pushes ? Vec3d{(z * f.x - m.y) / f.z, (z * f.y + m.x) / f.z, z} : Vec3d{0, 0, z},
                center);
  }
  out["body_force"] = arrays.add_range(force, 3);
  out["body_center"] = arrays.add_steps(center, kLengthStep, 3);
}

}  // namespace

BodyPoses compute_poses(const RobotModel& robot, const double* qpos) {
  RobotData<double> data(robot);
  compute_positions(robot, qpos, data);
  return {std::move(data.R_WB), std::move(data.p_WB)};
}

Vec3d center_of_mass(const RobotModel& robot, const BodyPoses& poses) {
  Vec3d sum{0, 0, 0};
  double mass = 0;
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const Body& body = robot.bodies[b];
    sum += body.mass * (poses.p_WB[b] + poses.R_WB[b] * body.com);
    mass += body.mass;
  }
  return mass > 0 ? (1 / mass) * sum : poses.p_WB.back();
}

double mean_pressure(bool touching, double normal_force, double contact_area, double whole_area) {
  if (!touching) return 0;
  const double area = std::max(contact_area, kLeastShare * whole_area);
  return std::max(normal_force / area, 1e-3);
}

RunFrames compute_frames(const RunContents& run, const Scene& scene, double rate, int most) {
  const RunColumn& qpos = run.column("state/qpos");
  const RunColumn& time = run.column("time");
  if (qpos.width != scene.robot.position_size()) {
    throw input_error("{}: state/qpos has {} columns, its robot {} coordinates", run.file,
                      qpos.width, scene.robot.position_size());
  }
  int last = -1;
  while (last + 1 < run.row_count && is_pose(qpos, last + 1)) ++last;
  if (last < 0) throw input_error("{}: has no pose that can be shown", run.file);
  RunFrames out;
  const double duration = time.at(last) - time.at(0);
  double period = 1 / rate;
  if (duration / period > most - 2) {
    period = duration / (most - 2);
    out.thinned = true;
  }
  double next = time.at(0);
  for (int row = 0; row <= last; ++row) {
    if (time.at(row) < next - 1e-9 && row != last) continue;
    out.rows.push_back(row);
    next = std::max(next + period, time.at(row) + 0.5 * period);
  }
  for (const int row : out.rows) {
    out.poses.push_back(compute_poses(scene.robot, qpos.row(row)));
  }
  return out;
}

Json times_json(const RunContents& run, const std::vector<int>& rows, ArrayStore& arrays) {
  const RunColumn& time = run.column("time");
  std::vector<double> values;
  values.reserve(rows.size());
  for (const int row : rows) values.push_back(time.at(row));
  const double step = run.number("timestep_s");
  return step > 0 ? arrays.add_steps(values, step) : arrays.add_floats(values);
}

Json frames_json(const RunContents& run, const Scene& scene, const RunFrames& frames,
                 ArrayStore& arrays) {
  const std::size_t bodies = scene.robot.bodies.size() - 1, feet = scene.feet.size();
  std::vector<double> position, quaternion, mass_center;
  for (const BodyPoses& pose : frames.poses) {
    for (std::size_t b = 1; b <= bodies; ++b) {
      push_vector(pose.p_WB[b], position);
      push_quaternion(pose.R_WB[b], 4 * bodies, quaternion);
    }
    push_vector(center_of_mass(scene.robot, pose), mass_center);
  }
  std::vector<FootColumns> columns;
  std::vector<double> whole_area;
  for (std::size_t f = 0; f < feet; ++f) {
    columns.emplace_back(run, static_cast<int>(f));
    whole_area.push_back(sole_area(scene, static_cast<int>(f)));
  }
  std::vector<double> force, center, pressure;
  std::vector<Vec3d> last_center(feet);
  for (std::size_t i = 0; i < frames.rows.size(); ++i) {
    const int row = frames.rows[i];
    for (std::size_t f = 0; f < feet; ++f) {
      const FootColumns& c = columns[f];
      const bool touching = c.touching.at(row) != 0;
      if (touching) {
        last_center[f] = c.center.vector(row);
      } else if (i == 0) {
        last_center[f] = frames.poses[i].p_WB[static_cast<std::size_t>(scene.feet[f].body)];
      }
      push_vector(touching ? c.force.vector(row) : Vec3d{0, 0, 0}, force);
      push_vector(last_center[f], center);
      pressure.push_back(
          mean_pressure(touching, c.normal_force.at(row), c.area.at(row), whole_area[f]));
    }
  }
  const int nb = static_cast<int>(bodies), nf = static_cast<int>(feet);
  Json out{{"count", frames.rows.size()},
           {"time", times_json(run, frames.rows, arrays)},
           {"position", arrays.add_steps(position, kLengthStep, 3 * nb)},
           {"quaternion", arrays.add_steps(quaternion, kQuaternionStep, 4 * nb)},
           {"center_of_mass", arrays.add_steps(mass_center, kLengthStep, 3)},
           {"force", arrays.add_range(force, std::max(3 * nf, 1))},
           {"center", arrays.add_steps(center, kLengthStep, std::max(3 * nf, 1))},
           {"pressure", arrays.add_range(pressure, std::max(nf, 1))}};
  std::vector<double> heights;
  heights.reserve(frames.rows.size());
  for (std::size_t i = 0; i < frames.rows.size(); ++i) {
    heights.push_back(feet > 0 ? center[3 * feet * i + 2] : 0);
  }
  add_body_force(run, frames, heights, arrays, out);
  return out;
}

}  // namespace footfall::viewer
