// Gora 2025 by pencil: (22), (29), (30), the Hunt–Crossley law, and the paper's own numbers.
#include <cmath>

#include "footfall/soft/soft_curve.hpp"
#include "reproduce/gora2025_parts.hpp"

namespace footfall::gora2025 {
namespace {

// Of the numbers as printed: half a unit of the last place.
constexpr double kPrinted = 0.05;

void add_ball(Reproduction& out) {
  const double printed = printed_stiffness(kBallSinkage, kBallImpedance);
  out.items.push_back(reproduces({.place = "(29)",
                                  .quantity = "ball, 10 mm: stiffness",
                                  .unit = "1/s²",
                                  .paper = -kBallReference.first,
                                  .ours = printed},
                                 kPrinted));
  out.items.push_back(reproduces({.place = "(30)",
                                  .quantity = "ball: damping",
                                  .unit = "1/s",
                                  .paper = -kBallReference.second,
                                  .ours = 2 * std::sqrt(printed)},
                                 kPrinted));
  out.items.push_back(
      is_difference({.place = "(29)",
                     .quantity = "ball, with MuJoCo's bounds",
                     .unit = "1/s²",
                     .paper = -kBallReference.first,
                     .ours = rest_stiffness(kBallImpedance, 1, kGravity, kBallSinkage)},
                    kPrinted, "MuJoCo raises d0 = 0 to 0.0001", 2059.4702, 1e-7));
}

void add_box(Reproduction& out) {
  const double printed = printed_stiffness(kBoxSinkage, kBoxImpedance);
  const double ours = printed / 4;
  out.items.push_back(reproduces({.place = "III.B",
                                  .quantity = "box, 6 mm: stiffness, four contacts",
                                  .unit = "1/s²",
                                  .paper = -kBoxReference.first,
                                  .ours = ours},
                                 kPrinted));
  out.items.push_back(is_slip({.place = "(29)",
                               .quantity = "box by (29) as printed",
                               .unit = "1/s²",
                               .paper = printed,
                               .ours = ours},
                              4 * ours,
                              "a box has four contacts, each with a quarter of the load"));
  const double damping = 2 * kBoxDampingRatio * std::sqrt(ours);
  out.items.push_back(reproduces({.place = "III.B",
                                  .quantity = "box: damping, ratio 1.5",
                                  .unit = "1/s",
                                  .paper = -kBoxReference.second,
                                  .ours = damping},
                                 kPrinted));
  out.items.push_back(is_slip({.place = "(30)",
                               .quantity = "box by (30) as printed",
                               .unit = "1/s",
                               .paper = 2 * std::sqrt(ours),
                               .ours = damping},
                              damping / kBoxDampingRatio, "forgets the damping ratio"));
  out.items.push_back(reproduces({.place = "III.C",
                                  .quantity = "robot: damping of its stiffness, ratio 1.5",
                                  .unit = "1/s",
                                  .paper = -kRobotReference.second,
                                  .ours = 2 * kBoxDampingRatio * std::sqrt(-kRobotReference.first)},
                                 kPrinted));
}

void add_slips(Reproduction& out) {
  // d at the midpoint, where d0 is not 0 and the midpoint not 1/2
  const SoftImpedance s{0.9, 0.95, 0.01, 0.3, 2};
  const SoftLaw<double> law = make_soft_law({-1000, -50}, s, {});
  const double middle = evaluate_impedance(law, -s.midpoint * s.width).value;
  out.items.push_back(is_slip({.place = "(29)",
                               .quantity = "d at midpoint 0.3 of 0.9 to 0.95",
                               .paper = s.midpoint * (s.d0 + s.d_width),
                               .ours = middle},
                              middle - s.d0 + 2 * s.midpoint * s.d0,
                              "d0 + midpoint (d_width - d0); right for d0 = 0 or midpoint 1/2"));
  // beyond the width: (22) with (27), (28)
  const double sinkage = 2 * s.width;
  const double ours = range_force(law, 1, sinkage, 0, -kGravity);
  const double stiffness = 1000;
  out.items.push_back(is_slip({.place = "(22)",
                               .quantity = "force on 1 kg beyond the width",
                               .unit = "N",
                               .paper = stiffness * sinkage + s.d0 * kGravity,
                               .ours = ours},
                              ours - (s.d_width - s.d0) * kGravity,
                              "d0 a0 holds below the midpoint only; above it is d_width a0"));
  // k_n carries 1 kg at 10 mm
  const double k_n = 9810;
  const double force = k_n * std::pow(kBallSinkage, 1.5);
  out.items.push_back(is_slip({.place = "III.B",
                               .quantity = "Hunt-Crossley at 10 mm",
                               .unit = "N",
                               .paper = k_n * std::pow(kBallSinkage, 0.375),
                               .ours = force},
                              force * std::pow(kBallSinkage, 0.375 - 1.5),
                              "exponent 3/8 is 3/2, as the unit of k_n says"));
}

// Do 8.66 mm and 11445 1/s² belong to one robot? At rest F Â is the same before and after.
void add_consistency(Reproduction& out) {
  const SoftLaw<double> box = make_soft_law(kBoxReference, kBoxImpedance, {});
  const double load = static_force(box, 1, 0.00866);
  out.items.push_back(is_difference(
      {.place = "III.C",
       .quantity = "stiffness for 6 mm of what sinks 8.66 mm",
       .unit = "1/s²",
       .paper = -kRobotReference.first,
       .ours = rest_stiffness(kBoxImpedance, 1, load, kBoxSinkage)},
      100, "by the static law; the paper raised its stiffness by trial", 9420.6487, 1e-7));
}

}  // namespace

double printed_stiffness(double sinkage, const SoftImpedance& s) {
  const double d = s.midpoint * (s.d0 + s.d_width);
  return (1 - d) * kGravity * s.d_width * s.d_width / (sinkage * d * d);
}

void add_formulas(Reproduction& out) {
  add_ball(out);
  add_box(out);
  add_slips(out);
  add_consistency(out);
}

}  // namespace footfall::gora2025
