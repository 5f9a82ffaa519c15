"""Defenses under attacks that they were not trained for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import cast

import numpy as np
from sqlalchemy.orm import Session

from api.holdout_schemas import HoldoutAccuracy, HoldoutRow, HoldoutsOut
from api.ranking_schemas import HeldOut
from api.views.parts import score_out
from grbcore.holdouts import Kind, Measured, summaries
from grbcore.metrics import score
from grbcore.scenario import Difficulty
from grbcore.store import holdouts
from grbcore.store.tables import HoldoutAttack, Submission


def of_submission(session: Session, row: Submission, difficulty: Difficulty) -> HoldoutsOut:
    """What a defense reaches under its board's hold-outs; nothing of an attack."""
    found = holdouts.standing(session, row)
    return HoldoutsOut(
        submission=row.id,
        difficulty=difficulty,
        due=found.due,
        attacks=found.attacks,
        done=len(found.found),
        failed=found.failed,
        rows=[HoldoutRow(**asdict(one)) for one in summaries(found.at(difficulty))],
        measured=[
            _accuracy(attack, one)
            for attack, cell in found.found
            for one in holdouts.measured_at([(attack, cell)], difficulty)
        ],
    )


def of_ranking(
    session: Session, board_id: str, entries: Collection[str], difficulty: Difficulty
) -> dict[str, HeldOut]:
    """Of those of these defenses that are measured in full: their means, by budget."""
    found = {}
    attacks = len(holdouts.attacks(session, board_id))
    for defense, cells in holdouts.of_defenses(session, board_id, entries).items():
        if len(cells) < attacks or any(cell.state != "done" for _, cell in cells):
            continue
        rows = summaries(holdouts.measured_at(cells, difficulty))
        means = {(row.kind, row.factor): row.mean for row in rows}
        if means:
            found[defense] = HeldOut(
                half=means.get(("budget", 0.5)),
                same=means.get(("budget", 1.0)),
                double=means.get(("budget", 2.0)),
                unseen=means.get(("unseen", 1.0)),
            )
    return found


def _accuracy(attack: HoldoutAttack, found: Measured) -> HoldoutAccuracy:
    values = np.array(found.accuracies)
    return HoldoutAccuracy(
        attack=attack.name,
        family=attack.family,
        kind=cast(Kind, attack.kind),
        factor=attack.factor,
        accuracy=score_out(score(values, repeated=len(values) > 1)),
        sha256=attack.sha256,
    )
