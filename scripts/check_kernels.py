"""Checks that code for wide processors stays in the kernels: see docs/decisions/0012-kernels-chosen-at-start.md.

  check_kernels.py <build folder>

In each object of kernels (<build>/private/kernels_<set>.o, and plugin_kernels_<set>.o of MuJoCo's plugin) only the
set's entries are visible to the linker, and it takes nothing from outside that has lanes in its name. In no other object of our libraries is there an
instruction on registers of AVX or AVX-512.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ENTRIES = {"kernels": ["footfall_step_one", "footfall_step_lanes"], "plugin_kernels": ["footfall_step_carried"]}
WIDE = re.compile(r"%[yz]mm\d")


def read(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check_symbols(kernels: Path) -> list[str]:
    kind, _, name = kernels.stem.rpartition("_")
    mistakes = []
    visible = {line.split()[-1] for line in read("nm", "-g", "--defined-only", kernels).splitlines() if line}
    entries = {f"{entry}_{name}" for entry in ENTRIES[kind]}
    if visible != entries:
        mistakes.append(f"{kernels.name}: visible symbols are {sorted(visible)[:9]}, expected {sorted(entries)}")
    for line in read("nm", "-uC", kernels).splitlines():
        if "Lanes<" in line or "LaneMask<" in line:
            mistakes.append(f"{kernels.name}: takes from outside what has lanes: {line.split(None, 1)[1]}")
    return mistakes


def wide_members(archive: Path) -> list[str]:
    """Members of an archive that have instructions on wide registers, but for the kernels."""
    found: list[str] = []
    member = function = ""
    with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", archive], stdout=subprocess.PIPE,
                          text=True) as disassembly:
        assert disassembly.stdout
        for line in disassembly.stdout:
            if "file format" in line:
                member = line.split(":")[0]
            elif line.endswith(">:\n"):
                function = line.split("<", 1)[1][:-3]
            elif not member.startswith("kernels_v") and WIDE.search(line):
                found.append(f"{archive.name}({member}): {function} uses wide registers: {line.strip()}")
                member = "kernels_v: seen"  # one is enough
    return found


def main() -> int:
    build = Path(sys.argv[1])
    kernels = sorted(path for kind in ENTRIES for path in (build / "private").glob(f"{kind}_*.o"))
    if not kernels:
        print("-- kernels: one set for all processors, nothing to check")
        return 0
    mistakes = [mistake for path in kernels for mistake in check_symbols(path)]
    archives = sorted(build.glob("libfootfall_*.a"))
    for archive in archives:
        mistakes += wide_members(archive)
    if not any(WIDE.search(line) for line in read("objdump", "-d", kernels[-1]).splitlines()):
        mistakes.append(f"{kernels[-1].name}: uses no wide registers at all")
    for mistake in mistakes:
        print(f"kernels: {mistake}")
    print(f"-- kernels: {len(kernels)} sets, {len(archives)} libraries, {len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
