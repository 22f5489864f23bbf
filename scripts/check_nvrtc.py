"""Compiles tests/nvrtc/kernels.cu with NVRTC for some GPUs, and each kernel header alone; needs no GPU.

Any complaint, be it a warning, fails. With --output FOLDER the compiled kernels are kept there, as <gpu>.cubin.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "tests/nvrtc/kernels.cu"
GPUS = ("sm_80", "sm_90")
# Each must compile by itself. What a kernel on a GPU includes belongs here.
HEADERS = (
    "math/device.hpp",
    "math/scalar.hpp",
    "math/spatial.hpp",
    "math/pack.hpp",
    "robot/joint_type.hpp",
    "robot/link_group.hpp",
    "robot/link_motion.hpp",
    "robot/link_solve.hpp",
    "soil/bearing.hpp",
    "soil/plastic.hpp",
    "soil/soil.hpp",
    "ground/point.hpp",
    "ground/compliant.hpp",
    "ground/terramechanics.hpp",
    "ground/evaluate.hpp", "soil/resistive.hpp",
)
ENTRIES = [
    f"{kernel}_{scalar}"
    for kernel in ("evaluate_laws", "sweep_links", "solve_spatial")
    for scalar in ("double", "float")
]
OPTIONS = (
    "--std=c++20",
    "--device-as-default-execution-space",  # so that headers need no __device__
    f"--include-path={ROOT / 'include'}",
    f"--include-path={ROOT / 'tests'}",
)


class Nvrtc:
    """The library of the package nvidia-cuda-nvrtc."""

    def __init__(self) -> None:
        package = metadata.distribution("nvidia-cuda-nvrtc")
        names = [file for file in package.files or () if file.name.startswith("libnvrtc.so")]
        if not names:
            raise SystemExit("error: the package nvidia-cuda-nvrtc has no libnvrtc.so")
        self.library = ctypes.CDLL(str(package.locate_file(names[0])))
        self.version = package.version

    def _read(self, program: ctypes.c_void_p, what: str) -> bytes:
        size = ctypes.c_size_t()
        getattr(self.library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(self.library, f"nvrtcGet{what}")(program, buffer)
        return buffer.raw

    def compile(self, text: str, name: str, gpu: str) -> tuple[bytes, str]:
        """The compiled program (empty if there is an error), and what the compiler said."""
        program = ctypes.c_void_p()
        created = self.library.nvrtcCreateProgram(
            ctypes.byref(program), text.encode(), name.encode(), 0, None, None
        )
        if created != 0:
            raise SystemExit(f"error: nvrtcCreateProgram ended with {created}")
        options = [option.encode() for option in (*OPTIONS, f"--gpu-architecture={gpu}")]
        status = self.library.nvrtcCompileProgram(
            program, len(options), (ctypes.c_char_p * len(options))(*options)
        )
        log = self._read(program, "ProgramLog").rstrip(b"\0").decode().strip()
        binary = self._read(program, "CUBIN") if status == 0 else b""
        if status != 0 and not log:
            log = f"nvrtcCompileProgram ended with {status}"
        self.library.nvrtcDestroyProgram(ctypes.byref(program))
        return binary, log


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, help="folder for the compiled kernels")
    arguments = parser.parse_args()
    nvrtc = Nvrtc()
    complaints = []
    for header in HEADERS:
        _, log = nvrtc.compile(f'#include "footfall/{header}"\n', header, GPUS[0])
        if log:
            complaints.append(f"{header}, alone, for {GPUS[0]}:\n{log}")
    for gpu in GPUS:
        binary, log = nvrtc.compile(KERNELS.read_text(), str(KERNELS.relative_to(ROOT)), gpu)
        if log:
            complaints.append(f"{KERNELS.name} for {gpu}:\n{log}")
            continue
        missing = [entry for entry in ENTRIES if entry.encode() not in binary]
        if missing:
            complaints.append(f"{KERNELS.name} for {gpu}: no kernel {', '.join(missing)}")
        if arguments.output:
            arguments.output.mkdir(parents=True, exist_ok=True)
            (arguments.output / f"{gpu}.cubin").write_bytes(binary)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(
        f"-- nvrtc {nvrtc.version}: {len(HEADERS)} headers, {len(ENTRIES)} kernels for {', '.join(GPUS)}: "
        + (f"{len(complaints)} FAILED" if complaints else "all compile")
    )
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
