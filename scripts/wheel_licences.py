"""Puts into a wheel the licences of everything bundled, and refuses what must not be in it.

  wheel_licences.py <wheel> <folder for the finished one>

Every shared library that auditwheel copied must be in BUNDLED, which says under which licence it is; nothing else
may be in the wheel. Sources that are compiled in (headers, the viewer) are in COMPILED.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from auditwheel.wheeltools import InWheelCtx

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = Path("/usr/share/doc")

# Shared libraries by their names: Debian package, licence.
BUNDLED = {
    "libhdf5_serial": ("libhdf5-103-1", "BSD-3-Clause-LBNL"),
    "libmatio": ("libmatio11", "BSD-2-Clause"),
    "libqhull_r": ("libqhull-r8.0", "Qhull"),
    "libpng16": ("libpng16-16", "libpng-2.0"),
    "libz": ("zlib1g", "Zlib"),
    "libsz": ("libsz2", "BSD-2-Clause"),
    "libaec": ("libaec0", "BSD-2-Clause"),
    "libfmt": ("libfmt9", "MIT"),
    "libtomlplusplus": ("libtomlplusplus3", "MIT"),
    "libcurl": (None, "Apache-2.0"),  # python/no_network, ours
    "libcrypto": (None, "Apache-2.0"),  # likewise
}
# What is compiled into the module: where its licence stands, licence. The first place that exists counts.
COMPILED = {
    "eigen": (["libeigen3-dev"], "MPL-2.0"),
    "tomlplusplus": (["libtomlplusplus-dev"], "MIT"),
    "nlohmann-json": (["nlohmann-json3-dev"], "MIT"),
}
VIEWER = ("three", "uplot")  # of web/node_modules, in every report
FORBIDDEN = re.compile(
    r"cholmod|suitesparse|umfpack|spqr|ceres|metis|\bgsl_|lammps|readline|libgmp|gnutls|libldap|librtmp|sqlite", re.I
)


class Refused(Exception):
    pass


def debian_licence(package: str) -> str:
    # a package may be called otherwise on a newer Debian: libpng16-16t64
    for folder in (DOCUMENTS / package, DOCUMENTS / f"{package}t64"):
        if (folder / "copyright").is_file():
            return (folder / "copyright").read_text()
    raise Refused(f"no licence of {package}: {DOCUMENTS / package / 'copyright'} is not there")


def check_library(path: Path) -> None:
    """Neither a name nor a symbol of what must not be bundled, and no path of this machine."""
    symbols = subprocess.run(["nm", "-D", path], capture_output=True, text=True, check=True).stdout
    dynamic = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    for text in (path.name, symbols, dynamic):
        if found := FORBIDDEN.search(text):
            raise Refused(f"{path.name} has '{found[0]}', which must not be in the wheel")
    for line in dynamic.splitlines():
        if "PATH)" in line and re.search(r"\[/|:/", line):
            raise Refused(f"{path.name} looks for libraries in a folder of this machine: {line.strip()}")


def write_licences(folder: Path, libraries: list[Path]) -> list[str]:
    """One file per package; returns lines of a table."""
    lines = []
    for path in libraries:
        name = re.split(r"[-.]", path.name)[0]
        if name == "libcurl" or name == "libcrypto":
            if path.stat().st_size > 100_000:
                raise Refused(f"{path.name} is the real library, expected the one of python/no_network")
        if name not in BUNDLED:
            raise Refused(f"{path.name} is bundled, and scripts/wheel_licences.py knows no licence of it")
        package, licence = BUNDLED[name]
        if package:
            (folder / f"{package}.txt").write_text(debian_licence(package))
        lines.append(f"{path.name}: {licence}, {package or 'footfall'}")
    for name, (packages, licence) in COMPILED.items():
        (folder / f"{name}.txt").write_text(debian_licence(packages[0]))
        lines.append(f"compiled in: {name}, {licence}")
    viewer = ROOT / "web/dist/viewer.html"
    for name in VIEWER if viewer.is_file() else ():
        (folder / f"{name}.txt").write_text((ROOT / "web/node_modules" / name / "LICENSE").read_text())
        lines.append(f"in the viewer of reports: {name}, MIT")
    return lines


def main() -> int:
    wheel, target = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    finished = target / wheel.name
    try:
        with InWheelCtx(wheel, finished) as context:
            root = Path(context.path)
            libraries = sorted((root / "footfall.libs").glob("*.so*"))
            for path in [*libraries, *(root / "footfall").glob("*.so")]:
                check_library(path)
            licences = next(root.glob("*.dist-info")) / "licenses"
            licences.mkdir(exist_ok=True)
            lines = write_licences(licences, libraries)
            (licences / "BUNDLED.txt").write_text("What this wheel has besides Footfall:\n\n" + "\n".join(lines) + "\n")
    except Refused as problem:
        finished.unlink(missing_ok=True)
        print(f"error: {problem}", file=sys.stderr)
        return 1
    print(f"-- licences: {len(lines)} of what is bundled or compiled in")
    return 0


if __name__ == "__main__":
    sys.exit(main())
