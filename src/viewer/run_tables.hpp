// Numbers of a run as tables, and what must be said about it.
#pragma once

#include "footfall/terrain/ruts.hpp"
#include "footfall/viewer/page.hpp"
#include "run/run_results.hpp"
#include "viewer/scene.hpp"

namespace footfall::viewer {

// As the run file has them. Those of a run that was killed come from its rows, as far as they tell.
Json read_results(const RunContents& run, const RutGrid* ruts);

std::vector<PageTable> run_tables(const RunContents& run, const Scene& scene, const Json& results);
std::vector<PageTable> soil_tables(const RunContents& run, const Scene& scene);
std::vector<std::string> run_warnings(const RunContents& run, const Json& results);

std::string run_title(const RunContents& run);
std::string run_subtitle(const RunContents& run, const Scene& scene, double duration);
std::vector<PageText> run_texts(const RunContents& run);

}  // namespace footfall::viewer
