"""Tables for papers: LaTeX of rankings, matrices and the paper's table, and the latter as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from api import arena_schemas, ranking_schemas, schemas, table_schemas, words
from api.sheets import Cell
from grbcore import latex
from grbcore.metrics import Metric
from grbcore.paper import Printed
from grbcore.results import CLEAN

TABLE_HEAD = (
    *("attack_id", "attack", "difficulty", "defense_id", "defense", "what", "mean", "std"),
    *("difference", "difference_std", "relative", "relative_std", "best_attack", "best_defense"),
)

#: The names of metrics in the paper's tables.
ATTACK: dict[Printed, str] = {"average": "Avg", "three": "3-Max", "weighted": "Weighted"}
DEFENSE: dict[Printed, str] = {"average": "Avg", "three": "3-Min", "weighted": "Weighted"}


def name_of(entry: schemas.MatrixEntry) -> str:
    """As the paper's tables have it."""
    return "W/O Attack" if entry.id == CLEAN else entry.name


def table_rows(found: table_schemas.TableOut) -> Iterator[list[Cell]]:
    """One row for each number: accuracies, then metrics of attacks, then metrics of defenses."""
    attacks = {entry.id: name_of(entry) for entry in found.attacks}
    defenses = {entry.id: entry.name for entry in found.defenses}
    for row in found.rows:
        who = [row.attack, attacks[row.attack], row.difficulty]
        for cell in row.cells:
            yield [*who, cell.defense, defenses[cell.defense], "accuracy", *_numbers(cell.value)]
        for metric, value in row.metrics.items():
            yield [*who, None, None, ATTACK[metric], *_numbers(value)]
    for foot in found.foot:
        for defense, value in foot.values.items():
            where = [None, None, foot.difficulty, defense, defenses[defense]]
            yield [*where, DEFENSE[foot.metric], *_numbers(value)]


def _numbers(value: table_schemas.ValueOut) -> list[Cell]:
    found: list[Cell] = [value.mean, value.std]
    for score in (value.difference, value.relative):
        found += [None, None] if score is None else [score.mean, score.std]
    return [*found, value.best_attack, value.best_defense]


def table(found: table_schemas.TableOut) -> str:
    """The paper's table; bold is the best of the defenses, italic the best of the attacks."""

    def show(value: table_schemas.ValueOut | None) -> str:
        if value is None:
            return "--"
        if value.difference is not None:
            return latex.number(value.difference.mean, value.difference.std, sign=True)
        number = latex.number(value.mean, value.std)
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
        line += [show(row.metrics.get(metric)) for metric in ATTACK]
        groups.setdefault(row.attack, []).append(line)
    for foot in found.foot:
        line = [DEFENSE[foot.metric], words.letter(foot.difficulty)]
        line += [show(foot.values.get(entry.id)) for entry in found.defenses]
        groups.setdefault(foot.metric, []).append([*line, "", "", ""])
    about = f"{found.board}, revision {found.revision}: accuracy in percent, mean and population "
    about += f"std over {found.repeats} repeats; bold: best defense, italic: strongest attack"
    if found.base is not None:
        about += f"; differences from {found.base}"
    columns = "ll" + "r" * (len(found.defenses) + len(ATTACK))
    return latex.tabular(columns, [*head, *ATTACK.values()], groups.values(), about)


def ranking(found: ranking_schemas.LeaderboardOut) -> str:
    """A ranking with its three metrics, and with the worst case where that ranks."""
    defense = found.side == "defense"
    three = "3-Min" if defense else "3-Max"
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
            row.append(score((line.clean or {}).get(found.difficulty)))
        else:
            row.append(latex.number(line.entry.budget_used if line.entry else None))
        rows.append([*row, *(score(at.of(one) if at else None) for one in names)])
    level = words.column(found.difficulty)
    about = f"{found.board}, revision {found.revision}, {level}, {found.view}: percent, "
    about += f"ranked by {names[found.metric]}"
    columns = "rl" + "r" * (len(names) + 1)
    return latex.tabular(columns, [*head, *names.values()], [rows], about)


def score(found: schemas.ScoreOut | None) -> str:
    """A mean and its deviation in percent."""
    return latex.number(None) if found is None else latex.number(found.mean, found.std)


def matrix(found: table_schemas.GridOut) -> str:
    """Accuracies of a window, a row for each attack."""
    rows = [
        [latex.escape(name_of(attack)), *map(latex.number, means, spreads)]
        for attack, means, spreads in zip(found.attacks, found.means, found.spreads, strict=True)
    ]
    head = ["", *(latex.escape(entry.name) for entry in found.defenses)]
    at = words.column(found.difficulty)
    about = f"{found.board}, revision {found.revision}, {at}, {found.view}: percent"
    return latex.tabular("l" + "r" * len(found.defenses), head, [rows], about)


def arena(found: arena_schemas.ArenaOut) -> str:
    """One side of the arena by both forms, with the opponent that each rank depends on most."""
    rows = []
    for line in found.rows:
        without, told = line.influence, "--"
        if without is not None:
            more = f" and {without.members - 1} more" if without.members > 1 else ""
            told = f"without {latex.escape(without.name)}{more}: rank {without.rank}"
        row = [str(line.robust.rank), latex.escape(line.entry.name)]
        row += [latex.number(line.robust.score), str(line.own.rank), latex.number(line.own.score)]
        rows.append([*row, str(line.duplicates - 1), told])
    head = ["Rank", found.side.capitalize(), "Clone-robust", "GRB's rank", "GRB's form"]
    about = f"{found.board}, revision {found.revision}, the open arena at "
    about += f"{words.spelt(found.difficulty)}: percent"
    return latex.tabular("rlrrrrl", [*head, "Duplicates", "Depends most on"], [rows], about)
