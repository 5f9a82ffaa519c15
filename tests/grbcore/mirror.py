"""A mirror of datasets on this machine, with the faults that a test sets."""

from __future__ import annotations

import hashlib
import http.server
import re
from pathlib import Path

import numpy as np

from grbcore.catalog import DatasetEntry, FileEntry
from grbcore.datasets import split
from grbcore.datasets.fetch import fetch
from grbcore.datasets.reading import csr
from tests.grbcore.forging import arrays

NODES = 40


def ring() -> dict[str, bytes]:
    """The four files of a ring of 40 nodes, with features that fill more than a few packets."""
    ids = np.arange(NODES)
    indptr, indices = csr(np.stack([ids, (ids + 1) % NODES]), NODES)
    made = split(np.diff(indptr))
    index = {"index_train": made.train, "index_val": made.val, "index_test": made.targets["full"]}
    for band in ("easy", "medium", "hard"):
        index[f"index_test_{band}"] = made.targets[band]
    shape = np.array([NODES, NODES])
    features = np.random.default_rng(0).normal(size=(NODES, 3000)).astype(np.float32)
    return {
        "adj": arrays(indptr=indptr, indices=indices, shape=shape),
        "features": arrays(data=features),
        "index": arrays(**index),
        "labels": arrays(data=ids % 2),
    }


FILES_OF_RING = ring()


class Server(http.server.ThreadingHTTPServer):
    """Serves ``/ring/<file>.npz``, with ranges, and the faults that a test sets."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = dict(FILES_OF_RING)
        self.asked: list[tuple[str, str | None]] = []  # file and range
        self.cut: dict[str, list[int]] = {}  # break off after so many bytes, once each
        self.status: dict[str, list[int]] = {}  # answer with this status, once each
        self.ranges = True
        self.tags = True

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def ranges_of(self, file: str) -> list[str | None]:
        return [asked for name, asked in self.asked if name == file]


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        file = self.path.removeprefix("/ring/").removesuffix(".npz")
        self.server.asked.append((file, self.headers.get("Range")))
        if self.server.status.get(file):
            self.send_error(self.server.status[file].pop(0))
            return
        data = self.server.files.get(file)
        if data is None:
            self.send_error(404)
            return
        tag = f'"{hashlib.sha256(data).hexdigest()[:8]}"'
        start = 0
        match = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        fresh = self.headers.get("If-Range", tag) == tag
        if match and self.server.ranges and fresh:
            start = int(match[1])
            if start >= len(data):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(data)}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            self.send_response(200)
        if self.server.tags:
            self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        cuts = self.server.cut.get(file, [])
        body = data[start : start + cuts.pop(0)] if cuts else data[start:]
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def entry(*, published: bool = True, **changes: object) -> DatasetEntry:
    """The ring as a dataset of the catalog."""
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in FILES_OF_RING.items()}
    fields = {
        "name": "ring", "title": "Ring", "description": "A ring.", "licence": "none",
        "source": "https://example.org", "nodes": NODES, "edges": NODES, "features": 3000,
        "classes": 2,
        "files": {n: FileEntry(sha256=hashes[n] if published else None) for n in hashes},
    }  # fmt: skip
    return DatasetEntry.model_validate({**fields, **changes})


def fetched(server: Server, folder: Path, **options: object) -> tuple[Path, ...]:
    return fetch("ring", folder, mirror=server.address, pause=0.01, **options)  # type: ignore[arg-type]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "ring").iterdir()}


ALL = {f"{name}.npz": data for name, data in FILES_OF_RING.items()}
