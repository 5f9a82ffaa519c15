"""Studies that a service shows: folders with their results, checked before they are published."""

from __future__ import annotations

import os
import re
import shutil
import stat
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ValidationError

from grbcore import strict_json
from grbcore.study_results import RESULTS, AnyResults
from grbcore.violations import Refused, Violation

#: What a study's address may be.
NAME = "[a-z0-9][a-z0-9-]{0,59}"

FILE, ABOUT = "results.json", "about.json"

#: Bytes that one of its files may have.
LARGEST = 32 << 20

_TITLE = 120  # characters

Kind = Literal["splits", "robustness", "expressive"]

_SIZE = re.compile(
    rb'<svg\b[^>]* width="(\d{1,5}(?:\.\d+)?)(pt)?" height="(\d{1,5}(?:\.\d+)?)(?:pt)?"'
)


class About(BaseModel):
    """What a list says of a study."""

    name: str
    title: str
    kind: Kind
    of: list[str]  # the board of a study of robustness, the datasets of others
    published_at: datetime
    files: list[str]


@dataclass(frozen=True, slots=True)
class Published:
    """A study in a service's folder."""

    folder: Path
    about: About

    def results(self) -> AnyResults | None:
        """Its numbers, as they were when they were checked; None where they are so no more."""
        return _results(self.folder)

    def is_sound(self) -> bool:
        """Whether it has `results`; the same file is read once."""
        try:
            status = (self.folder / FILE).stat()
        except OSError:
            return False
        return _is_sound(self.folder, status.st_ino, status.st_mtime_ns, status.st_size)

    def plots(self) -> dict[str, tuple[int, int]]:
        """The width and height of each plot that says them, in pixels: room to keep for it."""
        found = {}
        for name in self.about.files:
            path = self.file(name) if name.endswith(".svg") else None
            size = None if path is None else _SIZE.search(_start(path))
            if size is not None:
                scale = 96 / 72 if size[2] else 1  # points, or pixels
                found[name] = (round(float(size[1]) * scale), round(float(size[3]) * scale))
        return found

    def file(self, name: str) -> Path | None:
        """One of its files; None where it has none of this name."""
        path = self.folder / name
        return path if name in self.about.files and path.is_file() else None


@lru_cache(maxsize=256)
def _is_sound(folder: Path, _inode: int, _changed_ns: int, _bytes: int) -> bool:
    return _results(folder) is not None


def _results(folder: Path) -> AnyResults | None:
    try:
        return RESULTS.validate_json((folder / FILE).read_bytes())
    except (OSError, ValidationError):
        return None


def publish(source: Path, studies: Path, *, name: str, title: str, now: datetime) -> Published:
    """Check what ``grb study`` wrote into ``source`` and copy it to ``studies``.

    A study of this name is replaced.  Of its files those are left out that are links.

    Raises:
        Refused: a name or title that none can have, no results of a study, a file too large.
    """
    found = []
    if not re.fullmatch(NAME, name):
        found.append(Violation("format", "--name", name, f"{NAME}, such as citeseer-20"))
    if not title.strip() or len(title) > _TITLE:
        found.append(Violation("format", "--title", title[:200], f"1 to {_TITLE} characters"))
    if found:
        raise Refused(found)
    results, told = _read(source / FILE)
    files = {FILE: told}
    of, shown = _shown(results)
    for file in shown:
        path = source / file
        if path.is_file() and not path.is_symlink():
            files[file] = _content(path)
    about = About(
        name=name,
        title=title.strip(),
        kind=results.kind,
        of=of,
        published_at=now,
        files=list(files),
    )
    made, old, target = (studies / f"{end}{name}" for end in (".new-", ".old-", ""))
    for left in (made, old):
        shutil.rmtree(left, ignore_errors=True)
    made.mkdir(parents=True)
    for file, content in files.items():
        (made / file).write_bytes(content)
    (made / ABOUT).write_text(about.model_dump_json(indent=1) + "\n", "utf-8")
    if target.exists():
        target.rename(old)
    made.rename(target)
    shutil.rmtree(old, ignore_errors=True)
    return Published(target, about)


def withdraw(studies: Path, name: str) -> None:
    """Show a study no longer.

    Raises:
        Refused: there is none of this name.
    """
    found = find(studies, name)
    if found is None:
        listed = ", ".join(one.about.name for one in published(studies)) or "none is published"
        raise Refused([Violation("format", "study", name, listed)])
    shutil.rmtree(found.folder)


def published(studies: Path) -> list[Published]:
    """Every study in a service's folder, the newest first."""
    try:
        names = [path.name for path in studies.iterdir()]
    except FileNotFoundError:
        return []
    found = [one for name in names if (one := find(studies, name)) is not None]
    return sorted(found, key=lambda one: (one.about.published_at, one.about.name), reverse=True)


def find(studies: Path, name: str) -> Published | None:
    """The study of this name; None where there is none."""
    if not re.fullmatch(NAME, name):
        return None
    try:
        about = About.model_validate_json((studies / name / ABOUT).read_bytes())
    except (OSError, ValidationError):
        return None
    return Published(studies / name, about)


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4096)


def _shown(results: AnyResults) -> tuple[list[str], tuple[str, ...]]:
    """What a study is of, and its files: its CSV, its LaTeX, its plots."""
    if results.kind == "splits":
        return results.study.datasets, ("runs.csv", "table.tex", "boxes.svg")
    if results.kind == "robustness":
        return [results.study.board], ("draws.csv", "table.tex", "scores.svg")
    plots = (f"{attack}.svg" for attack in results.study.attacks)
    return [results.study.dataset], ("runs.csv", "table.tex", *plots)


def _content(path: Path) -> bytes:
    """What a file holds, read once.

    Raises:
        OSError: it is no regular file, or a link.
        Refused: it is too large.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError("found no regular file")
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        size = f"{max(status.st_size, len(content)):,} bytes"
        raise Refused([Violation("size", f"{path}", size, f"{LARGEST:,}")])
    return content


def _read(path: Path) -> tuple[AnyResults, bytes]:
    """The results in a file, and its bytes."""
    allowed = "results.json of grb study splits, robustness or expressive"
    if path.is_symlink():
        raise Refused([Violation("format", f"{path}", "a link", allowed)])
    try:
        content = _content(path)
        strict_json.parse(content)  # no name twice
        return RESULTS.validate_json(content), content
    except OSError as error:
        raise Refused([Violation("format", f"{path}", str(error), allowed)]) from None
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "union_tag_not_found":
            first["msg"] = "no kind; a folder from before has one once its command is given again"
        place = ".".join(map(str, first["loc"]))
        words = f"{place}: {first['msg']}" if place else first["msg"]
        raise Refused([Violation("format", f"{path}", words, allowed)]) from None
    except ValueError as error:
        raise Refused([Violation("format", f"{path}", str(error), allowed)]) from None
