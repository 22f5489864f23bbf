// footfall mujoco curve: what solref and solimp mean over sinkage.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/report/plot.hpp"
#include "footfall/soft/soft_curve.hpp"
#include "soft_options.hpp"

namespace footfall::mujoco_commands {
namespace {

constexpr int kCurvePoints = 200;  // of the picture and of the JSON
constexpr int kCurveRows = 10;     // of the table

struct CurveCommand {
  SoftNumbers soft;
  double share = 1, load = 0, deepest_mm = 0, timestep_ms = 2;
  bool unsafe = false;
  std::string plot;
  bool json = false;
};

struct CurvePoint {
  double sinkage = 0, impedance = 0, stiffness = 0, force = 0;
};

struct SoftCurve {
  SoftLaw<double> law{};
  double load = 0, rest = 0;  // [N], [m]
  std::string warning;
  std::vector<CurvePoint> points;
};

SoftCurve find_curve(const CurveCommand& c) {
  const SoftSafety safety{1e-3 * c.timestep_ms, !c.unsafe};
  const SoftReference solref = solref_of(c.soft);
  SoftCurve out;
  out.law = make_soft_law(solref, solimp_of(c.soft), safety);
  out.load = c.load > 0 ? c.load : 9.81 * c.share;
  out.rest = find_rest_sinkage(out.law, c.share, out.load);
  out.warning = describe_long_step(solref, safety);
  const double seen = std::isfinite(out.rest) ? 2 * out.rest : 0;
  const double deepest =
      c.deepest_mm > 0 ? 1e-3 * c.deepest_mm : std::max(seen, 1.5 * out.law.width);
  for (int k = 0; k <= kCurvePoints; ++k) {
    const double sinkage = deepest * k / kCurvePoints;
    const double d = evaluate_impedance(out.law, -sinkage).value;
    out.points.push_back(
        {sinkage, d, out.law.stiffness * d, static_force(out.law, c.share, sinkage)});
  }
  return out;
}

void print_curve_json(const CurveCommand& c, const SoftCurve& curve) {
  const SoftReference solref = solref_of(c.soft);
  const SoftImpedance s = solimp_of(c.soft);
  const bool rests = std::isfinite(curve.rest);
  Json out = {
      {"solref", {solref.first, solref.second}},
      {"solimp", {s.d0, s.d_width, s.width, s.midpoint, s.power}},
      {"share_kg", c.share},
      {"load_N", curve.load},
      {"rest_sinkage_m", rests ? Json(curve.rest) : Json()},
      {"damping_ratio_at_rest",
       rests ? Json(rest_damping_ratio(curve.law, curve.rest, curve.load / c.share)) : Json()},
      {"damping_per_s", curve.law.damping},
      {"longest_step_s", longest_soft_step(solref)}};
  Json& points = out["curve"] = Json::array();
  for (const CurvePoint& p : curve.points) {
    points.push_back({{"sinkage_m", p.sinkage},
                      {"impedance", p.impedance},
                      {"stiffness_per_s2", p.stiffness},
                      {"force_N", p.force}});
  }
  out["warnings"] = curve.warning.empty() ? Json::array() : Json{curve.warning};
  print_json(out);
}

void print_curve_text(const CurveCommand& c, const SoftCurve& curve) {
  const SoftReference solref = solref_of(c.soft);
  fmt::print("solref {:g} {:g}: damping b = {:.4g} 1/s, stiffness k = {:.4g} 1/s² × d(r); steps up "
             "to {:.3g} ms\n",
             solref.first, solref.second, curve.law.damping, curve.law.stiffness,
             1e3 * longest_soft_step(solref));
  if (std::isfinite(curve.rest)) {
    fmt::print("{:.4g} N on contacts worth {:.4g} kg rest {:.4g} mm deep; damping ratio of small "
               "bounces there {:.3g}\n",
               curve.load, c.share, 1e3 * curve.rest,
               rest_damping_ratio(curve.law, curve.rest, curve.load / c.share));
  } else {
    fmt::print("without stiffness nothing rests\n");
  }
  if (!curve.warning.empty()) fmt::print("note: {}\n", curve.warning);
  std::vector<std::vector<std::string>> rows{
      {"sinkage", "impedance d", "stiffness k", "force at rest"}};
  for (int k = 0; k <= kCurveRows; ++k) {
    const CurvePoint& p = curve.points[static_cast<std::size_t>(k * kCurvePoints / kCurveRows)];
    rows.push_back({fmt::format("{:.4g} mm", 1e3 * p.sinkage), fmt::format("{:.4f}", p.impedance),
                    fmt::format("{:.4g} 1/s²", p.stiffness), fmt::format("{:.4g} N", p.force)});
  }
  fmt::print("\n");
  print_rows(rows, "rrrr");
  if (!c.plot.empty()) fmt::print("\nPicture: {}\n", c.plot);
}

void write_curve_plot(const CurveCommand& c, const SoftCurve& curve) {
  const auto panel = [&](const char* label, const char* unit, double CurvePoint::* value) {
    PlotLine line;
    for (const CurvePoint& p : curve.points) {
      line.x.push_back(1e3 * p.sinkage);
      line.y.push_back(p.*value);
    }
    return PlotPanel{.x = {.label = "sinkage -r", .unit = "mm"},
                     .y = {.label = label, .unit = unit, .low = 0},
                     .lines = {line}};
  };
  PlotPanel damping = panel("damping b", "1/s", &CurvePoint::stiffness);
  std::fill(damping.lines[0].y.begin(), damping.lines[0].y.end(), curve.law.damping);
  const SoftReference solref = solref_of(c.soft);
  const SoftImpedance s = solimp_of(c.soft);
  write_plot(
      c.plot,
      {.title = "What solref and solimp mean over sinkage",
       .subtitle = fmt::format(
           "solref {:g} {:g}, solimp {:g} {:g} {:g} {:g} {:g}, contacts worth {:g} kg",
           solref.first, solref.second, s.d0, s.d_width, s.width, s.midpoint, s.power, c.share),
       .panels = {panel("impedance d", "", &CurvePoint::impedance),
                  panel("stiffness k", "1/s²", &CurvePoint::stiffness), damping,
                  panel("force at rest", "N", &CurvePoint::force)}});
}

void run_curve(const CurveCommand& c) {
  if (!c.plot.empty()) check_ending("plot", c.plot, ".svg");
  const SoftCurve curve = find_curve(c);
  if (!c.plot.empty()) write_curve_plot(c, curve);
  if (c.json) {
    print_curve_json(c, curve);
  } else {
    print_curve_text(c, curve);
  }
}

}  // namespace

void add_curve(CLI::App& mujoco) {
  auto [sub, c] = add_command<CurveCommand>(
      mujoco, "curve", "Draw what solref and solimp mean: impedance, stiffness, damping, force",
      run_curve);
  add_soft_options(sub, c.soft, true);
  sub.add_option("--share-kg", c.share,
                 "What the contacts weigh in MuJoCo's eyes: a free body's mass, times its contacts")
      ->check(CLI::Range(1e-6, 1e6))
      ->capture_default_str();
  sub.add_option("--load-N", c.load, "What they carry; default: the weight of --share-kg")
      ->check(CLI::Range(1e-6, 1e9));
  sub.add_option("--deepest-mm", c.deepest_mm,
                 "Where the curve ends; default: beyond width and rest")
      ->check(CLI::Range(1e-6, 1e5));
  sub.add_option("--timestep-ms", c.timestep_ms, "Of the simulation")
      ->check(CLI::Range(1e-3, 1e3))
      ->capture_default_str();
  sub.add_flag("--no-refsafe", c.unsafe, "Time constants below two steps stay as they are");
  sub.add_option("--plot", c.plot, "Draw it as an SVG file");
  sub.add_flag("--json", c.json, "Print JSON, and nothing else, on stdout");
  sub.footer("Examples:\n"
             "  footfall mujoco curve --solref 0.02 1 --plot default.svg\n"
             "  footfall mujoco curve --solref -2060.1 -90.8 --solimp 0 0.95 0.02 0.5 2");
}

}  // namespace footfall::mujoco_commands
