#!/usr/bin/env python3
"""The tables of docs/reproduce.md, from what `footfall reproduce` finds.

    scripts/reproduce_tables.py            checks that the page has what the program says
    scripts/reproduce_tables.py --write    writes the tables anew

A table stands between `<!-- rows of NAME -->` and `<!-- end of rows -->`. tests/python/test_reproduce.py checks the
page, its other numbers too.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/reproduce.md"
PROGRAM = ROOT / "build/release/footfall"
PAPERS = ("ding2013", "gora2025", "rengifo2009", "zhu2019")
BLOCK = re.compile(r"<!-- rows of (\w+) -->\n(.*?)<!-- end of rows -->", re.S)
MEASURED = ", measured"
PAPERS_WALK = ("Fig. 12", "Fig. 13", "Fig. 14")  # of Rengifo 2009, whose cut forces make a walk chaotic
TINY = 1e-6  # what is smaller is rounding, and differs from processor to processor


def number_text(value: float) -> str:
    """Four digits; rounding is shown as such."""
    if abs(value) < TINY:
        return "0" if value == 0 else "< 1e-6"
    if value == round(value) and abs(value) < 1e5:
        return str(int(value))
    return f"{value:.4g}"


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def ours_is_chaotic(row: dict) -> bool:
    return "forces shared" not in row["what"] and "in 2 s" not in row["what"]


def row_cells(row: dict) -> list[str]:
    unit = f" {row['unit']}" if row["unit"] else ""
    ours = number_text(row["ours"]) + unit
    if row["place"] == "IV.C.4":
        ours = "microseconds"
    elif row["what"].startswith("0.4 s a step"):  # feet that tip over their toes
        ours = "depends on rounding"
    elif row["place"] in PAPERS_WALK and row["what"].startswith(("standing feet: vertex", "ε = ")) and ours_is_chaotic(row):
        ours = "depends on rounding"
    paper = f'"{row["claim"]}"' if row["paper"] is None else number_text(row["paper"]) + unit
    why = f": {row['reason']}" if row["reason"] else ""
    return [cell(text) for text in (row["place"], row["what"], paper, ours, row["verdict"] + why)]


def counts_text(found: dict) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in found["counts"].items())


def table_text(found: dict) -> str:
    lines = [counts_text(found) + ".", "", "| where | what | paper | ours | verdict |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row_cells(row)) + " |" for row in found["rows"]]
    return "\n".join(lines) + "\n"


def numbers_of(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text)]


def is_same(shown: str, now: str, loose: bool) -> bool:
    """The same words, and numbers within 1 % or 0.01 mm: a run of a robot differs by so much between sets of kernels.
    Counts of impacts depend on rounding more."""
    strip = lambda text: re.sub(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", "#", text)  # noqa: E731
    if shown == now:
        return True
    if strip(shown) != strip(now):
        return {shown.split()[0], now.split()[0]} <= {"0", "<"}
    share, least = (0.15, 6) if loose else (0.01, 0.01 if now.endswith(" mm") else 0)
    return all(math.isclose(a, b, rel_tol=share, abs_tol=least)
               for a, b in zip(numbers_of(shown), numbers_of(now), strict=True))


def differences(page: str, found: dict) -> list[str]:
    """Rows of the page's table that are not what was found."""
    blocks = {name: text for name, text in BLOCK.findall(page)}
    if found["paper"] not in blocks:
        return [f"the page has no rows of {found['paper']}"]
    shown, now = blocks[found["paper"]].splitlines(), table_text(found).splitlines()
    if found["paper"] == "zhu2019" and not any(MEASURED in line for line in now):
        shown, now = [line for line in shown if MEASURED not in line][1:], now[1:]  # published, but not ours to ship
    if len(shown) != len(now):
        return [f"the page has {len(shown)} lines of {found['paper']}, expected {len(now)}"]
    wrong = []
    for one, other in zip(shown, now, strict=True):
        a, b = (re.split(r"(?<!\\)\|", line) for line in (one, other))
        loose = "impacts" in other
        if len(a) != len(b) or not all(is_same(x.strip(), y.strip(), loose) for x, y in zip(a, b, strict=True)):
            wrong.append(f"page: {one}\nfound: {other}")
    return wrong


def reproduce(name: str) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([PROGRAM, "reproduce", name, "--json", "-o", folder], cwd=ROOT, text=True,
                              capture_output=True, check=False)
    return json.loads(done.stdout)


def main() -> int:
    write = sys.argv[1:] == ["--write"]
    if sys.argv[1:] and not write:
        print(__doc__)
        return 2
    page, wrong = PAGE.read_text(), []
    for name in PAPERS:
        found = reproduce(name)
        text = f"<!-- rows of {name} -->\n{table_text(found)}<!-- end of rows -->"
        if write:
            page = re.sub(rf"<!-- rows of {name} -->\n.*?<!-- end of rows -->", lambda _: text, page, flags=re.S)
        else:
            wrong += differences(page, found)
    if write:
        PAGE.write_text(page)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
