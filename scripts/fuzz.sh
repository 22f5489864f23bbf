#!/usr/bin/env bash
# fuzz.sh [TARGET...]: libFuzzer on each target, or on all of them, RUNS executions each (1000000).
# What it learns is kept in build/fuzz/corpus/<target> for the next time; what it breaks, in build/fuzz/found.
# fuzz.sh keep [TARGET...]: the smallest files that still reach what the corpus reaches go into fuzz/corpus.
source "$(dirname "$0")/common.sh"

command -v clang++ >/dev/null || scripts/setup.sh checks
keep=false
if [[ ${1:-} == keep ]]; then
  keep=true
  shift
fi
TARGET=footfall_fuzz scripts/build.sh fuzz
declare -A seeds
names=()
while read -r name folders; do
  seeds[$name]="$folders"
  names+=("$name")
done < <(sed -nE 's/^ *\{"([a-z0-9-]+)", "([^"]*)",.*/\1 \2/p' fuzz/targets.cpp)
targets=("$@")
((${#targets[@]} > 0)) || targets=("${names[@]}")

export ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1" UBSAN_OPTIONS="print_stacktrace=1"
runs="${RUNS:-1000000}"
largest=4096 # of a kept file [bytes]
failed=()
mkdir -p build/fuzz/found
for target in "${targets[@]}"; do
  [[ -v seeds[$target] ]] || fail "there is no fuzz target '$target', expected some of: ${names[*]}"
  corpus="build/fuzz/corpus/$target"
  mkdir -p "$corpus" "fuzz/corpus/$target"
  export FOOTFALL_FUZZ_TARGET="$target"
  if $keep; then
    smallest="$(mktemp -d)"
    build/fuzz/footfall_fuzz -merge=1 -max_len="$largest" "$smallest" "fuzz/corpus/$target" "$corpus" \
      >"build/fuzz/$target.merge.log" 2>&1
    find "$smallest" -type f -size -"$largest"c -printf '%s %p\n' | sort -n | head -n "${MOST:-40}" |
      while read -r _ file; do cp "$file" "fuzz/corpus/$target/"; done
    rm -rf "$smallest"
    say "$target: $(find "fuzz/corpus/$target" -type f | wc -l) files kept"
    continue
  fi
  say "$target: $runs executions"
  status=0
  # shellcheck disable=SC2086 # several folders
  build/fuzz/footfall_fuzz -runs="$runs" -max_len=16384 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/found/$target-" "$corpus" "fuzz/corpus/$target" ${seeds[$target]} \
    >"build/fuzz/$target.log" 2>&1 || status=$?
  grep -E '^#[0-9]+.*DONE|^stat::number_of_executed|SUMMARY|ERROR' "build/fuzz/$target.log" | tail -4
  ((status == 0)) || failed+=("$target")
done
((${#failed[@]} == 0)) || fail "found something in ${failed[*]}: see build/fuzz/found and build/fuzz/<target>.log"
