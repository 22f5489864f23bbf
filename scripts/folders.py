"""Checks which folder includes which, and draws it into docs/architecture.md.

The order is that of the calls of footfall_add_part in CMakeLists.txt: a folder of include/footfall/ and src/
may include from folders that are listed before it, in its own part or in a part that its part names. So
there are no cycles. The core may include the standard library and fmt, nothing else.

  folders.py           fails where an include is against the order, or the drawing is not up to date
  folders.py --write   renews the drawing
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/architecture.md"
BEGIN = "<!-- drawn by scripts/folders.py --write -->"
END = "<!-- end of the drawing -->"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
NO_PACKAGE = {"Threads"}  # the system's
COMPILER_HEADERS = ("cpuid.h", "immintrin.h")  # of the processor, come with the compiler


@dataclass
class Part:
    name: str
    folders: list[str]
    below: list[str]  # parts that it names
    packages: list[str]


def read_parts() -> list[Part]:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    parts = []
    for call in re.finditer(r"^footfall_add_part\((.*?)\)\n", text, re.MULTILINE | re.DOTALL):
        words: dict[str, list[str]] = {"": []}
        key = ""
        for word in call[1].split():
            if word in ("FOLDERS", "PARTS", "PACKAGES", "PUBLIC", "PRIVATE"):
                key = word
                words[key] = []
            else:
                words[key].append(word)
        parts.append(Part(words[""][0], words["FOLDERS"], words.get("PARTS", []),
                          [p for p in words.get("PACKAGES", []) if p not in NO_PACKAGE]))
    return parts


def source_files() -> list[tuple[str, Path]]:
    """Every file of the library with its folder; "" for files that are in none."""
    files = []
    for top in ("include/footfall", "src"):
        for path in sorted((ROOT / top).rglob("*.[ch]pp")):
            inner = path.relative_to(ROOT / top).parts
            files.append((inner[0] if len(inner) > 1 else "", path))
    return files


def reachable(parts: list[Part]) -> dict[str, set[str]]:
    """Parts that a part may use: those that it names and those that they name."""
    found: dict[str, set[str]] = {}
    for part in parts:
        found[part.name] = {part.name}.union(*(found[name] for name in part.below))
    return found


def check(parts: list[Part]) -> tuple[list[str], dict[str, set[str]]]:
    """Mistakes, and what each folder includes from."""
    order = [folder for part in parts for folder in part.folders]
    part_of = {folder: part.name for part in parts for folder in part.folders}
    may_use = reachable(parts)
    mistakes: list[str] = []
    uses: dict[str, set[str]] = {folder: set() for folder in order}
    for folder, path in source_files():
        place = path.relative_to(ROOT)
        if folder and folder not in part_of:
            mistakes.append(f"{place}: folder {folder}/ is in no footfall_add_part of CMakeLists.txt")
            continue
        core = not folder or part_of[folder] == "core"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            include = INCLUDE.match(line)
            if not include:
                continue
            name = include[2].removeprefix("footfall/")
            target = name.split("/")[0]
            ours = include[1] == '"' and "/" in name and target in part_of
            if ours and target != folder:
                if not folder or order.index(target) > order.index(folder):
                    mistakes.append(f"{place}:{number}: {folder or 'a file of no folder'} includes "
                                    f"{include[2]}, but {target} stands after it")
                elif part_of[target] not in may_use[part_of[folder]]:
                    mistakes.append(f"{place}:{number}: part {part_of[folder]} includes {include[2]}, "
                                    f"but does not name the part {part_of[target]}")
                if folder:
                    uses[folder].add(target)
            elif include[1] == "<" and core and re.search(r"[/.]", name):
                if not name.startswith("fmt/") and name not in COMPILER_HEADERS:
                    mistakes.append(f"{place}:{number}: the core includes <{include[2]}>, expected "
                                    "only the standard library and fmt")
    return mistakes, uses


def draw(parts: list[Part], uses: dict[str, set[str]]) -> str:
    order = [folder for part in parts for folder in part.folders]
    lines = ["| part | libraries | folder | includes from |", "|---|---|---|---|"]
    for part in parts:
        for i, folder in enumerate(part.folders):
            packages = ", ".join(part.packages) or "fmt (headers only)" if part.name == "core" else \
                ", ".join(part.packages)
            below = " ".join(name for name in order if name in uses[folder])
            first = f"`footfall::{part.name}` | {packages}" if i == 0 else " | "
            lines.append(f"| {first} | `{folder}/` | {below} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="renew the drawing in docs/architecture.md")
    arguments = parser.parse_args()
    parts = read_parts()
    mistakes, uses = check(parts)
    page = PAGE.read_text(encoding="utf-8")
    if BEGIN not in page or END not in page:
        mistakes.append(f"{PAGE.relative_to(ROOT)}: has no place for the drawing ({BEGIN} … {END})")
    else:
        head, rest = page.split(BEGIN, 1)
        tail = rest.split(END, 1)[1]
        drawn = f"{head}{BEGIN}\n{draw(parts, uses)}\n{END}{tail}"
        if arguments.write:
            PAGE.write_text(drawn, encoding="utf-8")
        elif drawn != page:
            mistakes.append(f"{PAGE.relative_to(ROOT)}: the drawing is not up to date, run "
                            "scripts/folders.py --write")
    for mistake in mistakes:
        print(f"folders: {mistake}")
    print(f"-- folders: {sum(len(p.folders) for p in parts)} in {len(parts)} parts, "
          f"{len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
