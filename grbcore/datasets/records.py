"""The hashes of files that nobody has published: what was seen first is what is expected later."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from grbcore import catalog
from grbcore.folders import alone, own_folder


def expected(name: str) -> dict[str, str]:
    """SHA-256 by file: the catalog's, and for the other files what this host saw first."""
    published: dict[str, str] = {
        file: entry.sha256 for file, entry in catalog.dataset(name).files.items() if entry.sha256
    }
    return {**_recorded(name), **published}


def origin(name: str, file: str) -> str:
    """Where the expected hash of a file comes from, in words."""
    published = {known for known, entry in catalog.dataset(name).files.items() if entry.sha256}
    return "published" if file in published else f"recorded in {_path(name)}"


def wrong(name: str, file: str, path: Path, sha256: str) -> str | None:
    """What is wrong with the hash of a file at ``path``; None where nothing is known against it."""
    known = expected(name).get(file)
    if known in (None, sha256):
        return None
    found = f"{path}: found {catalog.dataset(name).hashed} {sha256}"
    return f"{found}, allowed: {known} ({origin(name, file)})"


def remember(name: str, hashes: Mapping[str, str]) -> None:
    """Record hashes that are neither published nor recorded; those that are stay as they are."""
    if hashes.keys() <= expected(name).keys():
        return
    path = _path(name)
    with alone(path.parent):
        known = expected(name)  # another process may just have recorded some
        new = {file: sha256 for file, sha256 in hashes.items() if file not in known}
        if new:
            whole = {**_recorded(name), **new}
            beside = path.with_suffix(".part")
            beside.write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n", "utf-8")
            beside.replace(path)


def _path(name: str) -> Path:
    return own_folder() / name / "recorded.json"


def _recorded(name: str) -> dict[str, str]:
    try:
        return dict(json.loads(_path(name).read_text("utf-8")))
    except FileNotFoundError:
        return {}
