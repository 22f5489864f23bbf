// An engine that fails because the disk is full seldom says so.
#pragma once

#include <filesystem>
#include <string>

namespace footfall {

// Throws LedgerError, with what the engine said, where the disk that holds `folder` is full. The engine's
// files there are removed first: they would keep it full.
void refuse_full_disk(const std::filesystem::path& folder, const std::string& error);

}  // namespace footfall
