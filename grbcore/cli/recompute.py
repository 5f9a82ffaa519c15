"""What a server has published, computed once more here from its files and compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import typer
from rich.console import Console

from grbcore import catalog, datasets
from grbcore.agreement import Kernel, Published, Rule, Verdict, compare
from grbcore.cli.interruption import told_when_interrupted
from grbcore.cli.options import bar_of_steps
from grbcore.cli.publications import Publication, publication
from grbcore.cli.server import client, fail
from grbcore.files import sha256_of
from grbcore.results import CLEAN
from grbcore.scenario import Side
from grbcore.store.blobs import BlobError, Blobs, BlobsAway
from grbcore.submission import SUFFIXES

if TYPE_CHECKING:
    from grbcore.datasets.dataset import Dataset, Judged
    from grbcore.graphlevel.dataset import GraphDataset

console = Console()

_ID = re.compile("[0-9A-Z]{26}")

#: What a server answers where a file is not handed out, and never will be.
_GONE = (403, 404, 410)

Pair = tuple[str, str]  # the hashes of an attack's file, or `CLEAN`, and of a defense's


def is_id(text: str) -> bool:
    """Whether this can be the id of a cell, a submission or a snapshot."""
    return _ID.fullmatch(text) is not None


@dataclass(slots=True)
class Files:
    """Files by their hash: kept in a folder, taken from a blob store or from the server."""

    folder: Path
    store: str | None
    missing: dict[str, str] = field(default_factory=dict)  # why a hash has no file

    def path(self, sha256: str, side: Side) -> Path:
        """Where this file is kept."""
        return self.folder / f"{sha256}{SUFFIXES[side]}"

    def take(self, http: httpx.Client, sha256: str, side: Side, submission: str) -> None:
        """Have this file in the folder, its hash verified; or note why it can't be had."""
        path = self.path(sha256, side)
        if path.is_file() and sha256_of(path) == sha256:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.store is not None:
            try:
                Blobs(self.store).fetch(sha256, path)
                return
            except (BlobError, BlobsAway) as error:
                console.print(f"{error}; the server is asked", markup=False, highlight=False)
        self._download(http, sha256, path, submission)

    def _download(self, http: httpx.Client, sha256: str, path: Path, submission: str) -> None:
        partial = path.with_name(f".{path.name}.partial")
        with http.stream("GET", f"/submissions/{submission}/artefact") as answer:
            if answer.status_code in _GONE:
                answer.read()
                self.missing[sha256] = str(answer.json()["message"])
                return
            answer.raise_for_status()
            with partial.open("wb") as file:
                file.writelines(answer.iter_bytes())
        if (found := sha256_of(partial)) != sha256:
            partial.unlink()
            fail(f"file of submission {submission}: found SHA-256 {found}, allowed: {sha256}")
        partial.replace(path)


def recompute(
    which: str,
    files: Files,
    *,
    server: str,
    token: str,
    tolerance: float,
    data_dir: Path | None,
) -> None:
    """Take the files of a cell, a submission or a snapshot, evaluate, and tell each difference.

    Ends with exit code 1 where something differs by more than its rule allows, or where nothing
    could be computed.
    """
    kept = f"{files.folder} keeps what was taken; the same command goes on"
    with told_when_interrupted(lambda: kept):
        with client(server, token) as http:
            found = publication(http, which, files.folder)
            board = catalog.board(found.board)
            dataset = datasets.load(board.dataset, data_dir=data_dir)
            _same_protocol(found, board.protocol(dataset.digest))
            _all_targets(found, dataset)
            _take(http, found, files)
        verdicts = _measure(found, files, dataset, tolerance)
    _tell(found, files, verdicts, tolerance)


def _same_protocol(found: Publication, here: str) -> None:
    if found.protocol != here:
        fail(
            f"protocol: found {here} here, allowed: {found.protocol}, under which it was "
            f"published; the files of the dataset, the rules of {found.board} or the version of "
            "the evaluator are others"
        )


def _all_targets(found: Publication, dataset: Judged) -> None:
    """End where results are of the public half alone: which that is the service tells nobody."""
    for cell in found.cells:
        for difficulty, count in cell.total.items():
            if count < (whole := len(dataset.targets[difficulty])):
                fail(
                    f"cell {cell.id}: found results of {count} of {whole} targets at {difficulty}, "
                    f"allowed: of all; {found.board} hides half of them, so nothing can be compared"
                )


def _take(http: httpx.Client, found: Publication, files: Files) -> None:
    wanted = sorted({(sha256, *end) for sha256, end in found.files.items()})
    with bar_of_steps() as bar:
        task = bar.add_task("taking files", total=len(wanted))
        for sha256, side, submission in wanted:
            files.take(http, sha256, side, submission)
            bar.advance(task)


class _Others:
    """Every pair but the wanted ones, as `measure_cells` leaves them out."""

    def __init__(self, wanted: Mapping[Pair, object]) -> None:
        self._wanted = wanted

    def __contains__(self, pair: object) -> bool:
        return pair not in self._wanted


def _measure(
    found: Publication, files: Files, dataset: Dataset | GraphDataset, tolerance: float
) -> list[tuple[Published, Verdict]]:
    import numpy as np
    import torch

    from grbcore.matrix import measure_cells

    here = Kernel("cpu", torch.__version__, np.__version__)
    wanted: dict[Pair, list[Published]] = {}
    for one in found.cells:
        if one.defense not in files.missing and one.attack not in files.missing:
            wanted.setdefault((one.attack or CLEAN, one.defense), []).append(one)
    attacks = {a: files.path(a, "attack") for a in sorted({a for a, _ in wanted} - {CLEAN})}
    models = {d: files.path(d, "defense") for d in sorted({d for _, d in wanted})}
    verdicts = []
    with bar_of_steps() as bar:
        task = bar.add_task("measuring cells", total=len(wanted))
        cells = measure_cells(
            models, attacks, catalog.board(found.board), dataset, skip=_Others(wanted)
        )
        for cell in cells:
            for one in wanted[cell.attack, cell.defense]:
                verdicts.append((one, compare(one, cell, here, tolerance=tolerance)))
            bar.advance(task)
    return verdicts


def _tell(
    found: Publication,
    files: Files,
    verdicts: Sequence[tuple[Published, Verdict]],
    tolerance: float,
) -> None:
    for one, verdict in verdicts:
        for difference in verdict.differences:
            allowed = "within the tolerance" if verdict.agrees else "differs"
            _say(f"  {found.names[one.id]}, cell {one.id}: {difference} ({allowed})")
    for sha256, why in sorted(files.missing.items()):
        _say(f"  file {sha256} can't be had: {why}")
    for fault in found.faults:
        _say(f"  {fault}")
    rules = Counter((verdict.rule, verdict.agrees) for _, verdict in verdicts)
    words: dict[Rule, str] = {
        "exact": "measured on the same kernel, so that every count and hit has to be the same",
        "tolerance": f"measured on another kernel, so that a count may differ by {tolerance:.1%} "
        "of the targets, or by one",
    }
    for rule, why in words.items():
        if held := rules[rule, True] + rules[rule, False]:
            _say(f"{held} cells {why}: {rules[rule, True]} agree")
    left = len(found.cells) - len(verdicts)
    if left:
        _say(f"{left} cells are left out: a file of theirs can't be had")
    failed = [one for one, verdict in verdicts if not verdict.agrees]
    if not verdicts:
        fail(f"{found.what}: nothing could be computed")
    if failed or found.faults:
        fail(f"{found.what}: {len(failed)} of {len(verdicts)} cells differ from what is published")
    _say(f"{found.what}: what is published is what was computed here")


def _say(text: str) -> None:
    typer.echo(text)
