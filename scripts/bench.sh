#!/usr/bin/env bash
# Builds the benchmarks into the release build and runs them on one core.
source "$(dirname "$0")/common.sh"

scripts/build.sh release -DFOOTFALL_BENCHMARKS=ON
[[ -x build/release/footfall_benchmarks ]] || fail "benchmarks/ has no sources yet"
pin=()
taskset -c 0 true 2>/dev/null && pin=(taskset -c 0)
exec "${pin[@]}" build/release/footfall_benchmarks "$@"
