// [controller] of kind = "walk" and kind = "trot", and [[push]].
#include <fmt/format.h>

#include "input_error.hpp"
#include "scenario/scenario_parts.hpp"

namespace footfall {
namespace {

const std::vector<std::string> kBothKeys = {"step_height_m", "base_height_m", "start_delay_s",
                                            "expected_sinkage_m"};
const std::vector<std::string> kWalkKeys = {
    "step_count",           "step_length_m", "step_width_m", "step_duration_s",
    "double_support_share", "turn_deg",      "left_first",   "feedback"};
const std::vector<std::string> kTrotKeys = {
    "gait", "speed_m_per_s",     "lateral_speed_m_per_s", "turn_rate_deg_per_s",
    "duty", "stride_duration_s", "ramp_duration_s",       "stop_time_s"};

constexpr Range kStepHeight{0.001, 0.5, "0.001 to 0.5 m"};
constexpr Range kBaseHeight{0.01, 10, "0.01 to 10 m"};
constexpr Range kDelay{0, 1000, "0 to 1000 s"};

// A number of metres, or "soil".
ExpectedSinkage read_sinkage(const TableReader& reader) {
  const char* key = "expected_sinkage_m";
  const char* expected = "0 to 0.3 m, or \"soil\"";
  ExpectedSinkage out;
  if (!reader.has(key)) return out;
  const ConfigNode& node = reader.node(key);
  if (node.kind != ConfigNode::Kind::text) {
    out.sinkage = reader.number(key, {0, 0.3, expected});
    return out;
  }
  if (node.text != "soil") reader.refuse(key, expected);
  out.from_soil = true;
  return out;
}

WalkParameters read_walk(const TableReader& reader) {
  WalkParameters w;
  reader.read("step_count", w.step_count, {1, 1000, "a whole number, 1 to 1000"});
  reader.read("step_length_m", w.step_length, {-1, 1, "-1 to 1 m"});
  reader.read("step_width_m", w.step_width, {0.001, 2, "0.001 to 2 m"});
  reader.read("step_height_m", w.step_height, kStepHeight);
  reader.read("step_duration_s", w.step_duration, {0.1, 20, "0.1 to 20 s"});
  reader.read("double_support_share", w.double_support_share, {0.05, 0.9, "0.05 to 0.9"});
  reader.read_degrees("turn_deg", w.turn, {-45, 45, "-45 to 45 degrees per step"});
  reader.read("start_delay_s", w.start_delay, kDelay);
  reader.read("base_height_m", w.base_height, kBaseHeight);
  reader.read("left_first", w.left_first);
  reader.read("feedback", w.feedback);
  w.expected_sinkage = read_sinkage(reader);
  return w;
}

TrotParameters read_trot(const TableReader& reader) {
  TrotParameters t;
  reader.read_choice("gait", t.gait, {"walk", "trot"});
  reader.read("speed_m_per_s", t.speed, {-5, 5, "-5 to 5 m/s"});
  reader.read("lateral_speed_m_per_s", t.lateral_speed, {-5, 5, "-5 to 5 m/s"});
  reader.read_degrees("turn_rate_deg_per_s", t.turn_rate, {-360, 360, "-360 to 360 degrees/s"});
  reader.read("stride_duration_s", t.stride_duration, {0.1, 5, "0.1 to 5 s"});
  const bool trots = t.gait == QuadrupedGait::trot;
  reader.read("duty", t.duty,
              trots ? Range{0.5, 0.74, "0.5 to 0.74 for diagonal pairs"}
                    : Range{0.75, 0.95, "0.75 to 0.95 so that three feet stand"});
  reader.read("step_height_m", t.step_height, kStepHeight);
  reader.read("base_height_m", t.base_height, kBaseHeight);
  reader.read("start_delay_s", t.start_delay, kDelay);
  reader.read("ramp_duration_s", t.ramp_duration, kDelay);
  reader.read("stop_time_s", t.stop_time, kDelay);
  t.expected_sinkage = read_sinkage(reader);
  return t;
}

}  // namespace

std::vector<std::string> gait_keys() {
  std::vector<std::string> keys = kBothKeys;
  keys.insert(keys.end(), kWalkKeys.begin(), kWalkKeys.end());
  keys.insert(keys.end(), kTrotKeys.begin(), kTrotKeys.end());
  return keys;
}

void read_gait(const TableReader& reader, ControllerChoice& out) {
  const bool walks = out.kind == ControllerKind::walk, trots = out.kind == ControllerKind::trot;
  const auto refuse_unless = [&](bool used, const std::vector<std::string>& keys,
                                 const char* kinds) {
    if (used) return;
    reader.refuse_given(keys, fmt::format("it left out: it belongs to controller kind {}", kinds));
  };
  refuse_unless(walks || trots, kBothKeys, "'walk' or 'trot'");
  refuse_unless(walks, kWalkKeys, "'walk'");
  refuse_unless(trots, kTrotKeys, "'trot'");
  if (walks) out.walk = read_walk(reader);
  if (trots) out.trot = read_trot(reader);
}

std::vector<Push> read_pushes(const ConfigNode& node) {
  if (node.kind != ConfigNode::Kind::array) {
    throw input_error("{}: key 'push' = {}, expected sections [[push]]", node.where, node.shown);
  }
  std::vector<Push> pushes;
  for (std::size_t i = 0; i < node.elements.size(); ++i) {
    const TableReader reader(node.elements[i], fmt::format("push.{}", i),
                             {"body", "time_s", "duration_s", "force_N"});
    Push push;
    push.body = reader.text_if_given("body", "the name of a body").value_or("");
    push.start = reader.number("time_s", {0, 1e6, "0 to 1e6 s"});
    reader.read("duration_s", push.duration, {1e-6, 1e6, "1e-6 to 1e6 s"});
    const Range range{-1e6, 1e6, "three numbers [x, y, z] within ±1e6 N"};
    const auto force = reader.vector_if_given("force_N", range);
    if (!force) reader.refuse_missing("force_N", range.expected);
    push.force = *force;
    pushes.push_back(push);
  }
  return pushes;
}

}  // namespace footfall
