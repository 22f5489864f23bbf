#!/usr/bin/env bash
# Builds the core and its tests for aarch64 and runs them under QEMU. Debian: g++-aarch64-linux-gnu,
# qemu-user-static, libfmt-dev (headers), googletest (sources).
source "$(dirname "$0")/common.sh"

for tool in aarch64-linux-gnu-g++ qemu-aarch64-static; do
  command -v "$tool" >/dev/null ||
    fail "$tool is missing: apt-get install g++-aarch64-linux-gnu qemu-user-static googletest"
done
[[ -f /usr/src/googletest/CMakeLists.txt ]] || fail "/usr/src/googletest is missing: apt-get install googletest"

# The headers of fmt alone: the rest of /usr/include belongs to this machine's processor.
build=build/aarch64
mkdir -p "$build/fmt/include"
ln -sfn /usr/include/fmt "$build/fmt/include/fmt"
cat >"$build/fmt/fmt-config.cmake" <<'CMAKE'
foreach(target IN ITEMS fmt fmt-header-only)
  if(NOT TARGET fmt::${target})
    add_library(fmt::${target} INTERFACE IMPORTED)
    target_include_directories(fmt::${target} INTERFACE "${CMAKE_CURRENT_LIST_DIR}/include")
    target_compile_definitions(fmt::${target} INTERFACE FMT_HEADER_ONLY=1)
  endif()
endforeach()
CMAKE

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" \
  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
  -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc \
  -DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64-static -DCMAKE_EXE_LINKER_FLAGS=-static \
  -DCMAKE_UNITY_BUILD=ON -DFOOTFALL_PARTS=OFF -Dfmt_DIR="$PWD/$build/fmt"
cmake --build "$build" --parallel "$jobs"
# Not the installed package, whose user would be a program of this machine, nor the look at sets of kernels: here is one.
ctest --test-dir "$build" --parallel "$jobs" --output-on-failure --exclude-regex "^(install|kernels)"
