#!/usr/bin/env bash
# Installs what is missing: system packages, the project-local Python environment .venv, the built viewer.
# Does nothing, quickly, when nothing is missing.
source "$(dirname "$0")/common.sh"

packages=(
  g++ cmake ninja-build
  libeigen3-dev libfmt-dev libtomlplusplus-dev libcli11-dev nlohmann-json3-dev
  libhdf5-dev libpng-dev libmatio-dev libsqlite3-dev libqhull-dev
  libcpp-httplib-dev pkg-config
  libgtest-dev libgmock-dev
  python3 python3-venv python3-dev
)
# Programs that only the tests must have: `setup.sh tests`. LAMMPS runs beside us, it is never linked;
# Chromium opens and prints the viewer's pages, Poppler shows what was printed. `setup.sh checks`: a second
# compiler too, and what builds and runs the core for another processor.
[[ ${1:-} != tests && ${1:-} != checks ]] ||
  packages+=(lammps mpi-default-bin chromium ffmpeg poppler-utils)
[[ ${1:-} != checks ]] || packages+=(clang g++-aarch64-linux-gnu qemu-user-static googletest)

# One setup at a time: a second `make` in the same folder waits for the first.
if command -v flock >/dev/null; then
  exec 9<"$PWD/scripts/setup.sh"
  flock 9
fi

install_system_packages() {
  if ! command -v dpkg-query >/dev/null; then
    local missing=()
    for tool in g++ cmake ninja python3; do
      command -v "$tool" >/dev/null || missing+=("$tool")
    done
    ((${#missing[@]} == 0)) && return
    fail "this is not a Debian system: install by hand what corresponds to ${packages[*]}" \
      "(not found: ${missing[*]})."
  fi

  local missing=()
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]} == 0)) && return

  local as_root=()
  local by_hand="install by hand, as root: apt-get install ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "system packages are missing and there is no sudo; $by_hand"
    as_root=(sudo)
  fi
  say "installing system packages: ${missing[*]}"
  # A list that cannot be renewed may still be good enough; the install decides.
  "${as_root[@]}" apt-get update -q || say "the package lists could not be renewed"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}" ||
    fail "the system packages could not be installed (is the package registry reachable?); $by_hand"
}

# install_requirements <file>: into .venv, where that list is not what is there.
install_requirements() {
  local wanted stamp=".venv/${1%.txt}.sha256"
  wanted="$(sha256sum "$1" | cut -d' ' -f1)"
  [[ -f $stamp && $(<"$stamp") == "$wanted" ]] && return
  say "installing Python packages of $1 into .venv"
  # --no-deps: what is needed is in the list, with its version
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r "$1" ||
    fail "the Python packages could not be installed (is the package registry reachable?);" \
      "install by hand: .venv/bin/pip install --no-deps -r $1"
  printf '%s\n' "$wanted" >"$stamp"
}

install_python_environment() {
  # Debian's own Python first, since python3-venv belongs to it.
  local python="${PYTHON:-}"
  if [[ -z $python ]]; then
    python=/usr/bin/python3
    [[ -x $python ]] || python="$(command -v python3)" || fail "install by hand: python3"
  fi

  [[ -x .venv/bin/python && -x .venv/bin/pip ]] || "$python" -m venv --clear .venv ||
    fail "the Python environment could not be made; install by hand: python3-venv"
  install_requirements requirements.txt
}

install_system_packages
install_python_environment
[[ ${1:-} != tests && ${1:-} != checks && ${1:-} != learn ]] || install_requirements requirements-tests.txt
[[ ${1:-} != learn ]] || install_requirements requirements-learn.txt
scripts/web.sh
say "setup: complete"
