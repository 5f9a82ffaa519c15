"""``grb doctor``: what works on this host, what does not, and how to mend it."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

import httpx
import redis
import typer
from rich.table import Table
from rich.text import Text
from sqlalchemy import select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from grbcore import __version__, catalog, datasets
from grbcore.cli.options import console
from grbcore.settings import Settings
from grbcore.store import migrate, workers
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions, connect, now
from grbcore.store.status import cells_by_state
from grbcore.store.tables import BoardRow

_PAGE = Path(__file__).resolve().parents[2] / "frontend" / "dist"
_COLOURS = {"ok": "green", "note": "yellow", "problem": "red"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    level: Literal["ok", "note", "problem"]
    part: str
    found: str
    mend: str = ""


def doctor() -> None:
    """Look at every part of the service on this host, and say how to mend what does not work.

    Changes nothing, but for a few bytes that are written and removed.  Ends with 1 where there is
    a problem; a note is none.
    """
    settings = Settings()
    findings = [finding for look in _PARTS for finding in look(settings)]
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(3):
        table.add_column(overflow="fold")
    for one in findings:
        words = one.found + (f"\n→ {one.mend}" if one.mend else "")
        table.add_row(Text(one.level, style=_COLOURS[one.level]), one.part, Text(words))
    console.print(table)
    problems = sum(one.level == "problem" for one in findings)
    if problems:
        typer.echo(f"grb: {problems} problem(s)", err=True)
        raise typer.Exit(1)


def _host(settings: Settings) -> Iterator[Finding]:
    yield Finding("ok", "version", f"grb {__version__}, files in {settings.var_dir}")
    if settings.data_dir is not None and not settings.data_dir.is_dir():
        yield Finding(
            "problem",
            "GRB_DATA_DIR",
            f"{settings.data_dir}: no such folder",
            "make it, or unset it",
        )


def _disk(settings: Settings) -> Iterator[Finding]:
    """Room where uploads, local blobs and SQLite are."""
    folders = {settings.var_dir}
    blobs, database = urlsplit(settings.blob_url), make_url(settings.database_url)
    if blobs.scheme == "file":
        folders.add(Path(unquote(blobs.path)))
    if database.get_backend_name() == "sqlite" and database.database:
        folders.add(Path(database.database).absolute().parent)
    disks = {}
    for folder in sorted(folders, reverse=True):
        there = next(path for path in (folder, *folder.parents) if path.exists())
        disks[there.stat().st_dev] = folder, there
    for folder, there in disks.values():
        free = shutil.disk_usage(there).free
        words = f"{free / 1024**3:.1f} GiB free for {folder}"
        if free < settings.min_free_bytes:
            yield Finding(
                "problem",
                "disk",
                f"{words}, less than GRB_MIN_FREE_BYTES: uploads are refused",
                "make room, or set GRB_MIN_FREE_BYTES",
            )
        else:
            yield Finding("ok", "disk", words)


def _database(settings: Settings) -> Iterator[Finding]:
    address = make_url(settings.database_url)
    shown = address.render_as_string(hide_password=True)
    sqlite = address.get_backend_name() == "sqlite"
    if sqlite and not Path(str(address.database)).exists():
        yield Finding(
            "note", "database", f"{shown}: none yet", "grb up, or grb board sync, makes it"
        )
        return
    sessions = Sessions(connect(settings.database_url))
    try:
        if not migrate.current(sessions.engine):
            yield Finding(
                "problem",
                "database",
                f"{shown}: its tables are not those of revision {migrate.newest()}",
                "stop the service, grb admin backup, then grb board sync",
            )
            return
        with sessions.engine.connect() as connection:  # rolled back at the end
            connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
        yield Finding("ok", "database", f"{shown}, revision {migrate.newest()}")
        with sessions.reading() as session:
            yield from _boards(session)
            yield from _workers(session)
    except SQLAlchemyError as error:
        reason = str(error).splitlines()[0]
        mend = "see that it runs and that GRB_DATABASE_URL is its address"
        yield Finding("problem", "database", f"{shown}: {reason}", mend)
    finally:
        sessions.engine.dispose()


def _boards(session: Session) -> Iterator[Finding]:
    for row in session.scalars(select(BoardRow).order_by(BoardRow.id)):
        if row.problem:
            yield Finding("problem", "board", f"{row.id}: {row.problem}", "grb datasets check")
        elif row.preparation and row.preparation.get("failed"):
            yield Finding(
                "problem",
                "board",
                f"{row.id}: its baselines stopped: {row.preparation['failed']}",
                f"grb baselines {row.id}",
            )
        elif row.state != "no-data":
            yield Finding("ok", "board", f"{row.id}: {row.state}")


def _workers(session: Session) -> Iterator[Finding]:
    states = [(row, workers.state(row, now())) for row in workers.known(session)]
    alive = [row for row, state in states if state == "alive"]
    lost = sum(state == "lost" for _, state in states)
    cells = cells_by_state(session)
    waiting = cells.get("queued", 0)
    if alive:
        devices = ", ".join(sorted({row.device for row in alive}))
        yield Finding("ok", "workers", f"{len(alive)} alive on {devices}, {waiting} cells wait")
    else:
        level: Literal["note", "problem"] = "problem" if waiting else "note"
        start = "grb up starts one, or python -m worker"
        yield Finding(level, "workers", f"none is alive, {waiting} cells wait", start)
    if lost:
        mend = "its work is done by others; see its log for why it went"
        yield Finding("note", "workers", f"{lost} went without a word in the last day", mend)
    if cells.get("dead"):
        mend = "grb admin status tells why; then grb admin requeue CELL"
        yield Finding("problem", "cells", f"{cells['dead']} wait for an admin", mend)


def _blobs(settings: Settings) -> Iterator[Finding]:
    address = urlsplit(settings.blob_url)
    if address.scheme == "file" and not Path(unquote(address.path)).exists():
        yield Finding(
            "note", "files", f"{settings.blob_url}: none yet", "the first upload makes it"
        )
        return
    try:
        Blobs(settings.blob_url).check()
    except Exception as error:  # whatever a store in trouble raises
        mend = "see that it answers and may be written; GRB_BLOB_URL and AWS_… are its address"
        yield Finding("problem", "files", f"{settings.blob_url}: {error}", mend)
    else:
        yield Finding("ok", "files", f"{settings.blob_url}: written and read")


def _broker(settings: Settings) -> Iterator[Finding]:
    address = urlsplit(settings.broker_url)
    if address.scheme not in ("redis", "rediss"):
        yield Finding("ok", "messages", f"folders in {settings.var_dir / 'broker'}")
        return
    shown = f"{address.scheme}://{address.hostname}:{address.port or 6379}{address.path}"
    try:
        redis.Redis.from_url(settings.broker_url, socket_connect_timeout=3).ping()
    except redis.RedisError as error:
        mend = "start it; nothing is lost without it, workers only look later"
        yield Finding("problem", "messages", f"{shown}: {error}", mend)
    else:
        yield Finding("ok", "messages", f"{shown} answers")


def _datasets(settings: Settings) -> Iterator[Finding]:
    names = dict.fromkeys(board.dataset for board in catalog.boards().values())
    here = {name: datasets.present(name, data_dir=settings.data_dir) for name in names}
    present = [name for name in names if here[name]]
    yield Finding("ok", "datasets", f"here: {', '.join(present)}")
    absent = [name for name in names if not here[name]]
    if absent:
        yield Finding(
            "note", "datasets", f"not here: {', '.join(absent)}", "grb datasets fetch NAME"
        )


def _page(settings: Settings) -> Iterator[Finding]:
    folder = settings.page_dir or _PAGE
    if (folder / "index.html").is_file():
        yield Finding("ok", "page", str(folder))
    else:
        yield Finding("problem", "page", f"{folder}: not built", "make page, or set GRB_PAGE_DIR")


def _torch(settings: Settings) -> Iterator[Finding]:
    if importlib.util.find_spec("torch") is None:
        mend = "workers need it: pip install -e '.[worker]'; the API does not"
        yield Finding("note", "torch", "not installed here", mend)
        return
    import torch

    if settings.device == "cuda" and not torch.cuda.is_available():
        yield Finding(
            "problem",
            "torch",
            f"torch {torch.__version__} finds no GPU, and GRB_DEVICE is cuda",
            "install the CUDA build (constraints-cuda.txt) and the driver, or unset GRB_DEVICE",
        )
        return
    device = torch.cuda.get_device_name() if settings.device == "cuda" else "cpu"
    yield Finding("ok", "torch", f"torch {torch.__version__} on {device}")


def _sandbox(settings: Settings) -> Iterator[Finding]:
    """What this machine offers to confine children with, as a worker would find."""
    del settings  # the worker reads its own
    asked = [sys.executable, "-m", "worker.sandbox"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    try:
        found: dict[str, str | None] = json.loads(done.stdout)
    except ValueError:
        reason = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        yield Finding("problem", "sandbox", f"can't be looked for: {reason}", "install the worker")
        return
    trouble, chosen = found.pop("trouble"), found.pop("chosen")
    has = ", ".join(f"{name} {value or 'none'}" for name, value in found.items())
    if trouble is not None:
        needed = importlib.util.find_spec("torch") is not None
        yield Finding("problem" if needed else "note", "sandbox", f"none; {has}", trouble)
    elif chosen == "off":
        mend = "unset GRB_SANDBOX before strangers may upload"
        yield Finding("note", "sandbox", f"children are not confined; {has}", mend)
    else:
        yield Finding("ok", "sandbox", f"{chosen}, tried; {has}")


def _api(settings: Settings) -> Iterator[Finding]:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{host}:{settings.port}"
    try:
        answer = httpx.get(f"{address}/api/v1/ready", timeout=5)
        missing = answer.json().get("missing") or []
    except (httpx.HTTPError, ValueError, AttributeError):
        yield Finding("note", "API", f"none answers at {address}", "grb up, or python -m api")
        return
    if answer.is_success:
        yield Finding("ok", "API", f"{address} is ready")
    else:
        yield Finding(
            "problem", "API", f"{address} lacks {', '.join(map(str, missing))}", "see above"
        )


_PARTS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    _host,
    _disk,
    _database,
    _blobs,
    _broker,
    _datasets,
    _page,
    _torch,
    _sandbox,
    _api,
)
