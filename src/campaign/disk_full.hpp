// An engine that fails because the disk is full seldom says so.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "footfall/campaign/ledger.hpp"

namespace footfall {

// Throws LedgerError, with what the engine said, where the disk that holds `folder` is full. The engine's
// files there are removed first: they would keep it full.
inline void refuse_full_disk(const std::filesystem::path& folder, const std::string& error) {
  constexpr std::uintmax_t kFull = 1 << 20;  // bytes left
  const std::filesystem::path parent = folder.parent_path().empty() ? "." : folder.parent_path();
  std::error_code failed;
  const std::filesystem::space_info space = std::filesystem::space(parent, failed);
  if (failed || space.available >= kFull) return;
  std::filesystem::remove_all(folder, failed);
  throw LedgerError(
      fmt::format("the disk of '{}' is full; all cases that were recorded are in the ledger: "
                  "make room, and give the same command again ({})",
                  parent.string(), error.substr(0, error.find('\n'))));
}

}  // namespace footfall
