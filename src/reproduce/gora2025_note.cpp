// The note on MuJoCo's soft constraints, claim by claim, in real MuJoCo: a mass on a slide that an equality constraint
// pulls back, without gravity, at one impedance.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/log.hpp"
#include "reproduce/gora2025_parts.hpp"

namespace footfall::gora2025 {
namespace {

constexpr double kTimeConstant = 0.02;  // [s]
constexpr int kFine = 2000;             // steps of a time constant

struct OneRow {
  MjModelPtr model;
  MjDataPtr data;

  OneRow(const std::string& constraint, double timestep) {
    const std::string text = fmt::format(
        R"(<mujoco><option gravity="0 0 0" timestep="{}"><flag refsafe="disable"/></option>
  <worldbody><body><joint name="x" type="slide"/><geom size="0.1" mass="1"/></body></worldbody>
  <equality><joint joint1="x" {}/></equality></mujoco>)",
        timestep, constraint);
    std::array<char, 1000> error{};
    mjSpec* spec =
        mj_parseXMLString(text.c_str(), nullptr, error.data(), static_cast<int>(error.size()));
    if (spec == nullptr) throw MujocoError(error.data());
    model.reset(mj_compile(spec, nullptr));
    mj_deleteSpec(spec);
    if (!model) throw MujocoError("MuJoCo does not compile the scene of the note");
    data = make_mujoco_data(*model);
  }
};

// Violations after each step over the first one, released at rest.
std::vector<double> relax(double time_constant, double ratio, double timestep, int steps) {
  const MujocoLogScope log;
  const OneRow row(
      fmt::format(R"(solref="{} {}" solimp="0.9 0.9 0.001 0.5 2")", time_constant, ratio),
      timestep);
  row.data->qpos[0] = 1e-3;
  std::vector<double> r;
  for (int k = 0; k < steps; ++k) {
    mj_step(row.model.get(), row.data.get());
    r.push_back(1e3 * row.data->qpos[0]);
  }
  return r;
}
std::vector<double> relax_finely(double ratio, double time_constants) {
  return relax(kTimeConstant, ratio, kTimeConstant / kFine,
               static_cast<int>(kFine * time_constants));
}

int sign_changes(const std::vector<double>& r) {
  int count = 0;
  for (std::size_t k = 1; k < r.size(); ++k) count += r[k] * r[k - 1] < 0 ? 1 : 0;
  return count;
}

// The next highest point of a swing, as a decay over one time constant.
double decay_of_peaks(const std::vector<double>& r) {
  for (std::size_t k = 1; k + 1 < r.size(); ++k) {
    if (r[k] <= r[k - 1] || r[k] < r[k + 1]) continue;
    return std::pow(r[k], static_cast<double>(kFine) / static_cast<double>(k + 1));
  }
  return 0;
}

// The shortest time constant over the step from which a violation does not grow.
double shortest_stable() {
  constexpr double kStep = 1e-3;
  double low = 1, high = 2;
  while (high - low > 1e-3) {
    const double middle = 0.5 * (low + high);
    const std::vector<double> r = relax(middle * kStep, 1, kStep, 2000);
    const bool grows = std::any_of(r.begin(), r.end(), [](double v) { return std::abs(v) > 2; });
    (grows ? low : high) = middle;
  }
  return high;
}

// Speed after a bounce over the speed before it, without damping, with gravity off.
double bounce() {
  const MujocoLogScope log;
  const OneRow row(R"(solref="-2500 0" solimp="0.9 0.9 0.001 0.5 2")", 1e-5);
  row.data->qvel[0] = 1;
  do mj_step(row.model.get(), row.data.get());
  while (row.data->qpos[0] > 0);
  return -row.data->qvel[0];
}

double impedance_without_violation() {
  const OneRow row(R"(solimp="0.9 0.95 0.001 0.5 2")", 1e-3);
  mj_forward(row.model.get(), row.data.get());
  return row.data->efc_KBIP[2];
}

}  // namespace

void add_note(Reproduction& out) {
  const std::vector<double> critical = relax_finely(1, 3), weak = relax_finely(0.5, 3),
                            strong = relax_finely(2, 3);
  out.add(is_difference(compared("Note", "violation after one time constant, released at rest", "",
                                 0.37, critical[kFine - 1]),
                        printed(0.01), "37 % is the envelope; from rest it is (1 + t/τ) e^(-t/τ)",
                        2 * std::exp(-1), 1e-3));
  out.add(reproduces(compared("Note", "peaks of a swing after one time constant, ratio 0.2", "",
                              0.37, decay_of_peaks(relax_finely(0.2, 3))),
                     printed(0.01)));
  out.add(agrees(claimed("Note", "damping ratio 0.5: changes of sign", "",
                         "under-damped, allowing oscillations", sign_changes(weak)),
                 sign_changes(weak) > 0));
  out.add(agrees(claimed("Note", "damping ratios 1 and 2: changes of sign", "",
                         "avoiding oscillations", sign_changes(critical) + sign_changes(strong)),
                 sign_changes(critical) + sign_changes(strong) == 0));
  out.add(agrees(claimed("Note", "violation left after 3 τ, ratio 2 over ratio 1", "",
                         "slower than critically", strong.back() / critical.back()),
                 strong.back() > critical.back()));
  const double rebound = bounce();
  out.add(agrees(claimed("Note", "speed after over before a bounce, damping 0", "",
                         "perfectly elastic collisions", rebound),
                 std::abs(rebound - 1) < 1e-3));
  const double shortest = shortest_stable();
  out.add(agrees(claimed("Note", "shortest time constant that does not blow up, over the step", "",
                         "at least twice as large", shortest,
                         "2 is where a violation stops turning around in one step"),
                 shortest > 1.2 && shortest < 2));
  const double d0 = impedance_without_violation();
  out.add(is_difference(compared("Note", "impedance without violation", "", 0, d0), printed(0.01),
                        "it is d0: from there it rises", 0.9));
}

}  // namespace footfall::gora2025
