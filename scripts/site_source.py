"""Copies the pages of docs/ for the site. The README becomes the first page; files of the project that pages link to
lie beside them, so that no link leads out.

    site_source.py FOLDER
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(?<=\]\()([^)\s#]+)(#[^)\s]*)?(?=\))")


def copy_linked(target: Path, out: Path) -> Path:
    """A file or folder of the project as a page or file of the site; its place there."""
    place = out / "files" / target.relative_to(ROOT)
    place.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir():
        place = place / "index.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        names = "\n".join(f"- {p.name}" for p in sorted(target.iterdir()))
        place.write_text(f"# {target.relative_to(ROOT)}/\n\n{names}\n")
    elif target.suffix in {".hpp", ".cpp", ".ts", ".py"}:
        place = place.with_name(place.name + ".md")
        place.write_text(f"# {target.name}\n\n````\n{target.read_text()}\n````\n")
    else:
        shutil.copyfile(target, place)
    return place


def rewrite(text: str, page: Path, place: Path, out: Path, pages: dict[Path, Path]) -> str:
    """The page's text with links that hold at its place in the site."""

    def link(match: re.Match) -> str:
        address, anchor = match[1], match[2] or ""
        if "://" in address:
            return match[0]
        target = (page.parent / address).resolve()
        if not target.exists():
            sys.exit(f"{page.relative_to(ROOT)}: link to {address}, which is not there")
        here = pages.get(target) or copy_linked(target, out)
        up = "../" * len(place.parent.relative_to(out).parts)
        return up + here.relative_to(out).as_posix() + anchor

    return LINK.sub(link, text)


def main(out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    pages = {p: out / p.relative_to(ROOT / "docs") for p in sorted((ROOT / "docs").rglob("*.md"))}
    pages[ROOT / "README.md"] = out / "index.md"
    pages[ROOT / "docs" / "decisions"] = out / "decisions" / "index.md"
    for name in ("CHANGELOG.md", "CONTRIBUTING.md", "soils/README.md", "media/README.md"):
        pages[ROOT / name] = out / name.lower().replace("/readme", "")
    for page, place in pages.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        if page.is_dir():
            titles = [(p.name, p.read_text().splitlines()[0].lstrip("# ")) for p in sorted(page.glob("*.md"))]
            text = "# Decisions\n\n" + "".join(f"- [{title}]({name})\n" for name, title in titles)
        else:
            text = rewrite(page.read_text(), page, place, out, pages)
        place.write_text(text)
    for image in (ROOT / "docs" / "images").iterdir():
        target = out / "images" / image.name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(image, target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]).resolve())
