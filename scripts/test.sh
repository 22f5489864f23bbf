#!/usr/bin/env bash
# Runs every check, or only the named ones: test.sh [format] [lint] [release] [asan] [tsan] [python] [web]
# A check that fails does not keep the others from running; the last line counts them all.
source "$(dirname "$0")/common.sh"

all_checks=(format lint release asan tsan python web)
checks=("${@:-${all_checks[@]}}")
results="$PWD/build/test-results"
rm -rf "$results"
mkdir -p "$results"

check_format() { scripts/format.sh --check; }
check_lint() { scripts/lint.sh; }

# build_and_ctest <preset> [command that runs ctest]
build_and_ctest() {
  local preset="$1"
  shift
  scripts/build.sh "$preset" || return
  rm -rf "build/$preset/test-results"
  local status=0
  "$@" ctest --preset "$preset" --parallel "$jobs" --output-junit "$results/$preset.xml" || status=$?
  cp -r "build/$preset/test-results" "$results/$preset"
  return "$status"
}

check_release() { build_and_ctest release; }
check_asan() { build_and_ctest asan; }
check_tsan() {
  # The sanitizer of GCC 12 cannot live with the widest address randomisation of newer kernels.
  local calm=()
  setarch "$(uname -m)" -R true 2>/dev/null && calm=(setarch "$(uname -m)" -R)
  build_and_ctest tsan "${calm[@]}"
}

check_python() {
  local status=0
  TARGET=footfall_program scripts/build.sh release || return
  TARGET=footfall_wrench_problems scripts/build.sh release || return
  .venv/bin/python -m pytest -p no:cacheprovider -q --junitxml="$results/python.xml" tests/python ||
    status=$?
  ((status == 5)) && say "there are no Python tests" && return  # pytest's "nothing collected"
  return "$status"
}

# The pages are those of the program, which has the viewer built in.
check_web() {
  scripts/web.sh || return
  TARGET=footfall_program scripts/build.sh release || return
  scripts/web.sh check "$results"
}

declare -A headings=(
  [format]="Formatting"
  [lint]="Lint"
  [release]="Release build, its tests, examples and the installed package"
  [asan]="Address and undefined-behaviour sanitizers"
  [tsan]="Thread sanitizer"
  [python]="End-to-end tests in Python"
  [web]="The viewer in a browser"
)

failed=()
for check in "${checks[@]}"; do
  [[ -v headings[$check] ]] || fail "unknown check '$check', expected: ${all_checks[*]}"
  heading "${headings[$check]}"
  started=$SECONDS
  # In a process of its own, so that it stops at its first error and we do not.
  status=0
  bash -c "$(declare -f); set -euo pipefail; results='$results' jobs='$jobs'; check_$check" ||
    status=$?
  ((status == 0)) || failed+=("$check")
  say "$check: $( ((status == 0)) && echo passed || echo FAILED) after $((SECONDS - started)) s"
done

heading "Summary"
summary=0
.venv/bin/python scripts/summarize.py --checks "${#checks[@]}" --failed "${failed[*]}" \
  "$results" || summary=$?
exit "$summary"
