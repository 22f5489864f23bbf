// Grains of LAMMPS as we set them up, against laws in closed form.
#include <cmath>
#include <numbers>

#include "dem/lammps_support.hpp"

namespace footfall {
namespace {

constexpr double kTimestep = 1e-6;

// Without restitution's damping forces are those of the laws alone.
Grains undamped() { return {.youngs_modulus = 1e7, .restitution = 1}; }

BedOptions box_of(const Grains& grains) {
  return {.grains = grains, .length_x = 1, .width_y = 1, .depth = 0.5};
}

// LAMMPS finds a grain by its number only where it is told to keep a map of them.
std::string numbered_input(const Grains& g, const char* data, double timestep) {
  std::string text = grains_input(box_of(g), data, timestep);
  const std::string style = "atom_style sphere\n";
  return text.insert(text.find(style) + style.size(), "atom_modify map array\n");
}

double grain_weight(const Grains& g) {
  return 4.0 / 3.0 * std::numbers::pi * std::pow(g.radius, 3) * g.density * kGrainGravity;
}

// Hertz: F = 4/3 E* √R δ^1.5, with 1/E* = 2 (1 − ν²)/E, R = r on a plane and r/2 between grains.
TEST(GrainContacts, NormalForceIsHertzs) {
  FOOTFALL_SKIP_WITHOUT_LAMMPS();
  const TestFolder folder;
  const Grains g = undamped();
  const double r = g.radius,
               modulus = g.youngs_modulus / (2 * (1 - g.poisson_ratio * g.poisson_ratio));
  const double deep = 3e-4, shallow = 2e-5, between = 1e-4;
  // On the floor, at a side wall, and two high above the floor that touch each other.
  write_text(folder / "test.data", grains_at(g, {{0.2, 0.2, r - deep},
                                                 {r - shallow, 0.5, 0.5},
                                                 {0.5, 0.5, 0.5},
                                                 {0.5 + 2 * r - between, 0.5, 0.5}}));
  const auto rows = run_rows(folder,
                             numbered_input(g, "test.data", kTimestep) +
                                 "variable a equal fz[1]\nvariable b equal fx[2]\n"
                                 "variable c equal fx[3]\nvariable d equal fx[4]\n"
                                 "thermo_style custom step v_a v_b v_c v_d\n"
                                 "thermo_modify format float %.17g\nrun 0\n",
                             5);
  ASSERT_EQ(rows.size(), 1U);
  const auto hertz = [&](double radius, double overlap) {
    return 4.0 / 3.0 * modulus * std::sqrt(radius) * std::pow(overlap, 1.5);
  };
  const double tolerance = 1e-10;
  EXPECT_NEAR(rows[0][1] + grain_weight(g), hertz(r, deep), tolerance * hertz(r, deep));
  EXPECT_NEAR(rows[0][2], hertz(r, shallow), tolerance * hertz(r, shallow));
  EXPECT_NEAR(rows[0][3], -hertz(r / 2, between), tolerance * hertz(r / 2, between));
  EXPECT_NEAR(rows[0][4], hertz(r / 2, between), tolerance * hertz(r / 2, between));
}

// Mindlin, no slip: F_t = 8 G* √(R δ) s, until Coulomb's μ F_n. A grain held at its height slides along the
// floor, another along a third that stands still.
TEST(GrainContacts, TangentialForceIsMindlinsUpToCoulombs) {
  FOOTFALL_SKIP_WITHOUT_LAMMPS();
  const TestFolder folder;
  const Grains g = undamped();
  const double r = g.radius, overlap = 1e-4, speed = 1e-3, timestep = 1e-4;
  write_text(
      folder / "test.data",
      grains_at(g, {{0.2, 0.2, r - overlap}, {0.5, 0.5, 0.5}, {0.5, 0.5 + 2 * r - overlap, 0.5}}));
  const auto rows =
      run_rows(folder,
               numbered_input(g, "test.data", timestep) +
                   fmt::format("unfix motion\ngroup sliding id 1 2\ngroup still id 3\n"
                               "fix slide sliding move linear {} 0 0\n"
                               "fix hold still move linear 0 0 0\n",
                               speed) +
                   "variable a equal fx[1]\nvariable b equal fx[2]\n"
                   "thermo 1\nthermo_style custom step v_a v_b\n"
                   "thermo_modify format float %.17g\nrun 2000\n",
               3);
  ASSERT_EQ(rows.size(), 2001U);
  const double modulus = g.youngs_modulus / (4 * (2 - g.poisson_ratio) * (1 + g.poisson_ratio));
  const double hertz = 4.0 / 3.0 * g.youngs_modulus /
                       (2 * (1 - g.poisson_ratio * g.poisson_ratio)) * std::sqrt(r) *
                       std::pow(overlap, 1.5);
  // What little damping LAMMPS leaves at a restitution of 1 is constant: it falls out of differences.
  for (const int step : {1, 10, 100}) {
    const double slid = speed * timestep * step;
    const double floor = 8 * modulus * std::sqrt(r * overlap) * slid;
    EXPECT_NEAR(rows[2 * step][1] - rows[step][1], -floor, 1e-9 * floor) << step;
    // Two grains: R = r/2, and their line of centres turns, by slid / (2 r − δ).
    const double pair = 8 * modulus * std::sqrt(0.5 * r * overlap) * slid -
                        hertz * std::sqrt(0.5) * slid / (2 * r - overlap);
    EXPECT_NEAR(rows[2 * step][2] - rows[step][2], -pair, 1e-4 * pair) << step;
  }
  EXPECT_NEAR(rows[2000][1], -g.friction_coefficient * hertz, 1e-9 * hertz);
}

// Tsuji's damping: the stated restitution, at any speed.
TEST(GrainContacts, BounceHasTheStatedRestitution) {
  FOOTFALL_SKIP_WITHOUT_LAMMPS();
  const TestFolder folder;
  for (const double restitution : {0.5, 0.8}) {
    const Grains g{.youngs_modulus = 1e7, .restitution = restitution};
    const double r = g.radius;
    write_text(
        folder / "test.data",
        grains_at(g, {{0.2, 0.2, r}, {0.6, 0.6, r}, {0.2, 0.8, 0.5}, {0.2, 0.8, 0.5 + 2 * r}}));
    const auto rows = run_rows(
        folder,
        numbered_input(g, "test.data", 2e-6) +
            "unfix gravity\n"
            "set atom 1 vz -0.05\nset atom 2 vz -1\nset atom 3 vz 0.2\nset atom 4 vz -0.2\n"
            "variable a equal vz[1]\nvariable b equal vz[2]\nvariable c equal vz[4]\n"
            "thermo 20000\nthermo_style custom step v_a v_b v_c\nrun 20000\n",
        4);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_NEAR(rows[1][1] / 0.05, restitution, 2e-3);
    EXPECT_NEAR(rows[1][2] / 1.0, restitution, 2e-3);
    EXPECT_NEAR(rows[1][3] / 0.2, restitution, 2e-3);
    EXPECT_NEAR(rows[1][1] / 0.05, rows[1][2], 1e-3);
  }
}

}  // namespace
}  // namespace footfall
