"""Studies that a service shows: folders with their results, checked before they are published."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from grbcore import strict_json
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty, Side
from grbcore.violations import Refused, Violation

#: What a study's address may be.
NAME = "[a-z0-9][a-z0-9-]{0,59}"

RESULTS, ABOUT = "results.json", "about.json"

#: What `publish` takes along, and shows: by kind its CSV, its LaTeX, its plot.
FILES: Mapping[str, tuple[str, ...]] = {
    "splits": ("runs.csv", "table.tex", "boxes.svg"),
    "robustness": ("draws.csv", "table.tex", "scores.svg"),
}

#: Bytes that one of its files may have.
LARGEST = 32 << 20

_TITLE = 120  # characters

Accuracy = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
Rank = Annotated[int, Field(ge=1)]


class _Numbers(BaseModel):
    """Part of a study's results: every number in it is finite."""

    model_config = ConfigDict(allow_inf_nan=False)


class SplitCell(_Numbers):
    """A model on a dataset, over all splits and initialisations; null where it has no run."""

    runs: Count
    mean: Accuracy | None = None
    std: Positive | None = None
    median: Accuracy | None = None
    low: Accuracy | None = None  # first quartile
    high: Accuracy | None = None  # third quartile
    failures: Count | None = None
    published: tuple[float, float] | None = None  # the paper's mean and standard deviation


class SplitModel(_Numbers):
    """A model over all datasets."""

    model: str
    configuration: dict[str, float]
    relative_accuracy: Positive | None
    average_rank: Positive | None
    datasets: dict[str, SplitCell]


class SplitStudy(_Numbers):
    """Which runs were made."""

    datasets: list[str]
    models: list[str]
    splits: int
    inits: int
    scheme: Literal["per-class", "grb"]
    seed: int


class SplitPair(_Numbers):
    """Two models on one dataset, paired on its splits."""

    dataset: str
    first: str
    second: str
    difference: float  # how much higher the first is, mean over splits
    wins: Count
    splits: Count
    p_value: Accuracy  # Wilcoxon's, corrected by Holm


class SplitFlip(_Numbers):
    """Two splits of the same sizes with different winners."""

    dataset: str
    splits: tuple[int, int]
    winners: tuple[str, str]
    leads: tuple[float, float]
    accuracies: tuple[dict[str, Accuracy], dict[str, Accuracy]]


class SplitResults(_Numbers):
    """Models over many splits: results.json of ``grb study splits``."""

    kind: Literal["splits"]
    study: SplitStudy
    models: list[SplitModel]
    pairs: list[SplitPair]
    winners: dict[str, dict[str, int]]
    flips: list[SplitFlip]

    @model_validator(mode="after")
    def _of_one_study(self) -> Self:
        models, datasets = self.study.models, self.study.datasets
        _same("models", [one.model for one in self.models], models)
        for one in self.models:
            _same(f"datasets of {one.model}", one.datasets, datasets)
        for flip in self.flips:
            _among("flips", [flip.dataset], datasets)
            first, second = flip.accuracies
            _same("accuracies of a flip", second, first)
            _among("flips", [*flip.winners, *first], models)
        for pair in self.pairs:
            _among("pairs", [pair.dataset], datasets)
            _among("pairs", [pair.first, pair.second], models)
        _among("winners", self.winners, datasets)
        for wins in self.winners.values():
            _among("winners", wins, models)
        return self


class Variance(_Numbers):
    """Variances of a draw by source; with one repeat its own is part of the split's."""

    split: Positive
    training: Positive
    repeat: Positive | None
    rest: Positive | None
    total: Positive


class RobustnessEntry(_Numbers):
    """A defense's or an attack's score: official, and over splits."""

    name: str
    official: Accuracy
    official_rank: Rank
    mean: Accuracy
    variance: Variance
    by_split: list[Accuracy]
    ranks: Annotated[list[Rank], Field(min_length=1)]  # on each split
    rank: Positive  # their mean


class RobustnessSide(_Numbers):
    """The entries of a side, by official rank, and on how many splits each is the first."""

    entries: list[RobustnessEntry]
    winners: dict[str, int]


class RobustnessCell(_Numbers):
    """A defense under an attack."""

    defense: str
    attack: str
    official: Accuracy
    mean: Accuracy
    variance: Variance


class RobustnessStudy(_Numbers):
    """Which runs were made."""

    board: str
    difficulty: Difficulty
    splits: int
    seeds: int
    repeats: int
    seed: int
    defenses: list[str]
    attacks: list[str]


class RobustnessResults(_Numbers):
    """A board over many splits: results.json of ``grb study robustness``."""

    kind: Literal["robustness"]
    study: RobustnessStudy
    estimator: str
    sides: dict[Side, RobustnessSide]
    cells: list[RobustnessCell]

    @model_validator(mode="after")
    def _of_one_study(self) -> Self:
        study = self.study
        _same("sides", self.sides, ("defense", "attack"))
        for side, names in (("defense", study.defenses), ("attack", study.attacks)):
            found = self.sides["defense" if side == "defense" else "attack"]
            _same(f"{side}s", [entry.name for entry in found.entries], names)
            _among(f"winners of {side}s", found.winners, names)
        _among("cells", [cell.defense for cell in self.cells], study.defenses)
        _among("cells", [cell.attack for cell in self.cells], [CLEAN, *study.attacks])
        return self


def _same(place: str, found: Iterable[str], allowed: Iterable[str]) -> None:
    """The same names, in whatever order, each once."""
    listed, known = sorted(found), sorted(allowed)
    if listed != known or len(set(known)) < len(known):
        raise ValueError(f"{place}: found {', '.join(listed)}, allowed: {', '.join(known)}, once")


def _among(place: str, found: Iterable[str], allowed: Iterable[str]) -> None:
    """No other names."""
    known = set(allowed)
    for name in found:
        if name not in known:
            raise ValueError(f"{place}: found {name}, allowed: {', '.join(sorted(known))}")


Results = Annotated[SplitResults | RobustnessResults, Field(discriminator="kind")]
_RESULTS: TypeAdapter[SplitResults | RobustnessResults] = TypeAdapter(Results)


class About(BaseModel):
    """What a list says of a study."""

    name: str
    title: str
    kind: Literal["splits", "robustness"]
    of: list[str]  # datasets of the protocol, or the board
    published_at: datetime
    files: list[str]


@dataclass(frozen=True, slots=True)
class Published:
    """A study in a service's folder."""

    folder: Path
    about: About

    def results(self) -> SplitResults | RobustnessResults | None:
        """Its numbers, as they were when they were checked; None where they are so no more."""
        return _results(self.folder)

    def is_sound(self) -> bool:
        """Whether it has `results`; the same file is read once."""
        try:
            status = (self.folder / RESULTS).stat()
        except OSError:
            return False
        return _is_sound(self.folder, status.st_ino, status.st_mtime_ns, status.st_size)

    def file(self, name: str) -> Path | None:
        """One of its files; None where it has none of this name."""
        path = self.folder / name
        return path if name in self.about.files and path.is_file() else None


@lru_cache(maxsize=256)
def _is_sound(folder: Path, _inode: int, _changed_ns: int, _bytes: int) -> bool:
    return _results(folder) is not None


def _results(folder: Path) -> SplitResults | RobustnessResults | None:
    try:
        return _RESULTS.validate_json((folder / RESULTS).read_bytes())
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
    results, told = _read(source / RESULTS)
    files = {RESULTS: told}
    for file in FILES[results.kind]:
        path = source / file
        if path.is_file() and not path.is_symlink():
            files[file] = _content(path)
    of = results.study.datasets if results.kind == "splits" else [results.study.board]
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


def _read(path: Path) -> tuple[SplitResults | RobustnessResults, bytes]:
    """The results in a file, and its bytes."""
    allowed = "results.json of grb study splits or grb study robustness"
    if path.is_symlink():
        raise Refused([Violation("format", f"{path}", "a link", allowed)])
    try:
        content = _content(path)
        strict_json.parse(content)  # no name twice
        return _RESULTS.validate_json(content), content
    except OSError as error:
        raise Refused([Violation("format", f"{path}", str(error), allowed)]) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        words = f"{place}: {first['msg']}" if place else first["msg"]
        raise Refused([Violation("format", f"{path}", words, allowed)]) from None
    except (ValueError, json.JSONDecodeError) as error:
        raise Refused([Violation("format", f"{path}", str(error), allowed)]) from None
