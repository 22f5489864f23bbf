#!/usr/bin/env bash
# Runs checks by name, or all of a set: test.sh [test | check | <name>...]
#   test:  release python web                                           `make test`
#   learn                                                               `make test-learn`
#   check: format lint targets wheel install clang nvrtc asan tsan [aarch64]  `make check`
# A check that fails does not keep the others from running; the last line counts them all.
source "$(dirname "$0")/common.sh"

test_checks=(release python web)
check_checks=(format lint targets wheel install clang nvrtc asan tsan)
[[ ! -x scripts/check_aarch64.sh ]] || check_checks+=(aarch64)
checks=("$@")
((${#checks[@]} > 0)) || checks=("${test_checks[@]}" "${check_checks[@]}")
case "${checks[*]}" in
  test) checks=("${test_checks[@]}") ;;
  check) checks=("${check_checks[@]}") ;;
esac
results="$PWD/build/test-results"
rm -rf "$results"
mkdir -p "$results"
if [[ -z ${CMAKE_CXX_COMPILER_LAUNCHER:-} ]] && command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi

check_format() { scripts/format.sh --check; }

check_lint() {
  if [[ -f scripts/folders.py ]]; then .venv/bin/python scripts/folders.py; fi  # which folder may include which
  scripts/lint.sh
}

# build <preset> [cmake options]: builds, and fails where anything printed a warning.
build() {
  local log="$results/build-$1.log"
  scripts/build.sh "$@" 2>&1 | tee -a "$log"
  if grep -E '[Ww]arning:|CMake Warning' "$log"; then fail "the build of $1 printed these warnings"; fi
}

# run_ctest <preset> <options of ctest>...
run_ctest() {
  local preset="$1" status=0
  shift
  rm -rf "build/$preset/test-results"
  "${calm[@]}" ctest --preset "$preset" --parallel "$jobs" --output-junit "$results/$preset.xml" "$@" || status=$?
  cp -r "build/$preset/test-results" "$results/$preset"
  return "$status"
}
calm=()

check_release() {
  build release
  run_ctest release --exclude-regex '^install'
}

# Every other target of the Makefile, briefly. Not setup, test and check, which are running; clean would undo the build.
check_targets() {
  make help | grep 'make bench' >/dev/null  # not -q, which would close the pipe early
  make run
  build release  # so that what follows has nothing left to build, and its output nothing to hide
  TARGET=footfall_benchmarks build release
  scripts/bench.sh --quick
  scripts/bench.sh python --quick
  make robots
  make docs
  make package
  rm -rf build/package
  dpkg-deb -x dist/footfall_*.deb build/package
  build/package/usr/bin/footfall run "$PWD/build/package/usr/share/footfall/scenarios/quadruped_drop.toml" \
    --set step.duration_s=0.1 --output build/package/run
  .venv/bin/python scripts/plugin_table.py robots --robots ball box humanoid quadruped single_foot \
    --soils concrete sandy-loam --duration 1
  .venv/bin/python scripts/plugin_bench.py --quick
}

# The wheel, installed far from here and used.
check_wheel() { scripts/wheel.sh check; }

check_install() {
  build release
  local status=0
  ctest --preset release --tests-regex '^install' --no-tests=error --output-junit "$results/install.xml" || status=$?
  return "$status"
}

# The core alone by a second compiler, whose warnings are others.
check_clang() {
  command -v clang++ >/dev/null || fail "clang++ is missing: scripts/setup.sh checks installs it"
  TARGET=footfall_core build clang
}

# Headers that a GPU kernel needs, by the compiler that makes kernels at run time; needs no GPU.
check_nvrtc() { scripts/check_nvrtc.sh; }

check_aarch64() { scripts/check_aarch64.sh; }

check_asan() {
  build asan
  run_ctest asan
}

check_tsan() {
  build tsan
  # The sanitizer of GCC 12 cannot live with the widest address randomisation of newer kernels.
  if setarch "$(uname -m)" -R true 2>/dev/null; then calm=(setarch "$(uname -m)" -R); fi
  run_ctest tsan
}

check_python() {
  local status=0
  TARGET=footfall_program build release
  TARGET=footfall_plugin build release
  TARGET=footfall_wrench_problems build release
  TARGET=footfall_package build release
  .venv/bin/python -m mypy --config-file pyproject.toml build/release/python/footfall || status=$?
  .venv/bin/python -m pytest -p no:cacheprovider -q --junitxml="$results/python.xml" tests/python || status=$?
  return "$status"
}

# What needs torch: `make test-learn` alone.
check_learn() {
  TARGET=footfall_package build release
  .venv/bin/python -m pytest -p no:cacheprovider -q --junitxml="$results/learn.xml" tests/learn
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
  [release]="Release build, its tests and the examples"
  [targets]="The other targets of the Makefile"
  [wheel]="The wheel of the Python package"
  [install]="The installed package"
  [clang]="The core by clang++"
  [nvrtc]="Kernel headers under NVRTC"
  [aarch64]="The core for aarch64"
  [asan]="Address and undefined-behaviour sanitizers"
  [tsan]="Thread sanitizer"
  [python]="End-to-end tests in Python"
  [web]="The viewer in a browser"
  [learn]="Training on soil"
)

# start <check>: runs it in a process of its own, so that it stops at its first error and we do not.
start() {
  local status=0
  heading "${headings[$1]}"
  TIMEFORMAT="-- $1: %R s, of processors %U + %S s"
  time bash -c "$(declare -f); set -euo pipefail; results='$results' jobs='$jobs' calm=(); check_$1" || status=$?
  say "$1: $( ((status == 0)) && echo passed || echo FAILED)"
  return "$status"
}

failed=()
beside=""  # a check that runs beside the next one
for check in "${checks[@]}"; do
  [[ -v headings[$check] ]] || fail "unknown check '$check', expected: ${test_checks[*]} ${check_checks[*]}"
  # Tests in Python and those in a browser mostly wait, each with one processor: together they take half the time.
  if [[ $check == python && " ${checks[*]} " == *" python web "* ]]; then
    start python >"$results/python.log" 2>&1 &
    beside=$!
    continue
  fi
  start "$check" || failed+=("$check")
  if [[ -n $beside ]]; then
    wait "$beside" || failed+=(python)
    cat "$results/python.log"
    beside=""
  fi
done

heading "Summary"
summary=0
.venv/bin/python scripts/summarize.py --checks "${#checks[@]}" --failed "${failed[*]}" \
  "$results" || summary=$?
exit "$summary"
