// Section IV and V: the biped walks five steps. Figs. 11 to 14.
//
// The paper's robot and gait are not given in numbers; ours are robots/biped.xml and the walk of
// scenarios/biped_walk.toml, with the paper's k_p = 500, k_v = 250.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/run/controller.hpp"
#include "io/data_folders.hpp"
#include "reproduce/rengifo2009_parts.hpp"

namespace footfall::rengifo2009 {
namespace {

constexpr int kVertices = 4;     // of a foot
constexpr double kSwing = 2e-3;  // a foot whose lowest vertex is higher than this swings [m]
// A landing takes π/√k_p: down to its depth at once, up again and back. What rebounds in that time has
// really landed: no false impact [s].
const double kLanding = M_PI / std::sqrt(500.0);
constexpr double kTimestep = 5e-4;  // [s]
constexpr double kDuration = 7.5;   // [s]
constexpr double kFigureEnd = 4.0;  // of Fig. 11 [s]

std::string walk_text(double epsilon, int rounds, double step_duration) {
  return fmt::format(
      "[robot]\nfile = \"biped\"\nkeyframe = \"stand\"\ndrop_height_m = 0\n"
      "[contact]\nmodel = \"feedback_linearized\"\nfriction_coefficient = 0.8\n"
      "k_p_per_s2 = 500\nk_v_per_s = 250\nepsilon_m = {}\nrounds = {}\n"
      "[step]\ntimestep_s = {}\nduration_s = {}\n"
      "[controller]\nkind = \"walk\"\nkp = 200\nkd = 5\nstep_count = 5\nstep_length_m = 0.2\n"
      "step_height_m = 0.05\nstep_duration_s = {}\ndouble_support_share = 0.25\n"
      "base_height_m = 0.79\n",
      epsilon, rounds, kTimestep, kDuration, step_duration);
}

enum class Part : char { swing, landing, standing };
struct Vertex {
  std::vector<double> height, force;  // of each step [m, N]
  std::vector<Part> part;             // of each step
};
struct WalkedFoot {
  std::array<Vertex, kVertices> vertices;
};
struct Walked {
  std::vector<double> time;
  std::array<WalkedFoot, 2> feet;
  double way = 0;   // of the trunk [m]
  double tilt = 0;  // of the trunk at the end [deg]
};

void record_feet(const World& world, const StepWorkspace<double>& workspace, Walked& out) {
  for (int f = 0; f < 2; ++f) {
    const SoleGroup& group = world.soles.groups[world.soles.feet[f].group];
    for (int i = 0; i < kVertices; ++i) {
      const Vec3d p = world.soles.points[group.first_point + i].position;
      Vertex& vertex = out.feet[f].vertices[i];
      vertex.height.push_back(
          (workspace.data.p_WB[group.body] + workspace.data.R_WB[group.body] * p).z);
      vertex.force.push_back(0);
    }
  }
  for (const ContactPoint<double>& point : workspace.points) {
    const SolePoint& sole = world.soles.points[point.sole_point];
    if (sole.foot < 0) continue;
    const int first = world.soles.groups[world.soles.feet[sole.foot].group].first_point;
    out.feet[sole.foot].vertices[point.sole_point - first].force.back() = point.normal_force;
  }
}

// A foot swings while all its vertices are higher than kSwing. A vertex lands for kLanding after its
// first touch since then (or since the start), stands after that, and is leaving for as long before a swing.
void find_parts(WalkedFoot& foot) {
  const int n = static_cast<int>(foot.vertices[0].height.size());
  const int while_landing = static_cast<int>(std::lround(kLanding / kTimestep));
  for (Vertex& v : foot.vertices) {
    v.part.assign(n, Part::swing);
    int touched = -1;
    for (int k = 0; k < n; ++k) {
      double lowest = 1;
      for (const Vertex& other : foot.vertices) lowest = std::fmin(lowest, other.height[k]);
      if (lowest > kSwing) {
        for (int j = std::max(0, k - while_landing); j < k && touched >= 0; ++j) {
          if (v.part[j] == Part::standing) v.part[j] = Part::landing;
        }
        touched = -1;
      } else if (touched < 0 && v.height[k] <= 0) {
        touched = k;
      } else if (touched >= 0) {
        v.part[k] = k - touched < while_landing ? Part::landing : Part::standing;
      }
    }
  }
}

Walked walk(double epsilon, int rounds, double step_duration = 0.8) {
  const Scenario scenario =
      parse_scenario(walk_text(epsilon, rounds, step_duration), "rengifo2009", ".");
  const World world = build_world(scenario);
  State<double> state = place_robot(scenario, world);
  const Controller controller = make_controller(scenario, world);
  RunningGait gait = start_gait(controller, world, state);
  Control<double> command = controller.start;
  StepWorkspace<double> workspace(world);
  Walked out;
  const double start = state.qpos[0];
  for (std::int64_t k = 0; k < step_count(scenario); ++k) {
    out.time.push_back(state.time);
    gait.update(world, state, command);
    step(world, command, state, workspace);
    list_results(world, workspace);
    record_feet(world, workspace, out);
  }
  for (WalkedFoot& foot : out.feet) find_parts(foot);
  out.way = state.qpos[0] - start;
  out.tilt = 2 * std::asin(std::fmin(1.0, std::hypot(state.qpos[4], state.qpos[5]))) * 180 / M_PI;
  return out;
}

// Vertices that leave the ground and come back while their foot stands, or lands.
struct Impacts {
  int standing = 0, landing = 0;
};
Impacts count_impacts(const Walked& walked) {
  Impacts out;
  for (const WalkedFoot& foot : walked.feet) {
    for (const Vertex& v : foot.vertices) {
      for (std::size_t k = 1; k < v.height.size(); ++k) {
        if (!(v.height[k - 1] > 0 && v.height[k] <= 0)) continue;
        out.standing += v.part[k] == Part::standing ? 1 : 0;
        out.landing += v.part[k] == Part::landing ? 1 : 0;
      }
    }
  }
  return out;
}

// Of vertices of standing feet [m].
struct HeightRange {
  double low = 0, high = 0;
};
HeightRange stance_heights(const Walked& walked) {
  HeightRange out;
  for (const WalkedFoot& foot : walked.feet) {
    for (const Vertex& v : foot.vertices) {
      for (std::size_t k = 0; k < v.height.size(); ++k) {
        if (v.part[k] != Part::standing) continue;
        out.low = std::fmin(out.low, v.height[k]);
        out.high = std::fmax(out.high, v.height[k]);
      }
    }
  }
  return out;
}

PlotLine line_of(const std::string& label, const std::vector<double>& time,
                 const std::vector<double>& values, double scale, double from, double to, int color,
                 std::size_t every = 4) {
  PlotLine line{.label = label, .color = color};
  for (std::size_t k = 0; k < time.size(); k += every) {
    if (time[k] < from || time[k] > to) continue;
    line.x.push_back(time[k]);
    line.y.push_back(scale * values[k]);
  }
  return line;
}

// When the right foot comes down for the first time after a swing, and lifts again.
struct Stance {
  double from = 0, to = 0;
};
Stance first_stance(const Walked& walked) {
  const WalkedFoot& foot = walked.feet[1];
  Stance out;
  bool swung = false;
  for (std::size_t k = 0; k < walked.time.size(); ++k) {
    double lowest = 1;
    for (const Vertex& v : foot.vertices) lowest = std::fmin(lowest, v.height[k]);
    if (lowest > kSwing) {
      if (out.from > 0) {
        out.to = walked.time[k];
        return out;
      }
      swung = true;
    } else if (swung && out.from == 0) {
      out.from = walked.time[k];
    }
  }
  return out;
}

void add_height_figures(const Walked& walked, Reproduction& out) {
  Plot heights{.title = "Rengifo 2009, Fig. 11: height of the feet's vertices", .panels = {}};
  Plot zoom{.title = "Rengifo 2009, Fig. 12: the right foot after its first impact", .panels = {}};
  const Stance stance = first_stance(walked);
  for (int i = 0; i < kVertices; ++i) {
    PlotPanel all{.title = fmt::format("vertex {}", i + 1),
                  .x = {.label = "time", .unit = "s"},
                  .y = {.label = "height", .unit = "m"}};
    PlotPanel near = all;
    near.y = {.label = "height", .unit = "mm", .low = -0.3, .high = 0.3};
    const char* names[] = {"left foot", "right foot"};
    for (int f = 0; f < 2; ++f) {
      all.lines.push_back(line_of(names[f], walked.time, walked.feet[f].vertices[i].height, 1, 0,
                                  kFigureEnd + 1.5, f, 10));
    }
    near.lines.push_back(line_of("", walked.time, walked.feet[1].vertices[i].height, 1e3,
                                 stance.from, stance.to, 1, 2));
    heights.panels.push_back(all);
    zoom.panels.push_back(near);
  }
  out.figures.push_back(
      {"fig11-heights.svg", "five steps: heights of the feet's vertices", heights});
  out.figures.push_back({"fig12-penetration.svg", "the same near zero, of one stance", zoom});
}

void add_force_figure(const Walked& walked, const char* file, const char* title,
                      Reproduction& out) {
  Plot plot{.title = title, .panels = {}};
  const Stance stance = first_stance(walked);
  for (int i = 0; i < kVertices; ++i) {
    plot.panels.push_back({.title = fmt::format("vertex {}", i + 1),
                           .x = {.label = "time", .unit = "s"},
                           .y = {.label = "normal force", .unit = "N", .low = 0, .high = 500},
                           .lines = {line_of("", walked.time, walked.feet[1].vertices[i].force, 1,
                                             stance.from, stance.to, 1, 1)}});
  }
  out.figures.push_back({file, "normal forces of one stance", plot});
}

// Words of the paper about a walk of ours. `shared`: with our sharing of cut forces, which the paper does not have.
struct WalkClaim {
  const char* place;
  const char* what;
  const char* unit;
  const char* claim;
  bool shared;
};
constexpr const char* kOurs = ", forces shared (ours)";

Comparison walk_claim(const WalkClaim& c, double ours) {
  return claimed(c.place, std::string(c.what) + (c.shared ? kOurs : ""), c.unit, c.claim, ours,
                 c.shared ? "not the paper's algorithm, which cuts forces once" : "");
}

// Figs. 11 and 12 with our sharing of cut forces.
void add_heights(const Walked& walked, Reproduction& out) {
  const HeightRange range = stance_heights(walked);
  out.add(agrees(
      walk_claim({"Fig. 11", "way of the walk of five steps, upright", "m", "five steps", true},
                 walked.way),
      std::abs(walked.way - 0.8) < 0.05 && walked.tilt < 2));
  for (const bool low : {true, false}) {
    const double height = low ? range.low : range.high;
    const char* what = low ? "standing feet: lowest vertex" : "standing feet: highest vertex";
    out.add(agrees(walk_claim({"Fig. 12", what, "mm", "within ±0.2 mm", true}, 1e3 * height),
                   std::abs(height) < 2e-4));
  }
}

// The paper's pace, twice ours: feet that tip over their toes ask for forces that no cone has.
void add_pace(const Walked& walked, Reproduction& out) {
  double deepest = 0;
  for (const WalkedFoot& foot : walked.feet) {
    for (const Vertex& v : foot.vertices) {
      deepest = std::fmin(deepest, *std::min_element(v.height.begin(), v.height.end()));
    }
  }
  out.add(agrees(
      walk_claim({"Fig. 11", "0.4 s a step: way of the walk, upright", "m", "five steps", true},
                 walked.way),
      std::abs(walked.way - 0.8) < 0.2 && walked.tilt < 5));
  out.add(agrees(walk_claim({"Fig. 11", "0.4 s a step: lowest vertex, landing", "mm",
                             "v/k_v of the landing", true},
                            1e3 * deepest),
                 deepest > -2.5e-3));
}

// Fig. 12 with the paper's ε = 0 and its forces, cut once. How far it goes wrong depends on rounding.
void add_papers_heights(const Walked& walked, Reproduction& out) {
  const HeightRange range = stance_heights(walked);
  const double farthest = std::fmax(-range.low, range.high);
  Comparison item = walk_claim(
      {"Fig. 12", "standing feet: vertex farthest from the ground", "mm", "within ±0.2 mm", false},
      1e3 * farthest);
  item.reason = "cut once, forces no longer hold our biped's foot";
  out.add(disagrees(item, farthest < 2e-4));
}

// Figs. 13 and 14: does a wanted depth ε keep standing feet from leaving the ground?
void add_impacts(const Impacts& without, const Impacts& with, bool shared, Reproduction& out) {
  const auto add = [&](const char* place, const char* what, const char* claim, int ours,
                       bool holds) {
    const Comparison item = walk_claim({place, what, "", claim, shared}, static_cast<double>(ours));
    out.add(agrees(item, holds));
  };
  add("Fig. 13", "ε = 0: false impacts of standing feet", "vertical lines", without.standing,
      without.standing > 0);
  add("Fig. 13", "ε = 0: impacts of landing feet", "vertical lines", without.landing,
      without.landing > 0);
  if (shared) {
    add("Fig. 14", "ε = -0.1 mm: false impacts of standing feet", "improved", with.standing,
        100 * with.standing <= without.standing);  // none, or one where rounding decides
    add("Fig. 14", "ε = -0.1 mm: impacts of landing feet", "improved", with.landing,
        with.landing < without.landing);
    return;
  }
  Comparison left = walk_claim(
      {"Fig. 14", "ε = -0.1 mm: false impacts of standing feet", "", "contact stability", false},
      static_cast<double>(with.standing));
  left.reason = "read as none; where forces are cut once many are left";
  out.add(disagrees(left, with.standing == 0));
}

}  // namespace

void add_walk(Reproduction& out, const ShareDone& progress) {
  const Walked papers = walk(0, 1);  // as the paper has it: forces are cut once, (19), (20)
  progress(0.25);
  const Walked papers_wanted = walk(-1e-4, 1);
  progress(0.5);
  const Walked without = walk(0, 100);  // what was cut is shared among the others, in rounds
  progress(0.75);
  const Walked with = walk(-1e-4, 100);
  add_papers_heights(papers, out);
  add_impacts(count_impacts(papers), count_impacts(papers_wanted), false, out);
  add_heights(with, out);
  add_impacts(count_impacts(without), count_impacts(with), true, out);
  add_pace(walk(-1e-4, 100, 0.4), out);
  add_height_figures(with, out);
  add_force_figure(without, "fig13-forces-without.svg",
                   "Rengifo 2009, Fig. 13: normal forces of the right foot, ε = 0", out);
  add_force_figure(with, "fig14-forces-with.svg",
                   "Rengifo 2009, Fig. 14: normal forces of the right foot, ε = -0.1 mm", out);
}

}  // namespace footfall::rengifo2009
