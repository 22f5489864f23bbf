// solref and solimp from a measured force–deformation curve, by the identification engine.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "footfall/rig/press.hpp"
#include "footfall/soft/soft_curve.hpp"
#include "footfall/tune/tune.hpp"
#include "input_error.hpp"
#include "tune/soft_scene.hpp"

namespace footfall {
namespace {

constexpr double kMidpoint = 0.5;  // trades off with width and power, so it is not asked for
constexpr double kDifference = 1e-6;

enum Place { stiffness, d0, d_width, width, power, damping, place_count };
using Values = std::array<double, place_count>;

struct Sample {
  double sinkage, rate, force;
};

SoftImpedance impedance_of(const Values& x) {
  return {x[d0], x[d_width], x[width], kMidpoint, x[power]};
}

double force_at(const Values& x, double share, const Sample& s) {
  const SoftLaw<double> law = make_soft_law({-x[stiffness], -x[damping]}, impedance_of(x), {});
  return moving_force(law, share, s.sinkage, s.rate, 0);
}

std::vector<Sample> take_samples(const Recording& recording) {
  if (recording.normal_force.empty() || recording.sinkage.empty()) {
    throw input_error(
        "'{}' has no force or no sinkage, expected columns sinkage_m and normal_force_N",
        recording.file.string());
  }
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < recording.sinkage.size(); ++i) {
    if (!(recording.sinkage[i] > 0)) continue;  // in the air the law says nothing
    const double rate = recording.sinkage_rate.empty() ? 0 : recording.sinkage_rate[i];
    samples.push_back({recording.sinkage[i], rate, recording.normal_force[i]});
  }
  return samples;
}

// Damping shows only where samples of one depth, or nearly, have several rates: of a press at one speed
// d/(1 − d) B δ̇ is a force like any other, and takes the place of the stiffness.
bool rates_differ(const std::vector<Sample>& samples) {
  constexpr double kDifferent = 0.2;  // of the mean
  double mean = 0, squares = 0;
  const auto count = static_cast<double>(samples.size());
  for (const Sample& s : samples) mean += std::abs(s.rate) / count;
  for (const Sample& s : samples) squares += std::pow(std::abs(s.rate) - mean, 2) / count;
  return std::sqrt(squares) > kDifferent * mean;
}

// Stiffness that carries the largest force at its depth, for a shape.
double guess_stiffness(Values x, double share, const Sample& top) {
  x[stiffness] = 1;
  x[damping] = 0;
  return std::max(top.force, 1e-9) / std::max(force_at(x, share, top), 1e-30);
}

FitProblem make_problem(std::vector<Sample> samples, double share, bool rates,
                        const std::string& file) {
  const Sample top =
      *std::max_element(samples.begin(), samples.end(),
                        [](const Sample& a, const Sample& b) { return a.sinkage < b.sinkage; });
  FitProblem problem;
  problem.parameters.resize(place_count);
  auto& p = problem.parameters;
  p[stiffness] = {.name = "stiffness", .unit = "1/s^2", .lower = 1e-6, .upper = 1e12};
  p[stiffness].logarithmic = true;
  p[d0] = {.name = "d0", .unit = "", .lower = kMinImpedance, .upper = kMaxImpedance};
  p[d_width] = {.name = "d_width", .unit = "", .lower = kMinImpedance, .upper = kMaxImpedance};
  p[width] = {.name = "width", .unit = "m", .lower = 0.05 * top.sinkage, .upper = 20 * top.sinkage};
  p[width].logarithmic = true;
  p[power] = {.name = "power", .unit = "", .lower = 1, .upper = 8};
  p[damping] = {.name = "damping", .unit = "1/s", .start = 0, .lower = 0, .upper = 1e6};
  p[damping].fixed = !rates;
  // Hardening, nearly linear and softening ground.
  const Values shapes[] = {{0, 0.01, 0.9, 1.5 * top.sinkage, 2, 0},
                           {0, 0.3, 0.9, top.sinkage, 2, 0},
                           {0, 0.8, 0.5, top.sinkage, 2, 0},
                           {0, 0.1, 0.5, 3 * top.sinkage, 1.5, 0}};
  bool first = true;
  for (const Values& shape : shapes) {
    Values start = shape;
    start[stiffness] = guess_stiffness(shape, share, top);
    start[damping] = rates ? std::sqrt(start[stiffness]) : 0;
    for (int i = 0; i < place_count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (first) p[k].start = start[k];
      if (!first) p[k].starts.push_back(start[k]);
    }
    first = false;
  }
  problem.residual_count = static_cast<int>(samples.size());
  problem.groups = {file};
  problem.group.assign(samples.size(), 0);
  problem.evaluate = [samples = std::move(samples), share, p](std::span<const double> at,
                                                              std::span<double> residuals,
                                                              double* jacobian) {
    Values x{};
    std::copy_n(at.begin(), place_count, x.begin());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      residuals[i] = force_at(x, share, samples[i]) - samples[i].force;
      for (std::size_t k = 0; jacobian != nullptr && k < place_count; ++k) {
        const double step = kDifference * std::max(std::abs(x[k]), 1e-3);
        Values plus = x, minus = x;
        plus[k] = std::min(x[k] + step, p[k].upper);
        minus[k] = std::max(x[k] - step, p[k].lower);
        *jacobian++ = (force_at(plus, share, samples[i]) - force_at(minus, share, samples[i])) /
                      (plus[k] - minus[k]);
      }
    }
    return true;
  };
  return problem;
}

// The curve's sinkage under a load, between the samples that hold it; NaN beyond them.
double sinkage_under(const Recording& recording, double load) {
  std::vector<Sample> samples = take_samples(recording);
  samples.push_back({0, 0, 0});
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.sinkage < b.sinkage; });
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const Sample& a = samples[i - 1];
    const Sample& b = samples[i];
    if (a.force <= load && load <= b.force && b.force > a.force) {
      return a.sinkage + (b.sinkage - a.sinkage) * (load - a.force) / (b.force - a.force);
    }
  }
  return std::nan("");
}

// Five numbers for a curve that may have the shape of two: those that it does not tell are fixed where
// the fit has them, the least known first, until the rest is known.
Fit fit_what_shows(FitProblem problem, FitOptions options) {
  constexpr double kHardlyKnown = 1;  // standard error by value
  Fit found = fit(problem, options);
  std::string fixed;
  while (true) {
    std::size_t worst = place_count;
    // an unknown stiffness is one that the shape makes up for
    const Estimate& k = found.parameters[stiffness];
    double share = k.standard_error > kHardlyKnown * k.value ? 0 : kHardlyKnown;
    for (const std::size_t i :
         {std::size_t(d0), std::size_t(d_width), std::size_t(width), std::size_t(power)}) {
      const Estimate& e = found.parameters[i];
      // d/(1 − d) is what carries: near 1 it is 1 − d that counts
      const bool is_impedance = i == d0 || i == d_width;
      const double size = is_impedance ? std::min(e.value, 1 - e.value) : e.value;
      const double unknown = e.standard_error / size;
      if (e.fixed || !(unknown > share)) continue;
      share = unknown;
      worst = i;
    }
    if (worst == place_count) break;
    for (std::size_t i = 0; i < place_count; ++i) {
      problem.parameters[i].start = found.parameters[i].value;
      problem.parameters[i].starts.clear();
    }
    problem.parameters[worst].fixed = true;
    fixed += fmt::format("{}{} = {:.4g}", fixed.empty() ? "" : ", ", found.parameters[worst].name,
                         found.parameters[worst].value);
    options.starts = 1;
    found = fit(problem, options);
  }
  if (!fixed.empty()) {
    found.warnings.push_back(fmt::format(
        "the curve does not tell {}: others carry it as well, with another stiffness; a deeper "
        "press would tell more",
        fixed));
  }
  return found;
}

constexpr double kFollowed = 0.08;  // of the curve's sinkage: more is worth a word

// MuJoCo's law hardens with depth, or softens a little: it has no shape for clay, whose force hardly grows.
void warn_of_other_shape(const Recording& recording, double share, SoftFit& result) {
  const SoftLaw<double> law = make_soft_law(result.solref, result.solimp, {});
  const double largest =
      *std::max_element(recording.normal_force.begin(), recording.normal_force.end());
  double worst = kFollowed, at = 0, ours = 0, wanted = 0;
  for (const double part : {0.3, 0.6, 0.9}) {
    const double curve = sinkage_under(recording, part * largest);
    const double rest = find_rest_sinkage(law, share, part * largest);
    if (!(std::abs(rest / curve - 1) > worst)) continue;
    worst = std::abs(rest / curve - 1);
    at = part * largest, ours = rest, wanted = curve;
  }
  if (at == 0) return;
  result.fit.warnings.push_back(
      fmt::format("MuJoCo's law cannot follow this curve: under {:.4g} N it sinks {:.4g} mm, the "
                  "curve {:.4g} mm; tune to one load with --sinkage-mm",
                  at, 1e3 * ours, 1e3 * wanted));
}

constexpr double kUpright = 0.7;  // cosine beyond which an axis counts as vertical
constexpr int kMeshPieces = 60;   // elements across a mesh
constexpr double kLeastSinkage = 1e-6, kMostSinkage = 1;  // that can be tuned to [m]
constexpr double kNoRebound = 1e-3;  // restitution below which a bounce is not seen

// The geom's axes and the vertical, frame W.
struct Placed {
  const mjModel& m;
  int geom;
  const mjtNum* size;
  const mjtNum* mat;
  std::array<double, 3> up;
  double cosine(int axis) const {
    return std::abs(mat[axis] * up[0] + mat[3 + axis] * up[1] + mat[6 + axis] * up[2]);
  }
};

FootSole box_sole(const Placed& p) {
  int down = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (p.cosine(axis) > p.cosine(down)) down = axis;
  }
  return make_rectangle(2 * p.size[(down + 1) % 3], 2 * p.size[(down + 2) % 3]);
}

FootSole mesh_sole(const Placed& p) {
  const int mesh = p.m.geom_dataid[p.geom];
  std::vector<Vec3d> vertices;
  double low = 0, high = 0;
  std::array<mjtNum, 4> turn{};
  mju_quatZ2Vec(turn.data(), p.up.data());
  mju_negQuat(turn.data(), turn.data());
  for (int i = 0; i < p.m.mesh_vertnum[mesh]; ++i) {
    const float* v = p.m.mesh_vert + 3 * static_cast<std::ptrdiff_t>(p.m.mesh_vertadr[mesh] + i);
    const std::array<mjtNum, 3> local = {v[0], v[1], v[2]};
    std::array<mjtNum, 3> world{}, level{};
    mju_mulMatVec3(world.data(), p.mat, local.data());
    mju_rotVecQuat(level.data(), world.data(), turn.data());
    vertices.push_back({level[0], level[1], level[2]});
    low = i == 0 ? level[0] : std::min(low, level[0]);
    high = i == 0 ? level[0] : std::max(high, level[0]);
  }
  std::vector<std::array<int, 3>> faces;
  for (int i = 0; i < p.m.mesh_facenum[mesh]; ++i) {
    const int* f = p.m.mesh_face + 3 * static_cast<std::ptrdiff_t>(p.m.mesh_faceadr[mesh] + i);
    faces.push_back({f[0], f[1], f[2]});
  }
  return make_mesh(vertices, faces, (high - low) / kMeshPieces);
}

FootSole sole_of(const Placed& p) {
  switch (p.m.geom_type[p.geom]) {
  case mjGEOM_SPHERE:
    return make_sphere(p.size[0]);
  case mjGEOM_BOX:
    return box_sole(p);
  case mjGEOM_CYLINDER:
    return p.cosine(2) > kUpright ? make_disc(p.size[0]) : make_cylinder(p.size[0], 2 * p.size[1]);
  case mjGEOM_CAPSULE:  // its round ends add less than their radius to the width
    return p.cosine(2) > kUpright ? make_sphere(p.size[0])
                                  : make_cylinder(p.size[0], 2 * p.size[1] + p.size[0]);
  case mjGEOM_MESH:
    return mesh_sole(p);
  default:
    break;
  }
  throw input_error(
      "geom {} is no sole that soil knows, expected a sphere, box, cylinder, capsule or mesh",
      p.geom);
}

// Damping ratio of a linear spring and damper that rebounds with this restitution.
double damping_of_restitution(double restitution) {
  const double l = std::log(std::max(restitution, kNoRebound));
  return -l / std::sqrt(std::numbers::pi * std::numbers::pi + l * l);
}

double bounce_damping_ratio(const RigGround& ground, double load, double sinkage, double gravity) {
  if (ground.plastic) {
    PressPlan plan;
    plan.load = load;
    const double given = press(ground, {}, plan).work;
    plan.unload = true;
    const double kept = press(ground, {}, plan).work;
    return damping_of_restitution(std::sqrt(std::max(0.0, 1 - kept / given)));
  }
  // At the speed of a fall through the sinkage: for q ≠ 1 the damping depends on it.
  const double speed = std::sqrt(gravity * sinkage);
  const GroundForce rest = evaluate_ground(ground, {}, sinkage, 0);
  const double damping = (evaluate_ground(ground, {}, sinkage, speed).force - rest.force) / speed;
  return damping / (2 * std::sqrt(rest.sinkage_slope * load / gravity));
}

// The pose at the depth at which ground of any stiffness carries it: who carries how much.
std::vector<ContactMeasure> find_loads(SoftScene& scene) {
  set_softness(scene, {-1e4, -100}, {});
  find_inverse_rest(scene);
  return measure_contacts(scene);
}

}  // namespace

SoftFit fit_soft_ground(const Recording& recording, double share, double damping_ratio) {
  std::vector<Sample> samples = take_samples(recording);
  const bool measured = !recording.sinkage_rate.empty();
  const bool rates = measured && rates_differ(samples);
  if (samples.size() < 8) {
    throw input_error("'{}' has {} samples in the ground, expected at least 8",
                      recording.file.string(), samples.size());
  }
  const FitProblem problem =
      make_problem(std::move(samples), share, rates, recording.file.filename().string());
  FitOptions options;
  options.starts = 4;
  SoftFit result;
  result.fit = fit_what_shows(problem, options);
  if (measured && !rates) {
    result.fit.warnings.push_back(fmt::format(
        "all samples sink at nearly the same rate, which cannot tell damping from stiffness: the "
        "damping is that of the damping ratio {:g}; a drop, or presses at several speeds, would "
        "tell it",
        damping_ratio));
  }
  const Fit& f = result.fit;
  const double k = f.value("stiffness");
  const double b = rates ? f.value("damping") : 2 * damping_ratio * std::sqrt(k);
  result.solref = {-k, -b};
  result.solimp = {f.value("d0"), f.value("d_width"), f.value("width"), kMidpoint,
                   f.value("power")};
  warn_of_other_shape(recording, share, result);
  return result;
}

TunedToCurve tune_to_curve(const std::filesystem::path& robot, const Recording& recording,
                           const TuneOptions& options) {
  // S of one foot: all its contacts, as deep as the curve goes at the foot's load or a millimetre.
  SoftScene scene = make_soft_scene(robot, options.keyframe, options.ground);
  place(scene, lift_for_sinkage(scene, 1e-3));
  missing_force(scene);
  const std::vector<ContactMeasure> contacts = measure_contacts(scene);
  double share = 0;
  for (const ContactMeasure& c : contacts) share += c.body == contacts[0].body ? c.share : 0;

  TunedToCurve result{fit_soft_ground(recording, share, options.damping_ratio), {}};
  result.tuned = try_soft_ground(robot, result.fit.solref, result.fit.solimp, options);
  for (TunedFoot& foot : result.tuned.feet) {
    foot.wanted_sinkage = sinkage_under(recording, foot.load);
    if (std::isnan(foot.wanted_sinkage)) {
      result.tuned.warnings.push_back(fmt::format(
          "{} carries {:.4g} N, which the curve does not reach: its sinkage is extrapolated",
          foot.name, foot.load));
      foot.wanted_sinkage = foot.inverse_sinkage;
    }
  }
  for (const std::string& text : result.fit.fit.warnings) result.tuned.warnings.push_back(text);
  return result;
}

// Sinkage and damping of our own soils under a robot's feet, for MuJoCo.

std::vector<FootOnSoil> ask_soil(const std::filesystem::path& robot, const Soil& soil,
                                 const TuneOptions& options) {
  SoftScene scene = make_soft_scene(robot, options.keyframe, options.ground);
  std::map<int, double> loads;  // by geom
  for (const ContactMeasure& c : find_loads(scene)) loads[c.geom] += c.load;
  std::array<double, 3> up{};
  mju_scl3(up.data(), scene.model->opt.gravity, -1 / scene.gravity);
  std::vector<FootOnSoil> feet;
  for (const FootMeasure& measure : measure_feet(scene)) {
    if (!measure.foot) continue;
    FootOnSoil foot{.name = measure.name, .body = measure.body, .load = measure.load};
    // Heel and toe of one foot: their mean by load.
    for (const auto& [geom, load] : loads) {
      const mjModel& m = *scene.model;
      if (m.geom_bodyid[geom] != measure.body || !(load > 0)) continue;
      const Placed placed{m, geom, m.geom_size + 3 * static_cast<std::ptrdiff_t>(geom),
                          scene.data->geom_xmat + 9 * static_cast<std::ptrdiff_t>(geom), up};
      const RigGround ground = make_rig_ground(sole_of(placed), soil);
      const double sinkage = find_rest(ground, load);
      const double weight = load / measure.load;
      foot.sinkage += weight * sinkage;
      foot.damping_ratio += weight * bounce_damping_ratio(ground, load, sinkage, scene.gravity);
    }
    feet.push_back(foot);
  }
  return feet;
}

Tuned tune_to_soil(const std::filesystem::path& robot, const Soil& soil,
                   const TuneOptions& options) {
  const std::vector<FootOnSoil> feet = ask_soil(robot, soil, options);
  TuneOptions o = options;
  o.sinkage = 0;
  o.damping_ratio_at_rest = 0;
  for (const FootOnSoil& foot : feet) {
    o.sinkage += foot.sinkage / static_cast<double>(feet.size());
    *o.damping_ratio_at_rest += foot.damping_ratio / static_cast<double>(feet.size());
  }
  if (!(o.sinkage >= kLeastSinkage && o.sinkage <= kMostSinkage)) {
    throw input_error("soil '{}': the robot sinks {:.3g} m into it, expected {:.0e} to {:.0f} m; "
                      "take another --soil",
                      soil.name, o.sinkage, kLeastSinkage, kMostSinkage);
  }
  Tuned tuned = tune_soft_ground(robot, o);
  for (TunedFoot& foot : tuned.feet) {
    for (const FootOnSoil& on_soil : feet) {
      if (on_soil.body == foot.body) foot.wanted_sinkage = on_soil.sinkage;
    }
  }
  return tuned;
}

}  // namespace footfall
