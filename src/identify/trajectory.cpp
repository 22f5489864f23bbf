#include "identify/trajectory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "identify/normal_problem.hpp"

namespace footfall {
namespace {

constexpr int kMostColumns = 7;  // six parameters of a law and the impact speed
constexpr int kMostStates = 2 + 2 * kMostColumns;
constexpr double kFirstTime = 1e-12;  // after the touch [s]
constexpr double kFirstStep = 1e-10;  // [s]
constexpr int kMostSteps = 100000;
constexpr int kMostBounces = 1000;

// z, v, then s_z and s_v of every column.
using State = std::array<double, kMostStates>;
using Columns = std::array<double, kMostColumns>;

// One step and the polynomial within it (Hairer, Nørsett and Wanner 1993, II.6).
class Step {
 public:
  double start = 0, length = 0;  // [s] since the touch
  std::array<State, 5> part{};

  State at(double time, int size) const {
    const double x = (time - start) / length, y = 1 - x;
    State s{};
    for (int i = 0; i < size; ++i) {
      s[i] = part[0][i] + x * (part[1][i] + y * (part[2][i] + x * (part[3][i] + y * part[4][i])));
    }
    return s;
  }
};

// One contact, from its touch on.
class Contact {
 public:
  Contact(const NormalLawFit& law, int law_parameters, const DropSetup& setup, double speed,
          bool with_derivatives)
      : law_(law), setup_(setup), law_parameters_(law_parameters),
        columns_(with_derivatives ? law_parameters + 1 : 0), size_(2 + 2 * columns_) {
    const double fall = setup.pull / setup.mass;
    time_ = kFirstTime;
    length_ = kFirstStep;
    y_[0] = (speed + 0.5 * fall * time_) * time_;
    y_[1] = speed + fall * time_;
    if (columns_ > 0) {
      y_[2 + 2 * law_parameters] = time_;
      y_[3 + 2 * law_parameters] = 1;
    }
    slope_[0] = slope(y_);
    top_speed_ = speed;
  }

  // Takes one step. False where that cannot be done.
  bool advance(Step& step) {
    for (int trial = 0; trial < 60; ++trial) {
      State next{};
      const double error = try_step(next);
      if (!(error <= 1)) {
        length_ *= std::isfinite(error) ? std::max(0.2, 0.9 * std::pow(error, -0.2)) : 0.2;
        continue;
      }
      fill(next, step);
      y_ = next;
      time_ += length_;
      slope_[0] = slope_[6];
      deepest_ = std::max(deepest_, std::abs(y_[0]));
      top_speed_ = std::max(top_speed_, std::abs(y_[1]));
      length_ *= std::min(5.0, 0.9 * std::pow(std::max(error, 1e-10), -0.2));
      return true;
    }
    return false;
  }

  double time() const { return time_; }
  const State& state() const { return y_; }
  int size() const { return size_; }

 private:
  State slope(const State& y) const {
    const NormalLawFit::Value f = law_.evaluate(y[0], y[1]);
    State d{};
    d[0] = y[1];
    d[1] = (setup_.pull - f.force) / setup_.mass;
    for (int c = 0; c < columns_; ++c) {
      const double s_z = y[2 + 2 * c], s_v = y[3 + 2 * c];
      const double by = c < law_parameters_ ? f.slope[c] : 0;
      d[2 + 2 * c] = s_v;
      d[3 + 2 * c] = -(f.sinkage_slope * s_z + f.rate_slope * s_v + by) / setup_.mass;
    }
    return d;
  }

  template <std::size_t N>
  State move(const std::array<double, N>& weight) const {
    State y = y_;
    for (std::size_t k = 0; k < N; ++k) {
      for (int i = 0; i < size_; ++i) y[i] += length_ * weight[k] * slope_[k][i];
    }
    return y;
  }

  // Error of the motion in tolerances.
  double try_step(State& next) {
    slope_[1] = slope(move<1>({0.2}));
    slope_[2] = slope(move<2>({3.0 / 40, 9.0 / 40}));
    slope_[3] = slope(move<3>({44.0 / 45, -56.0 / 15, 32.0 / 9}));
    slope_[4] = slope(move<4>({19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729}));
    slope_[5] =
        slope(move<5>({9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}));
    next = move<6>({35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84});
    slope_[6] = slope(next);
    constexpr double kError[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                  -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    double error[2] = {};
    for (int k = 0; k < 7; ++k) {
      for (int i = 0; i < 2; ++i) error[i] += length_ * kError[k] * slope_[k][i];
    }
    // a sinkage counts by what its error does over the next millisecond, at least
    const double depth = std::max({deepest_, std::abs(next[0]), 1e-3 * top_speed_});
    const double speed = std::max(top_speed_, std::abs(next[1]));
    return std::max(std::abs(error[0]) / depth, std::abs(error[1]) / speed) / setup_.tolerance;
  }

  void fill(const State& next, Step& step) const {
    constexpr double kDense[7] = {-12715105075.0 / 11282082432,  0,
                                  87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                  701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                  69997945.0 / 29380423};
    step.start = time_;
    step.length = length_;
    for (int i = 0; i < size_; ++i) {
      const double rise = next[i] - y_[i], bow = length_ * slope_[0][i] - rise;
      double last = 0;
      for (int k = 0; k < 7; ++k) last += length_ * kDense[k] * slope_[k][i];
      step.part[0][i] = y_[i];
      step.part[1][i] = rise;
      step.part[2][i] = bow;
      step.part[3][i] = rise - length_ * slope_[6][i] - bow;
      step.part[4][i] = last;
    }
  }

  const NormalLawFit& law_;
  const DropSetup& setup_;
  int law_parameters_, columns_, size_;
  State y_{};
  std::array<State, 7> slope_{};
  double time_ = 0, length_ = 0;
  double deepest_ = 0, top_speed_ = 0;
};

// The time within a step at which y[component] falls through zero.
double find_zero(const Step& step, int component) {
  double low = step.start, high = step.start + step.length;
  for (int i = 0; i < 80 && high > low; ++i) {
    const double middle = 0.5 * (low + high);
    (step.at(middle, component + 1)[component] > 0 ? low : high) = middle;
  }
  return high;
}

// The whole motion, touch after touch.
class DropIntegration {
 public:
  DropIntegration(const NormalLawFit& law, int law_parameters, const DropSetup& setup,
                  std::span<const double> times, bool with_derivatives, DropCurve& out)
      : law_(law), law_parameters_(law_parameters), setup_(setup), times_(times),
        with_derivatives_(with_derivatives), out_(out), fall_(setup.pull / setup.mass) {
    out = {};
    out.columns = law_parameters + 2;
    speed_ = setup.impact_speed;
    speed_by_[law_parameters] = 1;
  }

  bool run() {
    // before the touch: as after a lift-off that would lead to it
    while (next_ < times_.size() && times_[next_] <= 0) {
      const double t = times_[next_];
      const Columns none{};
      put_flight(t, speed_, none, speed_by_);
    }
    while (next_ < times_.size() && out_.bounces <= kMostBounces) {
      if (!run_contact()) return false;
    }
    return next_ == times_.size();
  }

 private:
  // One contact and the flight after it.
  bool run_contact() {
    Contact contact(law_, law_parameters_, setup_, speed_, with_derivatives_);
    put_until(contact.time(), [&](double) { return contact.state(); });  // the first picosecond
    const int watched = setup_.yields ? 1 : 0;
    while (next_ < times_.size()) {
      Step step;
      if (++out_.steps > kMostSteps || !contact.advance(step)) return false;
      const bool over = contact.state()[watched] <= 0;
      const double end = over ? find_zero(step, watched) : step.start + step.length;
      put_until(end, [&](double t) { return step.at(t, contact.size()); });
      if (!over) continue;
      const State last = step.at(end, contact.size());
      if (setup_.yields) {
        put_rest(last);
      } else {
        lift_off(end, last);
      }
      return true;
    }
    return true;
  }

  // Derivatives of z and v at a fixed time, from those of the contact alone.
  void chain(const State& y, double acceleration, Columns& z_by, Columns& v_by) const {
    if (!with_derivatives_) return;
    const int u = 2 + 2 * law_parameters_;
    for (int c = 0; c <= law_parameters_; ++c) {
      const bool own = c < law_parameters_;
      z_by[c] = (own ? y[2 + 2 * c] : 0) + y[u] * speed_by_[c] - y[1] * touch_by_[c];
      v_by[c] = (own ? y[3 + 2 * c] : 0) + y[u + 1] * speed_by_[c] - acceleration * touch_by_[c];
    }
  }

  template <class Find>
  void put_until(double end, const Find& find) {
    for (; next_ < times_.size() && times_[next_] - touch_ <= end; ++next_) {
      const State y = find(times_[next_] - touch_);
      const NormalLawFit::Value f = law_.evaluate(y[0], y[1]);
      const double acceleration = (setup_.pull - f.force) / setup_.mass;
      Columns z_by{}, v_by{};
      chain(y, acceleration, z_by, v_by);
      put(y[0], y[1], f, z_by, v_by, acceleration);
    }
  }

  void put_rest(const State& last) {
    const NormalLawFit::Value f = law_.evaluate(last[0], 0);
    Columns z_by{}, none{};
    State still = last;
    still[1] = 0;
    chain(still, 0, z_by, none);
    none = {};
    for (; next_ < times_.size(); ++next_) put(last[0], 0, f, z_by, none, 0);
  }

  // In the air, at `since` the lift-off with `speed`.
  void put_flight(double since, double speed, const Columns& time_by, const Columns& speed_by) {
    const double v = speed + fall_ * since;
    Columns z_by{}, v_by{};
    for (int c = 0; c <= law_parameters_; ++c) {
      z_by[c] = since * speed_by[c] - v * time_by[c];
      v_by[c] = speed_by[c] - fall_ * time_by[c];
    }
    put((speed + 0.5 * fall_ * since) * since, v, {}, z_by, v_by, fall_);
    ++next_;
  }

  void lift_off(double end, const State& last) {
    Columns z_by{}, v_by{}, time_by{}, rise_by{};
    chain(last, fall_, z_by, v_by);
    const double time = touch_ + end, rise = std::min(last[1], 0.0);
    for (int c = 0; c <= law_parameters_; ++c) {
      time_by[c] = rise < 0 ? -z_by[c] / rise : 0;
      rise_by[c] = v_by[c] + fall_ * time_by[c];
    }
    const double flight = -2 * rise / fall_;
    while (next_ < times_.size() && times_[next_] <= time + flight) {
      put_flight(times_[next_] - time, rise, time_by, rise_by);
    }
    touch_ = time + flight;
    speed_ = -rise;
    for (int c = 0; c <= law_parameters_; ++c) {
      speed_by_[c] = -rise_by[c];
      touch_by_[c] = time_by[c] - 2 * rise_by[c] / fall_;
    }
    ++out_.bounces;
  }

  void put(double z, double v, const NormalLawFit::Value& f, const Columns& z_by,
           const Columns& v_by, double acceleration) {
    out_.sinkage.push_back(z);
    out_.rate.push_back(v);
    out_.force.push_back(f.force);
    if (!with_derivatives_) return;
    for (int c = 0; c <= law_parameters_ + 1; ++c) {
      const bool later = c == law_parameters_ + 1;  // the touch, and so everything
      const double by_z = later ? -v : z_by[c], by_v = later ? -acceleration : v_by[c];
      const double own = c < law_parameters_ ? f.slope[c] : 0;
      out_.sinkage_by.push_back(by_z);
      out_.rate_by.push_back(by_v);
      out_.force_by.push_back(f.sinkage_slope * by_z + f.rate_slope * by_v + own);
    }
  }

  const NormalLawFit& law_;
  int law_parameters_;
  const DropSetup& setup_;
  std::span<const double> times_;
  bool with_derivatives_;
  DropCurve& out_;
  double fall_;           // acceleration in the air [m/s²]
  std::size_t next_ = 0;  // first time that is not yet out
  double touch_ = 0;      // of this contact [s]
  double speed_ = 0;      // at it [m/s]
  Columns touch_by_{}, speed_by_{};
};

}  // namespace

bool integrate_drop(const NormalLawFit& law, int law_parameters, const DropSetup& setup,
                    std::span<const double> times, bool with_derivatives, DropCurve& out) {
  return DropIntegration(law, law_parameters, setup, times, with_derivatives, out).run();
}

DropCurve simulate_drop(NormalModel model, const std::optional<FootSole>& sole,
                        std::span<const double> parameters, const DropSetup& setup,
                        std::span<const double> times, const NormalLaw& form) {
  const auto law = make_normal_law(model, sole, form);
  law->set(pad_parameters(model, parameters));
  DropCurve curve;
  if (!integrate_drop(*law, law_parameter_count(model, true), setup, times, false, curve)) {
    throw std::runtime_error("the drop is too stiff to be integrated, or its law has no value");
  }
  return curve;
}

}  // namespace footfall
