// footfall mujoco inverse: forces of ground and joints along a recorded motion, on MuJoCo's soft ground.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/report/plot.hpp"
#include "footfall/tune/motion.hpp"
#include "input_error.hpp"
#include "io/data_folders.hpp"
#include "io/text_file.hpp"
#include "soft_options.hpp"

namespace footfall::mujoco_commands {
namespace {

constexpr std::size_t kMostJoints = 8;  // in the text and the picture

struct InverseCommand {
  std::string robot, motion, ground, csv, plot;
  SoftNumbers soft;
  bool forward = false, json = false;
};

struct ForceTotals {
  struct OfBody {
    double mean = 0, largest = 0, deepest = 0;  // [N], [N], [m]
  };
  std::vector<OfBody> bodies;
  double mean = 0;                         // of the ground's forces upwards [N]
  std::vector<double> largest, time;       // of each dof, and when [N m or N], [s]
  double base_force = 0, base_moment = 0;  // rms on free joints [N], [N m]
};

ForceTotals sum_up(const MotionForces& m) {
  ForceTotals out;
  const double count = static_cast<double>(m.rows.size());
  out.bodies.resize(m.bodies.size());
  out.largest.assign(m.dofs.size(), 0);
  out.time.assign(m.dofs.size(), 0);
  for (const MotionRow& row : m.rows) {
    for (std::size_t b = 0; b < m.bodies.size(); ++b) {
      ForceTotals::OfBody& body = out.bodies[b];
      const double force = norm(row.contact_force[b]);
      body.mean += force / count;
      body.largest = std::max(body.largest, force);
      body.deepest = std::max(body.deepest, row.sinkage[b]);
      out.mean += row.contact_force[b].z / count;
    }
    for (std::size_t d = 0; d < m.dofs.size(); ++d) {
      const double force = row.joint_force[d];
      if (m.is_free[d]) (m.turns[d] ? out.base_moment : out.base_force) += force * force / count;
      if (std::abs(force) <= std::abs(out.largest[d])) continue;
      out.largest[d] = force;
      out.time[d] = row.time;
    }
  }
  out.base_force = std::sqrt(out.base_force);
  out.base_moment = std::sqrt(out.base_moment);
  return out;
}

// Driven dofs, the largest force first.
std::vector<std::size_t> rank_joints(const MotionForces& m, const ForceTotals& totals) {
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < m.dofs.size(); ++d) {
    if (!m.is_free[d]) order.push_back(d);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(totals.largest[a]) > std::abs(totals.largest[b]);
  });
  return order;
}

const char* unit_of(const MotionForces& m, std::size_t dof) { return m.turns[dof] ? "N m" : "N"; }

void print_forces(const InverseCommand& c, const MotionForces& m, const ForceTotals& t) {
  fmt::print("{} along {}: {} rows, {:g} to {:g} s\n\n", c.robot, c.motion, m.rows.size(),
             m.rows.front().time, m.rows.back().time);
  std::vector<std::vector<std::string>> rows{
      {"body on the ground", "mean force", "largest", "deepest"}};
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const ForceTotals::OfBody& body = t.bodies[b];
    if (body.largest == 0) continue;
    rows.push_back({m.bodies[b], fmt::format("{:.4g} N", body.mean),
                    fmt::format("{:.4g} N", body.largest),
                    fmt::format("{:.4g} mm", 1e3 * body.deepest)});
  }
  print_rows(rows, "lrrr");
  rows = {{"joint", "largest force", "at"}};
  const std::vector<std::size_t> order = rank_joints(m, t);
  for (std::size_t i = 0; i < std::min(order.size(), kMostJoints); ++i) {
    rows.push_back({m.dofs[order[i]],
                    fmt::format("{:.4g} {}", t.largest[order[i]], unit_of(m, order[i])),
                    fmt::format("{:g} s", t.time[order[i]])});
  }
  fmt::print("\n");
  print_rows(rows, "lrr");
  if (order.size() > kMostJoints)
    fmt::print("and {} joints more: --json, --csv\n", order.size() - kMostJoints);
  fmt::print("\nground upwards in the mean {:.4g} N, weight {:.4g} N; left over on the base {:.3g} "
             "N and {:.3g} N m rms\n",
             t.mean, m.weight, t.base_force, t.base_moment);
  if (!c.csv.empty()) fmt::print("Table: {}\n", c.csv);
  if (!c.plot.empty()) fmt::print("Picture: {}\n", c.plot);
}

void print_forces_json(const InverseCommand& c, const MotionForces& m, const ForceTotals& t) {
  Json out = {{"robot", c.robot},
              {"motion", c.motion},
              {"rows", m.rows.size()},
              {"weight_N", m.weight},
              {"mean_ground_force_N", t.mean},
              {"base_rms_force_N", t.base_force},
              {"base_rms_moment_Nm", t.base_moment}};
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    out["bodies"].push_back({{"name", m.bodies[b]},
                             {"mean_force_N", t.bodies[b].mean},
                             {"largest_force_N", t.bodies[b].largest},
                             {"deepest_m", t.bodies[b].deepest}});
  }
  for (std::size_t d = 0; d < m.dofs.size(); ++d) {
    if (m.is_free[d]) continue;
    out["joints"].push_back({{"name", m.dofs[d]},
                             {m.turns[d] ? "largest_moment_Nm" : "largest_force_N", t.largest[d]},
                             {"time_s", t.time[d]}});
  }
  print_json(out);
}

void write_forces_table(const InverseCommand& c, const MotionForces& m) {
  std::string text = "time_s";
  for (const std::string& body : m.bodies) {
    text += fmt::format(",{0}.force_x_N,{0}.force_y_N,{0}.force_z_N,{0}.sinkage_m", body);
  }
  for (std::size_t d = 0; d < m.dofs.size(); ++d) {
    text += fmt::format(",{}.{}", m.dofs[d], m.turns[d] ? "moment_Nm" : "force_N");
  }
  for (const MotionRow& row : m.rows) {
    text += fmt::format("\n{}", row.time);
    for (std::size_t b = 0; b < m.bodies.size(); ++b) {
      const Vec3d& f = row.contact_force[b];
      text += fmt::format(",{},{},{},{}", f.x, f.y, f.z, row.sinkage[b]);
    }
    for (const double force : row.joint_force) text += fmt::format(",{}", force);
  }
  write_text_file(c.csv, text + "\n");
}

void write_forces_plot(const InverseCommand& c, const MotionForces& m, const ForceTotals& t) {
  const auto line = [&](const std::string& label, const auto& value) {
    PlotLine out{.label = label};
    for (const MotionRow& row : m.rows) {
      out.x.push_back(row.time);
      out.y.push_back(value(row));
    }
    return out;
  };
  PlotPanel ground{.x = {.label = "time", .unit = "s"},
                   .y = {.label = "force of the ground upwards", .unit = "N"}};
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    if (t.bodies[b].largest == 0) continue;
    ground.lines.push_back(
        line(m.bodies[b], [&](const MotionRow& row) { return row.contact_force[b].z; }));
  }
  PlotPanel joints{.x = ground.x, .y = {.label = "force of joints", .unit = "N m, N"}};
  const std::vector<std::size_t> order = rank_joints(m, t);
  for (std::size_t i = 0; i < std::min(order.size(), kMostJoints); ++i) {
    const std::size_t d = order[i];
    joints.lines.push_back(
        line(m.dofs[d], [&](const MotionRow& row) { return row.joint_force[d]; }));
  }
  write_plot(c.plot, {.title = "Inverse dynamics on soft ground",
                      .subtitle = fmt::format("{} along {}", c.robot, c.motion),
                      .panels = {ground, joints},
                      .columns = 1});
}

void run_inverse(const InverseCommand& c) {
  if (!c.plot.empty()) check_ending("plot", c.plot, ".svg");
  if (!c.csv.empty()) check_ending("csv", c.csv, ".csv");
  if (c.soft.solref.empty() && !(c.soft.solimp.empty() && c.ground.empty())) {
    throw InputError("--solimp and --ground need --solref");
  }
  MotionOptions options;
  options.ground = c.ground;
  options.forward = c.forward;
  if (!c.soft.solref.empty()) options.solref = solref_of(c.soft);
  options.solimp = solimp_of(c.soft);
  const MotionForces forces =
      find_motion_forces(find_file(robot_files(), c.robot, "", ""), c.motion, options);
  const ForceTotals totals = sum_up(forces);
  OutputsTogether together;
  if (!c.csv.empty()) write_forces_table(c, forces);
  if (!c.plot.empty()) write_forces_plot(c, forces, totals);
  together.keep();
  if (c.json) {
    print_forces_json(c, forces, totals);
  } else {
    print_forces(c, forces, totals);
  }
}

}  // namespace

void add_inverse(CLI::App& mujoco) {
  auto [sub, c] = add_command<InverseCommand>(
      mujoco, "inverse", "Find the forces of ground and joints along a recorded motion",
      run_inverse);
  sub.add_option("robot", c.robot, "MJCF or URDF file, or a name in robots/")->required();
  sub.add_option("motion", c.motion,
                 "Run file, or table with time [s], qpos[0], ..., and qvel[0], ... if recorded")
      ->required();
  add_soft_options(sub, c.soft, false);
  sub.add_option("--ground", c.ground,
                 "Geom that --solref is for; default as in footfall mujoco tune");
  sub.add_flag("--forward", c.forward,
               "Accelerations to the next row: exact where every step of a simulation is a row");
  sub.add_option("--csv", c.csv, "Write all forces as a table");
  sub.add_option("--plot", c.plot, "Draw them as an SVG file");
  sub.add_flag("--json", c.json, "Print JSON, and nothing else, on stdout");
  sub.footer("Example, after footfall run scenarios/humanoid_walk.toml:\n"
             "  footfall mujoco inverse robots/humanoid.xml results/humanoid_walk/run.h5 --solref "
             "-2881.68638 -107.362682 "
             "--solimp 0 0.95 0.012 0.5 2 --plot forces.svg");
}

}  // namespace footfall::mujoco_commands
