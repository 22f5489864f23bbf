// The page of a run that is about to start, and its frames.
//
// Both are made of rows as the run file has them, so that a live run looks like its run file.
#pragma once

#include <string>
#include <vector>

#include "footfall/record/run_file.hpp"
#include "footfall/run/run.hpp"
#include "footfall/viewer/page.hpp"
#include "io/process.hpp"
#include "viewer/channels.hpp"

namespace footfall::serve {

class LivePage {
 public:
  LivePage(const RunSetup& setup, const RunHeader& header);

  // `duration`: that the run will have [s].
  PageContent make(double duration, const std::string& data_url, const std::string& live_url) const;

  // The frame of a step: a LiveFrame of web/src/page.ts as JSON, without dents and rows.
  std::string make_frame(const RunStep& step);

  // Time and values of the page's channels at a step that is recorded.
  std::vector<double> make_values(const RunStep& step);

  // The step as a row of its run file.
  const RunContents& make_row(const RunStep& step);

 private:
  TemporaryFolder folder_;             // of the run file of the start
  RunContents row_;                    // one row: at the start that of the start
  std::vector<std::size_t> in_order_;  // columns of row_, in the order in which a run is written
  viewer::Scene scene_;
  std::vector<viewer::ChannelSpec> channels_;
  std::vector<Vec3d> centers_;  // where feet touched last [m]
  double rut_cell_ = 0;         // of ground that keeps prints [m]
};

}  // namespace footfall::serve
