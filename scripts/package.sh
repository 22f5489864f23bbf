#!/usr/bin/env bash
# package.sh [check]: packs the program as dist/footfall_<version>_<architecture>.deb.
#   check: also installs it into a fresh Debian in a folder and runs it there; as root, needs debootstrap.
source "$(dirname "$0")/common.sh"

TARGET=footfall_program "$(dirname "${BASH_SOURCE[0]}")/build.sh" release
rm -f dist/*.deb
cpack --config build/release/CPackConfig.cmake -B "$PWD/dist" >build/package.log 2>&1 || {
  cat build/package.log
  fail "the package could not be made"
}
rm -rf dist/_CPack_Packages
package="$(ls dist/*.deb)"
say "$package: sudo apt install ./$package"
[[ ${1:-} == check ]] || exit 0

command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"
root="$(mktemp -d)"
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT
say "a fresh Debian in $root"
debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" >"$root.log"
mount -t proc proc "$root/proc"
cp "$package" "$root/footfall.deb"
chroot "$root" sh -euc '
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends /footfall.deb >/dev/null
  footfall --version
  cd /tmp
  footfall run /usr/share/footfall/scenarios/quadruped_drop.toml --set step.duration_s=0.3
  footfall mujoco tune humanoid --sinkage-mm 6'
say "the package runs in a fresh Debian"
