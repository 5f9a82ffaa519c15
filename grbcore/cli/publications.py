"""What a server says of a cell, a submission or a snapshot that is to be computed once more."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from grbcore.agreement import Kernel, Published
from grbcore.cli.server import Json, fail, get, json_of
from grbcore.files import sha256_of
from grbcore.results import CLEAN
from grbcore.scenario import Side
from grbcore.snapshots import CellRecord, Entry, Snapshot, numbers_digest, rankings

_KINDS = ("cells", "submissions", "snapshots")

#: Means are sums of as many floats in another order elsewhere.
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Publication:
    """Published cells of one board, and the files behind them."""

    what: str  # such as "cell 01J…"
    board: str
    protocol: str
    cells: Sequence[Published]
    names: Mapping[str, str]  # of cells by id, for a reader
    files: Mapping[str, tuple[Side, str]]  # by hash: whose file it is
    faults: Sequence[str] = ()  # what does not hold in itself


def publication(http: httpx.Client, which: str, folder: Path) -> Publication:
    """What is published under this id; a snapshot's document is kept in ``folder``.

    Ends the command where there is nothing of this id, or nothing to compute.
    """
    for kind in _KINDS:
        answer = http.get(f"/{kind}/{which}")
        if answer.status_code == 404:
            continue
        found = json_of(answer.raise_for_status())
        if kind == "cells":
            return _of_cells(f"cell {which}", [_done(found)])
        if kind == "submissions":
            return _of_submission(http, which, found)
        return _of_snapshot(http, found, folder)
    fail(
        f"{which}: found no cell, submission or snapshot of this id that you may see, allowed: one "
        "that is public, or your own with --token"
    )


def _done(cell: Json) -> Json:
    if cell["state"] != "done":
        fail(f"cell {cell['id']}: found state {cell['state']}, allowed: done")
    return cell


def _of_submission(http: httpx.Client, which: str, found: Json) -> Publication:
    done = [cell["id"] for cell in found["results"] if cell["state"] == "done"]
    if not done:
        fail(f"submission {which}: found no finished cell, allowed: one or more")
    return _of_cells(f"submission {which}", [get(http, f"/cells/{cell}") for cell in done])


def _of_cells(what: str, cells: Sequence[Json]) -> Publication:
    files: dict[str, tuple[Side, str]] = {}
    published, names = [], {}
    for cell in cells:
        said = cell["provenance"]
        ends: tuple[tuple[Side, str | None], ...] = (
            ("attack", said["attack_sha256"]), ("defense", said["defense_sha256"])
        )  # fmt: skip
        for side, sha256 in ends:
            if sha256 is not None:
                files[sha256] = side, cell[side]["id"]
            elif cell[side]["id"] != CLEAN:
                fail(f"cell {cell['id']}: the {side} was deleted, and its file with it")
        names[cell["id"]] = f"{cell['attack']['name']} against {cell['defense']['name']}"
        published.append(
            Published(
                id=cell["id"],
                attack=said["attack_sha256"],
                defense=said["defense_sha256"],
                correct={d: tuple(counts) for d, counts in cell["correct"].items()},
                errors={d: tuple(means) for d, means in cell.get("errors", {}).items()},
                total=cell["total"],
                hits_sha256=said["hits_sha256"],
                kernel=_kernel(said["device"], said["versions"]),
            )
        )
    protocols = {cell["provenance"]["protocol"] for cell in cells}
    assert len(protocols) == 1  # an entry shows its cells under the board's protocol
    return Publication(what, cells[0]["board"], protocols.pop(), published, names, files)


def _of_snapshot(http: httpx.Client, found: Json, folder: Path) -> Publication:
    snapshot = _document(http, found, folder)
    entries = {entry.id: entry for entry in snapshot.entries}
    names = {cell.id: f"{_name(entries, cell.attack)} against {entries[cell.defense].name}"
             for cell in snapshot.cells}  # fmt: skip
    faults = []
    if (digest := numbers_digest(snapshot)) != found["digest"]:
        faults.append(f"numbers: found SHA-256 {digest}, published {found['digest']}")
    faults += _misplaced(snapshot)
    return Publication(
        f"snapshot {snapshot.id}",
        snapshot.board,
        snapshot.protocol,
        [_published(cell, entries) for cell in snapshot.cells],
        names,
        {entry.sha256: (entry.side, entry.id) for entry in snapshot.entries},
        faults,
    )


def _document(http: httpx.Client, found: Json, folder: Path) -> Snapshot:
    """The snapshot's document, its hash verified, taken once."""
    file = next(one for one in found["files"] if one["name"] == "snapshot.json")
    path = folder / f"{file['sha256']}.json"
    if not path.is_file() or sha256_of(path) != file["sha256"]:
        folder.mkdir(parents=True, exist_ok=True)
        query = {"sha256": file["sha256"]}
        answer = http.get(f"/snapshots/{found['id']}/files/snapshot.json", params=query)
        path.write_bytes(answer.raise_for_status().content)
        if (seen := sha256_of(path)) != file["sha256"]:
            path.unlink()
            fail(f"snapshot.json: found SHA-256 {seen}, allowed: {file['sha256']}")
    return Snapshot.model_validate_json(path.read_bytes())


def _published(cell: CellRecord, entries: Mapping[str, Entry]) -> Published:
    return Published(
        id=cell.id,
        attack=None if cell.attack == CLEAN else entries[cell.attack].sha256,
        defense=entries[cell.defense].sha256,
        correct=cell.correct,
        errors=cell.errors or {},
        total=cell.total,
        hits_sha256=cell.hits_sha256,
        kernel=_kernel(cell.device, cell.versions),
    )


def _kernel(device: str | None, versions: Mapping[str, str]) -> Kernel | None:
    if device is None or not {"torch", "numpy"} <= versions.keys():
        return None
    return Kernel(device, versions["torch"], versions["numpy"])


def _name(entries: Mapping[str, Entry], attack: str) -> str:
    return "without attack" if attack == CLEAN else entries[attack].name


def _misplaced(snapshot: Snapshot) -> list[str]:
    """Where places and scores are not those that follow from the cells."""
    faults = []
    again = rankings(snapshot.board, snapshot.entries, snapshot.cells, snapshot.repeats)
    for then, now in zip(snapshot.rankings, again, strict=True):
        where = f"{then.side}s at {then.difficulty}, {then.view} view"
        if [(line.rank, line.id) for line in then.lines] != [
            (line.rank, line.id) for line in now.lines
        ]:
            faults.append(f"{where}: the places do not follow from the cells")
        elif not all(_close(a.model_dump(), b.model_dump()) for a, b in zip(
            then.lines, now.lines, strict=True)):  # fmt: skip
            faults.append(f"{where}: the scores do not follow from the cells")
    return faults


def _close(then: object, now: object) -> bool:
    if isinstance(then, dict) and isinstance(now, dict):
        return then.keys() == now.keys() and all(_close(then[k], now[k]) for k in then)
    if isinstance(then, float) and isinstance(now, float):
        return math.isclose(then, now, abs_tol=_CLOSE)
    return then == now
