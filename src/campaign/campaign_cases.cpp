#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "footfall/campaign/campaign.hpp"
#include "footfall/campaign/campaign_run.hpp"
#include "footfall/signal/smooth.hpp"

namespace footfall {
namespace {

// Changes when the path or what is made of its samples does: results of another procedure do not mix.
constexpr int kProcedure = 1;

constexpr double kPassed = 0.8;  // of the path's time, where it passes θ
constexpr double kClear = 2;     // grain diameters between foot and bed at the start
constexpr double kHeap = 2;      // grain diameters that a heap before the foot may rise
constexpr int kPlaces = 9;       // at which a path's reach is measured

struct OutlinePoint {
  double x, depth;  // from the sole's centre at θ; below the surface [m]
};

using FootOutline = std::vector<OutlinePoint>;

// The foot seen along y: a rectangle, or for a sphere the square around it.
FootOutline outline_of(const GrainFoot& foot, const FootPose& pose) {
  const double s = std::sin(pose.tilt), c = std::cos(pose.tilt);
  const auto at = [&](double across, double along) {
    return OutlinePoint{pose.x + across * c + along * s, pose.depth + across * s - along * c};
  };
  const double r = foot.radius;
  if (foot.shape == GrainFootShape::sphere) {
    const OutlinePoint middle = at(0, r);
    return {{middle.x - r, middle.depth + r},
            {middle.x + r, middle.depth + r},
            {middle.x + r, middle.depth - r},
            {middle.x - r, middle.depth - r}};
  }
  const double half = foot.shape == GrainFootShape::box ? 0.5 * foot.length_x : r;
  return {at(-half, 0), at(half, 0), at(half, foot.height), at(-half, foot.height)};
}

double lowest_point(const FootOutline& outline) {
  double depth = -std::numeric_limits<double>::infinity();
  for (const OutlinePoint& p : outline) depth = std::max(depth, p.depth);
  return depth;
}

struct SpanX {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

// Adds what of the outline is deeper than `depth`.
void add_below(const FootOutline& outline, double depth, SpanX& span) {
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const OutlinePoint &a = outline[i], &b = outline[(i + 1) % outline.size()];
    if (a.depth >= depth) span.add(a.x);
    if ((a.depth >= depth) != (b.depth >= depth)) {
      span.add(a.x + (b.x - a.x) * (depth - a.depth) / (b.depth - a.depth));
    }
  }
}

// Where the foot is a time t after the path at constant velocity began; x = 0 at θ.
FootPose pose_on_path(const Campaign& campaign, const SampleCase& c, double t) {
  const double since = t - kPassed * campaign.sampling.duration;
  return {t, c.velocity.x * since, c.configuration.depth - c.velocity.z * since,
          c.configuration.tilt + c.velocity.tilt * since};
}

// Of the foot in the grains, over the path at constant velocity.
SpanX span_in_grains(const Campaign& campaign, const SampleCase& c, double& depth) {
  const double heap = -2 * kHeap * campaign.bed.grains.radius;
  SpanX span;
  for (int i = 0; i < kPlaces; ++i) {
    const double t = campaign.sampling.duration * i / (kPlaces - 1);
    const FootOutline outline = outline_of(campaign.foot, pose_on_path(campaign, c, t));
    add_below(outline, heap, span);
    depth = std::max(depth, lowest_point(outline));
  }
  return span;
}

// Mirrors a motion at zero tilt where that makes it the one that is run.
bool is_mirror_image(const SampleCase& c) {
  if (c.configuration.tilt != 0) return false;
  return c.velocity.x < 0 || (c.velocity.x == 0 && c.velocity.tilt < 0);
}

std::string exact_text(double value) { return fmt::format("{}", value); }

using Results = std::map<std::string, PlanarWrench>;  // of cases that are done, by their keys

Results results_of(const std::vector<LedgerCase>& cases) {
  Results results;
  for (const LedgerCase& c : cases) {
    if (c.state == CaseState::done) results.emplace(case_key(c.sample), c.wrench);
  }
  return results;
}

// Where it is done, by a case of its own or as a mirror image.
std::optional<PlanarWrench> find_result(const Results& results, const SampleCase& c) {
  const SampleCase run = case_to_run(c);
  const auto found = results.find(case_key(run));
  if (found == results.end()) return std::nullopt;
  const PlanarVelocity& v = c.velocity;
  // straight up or down: its own mirror image, so the mean of both
  if (c.configuration.tilt == 0 && v.x == 0 && v.tilt == 0)
    return PlanarWrench{0, found->second.force_z, 0};
  const bool is_image = run.velocity.x != v.x || run.velocity.tilt != v.tilt;
  return is_image ? mirrored(found->second) : found->second;
}

// Of each repeat; fewer where some are not done.
std::vector<PlanarWrench> find_repeats(const Campaign& campaign, const Results& results,
                                       SampleCase c) {
  std::vector<PlanarWrench> found;
  for (int repeat = 0; repeat < campaign.sampling.repeats; ++repeat) {
    c.seed = campaign.bed.seed + static_cast<std::uint32_t>(repeat);
    if (const auto wrench = find_result(results, c)) found.push_back(*wrench);
  }
  return found;
}

PlanarWrench mean_of(const std::vector<PlanarWrench>& wrenches) {
  PlanarWrench sum;
  for (const PlanarWrench& w : wrenches) {
    sum.force_x += w.force_x;
    sum.force_z += w.force_z;
    sum.torque_y += w.torque_y;
  }
  const auto n = static_cast<double>(wrenches.size());
  return {sum.force_x / n, sum.force_z / n, sum.torque_y / n};
}

}  // namespace

PlanarWrench mirrored(const PlanarWrench& wrench) {
  return {-wrench.force_x, wrench.force_z, -wrench.torque_y};
}

std::string case_key(const SampleCase& c) {
  const auto text = [](double v) { return fmt::format("{:.9g}", v == 0 ? 0.0 : v); };
  return fmt::format("depth {} tilt {} velocity {} {} {} seed {}", text(c.configuration.depth),
                     text(c.configuration.tilt), text(c.velocity.x), text(c.velocity.z),
                     text(c.velocity.tilt), c.seed);
}

std::vector<PlanarVelocity> campaign_directions(const Campaign& campaign) {
  const CampaignSampling& s = campaign.sampling;
  std::vector<PlanarVelocity> all = velocity_directions(s.direction_count, s.speeds);
  if (s.only.empty()) return all;
  std::vector<PlanarVelocity> some;
  some.reserve(s.only.size());
  for (const int i : s.only) some.push_back(all[i]);
  return some;
}

SampleCase case_to_run(const SampleCase& c) {
  if (!is_mirror_image(c)) return c;
  return {c.configuration, {-c.velocity.x, c.velocity.z, -c.velocity.tilt}, c.seed};
}

std::vector<SampleCase> campaign_cases(const Campaign& campaign) {
  const std::vector<PlanarVelocity> directions = campaign_directions(campaign);
  std::vector<SampleCase> cases;
  std::set<std::string> known;
  for (int repeat = 0; repeat < campaign.sampling.repeats; ++repeat) {
    const std::uint32_t seed = campaign.bed.seed + static_cast<std::uint32_t>(repeat);
    for (const double depth : campaign.sampling.depths) {
      for (const double tilt : campaign.sampling.tilts) {
        for (const PlanarVelocity& v : directions) {
          const SampleCase c = case_to_run({{depth, tilt}, v, seed});
          if (known.insert(case_key(c)).second) cases.push_back(c);
        }
      }
    }
  }
  return cases;
}

std::vector<FootPose> case_path(const Campaign& campaign, const SampleCase& c) {
  double depth = 0;
  const SpanX span = span_in_grains(campaign, c, depth);
  const double shift = -0.5 * (span.low + span.high);
  const double duration = campaign.sampling.duration;
  FootPose begin = pose_on_path(campaign, c, 0), end = pose_on_path(campaign, c, duration);
  begin.x += shift;
  end.x += shift;
  const double down =
      lowest_point(outline_of(campaign.foot, begin)) + 2 * kClear * campaign.bed.grains.radius;
  if (down <= 0) return {begin, end};
  const FootPose above{0, begin.x, begin.depth - down, begin.tilt};
  begin.time = down / campaign.sampling.approach_speed;
  end.time = begin.time + duration;
  return {above, begin, end};
}

CampaignReach measure_reach(const Campaign& campaign) {
  CampaignReach reach;
  const GrainFoot& foot = campaign.foot;
  reach.half_width_y = foot.shape == GrainFootShape::box ? 0.5 * foot.width_y : foot.radius;
  for (const SampleCase& c : campaign_cases(campaign)) {
    const SpanX span = span_in_grains(campaign, c, reach.depth);
    reach.half_length_x = std::max(reach.half_length_x, 0.5 * (span.high - span.low));
  }
  return reach;
}

PlanarWrench wrench_of_samples(const Campaign& campaign, const std::vector<FootPose>& path,
                               const std::vector<GrainSample>& samples) {
  const double duration = campaign.sampling.duration;
  const double begin = path[path.size() - 2].time, at = begin + kPassed * duration;
  const double slack = 0.5 * campaign.sampling.sample_interval;
  std::vector<double> time;
  std::array<std::vector<double>, 3> parts;
  for (const GrainSample& s : samples) {
    if (s.pose.time < begin - slack) continue;
    time.push_back(s.pose.time);
    const std::array values = {s.force[0], s.force[2], s.torque[1]};
    for (std::size_t k = 0; k < 3; ++k) {
      if (!std::isfinite(values[k])) {
        throw EngineError(fmt::format("the wrench at {:g} s is not a number", s.pose.time));
      }
      parts[k].push_back(values[k]);
    }
  }
  if (time.size() < 3 || time.front() > begin + 3 * slack ||
      time.back() < path.back().time - 3 * slack) {
    throw EngineError(fmt::format("the engine gave {} samples, which do not cover {:g} to {:g} s",
                                  samples.size(), begin, path.back().time));
  }
  const auto after = std::lower_bound(time.begin() + 1, time.end() - 1, at) - time.begin();
  const auto k = static_cast<std::size_t>(after);
  const double share = (at - time[k - 1]) / (time[k] - time[k - 1]);
  std::array<double, 3> result{};
  for (std::size_t part = 0; part < 3; ++part) {
    const std::vector<double> filtered = smooth(time, parts[part], campaign.sampling.filter_cutoff);
    result[part] = filtered[k - 1] + share * (filtered[k] - filtered[k - 1]);
  }
  return {result[0], result[1], result[2]};
}

PhysicsText bed_physics(const BedOptions& bed, const std::string& engine_identity) {
  const Grains& g = bed.grains;
  return {{"engine", engine_identity},
          {"grains.radius_m", exact_text(g.radius)},
          {"grains.density_kg_per_m3", exact_text(g.density)},
          {"grains.youngs_modulus_Pa", exact_text(g.youngs_modulus)},
          {"grains.poisson_ratio", exact_text(g.poisson_ratio)},
          {"grains.friction_coefficient", exact_text(g.friction_coefficient)},
          {"grains.restitution", exact_text(g.restitution)},
          {"bed.length_x_m", exact_text(bed.length_x)},
          {"bed.width_y_m", exact_text(bed.width_y)},
          {"bed.depth_m", exact_text(bed.depth)},
          {"bed.timestep_s", exact_text(bed.timestep)}};
}

PhysicsText campaign_physics(const Campaign& campaign, const std::string& engine_identity) {
  const GrainFoot& f = campaign.foot;
  const CampaignSampling& s = campaign.sampling;
  PhysicsText text = bed_physics(campaign.bed, engine_identity);
  const bool box = f.shape == GrainFootShape::box, sphere = f.shape == GrainFootShape::sphere;
  text.emplace_back("foot.shape", shape_name(f.shape));
  text.emplace_back("foot.radius_m", exact_text(box ? 0 : f.radius));
  text.emplace_back("foot.length_x_m", exact_text(box ? f.length_x : 0));
  text.emplace_back("foot.width_y_m", exact_text(box ? f.width_y : 0));
  text.emplace_back("foot.height_m", exact_text(sphere ? 0 : f.height));
  text.emplace_back("foot.reference_height_m", exact_text(f.reference_height));
  text.emplace_back("sampling.duration_s", exact_text(s.duration));
  text.emplace_back("sampling.approach_speed_m_per_s", exact_text(s.approach_speed));
  text.emplace_back("sampling.sample_interval_s", exact_text(s.sample_interval));
  text.emplace_back("sampling.filter_cutoff_Hz", exact_text(s.filter_cutoff));
  text.emplace_back("procedure", std::to_string(kProcedure));
  return text;
}

std::optional<WrenchDatabase> make_wrench_database(const Campaign& campaign,
                                                   const std::vector<LedgerCase>& cases) {
  const Results results = results_of(cases);
  WrenchDatabase out;
  out.medium = campaign.medium;
  out.foot = campaign.foot;
  out.directions = campaign_directions(campaign);
  for (const double depth : campaign.sampling.depths) {
    for (const double tilt : campaign.sampling.tilts) out.configurations.push_back({depth, tilt});
  }
  const auto repeats = static_cast<std::size_t>(campaign.sampling.repeats);
  for (const FootConfiguration& configuration : out.configurations) {
    for (const PlanarVelocity& v : out.directions) {
      const auto found = find_repeats(campaign, results, {configuration, v, 0});
      if (found.size() < repeats) return std::nullopt;
      out.wrenches.push_back(mean_of(found));
    }
  }
  return out;
}

std::optional<RepeatScatter> measure_scatter(const Campaign& campaign,
                                             const std::vector<LedgerCase>& cases) {
  const Results results = results_of(cases);
  double force_off = 0, force = 0, torque_off = 0, torque = 0;  // sums of squares
  double degrees = 0, count = 0;
  for (const SampleCase& c : campaign_cases(campaign)) {
    if (c.seed != campaign.bed.seed) continue;
    const std::vector<PlanarWrench> found = find_repeats(campaign, results, c);
    if (found.size() < 2) continue;
    const PlanarWrench mean = mean_of(found);
    for (const PlanarWrench& w : found) {
      force_off += std::pow(w.force_x - mean.force_x, 2) + std::pow(w.force_z - mean.force_z, 2);
      torque_off += std::pow(w.torque_y - mean.torque_y, 2);
    }
    degrees += static_cast<double>(found.size()) - 1;
    force += mean.force_x * mean.force_x + mean.force_z * mean.force_z;
    torque += mean.torque_y * mean.torque_y;
    ++count;
  }
  if (count == 0 || force == 0 || torque == 0) return std::nullopt;
  return RepeatScatter{std::sqrt(force_off / degrees / (force / count)),
                       std::sqrt(torque_off / degrees / (torque / count))};
}

}  // namespace footfall
