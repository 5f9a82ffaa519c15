"""Seasons of a board: their references, and the rankings over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from api import arena_schemas as schemas
from api.views.parts import matrix_entry
from grbcore.catalog import Board
from grbcore.leaderboard import Row
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty, Side
from grbcore.store import arenas, charting
from grbcore.store.tables import BoardRow, Season, Submission, User


def seasons(session: Session, found: Sequence[Season]) -> schemas.SeasonsOut:
    """Seasons in this order."""
    return schemas.SeasonsOut(seasons=[season(session, one) for one in found])


def season(session: Session, found: Season) -> schemas.SeasonOut:
    """One season with its references."""
    return schemas.SeasonOut(**_fields(session, found))


def admin_seasons(session: Session, found: Sequence[Season]) -> schemas.AdminSeasonsOut:
    """Seasons and proposals in this order, for admins."""
    return schemas.AdminSeasonsOut(seasons=[admin_season(session, one) for one in found])


def admin_season(session: Session, found: Season) -> schemas.AdminSeasonOut:
    """One season with the accounts of those who proposed and decided it."""
    people = {found.author_id, found.decided_by} - {None}
    names = {
        row.id: row.name
        for row in session.execute(select(User.id, User.name).where(User.id.in_(people)))
    }
    return schemas.AdminSeasonOut(
        **_fields(session, found),
        author=names.get(found.author_id or ""),
        decided_by=names.get(found.decided_by or ""),
    )


def season_ranking(
    session: Session, board: Board, row: BoardRow, found: Season, difficulty: Difficulty
) -> schemas.SeasonRankingOut:
    """Both rankings over the references of a season."""
    public = arenas.over(session, board, row, found)
    told = arenas.over_hidden(session, board, row, found)

    def of(side: Side) -> list[schemas.SeasonRow]:
        rows = public.standing(side, difficulty).rows
        cards = charting.cards(session, [line.id for line in rows])
        behind = () if told is None else told.standing(side, difficulty).rows
        hidden = {line.id: _weighted(line, difficulty) for line in behind}
        return [
            schemas.SeasonRow(
                entry=matrix_entry(cards[line.id], line.rank),
                rank=line.rank,
                weighted=_weighted(line, difficulty),
                hidden=hidden.get(line.id),
            )
            for line in rows
            if line.id != CLEAN
        ]

    return schemas.SeasonRankingOut(
        season=season(session, found),
        difficulty=difficulty,
        defenses=of("defense"),
        attacks=of("attack"),
    )


def _weighted(line: Row, difficulty: Difficulty) -> float | None:
    metrics = line.metrics.get(difficulty)
    return None if metrics is None else metrics.weighted.mean


def _references(
    members: Sequence[Mapping[str, Any]], cards: Mapping[str, Submission]
) -> list[schemas.SeasonReference]:
    return [
        schemas.SeasonReference(
            entry=matrix_entry(cards[one["id"]], None),
            side=one["side"],
            family=cards[one["id"]].family,
            sha256=None if cards[one["id"]].deleted_at is not None else one["sha256"],
            reasons=one["reasons"],
        )
        for one in members
        if one["id"] in cards
    ]


def _fields(session: Session, found: Season) -> dict[str, Any]:
    """What everybody may read of a season."""
    cards = charting.cards(session, {one["id"] for one in (*found.members, *found.left_out)})
    return dict(
        id=found.id,
        board=found.board_id,
        number=found.number,
        state=cast(Literal["proposed", "current", "past", "refused"], found.state),
        protocol=found.protocol,
        revision=found.revision,
        references=_references(found.members, cards),
        left_out=_references(found.left_out, cards),
        reason=found.reason,
        created_at=found.created_at,
        decided_at=found.decided_at,
        ended_at=found.ended_at,
    )
