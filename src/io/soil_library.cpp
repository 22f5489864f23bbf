#include "footfall/io/soil_library.hpp"

#include <algorithm>

#include "input_error.hpp"
#include "io/data_folders.hpp"
#include "io/soil_text.hpp"
#include "io/words.hpp"

namespace footfall {
namespace {

void sort_by_name(std::vector<Soil>& soils) {
  std::sort(soils.begin(), soils.end(),
            [](const Soil& a, const Soil& b) { return a.name < b.name; });
}

Soil read_soil(const SoilFile& open) {
  const TableReader& top = open.top();
  const auto text = [](const TableReader& section, const char* key) {
    return section.text_if_given(key, "text").value_or("");
  };
  Soil soil;
  soil.name = top.text("name", "the soil's name");
  soil.description = text(top, "description");
  soil.source = text(top, "source");
  soil.validity = text(top, "validity");
  soil.notes = text(top, "notes");
  if (top.has("moisture_percent")) {
    soil.moisture =
        top.number("moisture_percent", {0, 2000, "0 to 2000 % of the dry weight"}) / 100;
  }
  if (const TableReader* section = open.compliant()) {
    soil.compliant = read_compliant(*section, nullptr);
    soil.friction_source = text(*section, "friction_source");
  }
  if (const TableReader* section = open.terramechanics()) {
    soil.plastic = read_terramechanics(*section, nullptr);
    soil.shear_source = text(*section, "shear_source");
  }
  return soil;
}

}  // namespace

Soil load_soil(const std::filesystem::path& file) {
  Soil soil = read_soil(SoilFile(file));
  soil.file = file;
  return soil;
}

Soil parse_soil(const std::string& text, const std::string& name) {
  return read_soil(SoilFile(text, name));
}

bool is_soil_name(const std::string& name) {
  char before = '-';
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool joint = c == '-' || c == '_';
    if (!letter && !(joint && before != '-')) return false;
    before = joint ? '-' : c;
  }
  return before != '-';
}

std::vector<Soil> load_soil_library(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<Soil> soils;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".toml") soils.push_back(load_soil(entry.path()));
  }
  if (error) {
    throw input_error("folder '{}' cannot be opened: {}", folder.string(), error.message());
  }
  sort_by_name(soils);
  return soils;
}

std::vector<Soil> load_soil_library() {
  std::vector<Soil> soils;
  for (const std::string& name : list_library("", soil_files())) {
    soils.push_back(load_soil(find_file(soil_files(), name, "", "soil library")));
  }
  if (soils.empty()) {
    throw InputError("no folder soils/ was found, set FOOTFALL_DATA to the folder that holds it");
  }
  sort_by_name(soils);
  return soils;
}

Soil load_named_soil(const std::string& name, const std::string& place) {
  return load_soil(find_file(soil_files(), name, "", place));
}

const Soil& find_soil(const std::vector<Soil>& soils, const std::string& name) {
  for (const Soil& soil : soils) {
    if (soil.name == name) return soil;
  }
  throw input_error("soil '{}' is not in the soil library{}", name,
                    suggestion(name, names_of(soils)));
}

}  // namespace footfall
