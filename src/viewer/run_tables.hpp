// Numbers of a run as tables, and what must be said about it.
#pragma once

#include "footfall/terrain/ruts.hpp"
#include "footfall/viewer/page.hpp"
#include "viewer/scene.hpp"

namespace footfall::viewer {

std::vector<PageTable> run_tables(const RunData& run, const Scene& scene, const RutGrid* ruts);
std::vector<PageTable> soil_tables(const RunData& run, const Scene& scene);
std::vector<std::string> run_warnings(const RunData& run);

std::string run_title(const RunData& run);
std::string run_subtitle(const RunData& run, const Scene& scene, double duration);
std::vector<PageText> run_texts(const RunData& run);

}  // namespace footfall::viewer
