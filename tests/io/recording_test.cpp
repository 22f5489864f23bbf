#include "footfall/io/recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "footfall/io/soil_library.hpp"
#include "footfall/rig/drag.hpp"
#include "footfall/rig/press.hpp"
#include "identify/rig_files.hpp"
#include "rig/grounds.hpp"

namespace footfall {
namespace {

using namespace rig_files;
using testing::AllOf;
using testing::HasSubstr;

// Sand under a plate, as text: F = 1e4 δ, in the units that the test asks for.
std::string table(const std::string& header, double per_s = 1, double per_m = 1, double per_N = 1,
                  int rows = 20) {
  std::string text = header + "\n";
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(0.1 * i * per_s) + "," + std::to_string(1e-3 * i * per_m) + "," +
            std::to_string(10.0 * i * per_N) + "\n";
  }
  return text;
}

void expect_sand(const Recording& r, bool zero_is_known = true) {
  ASSERT_EQ(r.rows.size(), 20u);
  EXPECT_EQ(r.rows[0], 2);
  EXPECT_EQ(r.zero_is_known, zero_is_known);
  for (int i = 0; i < 20; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_NEAR(r.time[k], 0.1 * i, 3e-5);  // six digits of minutes
    EXPECT_NEAR(r.sinkage[k], 1e-3 * i, 1e-6);
    EXPECT_NEAR(r.normal_force[k], 10 * i, 1e-3);
  }
}

TEST(Recording, HeadersAndUnits) {
  expect_sand(read(table("time_s,sinkage_m,normal_force_N")));
  expect_sand(read(table("t [ms],Depth (mm),Fz / kN", 1e3, 1e3, 1e-3)));
  expect_sand(read(table("T/min,DELTA_cm,Load [mN]", 1. / 60, 1e2, 1e3)));
  expect_sand(read(table("Time (us),Sinkage [\xC2\xB5m],F_N", 1e6, 1e6, 1)));
  expect_sand(read(table("time [sec],z_mm,Normal Force [N]", 1, -1e3, 1)), false);
  expect_sand(read(table("\xEF\xBB\xBF\"time [s]\",\"height [mm]\",force_N", 1, -1e3, 1)), false);
}

TEST(Recording, Delimiters) {
  std::string text = table("time_s,sinkage_m,normal_force_N");
  std::replace(text.begin(), text.end(), ',', ';');
  expect_sand(read(text));
  std::replace(text.begin(), text.end(), ';', '\t');
  expect_sand(read(text));
  text = table("t [s],sinkage [m],Fz [N]");
  std::replace(text.begin(), text.end(), ',', ' ');
  expect_sand(read(text));
  std::string crlf;
  for (const char c : table("time_s,sinkage_m,normal_force_N")) {
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
  }
  expect_sand(read(crlf + "\r\n\r\n"));
}

// As numpy.savetxt writes it; rows are lines of the file.
TEST(Recording, CommentsAndHeaderInAComment) {
  const std::string text = table("# made today\n# t_s, sinkage_mm, F_N", 1, 1e3, 1);
  const Recording r = read(text);
  EXPECT_EQ(r.rows[0], 3);
  EXPECT_NEAR(r.sinkage[4], 4e-3, 1e-9);
  EXPECT_THAT(mistake("0,1,2\n1,2,3\n"),
              HasSubstr(".csv:1: numbers only, expected a header first"));
}

// Columns of no interest may hold anything.
TEST(Recording, OtherColumnsAreIgnored) {
  const Recording r = read("note,sinkage_mm,temperature_C,Fz_N,t_s\n"
                           "a,1,nan,5,1\n\"b,c\",2,,10,2\n,3,x,15,3\n,4,x,20,4\n,5,x,25,5\n");
  EXPECT_EQ(r.sinkage, (std::vector<double>{1e-3, 2e-3, 3e-3, 4e-3, 5e-3}));
  EXPECT_EQ(r.time.back(), 5);
}

TEST(Recording, RigTableReadsBackExactly) {
  const RigGround ground = rig_test::on(rig_test::dry_sand(), make_disc(0.05));
  const File file("");
  std::vector<std::string> warnings;
  const PressResult p =
      press(ground, {}, {.load = 300, .cycles = 2, .staged = true, .unload = true});
  write_series(p.series, file.path);
  Recording r = read_recording(file.path, {}, warnings);
  ASSERT_EQ(r.rows.size(), p.series.size());
  EXPECT_TRUE(r.zero_is_known);
  EXPECT_TRUE(r.shear_displacement.empty());  // zeros: no drag
  for (std::size_t i = 0; i < p.series.size(); ++i) {
    const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-11 * std::abs(b); };
    EXPECT_TRUE(near(r.time[i], p.series[i].time));
    EXPECT_TRUE(near(r.sinkage[i], p.series[i].sinkage));
    EXPECT_TRUE(near(r.sinkage_rate[i], p.series[i].sinkage_rate));
    EXPECT_TRUE(near(r.body_sinkage[i], p.series[i].body_sinkage));
    EXPECT_TRUE(near(r.normal_force[i], p.series[i].normal_force));
  }
  EXPECT_THAT(warnings, testing::IsEmpty());
}

TEST(Recording, Mapping) {
  const File toml("[columns]\n"
                  "time = \"stamp [ms]\"\n"
                  "height = {name = \"LVDT 2\", unit = \"mm\"}\n"
                  "normal_force = {name = \"cell\", unit = \"kN\", sign = -1}\n",
                  ".toml");
  const ReadOptions options{.columns = toml.path};
  expect_sand(read(table("stamp [ms],LVDT 2,cell", 1e3, -1e3, -1e-3), options), false);
  // It also chooses among several that mean the same.
  const std::string two = "stamp [ms],LVDT 2,cell,sinkage_mm,Fz_N\n1,0,0,7,7\n2,-1,-1,7,7\n"
                          "3,-2,-2,7,7\n4,-3,-3,7,7\n5,-4,-4,7,7\n";
  EXPECT_EQ(read(two, options).normal_force.back(), 4000);
  EXPECT_THAT(mistake(table("time_s,sinkage_m,cell"), options),
              AllOf(HasSubstr(".toml:2:1: key 'columns.time' = 'stamp [ms]', but"),
                    HasSubstr("has the columns 'time_s', 'sinkage_m', 'cell'")));
}

std::string mapping_mistake(const std::string& toml) {
  const File file(toml, ".toml");
  return mistake(table("a,b,c"), {.columns = file.path});
}

TEST(Recording, MappingMistakes) {
  EXPECT_THAT(mapping_mistake("[columns]\ntimes = \"a\"\n"),
              HasSubstr("unknown key 'columns.times', did you mean 'columns.time'?"));
  EXPECT_THAT(mapping_mistake("x = 1\n"), HasSubstr("unknown key 'x'"));
  EXPECT_THAT(mapping_mistake(""), HasSubstr("'columns' is missing"));
  EXPECT_THAT(mapping_mistake("[columns]\nsinkage = 3\n"), HasSubstr("key 'columns.sinkage' = 3"));
  EXPECT_THAT(mapping_mistake("[columns]\nsinkage = {name = \"b\", sign = 0}\n"),
              HasSubstr("expected 1 or -1"));
  EXPECT_THAT(mapping_mistake("[columns]\nsinkage = \"b\"\nheight = \"b\"\n"),
              HasSubstr("expected either sinkage or height"));
  EXPECT_THAT(mapping_mistake("[columns]\ntime = {name = \"a\", unit = \"s\"}\n"
                              "sinkage = {name = \"b\", unit = \"inch\"}\n"
                              "normal_force = {name = \"c\", unit = \"N\"}\n"),
              HasSubstr("'b' has the unknown unit 'inch', expected one of m, cm, mm, um"));
}

// What is not a table is said in one line, without its bytes.
TEST(Recording, FilesThatAreNoText) {
  const std::string good = table("time_s,sinkage_m,force_N");
  std::string wide = "\xFF\xFE", old = good;
  for (const char c : good) wide += std::string{c, '\0'};
  EXPECT_THAT(mistake(wide), HasSubstr("is text in UTF-16, expected text in UTF-8 (CSV)"));
  EXPECT_THAT(mistake(std::string("a\x01\x80,b\n\x02", 7)), HasSubstr(": is not text, expected"));
  std::replace(old.begin(), old.end(), '\n', '\r');
  EXPECT_EQ(read(old).normal_force, read(good).normal_force);
  const std::string message = mistake(std::string(300, 'q') + ",b\n1,2\n");
  EXPECT_THAT(message, HasSubstr("'" + std::string(40, 'q') + "…', 'b'"));
  const File mat("MATLAB 5.0 MAT-file, Platform" + std::string(95, ' ') + std::string("\0\1IM", 4) +
                 std::string(300, '\x5A'));
  std::vector<std::string> warnings;
  try {
    read_recording(mat.path, {}, warnings);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no variable in it can be read"));
  }
}

TEST(Recording, UnknownUnits) {
  EXPECT_THAT(
      mistake(table("time_s,sinkage_mm,force_lbf")),
      HasSubstr("column 'force_lbf' has the unknown unit 'lbf', expected one of N, kN, mN"));
  EXPECT_THAT(mistake(table("time_s,sinkage_in,force_N")),
              HasSubstr("'sinkage_in' has the unknown unit 'in', expected one of m, cm, mm, um"));
  EXPECT_THAT(mistake(table("time_hours,sinkage_mm,force_N")),
              HasSubstr("'time_hours' has the unknown unit 'hours', expected one of s, ms"));
}

TEST(Recording, NoForceWasRecorded) {
  EXPECT_THAT(mistake("t_s,sinkage_mm,F_N\n0,0,0\n1,1,0\n2,2,0\n3,3,0\n4,4,0\n"),
              HasSubstr("the force in column 'F_N' is zero in all 5 rows: no force was recorded"));
}

// N under a header that says kN.
TEST(Recording, NewtonThatAreCalledKilonewton) {
  const std::string text = "t_s,sinkage_mm,F_kN\n0,0,0\n1,5,50\n2,10,100\n3,15,150\n4,20,200\n";
  EXPECT_THAT(mistake(text), HasSubstr(":6: a force of 200 kN in column 'F_kN', expected at most "
                                       "100 kN: is it in N?"));
  EXPECT_EQ(read(text, {.accept_implausible = true}).normal_force.back(), 2e5);
}

// The deflection of pad and ground together serves the fit of both, and no other.
TEST(Recording, BodySinkageAlone) {
  const std::string text = "t_s,body_sinkage_mm,F_N\n0,0,0\n1,1,10\n2,2,20\n3,3,30\n4,4,40\n";
  const Recording r = read(text);
  EXPECT_TRUE(r.sinkage.empty());
  EXPECT_EQ(r.body_sinkage.back(), 4e-3);
  EXPECT_THAT(mistake(text), HasSubstr("that of the body alone serves --fit series only"));
}

TEST(Recording, MissingColumns) {
  EXPECT_THAT(mistake(table("time_s,sinkage_m,temperature_K")),
              AllOf(HasSubstr("the columns are 'time_s', 'sinkage_m', 'temperature_K'"),
                    HasSubstr("expected a column of the normal force")));
  EXPECT_THAT(mistake(table("time_s,way_m,Fz_N")), HasSubstr("expected a column of the sinkage"));
  EXPECT_THAT(
      mistake(table("t,sinkage_mm,Fz_N")),
      HasSubstr("column 't' has no unit, expected one of s, ms, us, min in the header, as in "
                "'t [s]', or in a mapping, [columns] time = {name = \"t\", unit = \"s\"}"));
  EXPECT_THAT(mistake(table("t [s],sinkage [N],Fz_N")),
              HasSubstr("'sinkage [N]' with unit 'N' as sinkage, expected one of m, cm"));
  EXPECT_THAT(mistake("t_s,z_mm,depth_mm,Fz_N\n"),
              HasSubstr("columns 'depth_mm' and 'z_mm' both mean the sinkage"));
  EXPECT_THAT(mistake("t_s,z_mm,force_N,Fz_N\n"),
              HasSubstr("columns 'force_N' and 'Fz_N' both mean the normal_force"));
}

TEST(Recording, BadRows) {
  const std::string head = "t_s,sinkage_mm,Fz_N\n0,0,0\n1,1,10\n2,2,20\n";
  const std::string tail = "7,7,70\n8,8,80\n";
  EXPECT_THAT(mistake(head + "3,three,30\n" + tail),
              HasSubstr(".csv:5: 'three' in column 2 ('sinkage_mm'), expected a finite number"));
  EXPECT_THAT(mistake(head + "3,3,nan\n" + tail), HasSubstr(".csv:5: 'nan' in column 3 ('Fz_N')"));
  EXPECT_THAT(mistake(head + "3,3,-inf\n" + tail), HasSubstr(":5: '-inf' in column 3"));
  EXPECT_THAT(mistake(head + "3,3,\n" + tail), HasSubstr(":5: '' in column 3"));
  EXPECT_THAT(mistake(head + "3,3\n" + tail), HasSubstr(".csv:5: 2 columns, expected 3"));
  EXPECT_THAT(mistake(head + "3,3,30,1\n" + tail), HasSubstr(".csv:5: 4 columns, expected 3"));
  EXPECT_THAT(mistake(head + "2,3,30\n" + tail),
              HasSubstr(".csv:5: t_s = 2 s after 2 s in row 4, expected times that increase"));
  EXPECT_THAT(mistake(head), HasSubstr("3 rows of data, expected 5 or more"));
  EXPECT_THAT(mistake(""), HasSubstr("holds no table"));
  EXPECT_THAT(mistake("t_s;sinkage_mm;Fz_N\n0,5;1;2\n"), HasSubstr("with a decimal point"));
  std::vector<std::string> warnings;
  EXPECT_THROW(read_recording("/nowhere/there.csv", {}, warnings), InputError);
  EXPECT_THROW(read_recording(std::filesystem::temp_directory_path(), {}, warnings), InputError);
}

TEST(Recording, ReversedSigns) {
  EXPECT_THAT(
      mistake(table("t_s,sinkage_mm,Fz_N", 1, -1e3, 1)),
      AllOf(HasSubstr("the sign of the position is reversed"), HasSubstr("row 5 to row 18")));
  EXPECT_THAT(mistake(table("t_s,z_mm,Fz_N", 1, 1e3, 1)),
              HasSubstr("a height is positive up; map it with sign = -1, or as sinkage"));
  EXPECT_THAT(mistake(table("t_s,sinkage_mm,Fz_N", 1, 1e3, -1)),
              HasSubstr("expected positive when it pushes the foot out: map it with sign = -1"));
  EXPECT_THAT(mistake("sinkage_mm,load_N\n-5,100\n-9,200\n-12.5,300\n"),
              HasSubstr("the deeper the points, the smaller the force"));
}

TEST(Recording, Saturation) {
  std::string text = "t_s,sinkage_mm,Fz_N\n", held = text;
  for (int i = 0; i < 40; ++i) {
    const std::string row = std::to_string(i) + "," + std::to_string(i) + ",";
    text += row + std::to_string(std::min(10 * i, 300)) + "\n";
    held += std::to_string(i) + "," + std::to_string(std::min(i, 30)) + "," +
            std::to_string(std::min(10 * i, 300)) + "\n";
  }
  EXPECT_THAT(mistake(text), HasSubstr(".csv:32: the force in column 'Fz_N' stays at exactly 300 N "
                                       "over 10 rows (to row 41) while the foot moves by 9 mm"));
  EXPECT_EQ(mistake(held), "none");
}

TEST(Recording, UnitsThatAreQuestioned) {
  // 190 N at 19 mm, written in kN, or in mm, under headers that say otherwise.
  const std::string kilo = table("t_s,sinkage_m,Fz_N", 1, 1, 1e-3);
  EXPECT_THAT(mistake(kilo),
              AllOf(HasSubstr(".csv:21: the largest force in column 'Fz_N' is 0.19 N, "
                              "19 mm deep, where fresh snow would give"),
                    HasSubstr("is it in kN?"), HasSubstr("normal_force_kN")));
  EXPECT_THAT(mistake(table("t_s,sinkage_m,Fz_N", 1, 1e3, 1)),
              AllOf(HasSubstr(".csv:21: a sinkage of 19 m in column 'sinkage_m'"),
                    HasSubstr("is it in mm?")));
  EXPECT_THAT(mistake(table("t_s,z_m,Fz_N", 1, -1e3, 1)), HasSubstr("is it in mm?"));
  EXPECT_THAT(mistake(table("t_s,sinkage_m,Fz_N", 1, 1, 1e5)),
              HasSubstr("expected at most 1e+06 N"));
  // What was accepted is still said.
  const File file(kilo);
  std::vector<std::string> warnings;
  read_recording(file.path, {.accept_implausible = true}, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("is it in kN?"));
}

// A press of 100 to 500 N to 20 to 50 mm that was written in kN is refused; one to 5 or 10 mm
// could be fresh snow, and is refused or questioned.
TEST(Recording, KilonewtonsAreNoticed) {
  for (const double depth : {0.005, 0.01, 0.02, 0.03, 0.05}) {
    for (const double force : {100.0, 200.0, 500.0}) {
      const File file(table("t_s,sinkage_m,Fz_N", 1, depth / 19e-3, 1e-3 * force / 190));
      std::vector<std::string> warnings;
      bool refused = false;
      try {
        read_recording(file.path, {}, warnings);
      } catch (const InputError&) {
        refused = true;
      }
      EXPECT_TRUE(refused || warnings.size() == 1) << depth << " " << force;
      EXPECT_TRUE(refused || depth < 0.02) << depth << " " << force;
    }
  }
}

// Every soil of the library under every sole passes, fresh snow too; hard ground under a load.
TEST(Recording, SoilsOfTheLibraryAreNotRefused) {
  for (const Soil& soil : load_soil_library(FOOTFALL_SOURCE_DIR "/soils")) {
    for (const FootSole& sole : {make_disc(0.05), make_rectangle(0.1, 0.05),
                                 make_cylinder(0.05, 0.08), make_sphere(0.05)}) {
      const RigGround ground = make_rig_ground(sole, soil);
      std::vector<PressSettings> presses = {{.load = 300, .samples = 20}};
      if (soil.plastic) presses.push_back({.sinkage = 0.01, .samples = 20});
      if (soil.plastic) presses.push_back({.sinkage = 0.03, .samples = 20});
      for (const PressSettings& settings : presses) {
        const File file("");
        write_series(press(ground, {}, settings).series, file.path);
        std::vector<std::string> warnings;
        EXPECT_NO_THROW(read_recording(file.path, {}, warnings)) << soil.name;
      }
    }
  }
}

}  // namespace
}  // namespace footfall
