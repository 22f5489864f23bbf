// Figs. 20, 23 and 27: a foot falls on marble and on sand. The paper shows curves and describes them;
// the description is what we compare.
#include <fmt/format.h>

#include <numbers>

#include "footfall/io/soil_library.hpp"
#include "footfall/rig/drop.hpp"
#include "reproduce/ding2013_parts.hpp"

namespace footfall::ding2013 {
namespace {

constexpr double kHeight = 0.005;  // Table 8 [m]
constexpr double kDuration = 1.5;  // until the spring is at rest [s]

FootPad spring() {  // section 5.2
  return {.stiffness = kPadStiffness,
          .exponent = 1,
          .damping = 398.21,
          .damping_exponent = 0.25,
          .rate_exponent = 0.76};
}

DropResult drop_on(const Soil& soil, bool soft) {
  RigFoot foot{.pad = {}, .foot_mass = kFootWeight / kRigGravity};
  if (soft) foot.pad = spring();
  NormalLaw law;
  if (soil.plastic) law.form = ForceForm::eq_29c;  // k of this sand belongs to it
  const RigGround ground = make_rig_ground(make_cylinder(kRadius, kWidth), soil, law);
  DropSettings settings;
  settings.mass = kLoad / kRigGravity;
  settings.height = kHeight;
  settings.duration = kDuration;
  return drop(ground, foot, settings);
}

// How often z(t) of the body turns back, by more than 0.1 mm.
std::vector<double> turning_points(const std::vector<RigSample>& series) {
  constexpr double kLeast = 1e-4;  // [m]
  std::vector<double> turns;
  double extreme = series.front().body_sinkage;
  int way = 1;  // down
  for (const RigSample& s : series) {
    if (way * (s.body_sinkage - extreme) > 0) extreme = s.body_sinkage;
    if (way * (extreme - s.body_sinkage) > kLeast) {
      turns.push_back(extreme);
      extreme = s.body_sinkage;
      way = -way;
    }
  }
  return turns;
}

// How far the body swings back from its lowest point [m].
double swing(const DropResult& r) {
  double lowest = 0, back = 0;
  for (const RigSample& s : r.series) {
    if (s.body_sinkage > lowest) {
      lowest = s.body_sinkage;
      back = 0;
    }
    back = std::max(back, lowest - s.body_sinkage);
  }
  return back;
}

std::vector<double> column(const std::vector<RigSample>& series, double RigSample::* field,
                           double factor, double offset = 0) {
  std::vector<double> values;
  values.reserve(series.size());
  for (const RigSample& s : series) values.push_back(factor * (s.*field) + offset);
  return values;
}

const PlotAxis kTime{.label = "time since the touch", .unit = "s"};

Comparison item(const char* place, const char* quantity, const char* unit, double ours) {
  return {.place = place, .quantity = quantity, .unit = unit, .ours = ours};
}
Comparison with_paper(Comparison made, double paper) {
  made.paper = paper;
  return made;
}
Comparison with_claim(Comparison made, const char* claim, bool holds) {
  made.claim = claim;
  return agrees(made, holds);
}

PlotLine level(const char* label, double last, double value) {
  return {
      .label = label, .x = {0, last}, .y = {value, value}, .style = LineStyle::dashed, .color = 6};
}

void add_hard_ground(const DropResult& r, Reproduction& out) {
  const char* const fig = "Fig. 20";
  const double steady = kLoad / kPadStiffness;
  const std::vector<double> turns = turning_points(r.series);
  const double deepest = turns.empty() ? 0 : turns.front();
  bool shrinks = true;
  for (std::size_t i = 1; i < turns.size(); ++i) {
    const double before = std::abs(turns[i - 1] - steady), now = std::abs(turns[i] - steady);
    shrinks = shrinks && now < before;
  }
  const double sensor = r.peak_pad_force + kFootWeight;  // (65)
  out.add(
      adds_up(with_paper(item(fig, "deflection at rest, W/k_FN", "mm", 1e3 * r.end.pad_compression),
                         1e3 * steady),
              scatter(1e3 * steady * 5 / kPadStiffness, "printed digits of k_FN")));
  out.add(adds_up(with_paper(item(fig, "force at rest, W + m_F g (67)", "N", r.end.normal_force),
                             kLoad + kFootWeight),
                  printed(1)));
  out.add(with_claim(item(fig, "largest deflection", "mm", 1e3 * deepest), "above that at rest",
                     deepest > 1.05 * steady));
  out.add(with_claim(item(fig, "largest force on the sensor", "N", sensor), "above that at rest",
                     sensor > 1.05 * r.weight));
  out.add(
      with_claim(item(fig, "times that z(t) turns round", "", static_cast<double>(turns.size())),
                 "vibrates, damped", turns.size() >= 3 && shrinks));
  const double last = r.series.back().time;
  const std::vector<double> time = column(r.series, &RigSample::time, 1);
  PlotPanel deflection{
      .title = "Deflection of the foot", .x = kTime, .y = {.label = "deflection", .unit = "mm"}};
  deflection.lines = {
      {.label = "integrated", .x = time, .y = column(r.series, &RigSample::pad_compression, 1e3)},
      level("at rest", last, 1e3 * steady)};
  PlotPanel force{.title = "Force on the sensor", .x = kTime, .y = {.label = "force", .unit = "N"}};
  force.lines = {{.label = "integrated",
                  .x = time,
                  .y = column(r.series, &RigSample::pad_force, 1, kFootWeight)},
                 level("at rest", last, kLoad + kFootWeight)};
  out.figures.push_back(
      {"fig20-soft-foot-on-marble.svg",
       "a soft foot falls 5 mm on marble",
       {.title = "Ding 2013, Fig. 20: a soft foot falls on marble",
        .subtitle = "W = 250 N, 5 mm; spring 11.94 kN/m, b = 398.21, p = 0.25, q = 0.76",
        .panels = {deflection, force}}});
}

void add_soft_ground_figure(const DropResult& r, Reproduction& out) {
  const double last = r.series.back().time;
  const std::vector<double> time = column(r.series, &RigSample::time, 1);
  const std::vector<double> depth = column(r.series, &RigSample::sinkage, 1e3);
  const std::vector<double> normal = column(r.series, &RigSample::normal_force, 1);
  const PlotAxis forces{.label = "force of the sand", .unit = "N"};
  const PlotAxis depths{.label = "sinkage", .unit = "mm"};
  // Every panel has every label, so that they share one legend.
  const PlotLine no_weight{.label = "W + m_F g", .style = LineStyle::dashed, .color = 6};
  const PlotLine no_radius{
      .label = "paper: entry angle about 90 degrees", .style = LineStyle::dashed, .color = 1};
  PlotLine radius = no_radius, weight = level("W + m_F g", last, kLoad + kFootWeight);
  radius.x = {0, last};
  radius.y = {1e3 * kRadius, 1e3 * kRadius};
  PlotPanel sinkage{.title = "Sinkage", .x = kTime, .y = depths};
  sinkage.lines = {{.label = "integrated", .x = time, .y = depth}, no_weight, radius};
  PlotPanel force{.title = "Force", .x = kTime, .y = forces};
  force.lines = {{.label = "integrated", .x = time, .y = normal}, weight, no_radius};
  PlotPanel loop{.title = "Force over sinkage", .x = depths, .y = forces};
  weight.x[1] = depth.back();
  loop.lines = {{.label = "integrated", .x = depth, .y = normal}, weight, no_radius};
  out.figures.push_back({"fig23-hard-foot-on-sand.svg",
                         "a hard foot falls 5 mm on soft sand",
                         {.title = "Ding 2013, Fig. 23: a hard foot falls on soft sand",
                          .subtitle = "W = 250 N, 5 mm; k_TN = 5.06 N/mm^1.132, b = 205.07, "
                                      "p = 0.096, q = 0.075",
                          .panels = {sinkage, force, loop},
                          .columns = 3}});
}

void add_soft_ground(const DropResult& r, Reproduction& out) {
  const char* const fig = "Fig. 23";
  // From the deepest point until the force is first what the foot weighs.
  const auto deepest =
      std::max_element(r.series.begin(), r.series.end(),
                       [](const auto& a, const auto& b) { return a.sinkage < b.sinkage; });
  const auto balanced = std::find_if(deepest, r.series.end(), [&](const RigSample& s) {
    return s.normal_force <= 1.01 * r.weight;
  });
  const double falling = balanced == r.series.end() ? 1e9 : balanced->time - deepest->time;
  out.add(adds_up(with_paper(item(fig, "force at rest, W + m_F g (54)", "N", r.end.normal_force),
                             kLoad + kFootWeight),
                  printed(1)));
  out.add(with_claim(item(fig, "largest force", "N", r.peak_force), "above that at rest",
                     r.peak_force > 1.05 * r.weight));
  out.add(with_claim(item(fig, "from the stop to the force at rest", "ms", 1e3 * falling),
                     "abruptly", falling < 0.05));
  out.add(with_claim(item(fig, "rebound, of the sinkage", "%", 100 * r.rebound / r.max_sinkage),
                     "none", r.rebound < 0.01 * r.max_sinkage));
  Comparison plastic =
      item(fig, "energy taken by yielding soil", "%", 100 * r.energy.soil_plastic / r.energy.input);
  plastic.reason = fmt::format("damping {:.0f} %", 100 * r.energy.soil_damping / r.energy.input);
  out.add(with_claim(plastic, "more than damping", r.energy.soil_plastic > r.energy.soil_damping));
  const double angle = std::acos(1 - r.max_sinkage / kRadius) * 180 / std::numbers::pi;
  Comparison entry = item(fig, "entry angle at the deepest", "deg", angle);
  entry.reason = fmt::format("{:.1f} mm deep", 1e3 * r.max_sinkage);
  out.add(with_claim(entry, "approximately π/2", std::abs(angle - 90) < 9));
  // The foot's own balance, (47), at rest: without the force of the pad on it.
  out.add(is_papers_error(
      with_paper(item("(47)", "force of the soil at rest", "N", r.end.normal_force), kFootWeight),
      r.end.normal_force - kLoad, "second line has lost F_FN"));
  add_soft_ground_figure(r, out);
}

void add_vibration(const DropResult& soft_on_hard, const DropResult& hard_on_soft,
                   const DropResult& soft_on_soft, Reproduction& out) {
  const char* const fig = "Fig. 27";
  const double hard = swing(hard_on_soft), soft = swing(soft_on_soft), marble = swing(soft_on_hard);
  out.add(with_claim(item(fig, "swing back, soft foot on sand", "mm", 1e3 * soft),
                     "larger than hard foot", soft > hard));
  out.items.back().reason = fmt::format("hard foot {:.1f} mm", 1e3 * hard);
  Comparison less = item(fig, "the same over that on marble", "", soft / marble);
  less.claim = "much smaller";
  less.reason =
      fmt::format("the same spring swings; over the way at rest {:.2f}",
                  soft / marble * soft_on_hard.end.body_sinkage / soft_on_soft.end.body_sinkage);
  out.add(disagrees(less, soft < 0.5 * marble));
  PlotPanel way{
      .title = "Spring and sand", .x = kTime, .y = {.label = "way of the body", .unit = "mm"}};
  PlotPanel share{.title = "The same over its value at rest", .x = kTime, .y = {.label = "share"}};
  const auto add = [&](const char* label, const DropResult& r) {
    const std::vector<double> time = column(r.series, &RigSample::time, 1);
    way.lines.push_back(
        {.label = label, .x = time, .y = column(r.series, &RigSample::body_sinkage, 1e3)});
    share.lines.push_back(
        {.label = label,
         .x = time,
         .y = column(r.series, &RigSample::body_sinkage, 1 / r.end.body_sinkage)});
  };
  add("soft foot on marble", soft_on_hard);
  add("soft foot on sand", soft_on_soft);
  add("hard foot on sand", hard_on_soft);
  out.figures.push_back(
      {"fig27-vibration.svg",
       "what vibrates: soft and hard feet on marble and sand",
       {.title = "Ding 2013, Fig. 27: what vibrates after a fall of 5 mm",
        .subtitle = "W = 250 N; the sand itself does not come back, the spring does",
        .panels = {way, share}}});
}

}  // namespace

void add_impacts(const Soils& soils, Reproduction& out) {
  const Soil& marble = find_soil(soils, "marble");
  const Soil& sand = find_soil(soils, "standard-sand");
  const DropResult soft_on_hard = drop_on(marble, true);
  const DropResult hard_on_soft = drop_on(sand, false);
  const DropResult soft_on_soft = drop_on(sand, true);
  add_hard_ground(soft_on_hard, out);
  add_soft_ground(hard_on_soft, out);
  add_vibration(soft_on_hard, hard_on_soft, soft_on_soft, out);
}

}  // namespace footfall::ding2013
