"""The program's help in all its forms: corrections of typing, completions in a real shell, the manual page."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest


def run(program, *words, status=0):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def test_mistyped_words_are_corrected(program):
    assert "no command 'rn', did you mean 'run'?" in run(program, "rn", status=2)
    assert "footfall rig has no command 'pres', did you mean 'press'?" in run(program, "rig", "pres", status=2)
    text = run(program, "rig", "press", "--sole", "dry-sand", status=2)
    assert "footfall rig press has no option '--sole', did you mean '--soil'?" in text
    assert "footfall rig press --help lists its options" in text
    assert "did you mean 'press'?" in run(program, "help", "rig", "pres", status=2)


def test_help_of_a_command_is_that_of_its_option(program):
    assert run(program, "help", "rig", "press") == run(program, "rig", "press", "--help")
    assert run(program, "help") == run(program, "--help")
    assert "leave 'run' out" in run(program, "help", "run", "--format", "man", status=2)


def completed(program, shell_script, *words):
    """What bash offers for the last of these words."""
    line = " ".join(f"'{w}'" for w in words)
    script = (f"{shell_script}\nCOMP_WORDS=(footfall {line}); COMP_CWORD={len(words)}; COMPREPLY=(); _footfall\n"
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes(program):
    script = run(program, "completions", "bash")
    assert completed(program, script, "ri") == ["rig"]
    assert completed(program, script, "rig", "") == ["press", "drop", "drag", "path", "tilt", "--help"]
    assert completed(program, script, "rig", "press", "--mesh-s") == ["--mesh-scale", "--mesh-spacing"]
    assert completed(program, script, "rig", "press", "--foot", "") == ["disc", "rectangle", "cylinder", "sphere", "mesh"]
    assert completed(program, script, "rig", "press", "--soil", "dry-sand", "--sink") == ["--sinkage"]


def test_bash_completes_files(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trot.toml").touch()
    assert completed(program, run(program, "completions", "bash"), "run", "tro") == ["trot.toml"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_read_their_completions(program, shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "completions"
    script.write_text(run(program, "completions", shell))
    if shell == "zsh":
        command = f"autoload -U compinit; compinit -u -D; source {script}; whence -w _footfall; print ${{_comps[footfall]}}"
        assert "_bash_complete" in subprocess.run([shell, "-fc", command], capture_output=True, text=True, check=True).stdout
    else:
        command = f"source {script}; complete -C 'footfall rig pr'; complete -C 'footfall rig press --mesh-sc'"
        out = subprocess.run([shell, "-c", command], capture_output=True, text=True, check=True).stdout
        assert "press\t" in out and "--mesh-scale" in out


def test_manual_has_every_command_and_option(program):
    manual = run(program, "help", "--format", "man")
    markdown = run(program, "help", "--format", "markdown")
    commands = re.findall(r"^## footfall (.+)$", markdown, re.M)
    assert len(commands) > 25
    for command in commands:
        shown = run(program, *command.split(), "--help")
        for option in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", shown, re.M):
            assert option.replace("-", r"\-") in manual, (command, option)
            assert option in markdown or option == "--help", (command, option)
    if shutil.which("man") is not None:
        page = subprocess.run(["man", "--warnings", "-l", "-"], input=manual, capture_output=True, text=True, check=True)
        assert page.stderr == ""
        assert "footfall rig press" in page.stdout
