// Fig. 5: the humanoid on the box's numbers and on its own, in three poses.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>

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

PlotLine inverse_line(const std::filesystem::path& robot, const char* label,
                      const SoftReference& solref) {
  SoftScene scene = make_soft_scene(robot, "stand");
  set_softness(scene, solref, kBoxImpedance);
  PlotLine line{.label = label};
  for (const SinkageForce& point : find_inverse_curve(scene, 0.01)) {
    line.x.push_back(1e3 * point.sinkage);
    line.y.push_back(point.force);
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
      printed(0.01), "our armature of 0.002 kg m² makes feet harder to move", pose.box_sinkage));
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
                          printed(1), "likewise: see the rows without armature",
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

// The paper's robot without its inertias: armature 0, feet of this mass, what they lose in the chest.
std::function<void(mjSpec&)> lighten(double foot_mass) {
  return [foot_mass](mjSpec& spec) {
    set_armature(0)(spec);
    double lost = 0;
    for (mjsElement* e = mjs_firstElement(&spec, mjOBJ_GEOM); e != nullptr;
         e = mjs_nextElement(&spec, e)) {
      mjsGeom* geom = mjs_asGeom(e);
      const std::string_view name = mjs_getString(mjs_getName(e));
      if (name != "left_foot" && name != "right_foot") continue;
      lost += geom->mass - foot_mass;
      geom->mass = foot_mass;
    }
    mjs_asGeom(mjs_findElement(&spec, mjOBJ_GEOM, "chest"))->mass += lost;
  };
}

// Â of a foot with which eight contacts carry the robot so deep [1/kg].
double implied_inverse_inertia(const SoftReference& solref, double weight, double sinkage) {
  return 8 * static_force(make_soft_law(solref, kBoxImpedance, {}), 1, sinkage) / weight;
}

// The paper's two numbers against a robot without armature, whose feet weigh more or less.
void add_bracket(const std::filesystem::path& robot, Reproduction& out) {
  const double weight = 1.762 * kGravity;
  NumberTable table{.title = "Fig. 5: the inverse inertia of a foot",
                    .columns = {"of a foot [1/kg]", "stiffness for 6 mm [1/s²]"},
                    .names = {"paper, by 8.66 mm", "paper, by 11445 1/s²"},
                    .rows = {}};
  for (const auto& [solref, sinkage] :
       {std::pair{kBoxReference, 0.00866}, std::pair{kRobotReference, kBoxSinkage}}) {
    const double of_foot = implied_inverse_inertia(solref, weight, sinkage);
    table.rows.push_back(
        {of_foot, rest_stiffness(kBoxImpedance, 8 / of_foot, weight, kBoxSinkage)});
  }
  for (const double foot : {0.045, 0.03}) {
    TuneOptions options;
    options.keyframe = "stand";
    options.edit = lighten(foot);
    const Tuned boxed = try_soft_ground(robot, kBoxReference, kBoxImpedance, options);
    const double stiffness = rest_stiffness(kBoxImpedance, boxed.share, boxed.weight, kBoxSinkage);
    const double deep = 1e3 * mean_of(boxed, &TunedFoot::inverse_sinkage);
    const std::string words = fmt::format("no armature, feet of {:.0f} g", 1e3 * foot);
    const bool heavy = foot > 0.04;
    out.add(agrees(claimed("Fig. 5a", words + ": sinkage with the box's numbers", "mm",
                           heavy ? "8.66: deeper" : "8.66: less deep", deep),
                   heavy == (deep < 8.66)));
    out.add(agrees(claimed("III.C", words + ": stiffness for 6 mm", "1/s²",
                           heavy ? "11445: more" : "11445: less", stiffness),
                   heavy == (stiffness < 11445)));
    table.names.push_back(words);
    table.rows.push_back({boxed.feet[0].inverse_inertia, stiffness});
  }
  out.tables.push_back(table);
}

// "The contact force depends on the robot's configuration": with MuJoCo's exact diagonal.
void add_exact_diagonal(const std::filesystem::path& robot, Reproduction& out) {
  const auto stiffness = [&](const char* pose, bool exact) {
    SoftScene scene = make_soft_scene(robot, pose);
    if (exact) scene.model->opt.enableflags |= mjENBL_DIAGEXACT;
    set_softness(scene, {-1, 0}, kBoxImpedance);
    place(scene, lift_for_sinkage(scene, kBoxSinkage));
    return scene.weight / (scene.weight - missing_force(scene));
  };
  const double approximate = stiffness("crouch", false) / stiffness("stand", false);
  const double exact = stiffness("crouch", true) / stiffness("stand", true);
  const char* claim = "depends on the configuration";
  out.add(agrees(
      claimed("III.A", "exact diagonal: stiffness with knees bent over upright", "", claim, exact),
      std::abs(exact - 1) > 0.05));
  out.add(contradicts_itself(
      claimed("III.A", "MuJoCo's default: stiffness with knees bent over upright", "", claim,
              approximate, "A is the bodies' inverse weight in the reference pose"),
      std::abs(approximate - 1) > 1e-3, std::abs(exact - 1) > 0.05));
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
  add_bracket(robot, out);
  add_exact_diagonal(robot, out);
  add_balance(robot, out);
}

}  // namespace footfall::gora2025
