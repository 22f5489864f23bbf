"""Values and settings as TOML, which is what the library reads and checks."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any


def value_text(value: Any) -> str:
    """A value as TOML. Numbers of NumPy are numbers, paths are text."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        # JSON's strings are TOML's basic strings, but for the delete character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        items = ", ".join(f"{value_text(str(key))} = {value_text(entry)}" for key, entry in value.items())
        return "{" + items + "}"
    if hasattr(value, "tolist"):  # arrays and scalars of NumPy
        return value_text(value.tolist())
    if isinstance(value, float):
        if math.isnan(value):
            return "nan"
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        return repr(value)
    if isinstance(value, Sequence):
        return "[" + ", ".join(value_text(entry) for entry in value) + "]"
    raise TypeError(f"a {type(value).__name__} has no form in TOML: {value!r}")


def override_texts(settings: Mapping[str, Any] | Sequence[str] | None) -> list[str]:
    """Settings {"soil.name": "dry-sand"} as the command line's "soil.name=…"; such texts stay as they are."""
    if settings is None:
        return []
    if isinstance(settings, str):
        return [settings]
    if isinstance(settings, Mapping):
        return [f"{key}={value_text(value)}" for key, value in settings.items()]
    return list(settings)


def section(name: str, values: Mapping[str, Any]) -> str:
    """A table of TOML."""
    return f"[{name}]\n" + "".join(f"{key} = {value_text(value)}\n" for key, value in values.items())


def soil_text(
    name: str,
    terramechanics: Mapping[str, Any] | None,
    compliant: Mapping[str, Any] | None,
    description: str,
    source: str,
    validity: str,
) -> str:
    """The text of a soil file."""
    head = {"name": name, "description": description, "source": source, "validity": validity}
    text = "".join(f"{key} = {value_text(value)}\n" for key, value in head.items())
    if terramechanics is not None:
        text += section("terramechanics", {"shear_source": source, **terramechanics})
    if compliant is not None:
        text += section("compliant", {"friction_source": source, **compliant})
    return text
