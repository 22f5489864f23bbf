"""Granular media as sets of wrenches. docs/granular.md"""

from __future__ import annotations

import os

from . import _footfall
from ._footfall import Medium

__all__ = ["Medium", "load", "media"]


def load(name: str | os.PathLike[str]) -> Medium:
    """A medium of the library, load("beads"), or of a wrench database's path; learns its wrenches."""
    return _footfall.load_medium(os.fspath(name))


def media() -> list[str]:
    """Names of the media in the library."""
    return _footfall.list_media()
