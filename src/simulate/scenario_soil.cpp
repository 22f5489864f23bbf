// [soil], [soils.NAME] and the files of the soil library.
//
// A soil starts from the library (`name`), from a `file`, or from nothing; values given beside
// that replace the file's. Its law (Ding 2013, Table 5) says which values it needs, and no value
// has a default.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "config/data_folders.hpp"
#include "simulate/scenario_parts.hpp"

namespace footfall {
namespace {

// The special cases of F_N = k δⁿ + b δᵖ |δ̇|^q sgn δ̇.
enum class Law { spring, linear, hertz, simplified_hunt_crossley, hunt_crossley };
const std::vector<std::string> kLaws = {"spring", "linear", "hertz", "simplified_hunt_crossley",
                                        "hunt_crossley"};

// What each law fixes, for the message about a key that it leaves no choice for.
struct FixedKey {
  Law law;
  const char* key;
  const char* value;
};
constexpr FixedKey kFixed[] = {
    {Law::spring, "exponent", "1"},
    {Law::spring, "damping", "0"},
    {Law::spring, "damping_exponent", "0 with no damping"},
    {Law::spring, "rate_exponent", "1 with no damping"},
    {Law::linear, "exponent", "1"},
    {Law::linear, "damping_exponent", "0"},
    {Law::linear, "rate_exponent", "1"},
    {Law::hertz, "damping", "0"},
    {Law::hertz, "damping_exponent", "0 with no damping"},
    {Law::hertz, "rate_exponent", "1 with no damping"},
    {Law::simplified_hunt_crossley, "damping_exponent", "the exponent"},
    {Law::simplified_hunt_crossley, "rate_exponent", "1"},
};

const char* fixed_value(Law law, const std::string& key) {
  for (const FixedKey& fixed : kFixed) {
    if (fixed.law == law && key == fixed.key) return fixed.value;
  }
  return nullptr;
}

const std::vector<std::string> kLawKeys = {"law",
                                           "stiffness",
                                           "exponent",
                                           "damping",
                                           "damping_exponent",
                                           "rate_exponent",
                                           "shear_stiffness_N_per_m",
                                           "shear_damping_Ns_per_m",
                                           "friction_coefficient"};

std::vector<std::string> with(std::vector<std::string> keys,
                              std::initializer_list<const char*> more) {
  keys.insert(keys.begin(), more.begin(), more.end());
  return keys;
}

// The values of a soil section laid over those of a library file.
class LayeredSoil {
 public:
  LayeredSoil(const TableReader& own, const TableReader* library) : own_(own), library_(library) {}

  Law law() const {
    if (!own_.has("law") && library_ != nullptr) {
      return static_cast<Law>(library_->choice("law", kLaws));
    }
    return static_cast<Law>(own_.choice("law", kLaws));
  }

  double value(const std::string& key, const Range& range) const {
    const bool from_library = !own_.has(key) && library_ != nullptr && library_->has(key);
    return (from_library ? *library_ : own_).number(key, range);
  }

  // The value, or what the law fixes it to; then nobody may give it beside the law.
  double value_or_fixed(Law law, const std::string& key, double fixed, const Range& range) const {
    const char* by_law = fixed_value(law, key);
    if (by_law == nullptr) return value(key, range);
    if (own_.has(key)) {
      own_.refuse(key, fmt::format("it left out: law '{}' fixes it to {}",
                                   kLaws[static_cast<std::size_t>(law)], by_law));
    }
    return fixed;
  }

 private:
  const TableReader& own_;
  const TableReader* library_;
};

CompliantGround<double> read_compliant(const TableReader& own, const TableReader* library) {
  const LayeredSoil soil(own, library);
  const Law law = soil.law();
  const bool straight = law == Law::spring || law == Law::linear;
  const Range stiffness{
      1e-9, 1e12, straight ? "above 0 and at most 1e12 N/m" : "above 0 and at most 1e12 N/m^n"};
  const Range damping{0, 1e15, law == Law::linear ? "0 N s/m or more" : "0 N s^q/m^(p+q) or more"};
  CompliantGround<double> g{};
  g.stiffness = soil.value("stiffness", stiffness);
  g.exponent = soil.value_or_fixed(law, "exponent", 1, {1, 5, "1 to 5"});
  g.damping = soil.value_or_fixed(law, "damping", 0, damping);
  const double p = law == Law::simplified_hunt_crossley ? g.exponent : 0;
  g.damping_exponent = soil.value_or_fixed(law, "damping_exponent", p, {0, 5, "0 to 5"});
  g.rate_exponent = soil.value_or_fixed(law, "rate_exponent", 1, {0.01, 5, "0.01 to 5"});
  g.shear_stiffness =
      soil.value("shear_stiffness_N_per_m", {1e-9, 1e12, "above 0 and at most 1e12 N/m"});
  g.shear_damping = soil.value("shear_damping_Ns_per_m", {0, 1e15, "0 N s/m or more"});
  g.friction_coefficient = soil.value("friction_coefficient", {0, 10, "0 to 10"});
  check_ground(g);
  return g;
}

// A file of the soil library, open for values to be laid over it.
class SoilFile {
 public:
  explicit SoilFile(const std::filesystem::path& file)
      : document_(parse_config(read_text_file(file), file.string())),
        top_(document_.root, "",
             {"name", "description", "source", "validity", "notes", "compliant"}),
        name_(top_.text("name", "the soil's name")),
        compliant_(compliant_section(file), "compliant", with(kLawKeys, {"friction_source"})) {
    for (const char* key : {"description", "source", "validity", "notes"}) {
      top_.text_if_given(key, "text");
    }
    compliant_.text_if_given("friction_source", "text");
  }

  SoilFile(const SoilFile&) = delete;  // the readers look into the document
  SoilFile& operator=(const SoilFile&) = delete;

  const TableReader& compliant() const { return compliant_; }
  const std::string& name() const { return name_; }

 private:
  const ConfigNode& compliant_section(const std::filesystem::path& file) const {
    if (!top_.has("compliant")) {
      throw InputError(fmt::format("{}: section [compliant] is missing, which says how the soil "
                                   "answers contact model 'compliant'",
                                   file.string()));
    }
    return top_.node("compliant");
  }

  ConfigDocument document_;
  TableReader top_;
  std::string name_;
  TableReader compliant_;
};

std::filesystem::path find_library_soil(const std::string& name,
                                        const std::filesystem::path& folder,
                                        const std::string& place) {
  const std::vector<std::string> known = list_library(folder, "soils", {".toml"});
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    std::error_code error;
    const std::filesystem::path beside = folder / (name + ".toml");
    if (std::filesystem::is_regular_file(beside, error)) return beside;
    throw InputError(fmt::format("{}: soil '{}' is not in the soil library{}", place, name,
                                 known.empty()
                                     ? ": no folder soils/ was found, set FOOTFALL_DATA to "
                                       "the folder that holds it"
                                     : suggestion(name, known)));
  }
  return find_file(name, folder, "soils", {".toml"}, place);
}

}  // namespace

SoilChoice read_soil(const ConfigNode& section, const std::string& path,
                     const std::filesystem::path& folder) {
  const TableReader reader(section, path, with(kLawKeys, {"name", "file"}));
  const auto name = reader.text_if_given("name", "the name of a soil in the library");
  const auto file = reader.text_if_given("file", "the path of a soil file");
  if (name && file) reader.refuse("file", "either 'name' or 'file', not both");
  if (!name && !file)
    return {path == "soil" ? "soil" : path.substr(6), read_compliant(reader, nullptr)};
  const std::string place = reader.node(name ? "name" : "file").where;
  const SoilFile library(name ? find_library_soil(*name, folder, place)
                              : find_file(*file, folder, "", {}, place));
  return {path == "soil" ? library.name() : path.substr(6),
          read_compliant(reader, &library.compliant())};
}

SoilChoice read_library_soil(const std::string& name, const std::filesystem::path& folder,
                             const std::string& place) {
  const SoilFile library(find_library_soil(name, folder, place));
  return {name, read_compliant(library.compliant(), nullptr)};
}

}  // namespace footfall
