#include "footfall/dem/lammps.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "dem/bed_file.hpp"
#include "dem/lammps_input.hpp"
#include "dem/lammps_run.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

namespace fs = std::filesystem;

constexpr double kRayleighShare = 0.2;  // of the Rayleigh time in a timestep
constexpr double kMostGrains = 1e8;

double longest_timestep(const BedOptions& options) {
  return options.timestep > 0 ? options.timestep : kRayleighShare * rayleigh_time(options.grains);
}

void check_grains(const Grains& g) {
  check_range("grains.radius", g.radius, 1e-6, 10, "1e-6 to 10 m");
  check_range("grains.density", g.density, 1, 1e5, "1 to 1e5 kg/m^3");
  check_range("grains.youngs_modulus", g.youngs_modulus, 1e3, 1e13, "1e3 to 1e13 Pa");
  check_range("grains.poisson_ratio", g.poisson_ratio, 0, 0.5, "0 to 0.5");
  check_range("grains.friction_coefficient", g.friction_coefficient, 0, 10, "0 to 10");
  check_range("grains.restitution", g.restitution, 0.12, 1, "0.12 to 1: LAMMPS damps no more");
}

void check_bed(const BedOptions& o) {
  check_grains(o.grains);
  const double least = 6 * o.grains.radius;
  for (const auto& [name, value] : {std::pair{"bed.length_x", o.length_x},
                                    {"bed.width_y", o.width_y},
                                    {"bed.depth", o.depth}}) {
    check_range(name, value, least, 1e4, "three grains or more, in m");
  }
  const double grains = o.length_x * o.width_y * o.depth / std::pow(2 * o.grains.radius, 3);
  if (grains > kMostGrains) {
    throw input_error("a bed of {:.3g} grains, expected {:.0g} at most: make the bed smaller or "
                      "its grains larger",
                      grains, kMostGrains);
  }
  const double rayleigh = rayleigh_time(o.grains);
  if (!(o.timestep >= 0 && o.timestep <= 0.5 * rayleigh)) {
    throw input_error("bed.timestep = {:.3g} s, expected 0 for a fifth of the grains' Rayleigh "
                      "time, or at most its half, {:.3g} s",
                      o.timestep, 0.5 * rayleigh);
  }
}

void check_foot(const GrainFoot& f) {
  if (f.shape == GrainFootShape::box) {
    check_range("foot.length_x", f.length_x, 1e-4, 100, "1e-4 to 100 m");
    check_range("foot.width_y", f.width_y, 1e-4, 100, "1e-4 to 100 m");
  } else {
    check_range("foot.radius", f.radius, 1e-4, 100, "1e-4 to 100 m");
  }
  if (f.shape != GrainFootShape::sphere) {
    check_range("foot.height", f.height, 1e-4, 100, "1e-4 to 100 m");
  }
  check_range("foot.reference_height", f.reference_height, -100, 100, "-100 to 100 m");
}

void check_way(const Bed& bed, const GrainFoot& foot, std::span<const FootPose> path) {
  const double radius = bed.options.grains.radius;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const FootPose& p = path[i];
    if (!std::isfinite(p.time + p.x + p.depth + p.tilt) ||
        std::abs(p.tilt) > std::numbers::pi / 2) {
      throw input_error("pose {} of the path: time {} s, x {} m, depth {} m, tilt {} rad, expected "
                        "numbers, the tilt no more than a right angle",
                        i + 1, p.time, p.x, p.depth, p.tilt);
    }
    const double room = wall_clearance(bed, foot, p);
    if (room < 2 * radius) {
      throw input_error("pose {} of the path (x {:.4g} m, depth {:.4g} m, tilt {:.3g} rad) comes "
                        "within {:.3g} m of a wall or the floor of the bed, expected a grain's "
                        "diameter or more: make the bed larger",
                        i + 1, p.x, p.depth, p.tilt, room);
    }
  }
  const double gap = clearance(read_grain_positions(bed.file), bed, foot, path[0]);
  if (gap < 0) {
    throw input_error("the path begins with the foot {:.3g} m in the grains, expected it clear of "
                      "them: begin it higher (depth {:.4g} m)",
                      -gap, path[0].depth + gap);
  }
}

FootPose pose_at(std::span<const FootPose> path, double time) {
  const auto next = std::upper_bound(path.begin(), path.end(), time,
                                     [](double t, const FootPose& p) { return t < p.time; });
  if (next == path.begin()) return path.front();
  if (next == path.end()) return path.back();
  const FootPose &a = *(next - 1), &b = *next;
  const double s = (time - a.time) / (b.time - a.time);
  return {.time = time,
          .x = std::lerp(a.x, b.x, s),
          .depth = std::lerp(a.depth, b.depth, s),
          .tilt = std::lerp(a.tilt, b.tilt, s)};
}

// Puts a whole file where it belongs: after a crash it is there as it was, or not at all.
void keep_file(const fs::path& from, const fs::path& to) {
  const fs::path part = to.string() + ".part";
  const auto fail = [&](const std::string& why) {
    std::error_code ignored;
    fs::remove(part, ignored);
    return EngineError(fmt::format("{}: the bed cannot be written: {}", to.string(), why));
  };
  std::error_code error;
  if (!to.parent_path().empty()) fs::create_directories(to.parent_path(), error);
  if (!error) fs::copy_file(from, part, fs::copy_options::overwrite_existing, error);
  if (error) throw fail(error.message());
  const int descriptor = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) throw fail("it did not reach the disk");
  fs::rename(part, to, error);
  if (error) throw fail(error.message());
}

class Lammps final : public GrainEngine {
 public:
  explicit Lammps(const LammpsOptions& options) : program_(find_lammps(options)) {}

  std::string identity() const override { return program_.identity; }

  Bed prepare_bed(const BedOptions& options, const fs::path& file,
                  const EngineRun& run) const override {
    check_bed(options);
    Bed bed{.file = fs::absolute(file), .options = options, .timestep = longest_timestep(options)};
    const WorkFolder folder(run.folder);
    write_text(folder.path() / "poured.data", poured_grains(options));
    write_text(folder.path() / "settle.in", settle_input(options, bed.timestep));
    double energy = 0, share = 0;
    LammpsOutput output(2, [&](std::span<const double> row) {
      energy = row[1];
      share += 0.02 * (1 - share);  // how long it will take is not known
      if (run.progress) run.progress(share);
    });
    run_lammps(program_, lammps_command(program_, "settle.in", run.processes), folder.path(),
               output, run.stop);
    const std::vector<GrainPosition> grains = read_grain_positions(folder.path() / "bed.data");
    bed.grain_count = static_cast<std::int64_t>(grains.size());
    bed.surface_height = surface_height(grains, options);
    const double volume = 4.0 / 3.0 * std::numbers::pi * std::pow(options.grains.radius, 3);
    bed.packing = static_cast<double>(bed.grain_count) * volume /
                  (options.length_x * options.width_y * bed.surface_height);
    check_rest(energy, bed, volume);
    keep_file(folder.path() / "bed.data", bed.file);
    folder.remove();
    if (run.progress) run.progress(1);
    return bed;
  }

  std::vector<GrainSample> drive_foot(const Bed& bed, const GrainFoot& foot,
                                      std::span<const FootPose> path, double sample_interval,
                                      const EngineRun& run) const override {
    check_foot(foot);
    const DriveSteps steps = drive_steps(path, sample_interval, longest_timestep(bed.options));
    check_way(bed, foot, path);
    const WorkFolder folder(run.folder);
    write_drive(folder.path(), bed, foot, path, steps);
    const std::int64_t last = steps.of.back();
    std::vector<GrainSample> samples;
    std::int64_t before = -1;
    LammpsOutput output(7, [&](std::span<const double> row) {
      const std::int64_t step = std::llround(row[0]);
      if (run.progress) run.progress(static_cast<double>(step) / static_cast<double>(last));
      // A run repeats the row that the one before it ended with, and ends with one of its own.
      if (step <= before || (step % steps.per_sample != 0 && step != last)) return;
      before = step;
      samples.push_back(make_sample(
          row, pose_at(path, path[0].time + steps.timestep * static_cast<double>(step))));
    });
    run_lammps(program_, lammps_command(program_, "drive.in", run.processes), folder.path(), output,
               run.stop);
    const auto expected =
        static_cast<std::size_t>((last + steps.per_sample - 1) / steps.per_sample + 1);
    if (samples.size() != expected) {
      throw EngineError(fmt::format("LAMMPS gave {} of {} samples; it said last:\n  {}",
                                    samples.size(), expected, output.last_lines()));
    }
    folder.remove();
    return samples;
  }

 private:
  // LAMMPS gives force and moment of the foot on the grains.
  static GrainSample make_sample(std::span<const double> row, const FootPose& pose) {
    for (const double value : row) {
      if (!std::isfinite(value)) {
        throw EngineError(fmt::format("LAMMPS gave a wrench that is no number at {:.4g} s: the bed "
                                      "exploded; take a shorter timestep",
                                      pose.time));
      }
    }
    return {.pose = pose,
            .force = {0 - row[1], 0 - row[2], 0 - row[3]},
            .torque = {0 - row[4], 0 - row[5], 0 - row[6]}};
  }

  static void check_rest(double energy, const Bed& bed, double volume) {
    const Grains& g = bed.options.grains;
    const double small = g.density * volume * kGrainGravity * g.radius;
    const double each = energy / static_cast<double>(bed.grain_count);
    if (each < 1e-3 * small) return;
    throw EngineError(
        fmt::format("the bed did not come to rest: {:.3g} J in a grain, expected less than "
                    "a thousandth of its weight times its radius, {:.3g} J",
                    each, 1e-3 * small));
  }

  LammpsProgram program_;
};

}  // namespace

std::unique_ptr<GrainEngine> make_lammps_engine(const LammpsOptions& options) {
  return std::make_unique<Lammps>(options);
}

}  // namespace footfall
