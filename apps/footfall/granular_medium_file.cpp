// A wrench database, learned, as the file of plain numbers that MuJoCo's plugin reads.
#include "commands.hpp"
#include "footfall/granular/learning.hpp"
#include "footfall/ground/wrench_file.hpp"
#include "io/data_folders.hpp"

namespace footfall::granular_commands {

void learn_medium_file(const std::string& database, const std::filesystem::path& output) {
  const WrenchDatabase read =
      read_wrench_database(find_file(medium_files(), database, "", "--wrench-space"));
  write_medium_file(output, {read.medium, learn_wrenches(read)});
}

}  // namespace footfall::granular_commands
