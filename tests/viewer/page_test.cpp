// Pages: what stands in them is what the run has, to the step it is rounded to.
#include "footfall/viewer/page.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <map>
#include <random>
#include <set>

#include "footfall/error.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/record/rut_file.hpp"
#include "footfall/robot/kinematics.hpp"
#include "footfall/run/run.hpp"
#include "record/run_samples.hpp"
#include "report/soil_color.hpp"
#include "viewer/fill.hpp"
#include "viewer/frames.hpp"
#include "viewer/lower_side.hpp"

namespace footfall::test {
namespace {

using ::testing::HasSubstr;
using viewer::ArrayStore;
using viewer::Json;

// ---- a reader of pages, as the viewer's ----

template <class Stored>
std::vector<double> read_stored(const Json& ref, const std::string& bytes) {
  const auto offset = ref["offset"].get<std::size_t>(), length = ref["length"].get<std::size_t>();
  const auto width = ref.value("width", std::size_t{1});
  EXPECT_EQ(offset % 8, 0U);
  EXPECT_LE(offset + length * sizeof(Stored), bytes.size());
  std::vector<Stored> stored(length);
  if (length > 0) std::memcpy(stored.data(), bytes.data() + offset, length * sizeof(Stored));
  std::vector<double> out;
  for (std::size_t i = 0; i < length; ++i) {
    if constexpr (std::is_integral_v<Stored>) {
      if (ref.value("delta", false) && i >= width) {
        stored[i] = static_cast<Stored>(static_cast<std::uint32_t>(stored[i]) +
                                        static_cast<std::uint32_t>(stored[i - width]));
      }
    }
    out.push_back(ref.value("bias", 0.0) +
                  ref.value("scale", 1.0) * static_cast<double>(stored[i]));
  }
  return out;
}

std::vector<double> read_array(const Json& ref, const std::string& bytes) {
  const auto type = ref["type"].get<std::string>();
  if (type == "f32") return read_stored<float>(ref, bytes);
  if (type == "i16") return read_stored<std::int16_t>(ref, bytes);
  if (type == "i32") return read_stored<std::int32_t>(ref, bytes);
  EXPECT_EQ(type, "u8");
  return read_stored<std::uint8_t>(ref, bytes);
}

// A quadruped dropped onto sand with rims, recorded.
struct SandRun {
  explicit SandRun(const std::string& duration = "0.35") {
    scenario = parse_scenario("[robot]\nfile = \"robots/quadruped.xml\"\ndrop_height_m = 0.01\n"
                              "[controller]\nkind = \"hold\"\nkp = 60\nkd = 2\n"
                              "[soil]\nname = \"dry-sand\"\n"
                              "[contact]\nmodel = \"terramechanics\"\n"
                              "[ground.ruts]\nrim_share = 0.5\n"
                              "[step]\ntimestep_s = 0.001\nduration_s = " +
                                  duration + "  # </script><!-- a trap -->\n",
                              "sand", FOOTFALL_SOURCE_DIR);
    setup.emplace(prepare_run(scenario));
    RunOptions options;
    options.output = folder / "out";
    footfall::run(scenario, *setup, options);
    data = read_run(folder / "out/run.h5");
  }
  TemporaryFolder folder;
  Scenario scenario;
  std::optional<RunSetup> setup;
  RunContents data;
};

const SandRun& sand_run() {
  static const SandRun run;
  return run;
}

TEST(Page, ArraysComeBack) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back(i % 7 == 0 ? 0 : 5 * normal(random));
  ArrayStore arrays;
  const Json steps = arrays.add_steps(values, 1e-3, 3), wide = arrays.add_steps(values, 1e-6, 3),
             range = arrays.add_range(values, 3), floats = arrays.add_floats(values);
  EXPECT_EQ(steps["type"], "i16");
  EXPECT_EQ(wide["type"], "i32");
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  for (const auto& [ref, step] :
       {std::pair{steps, 1e-3}, std::pair{wide, 1e-6}, std::pair{range, (*high - *low) / 65532},
        std::pair{floats, 2e-6}}) {
    const std::vector<double> found = read_array(ref, arrays.bytes());
    ASSERT_EQ(found.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(found[i], values[i], 0.5001 * step);
      if (values[i] == 0) {
        EXPECT_NEAR(found[i], 0, 1e-15);
      }
    }
  }
}

TEST(Page, ArraysOfOddNumbers) {
  const double none = std::nan("");
  ArrayStore arrays;
  EXPECT_EQ(read_array(arrays.add_range({2, none, 3}), arrays.bytes())[1], 2);
  EXPECT_EQ(read_array(arrays.add_range({7, 7, 7}), arrays.bytes())[2], 7);
  EXPECT_EQ(read_array(arrays.add_range({none}), arrays.bytes())[0], 0);
  EXPECT_TRUE(read_array(arrays.add_range({}), arrays.bytes()).empty());
  EXPECT_EQ(read_array(arrays.add_flags({0, 1, 255}), arrays.bytes())[2], 255);
}

TEST(Page, PosesAndForcesAreThoseOfTheRun) {
  const RunContents& run = sand_run().data;
  const World& world = sand_run().setup->world;
  const PageContent content = make_run_page(run);
  const Json page = Json::parse(content.json);
  const Json& frames = page["runs"][0]["frames"];
  const auto array = [&](const char* name) { return read_array(frames[name], content.bytes); };
  const std::vector<double> time = array("time"), position = array("position"),
                            quaternion = array("quaternion"), mass_center = array("center_of_mass"),
                            force = array("force"), pressure = array("pressure");
  const auto count = frames["count"].get<std::size_t>();
  ASSERT_EQ(time.size(), count);
  EXPECT_NEAR(static_cast<double>(count), 36, 1);  // 100 frames per second and the last
  const std::size_t bodies = world.robot.bodies.size() - 1, feet = world.soles.feet.size();
  RobotData<double> data(world.robot);
  for (std::size_t i = 0; i < count; ++i) {
    const int row = static_cast<int>(std::lround(time[i] / 0.001)) - 1;
    ASSERT_NEAR(run.column("time").at(row), time[i], 1e-12);
    const RunColumn& qpos = run.column("state/qpos");
    compute_positions(world.robot, &qpos.values[static_cast<std::size_t>(row * qpos.width)], data);
    Vec3d sum{0, 0, 0};
    for (std::size_t b = 0; b < bodies; ++b) {
      const double* p = &position[3 * (i * bodies + b)];
      const double* q = &quaternion[4 * (i * bodies + b)];
      EXPECT_LT(norm(Vec3d{p[0], p[1], p[2]} - data.p_WB[b + 1]), 5e-5);
      const Mat3d R = to_matrix(normalized(Quatd{q[0], q[1], q[2], q[3]}));
      EXPECT_LT(norm(R.x - data.R_WB[b + 1].x) + norm(R.z - data.R_WB[b + 1].z), 3e-4);
      const Body& body = world.robot.bodies[b + 1];
      sum += body.mass * (data.p_WB[b + 1] + data.R_WB[b + 1] * body.com);
    }
    sum = (1 / world.robot.total_mass()) * sum;
    const double* c = &mass_center[3 * i];
    EXPECT_LT(norm(Vec3d{c[0], c[1], c[2]} - sum), 5e-5);
    for (std::size_t f = 0; f < feet; ++f) {
      const int foot = static_cast<int>(f);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(force[3 * (i * feet + f) + static_cast<std::size_t>(k)],
                    run.foot_column(foot, "force").at(row, k), 0.05);
      }
      EXPECT_EQ(pressure[i * feet + f] > 0, run.foot_column(foot, "touching").at(row) != 0);
    }
  }
}

// A robot without a controller that has collapsed: an arrow shows the force on its trunk and legs.
TEST(Page, ForceOnOtherPartsActsOnItsLine) {
  const Scenario scenario =
      parse_scenario("[robot]\nfile = \"robots/quadruped.xml\"\ndrop_height_m = 0\n"
                     "[soil]\nname = \"dry-sand\"\n"
                     "[contact]\nmodel = \"terramechanics\"\n"
                     "[step]\ntimestep_s = 0.001\nduration_s = 1\n",
                     "collapse", FOOTFALL_SOURCE_DIR);
  const TemporaryFolder folder;
  RunSetup setup = prepare_run(scenario);
  RunOptions options;
  options.output = folder / "out";
  footfall::run(scenario, setup, options);
  const RunContents run = read_run(folder / "out/run.h5");
  const PageContent content = make_run_page(run);
  const Json page = Json::parse(content.json);
  const Json& frames = page["runs"][0]["frames"];
  const std::vector<double> force = read_array(frames["body_force"], content.bytes),
                            center = read_array(frames["body_center"], content.bytes);
  const int last = run.row_count - 1;
  const auto column = [&](const char* name, int k) { return run.column(name).at(last, k); };
  const double* f = &force[force.size() - 3];
  const double* c = &center[center.size() - 3];
  EXPECT_GT(f[2], 0.3 * setup.world.robot.total_mass() * 9.81);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(f[k], column("body_contacts/force", k), 0.05);
  EXPECT_NEAR(c[1] * f[2] - c[2] * f[1], column("body_contacts/moment", 0), 0.05);
  EXPECT_NEAR(c[2] * f[0] - c[0] * f[2], column("body_contacts/moment", 1), 0.05);
}

TEST(Page, ChannelsAndLoopsAreThoseOfTheRun) {
  const RunContents& run = sand_run().data;
  const PageContent content = make_run_page(run);
  const Json page = Json::parse(content.json);
  const Json& channels = page["runs"][0]["channels"];
  std::map<std::string, int> seen;
  for (const Json& channel : channels) {
    ++seen[channel["group"]];
    const std::vector<double> values = read_array(channel["values"], content.bytes);
    ASSERT_EQ(values.size(), read_array(channel["time"], content.bytes).size());
    if (channel["group"] != "Sinkage" && channel["group"] != "Energy") continue;
    const RunColumn& column = run.column(channel["name"].get<std::string>());
    ASSERT_EQ(values.size(), column.values.size());
    const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], column.values[i], (*high - *low) / 65000 + 1e-12);
    }
  }
  for (const char* group : {"Normal force", "Tangential force", "Sinkage", "Shear displacement",
                            "Slip velocity", "Friction use"}) {
    EXPECT_EQ(seen[group], 4) << group;
  }
  EXPECT_EQ(seen["Solver iterations"], 1);
  EXPECT_EQ(seen["Stage times"], kStageCount);
  ASSERT_EQ(page["runs"][0]["loops"].size(), 8U);
  for (const Json& loop : page["runs"][0]["loops"]) {
    EXPECT_EQ(channels[loop["x"].get<std::size_t>()]["foot"], loop["foot"]);
    EXPECT_EQ(channels[loop["y"].get<std::size_t>()]["foot"], loop["foot"]);
  }
}

using Rows = std::map<std::string, std::string>;

std::map<std::string, Rows> tables_of(const RunContents& run) {
  std::map<std::string, Rows> out;
  const Json page = Json::parse(make_run_page(run).json);
  for (const Json& table : page["tables"]) {
    for (const Json& row : table["rows"]) out[table["title"]][row[0]] = row[1];
  }
  return out;
}

TEST(Page, TablesAreTheRunsResults) {
  RunContents run = sand_run().data;
  const Json summary = Json::parse(run.text("summary"));
  const std::map<std::string, Rows> tables = tables_of(run);
  EXPECT_EQ(tables.at("Run").at("steps"), "350");
  EXPECT_EQ(tables.at("Solver").at("iterations at most"),
            std::to_string(summary["solver"]["iterations_max"].get<int>()));
  EXPECT_EQ(tables.at("Run").at("at rest at the end"), summary["settled"] == true ? "yes" : "no");
  EXPECT_THAT(tables.at("Run").at("deepest rut"), HasSubstr("mm"));

  run.texts.erase("summary");  // as in the file of a run that was killed: every step was recorded
  const std::map<std::string, Rows> killed = tables_of(run);
  EXPECT_EQ(killed.at("Solver"), tables.at("Solver"));
  EXPECT_EQ(killed.at("Run").at("deepest rut"), tables.at("Run").at("deepest rut"));
  EXPECT_EQ(killed.at("Run").count("steps"), 0U);
}

// The run, and then the robot is lifted off the ground.
RunContents lifted(RunContents run) {
  const int added = 30;
  for (RunColumn& c : run.columns) {
    for (int i = 0; i < added; ++i) {
      const std::size_t last = c.values.size() - static_cast<std::size_t>(c.width);
      for (std::size_t k = 0; k < static_cast<std::size_t>(c.width); ++k) {
        double value = c.values[last + k];
        if (c.name == "time") value += 0.001;
        if (c.name == "state/qpos" && k == 2 && i == 0) value += 0.3;
        if (c.name.ends_with("/touching")) value = 0;
        c.values.push_back(value);
      }
    }
  }
  run.row_count += added;
  return run;
}

// When the feet have left, the ground is that of the ruts in the run file, cell by cell.
TEST(Page, DentsEndAsTheRuts) {
  const RunContents run = lifted(sand_run().data);
  const PageContent content = make_run_page(run);
  const Json page = Json::parse(content.json);
  const Json& dents = page["runs"][0]["ground"]["dents"];
  const auto array = [&](const char* name) { return read_array(dents[name], content.bytes); };
  const std::vector<double> frame = array("frame"), column = array("column"), row = array("row"),
                            height = array("height");
  EXPECT_TRUE(std::is_sorted(frame.begin(), frame.end()));
  std::map<std::pair<int, int>, double> last;
  std::set<double> frames;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    last[{static_cast<int>(column[i]), static_cast<int>(row[i])}] = height[i];
    frames.insert(frame[i]);
  }
  EXPECT_GT(frames.size(), 3U);  // they sink in bit by bit
  const RutGrid ruts = read_ruts(run.file);
  const double cell = dents["cell"];
  ASSERT_EQ(cell, ruts.options().cell);
  double volume = 0;
  for (const auto& [place, h] : last) {
    const RutCell rut = ruts.sample((place.first + 0.5) * cell, (place.second + 0.5) * cell);
    EXPECT_NEAR(h, rut.rim - rut.sinkage, 1.1e-5);
    volume -= h * cell * cell;
  }
  EXPECT_NEAR(volume, ruts.displaced_volume() - ruts.rim_volume(), 1e-3 * ruts.displaced_volume());
}

// A run of 60 s must be 8 MB at most, of which the viewer takes 1: so 10 s of trotting to and fro …
TEST(Page, LongRunsStaySmall) {
  RunContents run = sand_run().data;
  const int rows = run.row_count, wanted = 10000;
  for (RunColumn& c : run.columns) {
    const std::vector<double> once = c.values;
    while (c.values.size() < static_cast<std::size_t>(wanted * c.width)) {
      c.values.insert(c.values.end(), once.begin(), once.end());
    }
    c.values.resize(static_cast<std::size_t>(wanted * c.width));
    if (c.name != "time") continue;
    for (int i = 0; i < wanted; ++i) c.values[static_cast<std::size_t>(i)] = 0.001 * (i + 1);
  }
  ASSERT_GT(wanted, 20 * rows);
  run.row_count = wanted;
  const PageContent content = make_run_page(run);
  EXPECT_LT(viewer::embed_bytes(content.bytes).size() + content.json.size(), 7'000'000U / 6);
  // … and longer ones are thinned, which the page says.
  PageOptions options;
  options.most_rows = 1000;
  options.most_frames = 100;
  const PageContent thin = make_run_page(run, options);
  const Json page = Json::parse(thin.json);
  EXPECT_EQ(page["warnings"].size(), Json::parse(content.json)["warnings"].size() + 2);
  EXPECT_LE(page["runs"][0]["frames"]["count"].get<int>(), 100);
  const Json& channels = page["runs"][0]["channels"];
  const auto force = std::find_if(channels.begin(), channels.end(),
                                  [](const Json& c) { return c["group"] == "Normal force"; });
  const std::vector<double> values = read_array((*force)["values"], thin.bytes);
  const std::vector<double>& all = run.foot_column(0, "normal_force").values;
  EXPECT_LE(values.size(), 1000U);
  EXPECT_NEAR(*std::max_element(values.begin(), values.end()),
              *std::max_element(all.begin(), all.end()), 0.05);
}

TEST(Page, TextsCannotEndTheirElement) {
  const PageContent content = make_run_page(sand_run().data);
  ASSERT_THAT(content.json, HasSubstr("</script>"));  // of the scenario's text
  const std::string html = viewer::fill_places(
      "<a><!--footfall-page--></a><b><!--footfall-data--></b>", content.json, "DATA");
  EXPECT_EQ(html.find('<', 3), html.find("</a><b>DATA</b>"));
  const Json page = Json::parse(html.substr(3, html.find("</a>") - 3));
  EXPECT_EQ(page["texts"][0]["text"], sand_run().data.text("scenario_text"));
}

TEST(Page, IsPlainWithoutTheViewer) {
  PageOptions options;
  options.warnings = {"a < b"};
  const std::string html = viewer::plain_page(make_run_page(sand_run().data, options));
  for (const char* text : {"a &lt; b", "<h2>Feet</h2>", "<h2>Solver</h2>", "[robot]"}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
  EXPECT_THAT(html, ::testing::Not(HasSubstr("</script>")));  // of the scenario's text
}

TEST(Page, FillsEachPlaceOnce) {
  const auto fill = [](const char* html) { return viewer::fill_places(html, "{}", "x"); };
  EXPECT_EQ(fill("a<!--footfall-page-->b<!--footfall-data-->c"), "a{}bxc");
  EXPECT_THROW(fill("a<!--footfall-page-->b"), InputError);
  EXPECT_THROW(fill("<!--footfall-data--><!--footfall-page-->"), InputError);
  EXPECT_THROW(fill("<!--footfall-page--><!--footfall-data--><!--footfall-page-->"), InputError);
  if (viewer_html().empty()) {
    EXPECT_FALSE(viewer_note().empty());
    EXPECT_THROW(fill_page({"{}", ""}), InputError);
  } else {
    EXPECT_THAT(fill_page({"{\"a\":1}", ""}), HasSubstr(">{\"a\":1}<"));
  }
}

TEST(Page, ComparesRunsInOneScene) {
  const std::vector<RunContents> runs = {sand_run().data, sand_run().data};
  const PageContent content = make_compare_page(runs, {"a", "b"}, {.title = "two"});
  const Json page = Json::parse(content.json);
  ASSERT_EQ(page["runs"].size(), 2U);
  EXPECT_EQ(page["runs"][1]["name"], "b");
  EXPECT_EQ(read_array(page["runs"][0]["frames"]["position"], content.bytes),
            read_array(page["runs"][1]["frames"]["position"], content.bytes));
}

// Second route: a point a little below the lower side is outside, one a little above it inside.
bool is_inside(const Geom& geom, const Vec3d& p) {
  const Vec3d& s = geom.size;
  switch (geom.type) {
  case GeomType::sphere:
    return norm(p) <= s.x;
  case GeomType::capsule:
    return norm(p - Vec3d{0, 0, std::clamp(p.z, -s.y, s.y)}) <= s.x;
  case GeomType::cylinder:
    return std::hypot(p.x, p.y) <= s.x && std::fabs(p.z) <= s.y;
  case GeomType::ellipsoid:
    return norm(Vec3d{p.x / s.x, p.y / s.y, p.z / s.z}) <= 1;
  case GeomType::box:
    return std::fabs(p.x) <= s.x && std::fabs(p.y) <= s.y && std::fabs(p.z) <= s.z;
  case GeomType::mesh:  // an octahedron
    return std::fabs(p.x) / s.x + std::fabs(p.y) / s.y + std::fabs(p.z) / s.z <= 1;
  }
  return false;
}

TEST(LowerSide, IsWhereTheShapeBegins) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int type = 0; type <= 5; ++type) {
    Geom geom;
    geom.type = static_cast<GeomType>(type);
    geom.size = {0.05, 0.08, 0.03};
    const Vec3d& s = geom.size;
    geom.vertices = {{s.x, 0, 0},  {-s.x, 0, 0}, {0, s.y, 0},
                     {0, -s.y, 0}, {0, 0, s.z},  {0, 0, -s.z}};
    for (const int a : {0, 1}) {
      for (const int b : {2, 3}) {
        for (const int c : {4, 5}) geom.triangles.push_back({a, b, c});
      }
    }
    int hits = 0;
    for (int i = 0; i < 200; ++i) {
      const Mat3d R = to_matrix(
          normalized(Quatd{normal(random), normal(random), normal(random), normal(random)}));
      const viewer::PosedGeom placed{&geom, R, {0.3, -0.2, 0.1}};
      const double x = 0.3 + 0.05 * normal(random), y = -0.2 + 0.05 * normal(random);
      const auto inside = [&](double z) {
        return is_inside(geom, transpose_times(R, Vec3d{x, y, z} - placed.p_WG));
      };
      const std::optional<double> side = viewer::lower_side_height(placed, x, y);
      if (!side) {
        for (int k = -40; k <= 40; ++k) EXPECT_FALSE(inside(0.1 + 0.004 * k)) << type;
        continue;
      }
      ++hits;
      EXPECT_FALSE(inside(*side - 1e-9)) << type;
      EXPECT_TRUE(inside(*side + 1e-6) || inside(*side + 1e-9)) << type;
      const viewer::LevelBox box = viewer::plan_box(placed);
      EXPECT_TRUE(x >= box.x_min && x <= box.x_max && y >= box.y_min && y <= box.y_max) << type;
    }
    EXPECT_GT(hits, 40) << type;
  }
}

TEST(SoilColor, TellsSoilsApart) {
  std::set<std::string> colors;
  const std::vector<Soil> soils =
      load_soil_library(std::filesystem::path(FOOTFALL_SOURCE_DIR) / "soils");
  for (const Soil& soil : soils) {
    const bool plastic = soil.plastic.has_value();
    const double stiffness = soil.compliant ? soil.compliant->stiffness : 0;
    colors.insert(picture::hex(picture::soil_kind_color(soil.name, plastic, stiffness, 0)));
  }
  EXPECT_GE(colors.size(), soils.size() - 4);  // sandy loams look alike, and so does snow
  EXPECT_NE(picture::hex(picture::soil_kind_color("my soil", true, 0, 0)),
            picture::hex(picture::soil_kind_color("my floor", false, 1e7, 0)));
}

}  // namespace
}  // namespace footfall::test
