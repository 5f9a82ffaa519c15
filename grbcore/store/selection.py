"""Which cells of a board are computed once more."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from sqlalchemy import ColumnElement, and_, false, or_, select
from sqlalchemy.orm import Session, aliased

from grbcore.scenario import Side
from grbcore.store.tables import BoardRow, CellRow, Submission

Id = Annotated[str, Field(pattern="^[0-9A-Z]{26}$")]
Word = Annotated[str, Field(min_length=1, max_length=80)]


class Selection(BaseModel):
    """Finished cells of one board; every field narrows them, an empty selection is all of them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    submissions: tuple[Id, ...] = Field(
        default=(), max_length=1000, description="Cells in which one of these takes part"
    )
    side: Side | None = Field(
        default=None,
        description="Submissions and families count on this side only; `attack` leaves out the "
        "clean graph",
    )
    families: tuple[Word, ...] = Field(default=(), max_length=100)
    states: tuple[Literal["done", "failed", "dead"], ...] = Field(default=("done",), min_length=1)
    protocol: Word | None = Field(
        default=None, description="Measured under this one; the board's own if not given"
    )
    evaluator_before: int | None = Field(
        default=None, ge=1, description="Measured by an older evaluator version than this"
    )
    torch: Word | None = Field(default=None, description="Measured with this PyTorch version")
    device: Word | None = Field(default=None, description="Measured on this device")
    finished_before: AwareDatetime | None = None

    @property
    def stored(self) -> dict[str, Any]:
        """What was chosen, as plain JSON."""
        return self.model_dump(mode="json", exclude_defaults=True)


def selected(
    session: Session, board: BoardRow, selection: Selection
) -> list[tuple[str | None, str]]:
    """Attack and defense of the current cells that are selected, of entries that are neither
    withdrawn nor deleted."""
    attack, defense = aliased(Submission), aliased(Submission)
    query = (
        select(CellRow.attack_id, CellRow.defense_id)
        .outerjoin(attack, attack.id == CellRow.attack_id)
        .join(defense, defense.id == CellRow.defense_id)
        .where(
            CellRow.board_id == board.id,
            CellRow.place == "current",
            CellRow.protocol == (selection.protocol or board.protocol),
            CellRow.state.in_(selection.states),
            or_(CellRow.attack_id.is_(None), _stays(attack)),
            _stays(defense),
            *_measured(selection),
        )
        .order_by(CellRow.defense_id, CellRow.attack_id.is_not(None), CellRow.attack_id)
    )
    if selection.side == "attack":
        query = query.where(CellRow.attack_id.is_not(None))
    if selection.submissions or selection.families:
        query = query.where(
            or_(
                _chosen(attack, selection) if selection.side != "defense" else false(),
                _chosen(defense, selection) if selection.side != "attack" else false(),
            )
        )
    return [(attack_id, defense_id) for attack_id, defense_id in session.execute(query)]


def _measured(selection: Selection) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if selection.evaluator_before is not None:
        conditions.append(CellRow.evaluator_version < selection.evaluator_before)
    if selection.torch is not None:
        conditions.append(CellRow.versions["torch"].as_string() == selection.torch)
    if selection.device is not None:
        conditions.append(CellRow.device == selection.device)
    if selection.finished_before is not None:
        conditions.append(CellRow.finished_at < selection.finished_before)
    return conditions


def _chosen(entry: type[Submission], selection: Selection) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = []
    if selection.submissions:
        conditions.append(entry.id.in_(selection.submissions))
    if selection.families:
        conditions.append(entry.family.in_(selection.families))
    return and_(*conditions)


def _stays(entry: type[Submission]) -> ColumnElement[bool]:
    return and_(entry.withdrawn_at.is_(None), entry.deleted_at.is_(None))
