"""What a submitter asks a server: ``grb submit``, ``grb status``, ``grb leaderboard``."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from grbcore import catalog
from grbcore.cli import audience, sending
from grbcore.cli.audience import EmbargoOption, PrivateOption
from grbcore.cli.server import LOCAL, Json, Server, TokenOption
from grbcore.cli.server import client as _client
from grbcore.cli.server import fail as _fail
from grbcore.cli.server import get as _get
from grbcore.cli.server import json_of as _json
from grbcore.measure import Measure
from grbcore.scenario import MEAN, SIDES, Side, choices_of, ranked_of, scenario_of
from grbcore.submission import Scale, check_header, side_of
from grbcore.violations import Refused

console = Console()
errors = Console(stderr=True)

#: A file of more bytes is sent in parts, so that a lost connection loses little.
LARGE = 8 * 1024 * 1024

_FINAL = ("ranked", "rejected", "failed")


def submit(
    file: Annotated[Path, typer.Argument(help="An attack (.npz) or a defense (.safetensors).")],
    board: Annotated[str, typer.Option(help="Such as digits/injection@1.")],
    name: Annotated[str, typer.Option(help="What the leaderboard calls it.")],
    authors: Annotated[str, typer.Option(help="Who made it.")],
    side: Annotated[
        str | None, typer.Option(help="attack or defense; told by the file's suffix otherwise.")
    ] = None,
    family: Annotated[
        str | None,
        typer.Option(help="An attack's method, or other:<name>; other:<the name> otherwise."),
    ] = None,
    team: Annotated[str | None, typer.Option(help="Your team.")] = None,
    description: Annotated[str, typer.Option(help="Markdown.")] = "",
    paper_url: Annotated[str | None, typer.Option(help="Where the paper is.")] = None,
    code_url: Annotated[str | None, typer.Option(help="Where the code is.")] = None,
    adversarially_trained: Annotated[
        bool, typer.Option(help="A defense that was trained on attacks.")
    ] = False,
    surrogate: Annotated[
        str | None, typer.Option(help="The model that an attack differentiated.")
    ] = None,
    private: PrivateOption = False,
    embargo: EmbargoOption = None,
    wait: Annotated[bool, typer.Option(help="Wait until it is ranked or refused.")] = False,
    token: TokenOption = "",
    server: Server = LOCAL,
) -> None:
    """Check a file's header, upload it, and say where to watch it."""
    chosen = _side(file, side)
    _check(file, board, chosen)
    fields = {
        "board": board,
        "side": chosen,
        "name": name,
        "authors": authors,
        "team": team,
        "family": (family or _family(name, board)) if chosen == "attack" else None,
        "description": description,
        "paper_url": paper_url,
        "code_url": code_url,
        "adversarially_trained": "true" if adversarially_trained else None,
        "surrogate": surrogate,
        **audience.chosen(private=private, embargo=embargo),
    }
    with _client(server, token) as client:
        answer = _upload(client, file, {k: v for k, v in fields.items() if v})
        known = answer.status_code == 200
        entry = _json(answer)
        said = "these bytes were submitted before" if known else f"received as {entry['id']}"
        console.print(f"{said}: {_address(server, entry)}", soft_wrap=True, highlight=False)
        if audience.shown(entry):
            console.print(audience.shown(entry), highlight=False)
        if wait:
            _finish(client, entry)


def status(
    submission: Annotated[str | None, typer.Argument(help="An id; the latest otherwise.")] = None,
    board: Annotated[str | None, typer.Option(help="Only this board's.")] = None,
    token: TokenOption = "",
    server: Server = LOCAL,
) -> None:
    """Show one submission, or the latest ones; with your token, your private ones too."""
    with _client(server, token) as client:
        if submission is not None:
            _show(_get(client, f"/submissions/{submission}"), server)
            return
        query = {"limit": "20"} | ({"board": board} if board else {})
        table = Table("id", "board", "side", "name", "state", "cells", box=None, pad_edge=False)
        table.columns[0].no_wrap = True
        entries = _get(client, "/submissions", query)["submissions"]
        if not entries:
            console.print(f"no submissions{f' on {board}' if board else ''} yet", highlight=False)
            return
        for entry in entries:
            row = [entry[key] for key in ("id", "board", "side", "name", "state")]
            table.add_row(*map(Text, row), _cells(entry))
        console.print(table)


def leaderboard(
    board: Annotated[str, typer.Argument(help="Such as digits/injection@1.")],
    difficulty: Annotated[
        str | None,
        typer.Option(
            help="easy, medium, hard or full, the default; of whole graphs a budget, 1 to 5, or "
            "mean, the mean over these, which is the default there."
        ),
    ] = None,
    view: Annotated[
        str, typer.Option(help="Scores over the references, or over all: reference or all.")
    ] = "reference",
    side: Annotated[str | None, typer.Option(help="attack or defense; both otherwise.")] = None,
    mine: Annotated[
        bool, typer.Option("--mine", help="As it would be with what only you see.")
    ] = False,
    token: TokenOption = "",
    server: Server = LOCAL,
) -> None:
    """Print the ranking of a board's defenses, attacks, or both, in percent; errors as they are."""
    scenario = scenario_of(board)
    at = ranked_of(scenario) if difficulty is None else difficulty
    _known("--difficulty", at, choices_of(scenario))
    _known("--view", view, ("reference", "all"))
    if side is not None:
        _known("--side", side, SIDES)
    if not re.fullmatch(r"[\w.-]+/[\w.-]+(@\d+)?", board):
        _fail(
            f"board: found {board!r}, allowed: dataset/scenario@version, such as digits/injection@1"
        )
    with _client(server, token if mine else "") as client:
        for one in ("defense", "attack") if side is None else (side,):
            query = {"difficulty": at, "view": view, "side": one}
            query |= {"mine": "true"} if mine else {}
            found = _get(client, f"/boards/{board}/leaderboard", query)
            console.print(_ranking(found))
            if not found["rows"]:
                console.print(f"no {one} is ranked yet", highlight=False)


# Submitting


def _known(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        _fail(f"{option}: found {value!r}, allowed: {', '.join(allowed)}")


def _side(file: Path, side: str | None) -> Side:
    if side is not None:
        _known("--side", side, SIDES)
        return "attack" if side == "attack" else "defense"
    return side_of(file)


def _check(file: Path, name: str, side: Side) -> None:
    """What the server would find in the file's header, before a byte is sent.

    A board that this installation does not know is left to the server.
    """
    if not file.is_file():
        raise FileNotFoundError(f"{file}: no such file")
    try:
        board = catalog.board(name)
    except KeyError:
        return
    scale = Scale.of(catalog.dataset(board.dataset).model_dump())
    with file.open("rb") as opened:
        header = check_header(opened, side=side, board=board, scale=scale)
    if header.violations:
        raise Refused(header.violations)


def _family(name: str, board: str) -> str:
    """The method that an attack is named after, where its board's catalog has one of that name."""
    scenario = board.partition("/")[2].partition("@")[0]
    known = any(name in catalog.methods_of(s) for s in catalog.ATTACK_METHODS if s == scenario)
    return name if known else f"other:{name}"[:80]


class _Watched(io.FileIO):
    """A file that reports how much of it has been read."""

    def __init__(self, path: Path, bar: Progress) -> None:
        super().__init__(path)
        self._bar = bar
        self._task = bar.add_task(path.name, total=path.stat().st_size)

    def read(self, size: int | None = -1, /) -> bytes | Any:
        piece = super().read(-1 if size is None else size)
        self._bar.advance(self._task, len(piece or b""))
        return piece


def _upload(client: httpx.Client, file: Path, fields: dict[str, str]) -> httpx.Response:
    if file.stat().st_size > LARGE:
        return sending.send(client, file, fields, errors)
    with (
        Progress(*sending.columns(), console=errors, transient=True) as bar,
        _Watched(file, bar) as content,
    ):
        files = {"file": (file.name, content, "application/octet-stream")}
        return client.post("/submissions", data=fields, files=files).raise_for_status()


def _finish(client: httpx.Client, entry: Json) -> None:
    """Follow a submission to its end; exit code 1 unless it is ranked."""
    said = ""
    while True:
        text = f"{entry['state']}, {_cells(entry)}"
        if text != said:
            console.print(text, highlight=False)
            said = text
        stuck = entry["cells"]["dead"] and not (
            entry["cells"]["queued"] or entry["cells"]["running"]
        )
        gone = (
            entry["withdrawn"]
            or entry["deleted"]
            or (entry["hidden"] and not entry["is_reference"])
        )
        if entry["state"] in _FINAL or stuck or gone:
            break
        time.sleep(0.5)
        entry = _get(client, f"/submissions/{entry['id']}")
    if entry["state"] == "ranked":
        mean = ranked_of(scenario_of(entry["board"])) == MEAN
        at = "by the mean over budgets" if mean else "at full"
        console.print(f"rank {entry['rank']} {at} in the reference view", highlight=False)
        return
    for fault in entry["violations"]:
        text = f"  {fault['place']}: found {fault['found']}; allowed: {fault['allowed']}"
        typer.echo(f"{text} [{fault['code']}]", err=True)
    _fail(entry["reason"] or f"{entry['state']}: {_cells(entry)}")


# Showing


def _address(server: str, entry: Json) -> str:
    return f"{server.rstrip('/')}{entry['url']}"


def _cells(entry: Json) -> str:
    counts = entry["cells"]
    total = sum(counts.values())
    more = "".join(f", {counts[state]} {state}" for state in ("failed", "dead") if counts[state])
    return f"{counts['done']} / {total} cells{more}"


def _show(entry: Json, server: str) -> None:
    place = f", rank {entry['rank']}" if entry["rank"] else ""
    lines = [
        f"{entry['name']} by {entry['authors']} ({entry['side']}, {entry['family']})",
        f"{entry['board']}, attempt {entry['attempt']} of {entry['attempts']}",
        f"{entry['state']}{place}, {_cells(entry)}",
        *_budget(entry),
        *([audience.shown(entry)] if audience.shown(entry) else []),
        *([entry["reason"]] if entry["reason"] else []),
        *(
            f"  {fault['place']}: found {fault['found']}; allowed: {fault['allowed']}"
            for fault in entry["violations"]
        ),
        _address(server, entry),
    ]
    for line in lines:
        console.print(line, soft_wrap=True, highlight=False, markup=False)


def _budget(entry: Json) -> list[str]:
    """What an attack uses of its budget, a line for each difficulty."""
    return [
        f"budget at {difficulty}: {_share(found['share'])} % used, "
        + ", ".join(f"{one['mean']:g} {one['kind']}" for one in found["spent"])
        for difficulty, found in (entry.get("budget") or {}).items()
    ]


def _share(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def _ranking(found: Json) -> Table:
    side: Side = found["side"]
    defense, measure = side == "defense", catalog.measure_of(found["board"])
    order = measure.wanted(side)
    title = f"{found['board']}: {found['side']}s at {found['difficulty']}, {found['view']} view"
    table = Table(title=f"{title}, {order}", title_justify="left", box=None, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("name", overflow="fold")
    table.add_column("family", overflow="fold")
    for heading in ("Weighted", "Avg", f"Avg {measure.three(side)}", "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("clean" if defense else "budget used", justify="right", no_wrap=True)
    for row in found["rows"]:
        table.add_row(*map(Text, _cells_of_row(row, found["difficulty"], defense, measure)))
    return table


def _cells_of_row(row: Json, difficulty: str, defense: bool, measure: Measure) -> list[str]:
    entry = row["entry"] or {"name": "without attack", "family": "–"}
    metrics = row["metrics"].get(difficulty)
    values = (
        [_score(metrics[key], measure) for key in ("weighted", "average", "three")]
        if metrics
        else []
    )
    line = [
        "–" if row["rank"] is None else str(row["rank"]),
        entry["name"],
        entry["family"],
        *(values or ["–"] * 3),
        str(metrics["n"]) if metrics else "–",
    ]
    clean = _score((row["clean"] or {}).get(difficulty), measure)
    return [*line, clean if defense else _share(entry.get("budget_used"))]


def _score(score: Json | None, measure: Measure) -> str:
    if score is None:
        return "–"
    return measure.score(score["mean"], score["std"])
