"""Tables for papers: LaTeX of rankings, matrices and the paper's table, and the latter as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from api import arena_schemas, ranking_schemas, schemas, table_schemas, words
from api.sheets import Cell
from grbcore import catalog, latex
from grbcore.measure import Measure
from grbcore.metrics import Metric
from grbcore.paper import Printed
from grbcore.results import CLEAN
from grbcore.scenario import Side

TABLE_HEAD = (
    *("attack_id", "attack", "difficulty", "defense_id", "defense", "what", "mean", "std"),
    *("difference", "difference_std", "relative", "relative_std", "best_attack", "best_defense"),
)


def name_of(entry: schemas.MatrixEntry) -> str:
    """As the paper's tables have it."""
    return "W/O Attack" if entry.id == CLEAN else entry.name


def names_of(side: Side, measure: Measure) -> dict[Printed, str]:
    """The names of metrics in the paper's tables."""
    return {"average": "Avg", "three": measure.three(side), "weighted": "Weighted"}


def table_rows(found: table_schemas.TableOut) -> Iterator[list[Cell]]:
    """One row for each number: accuracies, then metrics of attacks, then metrics of defenses."""
    measure = catalog.measure_of(found.board)
    attacking, defending = (names_of(side, measure) for side in ("attack", "defense"))
    attacks = {entry.id: name_of(entry) for entry in found.attacks}
    defenses = {entry.id: entry.name for entry in found.defenses}
    for row in found.rows:
        who = [row.attack, attacks[row.attack], row.difficulty]
        for cell in row.cells:
            yield [*who, cell.defense, defenses[cell.defense], measure.word, *_numbers(cell.value)]
        for metric, value in row.metrics.items():
            yield [*who, None, None, attacking[metric], *_numbers(value)]
    for foot in found.foot:
        for defense, value in foot.values.items():
            where = [None, None, foot.difficulty, defense, defenses[defense]]
            yield [*where, defending[foot.metric], *_numbers(value)]


def _numbers(value: table_schemas.ValueOut) -> list[Cell]:
    found: list[Cell] = [value.mean, value.std]
    for score in (value.difference, value.relative):
        found += [None, None] if score is None else [score.mean, score.std]
    return [*found, value.best_attack, value.best_defense]


def table(found: table_schemas.TableOut) -> str:
    """The paper's table; bold is the best of the defenses, italic the best of the attacks."""
    measure = catalog.measure_of(found.board)
    attacking, defending = (names_of(side, measure) for side in ("attack", "defense"))

    def show(value: table_schemas.ValueOut | None) -> str:
        if value is None:
            return "--"
        if value.difference is not None:
            difference = value.difference
            return latex.number(difference.mean, difference.std, sign=True, measure=measure)
        number = latex.number(value.mean, value.std, measure=measure)
        if value.best_attack:
            number = rf"\textit{{{number}}}"
        return rf"\textbf{{{number}}}" if value.best_defense else number

    names = {entry.id: latex.escape(name_of(entry)) for entry in found.attacks}
    head = ["", "", *(latex.escape(entry.name) for entry in found.defenses)]
    groups: dict[str, list[list[str]]] = {}
    for row in found.rows:
        cells = {cell.defense: cell.value for cell in row.cells}
        line = [names[row.attack], words.letter(row.difficulty)]
        line += [show(cells.get(entry.id)) for entry in found.defenses]
        line += [show(row.metrics.get(metric)) for metric in attacking]
        groups.setdefault(row.attack, []).append(line)
    for foot in found.foot:
        line = [defending[foot.metric], words.letter(foot.difficulty)]
        line += [show(foot.values.get(entry.id)) for entry in found.defenses]
        groups.setdefault(foot.metric, []).append([*line, "", "", ""])
    about = f"{found.board}, revision {found.revision}: {measure.word} in {measure.unit}, "
    about += f"mean and population std over {found.repeats} repeats; "
    about += "bold: best defense, italic: strongest attack"
    if found.base is not None:
        about += f"; differences from {found.base}"
    columns = "ll" + "r" * (len(found.defenses) + len(attacking))
    return latex.tabular(columns, [*head, *attacking.values()], groups.values(), about)


def ranking(found: ranking_schemas.LeaderboardOut) -> str:
    """A ranking with its three metrics, and with the worst case where that ranks."""
    defense = found.side == "defense"
    measure = catalog.measure_of(found.board)
    three = measure.three(found.side)
    names: dict[Metric, str] = {"weighted": "Weighted", "average": "Avg", "three": three}
    if found.metric == "worst":
        names["worst"] = "Worst"
    head = ["Rank", found.side.capitalize(), "Clean" if defense else "Budget used"]
    rows = []
    for line in found.rows:
        at = line.metrics.get(found.difficulty)
        name = latex.escape(line.entry.name) if line.entry else "W/O Attack"
        row = [str(line.rank or "--"), name]
        if defense:
            row.append(score((line.clean or {}).get(found.difficulty), measure))
        else:
            row.append(latex.number(line.entry.budget_used if line.entry else None))
        rows.append([*row, *(score(at.of(one) if at else None, measure) for one in names)])
    level = words.spelt(found.difficulty)
    about = f"{found.board}, revision {found.revision}, {level}, {found.view}: "
    about += f"{measure.unit}, ranked by {names[found.metric]}"
    columns = "rl" + "r" * (len(names) + 1)
    return latex.tabular(columns, [*head, *names.values()], [rows], about)


def score(found: schemas.ScoreOut | None, measure: Measure) -> str:
    """A mean and its deviation."""
    if found is None:
        return latex.number(None)
    return latex.number(found.mean, found.std, measure=measure)


def matrix(found: table_schemas.GridOut) -> str:
    """Accuracies, or errors, of a window, a row for each attack."""
    measure = catalog.measure_of(found.board)
    number = partial(latex.number, measure=measure)
    rows = [
        [latex.escape(name_of(attack)), *map(number, means, spreads)]
        for attack, means, spreads in zip(found.attacks, found.means, found.spreads, strict=True)
    ]
    head = ["", *(latex.escape(entry.name) for entry in found.defenses)]
    at = words.spelt(found.difficulty)
    about = f"{found.board}, revision {found.revision}, {at}, {found.view}: {measure.unit}"
    return latex.tabular("l" + "r" * len(found.defenses), head, [rows], about)


def arena(found: arena_schemas.ArenaOut) -> str:
    """One side of the arena by both forms, with the opponent that each rank depends on most."""
    rows = []
    measure = catalog.measure_of(found.board)
    for line in found.rows:
        without, told = line.influence, "--"
        if without is not None:
            more = f" and {without.members - 1} more" if without.members > 1 else ""
            told = f"without {latex.escape(without.name)}{more}: rank {without.rank}"
        row = [str(line.robust.rank), latex.escape(line.entry.name)]
        robust, own = (latex.number(one.score, measure=measure) for one in (line.robust, line.own))
        row += [robust, str(line.own.rank), own]
        rows.append([*row, str(line.duplicates - 1), told])
    head = ["Rank", found.side.capitalize(), "Clone-robust", "GRB's rank", "GRB's form"]
    about = f"{found.board}, revision {found.revision}, the open arena at "
    about += f"{words.spelt(found.difficulty)}: {measure.unit}"
    return latex.tabular("rlrrrrl", [*head, "Duplicates", "Depends most on"], [rows], about)
