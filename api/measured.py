"""What was measured of an entry, of a cell and over a season, as files: CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from api import arena_schemas, cell_schemas, holdout_schemas, schemas, sheets, words
from api.printing import name_of, score
from api.sheets import Cell
from grbcore import catalog, latex
from grbcore.measure import ACCURACY, MEASURES, Measure
from grbcore.results import CLEAN
from grbcore.results import Cell as Measured
from grbcore.scenario import Difficulty, Side, in_order, parts_of

_COUNTS = (
    *("attack_id", "attack", "defense_id", "defense", "cell_id", "state", "difficulty", "targets"),
    *("mean", "std", "macro_f1", "macro_f1_std", "balanced_accuracy", "balanced_accuracy_std"),
    "not_finite",
)

Groups = cell_schemas.BreakdownOut | cell_schemas.EntryBreakdownOut


def counts_csv(cells: Sequence[schemas.CountedCell]) -> str:
    """A line for each cell and difficulty, in fractions, with the accuracy (or error) of each
    repeat.

    A cell that is not done is one line with its state.
    """
    repeats = _repeats(cells)
    head = [*_COUNTS, *(f"repeat_{repeat}" for repeat in range(repeats))]

    def rows() -> Iterator[list[Cell]]:
        for cell in cells:
            who = [cell.attack.id, name_of(cell.attack), cell.defense.id, cell.defense.name]
            about: list[Cell] = [*who, cell.id, cell.state]
            if not cell.accuracy:
                yield [*about, *[None] * (len(head) - len(about))]
            for difficulty in cell.accuracy:
                line = [*about, difficulty, cell.total.get(difficulty)]
                for scores in (cell.accuracy, cell.macro_f1, cell.balanced_accuracy):
                    line += sheets.score(scores.get(difficulty))
                parts = parts_of(difficulty)
                missed = sum(sum(cell.not_finite.get(one, [])) for one in parts)
                values = _values(cell, difficulty)
                yield [*line, missed, *values, *[None] * (repeats - len(values))]

    return "".join(sheets.lines([head, *rows()]))


def _repeats(cells: Sequence[schemas.CountedCell]) -> int:
    """The most that any of these has at any difficulty."""
    results = (cell.errors or cell.correct for cell in cells)
    return max((len(of) for found in results for of in found.values()), default=0)


def _values(cell: schemas.CountedCell, difficulty: Difficulty) -> tuple[float, ...]:
    """The accuracy, or error, in each repeat."""
    correct = {name: tuple(counts) for name, counts in cell.correct.items()}
    errors = {name: tuple(means) for name, means in cell.errors.items()}
    ends = cell.attack.id, cell.defense.id
    return Measured(*ends, correct, cell.total, errors=errors).accuracy(difficulty)


def entry_latex(
    entry_id: str, side: Side, cells: Sequence[schemas.CountedCell], measure: Measure
) -> str:
    """The accuracies, or errors, of an entry's cells, a line for each counterpart."""
    carried = in_order({one for cell in cells for one in cell.accuracy})
    groups: list[list[list[str]]] = [[], []]
    for cell in cells:
        other = cell.attack if side == "defense" else cell.defense
        line = [score(cell.accuracy.get(difficulty), measure) for difficulty in carried]
        groups[other.id == CLEAN].append([latex.escape(name_of(other)), *line])
    head = ["Attack" if side == "defense" else "Defense", *map(words.title, carried)]
    about = f"{side} {entry_id}: {measure.word} in {measure.unit}, "
    about += "mean and population std over repeats"
    return latex.tabular("l" + "r" * len(carried), head, groups, about)


def cell_latex(cell: schemas.CellOut) -> str:
    """A cell, a line for each difficulty: its scores, then each repeat."""
    measure = MEASURES[cell.metric]
    repeats = _repeats([cell])
    kinds = {measure.word.capitalize(): cell.accuracy}
    if not measure.errors:
        kinds |= {"Macro-F1": cell.macro_f1, "Balanced": cell.balanced_accuracy}
    rows = []
    for difficulty in cell.accuracy:
        line = [words.title(difficulty)]
        line += [score(kind.get(difficulty), measure) for kind in kinds.values()]
        line += [latex.number(value, measure=measure) for value in _values(cell, difficulty)]
        rows.append([*line, *[latex.number(None)] * (len(kinds) + 1 + repeats - len(line))])
    head = ["", *kinds, *(f"Repeat {one}" for one in range(repeats))]
    about = f"{cell.board}, cell {cell.id}: {measure.unit}, mean and population std over repeats; "
    about += f"then the {measure.word} of each repeat"
    return latex.tabular("l" + "r" * (len(head) - 1), head, [rows], about)


def groups_csv(found: Groups) -> str:
    """A line for each group of targets, with how many were right in each repeat.

    The head alone where there is no breakdown.
    """
    parts = _parts(found)
    repeats = max((len(group.correct) for of in parts.values() for group in of), default=0)
    head = ["by", "low", "high", "targets", "mean", "std", "clean", "clean_std"]

    def rows() -> Iterator[list[Cell]]:
        for name, groups in parts.items():
            for group in groups:
                line: list[Cell] = [name, group.low, group.high, group.targets]
                line += [*sheets.score(group.accuracy), *sheets.score(group.clean)]
                yield [*line, *group.correct, *[None] * (repeats - len(group.correct))]

    head += [f"correct_{repeat}" for repeat in range(repeats)]
    return "".join(sheets.lines([head, *rows()]))


def groups_latex(found: Groups) -> str:
    """Accuracy by degree, margin and class of the targets in percent, as far as each is known."""
    kinds = {"degree": "Degree", "size": "Nodes", "margin": r"Margin (\%)", "class": "Class"}
    groups = [
        [
            [
                kinds[name],
                f"{one.low}" if one.low == one.high else f"{one.low}--{one.high}",
                str(one.targets),
                score(one.accuracy, ACCURACY),
                score(one.clean, ACCURACY),
            ]
            for one in of
        ]
        for name, of in _parts(found).items()
    ]
    head = ["By", "", "Targets", "Accuracy", "W/O Attack"]
    if isinstance(found, cell_schemas.BreakdownOut):
        whose = f"cell {found.cell}"
    else:
        whose = f"{found.submission} over {found.counted} of {found.total} references together"
    about = f"{whose}, {words.spelt(found.difficulty)}: percent, mean and population std"
    about += f"; missing: {found.missing}" if found.missing else ""
    return latex.tabular("llrrr", head, groups, about)


def _parts(found: Groups) -> Mapping[str, Sequence[cell_schemas.GroupOut]]:
    return {
        "degree": found.degrees,
        "size": found.sizes,
        "margin": found.margins,
        "class": found.classes,
    }


def confusion_csv(found: cell_schemas.ConfusionOut) -> str:
    """A line for each true class and class that its targets were taken for, as counts.

    Targets without finite logits are taken for ``not finite``.  The head alone where nothing is
    known.
    """
    repeats = [f"repeat_{repeat}" for repeat in range(len(found.repeats))]
    head = ["true_class", "taken_for", "mean", "clean", "change", *repeats]

    def rows() -> Iterator[list[Cell]]:
        for label in range(found.classes):
            for place in range(found.classes + 1):
                line: list[Cell] = [label, place if place < found.classes else "not finite"]
                for counts in (found.mean, found.clean, found.change):
                    line.append(None if counts is None else counts[label][place])
                yield [*line, *(one[label][place] for one in found.repeats)]

    return "".join(sheets.lines([head, *rows()]))


def confusion_latex(found: cell_schemas.ConfusionOut) -> str:
    """Targets by true and predicted class, a mean over repeats: with the attack, then without."""
    kinds = [("With the attack" if found.clean else "Targets", found.mean)]
    kinds += [("W/O Attack", found.clean)] if found.clean else []
    groups = [
        [[name, str(label), *map(words.counted, row)] for label, row in enumerate(counts)]
        for name, counts in kinds
    ]
    head = ["", "True class", *map(str, range(found.classes)), "Not finite"]
    about = f"cell {found.cell}, {words.spelt(found.difficulty)}: targets by the class that they "
    about += "were taken for, mean over repeats"
    about += f"; missing: {found.missing}" if found.missing else ""
    return latex.tabular("ll" + "r" * (found.classes + 1), head, groups, about)


_HOLDOUTS = ("attack", "family", "kind", "factor", "mean", "std", "sha256")


def holdouts_csv(found: holdout_schemas.HoldoutsOut) -> str:
    """A line for each hold-out that a defense is measured under, in fractions."""
    rows: list[list[Cell]] = [
        [one.attack, one.family, one.kind, one.factor, *sheets.score(one.accuracy), one.sha256]
        for one in found.measured
    ]
    return "".join(sheets.lines([_HOLDOUTS, *rows]))


def holdouts_latex(found: holdout_schemas.HoldoutsOut) -> str:
    """The mean and the lowest accuracy at each budget, and under unseen families, in percent."""
    rows = [
        [
            "Unseen families" if row.kind == "unseen" else rf"{row.factor:g} $\times$ the budget",
            str(row.attacks),
            latex.number(row.mean),
            latex.number(row.worst),
            latex.escape(row.worst_attack),
        ]
        for row in found.rows
    ]
    about = f"defense {found.submission}, {words.spelt(found.difficulty)}: percent; "
    about += f"{found.done} of {found.attacks} hold-outs are measured"
    return latex.tabular("lrrrl", ["", "Attacks", "Mean", "Lowest", "Under"], [rows], about)


def _sides(
    found: arena_schemas.SeasonRankingOut,
) -> Iterator[tuple[Side, Sequence[arena_schemas.SeasonRow]]]:
    yield "defense", found.defenses
    yield "attack", found.attacks


def season_csv(found: arena_schemas.SeasonRankingOut) -> str:
    """Both rankings over the references of a season, a line for each entry, in fractions."""
    head = ("side", "rank", "id", "name", "reference", "weighted", "hidden")
    rows: list[list[Cell]] = [
        [side, row.rank, row.entry.id, row.entry.name, row.entry.is_reference, *_both(row)]
        for side, of in _sides(found)
        for row in of
    ]
    return "".join(sheets.lines([head, *rows]))


def season_latex(found: arena_schemas.SeasonRankingOut) -> str:
    """Both rankings over the references of a season, defenses first."""
    told = any(row.hidden is not None for _, of in _sides(found) for row in of)
    measure = catalog.measure_of(found.season.board)
    head = ["", "Rank", "Name", "Weighted", *(["Hidden"] if told else [])]
    groups = [
        [
            [
                side.capitalize(),
                str(row.rank or "--"),
                latex.escape(row.entry.name),
                *(latex.number(one, measure=measure) for one in _both(row)[: 1 + told]),
            ]
            for row in of
        ]
        for side, of in _sides(found)
    ]
    about = f"{found.season.board}, season {found.season.number}, "
    about += f"{words.spelt(found.difficulty)}: {measure.unit}"
    return latex.tabular("lrl" + "r" * (1 + told), head, groups, about)


def _both(row: arena_schemas.SeasonRow) -> list[float | None]:
    return [row.weighted, row.hidden]
