// Pages to look at: the viewer of web/, a single HTML file, filled with runs. What a page holds stands
// in web/src/page.ts.
//
//   const RunContents run = read_run("results/run.h5");
//   write_page("report.html", make_run_page(run));
//
// Poses are shown at up to 100 frames per second and rounded to 0.05 mm. What is plotted has 16 bits, and
// every row of the run file up to the limits of PageOptions; beyond them it is thinned, and the page says so.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/record/run_data.hpp"

namespace footfall {

struct PageTable {
  std::string title = {};
  std::vector<std::string> header = {};
  std::vector<std::vector<std::string>> rows = {};  // the first column is text
};

struct PageText {
  std::string title, text;
};

enum class PageMode { embedded, served, live };

struct PageOptions {
  PageMode mode = PageMode::embedded;
  std::string title = {}, subtitle = {};  // empty: as the run says
  std::string command = {};               // empty: that of the run file
  std::vector<std::string> warnings = {};
  std::vector<PageTable> tables = {};  // stand before those of the runs
  std::vector<PageText> texts = {};    // stand after the scenario
  std::string data_url = {};           // of a served page
  std::string live_url = {};           // of a live one
  double frame_rate = 100;             // poses per second, at most
  int most_frames = 12000;             // of a run
  int most_rows = 60000;               // of a plotted line
};

struct PageContent {
  std::string json;   // a Page, as web/src/page.ts describes it
  std::string bytes;  // of all its arrays, not deflated
};

// One run, with its tables and texts. Throws InputError where the run file lacks what a page needs.
PageContent make_run_page(const RunContents& run, const PageOptions& options = {});

// Several runs in one scene. `names` are what the runs are called in it.
PageContent make_compare_page(const std::vector<RunContents>& runs,
                              const std::vector<std::string>& names, const PageOptions& options);

// The viewer as it was built in; empty: it was not, see viewer_note().
std::string_view viewer_html();
// Why there is no viewer, for people; empty where there is one.
std::string_view viewer_note();

// The viewer's HTML with the page in it; of an embedded page also its bytes. Throws InputError where
// there is no viewer.
std::string fill_page(const PageContent& content, PageMode mode = PageMode::embedded);
// As a file; without the viewer a plain one with the page's tables and texts.
void write_page(const std::filesystem::path& file, const PageContent& content);

}  // namespace footfall
