// Random problems of solver/wrench_qp.hpp with the solutions that it finds, for test_wrench_qp.py, which
// solves them again.
//
//   footfall_wrench_problems COUNT SEED > file
//
// All numbers are doubles. Of each problem: feet, parts, rows; Y, column by column (feet·parts columns of
// `rows`); z_free; the masses (feet·parts); for each foot the number of vertices, then these, part by part;
// and of the solution: converged, gap, iterations, seconds from scratch, seconds from the solution's own
// corrals, and the impulses (feet·parts).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include "footfall/solver/wrench_qp.hpp"

namespace footfall {
namespace {

struct Problem {
  int feet = 0, parts = 0, rows = 0;
  std::vector<double> Y, z_free, masses;
  std::vector<VertexSet> sets;
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Problem make() {
    Problem p;
    p.feet = whole(1, 4);
    p.parts = whole(0, 1) == 0 ? 3 : 6;
    // a chain of its own for each foot, and what all share
    const int own = whole(0, 7), shared = p.parts == 3 ? 3 : 6;
    p.rows = shared + own * p.feet;
    const int columns = p.feet * p.parts;
    p.Y.assign(static_cast<std::size_t>(columns) * p.rows, 0.0);
    for (int c = 0; c < columns; ++c) {
      const int first = shared + own * (c / p.parts);
      for (int r = 0; r < p.rows; ++r) {
        const bool moves = r < shared || (r >= first && r < first + own);
        if (moves) p.Y[static_cast<std::size_t>(c) * p.rows + r] = normal();
      }
    }
    if (chance(0.25)) make_singular(p);
    const double motion = std::pow(10, 4 * uniform() - 2), reach = std::pow(10, 4 * uniform() - 2);
    for (int r = 0; r < p.rows; ++r) p.z_free.push_back(motion * normal());
    const double mass = chance(0.3) ? 0 : std::pow(10, 2 * uniform() - 1);
    for (int c = 0; c < columns; ++c) p.masses.push_back(mass * uniform());
    for (int f = 0; f < p.feet; ++f) p.sets.push_back(make_set(p.parts, reach));
    return p;
  }

 private:
  double normal() { return normal_(random_); }
  double uniform() { return uniform_(random_); }
  bool chance(double share) { return uniform() < share; }
  int whole(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }

  // A direction that no joint yields to, or one foot that moves as another does.
  void make_singular(Problem& p) {
    const int columns = p.feet * p.parts;
    const int from = whole(0, columns - 1), to = whole(0, columns - 1);
    const double factor = chance(0.5) ? 0 : normal();
    for (int r = 0; r < p.rows; ++r) {
      p.Y[static_cast<std::size_t>(to) * p.rows + r] =
          factor * p.Y[static_cast<std::size_t>(from) * p.rows + r];
    }
  }

  // A body about a point away from zero, as grains push more than they pull.
  VertexSet make_set(int parts, double reach) {
    const int count = whole(10, 110);
    VertexSet set(parts, count);
    set.resize(count);
    const int up = parts == 3 ? 1 : 2;
    const bool flat = chance(0.1), none = chance(0.03), unlike = chance(0.3);
    for (int k = 0; k < count && !none; ++k) {
      const bool again = k > 0 && chance(0.05);  // a vertex twice
      const int other = again ? whole(0, k - 1) : 0;
      for (int p = 0; p < parts; ++p) {
        double value = reach * (normal() + (p == up ? 1 : 0));
        if (unlike && p >= parts / 2) value *= 1e-3;  // torques beside forces
        if (flat && p == parts - 1) value = 0;
        set.part(p)[k] = again ? set.part(p)[other] : value;
      }
    }
    return set;
  }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

void put(const double* values, std::size_t count) {
  if (std::fwrite(values, sizeof(double), count, stdout) != count) std::exit(1);
}
void put(double value) { put(&value, 1); }

void fill(const Problem& p, WrenchQp& qp) {
  qp.start(p.feet, p.rows);
  for (int c = 0; c < p.feet * p.parts; ++c) {
    const double* y = &p.Y[static_cast<std::size_t>(c) * p.rows];
    std::copy(y, y + p.rows, qp.column(c / p.parts, c % p.parts));
  }
  std::copy(p.z_free.begin(), p.z_free.end(), qp.offset());
  qp.add_masses(p.masses);
}

void write_problem(const Problem& p) {
  put(p.feet), put(p.parts), put(p.rows);
  put(p.Y.data(), p.Y.size());
  put(p.z_free.data(), p.z_free.size());
  put(p.masses.data(), p.masses.size());
  for (const VertexSet& set : p.sets) {
    put(set.count());
    for (int part = 0; part < p.parts; ++part) {
      put(set.part(part), static_cast<std::size_t>(set.count()));
    }
  }
}

void solve_and_write(const Problem& p) {
  using Clock = std::chrono::steady_clock;
  WrenchQp qp(p.feet, p.parts, p.rows);
  std::vector<const VertexSet*> sets;
  for (const VertexSet& set : p.sets) sets.push_back(&set);
  std::vector<int> corrals(static_cast<std::size_t>(p.feet) * kMaxCorral, kNoVertex);
  const auto solve = [&] {
    const Clock::time_point start = Clock::now();
    fill(p, qp);
    const WrenchQpReport report = qp.solve(sets, corrals);
    return std::pair(report, std::chrono::duration<double>(Clock::now() - start).count());
  };
  const auto [report, scratch_time] = solve();
  const double again_time = solve().second;
  put(report.converged ? 1 : 0), put(report.gap), put(report.iterations);
  put(scratch_time), put(again_time);
  for (int c = 0; c < p.feet * p.parts; ++c) put(qp.impulse(c / p.parts, c % p.parts));
}

}  // namespace
}  // namespace footfall

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: footfall_wrench_problems COUNT SEED\n", stderr);
    return 2;
  }
  footfall::Maker maker(static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)));
  const long count = std::strtol(argv[1], nullptr, 10);
  for (long i = 0; i < count; ++i) {
    const footfall::Problem problem = maker.make();
    footfall::write_problem(problem);
    footfall::solve_and_write(problem);
  }
  return 0;
}
