"""Every command that a page shows works: each is taken from the page and run, in the page's order.

Commands are the lines of fenced or indented blocks that start with a program, and inline code that starts with
`build/release/`, `make` or `cmake`. A page's commands run in a folder of their own that looks like the project's root after
`make run`. A comment in the page, which readers do not see, says what to do with commands that take too long:

    <!-- test "TEXT" REASON: ACTION -->      for commands below it that contain TEXT

Of several the last counts. ACTION is `add OPTIONS`, `replace OLD NEW`, `stop` (Ctrl-C after two seconds) or `skip`.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("[mrs]*/README.md"))
    if page.name != "CHANGELOG.md")  # of what once was
STARTS = re.compile(r"(build/release/|make\b|cmake |cd |grep |printf |python|git |scripts/|\.venv/)")
INLINE = re.compile(r"`((?:build/release/|make |cmake )[^`]*)`")
RULE = re.compile(r'<!-- test "([^"]+)" [^:]*: (add|replace|stop|skip) ?(.*?) -->')
BARE = re.compile(r"footfall (?!\d)[a-z]")


def lines_of_blocks(text: str) -> list[tuple[int, bool, str]]:
    """(number, in a block, line) of every line; a block's lines lose their indentation."""
    lines, fenced, shell, after_gap = [], False, False, True
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            shell = line.strip() in ("```", "```sh", "```bash")
        elif fenced:
            lines.append((number, shell, line))
        elif line.startswith("    ") and after_gap:
            lines.append((number, True, line[4:]))
        else:
            lines.append((number, False, line))
        after_gap = not line.strip() or (line.startswith("    ") and after_gap)
    return lines


def commands_of(text: str) -> list[tuple[int, str]]:
    """(line number, command), in order; a command goes on after a backslash at the end of its line."""
    commands: list[tuple[int, str]] = []
    unfinished = False
    for number, in_block, line in lines_of_blocks(text):
        if in_block and unfinished:
            commands[-1] = (commands[-1][0], commands[-1][1][:-1] + line.strip())
        elif in_block and STARTS.match(line):
            commands.append((number, line.strip()))
        elif not in_block:
            commands.extend((number, span) for span in INLINE.findall(line))
        unfinished = in_block and bool(commands) and commands[-1][1].endswith("\\")
    return commands


def rules_above(text: str, number: int) -> list[re.Match[str]]:
    """The comments above a line, the nearest first."""
    return [*RULE.finditer("\n".join(text.split("\n")[: number - 1]))][::-1]


def apply_rules(command: str, rules: list[re.Match[str]]) -> tuple[str, str]:
    """The command as it is to be run, and `run`, `stop` or `skip`."""
    for text, action, argument in (rule.groups() for rule in rules):
        if text in command:
            if action == "add":
                return f"{command.split(' #')[0].rstrip()} {argument}", "run"
            if action == "replace":
                return command.replace(*argument.split()), "run"
            return command, action
    if command.startswith("make"):  # would build, and run this test: only whether there is such a target
        return f"make -n -C '{ROOT}' {command.removeprefix('make').split('#')[0]}", "run"
    return command, "run"


def run(command: str, action: str, folder: Path) -> tuple[bool, str]:
    """Whether it worked, and what it said."""
    process = subprocess.Popen(
        ["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        stdin=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8"})
    if action == "stop":
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGINT)
    try:
        said, _ = process.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return False, "it takes more than five minutes: mark it in the page"
    return process.returncode in ((0, 130) if action == "stop" else (0,)), said


@pytest.fixture(scope="session")
def after_make_run(program: Path, tmp_path_factory) -> Path:
    """A folder like the project's root after `make run`: what commands may write to is copied."""
    folder = tmp_path_factory.mktemp("root")
    for name in ("media", "robots", "scenarios", "soils", "scripts", "tests", ".venv"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("docs", "examples"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "build").mkdir()
    (folder / "build/release").symlink_to(program.parent)
    (folder / "home").mkdir()
    subprocess.run([program, "run", "scenarios/quadruped_trot_sand.toml"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    return folder


@pytest.mark.parametrize("page", [page for page in PAGES if commands_of((ROOT / page).read_text())])
def test_commands_of_page_work(page: str, after_make_run: Path, tmp_path: Path):
    text = (ROOT / page).read_text(encoding="utf-8")
    commands = commands_of(text)
    rules = RULE.findall(text)
    assert len(rules) == text.count("<!-- test "), f"{page}: a comment `<!-- test` is not understood"
    for rule, _, _ in rules:
        assert any(rule in command for _, command in commands), f"{page}: no command has '{rule}'"
    folder = tmp_path / "root"
    shutil.copytree(after_make_run, folder, symlinks=True)
    for number, written in commands:
        command, action = apply_rules(written, rules_above(text, number))
        if action != "skip":
            worked, said = run(command, action, folder)
            assert worked, f"{page}:{number}: {command}\n{said}"
    shutil.rmtree(folder)  # pytest would keep it


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_page_are_written_out(page: str):
    """`footfall run …` does not work when it is copied: nothing puts the program on the PATH."""
    for number, in_block, line in lines_of_blocks((ROOT / page).read_text(encoding="utf-8")):
        assert not (in_block and BARE.match(line)), f"{page}:{number}: write build/release/{line.strip()}"


def test_commands_are_found_and_changed_as_comments_say():
    text = ('Do `build/release/footfall soils`:\n\n<!-- test "sample" takes hours: add --dry-run -->\n\n'
            "    build/release/footfall sample \\\n        --jobs 2  # hours\n\n```\nmake run\nits output\n```\n")
    commands = commands_of(text)
    assert commands == [(1, "build/release/footfall soils"),
                        (5, "build/release/footfall sample --jobs 2  # hours"), (9, "make run")]
    changed = [apply_rules(command, rules_above(text, number)) for number, command in commands]
    assert changed[0] == (commands[0][1], "run")
    assert changed[1] == ("build/release/footfall sample --jobs 2 --dry-run", "run")
    assert changed[2][0].startswith("make -n")
