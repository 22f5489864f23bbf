"""`footfall granular resistive-force`, and the media that it made."""

from __future__ import annotations

import shlex
import tomllib

import pytest

FOOT = ("--radius-m", 0.04, "--height-m", 0.308, "--reference-height-m", 0.25)
GRID = ("--depths-m", 0.05, 0.1, "--tilts-rad", 0, 0.5)


def run(footfall, *arguments, **options):
    return footfall("granular", "resistive-force", *arguments, **options)


def rows_of(file) -> list[str]:
    return [line for line in file.read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("medium", ["play-sand", "pebbles"])
def test_media_are_what_their_commands_make(footfall, repository, tmp_path, medium):
    shipped = repository / f"media/{medium}.csv"
    head = [line[2:] for line in shipped.read_text().splitlines() if line.startswith("#")]
    command = shlex.split(tomllib.loads("\n".join(head))["source"])
    (tmp_path / "media").mkdir()
    footfall(*command[1:], cwd=tmp_path)
    new, old = rows_of(tmp_path / f"media/{medium}.csv"), rows_of(shipped)
    assert new[0] == old[0] and len(new) == len(old)
    for a, b in zip(new[1:], old[1:]):
        assert [float(x) for x in a.split(",")] == pytest.approx([float(x) for x in b.split(",")], abs=2e-6)


def test_fits_the_scale_of_a_database(footfall, tmp_path):
    made = run(footfall, *FOOT, *GRID, "--scale", 0.7, "--medium", "x", "-o", tmp_path / "x.csv")
    assert "4 configurations, 26 directions" in made.stdout
    fit = footfall.json("granular", "resistive-force", "--fit", tmp_path / "x.csv")["fit"]
    assert fit["scale"] == pytest.approx(0.7, abs=1e-6) and fit["error"] < 1e-6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected --scale or --fit, one of them"),
        (("--scale", 1), "--scale needs --output FILE.csv"),
        (("--scale", 1, "-o", "x.txt"), "--output x.txt, expected a name that ends in .csv"),
        (("--scale", 1, "-o", "x.csv"), "--output needs --medium, the medium's name"),
        (("--scale", 1, "-o", "x.csv", "--medium", "x", *GRID), "--foot cylinder needs --radius-m"),
        (("--scale", 1, "-o", "x.csv", "--medium", "x", *FOOT, "--depths-m", 0, "--tilts-rad", 0),
         "depth = 0 m, expected above 0: at zero depth all wrenches are zero anyway"),
    ],
)
def test_says_what_is_wrong(footfall, tmp_path, arguments, message):
    failed = run(footfall, *arguments, cwd=tmp_path, expect=2)
    assert failed.stderr == f"footfall: error: {message}\n"
    assert not list(tmp_path.iterdir())
