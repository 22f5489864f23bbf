"""clang-tidy over src/ and apps/, in parallel; files that passed and did not change are skipped.

A file counts as unchanged when its text, the text of every project header that it includes
(directly or not), its compile command, .clang-tidy and clang-tidy's version are what they were
when it last passed. The hashes of passed files lie in .cache/lint/.
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
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


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


def fingerprint(source: Path, command: str, common: str, folders: tuple[Path, ...]) -> str:
    digest = hashlib.sha256(f"{common}\0{command}".encode())
    for path in with_headers(source, folders):
        digest.update(f"\0{path}\0{read(path)}".encode())
    return digest.hexdigest()


def lint(source: Path, build: Path) -> subprocess.CompletedProcess[str]:
    # Warnings are the compiler's business, and clang does not know all of GCC's by name.
    return subprocess.run(
        [CLANG_TIDY, "-p", build, "--quiet", "--extra-arg=-Wno-error",
         "--extra-arg=-Wno-unknown-warning-option", source],
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

    todo: list[tuple[Path, Path]] = []  # source, the mark that says it passed
    total = 0
    for entry in json.loads(read(build / "compile_commands.json")):
        source = Path(entry["file"]).resolve()
        if not source.is_relative_to(ROOT / "src") and not source.is_relative_to(ROOT / "apps"):
            continue
        if not source.is_file():
            continue
        total += 1
        command = entry.get("command") or shlex.join(entry["arguments"])
        mark = PASSED / fingerprint(source, command, common, folders)
        if not mark.exists():
            todo.append((source, mark))

    print(f"-- lint: {len(todo)} of {total} files to check", flush=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        work = {pool.submit(lint, source, build): (source, mark) for source, mark in todo}
        for done in concurrent.futures.as_completed(work):
            source, mark = work[done]
            result = done.result()
            if result.returncode == 0:
                mark.touch()
            else:
                failed += 1
                print(f"\nlint: {source.relative_to(ROOT)}\n{result.stdout}{result.stderr}", flush=True)
    print(f"-- lint: {total - failed} of {total} files pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
