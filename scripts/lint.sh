#!/usr/bin/env bash
# Checks which folder includes which, then runs clang-tidy over src/ and apps/ with the compile commands of
# the release build.
source "$(dirname "$0")/common.sh"

scripts/configure.sh release
cmake --build build/release --target build.ninja >/dev/null  # sees new and removed files
status=0
.venv/bin/python scripts/folders.py || status=$?
.venv/bin/python scripts/lint.py --jobs "$jobs" build/release || status=$?
exit "$status"
