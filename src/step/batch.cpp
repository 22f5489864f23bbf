#include "footfall/step/batch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <thread>

#include "footfall/step/measure.hpp"
#include "input_error.hpp"
#include "step/lane_state.hpp"
#include "step/workers.hpp"

namespace footfall {
namespace {

using SharedWorld = std::shared_ptr<const BatchWorld>;

// Numbers in the rows of the arrays.
struct RowSizes {
  std::size_t nq = 0, nv = 0, nu = 0, feet = 0;
  explicit RowSizes(const World& world)
      : nq(static_cast<std::size_t>(world.robot.position_size())),
        nv(static_cast<std::size_t>(world.robot.velocity_size())), nu(world.robot.actuators.size()),
        feet(world.soles.feet.size()) {}
  bool operator==(const RowSizes&) const = default;
};

struct NamedRows {
  const char* name;
  std::vector<double> BatchArrays::* values;
  std::size_t width;
};

bool all_finite(const double* values, std::size_t count) {
  double sum = 0;  // of zeros, or of no numbers
  for (std::size_t k = 0; k < count; ++k) sum += values[k] - values[k];
  return sum == 0;
}

// Eight robots of one world in lanes. A lane without a robot, or with one that has failed, mirrors a lane that has:
// so nothing in it costs an iteration or leaves the numbers.
struct LanePack {
  SharedWorld world;
  std::array<int, kLaneCount> robot{};   // −1: none
  std::array<int, kLaneCount> mirror{};  // of each lane: whose inputs it takes
  bool stale = true;                     // the mirrors' states are to be copied anew
  State<Lane8> state;
};

struct LoneRobot {
  SharedWorld world;
  State<double> state;
  std::unique_ptr<StepWorkspace<double>>
      workspace;  // null: its thread's, for worlds that all share
};

// What a thread works with: nothing that lasts from one job to the next.
struct Scratch {
  std::map<const BatchWorld*, std::unique_ptr<StepWorkspace<Lane8>>> lanes;
  std::unique_ptr<StepWorkspace<double>> alone;
  std::optional<Control<Lane8>> lane_control;
  std::optional<Control<double>> control;
  std::vector<FootPatch> patches;
};

void read_row(const std::vector<double>& rows, std::size_t robot, std::vector<double>& into) {
  const auto first = rows.begin() + static_cast<std::ptrdiff_t>(robot * into.size());
  std::copy(first, first + static_cast<std::ptrdiff_t>(into.size()), into.begin());
}

void write_row(const std::vector<double>& from, std::size_t robot, std::vector<double>& rows) {
  std::copy(from.begin(), from.end(),
            rows.begin() + static_cast<std::ptrdiff_t>(robot * from.size()));
}

void read_rows(const std::vector<double>& rows, const LanePack& pack, std::vector<Lane8>& into) {
  for (int i = 0; i < kLaneCount; ++i) {
    const auto robot = static_cast<std::size_t>(pack.robot[pack.mirror[i]]);
    const double* row = &rows[robot * into.size()];
    for (std::size_t k = 0; k < into.size(); ++k) set_lane(into[k], i, row[k]);
  }
}

void write_lane(const std::vector<Lane8>& from, int i, int robot, std::vector<double>& rows) {
  double* row = &rows[static_cast<std::size_t>(robot) * from.size()];
  for (std::size_t k = 0; k < from.size(); ++k) row[k] = lane(from[k], i);
}

bool takes_one_robot_at_a_time(const World& world) {
  return std::holds_alternative<PenaltyGround>(world.ground) ||
         std::holds_alternative<GranularGround>(world.ground);
}

int thread_count(int wanted, int jobs) {
  if (wanted < 0 || wanted > 1024) {
    throw input_error("threads = {}, expected 1 to 1024, or 0 for one per processor", wanted);
  }
  const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::clamp(wanted == 0 ? processors : wanted, 1, std::max(jobs, 1));
}

}  // namespace

struct Batch::Parts {
  Parts(std::vector<SharedWorld> worlds, const BatchOptions& options);

  void make_packs();
  void make_alone();
  void check_mask(std::span<const std::uint8_t> mask) const;
  void check_values() const;
  bool step_alone(std::size_t robot, int substeps, Scratch& scratch);
  void step_pack(LanePack& pack, int substeps, Scratch& scratch);
  void refresh_mirrors(LanePack& pack) const;
  void measure_feet(std::size_t robot, Scratch& scratch, StepWorkspace<double>& workspace);
  void show(std::size_t robot, const State<double>& state);
  void put(std::size_t robot, const State<double>& state);

  std::vector<SharedWorld> worlds;  // of each robot
  BatchOptions options;
  RowSizes sizes;
  BatchArrays arrays;
  std::vector<LanePack> packs;             // with lanes
  std::vector<std::pair<int, int>> place;  // of each robot: pack and lane
  std::vector<LoneRobot> alone;            // without
  std::vector<Scratch> scratch;            // of each thread
  std::vector<NamedRows> inputs;           // what is read from the arrays
  std::unique_ptr<Workers> workers;
};

Batch::Parts::Parts(std::vector<SharedWorld> w, const BatchOptions& o)
    : worlds(std::move(w)), options(o),
      sizes(worlds.empty() || !worlds.front()
                ? throw InputError("a batch of no robots, expected one or more")
                : worlds.front()->world) {
  const std::size_t n = worlds.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!worlds[i] || RowSizes(worlds[i]->world) != sizes) {
      throw input_error(
          "robot {} of the batch has other numbers of coordinates, velocities, actuators "
          "or feet than robot 0: expected the same robot in all worlds",
          i);
    }
    if (worlds[i]->world.options.integrator == Integrator::rk4) {
      throw input_error(
          "robot {} of the batch: integrator rk4, expected one of those with contacts", i);
    }
    if (takes_one_robot_at_a_time(worlds[i]->world)) options.lanes = false;
  }
  if (options.feet && options.lanes) {
    throw InputError(
        "feet are measured of robots that move alone: expected lanes = false with feet");
  }
  arrays.time.resize(n);
  arrays.failed.resize(n);
  arrays.servo_kp.resize(sizes.nu);
  arrays.servo_kd.resize(sizes.nu);
  inputs = {{"qpos", &BatchArrays::qpos, sizes.nq},
            {"qvel", &BatchArrays::qvel, sizes.nv},
            {"control", &BatchArrays::control, sizes.nu},
            {"servo_position", &BatchArrays::servo_position, sizes.nu},
            {"servo_velocity", &BatchArrays::servo_velocity, sizes.nu}};
  for (const NamedRows& rows : inputs) (arrays.*rows.values).resize(n * rows.width);
  if (options.feet) {
    arrays.foot_force.resize(n * sizes.feet * 3);
    arrays.foot_sinkage.resize(n * sizes.feet);
    arrays.foot_friction_use.resize(n * sizes.feet);
  }
  options.lanes ? make_packs() : make_alone();
  for (std::size_t i = 0; i < n; ++i) show(i, worlds[i]->start);
  const int jobs = static_cast<int>(options.lanes ? packs.size() : alone.size());
  workers = std::make_unique<Workers>(thread_count(options.threads, jobs));
  scratch.resize(static_cast<std::size_t>(workers->count()));
}

// Robots of one world in their order, eight by eight.
void Batch::Parts::make_packs() {
  std::map<const BatchWorld*, int> open;  // the pack of a world that has room, and is its last
  place.resize(worlds.size());
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const auto [found, fresh] = open.try_emplace(worlds[i].get(), -1);
    if (fresh || packs[static_cast<std::size_t>(found->second)].robot.back() >= 0) {
      found->second = static_cast<int>(packs.size());
      LanePack pack;
      pack.world = worlds[i];
      pack.robot.fill(-1);
      pack.state = make_state<Lane8>(worlds[i]->world, worlds[i]->start.qpos);
      for (int l = 0; l < kLaneCount; ++l) put_lane(worlds[i]->start, l, pack.state);
      packs.push_back(std::move(pack));
    }
    LanePack& pack = packs[static_cast<std::size_t>(found->second)];
    const auto lane = std::find(pack.robot.begin(), pack.robot.end(), -1);
    *lane = static_cast<int>(i);
    place[i] = {found->second, static_cast<int>(lane - pack.robot.begin())};
  }
}

void Batch::Parts::make_alone() {
  const bool shared = std::all_of(worlds.begin(), worlds.end(),
                                  [&](const SharedWorld& w) { return w == worlds.front(); });
  for (const SharedWorld& world : worlds) {
    LoneRobot robot{world, world->start, nullptr};
    if (!shared) robot.workspace = std::make_unique<StepWorkspace<double>>(world->world);
    alone.push_back(std::move(robot));
  }
}

// Writes a state into a robot's rows.
void Batch::Parts::show(std::size_t robot, const State<double>& state) {
  arrays.time[robot] = state.time;
  write_row(state.qpos, robot, arrays.qpos);
  write_row(state.qvel, robot, arrays.qvel);
}

// Makes it the robot's.
void Batch::Parts::put(std::size_t robot, const State<double>& state) {
  if (options.lanes) {
    LanePack& pack = packs[static_cast<std::size_t>(place[robot].first)];
    put_lane(state, place[robot].second, pack.state);
    pack.stale = true;
  } else {
    alone[robot].state = state;
  }
  arrays.failed[robot] = 0;
  show(robot, state);
  if (!options.feet) return;
  const std::size_t first = robot * sizes.feet;
  std::fill_n(&arrays.foot_force[3 * first], 3 * sizes.feet, 0.0);
  std::fill_n(&arrays.foot_sinkage[first], sizes.feet, 0.0);
  std::fill_n(&arrays.foot_friction_use[first], sizes.feet, 0.0);
}

void Batch::Parts::check_mask(std::span<const std::uint8_t> mask) const {
  if (mask.size() == worlds.size()) return;
  throw input_error("mask has {} entries, expected {}: one for each robot", mask.size(),
                    worlds.size());
}

void Batch::Parts::check_values() const {
  for (const NamedRows& rows : inputs) {
    const std::vector<double>& values = arrays.*rows.values;
    if (all_finite(values.data(), values.size())) continue;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (std::isfinite(values[k]) || arrays.failed[k / rows.width] != 0) continue;
      throw input_error("{}[{}, {}] = {}, expected a finite number", rows.name, k / rows.width,
                        k % rows.width, values[k]);
    }
  }
  for (std::size_t k = 0; k < sizes.nu; ++k) {
    const double kp = arrays.servo_kp[k], kd = arrays.servo_kd[k];
    if (kp >= 0 && kd >= 0 && std::isfinite(kp + kd)) continue;
    throw input_error(
        "servo_kp[{}] = {}, servo_kd[{}] = {}, expected finite numbers that are 0 or more", k, kp,
        k, kd);
  }
}

void Batch::Parts::measure_feet(std::size_t robot, Scratch& s, StepWorkspace<double>& workspace) {
  const LoneRobot& one = alone[robot];
  s.patches.resize(sizes.feet);
  summarize_feet(one.world->world, one.state, workspace, s.patches);
  for (std::size_t f = 0; f < sizes.feet; ++f) {
    const std::size_t at = robot * sizes.feet + f;
    const FootPatch& patch = s.patches[f];
    arrays.foot_force[3 * at] = patch.force.x;
    arrays.foot_force[3 * at + 1] = patch.force.y;
    arrays.foot_force[3 * at + 2] = patch.force.z;
    arrays.foot_sinkage[at] = patch.sinkage;
    arrays.foot_friction_use[at] = patch.friction_use;
  }
}

// False: its state is not finite any more.
bool Batch::Parts::step_alone(std::size_t robot, int substeps, Scratch& s) {
  LoneRobot& one = alone[robot];
  const World& world = one.world->world;
  if (!s.control) s.control = make_control<double>(world.robot);
  if (!one.workspace && !s.alone) s.alone = std::make_unique<StepWorkspace<double>>(world);
  StepWorkspace<double>& workspace = one.workspace ? *one.workspace : *s.alone;
  read_row(arrays.qpos, robot, one.state.qpos);
  read_row(arrays.qvel, robot, one.state.qvel);
  read_row(arrays.control, robot, s.control->control);
  read_row(arrays.servo_position, robot, s.control->position);
  read_row(arrays.servo_velocity, robot, s.control->velocity);
  s.control->kp = arrays.servo_kp;
  s.control->kd = arrays.servo_kd;
  for (int k = 0; k < substeps; ++k) {
    footfall::step(world, *s.control, one.state, workspace);
    if (!all_finite(one.state.qpos.data(), sizes.nq) ||
        !all_finite(one.state.qvel.data(), sizes.nv)) {
      return false;
    }
  }
  show(robot, one.state);
  if (options.feet) measure_feet(robot, s, workspace);
  return true;
}

// Lanes that nobody looks at become copies of the first that somebody does.
void Batch::Parts::refresh_mirrors(LanePack& pack) const {
  if (!pack.stale) return;
  pack.stale = false;
  const auto moves = [&](int robot) {
    return robot >= 0 && arrays.failed[static_cast<std::size_t>(robot)] == 0;
  };
  const auto first = std::find_if(pack.robot.begin(), pack.robot.end(), moves);
  if (first == pack.robot.end()) return;
  const int from = static_cast<int>(first - pack.robot.begin());
  const State<double> state = take_lane(pack.state, from);
  for (int i = 0; i < kLaneCount; ++i) {
    pack.mirror[i] = moves(pack.robot[i]) ? i : from;
    if (pack.mirror[i] != i) put_lane(state, i, pack.state);
  }
}

void Batch::Parts::step_pack(LanePack& pack, int substeps, Scratch& s) {
  const World& world = pack.world->world;
  refresh_mirrors(pack);
  if (std::none_of(pack.robot.begin(), pack.robot.end(), [&](int robot) {
        return robot >= 0 && arrays.failed[static_cast<std::size_t>(robot)] == 0;
      })) {
    return;
  }
  std::unique_ptr<StepWorkspace<Lane8>>& workspace = s.lanes[pack.world.get()];
  if (!workspace) workspace = std::make_unique<StepWorkspace<Lane8>>(world);
  if (!s.lane_control) s.lane_control = make_control<Lane8>(world.robot);
  read_rows(arrays.qpos, pack, pack.state.qpos);
  read_rows(arrays.qvel, pack, pack.state.qvel);
  read_rows(arrays.control, pack, s.lane_control->control);
  read_rows(arrays.servo_position, pack, s.lane_control->position);
  read_rows(arrays.servo_velocity, pack, s.lane_control->velocity);
  s.lane_control->kp = arrays.servo_kp;
  s.lane_control->kd = arrays.servo_kd;
  std::array<bool, kLaneCount> lost{};
  const auto look = [&] {
    Lane8 sum(0);
    for (const Lane8& q : pack.state.qpos) sum += q - q;
    for (const Lane8& v : pack.state.qvel) sum += v - v;
    for (int i = 0; i < kLaneCount; ++i) lost[i] = lost[i] || lane(sum, i) != 0;
    if (std::none_of(lost.begin(), lost.end(), [](bool x) { return x; })) return;
    // A lost lane leaves the numbers' world: it goes on from the start, and nobody looks at it.
    for (int i = 0; i < kLaneCount; ++i) {
      if (lost[i]) put_lane(pack.world->start, i, pack.state);
    }
  };
  for (int k = 0; k < substeps; ++k) {
    footfall::step(world, *s.lane_control, pack.state, *workspace);
    look();
  }
  for (int i = 0; i < kLaneCount; ++i) {
    const int robot = pack.robot[i];
    if (robot < 0 || pack.mirror[i] != i) continue;
    const auto at = static_cast<std::size_t>(robot);
    if (lost[i]) {
      arrays.failed[at] = 1;
      pack.stale = true;
      continue;
    }
    arrays.time[at] = lane(pack.state.time, i);
    write_lane(pack.state.qpos, i, robot, arrays.qpos);
    write_lane(pack.state.qvel, i, robot, arrays.qvel);
  }
}

Batch::Batch(std::vector<SharedWorld> worlds, const BatchOptions& options)
    : parts_(std::make_unique<Parts>(std::move(worlds), options)) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

int Batch::size() const { return static_cast<int>(parts_->worlds.size()); }
int Batch::threads() const { return parts_->workers->count(); }
bool Batch::lanes() const { return parts_->options.lanes; }
const BatchWorld& Batch::world(int robot) const {
  return *parts_->worlds[static_cast<std::size_t>(robot)];
}
BatchArrays& Batch::arrays() { return parts_->arrays; }

void Batch::step(int substeps, std::span<const std::uint8_t> mask) {
  if (substeps < 1) throw input_error("substeps = {}, expected 1 or more", substeps);
  Parts& p = *parts_;
  if (!mask.empty()) p.check_mask(mask);
  if (!mask.empty() && p.options.lanes) {
    throw InputError("robots in lanes move together: expected lanes = false with a mask");
  }
  p.check_values();
  if (p.options.lanes) {
    p.workers->run(static_cast<int>(p.packs.size()), [&](int job, int worker) {
      p.step_pack(p.packs[static_cast<std::size_t>(job)], substeps,
                  p.scratch[static_cast<std::size_t>(worker)]);
    });
    return;
  }
  p.workers->run(size(), [&](int job, int worker) {
    const auto robot = static_cast<std::size_t>(job);
    if (p.arrays.failed[robot] != 0 || (!mask.empty() && mask[robot] == 0)) return;
    const bool moves = p.step_alone(robot, substeps, p.scratch[static_cast<std::size_t>(worker)]);
    p.arrays.failed[robot] = moves ? 0 : 1;
  });
}

void Batch::reset(std::span<const std::uint8_t> mask) {
  Parts& p = *parts_;
  p.check_mask(mask);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] != 0) p.put(i, p.worlds[i]->start);
  }
}

void Batch::replace_world(int robot, SharedWorld world) {
  Parts& p = *parts_;
  if (p.options.lanes) {
    throw InputError("a robot in lanes shares its world: expected lanes = false to replace one");
  }
  if (!world || RowSizes(world->world) != p.sizes) {
    throw input_error(
        "robot {}: the new world has another robot, expected the same numbers of coordinates, "
        "velocities, actuators and feet",
        robot);
  }
  const auto at = static_cast<std::size_t>(robot);
  for (LoneRobot& one : p.alone) {  // a thread's workspace is of the world that all share
    if (!one.workspace) one.workspace = std::make_unique<StepWorkspace<double>>(one.world->world);
  }
  p.alone[at].workspace = std::make_unique<StepWorkspace<double>>(world->world);
  p.alone[at].world = world;
  p.worlds[at] = std::move(world);
  p.put(at, p.worlds[at]->start);
}

State<double> Batch::save(int robot) const {
  const Parts& p = *parts_;
  const auto at = static_cast<std::size_t>(robot);
  if (p.arrays.failed[at] != 0) {
    throw input_error("robot {} has failed, its state is lost: expected a reset first", robot);
  }
  State<double> state = p.options.lanes
                            ? take_lane(p.packs[static_cast<std::size_t>(p.place[at].first)].state,
                                        p.place[at].second)
                            : p.alone[at].state;
  read_row(p.arrays.qpos, at, state.qpos);  // as they may have been written
  read_row(p.arrays.qvel, at, state.qvel);
  return state;
}

void Batch::restore(int robot, const State<double>& saved) {
  Parts& p = *parts_;
  const auto at = static_cast<std::size_t>(robot);
  const State<double>& start = p.worlds[at]->start;
  if (saved.qpos.size() != p.sizes.nq || saved.qvel.size() != p.sizes.nv ||
      saved.memory.shear_displacement.size() != start.memory.shear_displacement.size() ||
      saved.memory.plastic.is_pressed.size() != start.memory.plastic.is_pressed.size()) {
    throw input_error("robot {}: a state of another world, expected one of its own", robot);
  }
  p.put(at, saved);
}

}  // namespace footfall
