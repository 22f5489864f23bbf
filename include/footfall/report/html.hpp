// A page for people: one HTML file that needs nothing else, neither scripts nor the network. It is
// light or dark as its reader's system is, and well-formed XML too.
//
//   HtmlPage page("Dry sand");
//   page.paragraph("Two plates, one soil.");
//   page.table({.header = {"parameter", "value"}, .rows = {{"n", "1.1"}}});
//   page.plot(plot);
//   page.write("fit.html");
//
// All text is escaped: any letter may be in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "footfall/report/plot.hpp"

namespace footfall {

struct HtmlTable {
  std::vector<std::string> header = {};
  std::vector<std::vector<std::string>> rows =
      {};  // the first column is text, the others are numbers
  // of each row's cells but the first, -1 to 1: blue to orange behind them; or empty: none
  std::vector<std::vector<double>> shades = {};
};

class HtmlPage {
 public:
  explicit HtmlPage(const std::string& title);
  void heading(const std::string& text);     // of a section
  void subheading(const std::string& text);  // within one
  void paragraph(const std::string& text);
  void warnings(const std::vector<std::string>& texts);  // none: nothing
  void table(const HtmlTable& table);
  void plot(const Plot& plot);  // throws InputError as draw_plot does
  void preformatted(const std::string& text);

  std::string finish() const;
  void write(const std::filesystem::path& file) const;  // throws InputError

 private:
  std::string title_, body_;
  int plots_ = 0;
};

}  // namespace footfall
