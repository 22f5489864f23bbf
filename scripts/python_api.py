"""docs/python-api.md from the docstrings and signatures of the Python package.

  python_api.py           says whether the page is what the package says
  python_api.py --write   writes it

Of the installed package, or of the release build.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/python-api.md"
sys.path.append(str(ROOT / "build/release/python"))  # where none is installed
MODULES = ("footfall", "footfall.rig", "footfall.granular", "footfall.mujoco", "footfall.plot", "footfall.learn", "footfall.sb3")
NOT_IMPORTED = {"footfall.sb3": "as_vec_env"}  # wants stable-baselines3: its text alone
HEAD = """# The Python package, word by word

Made by `scripts/python_api.py --write` from the package's own docstrings. [python.md](python.md) is the tour.
"""


def text_of(thing: Any) -> str:
    """The docstring, without the signatures that nanobind puts above it."""
    lines = inspect.cleandoc(thing.__doc__ or "").split("\n")
    while lines and re.match(r"\w+\(.*\)( -> .*)?$", lines[0]):
        lines = lines[1:]
    text = "\n".join(lines).strip()
    text = re.sub(r"^Overloaded function\.\n*", "", text)
    text = re.sub(r"^\d+\. ``(.*)``$", r"`\1`", text, flags=re.M)  # one of several signatures
    text = re.sub(r"^\(self\) -> .*$", "", text, flags=re.M)
    return text.replace("footfall._footfall.", "").replace("self, ", "").replace("`__init__(", "`(").strip()


def block(text: str, indent: str = "") -> list[str]:
    """Prose as it is; what is laid out in columns as it is laid out."""
    out: list[str] = []
    for part in text.split("\n\n"):
        laid_out = any(re.search(r"\S {2,}\S", line) or line.startswith(" ") for line in part.split("\n"))
        out += ["", *(["```text", part, "```"] if laid_out else [part])]
    return [indent + line if line else line for chunk in out for line in chunk.split("\n")]


def signature(thing: Any, name: str) -> str:
    try:
        return name + str(inspect.signature(thing)).replace("'", "")
    except (TypeError, ValueError):
        pass
    lines = [line for line in (thing.__doc__ or "").split("\n") if line.startswith(name.split(".")[-1] + "(")]
    shown = "; ".join(line.replace("self, ", "").replace("(self)", "()") for line in lines)
    return shown.replace("footfall._footfall.", "") or f"{name}(…)"


def describe_class(name: str, thing: type) -> list[str]:
    out = [f"### {name}", *block(text_of(thing))]
    made = thing.__dict__.get("__init__")
    if made is not None and text_of(made) and text_of(made) != text_of(object.__init__):
        out += block(text_of(made))
    rows = []
    for member, value in thing.__dict__.items():
        if member.startswith("_"):
            continue
        if isinstance(value, property) or type(value).__name__ in ("getset_descriptor", "cached_property", "nb_static_property"):
            rows.append(f"- `{member}`{dash(text_of(value))}")
        elif callable(value) or isinstance(value, staticmethod):
            called = value.__func__ if isinstance(value, staticmethod) else value
            rows.append(f"- `{member}()`{dash(text_of(called))}")
    return [*out, "", *rows] if rows else out


def dash(text: str) -> str:
    """The first paragraph, on one line."""
    first = " ".join(text.split("\n\n")[0].split())
    return f": {first}" if first else ""


def public(module: Any) -> list[str]:
    if hasattr(module, "__all__"):
        return sorted(module.__all__, key=str.lower)
    own = [n for n, v in vars(module).items() if not n.startswith("_") and getattr(v, "__module__", "") == module.__name__]
    return sorted(own, key=str.lower)


def describe_module(name: str) -> list[str]:
    if name in NOT_IMPORTED:
        source = Path(importlib.import_module("footfall").__file__ or "").parent / f"{name.split('.')[-1]}.py"
        import ast

        tree = ast.parse(source.read_text())
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == NOT_IMPORTED[name]]
        out = [f"## {name}", *block(ast.get_docstring(tree) or "")]
        for node in functions:
            out += ["", f"### {node.name}", "", f"`{node.name}({ast.unparse(node.args)})`", *block(ast.get_docstring(node) or "")]
        return [*out, ""]
    module = importlib.import_module(name)
    out = [f"## {name}", *block(text_of(module)), ""]
    for word in public(module):
        thing = getattr(module, word)
        if inspect.ismodule(thing):
            continue
        if isinstance(thing, type):
            out += [*describe_class(word, thing), ""]
        elif callable(thing):
            out += [f"### {word}", "", f"`{signature(thing, word)}`", *block(text_of(thing)), ""]
        else:
            shown = re.sub(r"\s+", " ", repr(thing))
            out += [f"### {word}", "", f"`{shown}`", ""]
    return out


def page() -> str:
    lines = [line for name in MODULES for line in describe_module(name)]
    text = HEAD + "\n" + "\n".join(lines)
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def main() -> int:
    made = page()
    if "--write" in sys.argv:
        PAGE.write_text(made)
        return 0
    if PAGE.is_file() and PAGE.read_text() == made:
        return 0
    print(f"{PAGE.name} is not what the package says: scripts/python_api.py --write", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
