// Section IV.C.3, Fig. 10: the quadruped in the sagittal plane. Its model is called highly simplified and not
// given; ours is robots/robosimian_planar.xml, 108 kg, in the scenarios of the same names.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce/zhu2019_parts.hpp"

namespace footfall::zhu2019 {
namespace {

constexpr int kSampleSteps = 10;
constexpr std::array<const char*, 4> kLimbs = {"front left", "front right", "rear left",
                                               "rear right"};

Comparison robot_claim(const std::string& quantity, const std::string& unit,
                       const std::string& claim, double ours, bool holds) {
  return agrees(claimed("IV.C.3", quantity, unit, claim, ours), holds);
}

std::vector<double> in_mm(std::vector<double> metres) {
  for (double& v : metres) v *= 1e3;
  return metres;
}

PlotPanel limb_panel(const char* title, const char* unit, const Trace& trace,
                     const std::function<std::vector<double>(const FootTrace&)>& values) {
  PlotPanel panel{
      .title = title, .x = {.label = "time", .unit = "s"}, .y = {.label = title, .unit = unit}};
  for (std::size_t i = 0; i < kLimbs.size(); ++i) {
    panel.lines.push_back({.label = kLimbs[i], .x = trace.time, .y = values(trace.feet[i])});
  }
  return panel;
}

// How far a sole went while the front feet were pushed [m].
double slip_of(const Trace& trace, int foot, double from) {
  const std::size_t first = static_cast<std::size_t>(
      std::lower_bound(trace.time.begin(), trace.time.end(), from) - trace.time.begin());
  return std::abs(trace.feet[foot].x.back() - trace.feet[foot].x[first]);
}

void add_push(Reproduction& out) {
  const Trace t = trace_scenario(find_scenario("robosimian_push", {}), kSampleSteps);
  const double before = 1.65;  // [s]
  const double front = slip_of(t, 0, before), rear = slip_of(t, 2, before);
  const std::size_t k = static_cast<std::size_t>(
      std::lower_bound(t.time.begin(), t.time.end(), before) - t.time.begin());
  out.add(robot_claim("push: rear feet deeper than front feet by", "mm",
                      "rear legs are sunk deeper", 1e3 * (t.feet[2].depth[k] - t.feet[0].depth[k]),
                      t.feet[2].depth[k] > t.feet[0].depth[k]));
  out.add(
      robot_claim("push: front feet slip", "mm", "the front feet slip", 1e3 * front, front > 0.05));
  out.add(robot_claim("push: rear feet slip", "mm", "only the front feet slip", 1e3 * rear,
                      rear < 0.2 * front));
  add_clamped("push", t, out);
  const auto way = [](const FootTrace& f) { return in_mm(f.x); };
  const auto depth = [](const FootTrace& f) { return in_mm(f.depth); };
  out.figures.push_back({"fig10a-push.svg",
                         "front feet are pushed forwards with the weight on the rear feet",
                         {.title = "Zhu 2019, Fig. 10a: pushing the front feet forwards",
                          .subtitle = "108 kg in play sand",
                          .panels = {limb_panel("place of the sole", "mm", t, way),
                                     limb_panel("depth", "mm", t, depth)}}});
}

void add_trot(Reproduction& out) {
  const Trace t = trace_scenario(find_scenario("robosimian_trot_sand", {}), kSampleSteps);
  // deepest while all four stand at the start, and while two feet are out of the ground
  double standing = 0, two = 0, lifted = 1;
  for (std::size_t k = 0; k < t.time.size(); ++k) {
    int up = 0;
    double deepest = 0;
    for (const FootTrace& f : t.feet) {
      up += f.depth[k] <= 0 ? 1 : 0;
      deepest = std::fmax(deepest, f.depth[k]);
      lifted = std::fmin(lifted, f.depth[k]);
    }
    if (t.time[k] < 0.45) standing = std::fmax(standing, deepest);
    if (up >= 2) two = std::fmax(two, deepest);
  }
  out.add(
      robot_claim("trot: depth on four feet", "mm", "feet sink", 1e3 * standing, standing > 0.05));
  out.add(robot_claim("trot: deepest on two feet", "mm",
                      "deeper penetration during the two-foot phase", 1e3 * two,
                      two > 1.3 * standing));
  out.add(
      robot_claim("trot: soles lifted above the sand by", "mm", "lift", -1e3 * lifted, lifted < 0));
  add_clamped("trot", t, out);
  const auto depth = [](const FootTrace& f) { return in_mm(f.depth); };
  const auto load = [](const FootTrace& f) { return f.force_z; };
  out.figures.push_back(
      {"fig10b-trot.svg",
       "depths and loads of four feet in a trot",
       {.title = "Zhu 2019, Fig. 10b: a trot",
        .subtitle = "108 kg in play sand",
        .panels = {limb_panel("depth", "mm", t, depth), limb_panel("force z", "N", t, load)}}});
}

struct Slide {
  const char* medium;
  Trace trace;
};

double deepest_of(const Trace& trace) {
  double out = 0;
  for (const FootTrace& f : trace.feet) out = std::fmax(out, largest(f.depth));
  return out;
}

void add_slide_figure(const std::array<Slide, 2>& slides, Reproduction& out) {
  PlotPanel way{.title = "traces of soles and trunk",
                .x = {.label = "x", .unit = "m"},
                .y = {.label = "height", .unit = "m"}};
  PlotPanel speed{.title = "speed of the trunk along x",
                  .x = {.label = "time", .unit = "s"},
                  .y = {.label = "speed", .unit = "m/s"}};
  for (std::size_t i = 0; i < slides.size(); ++i) {
    const Trace& t = slides[i].trace;
    const int color = static_cast<int>(i);
    const LineStyle style = i == 0 ? LineStyle::solid : LineStyle::dashed;
    const auto add = [&](const char* part, const std::vector<double>& x,
                         const std::vector<double>& y, int shade) {
      way.lines.push_back({.label = fmt::format("{}, {}", part, slides[i].medium),
                           .x = x,
                           .y = y,
                           .style = style,
                           .color = shade});
    };
    add("trunk", t.base_x, t.base_z, 0);
    add("front feet", t.feet[0].x, t.feet[0].z, 1);
    add("rear feet", t.feet[2].x, t.feet[2].z, 2);
    std::vector<double> v(1, 0);
    for (std::size_t k = 1; k < t.time.size(); ++k) {
      v.push_back((t.base_x[k] - t.base_x[k - 1]) / (t.time[k] - t.time[k - 1]));
    }
    speed.lines.push_back(
        {.label = slides[i].medium, .x = t.time, .y = v, .style = style, .color = color});
  }
  out.figures.push_back({"fig10c-slide.svg",
                         "a robot with locked joints slides down 25° and stops on the level",
                         {.title = "Zhu 2019, Fig. 10c: sliding down a slope that flattens",
                          .subtitle = "108 kg, joints locked, feet laid down",
                          .panels = {way, speed}}});
}

// Dropped on a slope of 10 degrees with upright feet and locked joints: it slips a little and digs in.
Trace drop_on_slope(const char* medium) {
  const std::string text = fmt::format(
      "[robot]\nfile = \"robosimian_planar\"\nkeyframe = \"crouch\"\ndrop_height_m = 0\n"
      "[ground]\nkind = \"slope\"\nslope_deg = 10\ndirection_deg = 180\n"
      "[contact]\nmodel = \"wrench_space\"\ndatabase = \"{}\"\ndimensions = 2\n"
      "[step]\nduration_s = 1.5\n"
      "[controller]\nkind = \"hold\"\nkp = 1e5\nkd = 1e3\n",
      medium);
  return trace_scenario(parse_scenario(text, "zhu2019", "."), kSampleSteps);
}

void add_drop_on_slope(Reproduction& out) {
  const Trace sand = drop_on_slope("play-sand"), pebbles = drop_on_slope("pebbles");
  const double depth = deepest_of(sand) - deepest_of(pebbles);
  out.add(robot_claim("upright feet on 10°: deepest in sand less in pebbles", "mm",
                      "pebbles allow shallower penetration", 1e3 * depth, depth > 0));
  const double higher = pebbles.base_z.back() - sand.base_z.back();
  out.add(robot_claim("upright feet on 10°: rests higher in pebbles by", "mm",
                      "at a higher potential energy", 1e3 * higher, higher > 0));
  add_clamped("upright feet on 10°, play-sand", sand, out);
  add_clamped("upright feet on 10°, pebbles", pebbles, out);
}

void add_slide(Reproduction& out) {
  std::array<Slide, 2> slides = {Slide{"play-sand", {}}, Slide{"pebbles", {}}};
  for (Slide& s : slides) {
    s.trace = trace_scenario(
        find_scenario("robosimian_slide", {fmt::format("contact.database={}", s.medium)}),
        kSampleSteps);
  }
  const Trace &sand = slides[0].trace, &pebbles = slides[1].trace;
  for (const Slide& s : slides) {
    double fastest = 0;
    for (std::size_t k = 1; k < s.trace.time.size(); ++k) {
      fastest = std::fmax(fastest, (s.trace.base_x[k] - s.trace.base_x[k - 1]) /
                                       (s.trace.time[k] - s.trace.time[k - 1]));
    }
    out.add(robot_claim(fmt::format("slide, {}: fastest", s.medium), "m/s",
                        "slides and accelerates", fastest, fastest > 0.5));
    out.add(robot_claim(fmt::format("slide, {}: stops at x", s.medium), "m",
                        "stops when the terrain flattens", s.trace.base_x.back(),
                        s.trace.base_x.back() > 1 && s.trace.speed.back() < 1e-9));
  }
  const double depth = deepest_of(sand) - deepest_of(pebbles);
  out.add(robot_claim("slide: deepest in sand less deepest in pebbles", "mm",
                      "pebbles allow shallower penetration", 1e3 * depth, depth > 0));
  const double higher = pebbles.base_z.back() - sand.base_z.back();
  out.add(disagrees(claimed("IV.C.3", "slide: the trunk rests higher in pebbles by", "mm",
                            "at a higher potential energy", 1e3 * higher,
                            "on laid-down feet drag over load grows with depth: sand brakes more"),
                    higher > 0));
  for (const Slide& s : slides) add_clamped(fmt::format("slide, {}", s.medium), s.trace, out);
  add_slide_figure(slides, out);
}

}  // namespace

void add_robot(Reproduction& out, const ShareDone& progress) {
  add_push(out);
  progress(0.2);
  add_trot(out);
  progress(0.5);
  add_slide(out);
  add_drop_on_slope(out);
  progress(1);
}

}  // namespace footfall::zhu2019
