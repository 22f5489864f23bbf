// HDF5 and MATLAB files, and files that are nothing of the kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <matio.h>

#include <functional>
#include <random>

#include "footfall/io/recording.hpp"
#include "identify/rig_files.hpp"
#include "io/hdf5.hpp"

namespace footfall {
namespace {

using namespace rig_files;
using testing::HasSubstr;

const std::vector<double> kTime{0, 1, 2, 3, 4, 5}, kHeight{0, -1, -2, -3, -4, -5},
    kForce{0, 10, 20, 30, 40, 50};

void expect_six(const Recording& r) {
  EXPECT_EQ(r.rows, (std::vector<long>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(r.time, kTime);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(r.sinkage[i], 1e-3 * static_cast<double>(i));
  EXPECT_EQ(r.normal_force, kForce);
}

std::string refusal(const std::filesystem::path& file, const ReadOptions& options = {}) {
  std::vector<std::string> warnings;
  try {
    read_recording(file, options, warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

void write_hdf5(const std::filesystem::path& path, const std::string& group,
                const std::vector<double>& force) {
  const hdf5::Session session;
  const std::string name = path.string();
  const hdf5::File file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  hdf5::Group inner;
  hid_t parent = file.get();
  if (!group.empty()) {
    inner = hdf5::make_group(parent, group, name);
    parent = inner.get();
  }
  hdf5::write_table(parent, {"t", "s", "time", "", {6}}, kTime, name);
  hdf5::write_table(parent, {"z", "mm", "height", "", {6, 1}}, kHeight, name);
  hdf5::write_table(parent, {"Fz", "N", "force", "", {static_cast<int>(force.size())}}, force,
                    name);
  hdf5::write_table(parent, {"image", "", "of the rig", "", {2, 3}}, kTime, name);
}

TEST(RecordingFormats, Hdf5) {
  const File file("", ".h5");
  std::vector<std::string> warnings;
  write_hdf5(file.path, "", kForce);
  expect_six(read_recording(file.path, {}, warnings));

  write_hdf5(file.path, "run3", kForce);
  EXPECT_THAT(refusal(file.path), HasSubstr("the columns are 'run3/Fz', 'run3/t', 'run3/z'"));
  const File toml("[columns]\ntime = \"run3/t\"\nheight = \"run3/z\"\nnormal_force = \"run3/Fz\"\n",
                  ".toml");
  expect_six(read_recording(file.path, {.columns = toml.path}, warnings));

  write_hdf5(file.path, "", {0, 10, 20});
  EXPECT_THAT(refusal(file.path), HasSubstr("samples and 'Fz' has 3, expected as many"));
  std::vector<double> broken = kForce;
  broken[3] = std::nan("");
  write_hdf5(file.path, "", broken);
  EXPECT_THAT(refusal(file.path), HasSubstr("sample 4 of 'Fz' is nan, expected a finite number"));
}

struct MatWriter {
  MatWriter(const std::filesystem::path& path, mat_ft version)
      : mat(Mat_CreateVer(path.c_str(), nullptr, version)) {}
  ~MatWriter() { Mat_Close(mat); }
  MatWriter(const MatWriter&) = delete;
  MatWriter& operator=(const MatWriter&) = delete;
  static matvar_t* vector(const char* name, std::vector<double> values, bool row) {
    std::size_t dims[2] = {row ? 1 : values.size(), row ? values.size() : 1};
    return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, values.data(), 0);
  }
  void write(matvar_t* variable) const {
    Mat_VarWrite(mat, variable, MAT_COMPRESSION_NONE);
    Mat_VarFree(variable);
  }
  mat_t* mat;
};

TEST(RecordingFormats, Matlab) {
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    const File file("", ".mat");
    std::vector<std::string> warnings;
    {
      const hdf5::Session session;
      const MatWriter out(file.path, version);
      out.write(MatWriter::vector("time_s", kTime, true));
      out.write(MatWriter::vector("z_mm", kHeight, false));
      out.write(MatWriter::vector("Fz_N", kForce, true));
    }
    expect_six(read_recording(file.path, {}, warnings));
    {
      const hdf5::Session session;
      const MatWriter out(file.path, version);
      const char* names[] = {"time_s", "z_mm", "Fz_N"};
      std::size_t one[2] = {1, 1};
      matvar_t* all = Mat_VarCreateStruct("data", 2, one, names, 3);
      Mat_VarSetStructFieldByName(all, "time_s", 0, MatWriter::vector("time_s", kTime, false));
      Mat_VarSetStructFieldByName(all, "z_mm", 0, MatWriter::vector("z_mm", kHeight, false));
      Mat_VarSetStructFieldByName(all, "Fz_N", 0, MatWriter::vector("Fz_N", kForce, false));
      out.write(all);
    }
    expect_six(read_recording(file.path, {}, warnings));
  }
}

TEST(RecordingFormats, DamagedBinaryFiles) {
  const File hdf5("\x89HDF\r\n\x1A\nand nothing else", ".h5");
  EXPECT_THAT(refusal(hdf5.path), HasSubstr("cannot be opened"));
  const File mat("MATLAB 5.0 MAT-file, cut off", ".mat");
  EXPECT_THAT(refusal(mat.path), HasSubstr(".mat"));
}

// Whatever is in a file, the answer is a recording or one sentence.
TEST(RecordingFormats, MutatedTables) {
  std::mt19937 random(17);
  const auto pick = [&](std::size_t n) { return random() % n; };
  std::string good = "t_s,sinkage_mm,Fz_N,x_mm,Fx_N\n";
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    good += n + "," + n + "," + n + "0," + n + "," + n + "\n";
  }
  const std::string pieces[] = {",",  "\n", "\"", "nan", "-", "1e308", "e", ";", "\t",
                                "\r", "#",  "[",  "]",   " ", "_",     "/", "",  "\xFF"};
  int read_well = 0;
  for (int round = 0; round < 400; ++round) {
    std::string text = good;
    if (round % 10 == 0) {  // noise only
      text.resize(pick(200));
      for (char& c : text) c = static_cast<char>(random());
    }
    for (std::size_t k = pick(6); k-- > 0 && !text.empty();) {
      text.replace(pick(text.size()), pick(4), pieces[pick(std::size(pieces))]);
    }
    const std::string answer = mistake(text);
    EXPECT_THAT(answer, testing::Not(testing::IsEmpty()));
    read_well += answer == "none" ? 1 : 0;
  }
  EXPECT_GT(read_well, 20);
}

}  // namespace
}  // namespace footfall
