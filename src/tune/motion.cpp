#include "footfall/tune/motion.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/mujoco/soft_world.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/step/soft_forces.hpp"
#include "input_error.hpp"
#include "io/recording_table.hpp"
#include "record/run_layout.hpp"
#include "tune/soft_scene.hpp"

namespace footfall {
namespace {

constexpr double kUnitError = 1e-3;  // of a quaternion's length

std::vector<std::vector<double>> rows_of(const RunColumn& column, int rows) {
  std::vector<std::vector<double>> out;
  for (int row = 0; row < rows; ++row) {
    const auto from = column.values.begin() + static_cast<std::ptrdiff_t>(row) * column.width;
    out.emplace_back(from, from + column.width);
  }
  return out;
}

Motion read_motion_run(const std::filesystem::path& file, int position_count) {
  const RunContents run = read_run(file);
  const RunColumn& qpos = run.column("state/qpos");
  if (qpos.width != position_count) {
    throw input_error("{}: the run's robot has {} coordinates, expected {} as in the robot's file",
                      file.string(), qpos.width, position_count);
  }
  Motion motion{run.column("time").values, rows_of(qpos, run.row_count),
                rows_of(run.column("state/qvel"), run.row_count)};
  motion.time.resize(static_cast<std::size_t>(run.row_count));
  return motion;
}

// "qpos[3] [rad]" begins with the name, and a unit may follow.
int find_table_column(const std::vector<TableColumn>& columns, const std::string& name) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& head = columns[i].name;
    if (head == name || head.starts_with(name + " ")) return static_cast<int>(i);
  }
  return -1;
}

std::vector<int> find_vector(const std::filesystem::path& file,
                             const std::vector<TableColumn>& columns, const char* name, int count,
                             bool required) {
  std::vector<int> found;
  for (int i = 0; i < count; ++i) {
    const std::string head = fmt::format("{}[{}]", name, i);
    const int column = find_table_column(columns, head);
    if (column < 0 && i == 0 && !required) return {};
    if (column < 0) {
      throw input_error(
          "{}: no column '{}', expected {}[0] to {}[{}], as footfall export writes them",
          file.string(), head, name, name, count - 1);
    }
    found.push_back(column);
  }
  return found;
}

Motion read_motion_table(const std::filesystem::path& file, int position_count,
                         int velocity_count) {
  const auto table = open_table(file);
  const std::vector<TableColumn>& columns = table->columns();
  int time = find_table_column(columns, "time");
  if (time < 0) time = find_table_column(columns, "time_s");
  if (time < 0) throw input_error("{}: no column 'time [s]'", file.string());
  std::vector<int> wanted{time};
  for (const int c : find_vector(file, columns, "qpos", position_count, true)) wanted.push_back(c);
  for (const int c : find_vector(file, columns, "qvel", velocity_count, false)) wanted.push_back(c);
  const std::vector<std::vector<double>> values = table->read(wanted);
  Motion motion{values[0], {}, {}};
  const auto first_velocity = values.begin() + 1 + position_count;
  for (std::size_t row = 0; row < motion.time.size(); ++row) {
    const auto gather = [&](auto from, auto to) {
      std::vector<double> out;
      for (auto column = from; column != to; ++column) out.push_back((*column)[row]);
      return out;
    };
    motion.qpos.push_back(gather(values.begin() + 1, first_velocity));
    if (first_velocity != values.end()) motion.qvel.push_back(gather(first_velocity, values.end()));
  }
  return motion;
}

void check_rows(const std::filesystem::path& file, const Motion& motion) {
  if (motion.time.size() < 3) {
    throw input_error("{}: {} rows, expected at least 3: accelerations are differences of them",
                      file.string(), motion.time.size());
  }
  for (std::size_t k = 1; k < motion.time.size(); ++k) {
    if (motion.time[k] > motion.time[k - 1]) continue;
    throw input_error("{}: row {}: time {:g} s after {:g} s, expected times that rise",
                      file.string(), k + 1, motion.time[k], motion.time[k - 1]);
  }
}

// Unit quaternions, exactly.
void normalize_quaternions(const mjModel& m, const std::filesystem::path& file, Motion& motion) {
  for (int j = 0; j < static_cast<int>(m.njnt); ++j) {
    const bool is_free = m.jnt_type[j] == mjJNT_FREE;
    if (!is_free && m.jnt_type[j] != mjJNT_BALL) continue;
    const int first = m.jnt_qposadr[j] + (is_free ? 3 : 0);
    for (std::size_t k = 0; k < motion.qpos.size(); ++k) {
      mjtNum* q = motion.qpos[k].data() + first;
      const double length = mju_norm(q, 4);
      if (!(std::abs(length - 1) < kUnitError)) {
        throw input_error(
            "{}: row {}: the quaternion qpos[{}] to qpos[{}] has length {:g}, expected 1",
            file.string(), k + 1, first, first + 3, length);
      }
      mju_normalize4(q);
    }
  }
}

// The rows before and after, or the row itself at an end.
struct Neighbors {
  std::size_t before, after;
};
Neighbors around(const Motion& motion, std::size_t row) {
  return {row > 0 ? row - 1 : 0, std::min(row + 1, motion.time.size() - 1)};
}

void fill_velocities(const mjModel& m, Motion& motion) {
  if (!motion.qvel.empty()) return;
  for (std::size_t k = 0; k < motion.time.size(); ++k) {
    const auto [before, after] = around(motion, k);
    std::vector<double>& v = motion.qvel.emplace_back(static_cast<std::size_t>(m.nv));
    mj_differentiatePos(&m, v.data(), motion.time[after] - motion.time[before],
                        motion.qpos[before].data(), motion.qpos[after].data());
  }
}

std::vector<double> acceleration_at(const Motion& motion, std::size_t row, bool forward) {
  const auto [before, after] = around(motion, row);
  const std::size_t from = forward && after > row ? row : before;
  const double time = motion.time[after] - motion.time[from];
  std::vector<double> out(motion.qvel[row].size());
  for (std::size_t d = 0; d < out.size(); ++d) {
    out[d] = (motion.qvel[after][d] - motion.qvel[from][d]) / time;
  }
  return out;
}

// What stands on the ground, and the ground.
struct Scene {
  std::optional<SoftScene> tuned;  // where the ground's numbers are the caller's
  MjModelPtr loaded;               // else
  const mjModel& model() const { return tuned ? *tuned->model : *loaded; }
};

Scene make_scene(const std::filesystem::path& robot, const MotionOptions& options) {
  Scene scene;
  if (options.solref) {
    scene.tuned = make_soft_scene(robot, "", options.ground);
    set_softness(*scene.tuned, *options.solref, options.solimp);
    return scene;
  }
  scene.loaded = load_mujoco_model(robot);
  const mjModel& m = *scene.loaded;
  if (std::find(m.geom_type, m.geom_type + m.ngeom, static_cast<int>(mjGEOM_PLANE)) ==
      m.geom_type + m.ngeom) {
    throw input_error(
        "'{}' has no plane to stand on: --solref and --solimp put a level one under it",
        robot.string());
  }
  return scene;
}

MotionForces describe(const World& world, std::vector<int>& column_of_geom) {
  const RobotModel& robot = world.robot;
  MotionForces out;
  out.weight = world.force_scale;
  out.dofs = record::dof_names(robot);
  for (const Joint& joint : robot.joints) {
    for (int k = 0; k < velocity_count(joint.type); ++k) {
      const bool is_free = joint.type == JointType::free;
      out.is_free.push_back(is_free);
      out.turns.push_back(is_free ? k >= 3 : joint.type != JointType::slide);
    }
  }
  std::vector<int> column_of_body(robot.bodies.size(), -1);
  column_of_geom.assign(robot.geoms.size(), -1);
  for (const SoftPairing& pairing : soft_constraints(world.ground)->pairings) {
    const int body = robot.geoms[pairing.geom].body;
    if (column_of_body[body] < 0) {
      column_of_body[body] = static_cast<int>(out.bodies.size());
      out.bodies.push_back(robot.bodies[body].name);
    }
    column_of_geom[pairing.geom] = column_of_body[body];
  }
  return out;
}

}  // namespace

Motion read_motion(const std::filesystem::path& file, int position_count, int velocity_count) {
  Motion motion = file.extension() == ".h5"
                      ? read_motion_run(file, position_count)
                      : read_motion_table(file, position_count, velocity_count);
  check_rows(file, motion);
  return motion;
}

MotionForces find_motion_forces(const std::filesystem::path& robot,
                                const std::filesystem::path& motion_file,
                                const MotionOptions& options) {
  const Scene scene = make_scene(robot, options);
  const mjModel& m = scene.model();
  Motion motion = read_motion(motion_file, static_cast<int>(m.nq), static_cast<int>(m.nv));
  normalize_quaternions(m, motion_file, motion);
  fill_velocities(m, motion);
  const World world = build_soft_world(m, robot.string());
  StepWorkspace<double> workspace(world);
  std::vector<int> column_of_geom;
  MotionForces out = describe(world, column_of_geom);
  State<double> state = make_state<double>(world, motion.qpos[0]);
  for (std::size_t k = 0; k < motion.time.size(); ++k) {
    state.qpos = motion.qpos[k];
    state.qvel = motion.qvel[k];
    const SoftInverse inverse = force_from_acceleration(
        world, state, acceleration_at(motion, k, options.forward), workspace);
    MotionRow& row = out.rows.emplace_back();
    row.time = motion.time[k];
    row.contact_force.assign(out.bodies.size(), Vec3d{0, 0, 0});
    row.sinkage.assign(out.bodies.size(), 0);
    for (const SoftContactForce& contact : inverse.constraints.contacts) {
      const int column = column_of_geom[contact.geom];
      row.contact_force[column] += contact.R_WC * contact.force;
      row.sinkage[column] = std::fmax(row.sinkage[column], -contact.distance);
    }
    row.joint_force = inverse.applied_force;
  }
  return out;
}

}  // namespace footfall
