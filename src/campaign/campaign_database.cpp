#include <array>
#include <cmath>
#include <map>

#include "footfall/campaign/campaign_run.hpp"

namespace footfall {
namespace {

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
