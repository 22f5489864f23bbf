# Shared by the other scripts: `source` it first. Goes to the project's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs="${JOBS:-$(nproc)}"

heading() { printf '\n== %s\n' "$*"; }
say() { printf -- '-- %s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# All C++ files of the project, in a stable order.
cpp_files() {
  local folders=()
  for folder in include src apps plugins python/src tests benchmarks examples fuzz; do
    [[ -d $folder ]] && folders+=("$folder")
  done
  find "${folders[@]}" -type f \( -name '*.cpp' -o -name '*.hpp' \) | LC_ALL=C sort
}
