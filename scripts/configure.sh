#!/usr/bin/env bash
# configure.sh <preset> [cmake cache options]: runs CMake when it never ran, when the presets or the
# Python environment (which holds MuJoCo) changed, or when options are given.
source "$(dirname "$0")/common.sh"

preset="${1:?usage: configure.sh <preset> [-D...]}"
shift
stamp="build/$preset/.configured"
if (($# > 0)) || [[ ! -f build/$preset/build.ninja || CMakePresets.json -nt $stamp ||
  .venv/requirements.sha256 -nt $stamp ]]; then
  say "configuring preset $preset"
  # Builds from nothing take a third less when files are compiled together; work wants them apart.
  unity=ON
  [[ $preset == dev ]] && unity=OFF
  cmake --preset "$preset" -DCMAKE_UNITY_BUILD="$unity" "$@"
  touch "$stamp"
fi
