"""Entries side by side as files: CSV with every number, LaTeX of one difficulty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from api import sheets, table_schemas, words
from api.printing import name_of, names_of
from api.sheets import Cell
from grbcore import catalog, latex
from grbcore.paper import Printed
from grbcore.scenario import Difficulty

HEAD = (
    *("what", "counterpart_id", "counterpart", "difficulty", "entry_id", "entry", "cell_id"),
    *("mean", "std", "difference", "difference_std", "best"),
    *("difference_low", "difference_high", "p_value", "winner_id"),
)

#: Intervals by difficulty, entry and metric.
Sure = Mapping[tuple[Difficulty, str, Printed], table_schemas.ComparedInterval]


def rows(
    found: table_schemas.ComparisonOut, sure: Sequence[table_schemas.ComparedDifferencesOut]
) -> Iterator[list[Cell]]:
    """One row for each number, as fractions: accuracies by counterpart, then scores.

    Scores have the intervals of their differences, where ``sure`` knows them.
    """
    names = {entry.id: name_of(entry) for entry in found.counterparts}
    measure = catalog.measure_of(found.board)
    for row in found.rows:
        who: list[Cell] = [row.counterpart, names[row.counterpart], row.difficulty]
        for entry, cell, value in zip(found.entries, row.cells, row.values, strict=True):
            if value is not None:
                yield [
                    measure.word,
                    *who,
                    entry.id,
                    entry.name,
                    cell,
                    *_numbers(value, found),
                    *[None] * 4,
                ]
    metrics = names_of(found.side, measure)
    intervals = _intervals(sure)
    tested = {(one.difficulty, pair.entry): pair.p_value for one in sure for pair in one.pairs}
    for line in found.metrics:
        for entry, value in zip(found.entries, line.values, strict=True):
            if value is not None:
                whose: list[Cell] = [metrics[line.metric], None, None, line.difficulty]
                numbers = [None, *_numbers(value, found)]
                known = intervals.get((line.difficulty, entry.id, line.metric))
                bounds = [None, None] if known is None else [known.low, known.high]
                p_value = tested.get((line.difficulty, entry.id))
                last = [*bounds, p_value, None if known is None else known.winner]
                yield [*whose, entry.id, entry.name, *numbers, *last]


def _intervals(sure: Iterable[table_schemas.ComparedDifferencesOut]) -> Sure:
    return {
        (one.difficulty, pair.entry, known.metric): known
        for one in sure
        for pair in one.pairs
        for known in pair.metrics
    }


def _numbers(value: table_schemas.ValueOut, found: table_schemas.ComparisonOut) -> list[Cell]:
    distance = value.difference
    best = value.best_defense if found.side == "defense" else value.best_attack
    difference = [None, None] if distance is None else [distance.mean, distance.std]
    return [value.mean, value.std, *difference, best]


def latex_of(found: table_schemas.ComparisonOut, sure: table_schemas.ComparedDifferencesOut) -> str:
    """Counterparts and scores at the difficulty of ``sure``; after each entry its distance from
    the first, of scores with its interval."""
    difficulty = sure.difficulty
    intervals = _intervals([sure])
    names = {entry.id: latex.escape(name_of(entry)) for entry in found.counterparts}
    accuracies = [
        [names[row.counterpart], *_shown(row.values, found)]
        for row in found.rows
        if row.difficulty == difficulty
    ]
    measure = catalog.measure_of(found.board)
    metrics = names_of(found.side, measure)
    scores = [
        [
            metrics[line.metric],
            *_shown(
                line.values,
                found,
                [intervals.get((difficulty, entry.id, line.metric)) for entry in found.entries],
            ),
        ]
        for line in found.metrics
        if line.difficulty == difficulty
    ]
    head = ["", *_heads(found)]
    about = f"{found.board}, revision {found.revision}, {words.spelt(difficulty)}, {found.view}: "
    about += f"{measure.unit}, mean and population std over {found.repeats} repeats; "
    about += "Delta: distance from the first"
    about += "; " if sure.missing else ", of scores with its 95 % interval; "
    about += "bold: best of these"
    return latex.tabular("l" + "r" * (len(head) - 1), head, [accuracies, scores], about)


def wins_csv(found: table_schemas.ComparisonOut) -> str:
    """A line for each difficulty and entry: against how many of the counterparts it is the best."""
    head = ("difficulty", "entry_id", "entry", "wins", "counterparts")
    rows: list[list[Cell]] = [
        [difficulty, entry.id, entry.name, entry.wins[difficulty], counted]
        for difficulty, counted in _counted(found).items()
        for entry in found.entries
    ]
    return "".join(sheets.lines([head, *rows]))


def wins_latex(found: table_schemas.ComparisonOut) -> str:
    """A line for each difficulty, a column for each entry."""
    rows = [
        [
            words.title(difficulty),
            *(str(entry.wins[difficulty]) for entry in found.entries),
            str(of),
        ]
        for difficulty, of in _counted(found).items()
    ]
    names = (latex.escape(entry.name) for entry in found.entries)
    head = [words.scale_of(found.board)["scale"], *names, "Of"]
    about = f"{found.board}, revision {found.revision}, {found.view}: against how many "
    about += "counterparts each is the best of these; shared first places count"
    return latex.tabular("l" + "r" * (len(head) - 1), head, [rows], about)


def _counted(found: table_schemas.ComparisonOut) -> dict[Difficulty, int]:
    """How many counterparts have results at each difficulty."""
    counted: dict[Difficulty, int] = {}
    for row in found.rows:
        counted[row.difficulty] = counted.get(row.difficulty, 0) + 1
    return counted


def degrees_csv(
    found: table_schemas.ComparisonOut, degrees: table_schemas.ComparedDegreesOut
) -> str:
    """A line for each group of targets and entry, in fractions.

    The head alone where nothing is known by degree.
    """
    head = ("low", "high", "targets", "entry_id", "entry", "mean", "std")
    rows: list[list[Cell]] = [
        [group.low, group.high, group.targets, entry.id, entry.name, *_numbers(value, found)]
        for group in degrees.groups
        for entry, value in zip(found.entries, group.values, strict=True)
    ]
    return "".join(sheets.lines([(*head, "difference", "difference_std", "best"), *rows]))


def degrees_latex(
    found: table_schemas.ComparisonOut, degrees: table_schemas.ComparedDegreesOut
) -> str:
    """A line for each group of targets, after each entry its distance from the first."""
    rows = [
        [
            f"{group.low}" if group.low == group.high else f"{group.low}--{group.high}",
            str(group.targets),
            *_shown(list(group.values), found),
        ]
        for group in degrees.groups
    ]
    head = [words.scale_of(found.board)["groups"], "Targets", *_heads(found)]
    about = f"{found.board}, revision {found.revision}, {words.spelt(degrees.difficulty)}, "
    about += f"{found.view}: {catalog.measure_of(found.board).unit}, the mean over "
    about += f"{degrees.counted} of {degrees.total} counterparts; "
    about += "Delta: distance from the first; bold: best of these"
    about += f"; missing: {degrees.missing}" if degrees.missing else ""
    return latex.tabular("l" + "r" * (len(head) - 1), head, [rows], about)


def _heads(found: table_schemas.ComparisonOut) -> list[str]:
    """The names of the entries, after each but the first its distance."""
    heads = []
    for place, entry in enumerate(found.entries):
        heads += [latex.escape(entry.name), *([r"$\Delta$"] if place else [])]
    return heads


def _shown(
    values: list[table_schemas.ValueOut | None],
    found: table_schemas.ComparisonOut,
    known: Sequence[table_schemas.ComparedInterval | None] = (),
) -> list[str]:
    shown = []
    number_of = partial(latex.number, measure=catalog.measure_of(found.board))
    for place, value in enumerate(values):
        number = number_of(None) if value is None else number_of(value.mean, value.std)
        best = value is not None and (
            value.best_defense if found.side == "defense" else value.best_attack
        )
        shown.append(rf"\textbf{{{number}}}" if best else number)
        if place:
            distance = value.difference if value is not None else None
            text = (
                number_of(None)
                if distance is None
                else number_of(distance.mean, distance.std, sign=True)
            )
            interval = known[place] if known else None
            if interval is not None:
                low, high = (number_of(end, sign=True) for end in (interval.low, interval.high))
                text += rf" {{\scriptsize({low} to {high})}}"
            shown.append(text)
    return shown
