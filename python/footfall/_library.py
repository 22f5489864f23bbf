"""Makes MuJoCo's library known before the module that needs it is loaded."""

from __future__ import annotations

import ctypes
import importlib.util
from pathlib import Path

WANTED = "libmujoco.so.4.0.0"


def load_mujoco() -> None:
    """Loads MuJoCo's shared library from its own package, without importing that."""
    spec = importlib.util.find_spec("mujoco")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        file = Path(folder) / WANTED
        if file.is_file():
            ctypes.CDLL(str(file))
            return
    raise ImportError(f"footfall needs {WANTED} of the package mujoco-core: pip install mujoco-core==4.0.0")


load_mujoco()
