"""Studies that a service shows: folders with their results, checked before they are published."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from grbcore import strict_json
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


class SplitCell(BaseModel):
    """A model on a dataset, over all splits and initialisations; null where it has no run."""

    runs: int
    mean: Accuracy | None = None
    std: float | None = None
    median: Accuracy | None = None
    low: Accuracy | None = None  # first quartile
    high: Accuracy | None = None  # third quartile
    failures: int | None = None
    published: tuple[float, float] | None = None  # the paper's mean and standard deviation


class SplitModel(BaseModel):
    """A model over all datasets."""

    model: str
    configuration: dict[str, float]
    relative_accuracy: float | None
    average_rank: float | None
    datasets: dict[str, SplitCell]


class SplitStudy(BaseModel):
    """Which runs were made."""

    datasets: list[str]
    models: list[str]
    splits: int
    inits: int
    scheme: Literal["per-class", "grb"]
    seed: int


class SplitPair(BaseModel):
    """Two models on one dataset, paired on its splits."""

    dataset: str
    first: str
    second: str
    difference: float  # how much higher the first is, mean over splits
    wins: int
    splits: int
    p_value: float  # Wilcoxon's, corrected by Holm


class SplitFlip(BaseModel):
    """Two splits of the same sizes with different winners."""

    dataset: str
    splits: tuple[int, int]
    winners: tuple[str, str]
    leads: tuple[float, float]
    accuracies: tuple[dict[str, Accuracy], dict[str, Accuracy]]


class SplitResults(BaseModel):
    """Models over many splits: results.json of ``grb study splits``."""

    kind: Literal["splits"]
    study: SplitStudy
    models: list[SplitModel]
    pairs: list[SplitPair]
    winners: dict[str, dict[str, int]]
    flips: list[SplitFlip]


class Variance(BaseModel):
    """Variances of a draw by source; with one repeat its own is part of the split's."""

    split: float
    training: float
    repeat: float | None
    rest: float | None
    total: float


class RobustnessEntry(BaseModel):
    """A defense's or an attack's score: official, and over splits."""

    name: str
    official: Accuracy
    official_rank: int
    mean: Accuracy
    variance: Variance
    by_split: list[Accuracy]
    ranks: list[int]  # on each split
    rank: float  # their mean


class RobustnessSide(BaseModel):
    """The entries of a side, by official rank, and on how many splits each is the first."""

    entries: list[RobustnessEntry]
    winners: dict[str, int]


class RobustnessCell(BaseModel):
    """A defense under an attack."""

    defense: str
    attack: str
    official: Accuracy
    mean: Accuracy
    variance: Variance


class RobustnessStudy(BaseModel):
    """Which runs were made."""

    board: str
    difficulty: Difficulty
    splits: int
    seeds: int
    repeats: int
    seed: int
    defenses: list[str]
    attacks: list[str]


class RobustnessResults(BaseModel):
    """A board over many splits: results.json of ``grb study robustness``."""

    kind: Literal["robustness"]
    study: RobustnessStudy
    estimator: str
    sides: dict[Side, RobustnessSide]
    cells: list[RobustnessCell]


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

    def results(self) -> SplitResults | RobustnessResults:
        """Its numbers, as they were when they were checked."""
        return _RESULTS.validate_json((self.folder / RESULTS).read_bytes())

    def file(self, name: str) -> Path | None:
        """One of its files; None where it has none of this name."""
        return self.folder / name if name in self.about.files else None


def publish(source: Path, studies: Path, *, name: str, title: str, now: datetime) -> Published:
    """Check what ``grb study`` wrote into ``source`` and copy it to ``studies``.

    A study of this name is replaced.

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
    results = _read(source / RESULTS)
    files = [RESULTS, *(file for file in FILES[results.kind] if (source / file).is_file())]
    for file in files:
        size = (source / file).stat().st_size
        if size > LARGEST:
            found.append(Violation("size", f"{source / file}", f"{size:,} bytes", f"{LARGEST:,}"))
    if found:
        raise Refused(found)
    of = results.study.datasets if results.kind == "splits" else [results.study.board]
    about = About(
        name=name, title=title.strip(), kind=results.kind, of=of, published_at=now, files=files
    )
    made, old, target = (studies / f"{end}{name}" for end in (".new-", ".old-", ""))
    for left in (made, old):
        shutil.rmtree(left, ignore_errors=True)
    made.mkdir(parents=True)
    for file in files:
        shutil.copyfile(source / file, made / file)
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


def _read(path: Path) -> SplitResults | RobustnessResults:
    allowed = "results.json of grb study splits or grb study robustness"
    try:
        if path.stat().st_size > LARGEST:
            raise Refused([Violation("size", f"{path}", "a larger file", f"{LARGEST:,} bytes")])
        return _RESULTS.validate_python(strict_json.parse(path.read_bytes()))
    except OSError as error:
        raise Refused([Violation("format", f"{path}", str(error), allowed)]) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        words = f"{place}: {first['msg']}" if place else first["msg"]
        raise Refused([Violation("format", f"{path}", words, allowed)]) from None
    except (ValueError, json.JSONDecodeError) as error:
        raise Refused([Violation("format", f"{path}", str(error), allowed)]) from None
