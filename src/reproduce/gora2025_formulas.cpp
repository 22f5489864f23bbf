// Gora 2025 by pencil: (22), (29), (30), the Hunt–Crossley law, and the paper's own numbers.
#include <fmt/format.h>

#include <cmath>

#include "footfall/soft/soft_curve.hpp"
#include "reproduce/gora2025_parts.hpp"

namespace footfall::gora2025 {
namespace {

const Tolerance kPrinted = printed(0.1);

void add_ball(Reproduction& out) {
  const double stiffness = printed_stiffness(kBallSinkage, kBallImpedance);
  out.add(
      adds_up(compared("(29)", "ball, 10 mm: stiffness", "1/s²", -kBallReference.first, stiffness),
              kPrinted));
  out.add(adds_up(
      compared("(30)", "ball: damping", "1/s", -kBallReference.second, 2 * std::sqrt(stiffness)),
      kPrinted));
  out.add(
      is_difference(compared("(29)", "ball, with MuJoCo's bounds", "1/s²", -kBallReference.first,
                             rest_stiffness(kBallImpedance, 1, kGravity, kBallSinkage)),
                    kPrinted, "MuJoCo raises d0 = 0 to 0.0001", 2059.4702, 1e-7));
}

void add_box(Reproduction& out) {
  // (29) with the load of one of four contacts
  const double quarter = printed_stiffness(kBoxSinkage, kBoxImpedance, kGravity / 4);
  out.add(adds_up(compared("III.B", "box, 6 mm: stiffness, a quarter of the load per contact",
                           "1/s²", -kBoxReference.first, quarter),
                  kPrinted));
  const double damping = 2 * kBoxDampingRatio * std::sqrt(quarter);
  Comparison ratio =
      compared("III.B", "box: damping, ratio 1.5", "1/s", -kBoxReference.second, damping);
  ratio.reason = fmt::format("(30) as printed forgets the ratio: {:.1f}", 2 * std::sqrt(quarter));
  out.add(adds_up(ratio, kPrinted));
  out.add(adds_up(compared("III.C", "robot: damping of its stiffness, ratio 1.5", "1/s",
                           -kRobotReference.second,
                           2 * kBoxDampingRatio * std::sqrt(-kRobotReference.first)),
                  kPrinted));
}

void add_errors(Reproduction& out) {
  // d at the midpoint, where d0 is not 0 and the midpoint not 1/2
  const SoftImpedance s{0.9, 0.95, 0.01, 0.3, 2};
  const SoftLaw<double> law = make_soft_law({-1000, -50}, s, {});
  const double middle = evaluate_impedance(law, -s.midpoint * s.width).value;
  out.add(is_papers_error(compared("(29)", "d at midpoint 0.3 of 0.9 to 0.95", "",
                                   s.midpoint * (s.d0 + s.d_width), middle),
                          middle - s.d0 + 2 * s.midpoint * s.d0,
                          "d0 + midpoint (d_width - d0); right for d0 = 0 or midpoint 1/2"));
  // beyond the width: (22) with (27), (28)
  const double sinkage = 2 * s.width;
  const double ours = range_force(law, 1, sinkage, 0, -kGravity);
  const double stiffness = 1000;
  out.add(is_papers_error(compared("(22)", "force on 1 kg beyond the width", "N",
                                   stiffness * sinkage + s.d0 * kGravity, ours),
                          ours - (s.d_width - s.d0) * kGravity,
                          "d0 a0 holds below the midpoint only; above it is d_width a0"));
  // k_n = 9810 has to carry 1 kg at 10 mm
  const double force = 9810 * std::pow(kBallSinkage, 1.5);
  const double as_printed = 9810 * std::pow(kBallSinkage, 0.375);
  const auto carries = [](double f) { return std::abs(f - kGravity) < 0.005; };
  out.add(contradicts_itself(
      claimed("III.B", "Hunt-Crossley force at 10 mm, exponent 3/2", "N", "10 mm under 1 kg", force,
              fmt::format("exponent 3/8, as printed, gives {:.0f} N; the unit of k_n says 3/2",
                          as_printed)),
      carries(as_printed), carries(force)));
}

// Do 8.66 mm and 11445 1/s² belong to one robot? At rest F Â is the same before and after.
void add_consistency(Reproduction& out) {
  const SoftLaw<double> box = make_soft_law(kBoxReference, kBoxImpedance, {});
  const double load = static_force(box, 1, 0.00866);
  out.add(is_difference(
      compared("III.C", "stiffness for 6 mm of what sinks 8.66 mm", "1/s²", -kRobotReference.first,
               rest_stiffness(kBoxImpedance, 1, load, kBoxSinkage)),
      printed(1), "by the static law; the paper raised its stiffness by trial", 9420.6487, 1e-7));
}

}  // namespace

double printed_stiffness(double sinkage, const SoftImpedance& s, double load) {
  const double d = s.midpoint * (s.d0 + s.d_width);
  return (1 - d) * load * s.d_width * s.d_width / (sinkage * d * d);
}

void add_formulas(Reproduction& out) {
  add_ball(out);
  add_box(out);
  add_errors(out);
  add_consistency(out);
}

}  // namespace footfall::gora2025
