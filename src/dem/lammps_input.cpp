#include "dem/lammps_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "input_error.hpp"

namespace footfall {
namespace {

constexpr double kSpacing = 2.15;  // between centres of poured grains, in radii
constexpr double kPouredPacking =
    0.58;                          // of the bed that they come to, never less than this is reached
constexpr double kRakedOff = 2.5;  // poured above the bed's depth, in radii
constexpr double kPouredSpeed = 20;  // of a grain at the start, in radii per second
constexpr double kSkin = 0.3;        // of neighbour lists, in radii

// The damping α of Tsuji's F = K δ^1.5 + α √(m K) δ^(1/4) δ̇ that bounces with a restitution, in closed form
// (Antypov and Elliott 2011, EPL 94, 50004).
double tsuji_damping(double restitution) {
  const double x = std::log(restitution);
  return -std::sqrt(5.0) * x / std::hypot(x, std::numbers::pi);
}

// The number that LAMMPS must be given. It takes α from a polynomial in it, which with the mass that it uses
// comes out 1/√2 times too small: grains told to bounce with 0.5 would with 0.62.
double tsuji_number(double restitution) {
  const auto polynomial = [](double e) {
    return 1.2728 +
           e * (-4.2783 + e * (11.087 + e * (-22.348 + e * (27.467 + e * (-18.022 + e * 4.8218)))));
  };
  double low = 0, high = 1;  // it falls from 1.27 to 0.0003
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (polynomial(middle) > tsuji_damping(restitution) ? low : high) = middle;
  }
  return low;
}

// The foot as LAMMPS's region, upright, its sole's centre at (x, y, z).
std::string shape_text(const GrainFoot& foot, double x, double y, double z) {
  switch (foot.shape) {
  case GrainFootShape::cylinder:
    return fmt::format("cylinder z {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}", x, y, foot.radius, z,
                       z + foot.height);
  case GrainFootShape::box:
    return fmt::format("block {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}",
                       x - 0.5 * foot.length_x, x + 0.5 * foot.length_x, y - 0.5 * foot.width_y,
                       y + 0.5 * foot.width_y, z, z + foot.height);
  case GrainFootShape::sphere:
    return fmt::format("sphere {:.17g} {:.17g} {:.17g} {:.17g}", x, y, z + foot.radius,
                       foot.radius);
  }
  throw InputError("a foot's shape is cylinder, box or sphere");
}

// Variables of the motion from one pose to the next: LAMMPS evaluates them at every step.
std::string motion_text(const FootPose& from, const FootPose& to, std::int64_t begin,
                        std::int64_t end) {
  const auto line = [&](const char* name, double a, double b) {
    return fmt::format("variable {} equal {:.17g}+{:.17g}*(step-{})\n", name, a,
                       (b - a) / static_cast<double>(end - begin), begin);
  };
  return line("foot_x", from.x, to.x) + line("foot_z", -from.depth, -to.depth) +
         line("foot_tilt", from.tilt, to.tilt);
}

// Lets the bed move for a time, in pieces, until what moves in it is nothing beside a grain's weight.
std::string rest_text(const char* label, std::int64_t steps) {
  return fmt::format(R"(variable piece loop 40
label {label}
run {steps}
if "$(c_energy/atoms) < ${{still}}" then "jump SELF {label}_done"
next piece
jump SELF {label}
label {label}_done
variable piece delete
)",
                     fmt::arg("label", label), fmt::arg("steps", steps));
}

}  // namespace

double hertz_stiffness(const Grains& g) {
  return 4.0 / 3.0 * g.youngs_modulus / (2 * (1 - g.poisson_ratio * g.poisson_ratio));
}

double mindlin_stiffness(const Grains& g) {
  return 8 * g.youngs_modulus / (4 * (2 - g.poisson_ratio) * (1 + g.poisson_ratio));
}

double rayleigh_time(const Grains& g) {
  const double shear_modulus = g.youngs_modulus / (2 * (1 + g.poisson_ratio));
  return std::numbers::pi * g.radius * std::sqrt(g.density / shear_modulus) /
         (0.1631 * g.poisson_ratio + 0.8766);
}

DriveSteps drive_steps(std::span<const FootPose> path, double sample_interval,
                       double longest_step) {
  if (path.size() < 2) throw input_error("the path has {} poses, expected 2 or more", path.size());
  if (!(sample_interval > 0)) {
    throw input_error("sample_interval = {} s, expected more than 0", sample_interval);
  }
  DriveSteps steps;
  steps.per_sample =
      std::max<std::int64_t>(std::llround(std::ceil(sample_interval / longest_step - 1e-9)), 1);
  steps.timestep = sample_interval / static_cast<double>(steps.per_sample);
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i > 0 && !(path[i].time > path[i - 1].time)) {
      throw input_error(
          "pose {} of the path is at {} s, expected later than the {} s of the pose before", i + 1,
          path[i].time, path[i - 1].time);
    }
    steps.of.push_back(std::llround((path[i].time - path[0].time) / steps.timestep));
  }
  return steps;
}

std::string grains_input(const BedOptions& bed, const char* data, double timestep) {
  const Grains& g = bed.grains;
  const std::string contact =
      fmt::format("hertz {:.17g} {:.17g} tangential mindlin {:.17g} 0.5 {:.17g} damping tsuji",
                  hertz_stiffness(g), tsuji_number(g.restitution), mindlin_stiffness(g),
                  g.friction_coefficient);
  return fmt::format(R"(units si
atom_style sphere
boundary f f fm
newton off
processors * * 1
comm_modify mode single vel yes
read_data {data}
pair_style granular
pair_coeff * * {contact}
neighbor {skin:.17g} bin
neigh_modify delay 0 every 1 check yes
timestep {timestep:.17g}
variable contact string "granular {contact}"
fix gravity all gravity {gravity} vector 0 0 -1
fix motion all nve/sphere
fix floor all wall/gran ${{contact}} zplane 0.0 NULL
fix sides_x all wall/gran ${{contact}} xplane 0.0 {length:.17g}
fix sides_y all wall/gran ${{contact}} yplane 0.0 {width:.17g}
)",
                     fmt::arg("data", data), fmt::arg("contact", contact),
                     fmt::arg("skin", kSkin * g.radius), fmt::arg("timestep", timestep),
                     fmt::arg("gravity", kGrainGravity), fmt::arg("length", bed.length_x),
                     fmt::arg("width", bed.width_y));
}

std::string poured_grains(const BedOptions& bed) {
  const double r = bed.grains.radius, a = kSpacing * r;
  const double volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double height = bed.depth + kRakedOff * r;
  const auto count = static_cast<std::int64_t>(
      std::ceil(kPouredPacking * bed.length_x * bed.width_y * height / volume));
  const auto rows = static_cast<std::int64_t>(bed.length_x / a);
  const auto columns = static_cast<std::int64_t>(bed.width_y / a);
  const std::int64_t layers = (count + rows * columns - 1) / (rows * columns);
  std::mt19937 random(bed.seed);
  // Not std::uniform_real_distribution: it may differ between standard libraries.
  const auto uniform = [&random] { return 2 * (static_cast<double>(random()) / 4294967295.0) - 1; };
  std::string atoms, velocities;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t layer = i / (rows * columns), row = i / columns % rows, column = i % columns;
    const double jitter = 0.5 * (a - 2 * r);
    const double x = bed.length_x * (static_cast<double>(row) + 0.5) / static_cast<double>(rows);
    const double y =
        bed.width_y * (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
    const double z = a * (static_cast<double>(layer) + 0.5);
    fmt::format_to(std::back_inserter(atoms), "{} 1 {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n",
                   i + 1, 2 * r, bed.grains.density, x + jitter * uniform(), y + jitter * uniform(),
                   z + jitter * uniform());
    const double speed = kPouredSpeed * r;
    fmt::format_to(std::back_inserter(velocities), "{} {:.17g} {:.17g} {:.17g} 0 0 0\n", i + 1,
                   speed * uniform(), speed * uniform(), speed * uniform());
  }
  return fmt::format(
      "poured grains\n\n{} atoms\n1 atom types\n\n0 {:.17g} xlo xhi\n0 {:.17g} ylo yhi\n"
      "{:.17g} {:.17g} zlo zhi\n\nAtoms # sphere\n\n{}\nVelocities\n\n{}",
      count, bed.length_x, bed.width_y, -0.5 * r, a * (static_cast<double>(layers) + 1), atoms,
      velocities);
}

std::string settle_input(const BedOptions& bed, double timestep) {
  const Grains& g = bed.grains;
  const double mass = 4.0 / 3.0 * std::numbers::pi * std::pow(g.radius, 3) * g.density;
  const double weight = mass * kGrainGravity;
  const auto steps = [&](double time) { return std::llround(std::ceil(time / timestep)); };
  // Poured grains stand about 1.4 times as high as the bed.
  const double fall = std::sqrt(2 * 0.5 * (bed.depth + 10 * g.radius) / kGrainGravity);
  const double swing = std::sqrt(g.radius / kGrainGravity);
  std::string text = grains_input(bed, "poured.data", timestep);
  text += fmt::format(R"(compute energy all ke
variable still equal {still:.17g}
thermo {often}
thermo_style custom step c_energy
thermo_modify lost error norm no line one format float %.17g flush yes
run {fall}
fix slow all viscous {viscosity:.17g}
)",
                      fmt::arg("still", 1e-5 * weight * g.radius), fmt::arg("often", steps(0.02)),
                      fmt::arg("fall", steps(fall)), fmt::arg("viscosity", mass / (3 * swing)));
  text += rest_text("settle", steps(swing));
  text += fmt::format("region above block INF INF INF INF {:.17g} INF units box\n"
                      "group above region above\ndelete_atoms group above compress yes\n",
                      bed.depth - g.radius);
  text += rest_text("again", steps(swing));
  text += fmt::format("unfix slow\nrun {}\n", steps(2 * swing));
  text += "write_data bed.data nocoeff\nprint \"bed written\"\n";
  return text;
}

std::string drive_input(const Bed& bed, const GrainFoot& foot, std::span<const FootPose> path,
                        const DriveSteps& steps) {
  const double x = 0.5 * bed.options.length_x, y = 0.5 * bed.options.width_y;
  std::string text = grains_input(bed.options, "bed.data", steps.timestep);
  text += "reset_timestep 0\nvariable zero equal 0\n";
  text += motion_text(path[0], path[1], steps.of[0], std::max<std::int64_t>(steps.of[1], 1));
  // LAMMPS turns a region about a fixed axis, then moves it: so the axis goes through the sole's centre
  // where it is not yet moved. Its forces are those on the grains; a grain has one contact with a foot.
  text += fmt::format(
      R"(region foot {shape} side out move v_foot_x v_zero v_foot_z rotate v_foot_tilt {x:.17g} {y:.17g} {z:.17g} 0 1 0 units box
fix foot all wall/gran/region ${{contact}} region foot contacts
variable reference_x equal {x:.17g}+v_foot_x+{h:.17g}*sin(v_foot_tilt)
variable reference_z equal {z:.17g}+v_foot_z+{h:.17g}*cos(v_foot_tilt)
variable arm_x atom f_foot[5]-v_reference_x
variable arm_y atom f_foot[6]-{y:.17g}
variable arm_z atom f_foot[7]-v_reference_z
variable moment_x atom v_arm_y*f_foot[4]-v_arm_z*f_foot[3]
variable moment_y atom v_arm_z*f_foot[2]-v_arm_x*f_foot[4]
variable moment_z atom v_arm_x*f_foot[3]-v_arm_y*f_foot[2]
compute wrench all reduce sum f_foot[2] f_foot[3] f_foot[4] v_moment_x v_moment_y v_moment_z
thermo {often}
thermo_style custom step c_wrench[1] c_wrench[2] c_wrench[3] c_wrench[4] c_wrench[5] c_wrench[6]
thermo_modify lost error norm no line one format float %.17g flush yes
)",
      fmt::arg("shape", shape_text(foot, x, y, bed.surface_height)), fmt::arg("x", x),
      fmt::arg("y", y), fmt::arg("z", bed.surface_height), fmt::arg("h", foot.reference_height),
      fmt::arg("often", steps.per_sample));
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const std::int64_t count = steps.of[i + 1] - steps.of[i];
    if (count == 0) continue;
    text += motion_text(path[i], path[i + 1], steps.of[i], steps.of[i + 1]);
    text += fmt::format("run {}\n", count);
  }
  return text;
}

}  // namespace footfall
