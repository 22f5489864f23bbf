#include "footfall/reproduce/reproduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "input_error.hpp"

namespace footfall {
namespace {

// Roundings of a few parts in 1e16 are nobody's difference.
bool within(const Comparison& item) {
  const double rounding = 1e-14 * std::abs(item.paper.value());
  return std::abs(item.ours - item.paper.value()) <= item.tolerance.value().value + rounding;
}

Comparison judged(Comparison item, const Tolerance& tolerance, Verdict kind) {
  item.tolerance = tolerance;
  item.expected = kind;
  item.verdict = within(item) ? kind : Verdict::differs;
  return item;
}

Comparison judged(Comparison item, bool holds, Verdict kind) {
  item.expected = kind;
  item.verdict = holds ? kind : Verdict::differs;
  return item;
}

}  // namespace

const char* verdict_name(Verdict verdict) {
  constexpr const char* names[kVerdictCount] = {"reproduced",        "agrees in shape",
                                                "round trip",        "arithmetic of the paper",
                                                "the paper's error", "differs"};
  return names[static_cast<std::size_t>(verdict)];
}

Comparison compared(std::string place, std::string quantity, std::string unit, double paper,
                    double ours, std::string reason) {
  return {.place = std::move(place),
          .quantity = std::move(quantity),
          .unit = std::move(unit),
          .paper = paper,
          .ours = ours,
          .reason = std::move(reason)};
}

Comparison claimed(std::string place, std::string quantity, std::string unit, std::string claim,
                   double ours, std::string reason) {
  return {.place = std::move(place),
          .quantity = std::move(quantity),
          .unit = std::move(unit),
          .claim = std::move(claim),
          .ours = ours,
          .reason = std::move(reason)};
}

Tolerance printed(double last_digit) { return {0.5 * last_digit, "printed digits"}; }

Tolerance formula(double value) { return {1e-9 * std::abs(value), "rounding: a formula"}; }

Tolerance scatter(double value, std::string of_what) { return {value, std::move(of_what)}; }

Comparison reproduces(Comparison item, const Tolerance& tolerance) {
  return judged(std::move(item), tolerance, Verdict::reproduced);
}
Comparison returns(Comparison item, const Tolerance& tolerance) {
  return judged(std::move(item), tolerance, Verdict::round_trip);
}
Comparison adds_up(Comparison item, const Tolerance& tolerance) {
  return judged(std::move(item), tolerance, Verdict::arithmetic);
}
Comparison agrees(Comparison item, bool holds) {
  return judged(std::move(item), holds, Verdict::agrees_in_shape);
}
Comparison returns(Comparison item, bool holds) {
  return judged(std::move(item), holds, Verdict::round_trip);
}

Comparison disagrees(Comparison item, bool holds) {
  item.expected = Verdict::differs;
  item.verdict = holds ? Verdict::agrees_in_shape : Verdict::differs;
  return item;
}

Comparison is_papers_error(Comparison item, double mistaken, const std::string& reason,
                           double relative) {
  const double paper = item.paper.value();
  item.reason = reason;
  item.tolerance = Tolerance{relative * std::abs(paper), "ours with the mistake put in"};
  return judged(std::move(item), std::abs(mistaken - paper) <= relative * std::abs(paper),
                Verdict::papers_error);
}

Comparison contradicts_itself(Comparison item, bool holds_as_printed, bool holds_corrected) {
  return judged(std::move(item), !holds_as_printed && holds_corrected, Verdict::papers_error);
}

Comparison is_difference(Comparison item, const Tolerance& tolerance, const std::string& reason) {
  item.reason = reason;
  item.tolerance = tolerance;
  item.expected = Verdict::differs;
  item.verdict = within(item) ? Verdict::reproduced : Verdict::differs;
  return item;
}

Comparison is_difference(Comparison item, const Tolerance& tolerance, const std::string& reason,
                         double ours, double relative) {
  item.known = ours;
  item.as_known = std::abs(item.ours - ours) <= relative * std::abs(ours);
  return is_difference(std::move(item), tolerance, reason);
}

int count_of(const Reproduction& reproduction, Verdict verdict) {
  return static_cast<int>(
      std::count_if(reproduction.items.begin(), reproduction.items.end(),
                    [&](const Comparison& item) { return item.verdict == verdict; }));
}

std::string count_text(const Reproduction& reproduction) {
  const auto count = [&](Verdict verdict) { return count_of(reproduction, verdict); };
  const auto surprises = std::count_if(reproduction.items.begin(), reproduction.items.end(),
                                       [](const Comparison& item) { return !as_expected(item); });
  return fmt::format(
      "{} reproduced, {} agree in shape, {} round trips, {} arithmetic of the paper, "
      "{} errors of the paper, {} differ; {}",
      count(Verdict::reproduced), count(Verdict::agrees_in_shape), count(Verdict::round_trip),
      count(Verdict::arithmetic), count(Verdict::papers_error), count(Verdict::differs),
      surprises == 0 ? "all as expected" : fmt::format("{} not as expected", surprises));
}

bool as_expected(const Comparison& item) { return item.verdict == item.expected && item.as_known; }

bool as_expected(const Reproduction& reproduction) {
  return std::all_of(reproduction.items.begin(), reproduction.items.end(),
                     [](const Comparison& item) { return as_expected(item); });
}

const std::vector<Paper>& reproducible_papers() {
  static const std::vector<Paper> papers = {
      {"ding2013",
       "Ding et al. 2013, Foot-terrain interaction mechanics for legged robots, IJRR 32(13)",
       "forces of feet on soil, shear, impacts, a soft foot on soft sand", reproduce_ding2013},
      {"gora2025",
       "Gora and Dutta 2025, Foot-terrain deformation based parameters identification of MuJoCo",
       "solref and solimp for a ball, a box and a humanoid on soft ground, in MuJoCo",
       reproduce_gora2025},
      {"rengifo2009",
       "Rengifo et al. 2009, A penalty-based approach for contact forces computation in bipedal "
       "robots",
       "contact by feedback linearisation: a ball, a brick on a ramp, the friction cone",
       reproduce_rengifo2009},
      {"zhu2019",
       "Zhu et al. 2019, a semi-empirical approach for simulating robot locomotion on granular "
       "media",
       "wrench spaces of granular media: their concavity, a PID foot, drops, a quadruped in sand",
       reproduce_zhu2019},
  };
  return papers;
}

const Paper& find_paper(const std::string& name) {
  std::vector<std::string> names;
  for (const Paper& paper : reproducible_papers()) {
    if (paper.name == name) return paper;
    names.push_back(paper.name);
  }
  throw input_error("paper '{}', expected one of {}", name, fmt::join(names, ", "));
}

}  // namespace footfall
