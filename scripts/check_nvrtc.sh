#!/usr/bin/env bash
# Compiles the headers that kernels on GPUs need with NVRTC, which needs no GPU: scripts/check_nvrtc.py.
source "$(dirname "$0")/common.sh"

wanted="$(sha256sum requirements-gpu.txt | cut -d' ' -f1)"
stamp=.venv/requirements-gpu.sha256
if [[ ! -f $stamp || $(<"$stamp") != "$wanted" ]]; then
  say "installing Python packages of requirements-gpu.txt into .venv"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-gpu.txt ||
    fail "the Python packages could not be installed (is the package registry reachable?);" \
      "install by hand: .venv/bin/pip install --no-deps -r requirements-gpu.txt"
  printf '%s\n' "$wanted" >"$stamp"
fi
.venv/bin/python scripts/check_nvrtc.py "$@"
