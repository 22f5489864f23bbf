#!/usr/bin/env bash
# Builds the benchmark program, and what it is linked with, into the release build and runs it on one core.
source "$(dirname "$0")/common.sh"

TARGET=footfall_benchmarks scripts/build.sh release
pin=()
taskset -c 0 true 2>/dev/null && pin=(taskset -c 0)
exec "${pin[@]}" build/release/footfall_benchmarks "$@"
