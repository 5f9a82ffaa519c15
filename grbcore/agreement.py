"""Whether what is measured here is what was published: counts, or errors, of each cell.

Given the protocol, evaluation is bit-identical on one kernel: the same device, PyTorch and numpy.
There every count of every repeat has to be the published one, and so have the hits of each target
where their hash is known.  Elsewhere sums are rounded in another order, which may turn a prediction
that was a toss-up: there each count may differ by a share of the targets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from grbcore.results import Cell
from grbcore.scenario import Difficulty

#: By which share of the targets a count may differ elsewhere.
TOLERANCE = 0.005

Rule = Literal["exact", "tolerance"]


@dataclass(frozen=True, slots=True)
class Kernel:
    """What counts are bit-identical on."""

    device: str
    torch: str
    numpy: str

    def __str__(self) -> str:
        return f"{self.device}, torch {self.torch}, numpy {self.numpy}"


@dataclass(frozen=True, slots=True)
class Published:
    """What is published of a cell; ``kernel`` and ``hits_sha256`` are None where that is not told.

    ``attack`` and ``defense`` are SHA-256 hashes of their files; ``attack`` None is no attack.
    """

    id: str
    attack: str | None
    defense: str
    correct: Mapping[Difficulty, tuple[int, ...]]
    total: Mapping[Difficulty, int]
    hits_sha256: str | None
    kernel: Kernel | None
    errors: Mapping[Difficulty, tuple[float, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """By which rule a cell was held, every difference, and whether the rule allows these."""

    rule: Rule
    differences: tuple[str, ...]
    agrees: bool


def compare(
    published: Published, found: Cell, here: Kernel, *, tolerance: float = TOLERANCE
) -> Verdict:
    """Hold a cell measured ``here`` against the published one.

    ``tolerance`` is a share of the targets of a difficulty, at least one target; of a mean error,
    a share of it.
    """
    rule: Rule = "exact" if published.kernel == here else "tolerance"
    before = {**published.correct, **published.errors}
    after = {**found.correct, **found.errors}
    if dict(found.total) != dict(published.total) or _shape(after) != _shape(before):
        what = f"shape: published {_shape(before)} of {dict(published.total)}, "
        what += f"found {_shape(after)} of {dict(found.total)}"
        return Verdict(rule, (what,), False)
    differences, agrees = [], True
    for difficulty, values in before.items():
        targets = published.total[difficulty]
        for repeat, (then, now) in enumerate(zip(values, after[difficulty], strict=True)):
            if then != now:
                differences.append(f"{difficulty}/{repeat}: published {then}, found {now}")
                most = tolerance * then if published.errors else _most(tolerance, targets)
                agrees = agrees and abs(then - now) <= most
    if rule == "tolerance":
        return Verdict(rule, tuple(differences), agrees)
    hits = found.provenance.get("hits_sha256")
    if not differences and published.hits_sha256 is not None and hits != published.hits_sha256:
        what = (
            "errors: the means of others"
            if published.errors
            else "hits: as many targets are right, but others"
        )
        differences.append(what)
    return Verdict(rule, tuple(differences), not differences)


def _most(tolerance: float, targets: int) -> int:
    return max(1, int(tolerance * targets)) if tolerance > 0 else 0


def _shape(values: Mapping[Difficulty, tuple[float, ...]]) -> dict[str, int]:
    return {difficulty: len(of) for difficulty, of in values.items()}
