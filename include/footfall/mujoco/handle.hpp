// Owners of MuJoCo's two structures, and the one way in which we read a file with MuJoCo.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

// As <mujoco/mujoco.h> declares them, so that users of this header need not include it.
struct mjModel_;
struct mjData_;

namespace footfall {

struct MjDelete {
  void operator()(mjModel_* model) const;
  void operator()(mjData_* data) const;
};
using MjModelPtr = std::unique_ptr<mjModel_, MjDelete>;
using MjDataPtr = std::unique_ptr<mjData_, MjDelete>;

// Throws InputError unless the file is there and is not one of ours (.json), which MuJoCo cannot read.
void require_mujoco_file(const std::filesystem::path& file);

// Compiles an MJCF or URDF file. Throws InputError with the file, the line where MuJoCo knows it,
// and what is wrong. MuJoCo's warnings, one line each, are appended to `warnings` if given.
MjModelPtr load_mujoco_model(const std::filesystem::path& file,
                             std::vector<std::string>* warnings = nullptr);

// A state of that model at its reference pose. Throws MujocoError if there is no memory for it.
MjDataPtr make_mujoco_data(const mjModel_& model);

}  // namespace footfall
