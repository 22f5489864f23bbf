#!/usr/bin/env bash
# Builds the benchmark program, and what it is linked with, into the release build and runs it on one core.
# bench.sh python: what Python costs over C++.
source "$(dirname "$0")/common.sh"

if [[ ${1:-} == python ]]; then  # what Python costs over C++
  TARGET=footfall_package scripts/build.sh release
  PYTHONPATH=build/release/python exec .venv/bin/python benchmarks/python_overhead.py "${@:2}"
fi
TARGET=footfall_benchmarks scripts/build.sh release
pin=()
taskset -c 0 true 2>/dev/null && pin=(taskset -c 0)
exec "${pin[@]}" build/release/footfall_benchmarks "$@"
