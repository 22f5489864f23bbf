#include "targets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "footfall/campaign/campaign.hpp"
#include "footfall/error.hpp"
#include "footfall/granular/wrench_database.hpp"
#include "footfall/ground/wrench_file.hpp"
#include "footfall/io/heightfield.hpp"
#include "footfall/io/recording.hpp"
#include "footfall/io/soil_library.hpp"
#include "footfall/mujoco/load.hpp"
#include "footfall/record/run_data.hpp"
#include "footfall/record/rut_file.hpp"
#include "footfall/robot/robot_file.hpp"
#include "footfall/run/controller.hpp"
#include "footfall/run/replay.hpp"
#include "footfall/scenario/scenario.hpp"
#include "footfall/soil/soil_line.hpp"
#include "record/checkpoint_file.hpp"
#include "serve/http_connection.hpp"

namespace footfall::fuzz {
namespace {

// What reads files gets one, in memory where the system has such a place.
std::filesystem::path scratch_folder() {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path shared = "/dev/shm";
    std::filesystem::path out =
        (std::filesystem::exists(shared) ? shared : std::filesystem::temp_directory_path()) /
        fmt::format("footfall-fuzz-{}", getpid());
    std::filesystem::create_directories(out);
    return out;
  }();
  return folder;
}

std::filesystem::path write_scratch(const std::string& name, std::string_view bytes) {
  const std::filesystem::path file = scratch_folder() / name;
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void read_scenario(std::string_view bytes) {
  parse_scenario(std::string(bytes), "scenario.toml", "scenarios");
}

void read_soil(std::string_view bytes) {
  const Soil soil = parse_soil(std::string(bytes), "soil.toml");
  require(soil.plastic || soil.compliant, "a soil has a law");
}

void read_soil_line(std::string_view bytes) { soil_line(parse_soil_line(std::string(bytes))); }

void read_campaign_file(std::string_view bytes) {
  read_campaign(write_scratch("campaign.toml", bytes), {});
}

void read_medium(std::string_view bytes) { read_medium_file(write_scratch("medium.csv", bytes)); }

void read_wrenches(std::string_view bytes) {
  read_wrench_database(write_scratch("wrenches.csv", bytes));
}

void read_measured(const char* name, std::string_view bytes) {
  std::vector<std::string> warnings;
  const Recording recording = read_recording(write_scratch(name, bytes), {}, warnings);
  for (const double t : recording.time) require(std::isfinite(t), "times are finite");
}

void read_times(std::string_view bytes) { parse_time_table(bytes, "table.csv"); }

void read_run_file(std::string_view bytes) {
  const std::filesystem::path file = write_scratch("run.h5", bytes);
  read_run(file);
  if (has_ruts(file)) read_ruts(file);
}

void read_checkpoint_file(std::string_view bytes) {
  record::read_checkpoint_text(write_scratch("checkpoint.h5", bytes));
}

void read_robot(std::string_view bytes) {
  const RobotModel robot = read_robot_text(std::string(bytes), "robot.json");
  require(write_robot(read_robot_text(write_robot(robot), "again.json")) == write_robot(robot),
          "a robot reads back");
}

void read_robot_xml(std::string_view bytes) { load_robot(write_scratch("robot.xml", bytes)); }

// The state of a failed step, of a scenario that is in order.
void read_bundle(std::string_view bytes) {
  static constexpr std::string_view kScenario =
      "[robot]\nfile = \"robots/ball.xml\"\ndrop_height_m = 0.01\n[ground]\nkind = \"plane\"\n"
      "[soil]\nname = \"sand\"\n[step]\nduration_s = 0.02\n";
  write_scratch("scenario.toml", kScenario);
  write_scratch("step.json", bytes);
  load_bundle(scratch_folder());
}

void read_heights(std::string_view bytes) {
  const GridPlacement placement{};
  if (bytes.starts_with("\x93NUMPY")) {
    parse_npy_heightfield(bytes, "heights.npy", placement);
  } else if (bytes.starts_with("\x89PNG")) {
    parse_png_heightfield(bytes, "heights.png", placement, {});
  } else {
    parse_csv_heightfield(bytes, "heights.csv", placement);
  }
}

// As a client's: what it sends is read as a request by the library through our connection.
class OneRequest : public httplib::Server {
 public:
  explicit OneRequest(int socket) : connection_(socket) {
    set_payload_max_length(1 << 16);
    Get(".*", [](const httplib::Request&, httplib::Response&) {});
    Post(".*", [](const httplib::Request&, httplib::Response&) {});
  }
  void answer() {
    bool done = false;
    for (int left = 10; left > 0 && !done && connection_.begin_request(); --left) {
      if (!process_request(connection_, left == 1, done, nullptr)) break;
    }
  }

 private:
  serve::HttpConnection connection_;
};

void read_requests(std::string_view bytes) {
  int ends[2];
  require(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "a pair of sockets");
  const std::string_view sent = bytes.substr(0, 1 << 15);  // that a socket holds unread
  const ssize_t written = ::send(ends[0], sent.data(), sent.size(), MSG_NOSIGNAL);
  ::shutdown(ends[0], SHUT_WR);
  if (written >= 0) {
    OneRequest(ends[1]).answer();
  } else {
    ::close(ends[1]);
  }
  ::close(ends[0]);
}

const Target kTargets[] = {
    {"scenario", "scenarios", read_scenario},
    {"soil", "soils", read_soil},
    {"soil-line", "", read_soil_line},
    {"campaign", "media", read_campaign_file},
    {"medium", "", read_medium},
    {"wrenches", "media", read_wrenches},
    {"recording-csv", "", [](std::string_view b) { read_measured("r.csv", b); }},
    {"recording-mat", "", [](std::string_view b) { read_measured("r.mat", b); }},
    {"recording-hdf5", "", [](std::string_view b) { read_measured("r.h5", b); }},
    {"time-table", "", read_times},
    {"run-file", "tests/python/data/run_files", read_run_file},
    {"checkpoint", "", read_checkpoint_file},
    {"robot", "", read_robot},
    {"robot-xml", "robots", read_robot_xml},
    {"bundle", "", read_bundle},
    {"heightfield", "", read_heights},
    {"request", "", read_requests},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target& find_target(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Target& target : kTargets) {
    if (target.name == name) return target;
    names.push_back(target.name);
  }
  throw std::invalid_argument(fmt::format("there is no fuzz target '{}', expected one of {}", name,
                                          fmt::join(names, ", ")));
}

void feed(const Target& target, std::string_view bytes) {
  try {
    target.read(bytes);
  } catch (const InputError& error) {
    require(*error.what() != '\0', "an error says what is wrong");
  }
}

}  // namespace footfall::fuzz
