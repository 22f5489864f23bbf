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
  out.add(
      reproduces(compared("(29)", "ball, 10 mm: stiffness", "1/s²", -kBallReference.first, printed),
                 kPrinted));
  out.add(reproduces(
      compared("(30)", "ball: damping", "1/s", -kBallReference.second, 2 * std::sqrt(printed)),
      kPrinted));
  out.add(
      is_difference(compared("(29)", "ball, with MuJoCo's bounds", "1/s²", -kBallReference.first,
                             rest_stiffness(kBallImpedance, 1, kGravity, kBallSinkage)),
                    kPrinted, "MuJoCo raises d0 = 0 to 0.0001", 2059.4702, 1e-7));
}

void add_box(Reproduction& out) {
  const double printed = printed_stiffness(kBoxSinkage, kBoxImpedance);
  const double ours = printed / 4;
  out.add(reproduces(
      compared("III.B", "box, 6 mm: stiffness, four contacts", "1/s²", -kBoxReference.first, ours),
      kPrinted));
  out.add(is_slip(compared("(29)", "box by (29) as printed", "1/s²", printed, ours), 4 * ours,
                  "a box has four contacts, each with a quarter of the load"));
  const double damping = 2 * kBoxDampingRatio * std::sqrt(ours);
  out.add(reproduces(
      compared("III.B", "box: damping, ratio 1.5", "1/s", -kBoxReference.second, damping),
      kPrinted));
  out.add(is_slip(compared("(30)", "box by (30) as printed", "1/s", 2 * std::sqrt(ours), damping),
                  damping / kBoxDampingRatio, "forgets the damping ratio"));
  out.add(reproduces(compared("III.C", "robot: damping of its stiffness, ratio 1.5", "1/s",
                              -kRobotReference.second,
                              2 * kBoxDampingRatio * std::sqrt(-kRobotReference.first)),
                     kPrinted));
}

void add_slips(Reproduction& out) {
  // d at the midpoint, where d0 is not 0 and the midpoint not 1/2
  const SoftImpedance s{0.9, 0.95, 0.01, 0.3, 2};
  const SoftLaw<double> law = make_soft_law({-1000, -50}, s, {});
  const double middle = evaluate_impedance(law, -s.midpoint * s.width).value;
  out.add(is_slip(compared("(29)", "d at midpoint 0.3 of 0.9 to 0.95", "",
                           s.midpoint * (s.d0 + s.d_width), middle),
                  middle - s.d0 + 2 * s.midpoint * s.d0,
                  "d0 + midpoint (d_width - d0); right for d0 = 0 or midpoint 1/2"));
  // beyond the width: (22) with (27), (28)
  const double sinkage = 2 * s.width;
  const double ours = range_force(law, 1, sinkage, 0, -kGravity);
  const double stiffness = 1000;
  out.add(is_slip(compared("(22)", "force on 1 kg beyond the width", "N",
                           stiffness * sinkage + s.d0 * kGravity, ours),
                  ours - (s.d_width - s.d0) * kGravity,
                  "d0 a0 holds below the midpoint only; above it is d_width a0"));
  // k_n carries 1 kg at 10 mm
  const double k_n = 9810;
  const double force = k_n * std::pow(kBallSinkage, 1.5);
  out.add(is_slip(
      compared("III.B", "Hunt-Crossley at 10 mm", "N", k_n * std::pow(kBallSinkage, 0.375), force),
      force * std::pow(kBallSinkage, 0.375 - 1.5), "exponent 3/8 is 3/2, as the unit of k_n says"));
}

// Do 8.66 mm and 11445 1/s² belong to one robot? At rest F Â is the same before and after.
void add_consistency(Reproduction& out) {
  const SoftLaw<double> box = make_soft_law(kBoxReference, kBoxImpedance, {});
  const double load = static_force(box, 1, 0.00866);
  out.add(is_difference(
      compared("III.C", "stiffness for 6 mm of what sinks 8.66 mm", "1/s²", -kRobotReference.first,
               rest_stiffness(kBoxImpedance, 1, load, kBoxSinkage)),
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
