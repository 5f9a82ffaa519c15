"""How sure the differences of entries side by side are, from the hits kept beside cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy.orm import Session

from api import table_schemas, words
from api.views.breakdowns import Nothing
from api.views.degrees import READ
from grbcore import seeds
from grbcore.catalog import Board
from grbcore.intervals import Paired, paired, sample
from grbcore.intervals.hits import Kept, keep
from grbcore.metrics import METRICS
from grbcore.paper import PRINTED
from grbcore.scenario import Difficulty, judged_as, parts_of
from grbcore.store import windows
from grbcore.store.blobs import BlobError, Blobs
from grbcore.store.tables import BoardRow

#: So many draws; fewer than a worker's, since a reader waits.
_DRAWS = 1000

#: The hits of cells by difficulty; None where they are not known.
_Hits = Mapping[str, Mapping[Difficulty, Kept] | None]


def compared_differences(
    session: Session,
    blobs: Blobs,
    board: Board,
    row: BoardRow | None,
    compared: table_schemas.ComparisonOut,
    difficulties: Sequence[Difficulty],
) -> list[table_schemas.ComparedDifferencesOut]:
    """How far each entry is from the first by each score, at each of these difficulties.

    Raises:
        BlobsAway: the blob store does not answer.
    """
    rows = {at: [one for one in compared.rows if one.difficulty == at] for at in difficulties}
    wrong = {at: _wrong(of, at, len(compared.entries)) for at, of in rows.items()}
    wanted = {
        cell for at, of in rows.items() if not wrong[at] for one in of for cell in one.cells if cell
    }
    hits = _read(session, blobs, board, wanted)
    found = []
    for at in difficulties:
        answer = _empty(board, compared, at)
        try:
            if why := wrong[at]:
                raise Nothing(why)
            entries = _entries(hits, rows[at], at, board.repeats)
            protocol = row.protocol if row else None
            answer.pairs = _pairs(entries, board, str(protocol), compared, at)
            answer.counted = len(rows[at])
            answer.repeated = any(len(one.counts) > 1 for of in entries for at in of for one in at)
        except Nothing as why:
            answer.missing = str(why)
        found.append(answer)
    return found


def _wrong(
    rows: Sequence[table_schemas.ComparedRow], difficulty: Difficulty, entries: int
) -> str | None:
    """Why nothing is to be had of these rows, where that is so."""
    if entries < 2:
        return "it takes two entries"
    if not rows:
        return f"there are no results at {words.spelt(difficulty)}"
    if any(value is None for row in rows for value in row.values):
        return f"an entry lacks results at {words.spelt(difficulty)}"
    if len(rows) * entries > READ:
        return f"they hang on {len(rows) * entries} cells, and at most {READ} are read at once"
    return None


def _read(session: Session, blobs: Blobs, board: Board, cells: Iterable[str]) -> _Hits:
    found: dict[str, Mapping[Difficulty, Kept] | None] = {}
    for cell in windows.with_hits(session, list(cells)).values():
        try:
            found[cell.id] = (
                keep(blobs.read(cell.hits_sha256), errors=board.errors)
                if cell.hits_sha256
                else None
            )
        except (BlobError, OSError, ValueError):
            found[cell.id] = None
    return found


def _entries(
    hits: _Hits,
    rows: Sequence[table_schemas.ComparedRow],
    difficulty: Difficulty,
    repeats: int,
) -> list[list[list[Kept]]]:
    """Of each entry the hits of its row at each budget behind the difficulty, counterpart by
    counterpart."""
    found: list[list[list[Kept]]] = [[[] for _ in parts_of(difficulty)] for _ in rows[0].cells]
    for row in rows:
        for of_entry, cell in zip(found, row.cells, strict=True):
            for budget, of_budget in zip(parts_of(difficulty), of_entry, strict=True):
                kept = (hits.get(cell or "") or {}).get(budget)
                if kept is None:
                    raise Nothing("which targets were hit is not known of every cell")
                of_budget.append(kept)
    every = [one for of_entry in found for of_budget in of_entry for one in of_budget]
    of_repeats = all(len(one.content) in (1, repeats) for one in every)
    if not of_repeats or len({one.targets for one in every}) > 1:
        raise Nothing("the hits of the cells are not of the same targets and repeats")
    return found


def _pairs(
    entries: Sequence[Sequence[Sequence[Kept]]],
    board: Board,
    protocol: str,
    compared: table_schemas.ComparisonOut,
    difficulty: Difficulty,
) -> list[table_schemas.ComparedPair]:
    sampling = sample(
        seeds.generator(protocol, "intervals", difficulty),
        targets=entries[0][0][0].targets,
        repeats=board.repeats,
        draws=_DRAWS,
    )
    counts = [[[one.counts for one in row] for row in of_entry] for of_entry in entries]
    first, *others = (entry.id for entry in compared.entries)
    judged = judged_as(compared.side, errors=board.errors)
    found = paired(counts, sampling, judged)
    higher_wins = judged == "defense"
    return [_pair(one, first, other, higher_wins) for one, other in zip(found, others, strict=True)]


def _pair(one: Paired, first: str, other: str, higher_wins: bool) -> table_schemas.ComparedPair:
    metrics = []
    for metric in PRINTED:
        at = METRICS.index(metric)
        mean = float(one.difference.mean[at])
        winner = other if (mean > 0) == higher_wins else first
        metrics.append(
            table_schemas.ComparedInterval(
                metric=metric,
                mean=mean,
                low=float(one.difference.low[at]),
                high=float(one.difference.high[at]),
                winner=winner if one.apart[at] else None,
            )
        )
    return table_schemas.ComparedPair(entry=other, p_value=one.p_value, metrics=metrics)


def _empty(
    board: Board, compared: table_schemas.ComparisonOut, difficulty: Difficulty
) -> table_schemas.ComparedDifferencesOut:
    return table_schemas.ComparedDifferencesOut(
        board=board.id,
        revision=compared.revision,
        difficulty=difficulty,
        view=compared.view,
        side=compared.side,
        first=compared.entries[0].id if compared.entries else None,
        counted=0,
        draws=_DRAWS,
        repeated=False,
        pairs=[],
        missing=None,
    )
