// Fig. 5: the humanoid on the box's numbers and on its own, in three poses.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "footfall/soft/soft_curve.hpp"
#include "footfall/tune/tune.hpp"
#include "io/data_folders.hpp"
#include "reproduce/gora2025_parts.hpp"
#include "tune/soft_scene.hpp"

namespace footfall::gora2025 {
namespace {

struct Pose {
  const char* keyframe;
  const char* words;
  double box_sinkage;  // of our humanoid with the box's numbers, by mj_inverse [mm]
};
constexpr Pose kPoses[] = {{"stand", "both feet", 7.42622},
                           {"crouch", "knees bent", 7.42622},
                           {"one_foot", "one foot", 8.26377}};
constexpr double kFormulaStiffness = 3444.04;  // of our humanoid for 6 mm on both feet [1/s²]

double mean_of(const Tuned& tuned, double TunedFoot::* value) {
  double sum = 0;
  for (const TunedFoot& foot : tuned.feet) sum += foot.*value;
  return sum / static_cast<double>(tuned.feet.size());
}

// What the ground carries of the placed pose at a sinkage, by mj_inverse [N].
PlotLine inverse_line(const std::filesystem::path& robot, const char* label,
                      const SoftReference& solref) {
  SoftScene scene = make_soft_scene(robot, "stand");
  set_softness(scene, solref, kBoxImpedance);
  PlotLine line{.label = label};
  const double touch = lift_for_sinkage(scene, 0);
  for (int k = 0; k <= 100; ++k) {
    const double sinkage = 0.01 * k / 100;
    place(scene, touch - sinkage);
    line.x.push_back(1e3 * sinkage);
    line.y.push_back(scene.weight - missing_force(scene));
  }
  return line;
}

void add_figure(const std::filesystem::path& robot, const Tuned& stand, Reproduction& out) {
  const SoftReference own{-stand.formula_stiffness, stand.solref.second};
  PlotPanel panel{.title = "Standing on both feet, mj_inverse at rest",
                  .x = {.label = "sinkage", .unit = "mm"},
                  .y = {.label = "force on the ground", .unit = "N", .high = 60}};
  panel.lines = {inverse_line(robot, "the box's solref", kBoxReference),
                 inverse_line(robot, "the robot's solref", own),
                 {.label = "weight",
                  .x = {0, 10},
                  .y = {stand.weight, stand.weight},
                  .style = LineStyle::dashed}};
  out.figures.push_back({"fig5-humanoid.svg",
                         "the humanoid on the box's numbers and on its own",
                         {.title = "Gora 2025, Fig. 5: a humanoid on ground for 6 mm",
                          .subtitle = "One number per robot, not per soil",
                          .panels = {panel},
                          .columns = 1}});
}

void add_pose(const std::filesystem::path& robot, const Pose& pose, NumberTable& table,
              Reproduction& out) {
  TuneOptions options;
  options.keyframe = pose.keyframe;
  options.sinkage = kBoxSinkage;
  options.damping_ratio = kBoxDampingRatio;
  const Tuned tuned = tune_soft_ground(robot, options);
  const Tuned boxed = try_soft_ground(robot, kBoxReference, kBoxImpedance, options);
  const double deep = 1e3 * mean_of(boxed, &TunedFoot::inverse_sinkage);
  const double settled = 1e3 * mean_of(tuned, &TunedFoot::achieved_sinkage);
  const std::string words = pose.words;
  out.add(is_difference(
      compared("Fig. 5a", words + ": sinkage with the box's numbers", "mm", 8.66, deep),
      printed(0.01), "another robot: its inertias are ours", pose.box_sinkage));
  out.add(agrees(claimed("Fig. 5a", words + ": too deep by", "%", "significantly higher",
                         100 * (deep / 6 - 1)),
                 deep > 6.6));
  out.add(returns(compared("Fig. 5b", words + ": tuned, mj_inverse", "mm", 6,
                           1e3 * mean_of(tuned, &TunedFoot::inverse_sinkage)),
                  printed(1)));
  for (const TunedFoot& foot : tuned.feet) {
    out.add(returns(compared("Fig. 5b", fmt::format("{}: {} settled", words, foot.name), "mm", 6,
                             1e3 * foot.achieved_sinkage),
                    printed(1)));
  }
  table.names.push_back(words);
  table.rows.push_back({static_cast<double>(tuned.feet.size()), tuned.formula_stiffness,
                        -tuned.solref.first, -tuned.solref.second, settled, deep,
                        1e3 * mean_of(boxed, &TunedFoot::achieved_sinkage),
                        boxed.held_upright ? 1.0 : 0.0});
  if (words == "both feet") {
    out.add(is_difference(compared("III.C", "stiffness of the robot for 6 mm", "1/s²",
                                   -kRobotReference.first, tuned.formula_stiffness),
                          printed(1), "load times inverse inertia of its feet, not of theirs",
                          kFormulaStiffness));
    add_figure(robot, tuned, out);
  }
}

// Small angles about the feet's middle, forwards: the contacts' springs right the robot, its weight
// tips it.
void add_balance(const std::filesystem::path& robot, Reproduction& out) {
  NumberTable table{.title = "Standing on both feet: what rights it and what tips it over",
                    .columns = {"sinkage [mm]", "contacts [N m/rad]", "weight [N m/rad]",
                                "weight in front of the middle [mm]"},
                    .names = {},
                    .rows = {}};
  for (const double sinkage : {0.006, 0.015}) {
    SoftScene scene = make_soft_scene(robot, "stand");
    const SoftImpedance solimp{kBoxImpedance.d0, kBoxImpedance.d_width, 2 * sinkage, 0.5, 2};
    set_softness(scene, {-1, 0}, solimp);
    place(scene, lift_for_sinkage(scene, sinkage));
    missing_force(scene);
    double middle = 0, square = 0;
    const mjData& d = *scene.data;
    for (int i = 0; i < d.ncon; ++i) middle += d.contact[i].pos[0] / d.ncon;
    for (int i = 0; i < d.ncon; ++i) square += std::pow(d.contact[i].pos[0] - middle, 2) / d.ncon;
    // The static law's slope, of all contacts together and per their common load.
    const SoftLaw<double> law = make_soft_law({-1, 0}, solimp, {});
    const double step = 1e-6 * sinkage;
    const double slope =
        (static_force(law, 1, sinkage + step) - static_force(law, 1, sinkage - step)) / (2 * step);
    const double stiffness = scene.weight * slope / static_force(law, 1, sinkage);
    const mjtNum* com = d.subtree_com + 3 * static_cast<std::ptrdiff_t>(scene.root);
    table.rows.push_back(
        {1e3 * sinkage, stiffness * square, scene.weight * scene.height, 1e3 * (com[0] - middle)});
  }
  out.tables.push_back(table);
}

}  // namespace

void add_robot(Reproduction& out, const ShareDone& progress) {
  const std::filesystem::path robot = find_file(robot_files(), "humanoid", ".", "gora2025");
  NumberTable table{.title = "Fig. 5: our humanoid on ground for 6 mm",
                    .columns = {"feet", "stiffness by formula [1/s²]", "after settling [1/s²]",
                                "damping [1/s]", "settled [mm]", "box's numbers, mj_inverse [mm]",
                                "settled [mm]", "tips over on them"},
                    .names = {},
                    .rows = {}};
  for (const Pose& pose : kPoses) {
    add_pose(robot, pose, table, out);
    progress(static_cast<double>(table.rows.size()) / static_cast<double>(std::size(kPoses)));
  }
  out.tables.push_back(table);
  add_balance(robot, out);
}

}  // namespace footfall::gora2025
