// The laws of NormalModel with exact derivatives.
#include <cmath>
#include <limits>

#include "footfall/identify/normal.hpp"
#include "footfall/rig/ground.hpp"
#include "footfall/soil/plastic.hpp"
#include "identify/normal_bearing.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The first five models: all are k δⁿ + b δᵖ |δ̇|^q sgn δ̇ with some of the five given.
class SpringFit : public NormalLawFit {
 public:
  explicit SpringFit(NormalModel model) : model_(model) {}

  void set(std::span<const double> x) override {
    law_ = {.stiffness = x[0]};
    switch (model_) {
    case NormalModel::spring_damper:
      law_.damping = x[1];
      break;
    case NormalModel::hertz:
      law_.exponent = x[1];
      break;
    case NormalModel::simple_hunt_crossley:
      law_.exponent = law_.damping_exponent = x[1];
      law_.damping = x[2];
      break;
    case NormalModel::hunt_crossley:
      law_.exponent = x[1];
      law_.damping = x[2];
      law_.damping_exponent = x[3];
      law_.rate_exponent = x[4];
      break;
    default:
      break;
    }
  }

  Value evaluate(double sinkage, double rate) const override {
    const GroundForce f = evaluate_hunt_crossley(law_, sinkage, rate);
    Value v{f.force, f.sinkage_slope, f.rate_slope, {}};
    if (!(f.force > 0)) return v;
    const double spring = f.at_rest, damper = f.force - f.at_rest;
    const double log_depth = std::log(sinkage);
    v.slope[0] = spring / law_.stiffness;
    if (model_ == NormalModel::hertz) v.slope[1] = spring * log_depth;
    if (model_ == NormalModel::spring_damper) v.slope[1] = rate;
    if (model_ == NormalModel::simple_hunt_crossley) {
      v.slope[1] = f.force * log_depth;
      v.slope[2] = std::pow(sinkage, law_.exponent) * rate;
    }
    if (model_ == NormalModel::hunt_crossley) {
      const double log_rate2 = std::log(rate * rate + kRateSmoothing * kRateSmoothing);
      v.slope[1] = spring * log_depth;
      v.slope[2] = law_.damping != 0 ? damper / law_.damping : unit_damper(sinkage, rate);
      v.slope[3] = damper * log_depth;
      v.slope[4] = 0.5 * damper * log_rate2;
    }
    return v;
  }

 private:
  double unit_damper(double sinkage, double rate) const {
    HuntCrossley unit = law_;
    unit.damping = 1;
    const GroundForce f = evaluate_hunt_crossley(unit, sinkage, std::abs(rate));
    return std::copysign(f.force - f.at_rest, rate);
  }

  NormalModel model_;
  HuntCrossley law_;
};

// K_σ(w) and its slopes by the moduli and by n.
struct Modulus {
  double value = 0, slope[2] = {}, exponent_slope = 0;
};

// Bernstein, Bekker, Reece: K_σ(w) ∫ sⁿ dA, and damping while sinking.
class SoilFit : public NormalLawFit {
 public:
  SoilFit(NormalModel model, const FootSole& sole, const NormalLaw& form)
      : moduli_(model == NormalModel::bernstein ? 1 : 2), model_(model), bearing_(sole, form),
        width_(contact_width(sole)) {}

  void set(std::span<const double> x) override {
    const double n = x[moduli_];
    modulus_ = find_modulus(x, n);
    damping_ = x[moduli_ + 1];
    // what falls needs ground that carries; a press is linear in its moduli, and may pass through less
    valid_ = n >= 0.05 && n <= 3 && std::isfinite(modulus_.value) &&
             (modulus_.value > 0 || damping_ == 0);
    if (valid_) {
      bearing_.set(n);
      least_ = bearing_.evaluate(kLeastDepth);
    }
    damping_exponent_ = x[moduli_ + 2];
    rate_exponent_ = x[moduli_ + 3];
  }

  Value evaluate(double sinkage, double rate) const override {
    if (!valid_) return {.force = kNone, .slope = {}};
    if (!(sinkage > 0)) return {};
    const BearingValue b = bearing_.evaluate(sinkage);
    const double K = modulus_.value;
    Value v{K * b.force, K * b.slope, 0, {}};
    for (int i = 0; i < moduli_; ++i) v.slope[i] = modulus_.slope[i] * b.force;
    v.slope[moduli_] = K * b.exponent_slope + modulus_.exponent_slope * b.force;
    if (rate > 0) add_damping(sinkage, rate, b, v);
    return v;
  }

 private:
  // b δᵖ δ̇^q; but the soil answers no faster than its elastic line, V + τ k_u δ̇ (soil/plastic.hpp
  // with δ_p = δ − V/k_u), k_u being that of soil without unloading modulus.
  void add_damping(double sinkage, double rate, const BearingValue& b, Value& v) const {
    const double power = std::pow(sinkage, damping_exponent_);
    const RateForce<double> unit = sinking_damping(power, rate_exponent_, rate);
    const double force = damping_ * unit.force;
    const bool shallow = sinkage < kLeastDepth;
    const BearingValue deep = shallow ? least_ : b;
    const double depth = shallow ? kLeastDepth : sinkage;
    const double share = kRecoveryTime / (kNoRebound * depth);  // τ k_u = share V(d)
    const double line = share * modulus_.value * deep.force;
    if (line * rate < force) {
      v.force += line * rate;
      v.rate_slope += line;
      if (!shallow) {
        v.sinkage_slope += share * rate * modulus_.value * (deep.slope - deep.force / depth);
      }
      for (int i = 0; i < moduli_; ++i) v.slope[i] += share * rate * modulus_.slope[i] * deep.force;
      v.slope[moduli_] +=
          share * rate *
          (modulus_.value * deep.exponent_slope + modulus_.exponent_slope * deep.force);
      return;
    }
    v.force += force;
    v.sinkage_slope += damping_exponent_ * force / sinkage;
    v.rate_slope += damping_ * unit.slope;
    double* slope = v.slope + moduli_ + 1;
    slope[0] = unit.force;
    slope[1] = force * std::log(sinkage);
    slope[2] = 0.5 * force * std::log(rate * rate + kSlowSinking * kSlowSinking);
  }

  Modulus find_modulus(std::span<const double> x, double n) const {
    switch (model_) {
    case NormalModel::bekker:
      return {x[0] / width_ + x[1], {1 / width_, 1}, 0};
    case NormalModel::reece: {
      const double power = std::pow(width_, -n);
      const double value = (x[0] + x[1] * width_) * power;
      return {value, {power, width_ * power}, -value * std::log(width_)};
    }
    default:
      return {x[0], {1, 0}, 0};
    }
  }

  int moduli_;
  NormalModel model_;
  SoleBearing bearing_;
  BearingValue least_;  // at the least depth of k_u
  double width_;
  Modulus modulus_;
  bool valid_ = false;
  double damping_ = 0, damping_exponent_ = 0, rate_exponent_ = 1;
};

}  // namespace

const std::vector<std::string>& normal_model_names() {
  static const std::vector<std::string> names{
      "spring",        "hertz",     "spring_damper", "simple_hunt_crossley",
      "hunt_crossley", "bernstein", "bekker",        "reece"};
  return names;
}

bool is_soil(NormalModel model) { return model >= NormalModel::bernstein; }

bool has_damping(NormalModel model) {
  return model == NormalModel::spring_damper || model == NormalModel::simple_hunt_crossley ||
         model == NormalModel::hunt_crossley;
}

std::unique_ptr<NormalLawFit>
make_normal_law(NormalModel model, const std::optional<FootSole>& sole, const NormalLaw& form) {
  if (!is_soil(model)) return std::make_unique<SpringFit>(model);
  if (!sole) {
    throw input_error("model {} needs the foot's shape, and none was given: expected a disc, "
                      "rectangle, cylinder, sphere or mesh with its sizes",
                      normal_model_names()[static_cast<std::size_t>(model)]);
  }
  return std::make_unique<SoilFit>(model, *sole, form);
}

}  // namespace footfall
