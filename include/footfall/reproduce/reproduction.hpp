// Papers done again with our laws: what each prints, what we find, and why the two differ where they
// do. `footfall reproduce` shows them.
//
// An item's verdict is found from its numbers, and the verdict that we expect stands beside it, so a
// law that changes is noticed:
//
//   reproduced  ours is what the paper has, within the item's tolerance
//   slip        the paper is wrong, and we know how: with the mistake put in, our value is the paper's
//   differs     neither; the reason says what is known
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "footfall/report/plot.hpp"

namespace footfall {

enum class Verdict { reproduced, slip, differs };
const char* verdict_name(Verdict verdict);

struct Item {
  std::string place;                 // "Fig. 11", "(33)"
  std::string quantity;              // "largest error of (29a)"
  std::string unit = {};             // of both values; empty: a plain number
  std::optional<double> paper = {};  // as printed, or by the printed formula
  std::string claim = {};            // where the paper has no number: what it says
  double ours = 0;
  std::string reason = {};  // of a difference, in a few words
  Verdict verdict = Verdict::differs;
  Verdict expected = Verdict::reproduced;
  std::optional<double> known = {};  // what ours should be, where is_difference was told
  bool as_known = true;              // and it is
};

// A number of the paper beside ours, and words of the paper beside our number. Unit: of both numbers.
Item compared(std::string place, std::string quantity, std::string unit, double paper, double ours,
              std::string reason = {});
Item claimed(std::string place, std::string quantity, std::string unit, std::string claim,
             double ours, std::string reason = {});

// Each gives the item its verdict. Tolerances are in the item's unit.
Item reproduces(Item item, double tolerance);
// `mistaken` is our value with the mistake put in: the paper's to 1e-9 if the reason is right.
Item is_slip(Item item, double mistaken, const std::string& reason);
// Known to be further from the paper than the tolerance.
Item is_difference(Item item, double tolerance, const std::string& reason);
// And ours is known, to this relative tolerance: a law that changes is noticed here too.
Item is_difference(Item item, double tolerance, const std::string& reason, double ours,
                   double relative = 1e-4);
// Words in place of a number: do they hold, and should they?
Item claims(Item item, bool holds, Verdict expected = Verdict::reproduced);

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
  std::vector<Item> items;
  std::vector<NumberTable> tables;
  std::vector<Figure> figures;

  void add(Item item) { items.push_back(std::move(item)); }
};
bool as_expected(const Item& item);
// Is every verdict the expected one, and every known value of ours still there?
bool as_expected(const Reproduction& reproduction);

// Called now and then with the share that is done.
using ShareDone = std::function<void(double)>;

struct Paper {
  std::string name;      // as the command line calls it
  std::string citation;  // one line
  std::string shows;     // what is done again, one line
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
