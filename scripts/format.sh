#!/usr/bin/env bash
# format.sh: formats all C++ files. format.sh --check: only says which files want it.
source "$(dirname "$0")/common.sh"

mapfile -t files < <(cpp_files)
if [[ ${1:-} == --check ]]; then
  .venv/bin/clang-format --dry-run --Werror "${files[@]}" ||
    fail "some files are not formatted: run \`make format\`"
  say "format: ${#files[@]} files are as they should be"
else
  .venv/bin/clang-format -i "${files[@]}"
  say "format: ${#files[@]} files formatted"
fi
