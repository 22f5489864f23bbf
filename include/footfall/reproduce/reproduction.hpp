// Papers reproduced with our laws: what each prints, what we find, and why the two differ where they
// do. `footfall reproduce` shows them.
//
// An item's verdict says what kind of evidence it is. It is found from the item's numbers, and the verdict that we
// expect stands beside it, so a law that changes is noticed:
//
//   reproduced                a number that the paper prints, computed by us from other inputs with the paper's own
//                             algorithm and settings
//   agrees in shape           what the paper says in words, or draws without numbers, holds for ours
//   round trip                values put in come out again: the paper's own parameters, a sinkage that was tuned for
//   arithmetic of the paper   what the paper computes from its own numbers and formulas comes out the same by another route
//   the paper's error         the paper is wrong, and we know how: with the mistake put in, our value is the paper's
//   differs                   none of these; the reason says what is known
//
// A tolerance comes from the digits that the paper prints, or from a scatter that it states.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "footfall/report/plot.hpp"

namespace footfall {

enum class Verdict {
  reproduced,
  agrees_in_shape,
  round_trip,
  arithmetic,
  papers_error,
  differs,
};
inline constexpr int kVerdictCount = 6;
const char* verdict_name(Verdict verdict);

// How far from the paper's value ours may be, and where that comes from.
struct Tolerance {
  double value;      // in the item's unit
  std::string from;  // "printed digits"
};
// Half of the last digit that is printed: 0.1 for 17.5.
Tolerance printed(double last_digit);
// A formula has no digits: 1e-9 of its value is left for rounding.
Tolerance formula(double value);
// A scatter that is stated: "k_FN of five tests".
Tolerance scatter(double value, std::string of_what);

struct Comparison {
  std::string place;                 // "Fig. 11", "(33)"
  std::string quantity;              // "largest error of (29a)"
  std::string unit = {};             // of both values; empty: a plain number
  std::optional<double> paper = {};  // as printed, or by the printed formula
  std::string claim = {};            // where the paper has no number: what it says
  double ours = 0;
  std::string reason = {};                  // of a difference, in a few words
  std::optional<Tolerance> tolerance = {};  // of a number of the paper
  Verdict verdict = Verdict::differs;
  Verdict expected = Verdict::reproduced;
  std::optional<double> known = {};  // what ours should be, where is_difference was told
  bool as_known = true;              // and it is
};

// A number of the paper beside ours, and words of the paper beside our number. Unit: of both numbers.
Comparison compared(std::string place, std::string quantity, std::string unit, double paper,
                    double ours, std::string reason = {});
Comparison claimed(std::string place, std::string quantity, std::string unit, std::string claim,
                   double ours, std::string reason = {});

// Each gives the item the verdict that is expected of it, or `differs`.
Comparison reproduces(Comparison item, const Tolerance& tolerance);
Comparison returns(Comparison item, const Tolerance& tolerance);  // a round trip
Comparison adds_up(Comparison item, const Tolerance& tolerance);  // arithmetic of the paper
// Words in place of a number: do they hold?
Comparison agrees(Comparison item, bool holds);
Comparison returns(Comparison item, bool holds);
Comparison disagrees(Comparison item, bool holds);
// `mistaken` is our value with the mistake put in: the paper's, to rounding, if the reason is right.
Comparison is_papers_error(Comparison item, double mistaken, const std::string& reason,
                           double relative = 1e-9);
// The paper's own words fail with what it prints, and hold with the mistake taken out.
Comparison contradicts_itself(Comparison item, bool holds_as_printed, bool holds_corrected);
// Known to be further from the paper than the tolerance.
Comparison is_difference(Comparison item, const Tolerance& tolerance, const std::string& reason);
// And ours is known, to this relative tolerance: a law that changes is noticed here too.
Comparison is_difference(Comparison item, const Tolerance& tolerance, const std::string& reason,
                         double ours, double relative = 1e-4);

struct NumberTable {
  std::string title;
  std::vector<std::string> columns;  // with units
  std::vector<std::string> names;    // of rows, the first column; or empty
  std::vector<std::vector<double>> rows;
};

struct Figure {
  std::string file;   // "fig11-cylinder.svg"
  std::string shows;  // one line
  Plot plot;
};

struct Reproduction {
  std::vector<Comparison> items;
  std::vector<NumberTable> tables;
  std::vector<Figure> figures;

  void add(Comparison item) { items.push_back(std::move(item)); }
};
bool as_expected(const Comparison& item);
// Is every verdict the expected one, and every known value of ours still there?
bool as_expected(const Reproduction& reproduction);

// How many items have this verdict.
int count_of(const Reproduction& reproduction, Verdict verdict);
// "5 reproduced, 22 agree in shape, …; all as expected": the first line of the command.
std::string count_text(const Reproduction& reproduction);

// Called now and then with the share that is done.
using ShareDone = std::function<void(double)>;

struct Paper {
  std::string name;      // as the command line calls it
  std::string citation;  // one line
  std::string shows;     // what is reproduced, one line
  Reproduction (*reproduce)(const ShareDone& progress);
};
// The papers, docs/reproduce.md. Each reads what it needs of soils/, robots/, scenarios/ and media/, and throws
// InputError where a file is not found.
inline void tell_nobody(double) {}
Reproduction reproduce_ding2013(const ShareDone& progress = tell_nobody);
Reproduction reproduce_gora2025(const ShareDone& progress = tell_nobody);
Reproduction reproduce_rengifo2009(const ShareDone& progress = tell_nobody);
Reproduction reproduce_zhu2019(const ShareDone& progress = tell_nobody);
const std::vector<Paper>& reproducible_papers();
// Throws InputError that lists what there is.
const Paper& find_paper(const std::string& name);

}  // namespace footfall
