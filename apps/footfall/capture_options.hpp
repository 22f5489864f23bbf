// --png and --video, for every command that has a run to show.
#pragma once

#include <CLI/CLI.hpp>

#include "footfall/viewer/page.hpp"
#include "serve/capture.hpp"

namespace footfall {

void add_capture_options(CLI::App& command, serve::CaptureOptions& options);

// Before any work is done: throws InputError where something is missing that draws, or an option is wrong.
void check_drawing(const serve::CaptureOptions& options);
// Draws an embedded page and names the files. Throws CLI::RuntimeError(130) when interrupted.
// Throws InputError where a picture or film is wanted of a time after the run's end [s].
void check_times(const serve::CaptureOptions& options, double end);
void draw_page(const PageContent& content, const serve::CaptureOptions& options);

}  // namespace footfall
