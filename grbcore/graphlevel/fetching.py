"""Fetching the graph-level datasets of the catalog, and turning their source's files into ours."""

from __future__ import annotations

from pathlib import Path

import httpx

from grbcore.catalog import DatasetEntry
from grbcore.datasets.fetch import TIMEOUT, Download, FetchError, Progress
from grbcore.datasets.reading import DatasetError
from grbcore.graphlevel import files, tu


def fetch_graphs(
    entry: DatasetEntry,
    folder: Path,
    *,
    mirror: str | None = None,
    progress: Progress | None = None,
    attempts: int = 4,
    pause: float = 1.0,
) -> tuple[Path, ...]:
    """Fetch ``graphs/<part>/graphs.npz`` of a dataset into ``folder``; what is there is kept.

    From a mirror, that serves ``{mirror}/{name}/{part}.npz``, or from TUDataset's archive, whose
    text is converted.  Either way the graphs must be those whose hash the catalog has.

    Raises:
        FetchError: no address, no answer, or other graphs than expected.
    """
    paths = tuple(_path(folder, part) for part in entry.files)
    with httpx.Client(timeout=TIMEOUT, follow_redirects=True) as client:
        for part, path in zip(entry.files, paths, strict=True):
            if path.exists():
                _verify(entry, path, path)
                continue
            advice = graphs_by_hand(entry, folder)
            if mirror:
                address = f"{mirror.rstrip('/')}/{entry.name}/{part}.npz"
                Download(
                    client, address, path, progress, advice, lambda at, to: _verify(entry, at, to)
                ).run(attempts, pause)
                continue
            if entry.address is None:
                raise FetchError(
                    f"{entry.name}: found no address (the source has pickles only, which are "
                    f"never read).\n{advice}"
                )
            archive = path.with_name(entry.address.rpartition("/")[2])
            Download(client, entry.address, archive, progress, advice, lambda at, to: None).run(
                attempts, pause
            )
            _convert(entry, archive, path)
    return paths


def _convert(entry: DatasetEntry, archive: Path, path: Path) -> None:
    """Put the graphs of an archive into their place; the archive goes, whatever it holds."""
    try:
        graphs, labels = tu.read(archive)
        digest = files.digest_of(graphs, labels)
        _hold(entry, path.parent.name, f"{entry.address}", digest)
        files.write(path, graphs, labels)
    except DatasetError as error:
        raise FetchError(f"{entry.name}: {error}") from None
    finally:
        archive.unlink(missing_ok=True)


def _verify(entry: DatasetEntry, at: Path, final: Path) -> None:
    """Hold the graphs of a file that is here, or has arrived, against the catalog's hash."""
    try:
        digest = files.digest_of(*files.read(at))
        _hold(entry, final.parent.name, f"{at}", digest)
    except DatasetError as error:
        if at == final:
            raise FetchError(f"{error}; remove the file to fetch it again") from None
        at.unlink(missing_ok=True)
        raise FetchError(f"{entry.name}: {final} as served: {error}") from None


def _hold(entry: DatasetEntry, part: str, place: str, digest: str) -> None:
    known = entry.files[part].sha256
    if known not in (None, digest):
        raise DatasetError(f"{place}: found graphs of SHA-256 {digest}, allowed: {known}")


def graphs_by_hand(entry: DatasetEntry, folder: Path) -> str:
    """Where the files go when they are placed by hand, and what the graphs in them must be."""
    lines = [f"Place by hand, as docs/datasets.md says, in {folder.absolute()}:"]
    for part, known in entry.files.items():
        said = f"graphs of SHA-256 {known.sha256}" if known.sha256 else "no hash is published"
        lines.append(f"  {_path(Path(), part)}  {said}")
    lines.append("or name a mirror: GRB_MIRROR serves {mirror}/" + entry.name + "/{part}.npz")
    return "\n".join(lines)


def _path(folder: Path, part: str) -> Path:
    return folder / "graphs" / part / "graphs.npz"
