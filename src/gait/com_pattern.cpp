#include "footfall/gait/com_pattern.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace footfall {
namespace {

Vec3d slope(const ZmpKnot& from, const ZmpKnot& to) {
  return (1 / (to.time - from.time)) * (to.zmp - from.zmp);
}

// ξ at `from` when it is `dcm` at `to`.
Vec3d dcm_before(double omega, const ZmpKnot& from, const ZmpKnot& to, const Vec3d& dcm) {
  const Vec3d lead = (1 / omega) * slope(from, to);
  return from.zmp + lead + std::exp(-omega * (to.time - from.time)) * (dcm - to.zmp - lead);
}

// ξ at each knot.
std::vector<Vec3d> dcm_at_knots(double omega, const std::vector<ZmpKnot>& knots) {
  std::vector<Vec3d> dcm(knots.size(), knots.back().zmp);
  for (std::size_t i = knots.size() - 1; i > 0; --i) {
    dcm[i - 1] = dcm_before(omega, knots[i - 1], knots[i], dcm[i]);
  }
  return dcm;
}

}  // namespace

ComPattern::ComPattern(double omega, std::vector<ZmpKnot> knots, Vec3d start)
    : omega_(omega), knots_(std::move(knots)) {
  assert(knots_.size() > 1);
  dcm_ = dcm_at_knots(omega_, knots_);
  position_.push_back(start);
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
    const double duration = knots_[i + 1].time - knots_[i].time;
    const Vec3d lead = (1 / omega_) * slope(knots_[i], knots_[i + 1]);
    const Vec3d end = 0.5 * (dcm_[i + 1] - knots_[i + 1].zmp - lead);
    const Vec3d rest = position_[i] - knots_[i].zmp - std::exp(-omega_ * duration) * end;
    position_.push_back(knots_[i + 1].zmp + end + std::exp(-omega_ * duration) * rest);
  }
}

PatternSample ComPattern::sample(double time) const {
  PatternSample out;
  if (time >= knots_.back().time) {  // ξ rests over p, and x comes to rest there
    const Vec3d p = knots_.back().zmp;
    const double decay = std::exp(-omega_ * (time - knots_.back().time));
    const Vec3d away = decay * (position_.back() - p);
    out.zmp = p;
    out.dcm = p;
    out.position = p + away;
    out.velocity = -omega_ * away;
    out.acceleration = omega_ * omega_ * away;
    return out;
  }
  const double t = std::max(time, knots_.front().time);
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), t,
                                      [](double a, const ZmpKnot& k) { return a < k.time; });
  const std::size_t i = static_cast<std::size_t>(after - knots_.begin()) - 1;
  const ZmpKnot &from = knots_[i], &to = knots_[i + 1];
  const Vec3d s = slope(from, to);
  const Vec3d end = dcm_[i + 1] - to.zmp - (1 / omega_) * s;
  const Vec3d rest =
      position_[i] - from.zmp - 0.5 * std::exp(-omega_ * (to.time - from.time)) * end;
  const Vec3d growing = std::exp(-omega_ * (to.time - t)) * end;
  const Vec3d fading = std::exp(-omega_ * (t - from.time)) * rest;
  out.zmp = from.zmp + (t - from.time) * s;
  out.dcm = out.zmp + (1 / omega_) * s + growing;
  out.position = out.zmp + 0.5 * growing + fading;
  out.velocity = omega_ * (out.dcm - out.position);
  out.acceleration = omega_ * omega_ * (out.position - out.zmp);
  return out;
}

void start_at_rest(double omega, std::size_t at, std::size_t free, Vec3d wanted,
                   std::vector<ZmpKnot>& knots) {
  assert(at < free && free < knots.size());
  // ξ at `at` depends linearly on the free point, on each axis alone by the same factor
  const Vec3d before = dcm_at_knots(omega, knots)[at];
  std::vector<ZmpKnot> moved = knots;
  moved[free].zmp.x += 1;
  const double factor = dcm_at_knots(omega, moved)[at].x - before.x;
  knots[free].zmp += (1 / factor) * (wanted - before);
}

}  // namespace footfall
