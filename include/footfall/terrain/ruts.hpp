// Ruts: the ground's memory. What feet have pressed into it, kept in fine cells over x and y of W.
//
// Memory exists only where something was pressed: blocks of 32 × 32 cells, found by a hash of their
// place. A print allocates only where it is the first in a block. Copies of a grid share their blocks
// until one of them is printed on, so that a state with ruts is cheap to copy and to keep.
//
// A print (Footprint) sets every cell whose centre lies in its plan outline:
//
//   sinkage      ← max(sinkage, δ_p − u)            never decreases
//   sinkage_max  ← max(sinkage_max, δ_max − u)      never below sinkage
//   shear        ← the print's                      overwritten
//
// with δ_p, δ_max and shear of the nearest supporting point, and u the height of the sole's surface
// above its lowest point: 0 of a flat sole, R − √(R² − ρ²) of a round one at distance ρ ≤ R from its
// centre or axis. So a ball sunk beyond its radius leaves vertical walls. The cells that hold the
// lowest point or line of a round sole take u = 0: a crater smaller than a cell is remembered too.
// Pressing the same print twice is pressing it once. Shear is a record of how soil was dragged: a foot
// that lands there again starts without shear stress, for lifting off released it.
//
// Rims. A share s (rim_share) of the displaced volume rises around the outline: highest at the edge,
// falling linearly to zero over max(2 cells, δ_p/tan 30°), 0.5 m at most. A rim under a later print
// is pressed away: its volume moves to that print's rim.
//
// What is conserved, to round-off, after any prints: Σ rim = s Σ sinkage over all cells. That is
// bulk volume, not mass: the share 1 − s is soil that became denser, and what a rim weighs is not
// known here. Volumes are cell² times sinkage: on a slope, where sinkage is along the normal n, the
// true volume is larger by 1/n_z, all over alike.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace footfall {

inline constexpr int kRutBlockCells = 32;  // cells of a block along each axis
inline constexpr double kRutExtent = 1e6;  // ground beyond ±this in x or y has no memory [m]
inline constexpr double kRutCellMin = 1e-3, kRutCellMax = 50e-3;  // [m]

struct RutCell {
  double sinkage = 0;      // plastic sinkage δ_p: print's bottom below the untouched ground [m]
  double sinkage_max = 0;  // largest sinkage δ_max ever [m]
  double rim = 0;          // height of soil pushed up here [m]
  double shear_x = 0, shear_y = 0;  // shear displacement of the soil, frame W [m]
};

// Cells ix, iy in 0 … 31 cover x in [(32·x + ix)·cell, (32·x + ix + 1)·cell), y likewise.
struct RutBlock {
  int x = 0, y = 0;
  std::array<RutCell, kRutBlockCells * kRutBlockCells> cells;  // [iy·32 + ix]
};

enum class PrintShape {
  disc,       // flat: centre, radius
  rectangle,  // flat: centre, axis, half_length, half_width
  hull,       // flat: convex hull of the points in plan, widened by radius, and the points' cells
  ball,       // centre, radius
  roller,     // centre, axis, half_length along the axis, radius across it
};

// A point of the sole that presses: what the ground remembers of its surroundings.
struct PrintPoint {
  double x = 0, y = 0;              // plan position, frame W [m]
  double sinkage = 0;               // δ_p [m]; ≤ 0: nothing was pressed here
  double sinkage_max = 0;           // δ_max [m]; counts as δ_p where it is less
  double shear_x = 0, shear_y = 0;  // [m], frame W
  bool is_corner = false;  // of a hull: it widens the outline, and no depth is taken from it
};

struct Footprint {
  static constexpr int kMaxPoints = 256;

  PrintShape shape = PrintShape::disc;
  double x = 0, y = 0;  // of the centre in plan, frame W [m]; not of a hull
  double axis_x = 1,
         axis_y = 0;       // unit vector in plan, frame W: a rectangle's length, a roller's axis
  double half_length = 0;  // along the axis [m]
  double half_width = 0;   // across it [m]
  double radius = 0;       // [m]
  int point_count = 0;     // 1 … kMaxPoints; one is enough for a ball or a level sole
  std::array<PrintPoint, kMaxPoints> points;
};

struct RutOptions {
  double cell = 5e-3;    // width of a cell [m], in [kRutCellMin, kRutCellMax]
  double rim_share = 0;  // s: share of the displaced volume that rises as a rim [-], in [0, 1]
};

struct RutBounds {
  double x_min = 0, x_max = 0, y_min = 0, y_max = 0;  // [m]; all 0 of an empty grid
};

struct RutPoint {
  double x = 0, y = 0;  // of a cell's centre [m]
  RutCell cell;
};

class RutGrid {
 public:
  // Throws InputError with the value and the expected range.
  explicit RutGrid(const RutOptions& options = {});

  const RutOptions& options() const { return options_; }
  bool empty() const { return blocks_.empty(); }
  void clear();  // forgets all prints

  // Presses a footprint; returns the volume that is newly displaced [m³]. Prints beyond kRutExtent,
  // or with a number that is none, change nothing.
  double stamp(const Footprint& print);

  // Interpolated linearly between the centres of cells; zeros where nothing was pressed.
  RutCell sample(double x, double y) const;
  // The deepest of the four cells around a point, where none is pressed the one of the highest rim. On
  // the edge of a print, where half of what sample() blends is untouched, at the points of a hull and
  // in the middle of a small crater this is the print's own depth. A corner of a rectangle may fall
  // between cells: sample() gives its depth 1.5 cells inside the outline.
  RutCell deepest_near(double x, double y) const;

  // Blocks in the order in which they were made. References stay valid until the next print.
  int block_count() const { return static_cast<int>(blocks_.size()); }
  const RutBlock& block(int i) const { return *blocks_[i]; }
  // The block at that place, made if there is none: for readers of files. |x|, |y| ≤ block_limit().
  RutBlock& make_block(int x, int y);
  int block_limit() const;

  RutBounds bounds() const;         // of the cells that are not as they were
  RutPoint deepest() const;         // zeros of an empty grid
  double displaced_volume() const;  // cell² Σ sinkage [m³]
  double rim_volume() const;        // cell² Σ rim [m³]

  // Same options, and bit by bit the same cells; blocks in any order.
  friend bool operator==(const RutGrid& a, const RutGrid& b);

 private:
  struct Slot {
    int x = 0, y = 0;
    int block = -1;  // −1: free
  };

  const RutBlock* find_block(int x, int y) const;
  const RutCell& find_cell(int ix, int iy) const;
  std::array<const RutCell*, 4> find_square(int ix, int iy) const;
  std::size_t find_slot(int x, int y) const;
  void resize_table(std::size_t slots);

  RutOptions options_;
  std::vector<Slot> table_;  // open addressing; a power of two, at most half full
  std::vector<std::shared_ptr<RutBlock>> blocks_;
};

}  // namespace footfall
