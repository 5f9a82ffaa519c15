"""Whether what is measured here is what was published: counts and hits of each cell.

Given the protocol, evaluation is bit-identical on one kernel: the same device, PyTorch and numpy.
There every count of every repeat has to be the published one, and so have the hits of each target
where their hash is known.  Elsewhere sums are rounded in another order, which may turn a prediction
that was a toss-up: there each count may differ by a share of the targets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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

    ``tolerance`` is a share of the targets of a difficulty, at least one target.
    """
    rule: Rule = "exact" if published.kernel == here else "tolerance"
    if dict(found.total) != dict(published.total) or _shape(found.correct) != _shape(
        published.correct
    ):
        what = f"shape: published {_shape(published.correct)} of {dict(published.total)}, "
        what += f"found {_shape(found.correct)} of {dict(found.total)}"
        return Verdict(rule, (what,), False)
    differences, agrees = [], True
    for difficulty, counts in published.correct.items():
        most = max(1, int(tolerance * published.total[difficulty])) if tolerance > 0 else 0
        for repeat, (then, now) in enumerate(zip(counts, found.correct[difficulty], strict=True)):
            if then != now:
                differences.append(f"{difficulty}/{repeat}: published {then}, found {now}")
                agrees = agrees and abs(then - now) <= most
    if rule == "tolerance":
        return Verdict(rule, tuple(differences), agrees)
    hits = found.provenance.get("hits_sha256")
    if not differences and published.hits_sha256 is not None and hits != published.hits_sha256:
        differences.append("hits: as many targets are right, but others")
    return Verdict(rule, tuple(differences), not differences)


def _shape(correct: Mapping[Difficulty, tuple[int, ...]]) -> dict[str, int]:
    return {difficulty: len(counts) for difficulty, counts in correct.items()}
