"""The soil library, and soils as files."""

from __future__ import annotations

from pathlib import Path

from . import _footfall
from ._footfall import InputError, Soil
from ._scenario import PathText


def soils() -> dict[str, Soil]:
    """Every soil of the library by its name: of soils/ here and above, of $FOOTFALL_DATA, of the package."""
    return {soil.name: soil for soil in _footfall.load_soil_library()}


def as_soil(soil: Soil | str) -> Soil:
    """A soil, or that of the library's name or of a soil file's path."""
    return soil if isinstance(soil, Soil) else _footfall.load_named_soil(soil, "soil")


def write_soil(text: str, file: PathText, overwrite: bool) -> Path:
    path = Path(file)
    if path.suffix != ".toml":
        raise InputError(f"{path}: expected a name that ends in .toml")
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists: choose another name, or say overwrite=True")
    path.write_text(text)
    return path
