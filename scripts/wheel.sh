#!/usr/bin/env bash
# wheel.sh [check]: makes dist/footfall-*.whl from the release build: everything in it that the package needs beside
# NumPy, MuJoCo's wheel and nanobind's, with the licences. `check` then installs it into an empty environment, far
# from this folder, and uses it.
source "$(dirname "$0")/common.sh"

python="$PWD/.venv/bin/python"
work="$PWD/build/wheel"

TARGET=footfall_package scripts/build.sh release
rm -rf "$work" && mkdir -p "$work/raw" "$work/lib" dist
rm -f dist/footfall-*.whl
say "packing the wheel"
"$python" -m pip wheel . --quiet --disable-pip-version-check --no-deps --no-build-isolation -w "$work/raw" \
  --config-settings=cmake.define.FOOTFALL_BUILT="$PWD/build/release"

# In place of libcurl and libcrypto, see python/no_network.
for name in curl crypto; do
  soname=libcurl.so.4
  [[ $name == curl ]] || soname=libcrypto.so.3
  gcc -shared -fPIC -O1 "-D${name^^}" -Wl,-soname,$soname -Wl,--version-script=python/no_network/$name.map \
    -o "$work/lib/$soname" python/no_network/no_network.c
done

# MuJoCo's library is in MuJoCo's wheel: footfall/_library.py loads it.
PATH="$PWD/.venv/bin:$PATH" LD_LIBRARY_PATH="$work/lib" "$python" -m auditwheel repair \
  --exclude libmujoco.so.4.0.0 --wheel-dir "$work/repaired" "$work"/raw/footfall-*.whl
"$python" scripts/wheel_licences.py "$work"/repaired/footfall-*.whl dist
wheel="$(echo dist/footfall-*.whl)"
say "$wheel: $(du -h "$wheel" | cut -f1)"

[[ ${1:-} == check ]] || exit 0
say "installing the wheel into an empty environment"
away="$(mktemp -d)"
trap 'rm -rf "$away"' EXIT
cp "$wheel" tests/python/package/check_installed.py "$away"
cd "$away"
"$python" -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check ./*.whl
env -i HOME="$away" PATH=/nowhere venv/bin/python check_installed.py
