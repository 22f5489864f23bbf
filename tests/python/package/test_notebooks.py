"""Every tutorial runs from its first cell to its last, in an empty folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
from nbclient import NotebookClient  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
STAGE = ROOT / "build/release/python"
BOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def test_there_are_six():
    assert len(BOOKS) == 6


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_notebook_runs(book: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(STAGE), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = nbformat.read(book, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells if cell.cell_type == "code"), "clear its outputs"
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
