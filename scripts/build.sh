#!/usr/bin/env bash
# build.sh <preset> [cmake cache options]: configures where needed, then builds everything, or TARGET.
source "$(dirname "$0")/common.sh"

preset="${1:?usage: build.sh <preset> [-D...]}"
shift
"$(dirname "${BASH_SOURCE[0]}")/configure.sh" "$preset" "$@"
say "building preset $preset with $jobs jobs"
cmake --build "build/$preset" --parallel "$jobs" --target "${TARGET:-all}"
