// footfall granular show: W of one configuration.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "foot_options.hpp"
#include "footfall/error.hpp"
#include "footfall/granular/learning.hpp"
#include "footfall/granular/wrench_hull.hpp"
#include "granular_parts.hpp"
#include "io/data_folders.hpp"

namespace footfall::granular_commands {
namespace {

struct ShowCommand {
  std::string file, plot, regression = "rbf";
  FootConfiguration at;
  bool json = false;
};

struct Shown {
  WrenchDatabase database;
  PredictedAt at;
  std::vector<PlanarWrench> points;  // zero last
  WrenchHull hull;
};

Regression regression_of(const std::string& name) {
  if (name == "gp") return Regression::gaussian_process;
  return name == "svr" ? Regression::support_vector : Regression::rbf;
}

Shown find_shown(const ShowCommand& c) {
  Shown shown;
  shown.database = read_wrench_database(find_file(medium_files(), c.file, "", ""));
  const WrenchModel model(learn_wrenches(shown.database, {regression_of(c.regression)}));
  WrenchVertices w = model.make_vertices();
  shown.at = model.predict(c.at, w);
  shown.points = points_of(w, model.vertex_count());
  shown.hull = find_hull(shown.points);
  return shown;
}

bool is_corner(const WrenchHull& hull, std::size_t i) {
  return std::binary_search(hull.corners.begin(), hull.corners.end(), static_cast<int>(i));
}

std::string clamped_text(const ShowCommand& c, const Shown& s) {
  if (!s.at.depth_clamped && !s.at.tilt_clamped) return "";
  return fmt::format("depth {:g} m and tilt {:g} rad are outside the data: the nearest inside is "
                     "depth {:.4g} m, tilt {:.4g} rad",
                     c.at.depth, c.at.tilt, s.at.configuration.depth, s.at.configuration.tilt);
}

void print_shown(const ShowCommand& c, const Shown& s) {
  fmt::print("W of {} at depth {:.4g} m, tilt {:.4g} rad, by {}\n\n", s.database.medium,
             s.at.configuration.depth, s.at.configuration.tilt, c.regression);
  const std::string clamped = clamped_text(c, s);
  if (!clamped.empty()) fmt::print("note: {}\n\n", clamped);
  fmt::print("  {:>9}{:>13}{:>13}{:>15}{:>12}{:>12}{:>14}\n", "direction", "v_x m/s", "v_z m/s",
             "tilting rad/s", "force x N", "force z N", "torque y N m");
  for (std::size_t i = 0; i < s.database.directions.size(); ++i) {
    const PlanarVelocity& v = s.database.directions[i];
    const PlanarWrench& w = s.points[i];
    fmt::print("  {:>9}{:>13.4f}{:>13.4f}{:>15.4f}{:>12.3f}{:>12.3f}{:>14.4f}{}\n", i, v.x + 0.0,
               v.z + 0.0, v.tilt + 0.0, w.force_x, w.force_z, w.torque_y,
               is_corner(s.hull, i) ? "" : "   inside");
  }
  const bool zero = is_corner(s.hull, s.points.size() - 1);
  fmt::print("\nHull with zero: {} corners{}, {} triangles, volume {:.5g} N² N m\n",
             s.hull.corners.size(), zero ? ", zero among them" : ", zero inside",
             s.hull.facets.size(), s.hull.volume);
}

Json shown_json(const ShowCommand& c, const Shown& s) {
  Json json{{"medium", s.database.medium},         {"regression", c.regression},
            {"depth_m", s.at.configuration.depth}, {"tilt_rad", s.at.configuration.tilt},
            {"depth_clamped", s.at.depth_clamped}, {"tilt_clamped", s.at.tilt_clamped}};
  for (std::size_t i = 0; i < s.database.directions.size(); ++i) {
    const PlanarWrench& w = s.points[i];
    json["wrenches"].push_back({{"direction", i},
                                {"force_x_N", w.force_x},
                                {"force_z_N", w.force_z},
                                {"torque_y_Nm", w.torque_y},
                                {"corner", is_corner(s.hull, i)}});
  }
  json["zero_is_a_corner"] = is_corner(s.hull, s.points.size() - 1);
  json["half_spaces"] = Json::array();
  for (const WrenchHull::Facet& f : s.hull.facets) {
    json["half_spaces"].push_back({{"normal", f.normal}, {"offset", f.offset}});
  }
  json["volume_N2_Nm"] = s.hull.volume;
  return json;
}

void run_show(const ShowCommand& c) {
  if (!c.plot.empty()) check_ending("plot", c.plot, ".svg");
  check_option("depth-m", c.at.depth, -100, 100, "m");
  check_option("tilt-rad", c.at.tilt, -3.2, 3.2, "rad");
  const Shown shown = find_shown(c);
  if (!c.plot.empty()) {
    const std::string title =
        fmt::format("{} at {:.3g} mm, {:.3g} rad", shown.database.medium,
                    1e3 * shown.at.configuration.depth, shown.at.configuration.tilt);
    write_plot(c.plot, draw_wrench_space(title, shown.points, shown.hull));
  }
  if (c.json) {
    print_json(shown_json(c, shown));
    return;
  }
  print_shown(c, shown);
  if (!c.plot.empty()) fmt::print("Plot: {}\n", c.plot);
}

}  // namespace

void add_show(CLI::App& granular) {
  auto [sub, c] = add_command<ShowCommand>(
      granular, "show", "The wrenches that a foot can meet at a depth and tilt", run_show);
  sub.add_option("database", c.file, "Database of wrenches: FILE.csv, or a name in media/")
      ->required();
  sub.add_option("--depth-m", c.at.depth, "Of the sole's centre below the surface [m]")->required();
  sub.add_option("--tilt-rad", c.at.tilt, "Of the foot's axis, towards +x [rad]")
      ->capture_default_str();
  sub.add_option("--regression", c.regression, "rbf, gp or svr")
      ->check(CLI::IsMember({"rbf", "gp", "svr"}))
      ->capture_default_str();
  sub.add_option("--plot", c.plot, "Draw W to this SVG file");
  sub.add_flag("--json", c.json, "Print JSON, and nothing else, on stdout");
  sub.footer("Example:\n"
             "  footfall granular show media/play-sand.csv --depth-m 0.03 --tilt-rad 0.2 "
             "--plot w.svg");
}

}  // namespace footfall::granular_commands
