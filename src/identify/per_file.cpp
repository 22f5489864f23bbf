#include "identify/per_file.hpp"

#include <fmt/format.h>

namespace footfall {

std::string per_file_name(const std::string& base, std::size_t file, std::size_t files) {
  return files == 1 ? base : fmt::format("{}_{}", base, file + 1);
}

PartOptions for_all_files(PartOptions options, const std::string& base, std::size_t files) {
  if (files == 1) return options;
  if (const auto all = options.fix.find(base); all != options.fix.end()) {
    for (std::size_t i = 0; i < files; ++i) {
      options.fix.try_emplace(per_file_name(base, i, files), all->second);
    }
    options.fix.erase(all);
  }
  if (options.free.erase(base) > 0) {
    for (std::size_t i = 0; i < files; ++i) options.free.insert(per_file_name(base, i, files));
  }
  return options;
}

}  // namespace footfall
