"""``make audit``: whether a pinned version is known to be vulnerable, in Python and for the page.

Ends with 1 where one is.  Where no database of vulnerabilities can be reached, as behind a mirror
of packages, it says so in a line and ends with 0: nothing was found, nothing was looked at.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

PYTHON = (
    *(sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--format", "json"),
    *("--requirement", "constraints.txt", "--no-deps", "--disable-pip", "--timeout", "10"),
)
PAGE = ("npm", "audit", "--json", "--prefix", "frontend")

BY_HAND = {
    "Python": "pip-audit -r constraints.txt --no-deps --disable-pip",
    "page": "npm audit --prefix frontend",
}


def main() -> int:
    found = [*_look("Python", PYTHON, of_python), *_look("page", PAGE, of_page)]
    for line in found:
        _say(line)
    return 1 if found else 0


def _look(name: str, command: tuple[str, ...], read: Any) -> list[str]:
    """The vulnerabilities that a command found; says how many pins it looked at, or that none."""
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
        )
        found: list[str]
        found, count = read(json.loads(done.stdout))
    except (OSError, ValueError, KeyError, TypeError, subprocess.TimeoutExpired):
        by_hand = f"on a host that reaches one run {BY_HAND[name]!r}"
        _say(f"{name}: NOT LOOKED AT, no database of vulnerabilities answers; {by_hand}")
        return []
    _say(f"{name}: {count} pinned versions, {len(found)} vulnerabilities")
    return found


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def of_python(report: Mapping[str, Any]) -> tuple[list[str], int]:
    """From pip-audit's report: a line for each vulnerability, and how many versions it knew."""
    known = [one for one in report["dependencies"] if "vulns" in one]
    if not known:
        raise ValueError("no version could be looked up")
    lines = [
        f"{one['name']} {one['version']}: {fault['id']}, mended in "
        f"{', '.join(fault['fix_versions']) or 'no version yet'}"
        for one in known
        for fault in one["vulns"]
    ]
    return lines, len(known)


def of_page(report: Mapping[str, Any]) -> tuple[list[str], int]:
    """From npm's report, as `of_python`."""
    lines = [
        f"{name} {one['range']}: {one['severity']}"
        for name, one in report["vulnerabilities"].items()
    ]
    return lines, int(report["metadata"]["dependencies"]["total"])


if __name__ == "__main__":
    sys.exit(main())
