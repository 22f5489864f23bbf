#include "footfall/ground/describe_feet.hpp"

#include <cmath>
#include <numbers>

#include "footfall/ground/body_contacts.hpp"

namespace footfall {

namespace {

// Contact area of one point of a foot at this depth [m²]: its part of a flat sole; of a round one the
// area that the ground covers, 2πRδ for a ball and width × arc for a rim.
double point_area(const SolePoint& sole, const ContactPoint<double>& p, double depth) {
  if (p.cell.any) return norm(sole.area) * p.cell.share * wet_share(p.cell, depth);
  if (depth <= 0) return 0;
  const double R = sole.radius;
  switch (sole.bearing) {
  case BearingKind::ball:
    return sole.size * 2 * std::numbers::pi * R * std::fmin(depth, 2 * R);
  case BearingKind::rim:
    return sole.size * 2 * R * std::acos(std::fmax(1 - depth / R, -1.0));
  case BearingKind::flat:
    break;
  }
  return norm(sole.area);
}

// Contact area of a foot that is this deep with all of its sole [m²].
double foot_area(const Soles& soles, const Foot& foot, double depth) {
  if (depth <= 0) return 0;
  if (foot.area > 0) return foot.area;
  const PointRange sole = sole_points_of(soles, foot);
  double area = 0;
  for (int i = sole.first; i < sole.end; ++i) {
    area += point_area(soles.points[i], ContactPoint<double>{}, depth);
  }
  return area;
}

// Of one point at the end of the step, without the pad [m].
struct Depth {
  double rate = 0;  // [m/s]
  double depth = 0;
};
Depth end_depth(const ContactPoint<double>& p) {
  const double whole_rate = sink_rate(p, p);  // of pad and ground together
  const double rate = p.pad.any ? solve_ground_rate(p, whole_rate) : whole_rate;
  return {rate, p.sinkage + p.step * rate};
}

// Soft contacts, of which a foot has few and some may be in a margin above the ground: the plain
// mean over those that touch, as `footfall mujoco tune` has it.
struct MeanSinkage {
  double sum = 0;
  int count = 0;
  void add(double depth) {
    sum += depth >= 0 ? depth : 0;
    count += depth >= 0 ? 1 : 0;
  }
  double value() const { return count > 0 ? sum / count : 0; }
};

// Adds one point to its foot's sums, which finish() turns into force-weighted means: of a flat sole
// these are the values at its centre of pressure, and they do not jump when a point begins to touch. A
// point that pulls (PenaltyModel::guard = false) counts by the size of its force; one that only shears, as
// cohesive soil can without any load, hardly counts, but its force does.
void add_point(const World& world, const State<double>& state, const ContactPoint<double>& p,
               const Vec3d& p_WO, FootPatch& patch, double& weight) {
  const SolePoint& sole = world.soles.points[p.sole_point];
  constexpr double kShearCounts = 1e-9;
  const Vec3d law_force = (-1 / p.step) * p.gradient;
  const double w = std::fmax(std::abs(p.normal_force), kShearCounts * norm(law_force));
  const auto [rate, depth] = end_depth(p);
  // The limit that the solver kept: it follows the normal force as nearly as friction_tolerance asks.
  const double limit = std::fmax(shear_limit(p, p.normal_force), shear_limit(p, p.limit_force));
  const Vec3d tangential = law_force - dot(law_force, p.normal) * p.normal;
  patch.contact_area += point_area(sole, p, depth);
  patch.force += acting_force(p);
  if (w == 0) return;
  patch.touching = true;
  patch.normal_force += p.normal_force;
  weight += w;
  patch.sinkage += w * depth;
  patch.sinkage_rate += w * rate;
  if (p.pad.any) patch.pad_compression += w * state.memory.pad_compression[p.sole_point];
  patch.center += w * (p_WO + p.p_OC);
  patch.normal += w * p.normal;
  patch.velocity += w * p.velocity;
  patch.shear_displacement += w * state.memory.shear_displacement[p.sole_point];
  constexpr double kCarries = 1e-6;  // of the weight: less is the solver's tolerance
  if (limit > kCarries * world.force_scale) {
    patch.friction_use = std::fmax(patch.friction_use, norm(tangential) / limit);
  }
}

void finish(double weight, FootPatch& patch) {
  if (!patch.touching) {  // the solver's error may have left it a force far below its tolerance
    const Vec3d force = patch.force;
    patch = FootPatch{};
    patch.force = force;
    return;
  }
  const double k = 1 / weight;
  patch.sinkage *= k;
  patch.sinkage_rate *= k;
  patch.pad_compression *= k;
  patch.center = k * patch.center;
  patch.velocity = k * patch.velocity;
  patch.shear_displacement = k * patch.shear_displacement;
  patch.normal = (1 / norm(patch.normal)) * patch.normal;
  patch.tangential_force = norm(patch.force - dot(patch.force, patch.normal) * patch.normal);
}

// A foot in granular media: the wrench about the sole's centre is all there is.
void summarize_grains(const World& world, GranularContact& w, int index, FootPatch& patch) {
  const WrenchContact& contact = w.contacts[index];
  const SolePose& place = contact.place;
  patch = FootPatch{};
  if (!contact.touching) return;
  const Foot& foot = world.soles.feet[index];
  const Vec3d& n = place.R_WC.z;
  const Vec3d& force = contact.wrench.lin;
  patch.touching = dot(force, force) > 0;
  patch.center = place.p_WC;
  patch.normal = n;
  patch.velocity = contact.velocity.lin;
  patch.sinkage_rate = -dot(n, contact.velocity.lin);
  patch.sinkage = place.depth + world.options.timestep * patch.sinkage_rate;
  patch.contact_area = foot_area(world.soles, foot, patch.sinkage);
  patch.normal_force = dot(n, force);
  patch.tangential_force = norm(force - patch.normal_force * n);
  patch.force = force;
  patch.moment = contact.wrench.ang;
  patch.friction_use = measure_wrench_use(world, index, w);
  const WrenchSpace& space = *w.space;
  const Vec3d axis = std::sin(place.tilt) * (place.R_WC * place.lean) + std::cos(place.tilt) * n;
  const Vec3d lever = space.model().foot().reference_height * axis;  // from C to p_r
  patch.grains = {place.depth, place.tilt, contact.at.depth_clamped || contact.at.tilt_clamped,
                  transpose_times(place.R_WC, force),
                  transpose_times(place.R_WC, contact.wrench.ang - cross(lever, force))};
}

// Rolling friction of soft contacts, which points do not have.
void add_rolling_moments(const World& world, const SoftContact<double>& w,
                         std::vector<FootPatch>& patches) {
  for (int i = 0; i < w.terms.count; ++i) {
    const SoftPoint<Pack<double>>& c = w.terms.contacts[i];
    if (!c.turns) continue;
    const SoftPack<double>& pack = w.plan.packs[w.terms.places[i].sole_pack];
    for (int k = 0; k < pack_size<double>; ++k) {
      const int point =
          pack.candidate[k] < 0 ? -1 : w.plan.candidates[pack.candidate[k]].sole_point;
      const int foot = point < 0 ? -1 : world.soles.points[point].foot;
      if (foot < 0) continue;
      const Mat3d R_WC = get_item<double>(c.R_WC, k);
      const Vec3d rows = get_item<double>(c.balance.ang, k);
      patches[foot].moment += (-1 / c.step[k]) * (rows.y * R_WC.y + rows.z * R_WC.z);
    }
  }
}

double pad_energy(const PadPart<double>& pad) {
  if (!pad.any || !(pad.is_padded > 0)) return 0;
  return pad.stiffness * std::pow(pad.compression, pad.exponent + 1) / (pad.exponent + 1);
}

// Work stored in a spring k δⁿ pressed to depth δ, or in the line above a footprint's bottom, and in
// a shear spring. What plastic soil has taken is not stored.
double ground_energy(const ContactPoint<double>& p, double depth, double shear) {
  if (p.plastic.any && p.plastic.is_plastic > 0) {
    const double pressed = std::fmax(depth - p.plastic.plastic_sinkage, 0.0);
    const double strength = p.plastic.strength_before;
    return 0.5 * p.plastic.unload_stiffness * pressed * pressed +
           0.5 * strength / p.plastic.shear_length * shear * shear;
  }
  double power = depth > 0 ? std::pow(depth, p.exponent + 1) : 0;
  if (p.cell.any) {
    const Vec3d& z = p.cell.start;
    power = mean_power(make_cell(z.x, z.y, z.z, 0.0), p.exponent + 1, depth).force;
  }
  const double normal = p.stiffness * power / (p.exponent + 1);
  const double share = std::fmax(shear_share(p), 1e-12);
  return normal + 0.5 * p.shear_stiffness / share * shear * shear;
}

}  // namespace

double elastic_energy(const ContactPoint<double>& point, double shear_displacement) {
  return pad_energy(point.pad) + ground_energy(point, point.sinkage, shear_displacement);
}

void describe_feet(const World& world, const State<double>& state, const RobotData<double>& data,
                   const std::vector<ContactPoint<double>>& listed, Contact<double>& contact,
                   std::vector<FootPatch>& patches) {
  if (auto* grains = std::get_if<GranularContact>(&contact)) {
    for (int foot = 0; foot < static_cast<int>(patches.size()); ++foot) {
      summarize_grains(world, *grains, foot, patches[foot]);
    }
    return;
  }
  const auto* soft = std::get_if<SoftContact<double>>(&contact);
  std::size_t i = 0;
  for (int foot = 0; foot < static_cast<int>(patches.size()); ++foot) {
    FootPatch& patch = patches[foot];
    patch = FootPatch{};
    patch.normal = {0, 0, 0};
    MeanSinkage mean;
    double weight = 0;
    // points stand in the order of the soles, feet first
    for (; i < listed.size(); ++i) {
      const ContactPoint<double>& p = listed[i];
      if (world.soles.points[p.sole_point].foot != foot) break;
      add_point(world, state, p, tree_origin(world.robot, data, p.body), patch, weight);
      if (soft) mean.add(end_depth(p).depth);
    }
    finish(weight, patch);
    if (soft && patch.touching) patch.sinkage = mean.value();
  }
  for (const ContactPoint<double>& p : listed) {  // moments about the centres just found
    const int foot = world.soles.points[p.sole_point].foot;
    if (foot < 0) continue;
    const Vec3d& p_WO = tree_origin(world.robot, data, p.body);
    patches[foot].moment +=
        cross(p_WO + p.p_OC - patches[foot].center, acting_force(p)) + acting_spin_moment(p);
  }
  if (soft) add_rolling_moments(world, *soft, patches);
}

}  // namespace footfall
