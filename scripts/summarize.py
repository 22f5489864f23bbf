"""Adds up the JUnit files of a test run and prints one line of totals.

Where ctest ran programs of many tests, <preset>.xml has a line per program and <preset>/<program>.xml
one per test: the latter count, unless the program crashed and left no file.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, help="folder of .xml files")
    parser.add_argument("--checks", type=int, required=True, help="number of checks that ran")
    parser.add_argument("--failed", default="", help="names of the checks that failed")
    arguments = parser.parse_args()

    passed = failed = skipped = 0
    for path in sorted(arguments.results.rglob("*.xml")):
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            if (path.with_suffix("") / f"{case.get('name')}.xml").exists():
                continue
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
                print(f"failed: {path.stem}: {case.get('classname', '')} {case.get('name')}")
            elif case.find("skipped") is not None:
                skipped += 1
            else:
                passed += 1

    checks_failed = arguments.failed.split()
    for name in checks_failed:
        print(f"failed check: {name} (again, alone: make test CHECKS={name})")
    print(f"checks: {arguments.checks - len(checks_failed)} passed, {len(checks_failed)} failed")
    print(f"tests: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or checks_failed else 0


if __name__ == "__main__":
    sys.exit(main())
