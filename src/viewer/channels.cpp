#include "viewer/channels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::viewer {
namespace {

constexpr int kLength = -1, kAcross = -2;

bool has_values(const RunColumn& column, int rows) {
  for (int r = 0; r < rows; ++r) {
    const double* row = column.row(r);
    if (std::any_of(row, row + column.width, [](double v) { return v != 0; })) return true;
  }
  return false;
}

std::string foot_column_name(const RunContents& run, int foot, const char* name) {
  return fmt::format("feet/{}/{}", run.list("foot_groups")[foot], name);
}

void list_feet(const RunContents& run, const Scene& scene, std::vector<ChannelSpec>& out) {
  struct FootChannel {
    const char *column, *group, *unit;
    double scale;
    int component;
    bool only_if_any = false;  // some contact models never have it
  };
  constexpr FootChannel kChannels[] = {
      {"normal_force", "Normal force", "N", 1, 0},
      {"tangential_force", "Tangential force", "N", 1, 0},
      {"sinkage", "Sinkage", "mm", 1e3, 0},
      {"shear_displacement", "Shear displacement", "mm", 1e3, kLength, true},
      {"velocity", "Slip velocity", "m/s", 1, kAcross},
      {"friction_use", "Friction use", "%", 100, 0},
      {"pad_compression", "Pad compression", "mm", 1e3, 0, true},
  };
  for (const FootChannel& c : kChannels) {
    for (int f = 0; f < static_cast<int>(scene.feet.size()); ++f) {
      const std::string name = foot_column_name(run, f, c.column);
      // of a live run's one row nobody knows yet what will come
      if (c.only_if_any && run.row_count > 1 && !has_values(run.column(name), run.row_count))
        continue;
      out.push_back({name, c.group, scene.feet[f].name, c.unit, c.scale, f, c.component, false});
    }
  }
}

// Of each body that touched the ground with another part than a sole.
void list_body(const RunContents& run, std::vector<ChannelSpec>& out) {
  const char* const name = "body_contacts/normal_force";
  const RunColumn* column = run.find_column(name);
  for (int k = 0; column != nullptr && k < column->width; ++k) {
    bool touches = run.row_count <= 1;  // of a live run's one row nobody knows yet what will come
    for (int row = 0; row < run.row_count; ++row) touches = touches || column->at(row, k) != 0;
    if (!touches) continue;
    out.push_back({name, "Normal force on other parts", column->names[k], "N", 1, -1, k, false});
  }
}

void list_group(const RunContents& run, const char* prefix, const char* group, const char* unit,
                double scale, std::vector<ChannelSpec>& out) {
  for (const RunColumn& c : run.columns) {
    if (!c.name.starts_with(prefix) || c.width != 1) continue;
    out.push_back(
        {c.name, group, c.name.substr(std::string_view(prefix).size()), unit, scale, -1, 0, false});
  }
}

// Controls of one unit share a plot.
void list_controls(const RunContents& run, std::vector<ChannelSpec>& out) {
  const RunColumn* control = run.find_column("state/control");
  for (int k = 0; control != nullptr && k < control->width; ++k) {
    const std::string unit = control->units[k] == "1" ? "" : control->units[k];
    const std::string name = control->names.empty() ? fmt::format("{}", k) : control->names[k];
    out.push_back({"state/control", "Control", name, unit, 1, -1, k, false});
  }
}

// Stretches of rows, of which a line keeps the least and the largest value.
class Thinning {
 public:
  Thinning(int rows, int most) : rows_(rows), stretch_(1) {
    if (rows > most) stretch_ = (2 * rows + most - 1) / most;
  }
  bool is_thinned() const { return stretch_ > 1; }

  // Rows whose times the values stand at.
  std::vector<int> rows() const {
    std::vector<int> out;
    for (int first = 0; first < rows_; first += stretch_) {
      out.push_back(first);
      if (stretch_ > 1 && first + stretch_ / 2 < rows_) out.push_back(first + stretch_ / 2);
    }
    return out;
  }

  std::vector<double> values(const std::vector<double>& all) const {
    if (stretch_ == 1) return all;
    std::vector<double> out;
    for (int first = 0; first < rows_; first += stretch_) {
      const auto begin = all.begin() + first, end = all.begin() + std::min(first + stretch_, rows_);
      const auto [least, largest] = std::minmax_element(begin, end);
      if (first + stretch_ / 2 >= rows_) {
        out.push_back(*largest);
        continue;
      }
      out.push_back(least < largest ? *least : *largest);
      out.push_back(least < largest ? *largest : *least);
    }
    return out;
  }

 private:
  int rows_, stretch_;
};

}  // namespace

std::vector<double> channel_values(const RunContents& run, const ChannelSpec& spec) {
  const RunColumn& column = run.column(spec.name);
  std::vector<double> out(static_cast<std::size_t>(run.row_count));
  const bool across = spec.component == kAcross;
  const RunColumn* normal = across ? &run.foot_column(spec.foot, "normal") : nullptr;
  const RunColumn* touching = across ? &run.foot_column(spec.foot, "touching") : nullptr;
  for (int row = 0; row < run.row_count; ++row) {
    if (spec.component >= 0) {
      out[row] = column.at(row, spec.component);
      continue;
    }
    Vec3d v = column.vector(row);
    if (across) {
      const Vec3d n = normal->vector(row);
      v = touching->at(row) != 0 ? v - dot(v, n) * n : Vec3d{0, 0, 0};
    }
    out[row] = norm(v);
  }
  return out;
}

std::vector<ChannelSpec> list_channels(const RunContents& run, const Scene& scene) {
  std::vector<ChannelSpec> out;
  list_feet(run, scene, out);
  list_body(run, out);
  out.push_back({"solver/iterations", "Solver iterations", "iterations", "", 1, -1, 0, false});
  out.push_back({"solver/residual", "Solver residual", "force error", "N", 1, -1, 0, true});
  list_group(run, "stages/", "Stage times", "µs", 1e6, out);
  list_group(run, "energy/", "Energy", "J", 1, out);
  list_controls(run, out);
  return out;
}

Json channel_json(const ChannelSpec& spec) {
  Json out{{"name", spec.name},
           {"group", spec.group},
           {"label", spec.label},
           {"unit", spec.unit},
           {"scale", spec.scale}};
  if (spec.foot >= 0) out["foot"] = spec.foot;
  return out;
}

Json channels_json(const RunContents& run, const Scene& scene, const RunFrames& frames, int most,
                   ArrayStore& arrays, bool& thinned) {
  Json out = Json::array();
  if (scene.robot.bodies.size() > 1) {
    std::vector<double> height;
    height.reserve(frames.poses.size());
    for (const BodyPoses& pose : frames.poses) height.push_back(pose.p_WB[1].z);
    Json base = channel_json({"base height", "Base height", scene.robot.bodies[1].name, "m"});
    base["time"] = times_json(run, frames.rows, arrays);
    base["values"] = arrays.add_range(height);
    out.push_back(std::move(base));
  }
  const Thinning thinning(run.row_count, most);
  thinned = thinning.is_thinned();
  const Json time = times_json(run, thinning.rows(), arrays);
  for (const ChannelSpec& spec : list_channels(run, scene)) {
    const std::vector<double> values = thinning.values(channel_values(run, spec));
    Json channel = channel_json(spec);
    channel["time"] = time;
    channel["values"] = spec.wide_range ? arrays.add_floats(values) : arrays.add_range(values);
    out.push_back(std::move(channel));
  }
  return out;
}

Json loops_json(const Json& channels, const Scene& scene) {
  const auto find = [&](const char* group, std::size_t foot) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i]["group"] == group && channels[i].value("foot", -1) == static_cast<int>(foot))
        return static_cast<int>(i);
    }
    return -1;
  };
  Json out = Json::array();
  for (const auto& [title, x, y] :
       {std::tuple{"Normal force over sinkage", "Sinkage", "Normal force"},
        std::tuple{"Tangential force over shear displacement", "Shear displacement",
                   "Tangential force"}}) {
    for (std::size_t f = 0; f < scene.feet.size(); ++f) {
      const int cx = find(x, f), cy = find(y, f);
      if (cx >= 0 && cy >= 0) {
        out.push_back({{"title", title}, {"x", cx}, {"y", cy}, {"foot", static_cast<int>(f)}});
      }
    }
  }
  return out;
}

}  // namespace footfall::viewer
