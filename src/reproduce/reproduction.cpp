#include "footfall/reproduce/reproduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kSlipTolerance = 1e-9;  // of the paper's value

bool within(const Item& item, double tolerance) {
  return std::abs(item.ours - item.paper.value()) <= tolerance;
}

}  // namespace

const char* verdict_name(Verdict verdict) {
  constexpr const char* names[] = {"reproduced", "slip", "differs"};
  return names[static_cast<std::size_t>(verdict)];
}

Item compared(std::string place, std::string quantity, std::string unit, double paper, double ours,
              std::string reason) {
  return {.place = std::move(place),
          .quantity = std::move(quantity),
          .unit = std::move(unit),
          .paper = paper,
          .ours = ours,
          .reason = std::move(reason)};
}

Item claimed(std::string place, std::string quantity, std::string unit, std::string claim,
             double ours, std::string reason) {
  return {.place = std::move(place),
          .quantity = std::move(quantity),
          .unit = std::move(unit),
          .claim = std::move(claim),
          .ours = ours,
          .reason = std::move(reason)};
}

Item reproduces(Item item, double tolerance) {
  item.expected = Verdict::reproduced;
  item.verdict = within(item, tolerance) ? Verdict::reproduced : Verdict::differs;
  return item;
}

Item is_slip(Item item, double mistaken, const std::string& reason) {
  const double paper = item.paper.value();
  const bool explained = std::abs(mistaken - paper) <= kSlipTolerance * std::abs(paper);
  item.reason = reason;
  item.expected = Verdict::slip;
  item.verdict = explained ? Verdict::slip : Verdict::differs;
  return item;
}

Item is_difference(Item item, double tolerance, const std::string& reason) {
  item.reason = reason;
  item.expected = Verdict::differs;
  item.verdict = within(item, tolerance) ? Verdict::reproduced : Verdict::differs;
  return item;
}

Item is_difference(Item item, double tolerance, const std::string& reason, double ours,
                   double relative) {
  item.known = ours;
  item.as_known = std::abs(item.ours - ours) <= relative * std::abs(ours);
  return is_difference(std::move(item), tolerance, reason);
}

Item claims(Item item, bool holds, Verdict expected) {
  item.expected = expected;
  item.verdict = holds ? Verdict::reproduced : Verdict::differs;
  return item;
}

bool as_expected(const Item& item) { return item.verdict == item.expected && item.as_known; }

bool as_expected(const Reproduction& reproduction) {
  return std::all_of(reproduction.items.begin(), reproduction.items.end(),
                     [](const Item& item) { return as_expected(item); });
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
