"""clang-tidy over src/ and apps/, in parallel; what passed and did not change is skipped.

Nearly all of the time goes into reading headers, so up to six files of one folder of src/ are read as
one: names in their anonymous namespaces must differ.

Files count as unchanged when their text, the text of every project header that they include
(directly or not), their compile command, .clang-tidy and clang-tidy's version are what they were
when they last passed. The hashes of what passed lie in .cache/lint/.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import hashlib
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLANG_TIDY = ROOT / ".venv/bin/clang-tidy"
PASSED = ROOT / ".cache/lint"
GROUPS = ROOT / ".cache/lint-groups"
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
PRECOMPILED = re.compile(r" -Winvalid-pch| -include \S+cmake_pch\.hxx")


@functools.cache
def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@functools.cache
def includes_of(path: Path, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    """Project headers that `path` names, resolved beside it and in the include folders."""
    found = []
    for name in INCLUDE.findall(read(path)):
        for folder in (path.parent, *folders):
            if (folder / name).is_file():
                found.append((folder / name).resolve())
                break
    return tuple(found)


def with_headers(source: Path, folders: tuple[Path, ...]) -> list[Path]:
    seen: set[Path] = set()
    waiting = [source]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting.extend(includes_of(path, folders))
    return sorted(seen)


def fingerprint(sources: list[Path], command: str, common: str, folders: tuple[Path, ...]) -> str:
    digest = hashlib.sha256(f"{common}\0{command}".encode())
    for source in sources:
        for path in with_headers(source, folders):
            digest.update(f"\0{path}\0{read(path)}".encode())
    return digest.hexdigest()


def group_files(commands: dict[Path, str]) -> list[list[Path]]:
    """Files of one folder of the library by sixes; the long ones, and those of the program, alone."""
    groups: list[list[Path]] = []
    for source in sorted(commands):
        last = groups[-1] if groups else []
        alone = not source.is_relative_to(ROOT / "src") or source.name.startswith("step")
        if alone or not last or len(last) == 6 or last[0].parent != source.parent:
            groups.append([source])
        else:
            last.append(source)
    return groups


def write_groups(groups: list[list[Path]], commands: dict[Path, str]) -> dict[Path, list[Path]]:
    """Makes a file that includes each group's, and the compile commands that clang-tidy reads."""
    GROUPS.mkdir(parents=True, exist_ok=True)
    made: dict[Path, list[Path]] = {}
    entries = []
    for i, group in enumerate(groups):
        file = group[0] if len(group) == 1 else GROUPS / f"group_{i}.cpp"
        if file not in group:
            file.write_text("".join(f'#include "{source}"\n' for source in group), encoding="utf-8")
        made[file] = group
        entries.append({"directory": str(ROOT), "file": str(file),
                        "command": commands[group[0]].replace(str(group[0]), str(file))})
    (GROUPS / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    return made


def lint(file: Path) -> subprocess.CompletedProcess[str]:
    # Warnings are the compiler's business, and clang does not know all of GCC's by name.
    return subprocess.run(
        [CLANG_TIDY, "-p", GROUPS, "--quiet", "--checks=-bugprone-suspicious-include",
         "--extra-arg=-Wno-error",
         "--extra-arg=-Wno-unknown-warning-option", file],
        capture_output=True, text=True, cwd=ROOT, check=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="folder with compile_commands.json")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    build = (ROOT / arguments.build).resolve()

    version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, text=True, check=True)
    common = version.stdout + read(ROOT / ".clang-tidy")
    folders = (ROOT / "include", ROOT / "src", build / "generated")
    PASSED.mkdir(parents=True, exist_ok=True)

    commands: dict[Path, str] = {}
    for entry in json.loads(read(build / "compile_commands.json")):
        source = Path(entry["file"]).resolve()
        ours = source.is_relative_to(ROOT / "src") or source.is_relative_to(ROOT / "apps")
        if ours and source.is_file():
            # without the precompiled header: only what a file includes is read
            command = entry.get("command") or shlex.join(entry["arguments"])
            commands[source] = PRECOMPILED.sub("", command)
    groups = write_groups(group_files(commands), commands)

    todo: list[tuple[Path, Path]] = []  # file, the mark that says it passed
    for file, sources in groups.items():
        mark = PASSED / fingerprint(sources, commands[sources[0]], common, folders)
        if not mark.exists():
            todo.append((file, mark))

    print(f"-- lint: {len(commands)} files in {len(groups)} groups, {len(todo)} to check", flush=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        work = {pool.submit(lint, file): (file, mark) for file, mark in todo}
        for done in concurrent.futures.as_completed(work):
            file, mark = work[done]
            result = done.result()
            if result.returncode == 0:
                mark.touch()
            else:
                failed += 1
                names = ", ".join(str(source.relative_to(ROOT)) for source in groups[file])
                print(f"\nlint: {names}\n{result.stdout}{result.stderr}", flush=True)
    print(f"-- lint: {len(groups) - failed} of {len(groups)} groups pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
