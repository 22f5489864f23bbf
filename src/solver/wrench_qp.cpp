#include "footfall/solver/wrench_qp.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace footfall {
namespace {

// Of the sizes of what a slope is summed from: what is less counts as rounding.
constexpr double kSlopeRounding = 16 * std::numeric_limits<double>::epsilon();
constexpr int kCorralsPerVertex = 20;  // bound of the loop; a few corrals in all are usual

Lane8 load8(const double* from) {
  Lane8 x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
void store8(Lane8 x, double* to) { std::memcpy(to, &x, sizeof x); }
double sum8(Lane8 x) { return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7])); }

double dot8(const double* a, const double* b, int n) {
  Lane8 sum(0);
  for (int i = 0; i < n; i += kLaneCount) sum += load8(a + i) * load8(b + i);
  return sum8(sum);
}
void add8(double factor, const double* a, double* to, int n) {
  const Lane8 f(factor);
  for (int i = 0; i < n; i += kLaneCount) store8(load8(to + i) + f * load8(a + i), to + i);
}

double vertex_part(const VertexSet& set, int part, int vertex) {
  return vertex == kZeroVertex ? 0 : set.part(part)[vertex];
}

// Takes `count` orthonormal columns Q out of x and adds their parts to `parts`; once more takes out what
// rounding left. `scratch` has room for as many parts.
void take_out(const double* Q, int count, int stride, int used, double* x, double* parts,
              double* scratch) {
  for (int round = 0; round < 2; ++round) {
    for (int k = 0; k < count; ++k) scratch[k] = dot8(Q + k * stride, x, used);
    for (int i = 0; i < used; i += kLaneCount) {
      Lane8 left = load8(x + i);
      for (int k = 0; k < count; ++k) left -= Lane8(scratch[k]) * load8(Q + k * stride + i);
      store8(left, x + i);
    }
    for (int k = 0; k < count; ++k) parts[k] += scratch[k];
  }
}

int whole_lanes(int n) { return (n + kLaneCount - 1) / kLaneCount * kLaneCount; }

}  // namespace

void VertexSet::resize(int count) {
  count_ = count;
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
}

WrenchQp::WrenchQp(int max_feet, int parts, int max_rows)
    : parts_(parts), stride_(whole_lanes(max_rows)),
      max_members_(std::min(max_feet * parts, max_rows)),
      B_(static_cast<std::size_t>(max_feet) * parts * stride_), b_(stride_), z_(stride_),
      Q_(static_cast<std::size_t>(max_members_) * stride_),
      metric_(static_cast<std::size_t>(max_rows) * stride_), size_(max_feet * parts),
      R_(static_cast<std::size_t>(max_members_) * max_members_), members_(max_members_),
      references_(max_feet), target_(max_members_), rest_(max_feet), supports_(max_feet),
      c_(max_feet * parts) {}

void WrenchQp::start(int feet, int rows) {
  feet_ = feet;
  rows_ = rows;
  used_ = whole_lanes(rows);
  std::fill_n(B_.begin(), index(feet * parts_), 0.0);
  std::fill(b_.begin(), b_.end(), 0.0);
}

void WrenchQp::add_masses(std::span<const double> masses) {
  double* S = metric_.data();
  for (int i = 0; i < rows_; ++i) {
    std::fill_n(S + index(i), used_, 0.0);
    S[index(i) + i] = 1;
  }
  for (int column = 0; column < feet_ * parts_; ++column) {
    const double* y = &B_[index(column)];
    for (int i = 0; i < rows_; ++i) {
      if (y[i] != 0) add8(masses[column] * y[i], y, S + index(i), used_);
    }
  }
  for (int k = 0; k < rows_; ++k) {  // leaves column k of the factor in row k, from the diagonal on
    double* row = S + index(k);
    const double inverse = 1 / std::sqrt(row[k]);
    for (int i = k / kLaneCount * kLaneCount; i < used_; i += kLaneCount) {
      store8(Lane8(inverse) * load8(row + i), row + i);
    }
    for (int i = k + 1; i < rows_; ++i) {
      if (row[i] != 0) add8(-row[i], row, S + index(i), used_);
    }
  }
  for (int k = 0; k < rows_; ++k) {
    for (int i = k + 1; i < rows_; ++i) {
      S[index(i) + k] = S[index(k) + i];
      S[index(k) + i] = 0;
    }
  }
  apply_metric(b_.data());
  for (int column = 0; column < feet_ * parts_; ++column) apply_metric(&B_[index(column)]);
}

// x = Sᵀ x, in place: a number needs only those from its own place on.
void WrenchQp::apply_metric(double* x) const {
  for (int block = 0; block < used_; block += kLaneCount) {
    Lane8 sum(0);
    for (int i = block; i < rows_; ++i) sum += Lane8(x[i]) * load8(&metric_[index(i) + block]);
    store8(sum, x + block);
  }
}

// out += factor · B w
void WrenchQp::add_image(const VertexSet& set, int foot, int vertex, double factor,
                         double* out) const {
  if (vertex == kZeroVertex) return;
  for (int p = 0; p < parts_; ++p) {
    add8(factor * set.part(p)[vertex], &B_[index(foot * parts_ + p)], out, used_);
  }
}

// Of the terms that B w is summed from.
double WrenchQp::image_size(const VertexSet& set, int foot, int vertex) const {
  double size = 0;
  for (int p = 0; p < parts_; ++p) {
    size += std::abs(vertex_part(set, p, vertex)) * size_[foot * parts_ + p];
  }
  return size;
}

// Adds a column to Q R. False: it depends on the others, or is no more than rounding.
bool WrenchQp::append(Sets sets, const Member& member) {
  if (count_ == max_members_) return false;
  const VertexSet& set = *sets[member.foot];
  const int reference = references_[member.foot].vertex;
  double* q = &Q_[index(count_)];
  double* r = &R_[static_cast<std::size_t>(count_) * max_members_];
  std::fill_n(q, used_, 0.0);
  add_image(set, member.foot, member.vertex, 1, q);
  add_image(set, member.foot, reference, -1, q);
  const double least = kSlopeRounding * (image_size(set, member.foot, member.vertex) +
                                         image_size(set, member.foot, reference));
  std::fill_n(r, count_, 0.0);
  take_out(Q_.data(), count_, stride_, used_, q, r, c_.data());
  const double length = std::sqrt(dot8(q, q, used_));
  if (!(length > least)) return false;
  r[count_] = length;
  const Lane8 inverse(1 / length);
  for (int i = 0; i < used_; i += kLaneCount) store8(inverse * load8(q + i), q + i);
  members_[count_++] = member;
  return true;
}

// The columns behind the member are made anew. One that depends on the others gives its weight to the
// reference.
void WrenchQp::remove(Sets sets, int member) {
  const int end = count_;
  count_ = member;
  for (int k = member + 1; k < end; ++k) {
    const Member next = members_[k];
    if (!append(sets, next)) references_[next.foot].weight += next.weight;
  }
}

// Makes the foot's heaviest member its reference, in place of one that has no weight any more.
void WrenchQp::change_reference(Sets sets, int foot) {
  int heaviest = -1, first = count_;
  for (int k = 0; k < count_; ++k) {
    if (members_[k].foot != foot) continue;
    first = std::min(first, k);
    if (heaviest < 0 || members_[k].weight > members_[heaviest].weight) heaviest = k;
  }
  if (heaviest < 0) {  // rounding: nothing is left
    references_[foot] = {kZeroVertex, 1};
    return;
  }
  references_[foot] = {members_[heaviest].vertex, members_[heaviest].weight};
  for (int k = heaviest; k > first; --k) members_[k] = members_[k - 1];
  remove(sets, first);
}

void WrenchQp::start_corrals(Sets sets, std::span<const int> corrals) {
  count_ = 0;
  for (int foot = 0; foot < feet_; ++foot) {
    const int* corral = &corrals[static_cast<std::size_t>(foot) * kMaxCorral];
    const auto usable = [&](int place) {
      const int vertex = corral[place];
      if (vertex < kZeroVertex || vertex >= sets[foot]->count()) return false;
      return std::find(corral, corral + place, vertex) == corral + place;
    };
    int reference = kNoVertex, size = 0;
    for (int place = 0; place < parts_ + 1; ++place) {
      if (!usable(place)) continue;
      ++size;
      if (reference == kNoVertex || corral[place] == kZeroVertex) reference = corral[place];
    }
    references_[foot] = {size == 0 ? kZeroVertex : reference, 1};
    for (int place = 0; place < parts_ + 1; ++place) {
      if (!usable(place) || corral[place] == reference) continue;
      const double weight = 1.0 / size;
      if (append(sets, {foot, corral[place], weight})) references_[foot].weight -= weight;
    }
  }
}

// z of the corrals' affine hulls, and the weights that make it.
void WrenchQp::find_nearest(Sets sets) {
  std::copy_n(b_.begin(), used_, z_.begin());
  for (int foot = 0; foot < feet_; ++foot) {
    add_image(*sets[foot], foot, references_[foot].vertex, 1, z_.data());
    rest_[foot] = 1;
  }
  start_size_ = std::sqrt(dot8(z_.data(), z_.data(), used_));
  std::fill_n(target_.begin(), count_, 0.0);
  take_out(Q_.data(), count_, stride_, used_, z_.data(), target_.data(), c_.data());
  for (int k = 0; k < count_; ++k) target_[k] = -target_[k];
  for (int k = count_ - 1; k >= 0; --k) {
    const double* r = &R_[static_cast<std::size_t>(k) * max_members_];
    target_[k] /= r[k];
    for (int i = 0; i < k; ++i) target_[i] -= r[i] * target_[k];
    rest_[members_[k].foot] -= target_[k];
  }
}

// Brings the weights to their targets, or as far towards them as none is negative; who has none left
// there leaves. True: arrived.
bool WrenchQp::walk(Sets sets) {
  double way = 1;
  int member = -1, reference = -1;
  for (int k = 0; k < count_; ++k) {
    if (!(target_[k] < 0)) continue;
    const double end = members_[k].weight / (members_[k].weight - target_[k]);
    if (member >= 0 && end >= way) continue;
    way = end;
    member = k;
  }
  for (int foot = 0; foot < feet_; ++foot) {
    if (!(rest_[foot] < 0)) continue;
    const double weight = references_[foot].weight;
    const double end = weight / (weight - rest_[foot]);
    if ((member >= 0 || reference >= 0) && end >= way) continue;
    way = end;
    reference = foot;
  }
  for (int k = 0; k < count_; ++k) {
    double& weight = members_[k].weight;
    weight = std::fmax(weight + way * (target_[k] - weight), 0.0);
  }
  for (int foot = 0; foot < feet_; ++foot) {
    double& weight = references_[foot].weight;
    weight = std::fmax(weight + way * (rest_[foot] - weight), 0.0);
  }
  if (reference >= 0) {
    change_reference(sets, reference);
  } else if (member >= 0) {
    remove(sets, member);
  }
  return reference < 0 && member < 0;
}

// The vertex of a foot's set, or zero, that leads farthest down: min (Bᵀz)·w.
WrenchQp::Support WrenchQp::find_support(const VertexSet& set, int foot) const {
  Lane8 gradient[kMaxWrenchParts];
  for (int p = 0; p < parts_; ++p) {
    gradient[p] = Lane8(dot8(&B_[index(foot * parts_ + p)], z_.data(), used_));
  }
  Lane8 best(0), where(kZeroVertex);
  Lane8 vertex = Lane8::of(0., 1., 2., 3., 4., 5., 6., 7.);
  for (int k = 0; k < set.count(); k += kLaneCount) {
    Lane8 value = gradient[0] * load8(set.part(0) + k);
    for (int p = 1; p < parts_; ++p) value += gradient[p] * load8(set.part(p) + k);
    const auto less = value < best;
    best = select(less, value, best);
    where = select(less, vertex, where);
    vertex += Lane8(kLaneCount);
  }
  int lane = 0;
  for (int i = 1; i < kLaneCount; ++i) {
    if (best[i] < best[lane]) lane = i;
  }
  const int reference = references_[foot].vertex;
  double at_reference = 0;
  for (int p = 0; p < parts_; ++p) at_reference += gradient[p][0] * vertex_part(set, p, reference);
  return {static_cast<int>(where[lane]), at_reference - best[lane]};
}

// Lets the vertex join that leads farthest down. False: none leads down.
bool WrenchQp::add_best(Sets sets, WrenchQpReport& report) {
  report.gap = 0;
  for (int foot = 0; foot < feet_; ++foot) {
    Support& support = supports_[foot];
    support = find_support(*sets[foot], foot);
    const double size = image_size(*sets[foot], foot, support.vertex) +
                        image_size(*sets[foot], foot, references_[foot].vertex);
    report.gap += std::fmax(support.value, 0.0);
    if (!(support.value > kSlopeRounding * start_size_ * size)) support.value = 0;
  }
  while (true) {
    const auto best = std::max_element(supports_.begin(), supports_.begin() + feet_,
                                       [](auto& a, auto& b) { return a.value < b.value; });
    if (best == supports_.begin() + feet_ || best->value == 0) return false;
    const int foot = static_cast<int>(best - supports_.begin());
    if (append(sets, {foot, best->vertex, 0})) return true;
    best->value = 0;  // it depends on the others but for rounding
  }
}

void WrenchQp::write_solution(Sets sets, std::span<int> corrals) {
  std::fill(corrals.begin(), corrals.end(), kNoVertex);
  for (int foot = 0; foot < feet_; ++foot) {
    int* corral = &corrals[static_cast<std::size_t>(foot) * kMaxCorral];
    *corral++ = references_[foot].vertex;
    double* c = &c_[foot * parts_];
    for (int p = 0; p < parts_; ++p) {
      c[p] = references_[foot].weight * vertex_part(*sets[foot], p, references_[foot].vertex);
    }
    for (int k = 0; k < count_; ++k) {
      if (members_[k].foot != foot) continue;
      *corral++ = members_[k].vertex;
      for (int p = 0; p < parts_; ++p) {
        c[p] += members_[k].weight * vertex_part(*sets[foot], p, members_[k].vertex);
      }
    }
  }
}

WrenchQpReport WrenchQp::solve(Sets sets, std::span<int> corrals) {
  WrenchQpReport report;
  for (int i = 0; i < feet_ * parts_; ++i) {
    size_[i] = std::sqrt(dot8(&B_[index(i)], &B_[index(i)], used_));
  }
  start_corrals(sets, corrals);
  int total = 10;
  for (const VertexSet* set : sets) total += kCorralsPerVertex * set->count();
  double last = std::numeric_limits<double>::infinity();
  while (report.iterations < total) {
    do {
      find_nearest(sets);
      ++report.iterations;
    } while (!walk(sets) && report.iterations < total);
    const double size = dot8(z_.data(), z_.data(), used_);
    if (!(size < last)) break;  // no nearer than before: rounding is all that is left
    last = size;
    if (!add_best(sets, report)) {
      report.converged = true;
      break;
    }
  }
  write_solution(sets, corrals);
  return report;
}

}  // namespace footfall
