"""What is wrong with a file or a perturbation: the place, what was found, what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

#: Every code that a check may give, with the sentence that explains it (docs/errors.md lists them).
CODES: dict[str, str] = {
    "format": "The file is not of the expected format.",
    "damaged": "The file is damaged or cut short.",
    "size": "The file, or what it unpacks to, is larger than the board allows.",
    "ratio": "A member is compressed more than the board allows.",
    "member-name": "The archive holds a member that does not belong there.",
    "member-duplicate": "The archive holds two members of the same name.",
    "member-missing": "The archive lacks a member that the board requires.",
    "member-encrypted": "The archive holds an encrypted member.",
    "header": "The header of an array can't be read.",
    "dtype": "An array has the wrong type.",
    "order": "An array is not in C order.",
    "shape": "An array has the wrong shape.",
    "repeats": "The repeats are not 0 to R-1, or not the same at every difficulty or budget.",
    "metadata": "The metadata of the weights is missing or has wrong fields.",
    "architecture": "The architecture is not registered.",
    "parameters": "The parameters of the architecture are out of bounds.",
    "tensor-missing": "The weights lack a tensor that the architecture has.",
    "tensor-unknown": "The weights hold a tensor that the architecture lacks.",
    "work": "One prediction would cost more than the board allows.",
    "finite": "A value is not a finite number.",
    "feature-range": "A feature lies outside the range of the board.",
    "node-range": "An edge names a node that does not exist.",
    "edge-original": "An edge joins two original nodes: an injection may not touch them.",
    "edge-self": "An edge joins a node to itself.",
    "edge-duplicate": "The same undirected edge is given twice.",
    "edge-weight": "An edge has a weight other than 1.",
    "symmetry": "The block of edges among injected nodes is not symmetric.",
    "budget-nodes": "More nodes are injected than the budget allows.",
    "budget-degree": "An injected node has more edges than the budget allows.",
    "budget-flips": "More edges are changed than the budget allows.",
    "flip-target": "A changed edge has no end among the targets.",
    "pointer": "The pointers do not cut an array into one part for each graph.",
    "pair-order": "A pair of nodes is not given with the lower one first.",
    "feature-index": "A change names a feature that does not exist.",
    "feature-value": "A new value is none that the feature has.",
    "change-duplicate": "The same feature of a node or edge is changed twice.",
    "edge-missing": "A change names a pair of nodes that no edge joins after the flips.",
    "attribute": "A feature is changed on a board where only edges may be.",
    "budget-changes": "More of a graph is changed than the budget allows.",
    "duplicate": "The content is that of an earlier attempt of the same user.",
}

#: The most violations of one kind that a check lists; the rest are neither listed nor counted.
MOST = 100


#: Longest text of a field of a violation.
LONGEST = 500


def _printable(text: str) -> str:
    """``text`` as a terminal, a page and a database take it: no control characters, not long."""
    if not text.isprintable():
        text = "".join(
            c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:LONGEST]
        )
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


@dataclass(frozen=True, slots=True)
class Violation:
    """One fault, in words that a submitter can act on.

    ``code`` is a key of `CODES`; ``place`` names the member and index, as in
    ``hard/3/edges[1842]``; ``found`` and ``allowed`` complete the sentence.  What a file brings
    along, such as the name of a member, is cut short and its control characters are escaped; a
    name of nothing is shown as ``''``.
    """

    code: str
    place: str
    found: str
    allowed: str

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"code: found {self.code!r}, allowed: {', '.join(CODES)}")
        for name in ("place", "found", "allowed"):
            object.__setattr__(self, name, _printable(getattr(self, name)) or "''")

    def __str__(self) -> str:
        return f"{self.place}: found {self.found}; allowed: {self.allowed} [{self.code}]"

    def as_dict(self) -> dict[str, str]:
        return {
            "code": self.code,
            "place": self.place,
            "found": self.found,
            "allowed": self.allowed,
        }


def shortened(violations: Sequence[Violation], most: int = MOST) -> list[Violation]:
    """At most so many, in their order; where they are more, some of every code."""
    kinds: dict[str, list[int]] = {}
    for index, violation in enumerate(violations):
        kinds.setdefault(violation.code, []).append(index)
    turns = (index for row in zip_longest(*kinds.values()) for index in row if index is not None)
    return [violations[index] for index in sorted(islice(turns, most))]


class Refused(ValueError):
    """A file or perturbation that breaks the rules; carries every violation that was found."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__("\n".join(str(violation) for violation in self.violations))
