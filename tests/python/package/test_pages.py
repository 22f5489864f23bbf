"""What pages show in Python works: blocks after `<!-- run -->`, one after the other, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
STAGE = ROOT / "build/release/python"
BLOCK = re.compile(r"<!-- run -->\n```python\n(.*?)```", re.S)

# Blocks that need a file which nobody has; test_recordings.py does what they show.
NOT_RUN = {"docs/python.md": ["press.mcap"]}


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_python_of_page_runs(page: str, tmp_path: Path):
    text = (ROOT / page).read_text()
    blocks = BLOCK.findall(text)
    shown = text.count("```python")
    assert blocks and len(blocks) + len(NOT_RUN.get(page, ())) == shown
    assert all(words in text for words in NOT_RUN.get(page, ()))
    code = "\n".join(blocks)
    done = subprocess.run(
        [sys.executable, "-c", code if "import footfall" in code else "import footfall as ff\n" + code],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(STAGE)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
