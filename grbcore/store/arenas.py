"""The open arena of a board, and the rankings of its seasons, from the cells that it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from grbcore import clones
from grbcore.arena import ALWAYS, Duel, Verdict, judge, masses_of
from grbcore.catalog import Board
from grbcore.columns import Columns, accuracies_of, columns, rows_of
from grbcore.leaderboard import Arena, Leaderboard, ordered
from grbcore.metrics import Accuracies
from grbcore.nash import Equilibrium, equilibrium
from grbcore.results import CLEAN, Cell
from grbcore.scenario import SIDES, Difficulty, Side, judged_as
from grbcore.store import seasons
from grbcore.store.clusters import Found
from grbcore.store.counts import Counts
from grbcore.store.queries import counted, heads
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, CellRow, Season, Submission
from grbcore.store.views import arena
from grbcore.store.visibility import may_see

#: Boards of more cells than this have no arena.  One of so many takes up to some seconds; the time
#: grows faster than the cells.
MOST = 40_000


@dataclass(frozen=True, slots=True)
class Game:
    """Everybody against everybody at one difficulty."""

    attacks: tuple[str, ...]
    defenses: tuple[str, ...]
    grid: Accuracies  # (attacks + 1, defenses, R), the row without an attack last
    kin: Mapping[Side, NDArray[np.int64]]  # the cluster of each
    mute: NDArray[np.bool_]  # (defenses,): those that no attack moves
    errors: bool = False  # what the grid holds, of which a defense wants few


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A board of more than `MOST` cells."""

    attacks: int
    defenses: int


@dataclass(frozen=True, slots=True)
class Judged:
    """One side of an arena."""

    entries: tuple[str, ...]
    verdict: Verdict
    opponents: int  # the row without an attack left out
    clusters: int  # that the opponents are
    mute: int  # opponents that no attack moves, which count nothing
    leaders: Mapping[int, tuple[str, ...]]  # the opponents in each cluster, the earliest first


@dataclass(frozen=True, slots=True)
class Frontier:
    """The equilibrium between clusters; each is told by its members, the earliest first."""

    found: Equilibrium
    attacks: tuple[tuple[str, ...], ...]
    defenses: tuple[tuple[str, ...], ...]


def game(
    session: Session,
    board: Board,
    row: BoardRow | None,
    known: Found,
    difficulty: Difficulty,
    counts: Counts,
) -> Game | TooLarge | None:
    """What everybody sees of a board for its arena; None where nothing is measured.

    Entries that lack a result against an opponent at this difficulty are left out, and so are
    attacks that don't carry it.  Of the ``counts`` of the board only what came since is read.
    """
    if row is None or row.protocol is None:
        return None
    entries = heads(session, board.id)
    ranked = arena(_seen(entries), board, view="all")
    attacks, defenses = ranked.attacks, ranked.defenses
    if len(attacks) * len(defenses) > MOST:
        return TooLarge(len(attacks), len(defenses))
    cells = counts.columns(session, row.protocol, entries, attacks, defenses)
    grid = accuracies_of(cells, difficulty, (*attacks, CLEAN), defenses)
    there = np.asarray(~np.isnan(grid[:, :, 0]), dtype=np.bool_)
    whole = there[-1] & there[:-1][there[:-1].any(axis=1)].all(axis=0)
    carrying = np.asarray(there[:, whole].all(axis=1), dtype=np.bool_)  # all, where there is none
    attacks = tuple(a for a, held in zip(attacks, carrying[:-1], strict=True) if held)
    defenses = tuple(d for d, held in zip(defenses, whole, strict=True) if held)
    if not attacks or not defenses:
        return None
    kin = {
        name: clones.labels(one, known.clusters[name])
        for name, one in zip(SIDES, _by_side(attacks, defenses), strict=True)
    }
    mute = np.array([one in known.unmoved for one in defenses], np.bool_)
    return Game(attacks, defenses, grid[np.ix_(carrying, whole)], kin, mute, board.errors)


def judged(found: Game, side: Side) -> Judged:
    """The arena of one side."""
    grid, kin, mute = found.grid, found.kin, found.mute
    judging = judged_as(side, errors=found.errors)
    if side == "defense":
        clusters = np.append(kin["attack"], ALWAYS)
        values = grid.transpose(1, 0, 2)
        duel = Duel(judging, values, kin[side], clusters, masses_of(clusters))
        entries, opponents, silent = found.defenses, found.attacks, 0
    else:
        clusters = kin["defense"]
        duel = Duel(judging, grid[:-1], kin[side], clusters, masses_of(clusters, mute))
        entries, opponents = found.attacks, found.defenses
        silent = 0 if mute.all() else int(mute.sum())
    leaders = _members(opponents, kin["attack" if side == "defense" else "defense"])
    return Judged(entries, judge(duel), len(opponents), len(leaders), silent, leaders)


def frontier(found: Game) -> Frontier:
    """Of each cluster the mean of its members plays, so that a copy changes nothing."""
    kin, grid = found.kin, found.grid[:-1].mean(axis=2)
    rows, columns = _members(found.attacks, kin["attack"]), _members(found.defenses, kin["defense"])
    means = np.stack([grid[kin["attack"] == cluster].mean(axis=0) for cluster in rows])
    means = np.stack([means[:, kin["defense"] == c].mean(axis=1) for c in columns], axis=1)
    played = equilibrium(-means if found.errors else means)
    if found.errors:
        played = replace(played, value=-played.value)
    return Frontier(played, tuple(rows.values()), tuple(columns.values()))


@dataclass(frozen=True, slots=True)
class Scored:
    """Who is ranked over the references of a season, and the cells behind the scores."""

    arena: Arena
    cells: Columns

    def standing(self, side: Side, at: Difficulty) -> Leaderboard:
        """The ranking of one side."""
        rows = rows_of(self.arena, self.cells, side)
        return ordered(rows, side, at, errors=self.arena.errors)


def over(session: Session, board: Board, row: BoardRow, season: Season) -> Scored:
    """Both rankings over the references of a season, past ones too."""
    return Scored(*_cells(session, board, row, season))


def over_hidden(session: Session, board: Board, row: BoardRow, season: Season) -> Scored | None:
    """As `over`, over the targets that were hidden; None before the season is over.

    Only entries that were received before its end are in it.  The next season hides the same
    targets, and so none of its entries is chosen by a hidden score that was told here.  Whoever has
    the files may work one out nonetheless: docs/ranking.md, "What it does not stop".
    """
    if row.hidden_seed is None or season.state != "past" or season.ended_at is None:
        return None
    ranked = _ranked(session, board, season)[0]
    before = set(
        session.scalars(
            select(Submission.id).where(
                Submission.board_id == board.id, Submission.received_at <= season.ended_at
            )
        )
    )
    ranked = replace(
        ranked,
        attacks=tuple(one for one in ranked.attacks if one in before),
        defenses=tuple(one for one in ranked.defenses if one in before),
    )
    cells = session.execute(
        select(CellRow.attack_id, CellRow.defense_id, CellRow.hidden).where(
            counted(board.id, str(row.protocol)),
            CellRow.hidden.is_not(None),
            or_(
                CellRow.attack_id.is_(None),
                CellRow.attack_id.in_(ranked.defense_counterparts),
                CellRow.defense_id.in_(ranked.attack_counterparts),
            ),
        )
    )
    known = columns(
        ranked,
        (Cell(one or CLEAN, other, kept["correct"], kept["total"]) for one, other, kept in cells),
    )
    return Scored(ranked, known)


def _by_side(
    attacks: tuple[str, ...], defenses: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """In the order of `SIDES`."""
    of = {"attack": attacks, "defense": defenses}
    return of[SIDES[0]], of[SIDES[1]]


def _ranked(session: Session, board: Board, season: Season) -> tuple[Arena, Sequence[Submission]]:
    """Who is ranked, over the references of a season, and the entries of the board."""
    entries = heads(session, board.id, also=[one["id"] for one in season.members])
    ranked = arena(_seen(entries), board, view="all")
    ranked = replace(
        ranked,
        attack_counterparts=seasons.members(season, "defense"),
        defense_counterparts=seasons.members(season, "attack"),
    )
    return ranked, entries


def _cells(session: Session, board: Board, row: BoardRow, season: Season) -> tuple[Arena, Columns]:
    ranked, entries = _ranked(session, board, season)
    cells = Counts(board).columns(
        session,
        str(row.protocol),
        entries,
        {*ranked.attacks, *ranked.defense_counterparts},
        {*ranked.defenses, *ranked.attack_counterparts},
    )
    return ranked, cells


def _seen(entries: Sequence[Submission]) -> list[Submission]:
    moment = now()
    return [entry for entry in entries if may_see(entry, None, moment)]


def _members(names: Sequence[str], kin: NDArray[np.int64]) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for name, cluster in zip(names, kin.tolist(), strict=True):
        found[cluster] = (*found.get(cluster, ()), name)
    return found
