"""Large matrices, the paper's table, comparisons and what charts are drawn from, on the wire."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from api.schemas import MatrixEntry, MetricsOut, ScoreOut, View
from grbcore.paper import Preset, Printed
from grbcore.scenario import Difficulty, Side


class GridOut(BaseModel):
    """A window of a board's cells at one difficulty, in few bytes: rows of numbers.

    Rows, columns and their order are those of the matrix, the clean row last.  ``cells`` has the
    cells' ids, null where none is.  ``states`` has a letter for each cell of a row: ``d`` done,
    ``r`` running, ``q`` queued, ``f`` failed, ``x`` dead, ``-`` never evaluated.  ``means`` are
    accuracies as fractions, ``spreads`` their population standard deviations over repeats, both
    to ten digits; null until done, where the attack lacks the difficulty, and for the spread of one
    repeat.  ``best_defenses`` are the places (row, column in this window) of the highest of each
    row, ``best_attacks`` of the lowest of each column, the clean row left out.
    """

    board: str
    revision: int
    view: View
    difficulty: Difficulty
    row: int
    column: int
    total_rows: int
    total_columns: int
    attacks: list[MatrixEntry]
    defenses: list[MatrixEntry]
    cells: list[list[str | None]]
    states: list[str]
    means: list[list[float | None]]
    spreads: list[list[float | None]]
    best_attacks: list[tuple[int, int]]
    best_defenses: list[tuple[int, int]]


class TableEntry(MatrixEntry):
    """A row or column of the table; ``family`` is empty for the clean row."""

    family: str


class ValueOut(BaseModel):
    """A number of the table, as a fraction, with its population standard deviation over repeats.

    ``difference`` and ``relative`` are its distance from the base's number, absolute and as a part
    of it, in each repeat first; null without a base.  ``best_attack`` marks the lowest of the
    chosen attacks (the paper's red), ``best_defense`` the highest of the chosen defenses (blue).
    """

    mean: float
    std: float | None
    difference: ScoreOut | None
    relative: ScoreOut | None
    best_attack: bool
    best_defense: bool


class TableCell(BaseModel):
    """One attack against one defense at one difficulty; ``id`` is the cell's."""

    id: str
    defense: str
    value: ValueOut


class TableRow(BaseModel):
    """An attack at a difficulty: its cells, and its metrics over the chosen defenses.

    ``metrics`` is empty where a cell is missing.
    """

    attack: str
    difficulty: Difficulty
    cells: list[TableCell]
    metrics: dict[Printed, ValueOut]


class TableFoot(BaseModel):
    """A metric of every chosen defense at a difficulty, over ``n`` rows, the clean one included.

    ``values`` are by the defense's id; those that lack a cell are not there.
    """

    metric: Printed
    difficulty: Difficulty
    n: int
    values: dict[str, ValueOut]


class TableOut(BaseModel):
    """The paper's table over a choice: rows attack x difficulty, columns defenses, and metrics.

    ``preset`` names the choice where it has a name.  ``official_attacks`` says that the metrics of
    attacks are those of the board's reference ranking, since the chosen defenses are its
    references; ``official_defenses`` likewise.  Otherwise they hold for this choice only.
    ``missing`` are chosen ids that are no ranked entries of this board.
    """

    board: str
    revision: int
    repeats: int
    preset: Preset | None
    base: str | None
    difficulties: list[Difficulty]
    attacks: list[TableEntry]
    defenses: list[TableEntry]
    rows: list[TableRow]
    foot: list[TableFoot]
    columns: int  # defenses behind the metrics of an attack
    official_attacks: bool
    official_defenses: bool
    missing: list[str]
    available_attacks: list[TableEntry]  # to choose from, in the order of their ranks
    available_defenses: list[TableEntry]
    total_attacks: int  # that are ranked, chosen or not
    total_defenses: int


class ComparedRow(BaseModel):
    """One counterpart at one difficulty against each of the entries, in their order.

    ``cells`` and ``values`` are null where there is none.
    """

    counterpart: str
    difficulty: Difficulty
    cells: list[str | None]
    values: list[ValueOut | None]


class ComparedMetric(BaseModel):
    """A metric of each of the entries at one difficulty, over the counterparts of this answer."""

    metric: Printed
    difficulty: Difficulty
    values: list[ValueOut | None]


class ComparedEntry(TableEntry):
    """An entry that is compared; ``wins`` counts the counterparts where it is best."""

    authors: str
    wins: dict[Difficulty, int]


class ComparisonOut(BaseModel):
    """Two to five entries of one side; differences are from the first.

    ``counterparts`` are those of the view, the best ranked first, at most 100 of ``total``; for
    defenses the clean row is the last of them.
    """

    board: str
    revision: int
    side: Side
    view: View
    repeats: int
    entries: list[ComparedEntry]
    counterparts: list[TableEntry]
    total: int
    rows: list[ComparedRow]
    metrics: list[ComparedMetric]
    missing: list[str]


class ComparedInterval(BaseModel):
    """How much higher an entry's score is than the first's, as a fraction, and its 95 % interval.

    ``winner`` is the one of the two that is better by more than chance; null where they can't be
    told apart.
    """

    metric: Printed
    mean: float
    low: float
    high: float
    winner: str | None


class ComparedPair(BaseModel):
    """An entry against the first of those compared.

    ``p_value`` is that of Wilcoxon's signed ranks over the targets: were such hits likely if the
    two were equally good?  It is corrected by Holm's method for all the pairs.
    """

    entry: str
    p_value: float
    metrics: list[ComparedInterval]


class ComparedDifferencesOut(BaseModel):
    """How sure the differences of two to five entries from the first are, at one difficulty.

    Over the ``counted`` counterparts of the comparison, of defenses the clean row among them, in
    ``draws`` draws paired on targets and repeats.  ``repeated`` is false where only targets could
    be varied.  ``missing`` says why there are no pairs, where that is so.
    """

    board: str
    revision: int
    difficulty: Difficulty
    view: View
    side: Side
    first: str | None
    counted: int
    draws: int
    repeated: bool
    pairs: list[ComparedPair]
    missing: str | None


class ComparedGroup(BaseModel):
    """Targets whose degree, or number of nodes, is ``low`` to ``high``, by entry in their order."""

    low: int
    high: int
    targets: int
    values: list[ValueOut]


class ComparedDegreesOut(BaseModel):
    """Accuracies of two to five entries by the degree of the targets, at one difficulty.

    Where whole graphs are judged it is by how many nodes they have.

    Each is the mean over the ``counted`` counterparts of which every entry's hits are known, the
    best ranked first; of defenses the clean row is one of them.  Differences are from the first
    entry, in each repeat first.  ``missing`` says why there is nothing, where that is so.
    """

    board: str
    revision: int
    difficulty: Difficulty
    view: View
    side: Side
    entries: list[str]
    counted: int
    total: int  # counterparts of the view, the clean row included
    groups: list[ComparedGroup]
    missing: str | None


class ChartEntry(BaseModel):
    """A ranked entry with what charts show of it, over the counterparts of the view.

    ``weighted_repeats`` is Weighted in each repeat at the chosen difficulty, where there are
    several; over all counterparts of the first 20 of a side only.  ``parameters`` counts a
    defense's weights; ``seconds`` is the mean that the evaluation of one of its cells took.
    """

    id: str
    name: str
    family: str
    is_reference: bool
    rank: int | None
    registered_at: datetime
    clean: ScoreOut | None
    metrics: dict[Difficulty, MetricsOut]
    weighted_repeats: list[float]
    parameters: int | None
    seconds: float | None


class RecordOut(BaseModel):
    """An entry that was the best of its side when it was registered, by the scores of today."""

    at: datetime
    id: str
    name: str
    score: float


class ChartsOut(BaseModel):
    """What the charts of a board are drawn from: a view at one difficulty.

    ``defenses`` and ``attacks`` are the first of each ranking, at most 100 of ``total_…``.
    ``best_…`` tell how the best grew: each entry that was first of its side when it came.
    """

    board: str
    revision: int
    difficulty: Difficulty
    view: View
    repeats: int
    defenses: list[ChartEntry]
    attacks: list[ChartEntry]
    total_defenses: int
    total_attacks: int
    best_defenses: list[RecordOut]
    best_attacks: list[RecordOut]
