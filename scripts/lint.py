"""clang-tidy over src/ and apps/, in parallel; what passed and did not change is skipped.

Nearly all of the time goes into reading headers, so files are read together where the build compiles
them together (see cmake/FootfallTarget.cmake).

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
COMMANDS = ROOT / ".cache/lint-commands"
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
NOT_FOR_CLANG = re.compile(r" -Winvalid-pch| -include \S+cmake_pch\.hxx| -fno-gnu-unique")


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


def fingerprint(file: Path, command: str, common: str, folders: tuple[Path, ...]) -> str:
    digest = hashlib.sha256(f"{common}\0{command}".encode())
    for path in with_headers(file, folders):
        digest.update(f"\0{path}\0{read(path)}".encode())
    return digest.hexdigest()


def read_commands(build: Path) -> dict[Path, str]:
    """What compiles the library and the program: file, or a file that includes several, to command."""
    commands: dict[Path, str] = {}
    for entry in json.loads(read(build / "compile_commands.json")):
        file = Path(entry["file"]).resolve()
        ours = any(file.is_relative_to(folder) for folder in (
            ROOT / "src", ROOT / "apps", ROOT / "plugins", build / "CMakeFiles", build / "apps"))
        kernels = "kernels_v" in str(file)  # the same files, compiled once more
        if ours and file.is_file() and not file.name.startswith("cmake_pch") and not kernels:
            # without the precompiled header: only what a file includes is read
            command = entry.get("command") or shlex.join(entry["arguments"])
            commands[file] = NOT_FOR_CLANG.sub("", command)
    return commands


def write_commands(commands: dict[Path, str]) -> None:
    COMMANDS.mkdir(parents=True, exist_ok=True)
    entries = [{"directory": str(ROOT), "file": str(file), "command": command}
               for file, command in commands.items()]
    (COMMANDS / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")


def lint(file: Path) -> subprocess.CompletedProcess[str]:
    # Warnings are the compiler's business, and clang does not know all of GCC's by name.
    return subprocess.run(
        [CLANG_TIDY, "-p", COMMANDS, "--quiet", "--checks=-bugprone-suspicious-include",
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

    commands = read_commands(build)
    write_commands(commands)
    todo: list[tuple[Path, Path]] = []  # file, the mark that says it passed
    for file, command in commands.items():
        mark = PASSED / fingerprint(file, command, common, folders)
        if not mark.exists():
            todo.append((file, mark))

    print(f"-- lint: {len(commands)} groups of files, {len(todo)} to check", flush=True)
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
                print(f"\nlint: {file.relative_to(ROOT)}\n{result.stdout}{result.stderr}", flush=True)
    print(f"-- lint: {len(commands) - failed} of {len(commands)} groups pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
