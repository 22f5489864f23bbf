// The sections of a soil, [compliant] and [terramechanics], read from a file of the library or from
// a scenario. docs/soil-file.md lists their keys.
//
// `own` is the section itself. Where it is laid over a file of the library, `library` is that
// file's section: it gives what `own` has not. Values are checked; InputError says what is wrong.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "footfall/soil/soil.hpp"
#include "io/config.hpp"

namespace footfall {

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
