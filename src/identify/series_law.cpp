#include "identify/series_law.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/soil/plastic.hpp"

namespace footfall {

SeriesLaw::SeriesLaw(const SoleBearing& bearing, const SeriesParameters& parameters)
    : bearing_(bearing), p_(parameters) {}

SeriesLaw::Soil SeriesLaw::press_soil(double sinkage) const {
  const BearingValue b = bearing_.evaluate(sinkage);
  Soil soil{.force = {.value = p_.modulus * b.force}, .slope = p_.modulus * b.slope};
  soil.force.gradient[kSoilModulus] = b.force;
  soil.force.gradient[kSoilExponent] = p_.modulus * b.exponent_slope;
  return soil;
}

// δ_F of a force on the ground, and its slope; the pad carries nothing before the foot's weight does.
ValueAndSlope SeriesLaw::compress(double force) const {
  const double P = force - p_.foot_weight;
  if (!(P > 0)) return {0, 0};
  const double share = P / p_.pad_stiffness;
  const double u = p_.pad_exponent == 1 ? share : std::pow(share, 1 / p_.pad_exponent);
  return {u, u / (p_.pad_exponent * P)};
}

SeriesLaw::Pad SeriesLaw::press_pad(double force) const {
  const auto [u, slope] = compress(force);
  Pad pad{.compression = {.value = u}, .slope = slope};
  if (!(u > 0)) return pad;
  pad.compression.gradient[kPadStiffness] = -u / (p_.pad_exponent * p_.pad_stiffness);
  pad.compression.gradient[kPadExponent] = -u * std::log(u) / p_.pad_exponent;
  pad.compression.gradient[kFootWeight] = -slope;
  return pad;
}

// δ_T from δ_T + δ_F(V(δ_T)) = z, which rises with δ_T; derivatives from the same equation.
SeriesLaw::Loaded SeriesLaw::load(double deflection, double guess) const {
  Loaded loaded;
  if (!(deflection > 0)) return loaded;
  const auto miss = [&](double sinkage) {
    const BearingValue b = bearing_.evaluate(sinkage);
    const auto [u, slope] = compress(p_.modulus * b.force);
    return ValueAndSlope{sinkage + u - deflection, 1 + slope * p_.modulus * b.slope};
  };
  const double start = guess > 0 && guess <= deflection ? guess : 0.5 * deflection;
  const double sinkage = std::clamp(solve_increasing(miss, start, deflection), 0.0, deflection);
  const Soil soil = press_soil(sinkage);
  const Pad pad = press_pad(soil.force.value);
  loaded.sinkage.value = sinkage;
  loaded.sinkage.gradient = -pad.slope * soil.force.gradient - pad.compression.gradient;
  loaded.sinkage.gradient[kOffset] += 1;
  loaded.sinkage.gradient /= 1 + pad.slope * soil.slope;
  loaded.force.value = soil.force.value;
  loaded.force.gradient = soil.force.gradient + soil.slope * loaded.sinkage.gradient;
  return loaded;
}

SeriesTurn SeriesLaw::turn(double deflection) const {
  const Loaded loaded = load(deflection, 0);
  SeriesTurn turn{loaded.force, loaded.sinkage, {}, {}};
  SeriesValue& k_u = turn.unload_stiffness;
  if (loaded.sinkage.value >= kLeastDepth) {
    const double d = loaded.sinkage.value;
    k_u.value = loaded.force.value / (kNoRebound * d);
    k_u.gradient = (loaded.force.gradient - loaded.force.value / d * loaded.sinkage.gradient) /
                   (kNoRebound * d);
  } else {
    const Soil soil = press_soil(kLeastDepth);
    k_u.value = soil.force.value / (kNoRebound * kLeastDepth);
    k_u.gradient = soil.force.gradient / (kNoRebound * kLeastDepth);
  }
  const double rebound = loaded.force.value / k_u.value;
  turn.footprint.value = loaded.sinkage.value - rebound;
  turn.footprint.gradient =
      loaded.sinkage.gradient - (loaded.force.gradient - rebound * k_u.gradient) / k_u.value;
  return turn;
}

// F from δ_p + F/k_u + δ_F(F) = z.
SeriesValue SeriesLaw::unload(const SeriesTurn& turn, double deflection) const {
  SeriesValue force;
  if (!(deflection > turn.footprint.value)) return force;
  const double k_u = turn.unload_stiffness.value;
  const auto miss = [&](double f) {
    const auto [u, slope] = compress(f);
    return ValueAndSlope{turn.footprint.value + f / k_u + u - deflection, 1 / k_u + slope};
  };
  force.value = solve_increasing(miss, turn.force.value, turn.force.value);
  const Pad pad = press_pad(force.value);
  force.gradient = -turn.footprint.gradient +
                   force.value / (k_u * k_u) * turn.unload_stiffness.gradient -
                   pad.compression.gradient;
  force.gradient[kOffset] += 1;
  force.gradient /= 1 / k_u + pad.slope;
  return force;
}

}  // namespace footfall
