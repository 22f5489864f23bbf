#!/usr/bin/env bash
# Runs clang-tidy over src/ and apps/ with the compile commands of the release build.
source "$(dirname "$0")/common.sh"

scripts/configure.sh release
cmake --build build/release --target build.ninja >/dev/null  # sees new and removed files
exec .venv/bin/python scripts/lint.py --jobs "$jobs" build/release
