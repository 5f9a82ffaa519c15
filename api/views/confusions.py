"""For which class targets were taken, and the scores that weigh every class alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from api import schemas
from api.cell_schemas import ConfusionOut, MeasuredCell, SubmissionMeasuresOut
from api.views.parts import score_out
from grbcore.confusion import Confusion, Floats, balanced_accuracy, macro_f1, unpack
from grbcore.metrics import score
from grbcore.results import CLEAN
from grbcore.scenario import BUDGETS, MEAN, Difficulty
from grbcore.store import charting, queries
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, CellRow, Submission
from grbcore.store.views import View, is_counterpart
from grbcore.store.visibility import Viewer, cells_seen_by

T = TypeVar("T", bound=np.generic)

#: Said of cells of which nothing is kept by class.
UNKNOWN = (
    "for which class targets were taken was not kept when it was measured, or went with an entry "
    "that was deleted; a re-evaluation keeps it"
)


def confusion(session: Session, found: CellRow, difficulty: Difficulty) -> ConfusionOut:
    """For which class targets were taken with the attack, and without it; at the mean over budgets
    the counts of all of them are added up."""
    counts, missing = _at(found, difficulty)
    before = None
    if found.attack_id is not None and counts is not None:
        without = queries.clean_cell(session, found)
        before = None if without is None else _at(without, difficulty)[0]
        if before is not None and before.shape[1:] != counts.shape[1:]:
            before = None
    mean = None if counts is None else counts.mean(axis=0)
    clean = None if before is None else before.mean(axis=0)
    return ConfusionOut(
        cell=found.id,
        difficulty=difficulty,
        classes=0 if counts is None else counts.shape[1],
        repeats=[] if counts is None else counts.tolist(),
        mean=[] if mean is None else mean.tolist(),
        clean=None if clean is None else clean.tolist(),
        change=None if mean is None or clean is None else _less(mean, clean),
        missing=missing,
    )


def _less(mean: NDArray[np.float64], clean: NDArray[np.float64]) -> list[list[float]]:
    found: list[list[float]] = (mean - clean).tolist()
    return found


def _at(cell: CellRow, difficulty: Difficulty) -> tuple[Confusion | None, str | None]:
    """The counts at one difficulty, or why there are none."""
    if cell.state != "done":
        return None, "it is not evaluated"
    if cell.confusion is None:
        return None, UNKNOWN if cell.errors is None else "numbers are predicted, and no classes"
    counts = _together(unpack(cell.confusion)).get(difficulty)
    return counts, f"the attack does not carry {difficulty}" if counts is None else None


def _together(counts: Mapping[Difficulty, Confusion]) -> Mapping[Difficulty, Confusion]:
    """With those of every budget added up, where it has these; a single repeat stands for all."""
    several = _budgets(counts)
    return counts if several is None else {**counts, MEAN: several.sum(axis=0)}


def _budgets(values: Mapping[Difficulty, NDArray[T]]) -> NDArray[T] | None:
    """Those of every budget (b, R, …), a single repeat standing for all; None where one lacks."""
    several = [values[budget] for budget in BUDGETS if budget in values]
    if len(several) < len(BUDGETS):
        return None
    most = max(map(len, several))
    return np.stack([np.broadcast_to(one, (most, *one.shape[1:])) for one in several])


def measures(cell: CellRow) -> tuple[schemas.Scores, schemas.Scores]:
    """Macro-F1 and balanced accuracy at each difficulty; both empty where they are not known."""
    done = cell.state == "done" and cell.confusion is not None
    counts = unpack(cast(bytes, cell.confusion)) if done else {}
    return _scores(counts, macro_f1), _scores(counts, balanced_accuracy)


def _scores(
    counts: Mapping[Difficulty, Confusion], of: Callable[[Confusion], Floats]
) -> schemas.Scores:
    values = {name: of(found) for name, found in counts.items()}
    if (several := _budgets(values)) is not None:
        values[MEAN] = several.mean(axis=0)
    return {
        name: score_out(score(found, repeated=len(found) > 1)) for name, found in values.items()
    }


def submission_measures(
    session: Session, row: BoardRow | None, entry: Submission, *, view: View, viewer: Viewer
) -> SubmissionMeasuresOut:
    """The scores of an entry's cells without attack and against the counterparts of a view."""
    seen = cells_seen_by(viewer, now())
    cells = queries.cells_of(session, entry.id, row.protocol if row else None, seen, by_class=True)
    done = [cell for cell in cells if cell.state == "done"]
    others = charting.cards(session, {one for cell in done if (one := _other(cell, entry))})
    counted = [cell for cell in done if _counts(_other(cell, entry), others, view)]
    return SubmissionMeasuresOut(
        submission=entry.id,
        view=view,
        cells=[_measured(cell, entry) for cell in counted if cell.confusion is not None],
        unknown=sum(cell.confusion is None for cell in counted),
    )


def _measured(cell: CellRow, entry: Submission) -> MeasuredCell:
    f1, balanced = measures(cell)
    return MeasuredCell(
        cell=cell.id,
        counterpart=_other(cell, entry) or CLEAN,
        macro_f1=f1,
        balanced_accuracy=balanced,
    )


def _other(cell: CellRow, entry: Submission) -> str | None:
    return cell.attack_id if entry.side == "defense" else cell.defense_id


def _counts(other: str | None, others: Mapping[str, Submission], view: View) -> bool:
    return other is None or is_counterpart(others[other], view)
