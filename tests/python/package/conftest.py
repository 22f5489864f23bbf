"""The package as it was built: build/release/python, before anything that is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
STAGE = ROOT / "build/release/python"
sys.path.insert(0, str(STAGE))


@pytest.fixture(scope="session")
def ff():
    if not (STAGE / "footfall/_footfall.abi3.so").is_file():
        pytest.fail("the Python package is not built: scripts/build.sh release")
    import footfall

    assert Path(footfall.__file__).is_relative_to(STAGE)
    return footfall
