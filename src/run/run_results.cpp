#include "run/run_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "footfall/io/length_text.hpp"

namespace footfall {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTitleWidth = 8;          // of lines in the terminal: "Solver  "
constexpr std::string_view kLength = "length";  // a format: in m, mm or µm
constexpr std::string_view kWhole = "whole";    // a format: as a whole number

// A value. In JSON it is in SI units, which its key names; for people it is `factor` times that. `line` adds it to
// the terminal: of "Speed   {} times real time" the first eight characters name the line, the rest is joined to
// what the line has already.
template <class Source>
struct ResultRow {
  std::string_view key;
  Json (*value)(const Source&);      // discarded: the run has none
  std::string_view label = {};       // in the report; empty: not in it
  std::string_view format = kWhole;  // for people, without the unit; of words and flags not used
  std::string_view unit = {};        // for people, with the space before it
  double factor = 1;
  std::string_view line = {};
};

// ---- values ----

Json as_json(const Vec3d& v) { return {v.x, v.y, v.z}; }
Json as_json(const std::filesystem::path& file) {
  return file.empty() ? Json(nullptr) : Json(file.string());
}
template <class T>
Json as_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
template <class T>
Json as_json(const T& value) {
  return value;
}

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

// The value at the end of a chain of members; none where an optional on the way is empty.
template <auto First, auto... Rest>
Json follow(const auto& object) {
  const auto& next = std::invoke(First, object);
  if constexpr (sizeof...(Rest) == 0) {
    return as_json(next);
  } else if constexpr (kIsOptional<std::remove_cvref_t<decltype(next)>>) {
    return next ? follow<Rest...>(*next) : Json(Json::value_t::discarded);
  } else {
    return follow<Rest...>(next);
  }
}
template <auto... Members>
constexpr auto get = [](const auto& source) { return follow<Members...>(source); };

template <auto Member>
constexpr auto ruts = get<&RunSummary::ruts, Member>;
template <auto Member>
constexpr auto gait = get<&RunSummary::gait, Member>;
template <auto Member>
constexpr auto goal = get<&RunSummary::gait, &GaitSummary::goal, Member>;
template <auto Member>
constexpr auto fall = get<&RunSummary::gait, &GaitSummary::fall, Member>;
template <auto Member>
constexpr auto patch = get<&FootSummary::patch, Member>;

template <class Source, std::size_t N>
Json list_json(const std::vector<Source>& sources, const ResultRow<Source> (&rows)[N]) {
  Json out = Json::array();
  for (const Source& source : sources) {
    Json object;
    for (const ResultRow<Source>& row : rows) object[std::string(row.key)] = row.value(source);
    out.push_back(std::move(object));
  }
  return out;
}

// ---- the table ----

constexpr double kDegrees = 180 / std::numbers::pi;

// Of a foot at the end. Labels head the columns in the terminal and are as wide as these.
constexpr ResultRow<FootSummary> kFootResults[] = {
    {"name", get<&FootSummary::name>},
    {"touching", patch<&FootPatch::touching>},
    {"sinkage_m", patch<&FootPatch::sinkage>, "   sinkage", kLength},
    {"resting_sinkage_m", get<&FootSummary::resting_sinkage>},
    {"pad_compression_m", patch<&FootPatch::pad_compression>},
    {"normal_force_N", patch<&FootPatch::normal_force>, " normal force", "{:.4g}", " N"},
    {"tangential_force_N", patch<&FootPatch::tangential_force>, "  tangential", "{:.3g}", " N"},
    {"friction_use", patch<&FootPatch::friction_use>, "friction use", "{:.1f}", " %", 100},
    {"contact_area_m2", patch<&FootPatch::contact_area>},
    {"center_m", patch<&FootPatch::center>},
    {"force_N", patch<&FootPatch::force>},
    {"moment_Nm", patch<&FootPatch::moment>},
};

// Of a body that touched with other parts than soles.
constexpr ResultRow<BodyContactSummary> kBodyResults[] = {
    {"name", get<&BodyContactSummary::body>},
    {"normal_force_N", get<&BodyContactSummary::mean_force>, "", "{:.3g}", " N"},
    {"normal_force_max_N", get<&BodyContactSummary::largest_force>},
};

constexpr ResultRow<ClampSummary> kClampResults[] = {
    {"foot", get<&ClampSummary::foot>},
    {"depth_steps", get<&ClampSummary::depth_steps>},
    {"deepest_m", get<&ClampSummary::deepest>},
    {"tilt_steps", get<&ClampSummary::tilt_steps>},
    {"largest_tilt_rad", get<&ClampSummary::largest_tilt>},
};

Json feet_json(const RunSummary& s) { return list_json(s.feet, kFootResults); }

Json bodies_json(const RunSummary& s) { return list_json(s.body_contacts, kBodyResults); }

Json fallen_json(const RunSummary& s) { return s.fallen.has_value(); }

Json clamps_json(const RunSummary& s) {
  return s.clamped.empty() ? Json(Json::value_t::discarded) : list_json(s.clamped, kClampResults);
}

Json first_not_converged_json(const RunSummary& s) {
  return s.first_not_converged > 0 ? Json(s.first_not_converged) : Json(nullptr);
}

Json resumed_json(const RunSummary& s) {
  return s.resumed_after > 0 ? Json(s.resumed_after) : Json(Json::value_t::discarded);
}

Json stage_times_json(const RunSummary& s) {
  Json out;
  for (int i = 0; i < kStageCount; ++i) out[kStageNames[i]] = s.stage_times[i];
  return out;
}

Json energy_change_json(const RunSummary& s) {
  return s.end_energy.total() - s.start_energy.total();
}

Json fell_json(const GaitSummary& g) { return g.fall.has_value(); }

// In the order of JSON. A new value is a line here; with a label it is in the report, with a line in the terminal.
constexpr ResultRow<RunSummary> kResults[] = {
    {"scenario", get<&RunSummary::scenario>},
    {"robot", get<&RunSummary::robot>},
    {"time_s", get<&RunSummary::time>, "", "{:g}", " s"},
    {"steps", get<&RunSummary::steps>, "steps"},
    {"interrupted", get<&RunSummary::interrupted>},
    {"ended_early", get<&RunSummary::ended_early>},
    {"settled", get<&RunSummary::settled>, "at rest at the end"},
    {"settle_time_s", get<&RunSummary::settle_time>, "last time in motion", "{:.3g}", " s"},
    {"rms_velocity_m_per_s", get<&RunSummary::rms_velocity>, "rms velocity at the end", "{:.2g}",
     " m/s"},
    {"base_height_m", get<&RunSummary::base_height>, "height of the base at the end", "{:.4f}",
     " m"},
    {"base_tilt_rad", get<&RunSummary::base_tilt>, "tilt of the base at the end", "{:.1f}",
     " degrees", kDegrees},
    {"fallen", fallen_json, "fallen"},
    {"fallen_reason", get<&RunSummary::fallen>},
    {"feet", feet_json},
    {"body_contacts/weight_share", get<&RunSummary::body_share>,
     "weight on other parts than feet, over the last tenth of the run", "{:.1f}", " %", 100},
    {"body_contacts/weight_share_max", get<&RunSummary::largest_body_share>,
     "weight on other parts than feet, at most", "{:.0f}", " %", 100},
    {"body_contacts/bodies", bodies_json},
    {"ruts/deepest_m", ruts<&RunSummary::Ruts::deepest>, "deepest rut", kLength},
    {"ruts/displaced_volume_m3", ruts<&RunSummary::Ruts::volume>, "soil displaced", "{:.3g}",
     " litres", 1e3},
    {"gait/commanded_speed_m_per_s", goal<&GaitGoal::speed>, "commanded speed", "{:.3f}", " m/s"},
    {"gait/speed_m_per_s", gait<&GaitSummary::speed>, "speed", "{:.3f}", " m/s"},
    {"gait/commanded_turn_rate_rad_per_s", goal<&GaitGoal::turn_rate>, "commanded turn rate",
     "{:.1f}", " degrees/s", kDegrees},
    {"gait/turn_rate_rad_per_s", gait<&GaitSummary::turn_rate>, "turn rate", "{:.1f}", " degrees/s",
     kDegrees},
    {"gait/distance_m", gait<&GaitSummary::distance>, "way", "{:.3f}", " m"},
    {"gait/measured_time_s", gait<&GaitSummary::measured_time>, "time measured", "{:.3g}", " s"},
    {"gait/work_J", gait<&GaitSummary::work>, "work of the motors", "{:.3g}", " J"},
    {"gait/cost_of_transport", gait<&GaitSummary::cost_of_transport>, "cost of transport",
     "{:.3f}"},
    {"gait/footfalls", gait<&GaitSummary::footfalls>, "footfalls"},
    {"gait/expected_sinkage_m", goal<&GaitGoal::expected_sinkage>,
     "sinkage expected by the controller, at most", kLength},
    {"gait/sinkage_mean_m", gait<&GaitSummary::sinkage>, "sinkage of a footfall, on average",
     kLength},
    {"gait/sinkage_max_m", gait<&GaitSummary::largest_sinkage>, "sinkage of a footfall, at most",
     kLength},
    {"gait/slip_per_footfall_m", gait<&GaitSummary::slip>, "slip of a footfall", kLength},
    {"gait/tilt_max_rad", gait<&GaitSummary::largest_tilt>, "tilt of the base, at most", "{:.1f}",
     " degrees", kDegrees},
    {"gait/motor_saturation", gait<&GaitSummary::saturation>, "motors at their limits", "{:.1f}",
     " % of the time", 100},
    {"gait/fell", gait<fell_json>, "fell"},
    {"gait/fall/time_s", fall<&Fall::time>, "", "{:.3f}", " s"},
    {"gait/fall/position_m", fall<&Fall::position>},
    {"gait/fall/tilt_rad", fall<&Fall::tilt>},
    {"gait/fall/reason", fall<&Fall::reason>},
    {"warnings", get<&RunSummary::warnings>},
    {"clamped_steps", get<&RunSummary::clamped_steps>},
    {"clamped", clamps_json},
    {"solver/iterations_mean", get<&RunSummary::mean_iterations>, "iterations on average",
     "{:.1f}"},
    {"solver/iterations_max", get<&RunSummary::max_iterations>, "iterations at most"},
    {"solver/not_converged", get<&RunSummary::not_converged>, "steps that did not converge"},
    {"solver/first_not_converged_step", first_not_converged_json},
    {"solver/residual_max_N", get<&RunSummary::largest_residual>, "force error at most", "{:.1e}",
     " N"},
    {"energy/start_J", get<&RunSummary::start_energy, &Energy::total>},
    {"energy/end_J", get<&RunSummary::end_energy, &Energy::total>},
    {"energy/change_J", energy_change_json, "energy from start to end", "{:+.4g}", " J"},
    {"resumed_after_step", resumed_json, "", kWhole, "", 1, "Run     resumed after step {}"},
    {"wall_time_s", get<&RunSummary::wall_time>},
    {"realtime_factor", get<&RunSummary::realtime_factor>, "", "{:.0f}", "", 1,
     "Speed   {} times real time"},
    {"stage_times_s", stage_times_json},
    {"result_file", get<&RunSummary::result_file>},
    {"report_file", get<&RunSummary::report_file>},
};

// ---- texts ----

template <class Source>
std::string value_text(const ResultRow<Source>& row, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (!value.is_number()) return "none";
  if (row.format == kLength) return length_text(value.get<double>());
  if (row.format == kWhole) return fmt::format("{}", value.get<std::int64_t>()).append(row.unit);
  return fmt::format(fmt::runtime(row.format), row.factor * value.get<double>()).append(row.unit);
}

Json::json_pointer pointer_to(std::string_view key) {
  return Json::json_pointer(fmt::format("/{}", key));
}

const ResultRow<RunSummary>& row_of(std::string_view key) {
  const auto* row = std::ranges::find(kResults, key, &ResultRow<RunSummary>::key);
  if (row == std::end(kResults)) {
    throw std::logic_error(fmt::format("the results of a run have no '{}'", key));
  }
  return *row;
}

bool is_in(const ResultRow<RunSummary>& row, std::string_view object) {
  const std::size_t slash = row.key.rfind('/');
  return row.key.substr(0, slash == std::string_view::npos ? 0 : slash) == object;
}

}  // namespace

Json results_json(const RunSummary& summary) {
  Json out;
  for (const auto& row : kResults) {
    Json value = row.value(summary);
    if (!value.is_discarded()) out[pointer_to(row.key)] = std::move(value);
  }
  return out;
}

std::string summary_json(const RunSummary& summary) {
  return results_json(summary).dump(2, ' ', false, Json::error_handler_t::replace);
}

Json result_value(const Json& results, std::string_view key) {
  const Json::json_pointer place = pointer_to(row_of(key).key);
  return results.contains(place) ? results.at(place) : Json(nullptr);
}

std::string result_text(const Json& results, std::string_view key) {
  return value_text(row_of(key), result_value(results, key));
}

std::vector<ResultText> labelled_results(const Json& results, std::string_view object) {
  std::vector<ResultText> out;
  for (const auto& row : kResults) {
    if (row.label.empty() || !is_in(row, object) || !results.contains(pointer_to(row.key)))
      continue;
    out.push_back({std::string(row.label), result_text(results, row.key)});
  }
  return out;
}

namespace {

void add_feet_lines(const Json& feet, std::vector<std::string>& lines) {
  if (!feet.is_array() || feet.empty()) return;
  std::size_t width = 4;
  for (const Json& foot : feet) {
    width = std::max(width, foot.value("name", std::string()).size());
  }
  std::string head = fmt::format("{:<{}}", "Foot", width);
  for (const auto& row : kFootResults) {
    if (!row.label.empty()) head += fmt::format("  {}", row.label);
  }
  lines.insert(lines.end(), {"", head});
  for (const Json& foot : feet) {
    std::string line = fmt::format("{:<{}}", foot.value("name", std::string()), width);
    for (const auto& row : kFootResults) {
      if (row.label.empty()) continue;
      const std::string text = value_text(row, foot.value(row.key, Json()));
      line += fmt::format("  {:>{}}", text, row.label.size());
    }
    lines.push_back(line + (foot.value("touching", false) ? "" : "  in the air"));
  }
}

// Where feet stand deeper than their load alone would have pressed them.
void add_resting_line(const RunSummary& s, std::vector<std::string>& lines) {
  constexpr double kNoted = 1.1;
  double sinkage = 0, resting = 0;
  for (const FootSummary& foot : s.feet) {
    if (!foot.resting_sinkage) continue;
    sinkage += foot.patch.sinkage;
    resting += *foot.resting_sinkage;
  }
  if (s.gait || sinkage < kNoted * resting || resting == 0) return;
  lines.push_back(fmt::format("Feet stand {:.2f} times as deep as their load would press them at "
                              "rest: they came down in motion",
                              sinkage / resting));
}

// Parts other than soles that touched, those that carry most first.
void add_body_line(const RunSummary& s, const Json& results, std::vector<std::string>& lines) {
  constexpr std::size_t kMost = 6;
  if (s.body_contacts.empty()) return;
  std::string parts;
  for (std::size_t i = 0; i < std::min(kMost, s.body_contacts.size()); ++i) {
    parts += fmt::format("{}{} {:.3g} N", i == 0 ? "" : ", ", s.body_contacts[i].body,
                         s.body_contacts[i].mean_force);
  }
  lines.insert(
      lines.end(),
      {"", fmt::format("Other parts carry {} of the weight over the last tenth of the run, "
                       "{} at most: {}{}",
                       result_text(results, "body_contacts/weight_share"),
                       result_text(results, "body_contacts/weight_share_max"), parts,
                       s.body_contacts.size() > kMost ? ", …" : "")});
}

// Joins the text to the line of that title, or makes that line.
void add_to_line(std::string_view title, const std::string& text, std::vector<std::string>& lines) {
  const auto line =
      std::ranges::find_if(lines, [&](const std::string& l) { return l.starts_with(title); });
  if (line == lines.end()) {
    lines.push_back(std::string(title) + text);
  } else {
    *line += ", " + text;
  }
}

void add_gait_lines(const GaitSummary& gait, const Json& results, std::vector<std::string>& lines) {
  const auto text = [&](const char* key) {
    return result_text(results, fmt::format("gait/{}", key));
  };
  const auto add_fall = [&] {
    if (!gait.fall) return;
    lines.push_back(fmt::format("Fell    after {} at x {:.2f} m, y {:.2f} m: {}",
                                text("fall/time_s"), gait.fall->position.x, gait.fall->position.y,
                                gait.fall->reason));
  };
  lines.emplace_back();
  if (gait.measured_time == 0) {
    lines.push_back(fmt::format("Gait    {} before the gait was at its speed, at {:g} s",
                                gait.fall ? "the robot fell" : "the run ended", gait.goal.from));
    add_fall();
    return;
  }
  std::string turn;
  if (gait.goal.turn_rate != 0) {
    turn =
        fmt::format(", {} of {:.1f}", text("turn_rate_rad_per_s"), kDegrees * gait.goal.turn_rate);
  }
  lines.push_back(fmt::format("Gait    {} in {}{}: {} of {} commanded{}; {} footfalls",
                              text("distance_m"), text("measured_time_s"),
                              gait.fall ? " until it fell" : "", text("speed_m_per_s"),
                              text("commanded_speed_m_per_s"), turn, text("footfalls")));
  lines.push_back(fmt::format("        feet sink {} on average, {} at most{}; slip {} per footfall",
                              text("sinkage_mean_m"), text("sinkage_max_m"),
                              gait.goal.expected_sinkage > 0
                                  ? fmt::format(" (up to {} expected)", text("expected_sinkage_m"))
                                  : "",
                              text("slip_per_footfall_m")));
  lines.push_back(fmt::format("        cost of transport {}, {} of work; tilt {} at most; motors "
                              "at their limits {}",
                              text("cost_of_transport"), text("work_J"), text("tilt_max_rad"),
                              text("motor_saturation")));
  add_fall();
}

void add_end_lines(const RunSummary& s, const Json& results, std::vector<std::string>& lines) {
  const auto text = [&](const char* key) { return result_text(results, key); };
  lines.emplace_back();
  const std::string base =
      fmt::format("Base at {} after {}", text("base_height_m"), text("time_s"));
  lines.push_back(s.settled ? fmt::format("{}; at rest since {} (rms velocity {:.1e} m/s)", base,
                                          text("settle_time_s"), s.rms_velocity)
                            : fmt::format("{}; still moving (rms velocity {})", base,
                                          text("rms_velocity_m_per_s")));
  if (s.fallen && !s.gait) lines.push_back("Fallen  " + *s.fallen);
  if (s.ruts) {
    lines.push_back(fmt::format("Ruts    deepest {}, {} of soil displaced", text("ruts/deepest_m"),
                                text("ruts/displaced_volume_m3")));
  }
  lines.push_back(fmt::format(
      "Solver  {} iterations on average, {} at most; force error {} at most{}",
      text("solver/iterations_mean"), text("solver/iterations_max"), text("solver/residual_max_N"),
      s.not_converged == 0 ? ""
                           : fmt::format("; {} steps did not converge, the first is step {}",
                                         s.not_converged, s.first_not_converged)));
  lines.push_back(fmt::format("Energy  {} from start to end", text("energy/change_J")));
  const double per_step = s.wall_time / std::fmax(static_cast<double>(s.steps), 1);
  add_to_line("Speed   ", fmt::format("{:.1f} µs per step with recording", 1e6 * per_step), lines);
}

}  // namespace

std::vector<std::string> result_lines(const RunSummary& summary) {
  const Json results = results_json(summary);
  std::vector<std::string> lines;
  add_feet_lines(results["feet"], lines);
  add_resting_line(summary, lines);
  add_body_line(summary, results, lines);
  if (summary.gait) add_gait_lines(*summary.gait, results, lines);
  add_end_lines(summary, results, lines);
  for (const auto& row : kResults) {
    if (row.line.empty() || !results.contains(pointer_to(row.key))) continue;
    add_to_line(row.line.substr(0, kTitleWidth),
                fmt::format(fmt::runtime(row.line.substr(kTitleWidth)),
                            value_text(row, results.at(pointer_to(row.key)))),
                lines);
  }
  return lines;
}

}  // namespace footfall
