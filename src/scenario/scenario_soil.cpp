// [soil], [soils.NAME] and the files of the soil library.
//
// A soil starts from the library (`name`), from a `file`, or from nothing; values given beside
// that replace the file's: those of [compliant] directly, those of [terramechanics] in a section of
// this name.

#include <algorithm>

#include "footfall/io/soil_library.hpp"
#include "input_error.hpp"
#include "io/soil_text.hpp"
#include "scenario/scenario_parts.hpp"

namespace footfall {
namespace {

bool contains(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// A key of [terramechanics] that stands directly in [soil], where those of [compliant] do.
std::string misplaced_key(const std::string& key, const std::vector<std::string>& known) {
  if (contains(known, key) || !nearest_word(key, known).empty()) return "";
  return nearest_word(key, kTerramechanicsKeys);
}

TableReader open_soil(const ConfigNode& section, const std::string& path) {
  std::vector<std::string> keys = kCompliantKeys;
  keys.insert(keys.begin(), {"name", "file", "terramechanics"});
  for (const std::string& key : section.keys) {
    const bool exact = contains(kTerramechanicsKeys, key) && !contains(keys, key);
    const std::string meant = exact ? key : misplaced_key(key, keys);
    if (!meant.empty()) {
      throw input_error("{}: unknown key '{}.{}', did you mean '{}.terramechanics.{}'?",
                        section.find(key)->where, path, key, path, meant);
    }
  }
  return {section, path, keys};
}

// The soil of `reader`, laid over `library` where there is one.
SoilChoice layer_soil(const TableReader& reader, const std::string& name, const SoilFile* library) {
  SoilChoice out{name, {}, {}};
  const TableReader* compliant = library == nullptr ? nullptr : library->compliant();
  const TableReader* plastic = library == nullptr ? nullptr : library->terramechanics();
  const bool own_plastic = reader.has("terramechanics");
  const bool own_compliant = std::any_of(kCompliantKeys.begin(), kCompliantKeys.end(),
                                         [&](const std::string& key) { return reader.has(key); });
  const bool nothing = compliant == nullptr && plastic == nullptr && !own_plastic;
  if (own_compliant || compliant != nullptr || nothing) {
    out.compliant = read_compliant(reader, compliant);
  }
  if (own_plastic) {
    const TableReader section(reader.node("terramechanics"), reader.key_path("terramechanics"),
                              kTerramechanicsKeys);
    out.plastic = read_terramechanics(section, plastic);
  } else if (plastic != nullptr) {
    out.plastic = read_terramechanics(*plastic, nullptr);
  }
  return out;
}

}  // namespace

SoilChoice read_soil(const ConfigNode& section, const std::string& path, NamedFiles& files) {
  const TableReader reader = open_soil(section, path);
  const char* expected = "a soil of the library, or the path of a soil file";
  const bool name = reader.text_if_given("name", expected).has_value();
  const bool file = reader.text_if_given("file", expected).has_value();
  if (name && file) reader.refuse("file", "either 'name' or 'file', not both");
  const bool is_main = path == "soil";
  if (!name && !file) return layer_soil(reader, is_main ? path : path.substr(6), nullptr);
  const SoilFile library(find_file(soil_files(), reader, name ? "name" : "file", files));
  return layer_soil(
      reader, is_main ? library.top().text("name", "the soil's name") : path.substr(6), &library);
}

}  // namespace footfall
