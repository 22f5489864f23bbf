#include "footfall/terrain/ruts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "input_error.hpp"

namespace footfall {

namespace {

constexpr int kBlockShift = 5;  // 2⁵ = kRutBlockCells
constexpr std::size_t kSmallestTable = 128;
static_assert(1 << kBlockShift == kRutBlockCells);

constexpr RutCell kUntouched;

int cell_in_block(int ix, int iy) {
  constexpr int mask = kRutBlockCells - 1;
  return (iy & mask) * kRutBlockCells + (ix & mask);
}

// False for numbers that are none, too.
bool in_extent(double x, double y) {
  return std::abs(x) <= kRutExtent && std::abs(y) <= kRutExtent;
}

// Where a point lies among the centres of cells: the cell below left, and how far beyond it.
struct CellCoordinates {
  int ix, iy;
  double fx, fy;  // [0, 1)
};
CellCoordinates place_of(double x, double y, double cell) {
  const double u = x / cell - 0.5, v = y / cell - 0.5;
  const double ix = std::floor(u), iy = std::floor(v);
  return {static_cast<int>(ix), static_cast<int>(iy), u - ix, v - iy};
}

// Tells 0 from −0, as == does not.
bool same_bits(const RutCell& a, const RutCell& b) {
  using Bits = std::array<std::uint64_t, 5>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

bool is_touched(const RutCell& c) { return c.sinkage > 0 || c.sinkage_max > 0 || c.rim > 0; }

}  // namespace

RutGrid::RutGrid(const RutOptions& options) : options_(options) {
  if (!(options.cell >= kRutCellMin && options.cell <= kRutCellMax)) {
    throw input_error("rut cell = {} mm, expected [{}, {}]", options.cell * 1e3, kRutCellMin * 1e3,
                      kRutCellMax * 1e3);
  }
  if (!(options.rim_share >= 0 && options.rim_share <= 1)) {
    throw input_error("rim_share = {}, expected [0, 1]", options.rim_share);
  }
  resize_table(kSmallestTable);
}

void RutGrid::clear() {
  blocks_.clear();
  std::ranges::fill(table_, Slot{});
}

void RutGrid::resize_table(std::size_t slots) {
  table_.assign(slots, Slot{});
  for (int i = 0; i < block_count(); ++i) {
    const RutBlock& b = block(i);
    table_[find_slot(b.x, b.y)] = {b.x, b.y, i};
  }
}

// The slot of a block, or the free one where it would be put.
std::size_t RutGrid::find_slot(int x, int y) const {
  const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32 |
                   static_cast<std::uint32_t>(y);
  const std::size_t mask = table_.size() - 1;
  std::size_t i = (key * 0x9E3779B97F4A7C15u >> 32) & mask;  // 2⁶⁴ over the golden ratio
  while (table_[i].block >= 0 && (table_[i].x != x || table_[i].y != y)) i = (i + 1) & mask;
  return i;
}

const RutBlock* RutGrid::find_block(int x, int y) const {
  const int i = table_[find_slot(x, y)].block;
  return i < 0 ? nullptr : &block(i);
}

RutBlock& RutGrid::make_block(int x, int y) {
  const int i = table_[find_slot(x, y)].block;
  if (i >= 0) {
    // Taking a share orders what follows after another thread's reading, if that one has let go.
    const std::shared_ptr<RutBlock> mine = blocks_[i];
    const bool others_read_it = mine.use_count() > 2;
    if (others_read_it) blocks_[i] = std::make_shared<RutBlock>(*mine);
    return *blocks_[i];
  }
  blocks_.push_back(std::make_shared<RutBlock>());
  blocks_.back()->x = x;
  blocks_.back()->y = y;
  if (2 * blocks_.size() > table_.size()) {
    resize_table(2 * table_.size());
  } else {
    table_[find_slot(x, y)] = {x, y, block_count() - 1};
  }
  return *blocks_.back();
}

int RutGrid::block_limit() const {
  return static_cast<int>(kRutExtent / (options_.cell * kRutBlockCells)) + 1;
}

const RutCell& RutGrid::find_cell(int ix, int iy) const {
  const RutBlock* b = find_block(ix >> kBlockShift, iy >> kBlockShift);
  return b == nullptr ? kUntouched : b->cells[cell_in_block(ix, iy)];
}

// Cells (ix, iy), (ix + 1, iy), (ix, iy + 1), (ix + 1, iy + 1).
std::array<const RutCell*, 4> RutGrid::find_square(int ix, int iy) const {
  constexpr int last = kRutBlockCells - 1;
  if ((ix & last) == last || (iy & last) == last) {
    return {&find_cell(ix, iy), &find_cell(ix + 1, iy), &find_cell(ix, iy + 1),
            &find_cell(ix + 1, iy + 1)};
  }
  const RutBlock* b = find_block(ix >> kBlockShift, iy >> kBlockShift);
  if (b == nullptr) return {&kUntouched, &kUntouched, &kUntouched, &kUntouched};
  const RutCell* first = &b->cells[cell_in_block(ix, iy)];
  return {first, first + 1, first + kRutBlockCells, first + kRutBlockCells + 1};
}

RutCell RutGrid::sample(double x, double y) const {
  if (empty() || !in_extent(x, y)) return {};
  const CellCoordinates p = place_of(x, y, options_.cell);
  const auto c = find_square(p.ix, p.iy);
  const double w[] = {(1 - p.fx) * (1 - p.fy), p.fx * (1 - p.fy), (1 - p.fx) * p.fy, p.fx * p.fy};
  RutCell s;
  for (int i = 0; i < 4; ++i) {
    s.sinkage += w[i] * c[i]->sinkage;
    s.sinkage_max += w[i] * c[i]->sinkage_max;
    s.rim += w[i] * c[i]->rim;
    s.shear_x += w[i] * c[i]->shear_x;
    s.shear_y += w[i] * c[i]->shear_y;
  }
  return s;
}

RutCell RutGrid::deepest_near(double x, double y) const {
  if (empty() || !in_extent(x, y)) return {};
  const CellCoordinates p = place_of(x, y, options_.cell);
  const RutCell* deepest = &kUntouched;
  for (const RutCell* c : find_square(p.ix, p.iy)) {
    if (c->sinkage > deepest->sinkage ||
        (c->sinkage == deepest->sinkage && c->rim > deepest->rim)) {
      deepest = c;
    }
  }
  return *deepest;
}

RutBounds RutGrid::bounds() const {
  constexpr int kMost = std::numeric_limits<int>::max();
  int x_min = kMost, y_min = kMost, x_max = -kMost, y_max = -kMost;
  for (int i = 0; i < block_count(); ++i) {
    const RutBlock& b = block(i);
    for (int k = 0; k < kRutBlockCells * kRutBlockCells; ++k) {
      if (!is_touched(b.cells[k])) continue;
      const int ix = b.x * kRutBlockCells + k % kRutBlockCells;
      const int iy = b.y * kRutBlockCells + k / kRutBlockCells;
      x_min = std::min(x_min, ix);
      x_max = std::max(x_max, ix + 1);
      y_min = std::min(y_min, iy);
      y_max = std::max(y_max, iy + 1);
    }
  }
  if (x_min == kMost) return {};
  const double cell = options_.cell;
  return {x_min * cell, x_max * cell, y_min * cell, y_max * cell};
}

RutPoint RutGrid::deepest() const {
  RutPoint place;
  for (int i = 0; i < block_count(); ++i) {
    const RutBlock& b = block(i);
    for (int k = 0; k < kRutBlockCells * kRutBlockCells; ++k) {
      if (!(b.cells[k].sinkage > place.cell.sinkage)) continue;
      place.cell = b.cells[k];
      const int ix = b.x * kRutBlockCells + k % kRutBlockCells;
      const int iy = b.y * kRutBlockCells + k / kRutBlockCells;
      place.x = (ix + 0.5) * options_.cell;
      place.y = (iy + 0.5) * options_.cell;
    }
  }
  return place;
}

double RutGrid::displaced_volume() const {
  double sum = 0;
  for (int i = 0; i < block_count(); ++i) {
    for (const RutCell& c : block(i).cells) sum += c.sinkage;
  }
  return sum * options_.cell * options_.cell;
}

double RutGrid::rim_volume() const {
  double sum = 0;
  for (int i = 0; i < block_count(); ++i) {
    for (const RutCell& c : block(i).cells) sum += c.rim;
  }
  return sum * options_.cell * options_.cell;
}

bool operator==(const RutGrid& a, const RutGrid& b) {
  if (a.options_.cell != b.options_.cell || a.options_.rim_share != b.options_.rim_share ||
      a.block_count() != b.block_count()) {
    return false;
  }
  for (int i = 0; i < a.block_count(); ++i) {
    const RutBlock& mine = a.block(i);
    const RutBlock* other = b.find_block(mine.x, mine.y);
    if (other == nullptr) return false;
    if (!std::ranges::equal(mine.cells, other->cells, same_bits)) return false;
  }
  return true;
}

}  // namespace footfall
