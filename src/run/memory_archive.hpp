// What a step, a controller and a watch remember, as JSON: for the bundle of a failed step and for checkpoints.
//
// Whoever remembers has one list for both ways,
//
//   template <class Archive> void list_memory(const Archive& archive) {
//     archive("time_s", time_);
//     archive.grow("touchdowns", touchdowns_);   // a list that gets longer as the run goes on
//   }
//
// which a MemoryWriter and a MemoryReader go through. Numbers come back bit by bit; a lists' length has to be what
// it is before reading, but for those that grow.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "footfall/ground/world.hpp"
#include "input_error.hpp"

namespace footfall {

class MemoryWriter {
 public:
  using Json = nlohmann::ordered_json;
  explicit MemoryWriter(Json& json) : json_(json) {}
  void operator()(const char* key, auto& value) const { write(value, json_[key]); }
  void grow(const char* key, auto& list) const { write(list, json_[key]); }

 private:
  // JSON has no numbers that are none: they are "inf", "-inf" and "nan".
  static void write(double value, Json& out) {
    out = value;
    if (!std::isfinite(value)) out = fmt::format("{}", value);
  }
  static void write(int value, Json& out) { out = value; }
  static void write(std::int64_t value, Json& out) { out = value; }
  static void write(bool value, Json& out) { out = value; }
  static void write(const std::string& value, Json& out) { out = value; }
  static void write(const Vec3d& v, Json& out) { write_list(std::array{v.x, v.y, v.z}, out); }
  static void write(const Mat3d& m, Json& out) { write_list(std::array{m.x, m.y, m.z}, out); }
  template <class Element>
  static void write(std::vector<Element>& list, Json& out) {
    write_list(list, out);
  }
  template <class Element>
  static void write(const std::vector<Element>& list, Json& out) {
    write_list(list, out);
  }
  template <class Element, std::size_t N>
  static void write(std::array<Element, N>& list, Json& out) {
    write_list(list, out);
  }
  template <class Value>
  static void write(std::optional<Value>& value, Json& out) {
    out = nullptr;
    if (value) write(*value, out);
  }
  template <class Value>
    requires std::is_enum_v<std::remove_const_t<Value>>
  static void write(Value& value, Json& out) {
    out = static_cast<int>(value);
  }
  template <class Value>
    requires requires(Value& value, const MemoryWriter& writer) { value.list_memory(writer); }
  static void write(Value& value, Json& out) {
    out = Json::object();
    value.list_memory(MemoryWriter(out));
  }
  static void write_list(auto&& list, Json& out) {
    out = Json::array();
    for (auto&& element : list) write(element, out.emplace_back());
  }

  Json& json_;
};

class MemoryReader {
 public:
  using Json = nlohmann::ordered_json;
  explicit MemoryReader(const Json& json) : json_(json) {}
  void operator()(const char* key, auto& value) const { read(json_.at(key), value, key); }
  template <class Element>
  void grow(const char* key, std::vector<Element>& list) const {
    list.resize(json_.at(key).size());
    read(json_.at(key), list, key);
  }

 private:
  static void read(const Json& in, double& value, const char*) {
    const std::string text = in.is_string() ? in.get<std::string>() : "";
    if (in.is_null() || text == "nan" || text == "-nan") {  // null: as earlier versions wrote all
      value = std::numeric_limits<double>::quiet_NaN();
    } else if (text == "inf" || text == "-inf") {
      value = (text == "inf" ? 1 : -1) * std::numeric_limits<double>::infinity();
    } else {
      value = in.get<double>();
    }
  }
  static void read(const Json& in, int& value, const char*) {
    value = static_cast<int>(std::clamp(in.get<double>(), -2147483648.0, 2147483647.0));
  }
  static void read(const Json& in, std::int64_t& value, const char*) {
    value = in.get<std::int64_t>();
  }
  static void read(const Json& in, bool& value, const char*) { value = in.get<bool>(); }
  static void read(const Json& in, std::string& value, const char*) {
    value = in.get<std::string>();
  }
  static void read(const Json& in, PrintStage& stage, const char*) {
    stage = static_cast<PrintStage>(std::clamp(in.get<double>(), 0.0, 2.0));
  }
  static void read(const Json& in, Vec3d& v, const char* key) {
    std::array<double*, 3> parts = {&v.x, &v.y, &v.z};
    check_size(in, 3, key);
    for (std::size_t i = 0; i < 3; ++i) read(in[i], *parts[i], key);
  }
  static void read(const Json& in, Mat3d& m, const char* key) {
    std::array<Vec3d*, 3> parts = {&m.x, &m.y, &m.z};
    check_size(in, 3, key);
    for (std::size_t i = 0; i < 3; ++i) read(in[i], *parts[i], key);
  }
  template <class Element>
  static void read(const Json& in, std::vector<Element>& list, const char* key) {
    check_size(in, list.size(), key);
    for (std::size_t i = 0; i < list.size(); ++i) read(in[i], list[i], key);
  }
  template <class Element, std::size_t N>
  static void read(const Json& in, std::array<Element, N>& list, const char* key) {
    check_size(in, N, key);
    for (std::size_t i = 0; i < N; ++i) read(in[i], list[i], key);
  }
  template <class Value>
  static void read(const Json& in, std::optional<Value>& value, const char* key) {
    value.reset();
    if (!in.is_null()) read(in, value.emplace(), key);
  }
  template <class Value>
  static void read(const Json& in, Value& value, const char*) {
    if constexpr (std::is_enum_v<Value>) {
      value = static_cast<Value>(in.get<int>());
    } else {
      value.list_memory(MemoryReader(in));
    }
  }
  static void check_size(const Json& in, std::size_t size, const char* key) {
    if (in.is_array() && in.size() == size) return;
    throw input_error("'{}' has {} entries, expected {} of this robot", key, in.size(), size);
  }

  const Json& json_;
};

// What a state and a control consist of, ruts aside.
template <class Archive, class StateOf>
void list_state(const Archive& archive, StateOf& s) {
  auto& m = s.memory;
  auto& p = m.plastic;
  archive("time_s", s.time);
  archive("qpos", s.qpos);
  archive("qvel", s.qvel);
  archive("shear_displacement_m", m.shear_displacement);
  archive("spin_displacement_m", m.spin_displacement);
  archive("resistance_N", m.resistance);
  archive("motion_m", m.motion);
  archive("joint_displacement", m.joint_displacement);
  archive("normal_force_N", m.normal_force);
  archive("sinkage_m", m.sinkage);
  archive("jump_m", m.jump);
  archive("wrench_vertices", m.wrench_vertices);
  archive("soil", m.soil);
  archive("energy_J", m.energy);
  archive("is_pressed", p.is_pressed);
  archive("plastic_sinkage_m", p.plastic_sinkage);
  archive("sinkage_max_m", p.sinkage_max);
  archive("bearing_N", p.bearing);
  archive("rim_height_m", p.rim_height);
  archive("gap_m", p.gap);
  archive("strength_N", p.strength);
  archive("unload_stiffness_N_per_m", p.unload_stiffness);
  archive("offset_m", p.offset);
  archive("corner_x_m", p.corner_x);
  archive("corner_y_m", p.corner_y);
  archive("print_x_m", p.print_x);
  archive("print_y_m", p.print_y);
  archive("print_shear_x_m", p.shear_x);
  archive("print_shear_y_m", p.shear_y);
  archive("pad_compression_m", m.pad_compression);
  archive("print_stage", p.stage);
}

template <class Archive, class ControlOf>
void list_control(const Archive& archive, ControlOf& c) {
  archive("control", c.control);
  archive("position", c.position);
  archive("velocity", c.velocity);
  archive("kp", c.kp);
  archive("kd", c.kd);
}

}  // namespace footfall
