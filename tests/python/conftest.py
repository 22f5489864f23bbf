"""What every end-to-end test shares: the built program and the project's folders."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def repository() -> Path:
    """The project's root: robots/, scenarios/ and soils/ lie in it."""
    return REPOSITORY


@pytest.fixture(scope="session")
def program() -> Path:
    """The built program: FOOTFALL_PROGRAM, or build/release/footfall."""
    path = Path(os.environ.get("FOOTFALL_PROGRAM", REPOSITORY / "build/release/footfall"))
    if not path.is_file():
        pytest.fail(f"{path} does not exist: run `make build` first")
    return path.resolve()


class Footfall:
    """Calls the program and hands back what it said."""

    def __init__(self, program: Path) -> None:
        self.program = program

    def __call__(
        self,
        *arguments: object,
        cwd: Path = REPOSITORY,
        expect: int | None = 0,
        timeout: float = 300,
    ) -> subprocess.CompletedProcess[str]:
        """Runs `footfall <arguments>`; `expect` is the exit status (None: any)."""
        command = [str(self.program), *map(str, arguments)]
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=timeout)
        assert expect is None or done.returncode == expect, (
            f"{' '.join(command)} ended with {done.returncode}, expected {expect}\n"
            f"--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}"
        )
        return done

    def json(self, *arguments: object, **options: object) -> dict:
        """Runs `footfall <arguments> --json` and parses what it prints on stdout."""
        return json.loads(self(*arguments, "--json", **options).stdout)


@pytest.fixture(scope="session")
def footfall(program: Path) -> Footfall:
    return Footfall(program)


@pytest.fixture(scope="session")
def noisy(tmp_path_factory) -> Path:
    """A press of a disc with noise on its force."""
    noise = random.Random(3)
    file = tmp_path_factory.mktemp("noisy") / "noisy.csv"
    lines = ["time_s,sinkage_m,normal_force_N"]
    for i in range(401):
        depth = 5e-5 * i
        lines.append(f"{0.05 * i:.4f},{depth:.9f},{12160 * depth**1.1 + noise.gauss(0, 1):.6f}")
    file.write_text("\n".join(lines) + "\n")
    return file
