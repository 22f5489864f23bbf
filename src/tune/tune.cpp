#include "footfall/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/soft/soft_curve.hpp"
#include "input_error.hpp"
#include "mujoco/build.hpp"
#include "tune/soft_scene.hpp"

namespace footfall {
namespace {

constexpr double kCloseEnough = 1e-4;  // of the wanted sinkage
constexpr int kMostCorrections = 8;
constexpr int kMostRounds = 4;       // of tuning more geoms that carry
constexpr double kElsewhere = 0.01;  // of the weight, carried by other things than the ground
constexpr double kUneven = 0.01;  // of the wanted sinkage: feet that differ more are worth a word

void check(const TuneOptions& o) {
  check_range("sinkage", o.sinkage, 1e-6, 1, "1e-6 to 1 m (--sinkage-mm 0.001 to 1000)");
  check_range("damping_ratio", o.damping_ratio, 0, 100, "0 to 100");
  check_range("solimp d0", o.shape.d0, 0, 0.9999, "0 to 0.9999");
  check_range("solimp d_width", o.shape.d_width, std::max(1e-4, o.shape.d0), 0.9999,
              "d0 to 0.9999: the ground must not soften with depth");
  check_range("solimp midpoint", o.shape.midpoint, 1e-4, 0.9999, "0.0001 to 0.9999");
  check_range("solimp power", o.shape.power, 1, 20, "1 to 20");
}

SoftLaw<double> law_of(const SoftScene& scene, const SoftReference& solref,
                       const SoftImpedance& solimp) {
  const bool refsafe = (scene.model->opt.disableflags & mjDSBL_REFSAFE) == 0;
  return make_soft_law(solref, solimp, {scene.model->opt.timestep, refsafe});
}

// The damping ratio asked for, of the reference or at rest.
SoftReference make_reference(const SoftScene& scene, const TuneOptions& o, const SoftImpedance& imp,
                             double stiffness) {
  const SoftReference critical{-stiffness, -2 * std::sqrt(stiffness)};
  double ratio = o.damping_ratio;
  if (o.damping_ratio_at_rest) {
    ratio = *o.damping_ratio_at_rest / rest_damping_ratio(law_of(scene, critical, imp),
                                                          o.sinkage + scene.margin, scene.gravity);
  }
  return {critical.first, ratio * critical.second};
}

// Of all contacts, each by its own depth and margin, when all are put deeper by `more` [N].
double force_of(const SoftLaw<double>& law, const std::vector<ContactMeasure>& contacts,
                double more) {
  double force = 0;
  for (const ContactMeasure& c : contacts) {
    force += static_force(law, c.share, std::max(c.sinkage + c.margin + more, 0.0));
  }
  return force;
}

// Of the feet; NaN where none touches.
double mean_sinkage(const std::vector<FootMeasure>& feet) {
  double sum = 0, count = 0;
  for (const FootMeasure& foot : feet) {
    sum += foot.foot ? foot.sinkage : 0;
    count += foot.foot ? 1 : 0;
  }
  return sum / count;
}

// ---- what the user should know ----

void warn_about_model(const SoftScene& scene, Tuned& out) {
  const mjModel& m = *scene.model;
  if (m.opt.cone == mjCONE_PYRAMIDAL) {
    out.warnings.push_back(
        "pyramidal cones: condim, friction and impratio change how deep the robot sinks, and the "
        "numbers hold for these values only; cone=\"elliptic\" is free of that");
  }
  if ((m.opt.enableflags & mjENBL_DIAGEXACT) != 0) {
    out.warnings.push_back(
        "diagexact is enabled: the sinkage changes with the pose, not only with the load");
  }
  if (scene.largest_margin > 0) {
    out.warnings.push_back(fmt::format(
        "contacts have a margin of {}{:.3g} mm: forces begin that far above the ground",
        scene.margin < scene.largest_margin ? "up to " : "", 1e3 * scene.largest_margin));
  }
  const bool refsafe = (m.opt.disableflags & mjDSBL_REFSAFE) == 0;
  const std::string too_long = describe_long_step(out.solref, {m.opt.timestep, refsafe});
  if (!too_long.empty()) {
    out.warnings.push_back(too_long);
  } else if (out.solref.first <= 0) {
    out.warnings.push_back(
        fmt::format("refsafe does not guard negative solref: keep the timestep below {:.3g} ms",
                    1e3 * longest_soft_step(out.solref)));
  }
}

void warn_about_rest(const SoftScene& scene, Tuned& out) {
  out.warnings.push_back(
      "resting sinkage in MuJoCo does not follow the load: with all masses doubled this robot "
      "sinks as deep as before; real soil is not like that");
  if (out.held_upright) {
    out.warnings.push_back(
        "on ground this soft the robot tips over on its servos; the sinkage was verified with its "
        "base held upright");
  }
  if (!out.settled) {
    out.warnings.push_back(fmt::format("the robot still moves after {:.3g} s: the achieved sinkage "
                                       "is not final",
                                       out.settling_time));
  }
  double low = out.feet.empty() ? 0 : out.feet[0].achieved_sinkage, high = low;
  for (const TunedFoot& foot : out.feet) {
    low = std::min(low, foot.achieved_sinkage);
    high = std::max(high, foot.achieved_sinkage);
  }
  if (high - low > kUneven * out.feet.at(0).wanted_sinkage) {
    out.warnings.push_back(fmt::format(
        "feet sink by {:.3g} to {:.3g} mm: they carry different loads, and one solref for all "
        "makes their mean right",
        1e3 * low, 1e3 * high));
  }
  double carried = 0;
  for (const ContactMeasure& c : measure_contacts(scene)) carried += c.load;
  if (out.settled && std::abs(carried - out.weight) > kElsewhere * out.weight) {
    out.warnings.push_back(fmt::format(
        "the ground carries {:.4g} N of the weight of {:.4g} N: the robot leans on something else, "
        "or something leans on it; take that out of the file",
        carried, out.weight));
  }
  std::vector<std::string> untuned;
  for (const int geom : find_untuned(scene)) {
    untuned.push_back(from_mujoco::label(*scene.model, mjOBJ_GEOM, geom));
  }
  if (!untuned.empty()) {
    out.warnings.push_back(fmt::format("{} carries the robot too, with the file's own numbers",
                                       from_mujoco::list_of(untuned)));
  }
  for (const std::string& text : scene.warnings) out.warnings.push_back(text);
}

// ---- formula, verification, correction ----

// Contacts as they are with the pose at the wanted depth.
void apply_formula(SoftScene& scene, const TuneOptions& o, Tuned& out) {
  const double violation = o.sinkage + scene.margin;  // of a foot with the mean margin
  out.solimp = o.shape;
  out.solimp.width = violation / o.shape.midpoint;
  set_softness(scene, {-1, 0}, out.solimp);
  place(scene, lift_for_sinkage(scene, o.sinkage));
  missing_force(scene);
  const std::vector<ContactMeasure> contacts = measure_contacts(scene);
  for (const ContactMeasure& c : contacts) out.share += c.share;
  out.formula_stiffness = out.weight / force_of(law_of(scene, {-1, 0}, out.solimp), contacts, 0);
  out.ball_stiffness = rest_stiffness(out.solimp, 1, scene.gravity, violation);
  out.box_stiffness = out.ball_stiffness / 4;
}

void settle_upright_if_needed(SoftScene& scene, const TuneOptions& o, Tuned& out) {
  Settling run = settle(scene, out.held_upright, o.longest_settling);
  if (run.fallen && !out.held_upright) {
    out.held_upright = true;
    run = settle(scene, true, o.longest_settling);
  }
  out.settled = run.quiet;
  out.settling_time = run.time;
}

// Scales the stiffness until the mean sinkage of the settled feet is the wanted one: by the static
// law, which is exact but for tilt and lean.
void correct(SoftScene& scene, const TuneOptions& o, Tuned& out) {
  double stiffness = out.formula_stiffness;
  for (;;) {
    out.solref = make_reference(scene, o, out.solimp, stiffness);
    set_softness(scene, out.solref, out.solimp);
    settle_upright_if_needed(scene, o, out);
    const double mean = mean_sinkage(measure_feet(scene));
    const bool close = std::abs(mean - o.sinkage) < kCloseEnough * o.sinkage;
    if (close || std::isnan(mean) || !find_untuned(scene).empty()) return;
    if (out.corrections == kMostCorrections) {
      out.warnings.push_back(fmt::format(
          "after {} corrections the feet sink by {:.4g} mm in the mean, wanted {:.4g} mm: the "
          "robot {}",
          kMostCorrections, 1e3 * mean, 1e3 * o.sinkage,
          out.settled ? "rests there, and stiffness alone does not change it"
                      : "has not come to rest, take a longer --settle-s or less damping"));
      return;
    }
    const SoftLaw<double> law = law_of(scene, out.solref, out.solimp);
    const std::vector<ContactMeasure> contacts = measure_contacts(scene);
    stiffness *= force_of(law, contacts, 0) / force_of(law, contacts, o.sinkage - mean);
    ++out.corrections;
  }
}

Tuned begin(const SoftScene& scene) {
  Tuned out;
  out.pose = scene.pose_name;
  out.means = scene.means == GroundMeans::priority ? "priority" : "pair";
  out.held_by = scene.own_servos ? "servos" : "springs";
  out.ground = mj_id2name(scene.model.get(), mjOBJ_GEOM, scene.ground);
  out.ground_type = scene.model->geom_type[scene.ground] == mjGEOM_PLANE ? "plane" : "box";
  out.ground_added = scene.ground_added;
  out.root = from_mujoco::name_or_index(*scene.model, mjOBJ_BODY, scene.root, scene.root);
  out.joints = scene.joints;
  out.weight = scene.weight;
  return out;
}

// Feet, warnings, lines and file, from the settled scene.
void finish(SoftScene& scene, const std::vector<FootMeasure>& by_inverse, const TuneOptions& o,
            Tuned& out) {
  for (const FootMeasure& foot : measure_feet(scene)) {
    if (!foot.foot) {
      out.warnings.push_back(fmt::format(
          "{} touches the ground too and carries {:.3g} N; it is not counted as a foot, because it "
          "is less than half as deep as one that hangs on it",
          foot.name, foot.load));
      continue;
    }
    TunedFoot tuned{.name = foot.name,
                    .body = foot.body,
                    .body_name =
                        from_mujoco::name_or_index(*scene.model, mjOBJ_BODY, foot.body, foot.body),
                    .contacts = foot.contacts,
                    .inverse_inertia = foot.inverse_inertia,
                    .load = foot.load,
                    .achieved_sinkage = foot.sinkage,
                    .deepest_sinkage = foot.deepest};
    for (const FootMeasure& inverse : by_inverse) {
      if (inverse.body == foot.body && inverse.foot) tuned.inverse_sinkage = inverse.sinkage;
    }
    tuned.wanted_sinkage = o.sinkage > 0 ? o.sinkage : tuned.inverse_sinkage;
    out.feet.push_back(tuned);
  }
  if (out.feet.empty()) {
    throw input_error("the settling run did not end on the feet: damping {:.4g} 1/s wants steps "
                      "below {:.3g} ms, the file has {:.3g} ms; or look at the pose and the servos",
                      -out.solref.second, 1e3 / std::max(-out.solref.second, 1e-9),
                      1e3 * scene.model->opt.timestep);
  }
  const double rest = o.sinkage > 0 ? o.sinkage : mean_sinkage(by_inverse);
  out.damping_ratio_at_rest =
      rest_damping_ratio(law_of(scene, out.solref, out.solimp), rest + scene.margin, scene.gravity);
  warn_about_rest(scene, out);
  warn_about_model(scene, out);
  double deepest = 0;
  for (const TunedFoot& foot : out.feet) deepest = std::max(deepest, foot.inverse_sinkage);
  out.curve = find_inverse_curve(scene, 2 * (deepest > 0 ? deepest : rest));
  out.lines = lines_to_paste(scene, out.solref, out.solimp);
  if (!o.output.empty()) write_scene(scene, out.solref, out.solimp, o.output);
}

// Is another round worth while, in which more geoms are tuned?
bool take_untuned(const SoftScene& scene, int round, std::vector<int>& more) {
  const std::vector<int> untuned = find_untuned(scene);
  more.insert(more.end(), untuned.begin(), untuned.end());
  return !untuned.empty() && round < kMostRounds;
}

}  // namespace

std::function<void(mjSpec_&)> set_armature(double armature) {
  check_range("armature", armature, 0, 1e6, "0 to 1e6 kg m² (--armature)");
  return [armature](mjSpec& spec) {
    for (mjsElement* e = mjs_firstElement(&spec, mjOBJ_JOINT); e != nullptr;
         e = mjs_nextElement(&spec, e)) {
      mjsJoint* joint = mjs_asJoint(e);
      if (joint->type != mjJNT_FREE) joint->armature = armature;
    }
  };
}

Tuned tune_soft_ground(const std::filesystem::path& robot, const TuneOptions& o) {
  check(o);
  std::vector<int> more;  // geoms that carry the settled robot and did not touch at first
  for (int round = 1;; ++round) {
    SoftScene scene = make_soft_scene(robot, o.keyframe, o.ground, more, o.edit);
    Tuned out = begin(scene);
    apply_formula(scene, o, out);
    set_softness(scene, make_reference(scene, o, out.solimp, out.formula_stiffness), out.solimp);
    find_inverse_rest(scene);
    const std::vector<FootMeasure> by_inverse = measure_feet(scene);
    correct(scene, o, out);
    if (!take_untuned(scene, round, more)) {
      finish(scene, by_inverse, o, out);
      return out;
    }
  }
}

Tuned try_soft_ground(const std::filesystem::path& robot, const SoftReference& solref,
                      const SoftImpedance& solimp, const TuneOptions& options) {
  TuneOptions o = options;
  o.sinkage = 0;
  std::vector<int> more;
  for (int round = 1;; ++round) {
    SoftScene scene = make_soft_scene(robot, o.keyframe, o.ground, more, o.edit);
    Tuned out = begin(scene);
    out.solref = solref;
    out.solimp = solimp;
    out.formula_stiffness = -solref.first;
    set_softness(scene, solref, solimp);
    find_inverse_rest(scene);
    for (const ContactMeasure& c : measure_contacts(scene)) out.share += c.share;
    const std::vector<FootMeasure> by_inverse = measure_feet(scene);
    settle_upright_if_needed(scene, o, out);
    if (!take_untuned(scene, round, more)) {
      finish(scene, by_inverse, o, out);
      return out;
    }
  }
}

}  // namespace footfall
