// How feet press the ground in, cell by cell, as a page shows it.
//
// What the run file has is poses, and the ruts at its end. Under a foot that touches, a cell is as deep as
// the lower side of its sole; when the foot has left it, as deep as the ruts say, or as it was where the
// ground comes back. Rims rise when the print next to them is deepest. So every cell ends as in the run
// file, and what is before is right as far as a sole can be seen.
#pragma once

#include "viewer/frames.hpp"

namespace footfall::viewer {

struct DentEvent {
  int frame = 0;
  int column = 0, row = 0;  // of the cell: x = (column + 1/2) cell
  double height = 0;        // over the ground as it was, along z [m]
};

struct DentRecord {
  double cell = 0;                // width of a cell [m]
  std::vector<DentEvent> events;  // in the order of frames
};

// `ruts`: at the end of the run; none where no soil keeps prints.
DentRecord find_dents(const RunContents& run, const Scene& scene, const RunFrames& frames,
                      const RutGrid* ruts);

// The page's Dents; null without any.
Json dents_json(const DentRecord& dents, ArrayStore& arrays);

}  // namespace footfall::viewer
