#include "viewer/dents.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "footfall/terrain/ruts.hpp"
#include "viewer/lower_side.hpp"

namespace footfall::viewer {
namespace {

constexpr double kNotice = 3e-4;      // shallower dents are not shown [m]
constexpr double kFineStep = 5e-4;    // by which a dent must deepen to be shown again [m] …
constexpr double kCoarseStep = 0.12;  // … or by this share of its depth
constexpr double kOldRut = 0.5;       // ruts this far from all prints were there before [m]
constexpr double kDentStep = 2e-5;    // to which heights are rounded [m]
constexpr double kPlainCell = 5e-3;   // width of cells where there are no ruts [m]

std::int64_t key_of(int column, int row) {
  return (static_cast<std::int64_t>(column) << 32) ^ static_cast<std::uint32_t>(row);
}

struct DentCell {
  double depth = 0;          // shown: how far below the ground as it was [m]
  double deepest = 0;        // ever [m]
  int covered_at = -1;       // last frame in which a sole was over it
  int last_event = -1;       // index of its last event
  bool is_standing = false;  // a sole is over it
};

// One stance of a foot, for the rims beside it.
struct Stance {
  double x = 0, y = 0;  // where it was deepest [m]
  double depth = 0;     // [m]
  int frame = 0;        // when
};

class DentWatch {
 public:
  DentWatch(const RunContents& run, const Scene& scene, const RunFrames& frames,
            const RutGrid* ruts)
      : run_(run), scene_(scene), frames_(frames), ruts_(ruts),
        cell_(ruts != nullptr ? ruts->options().cell : kPlainCell) {}

  DentRecord finish() {
    standing_.resize(scene_.feet.size());
    stances_.resize(scene_.feet.size());
    for (std::size_t i = 0; i < frames_.rows.size(); ++i) {
      for (std::size_t f = 0; f < scene_.feet.size(); ++f) {
        press(static_cast<int>(i), static_cast<int>(f));
      }
    }
    if (ruts_ != nullptr) match_ruts();
    std::stable_sort(events_.begin(), events_.end(),
                     [](const DentEvent& a, const DentEvent& b) { return a.frame < b.frame; });
    return {cell_, std::move(events_)};
  }

 private:
  struct Cover {
    int column, row;
    double depth;
  };

  // Cells under the sole in this frame, and how deep it presses them.
  void find_cover(int frame, int foot, std::vector<Cover>& out) const {
    out.clear();
    const RunFoot& f = scene_.feet[foot];
    const int row = frames_.rows[frame];
    if (run_.foot_column(foot, "touching").at(row) == 0) return;
    const double pad = run_.foot_column(foot, "pad_compression").at(row);
    const BodyPoses& pose = frames_.poses[frame];
    for (const int g : f.geoms) add_cover(pose, static_cast<std::size_t>(g), pad, out);
  }

  // Cells under one geom. Of cells that two geoms of a foot press the deeper press counts, see press().
  void add_cover(const BodyPoses& pose, std::size_t which, double pad,
                 std::vector<Cover>& out) const {
    const Geom& geom = scene_.robot.geoms[which];
    const auto body = static_cast<std::size_t>(geom.body);
    const PosedGeom placed{&geom, pose.R_WB[body] * geom.rotation,
                           pose.p_WB[body] + pose.R_WB[body] * geom.position};
    const LevelBox box = plan_box(placed);
    if (!(box.x_max - box.x_min < 2 && box.y_max - box.y_min < 2)) return;  // no foot
    const auto index = [&](double x) { return static_cast<int>(std::floor(x / cell_)); };
    for (int r = index(box.y_min); r <= index(box.y_max); ++r) {
      for (int c = index(box.x_min); c <= index(box.x_max); ++c) {
        const double x = (c + 0.5) * cell_, y = (r + 0.5) * cell_;
        const std::optional<double> side = lower_side_height(placed, x, y);
        if (!side) continue;
        const double depth = sample_ground(scene_.terrain, x, y).height - *side - pad;
        if (depth > kNotice) out.push_back({c, r, depth});
      }
    }
  }

  void press(int frame, int foot) {
    std::vector<Cover>& before = standing_[foot];
    find_cover(frame, foot, cover_);
    for (const Cover& c : cover_) {
      DentCell& cell = cells_[key_of(c.column, c.row)];
      cell.covered_at = frame;
      cell.deepest = std::max(cell.deepest, c.depth);
      cell.is_standing = true;
      if (c.depth > cell.depth + std::max(kFineStep, kCoarseStep * cell.depth)) {
        show(frame, c.column, c.row, c.depth, cell);
      }
    }
    for (const Cover& c : before) {
      DentCell& cell = cells_[key_of(c.column, c.row)];
      if (cell.covered_at == frame || !cell.is_standing) continue;
      cell.is_standing = false;
      show(frame, c.column, c.row, std::min(cell.deepest, kept_depth(c.column, c.row)), cell);
    }
    follow_stance(frame, foot);
    std::swap(before, cover_);
  }

  void follow_stance(int frame, int foot) {
    std::vector<Stance>& own = stances_[foot];
    if (cover_.empty()) return;
    const bool is_new = standing_[foot].empty();
    const auto deepest =
        std::max_element(cover_.begin(), cover_.end(),
                         [](const Cover& a, const Cover& b) { return a.depth < b.depth; });
    if (is_new || own.empty()) own.push_back({});
    if (deepest->depth <= own.back().depth) return;
    own.back() = {(deepest->column + 0.5) * cell_, (deepest->row + 0.5) * cell_, deepest->depth,
                  frame};
  }

  void show(int frame, int column, int row, double depth, DentCell& cell) {
    cell.depth = depth;
    cell.last_event = static_cast<int>(events_.size());
    events_.push_back({frame, column, row, -depth});
  }

  double slant(int column, int row) const {  // of depths along the normal, as seen along z
    const double x = (column + 0.5) * cell_, y = (row + 0.5) * cell_;
    return 1 / sample_ground(scene_.terrain, x, y).normal.z;
  }
  // What stays of a print [m], along z.
  double kept_depth(int column, int row) const {
    if (ruts_ == nullptr) return 0;
    return ruts_->sample((column + 0.5) * cell_, (row + 0.5) * cell_).sinkage * slant(column, row);
  }

  // Every cell that no sole stands on ends as the ruts say.
  void match_ruts() {
    for (int i = 0; i < ruts_->block_count(); ++i) {
      const RutBlock& block = ruts_->block(i);
      for (int k = 0; k < kRutBlockCells * kRutBlockCells; ++k) {
        const RutCell& rut = block.cells[k];
        if (rut.sinkage == 0 && rut.rim == 0) continue;
        const int column = kRutBlockCells * block.x + k % kRutBlockCells;
        const int row = kRutBlockCells * block.y + k / kRutBlockCells;
        match_cell(column, row, (rut.rim - rut.sinkage) * slant(column, row));
      }
    }
  }

  void match_cell(int column, int row, double height) {
    const auto found = cells_.find(key_of(column, row));
    if (found != cells_.end() && found->second.is_standing) return;
    if (found != cells_.end() && found->second.last_event >= 0) {
      events_[static_cast<std::size_t>(found->second.last_event)].height = height;
    } else if (std::fabs(height) > kDentStep) {
      events_.push_back(
          {nearest_stance((column + 0.5) * cell_, (row + 0.5) * cell_), column, row, height});
    }
  }

  // The frame in which the nearest print was deepest.
  int nearest_stance(double x, double y) const {
    double nearest = kOldRut;
    int frame = 0;
    for (const std::vector<Stance>& stances : stances_) {
      for (const Stance& s : stances) {
        const double distance = std::hypot(s.x - x, s.y - y);
        if (distance >= nearest) continue;
        nearest = distance;
        frame = s.frame;
      }
    }
    return frame;
  }

  const RunContents& run_;
  const Scene& scene_;
  const RunFrames& frames_;
  const RutGrid* ruts_;
  double cell_;
  std::unordered_map<std::int64_t, DentCell> cells_;
  std::vector<std::vector<Cover>> standing_;  // under each foot a frame before
  std::vector<std::vector<Stance>> stances_;  // of each foot
  std::vector<Cover> cover_;
  std::vector<DentEvent> events_;
};

}  // namespace

DentRecord find_dents(const RunContents& run, const Scene& scene, const RunFrames& frames,
                      const RutGrid* ruts) {
  return DentWatch(run, scene, frames, ruts).finish();
}

Json dents_json(const DentRecord& dents, ArrayStore& arrays) {
  if (dents.events.empty()) return nullptr;
  std::vector<double> frame, column, row, height;
  for (const DentEvent& e : dents.events) {
    frame.push_back(e.frame);
    column.push_back(e.column);
    row.push_back(e.row);
    height.push_back(e.height);
  }
  return {{"cell", dents.cell},
          {"frame", arrays.add_steps(frame, 1)},
          {"column", arrays.add_steps(column, 1)},
          {"row", arrays.add_steps(row, 1)},
          {"height", arrays.add_steps(height, kDentStep)}};
}

}  // namespace footfall::viewer
