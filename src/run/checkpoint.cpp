#include "run/checkpoint.hpp"

#include "footfall/io/new_file.hpp"
#include "footfall/record/rut_file.hpp"
#include "footfall/robot/robot_file.hpp"
#include "footfall/version.hpp"
#include "input_error.hpp"
#include "record/checkpoint_file.hpp"
#include "record/soil_texts.hpp"

namespace footfall {
namespace {

using Json = nlohmann::ordered_json;

// FNV-1a: enough to see that a file is another one.
std::string hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return fmt::format("{:016x}", hash);
}

// What has to be the same for a run to go on as it would have, and what a message calls it.
Json make_identity(const Scenario& scenario, const World& world) {
  return {{"build", build_description()},
          {"scenario", hash_of(scenario.text)},
          {"robot", hash_of(write_robot(world.robot))},
          {"soils", hash_of(Json(record::soil_texts(world)).dump())},
          {"terrain", hash_of(Json(world.terrain.field.heights).dump())}};
}

void check_identity(const Json& found, const Json& wanted, const std::string& file) {
  for (const auto& [part, value] : wanted.items()) {
    if (found.at(part) == value) continue;
    const std::string what =
        part == "build" ? fmt::format("was written by {}, this is {}",
                                      found.at(part).get<std::string>(), value.get<std::string>())
                        : fmt::format("is of another {}", part);
    throw input_error("{}: the checkpoint {}: undo the change, or remove the file to start anew",
                      file, what);
  }
}

}  // namespace

void write_checkpoint(const std::filesystem::path& file, const Scenario& scenario,
                      const World& world, const RutGrid* ruts, const Checkpoint& checkpoint) {
  const Json json{{"identity", make_identity(scenario, world)},
                  {"step", checkpoint.step},
                  {"rows", checkpoint.rows},
                  {"memory", checkpoint.memory}};
  record::write_checkpoint_file(file, json.dump(-1, ' ', false, Json::error_handler_t::replace),
                                ruts);
}

std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& file,
                                          const Scenario& scenario, const World& world,
                                          RutGrid* ruts) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    const Json json = Json::parse(record::read_checkpoint_text(file));
    check_identity(json.at("identity"), make_identity(scenario, world), file.string());
    Checkpoint out{json.at("step").get<std::int64_t>(), json.at("rows").get<std::int64_t>(),
                   json.at("memory")};
    if (out.step < 1 || out.rows < 0 || out.rows > out.step) {
      throw input_error("{}: is no checkpoint: step {} and {} rows make no sense", file.string(),
                        out.step, out.rows);
    }
    if (ruts != nullptr) *ruts = read_ruts(file);
    forget_input(file);
    return out;
  } catch (const Json::exception& error) {
    throw input_error("{}: is no checkpoint: {}", file.string(), error.what());
  }
}

}  // namespace footfall
