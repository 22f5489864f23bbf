// A soil as the text of a soil file, docs/soil-file.md: what load_soil reads again, value by value.
//
// Numbers are the shortest that read back as they were. Soil files have kPa, mm and degrees: where no
// number of the file becomes exactly the value in SI units (one in forty), the nearest is written, a
// rounding away; a soil that was read from a file is always written back exactly.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "footfall/soil/soil_entry.hpp"
#include "io/config.hpp"

namespace footfall {

struct SoilComments {
  std::vector<std::string> head = {};              // lines above everything
  std::map<std::string, std::string> values = {};  // behind a key's value, "exponent_n"
};

std::string soil_text(const Soil& soil, const SoilComments& comments = {});

// The sections of a soil, [compliant] and [terramechanics], read from a file of the library or from
// a scenario. docs/soil-file.md lists their keys.
//
// `own` is the section itself. Where it is laid over a file of the library, `library` is that
// file's section: it gives what `own` has not. Values are checked; InputError says what is wrong.
extern const std::vector<std::string> kCompliantKeys;
extern const std::vector<std::string> kTerramechanicsKeys;

CompliantGround<double> read_compliant(const TableReader& own, const TableReader* library);
PlasticSoil read_terramechanics(const TableReader& own, const TableReader* library);

// A file of the soil library, open for values to be laid over it.
class SoilFile {
 public:
  explicit SoilFile(const std::filesystem::path& file);
  SoilFile(const std::string& text, const std::string& name);  // `name` stands for the file
  SoilFile(const SoilFile&) = delete;                          // the readers look into the document
  SoilFile& operator=(const SoilFile&) = delete;

  const TableReader& top() const { return top_; }
  const TableReader* compliant() const { return compliant_ ? &*compliant_ : nullptr; }
  const TableReader* terramechanics() const {
    return terramechanics_ ? &*terramechanics_ : nullptr;
  }

 private:
  ConfigDocument document_;
  TableReader top_;
  std::optional<TableReader> compliant_;
  std::optional<TableReader> terramechanics_;
};

}  // namespace footfall
