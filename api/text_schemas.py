"""What the API gives of the rules of a board and of the documentation."""

from __future__ import annotations

from pydantic import BaseModel

from api.study_schemas import StudySummary
from grbcore.scenario import Difficulty


class DegreeBin(BaseModel):
    """Nodes whose degree is from ``low`` to ``high``, both included."""

    low: int
    high: int
    nodes: int  # of the whole graph
    targets: dict[Difficulty, int]


class RulesOut(BaseModel):
    """What a board's results depend on, beside what `BoardOut` says of it.

    ``degrees`` is null where the board's data was never on this service.
    """

    board: str
    protocol: str | None
    evaluator: int  # version of the code that counts
    metric: int  # version of the metrics
    degrees: list[DegreeBin] | None  # lowest degree first
    cell_seconds: float  # at most, for one cell
    work_factor: int  # a defense may take so many times the work of the board's GCN
    expansion: int  # unpacked bytes are at most so many times the limit of an upload
    studies: list[StudySummary]  # of this board or its dataset, the newest first


class TextSummary(BaseModel):
    """One document: its name in the address, its title, and the part of the list it is in."""

    name: str
    title: str
    part: str


class TextOut(TextSummary):
    """One document as HTML, made from the repository's Markdown, without its title."""

    html: str


class ReferenceOut(BaseModel):
    """The reference of the API as HTML, without its title."""

    title: str
    html: str
