#include "footfall/report/picture.hpp"

#include <fmt/format.h>

#include <cmath>

#include "footfall/error.hpp"
#include "report/picture_parts.hpp"

namespace footfall {

namespace picture {

Moments find_moments(const RunData& run) {
  const int feet = static_cast<int>(run.list("foot_names").size());
  const RunColumn& qpos = run.column("state/qpos");
  Moments out;
  out.last = -1;
  double largest = 0;
  for (int row = 0; row < run.row_count; ++row) {
    bool finite = true;
    for (int k = 0; k < qpos.width; ++k) finite = finite && std::isfinite(qpos.at(row, k));
    if (!finite) break;
    out.last = row;
    double force = 0;
    for (int f = 0; f < feet; ++f) force += run.foot_column(f, "normal_force").at(row);
    if (force > largest) {
      largest = force;
      out.impact = row;
      out.touched = true;
    }
  }
  if (out.last < 0) throw InputError(fmt::format("{}: has no pose that can be drawn", run.file));
  return out;
}

RobotData<double> pose_at(const RunData& run, const RobotModel& robot, int row) {
  const RunColumn& qpos = run.column("state/qpos");
  RobotData<double> data(robot);
  compute_positions(robot, &qpos.values[static_cast<std::size_t>(row) * qpos.width], data);
  return data;
}

Vec3d foot_vector(const RunData& run, int foot, const char* name, int row) {
  const RunColumn& c = run.foot_column(foot, name);
  return {c.at(row, 0), c.at(row, 1), c.at(row, 2)};
}

namespace {

constexpr double kWidth = 1280, kHeight = 800, kMargin = 36;

std::string join(const std::vector<std::string>& words, const char* between) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : between) + w;
  return out;
}

void draw_title(const RunData& run, const World& world, const Moments& moments, Svg& svg) {
  const std::string name = run.text("robot_name").empty() ? "robot" : run.text("robot_name");
  const std::string ground =
      soft_constraints(world.ground) ? "MuJoCo's soft ground" : join(run.list("soil_names"), ", ");
  svg.text({kMargin, 50}, fmt::format("{} on {}", name, ground),
           {.size = 26, .color = kInk, .bold = true});
  const std::string scenario = std::filesystem::path(run.text("scenario_path")).filename().string();
  std::string facts = scenario.empty() ? "" : scenario + "  ·  ";
  facts += fmt::format("{} kg  ·  {} s in steps of {} ms", short_number(world.robot.total_mass()),
                       short_number(run.column("time").at(moments.last)),
                       short_number(1000 * run.number("timestep_s")));
  if (!run.complete) facts += "  ·  cut short";
  svg.text({kMargin, 74}, facts, {.size = 14, .color = kSoftInk});
  svg.text({kWidth - kMargin, kHeight - 16},
           fmt::format("footfall {}", run.text("footfall_version")),
           {.size = 11, .color = kAxisInk, .anchor = Anchor::end});
}

void check_same_robot(const RunData& run, const World& world) {
  const std::size_t feet = run.list("foot_names").size();
  if (run.column("state/qpos").width != world.robot.position_size() ||
      feet != world.soles.feet.size()) {
    throw InputError(fmt::format("{}: is a run of robot '{}', not of '{}'", run.file,
                                 run.text("robot_name"), world.robot.name));
  }
}

}  // namespace
}  // namespace picture

void write_picture(const std::filesystem::path& run_file, const World& world,
                   const std::filesystem::path& svg_file) {
  write_picture(read_run(run_file), world, svg_file);
}

void write_picture(const RunData& run, const World& world, const std::filesystem::path& svg_file) {
  using namespace picture;
  check_same_robot(run, world);
  const Moments moments = find_moments(run);
  Svg svg(kWidth, kHeight);
  svg.rectangle({0, 0}, kWidth, kHeight, 0, {.fill = "#fcfcfa"});
  draw_title(run, world, moments, svg);
  draw_scene(run, world, moments, {kMargin, 96, 700, 470}, svg);
  draw_feet(run, world, moments, {kMargin, 592, 700, 190}, svg);
  draw_plots(run, world, moments, {800, 112, 444, 654}, svg);
  write_svg(svg_file, svg);
}

}  // namespace footfall
