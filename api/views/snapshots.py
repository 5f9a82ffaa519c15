"""Boards as they stood: from rows and kept files to the API's JSON."""

from __future__ import annotations

from collections.abc import Sequence

from api import schemas
from api.snapshot_schemas import (
    SnapshotFileOut,
    SnapshotLine,
    SnapshotList,
    SnapshotOut,
    SnapshotSummary,
)
from api.views.parts import score_out
from api.views.rankings import metrics_out
from grbcore.measure import Measure
from grbcore.scenario import SIDES, ranked_of, scenario_of
from grbcore.snapshots import FILES, Entry, Places, bibtex
from grbcore.snapshots.document import Line
from grbcore.store.snapshots import kept_files
from grbcore.store.tables import SnapshotRow


def snapshot_page(rows: Sequence[SnapshotRow], limit: int) -> SnapshotList:
    """The first ``limit`` of these rows, of which there may be one more."""
    shown = rows[:limit]
    return SnapshotList(
        snapshots=[SnapshotSummary(**_brief(row)) for row in shown],
        next=shown[-1].id if len(rows) > limit else None,
    )


def snapshot(
    row: SnapshotRow, places: Places, *, title: str, measure: Measure, site: str, server: str
) -> SnapshotOut:
    """A snapshot in full.

    ``site`` is the address that a citation names, ``server`` the one that a command asks.
    """
    ranked = ranked_of(scenario_of(row.board_id))
    entries = {entry.id: entry for entry in places.entries}
    official = {
        one.side: one.lines
        for one in places.rankings
        if one.view == "reference" and one.difficulty == ranked
    }
    return SnapshotOut(
        **_brief(row),
        title=title,
        metric=measure.metric,
        reason=row.reason,
        files=_files(row),
        rankings={side: [_line(one, entries[one.id]) for one in official[side]] for side in SIDES},
        bibtex=bibtex(
            board=row.board_id,
            snapshot_id=row.id,
            made_at=row.made_at,
            digest=row.digest,
            address=f"{site}/snapshots/{row.id}",
        ),
        command=f"grb reproduce {row.id} --server {server}",
    )


def _brief(row: SnapshotRow) -> dict[str, object]:
    return {
        "id": row.id,
        "board": row.board_id,
        "month": row.month,
        "made_at": row.made_at,
        "revision": row.revision,
        "protocol": row.protocol,
        "attacks": row.attacks,
        "defenses": row.defenses,
        "cells": row.cells,
        "digest": row.digest,
        "reissued_at": row.reissued_at,
        "url": f"/snapshots/{row.id}",
    }


def _files(row: SnapshotRow) -> list[SnapshotFileOut]:
    kept = kept_files(row)
    return [
        SnapshotFileOut(
            name=name,
            sha256=kept[name].sha256,
            bytes=kept[name].size,
            url=f"/api/v1/snapshots/{row.id}/files/{name}?sha256={kept[name].sha256}",
        )
        for name in FILES
    ]


def _line(line: Line, entry: Entry) -> SnapshotLine:
    metrics: schemas.MetricsOut | None = None
    if line.metrics is not None:
        metrics = metrics_out(line.metrics)
    return SnapshotLine(
        rank=line.rank,
        id=entry.id,
        name=entry.name,
        family=entry.family,
        mark=entry.mark,
        metrics=metrics,
        clean=None if line.clean is None else score_out(line.clean),
        sha256=entry.sha256,
    )
