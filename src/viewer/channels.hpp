// What a page plots over time, and one channel over another.
#pragma once

#include "viewer/frames.hpp"

namespace footfall::viewer {

// One plotted line: a column of the run file, or its length where it is a vector.
struct ChannelSpec {
  std::string name;   // of the column
  std::string group;  // plot
  std::string label;
  std::string unit;
  double scale = 1;         // of the unit
  int foot = -1;            // −1: of none
  int component = 0;        // of the column; −1: length of the vector; −2: across the normal
  bool wide_range = false;  // over many powers of ten: kept as floats
};
std::vector<ChannelSpec> list_channels(const RunContents& run, const Scene& scene);
// The channel's values at all rows.
std::vector<double> channel_values(const RunContents& run, const ChannelSpec& spec);
Json channel_json(const ChannelSpec& spec);  // without time and values

// The page's Channels. `thinned` becomes true where a run has more than `most` rows: then every line keeps
// the least and the largest value of each stretch of rows.
Json channels_json(const RunContents& run, const Scene& scene, const RunFrames& frames, int most,
                   ArrayStore& arrays, bool& thinned);

// Force over sinkage and over shear displacement, of each foot.
Json loops_json(const Json& channels, const Scene& scene);

}  // namespace footfall::viewer
