"""The page of the package's words is made from the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
STAGE = ROOT / "build/release/python"


def test_the_page_is_what_the_docstrings_say(ff):
    pytest.importorskip("gymnasium")
    done = subprocess.run(
        [sys.executable, "scripts/python_api.py"], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(STAGE)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_everything_public_is_documented(ff):
    for name in ff.__all__:
        assert (getattr(ff, name).__doc__ or "").strip(), name
