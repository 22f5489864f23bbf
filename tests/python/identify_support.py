"""What the tests of `footfall identify` share."""

from __future__ import annotations

from pathlib import Path

DISC = ("--foot", "disc", "--radius", 0.05)
CYLINDER = ("--foot", "cylinder", "--radius", 0.05, "--width", 0.08)


def value(result: dict, name: str) -> float:
    return result["parameters"][name]["value"]


def measure(footfall, file: Path, *arguments) -> Path:
    footfall("rig", *arguments, "--csv", file)
    return file


def error_of(footfall, *arguments) -> str:
    """The one error message of a command that must fail."""
    done = footfall("identify", *arguments, expect=2)
    assert done.stdout == ""
    assert done.stderr.startswith("footfall: error: "), done.stderr
    return done.stderr.removeprefix("footfall: error: ").rstrip("\n")
