"""The flags of a board's entries, from what is stored of them and of their cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session, load_only

from grbcore.architectures import registered as registered_on
from grbcore.columns import Columns, places
from grbcore.confusion import unpack
from grbcore.flags import (
    RANDOM,
    Accuracy,
    Attack,
    Defense,
    Flag,
    Standard,
    attack_flags,
    defense_flags,
    root,
)
from grbcore.leaderboard import Row
from grbcore.metrics import Score
from grbcore.probes import Probe
from grbcore.results import CLEAN
from grbcore.scenario import (
    GRAPH_SCENARIOS,
    Difficulty,
    Side,
    difficulties_of,
    ranked_of,
    scenario_of,
)
from grbcore.shift import Shift
from grbcore.store.counts import Counts
from grbcore.store.queries import counted, heads
from grbcore.store.tables import BoardRow, CellRow, Submission
from grbcore.store.views import is_counterpart, is_ranked

#: Architectures that do not see the graph: the floor of the others.
GRAPHLESS = frozenset({"MLP", "LogReg", "Bag"})


def _at(row: BoardRow) -> Difficulty:
    """Where flags are measured: full, or the mean over budgets."""
    return ranked_of(scenario_of(row.id))


def board_flags(
    session: Session, row: BoardRow, known: Counts, rows: Mapping[Side, Sequence[Row]]
) -> dict[str, tuple[Flag, ...]]:
    """What is flagged of each entry in these rankings (in the reference view), by its id.

    ``known`` are the board's counts.  What an admin has dismissed is among them: it is the reader
    who is told of that.
    """
    if row.protocol is None:
        return {}
    wanted = {line.id for ranking in rows.values() for line in ranking} - {CLEAN}
    entries = [e for e in _entries(session, row.id) if e.id in wanted or _is_reference(e)]
    sides: dict[Side, list[Submission]] = {
        side: [entry for entry in entries if entry.side == side] for side in ("attack", "defense")
    }
    references = {side: [e for e in sides[side] if _is_reference(e)] for side in sides}
    everybody = heads(session, row.id)
    attacks, defenses = ([entry.id for entry in sides[side]] for side in ("attack", "defense"))
    reference_attacks = [entry.id for entry in references["attack"]]
    reference_defenses = [entry.id for entry in references["defense"]]
    known.columns(session, row.protocol, everybody, reference_attacks, defenses)
    cells = known.columns(session, row.protocol, everybody, attacks, reference_defenses)
    under = _accuracies(cells, [CLEAN, *reference_attacks], defenses, _at(row))
    left = _accuracies(cells, attacks, reference_defenses, _at(row))
    clean = under.pop(CLEAN, {})
    majority = _majority(session, row)
    board = _standard(references, clean, left, row, majority, errors=cells.errors)
    probes = _probes(session, row)
    scores = {
        side: {line.id: _score(line, _at(row)) for line in ranking}
        for side, ranking in rows.items()
    }
    named = {entry.surrogate for entry in sides["attack"] if is_ranked(entry)}
    found: dict[str, tuple[Flag, ...]] = {}
    registry = registered_on(scenario_of(row.id))
    for entry in sides["defense"]:
        architecture = _architecture(entry)
        registered = registry.get(str(architecture))
        defense = Defense(
            entry.id,
            architecture=architecture,
            stochastic=registered is not None and registered.stochastic,
            is_reference=entry.is_reference,
            adaptive=not named.isdisjoint((entry.id, entry.name)),
            clean=clean.get(entry.id),
            under={name: by[entry.id] for name, by in under.items() if entry.id in by},
            score=scores["defense"].get(entry.id),
            probe=probes.get(entry.id),
        )
        found[entry.id] = tuple(defense_flags(defense, board))
    for entry in sides["attack"]:
        attack = Attack(
            entry.id,
            entry.family,
            left=left.get(entry.id, {}),
            score=scores["attack"].get(entry.id),
            shift=None if entry.shift is None else Shift.model_validate(entry.shift),
        )
        found[entry.id] = tuple(attack_flags(attack, board))
    return {entry_id: flags for entry_id, flags in found.items() if entry_id in wanted}


def _is_reference(entry: Submission) -> bool:
    return is_counterpart(entry, "reference")


def _entries(session: Session, board_id: str) -> Sequence[Submission]:
    """Every registered entry, with what its flags need."""
    needed = ("side", "name", "family", "contents", "is_reference", "surrogate", "shift")
    marks = ("registered_at", "withdrawn_at", "hidden_at", "deleted_at")
    fields = load_only(*(getattr(Submission, name) for name in (*needed, *marks)))
    query = select(Submission).options(fields)
    registered = Submission.registered_at.is_not(None)
    return session.scalars(
        query.where(Submission.board_id == board_id, registered).order_by(Submission.id)
    ).all()


def _architecture(entry: Submission) -> str | None:
    found: Any = (entry.contents or {}).get("architecture")
    return found if isinstance(found, str) else None


def _score(line: Row, at: Difficulty) -> Score | None:
    metrics = line.metrics.get(at)
    return None if metrics is None else metrics.weighted


def _probes(session: Session, row: BoardRow) -> dict[str, Probe]:
    query = select(CellRow.defense_id, CellRow.probe).where(
        counted(row.id, str(row.protocol)), CellRow.attack_id.is_(None)
    )
    return {
        defense: Probe.model_validate(probe)
        for defense, probe in session.execute(query)
        if probe is not None
    }


def _accuracies(
    cells: Columns, attacks: Sequence[str], defenses: Sequence[str], at: Difficulty
) -> dict[str, dict[str, Accuracy]]:
    """The mean accuracies between these entries, by attack and defense, where there are cells."""
    columns = places(cells.defenses, defenses)
    found: dict[str, dict[str, Accuracy]] = {}
    for attack, place in zip(attacks, places(cells.attacks, attacks).tolist(), strict=True):
        here = np.full_like(columns, place)
        means = cells.means(here, columns, at).tolist()
        totals = cells.counts[-1, here, columns, 0].tolist()
        found[attack] = {
            defense: Accuracy(mean, total)
            for defense, mean, total in zip(defenses, means, totals, strict=True)
            if total > 0
        }
    return found


def _standard(
    references: Mapping[Side, Collection[Submission]],
    clean: Mapping[str, Accuracy],
    left: Mapping[str, Mapping[str, Accuracy]],
    row: BoardRow,
    majority: Accuracy | None,
    *,
    errors: bool,
) -> Standard:
    attacks, defenses = references["attack"], references["defense"]
    measured = {
        entry.id: (str(_architecture(entry)), clean[entry.id])
        for entry in defenses
        if entry.id in clean
    }
    return Standard(
        names={entry.id: entry.name for entry in (*attacks, *defenses)},
        families={entry.id: entry.family for entry in attacks},
        clean=measured,
        random=_strongest(left.get(entry.id, {}) for entry in attacks if _is_random(entry)),
        mlp=max((one for name, one in measured.values() if name in GRAPHLESS), default=None),
        majority=majority,
        floor="Bag floor" if scenario_of(row.id) in GRAPH_SCENARIOS else "MLP floor",
        errors=errors,
    )


def _majority(session: Session, row: BoardRow) -> Accuracy | None:
    """Always answering the most frequent class, of the targets that the board's results are of.

    Where half of them is hidden, that is what a result without attack counts by class.
    """
    main = difficulties_of(scenario_of(row.id))[-1]
    if row.hidden_seed is None:
        facts = row.facts or {}
        most, total = facts.get("majority"), facts.get("targets", {}).get(main)
        return Accuracy(most / total, total) if most and total else None
    counts = session.scalar(
        select(CellRow.confusion)
        .where(
            counted(row.id, str(row.protocol)),
            CellRow.attack_id.is_(None),
            CellRow.confusion.is_not(None),
        )
        .limit(1)
    )
    if counts is None:
        return None
    sizes = unpack(counts)[main][0].sum(axis=1)
    return Accuracy(float(sizes.max() / sizes.sum()), int(sizes.sum()))


def _is_random(entry: Submission) -> bool:
    return root(entry.family) in RANDOM


def _strongest(found: Iterable[Mapping[str, Accuracy]]) -> Mapping[str, Accuracy]:
    """Of several random attacks the one that leaves the least on average."""

    def mean(left: Mapping[str, Accuracy]) -> float:
        return sum(one.mean for one in left.values()) / len(left)

    return min((left for left in found if left), key=mean, default={})
