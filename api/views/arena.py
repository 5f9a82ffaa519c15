"""The open arena: both forms of a ranking, on whom it hangs, who is a duplicate of whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy.orm import Session

from api import arena_schemas as schemas
from api.schemas import MatrixEntry
from api.views.parts import matrix_entry
from grbcore.arena import Form
from grbcore.catalog import Board
from grbcore.nash import Floats
from grbcore.scenario import SIDES, Difficulty, Side
from grbcore.store import arenas, charting
from grbcore.store.arenas import Frontier, Game, Judged, TooLarge
from grbcore.store.clusters import Found
from grbcore.store.counts import Counts
from grbcore.store.presence import is_shown
from grbcore.store.session import now
from grbcore.store.tables import BoardRow
from grbcore.store.visibility import may_see

Heads = Mapping[str, MatrixEntry]


@dataclass(frozen=True, slots=True)
class Read:
    """What the arena of a board is made of, without rows of the database."""

    board: str
    revision: int
    difficulty: Difficulty
    game: Game | TooLarge | None
    heads: Heads  # of everybody who is in it, as everybody sees them
    known: Found


def read(
    session: Session,
    board: Board,
    row: BoardRow | None,
    known: Found,
    difficulty: Difficulty,
    counts: Counts,
) -> Read:
    """All that is needed of the database; `arena` follows from it alone."""
    game = arenas.game(session, board, row, known, difficulty, counts)
    names = {one for side in SIDES for cluster in known.clusters[side] for one in cluster.members}
    if isinstance(game, Game):
        names |= {*game.attacks, *game.defenses}
    return Read(
        board.id, row.revision if row else 0, difficulty, game, _heads(session, names), known
    )


def arena(found: Read, frontier: Frontier | None, side: Side) -> schemas.ArenaOut:
    """One side of the arena, as everybody sees it."""
    game, heads = found.game, found.heads
    judged = arenas.judged(game, side) if isinstance(game, Game) else None
    clusters = _clusters(found.known, heads)
    nothing = schemas.FormOut(tau=None, fragile=False)
    return schemas.ArenaOut(
        board=found.board,
        revision=found.revision,
        side=side,
        difficulty=found.difficulty,
        too_large=isinstance(game, TooLarge),
        opponents=judged.opponents if judged else 0,
        opponent_clusters=judged.clusters if judged else 0,
        mute=judged.mute if judged else 0,
        explanation=too_large(game) if isinstance(game, TooLarge) else explanation(side, judged),
        robust=_form(judged.verdict.robust) if judged else nothing,
        own=_form(judged.verdict.own) if judged else nothing,
        rows=_rows(judged, heads, clusters) if judged else [],
        frontier=None if frontier is None else _frontier(frontier, heads),
        clusters=clusters,
        scanned_revision=found.known.revision,
        scanned_at=found.known.scanned_at,
    )


def too_large(found: TooLarge) -> str:
    """Why a board has no arena."""
    return (
        f"The board is too large for the arena: it has {found.attacks:,} attacks against "
        f"{found.defenses:,} defenses, and the arena is computed of up to {arenas.MOST:,} cells."
    )


def explanation(side: Side, judged: Judged | None) -> str:
    """Why GRB's own form and the clone-robust one differ, or why they don't."""
    if judged is None:
        return "Nothing is measured at this difficulty yet."
    other = "attacks" if side == "defense" else "defenses"
    ranks = judged.verdict.robust.ranks, judged.verdict.own.ranks
    copies = judged.opponents - judged.clusters
    said, why = [], ""
    if copies:
        which = "is a near-duplicate" if copies == 1 else "are near-duplicates"
        said.append(
            f"{judged.opponents} {other} are registered, and {copies} of them {which} of another: "
            f"GRB's own form gives each of the {judged.opponents} a weight, so its ranks change "
            f"with every copy; the clone-robust form counts {judged.clusters}."
        )
    if judged.mute:
        them = "it" if judged.mute == 1 else "them"
        said.append(
            f"No reference attack moves {judged.mute} of the {other}: all attacks are alike to "
            f"{them}, so the clone-robust form leaves {them} out, and GRB's own form mixes {them} "
            "in."
        )
    if not said:
        alike = "so both forms give the same scores"
        said.append(f"None of the {judged.opponents} {other} is a duplicate, {alike}.")
        why = ", in which each of several near-duplicates has a place"
    moved = int((ranks[0] != ranks[1]).sum())
    if moved:
        rank = "ranks" if moved == 1 else "rank"
        form = f"GRB's own form{why}"
        said.append(f"{moved} of {len(judged.entries)} entries {rank} otherwise by {form}.")
    return " ".join(said)


def _heads(session: Session, names: Collection[str]) -> dict[str, MatrixEntry]:
    cards, at = charting.cards(session, names), now()
    return {
        one: matrix_entry(card, None)
        for one, card in cards.items()
        if is_shown(card) and may_see(card, None, at)
    }


def _clusters(known: Found, heads: Heads) -> list[schemas.ClusterOut]:
    """Of what everybody sees; an admin may have decided of more."""
    found = []
    for side in SIDES:
        for cluster in known.clusters[side]:
            members = [heads[one] for one in cluster.members if one in heads]
            if len(members) > 1:
                found.append(
                    schemas.ClusterOut(
                        side=side, members=members, why=cluster.why, apart=cluster.apart
                    )
                )
    return found


def _rows(
    judged: Judged, heads: Heads, clusters: Sequence[schemas.ClusterOut]
) -> list[schemas.ArenaRow]:
    sizes = {member.id: len(one.members) for one in clusters for member in one.members}
    robust, own = judged.verdict.robust, judged.verdict.own
    order = sorted(range(len(judged.entries)), key=lambda at: (robust.ranks[at], own.ranks[at], at))
    rows = []
    for at in order:
        name, influence = judged.entries[at], judged.verdict.influences[at]
        told = None
        if influence is not None:
            group = judged.leaders[influence.cluster]
            told = schemas.InfluenceOut(
                opponent=group[0],
                name=heads[group[0]].name,
                members=len(group),
                rank=influence.rank,
            )
        rows.append(
            schemas.ArenaRow(
                entry=heads[name].model_copy(update={"rank": int(robust.ranks[at])}),
                robust=_placed(robust, at),
                own=_placed(own, at),
                duplicates=sizes.get(name, 1),
                influence=told,
            )
        )
    return rows


def _placed(form: Form, at: int) -> schemas.Placed:
    return schemas.Placed(rank=int(form.ranks[at]), score=float(form.scores[at]))


def _form(form: Form) -> schemas.FormOut:
    return schemas.FormOut(tau=form.tau, fragile=form.fragile)


def _frontier(frontier: Frontier, heads: Heads) -> schemas.FrontierOut:
    def played(groups: Sequence[tuple[str, ...]], shares: Floats) -> list[schemas.PlayedOut]:
        return [
            schemas.PlayedOut(
                entry=heads[groups[at][0]], members=len(groups[at]), share=float(shares[at])
            )
            for at in np.argsort(-shares, kind="stable").tolist()
            if shares[at] > 0
        ]

    found = frontier.found
    return schemas.FrontierOut(
        value=found.value,
        attacks=played(frontier.attacks, found.rows),
        defenses=played(frontier.defenses, found.columns),
    )
